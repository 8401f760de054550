"""What all pages share: templates that escape everything, a style sheet that is allowed by its hash, no scripts."""

import base64
import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from autograder.feedback.html import escaped

HERE = Path(__file__).parent
POLICY, HEAD = b'"Content-Security-Policy" content="default-src', 1000  # how our pages begin: in so many bytes
SPACES = "\n\t\N{NO-BREAK SPACE}"  # that may stand in a page beside the ordinary one


def style_sheet(*names: str) -> str:
    """Return the text of CSS files of this folder, one after the other."""
    return "".join((HERE / name).read_text(encoding="utf-8") for name in names)


def template(name: str, style: str, filters: Mapping[str, Callable[..., Any]], **values: Any) -> Template:
    """Return a template of this folder.

    Parameters
    ----------
    name : str
    style : str
        The style sheet; the page's policy allows it, and nothing else.
    filters : dict
        The template's own ones, by name.
    **values
        What is the same on every page.

    Returns
    -------
    jinja2.Template
    """
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"code": lambda text: Markup(escaped(text)), **filters}
    environment.globals |= {"style": Markup(style), "policy": policy} | values
    return environment.get_template(name)


def is_page(content: bytes) -> bool:
    """Return whether the content of a file begins like a page of ours, and not like nbgrader's."""
    return POLICY in content[:HEAD]


def visible(text: str) -> str:
    """Replace every invisible character, such as those that reverse the text around them, by a visible sign."""
    unseen = {character for character in set(text) if not (character.isprintable() or character in SPACES)}
    return text.translate(dict.fromkeys(map(ord, unseen), "\N{REPLACEMENT CHARACTER}"))
