"""Keeps what a learner wrote from running in the instructor's browser, where formgrader shows it."""

from html import escape
from typing import Any

import bleach
from nbconvert.filters import markdown2html
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade

from autograder.grading.intake.repair.clean import COMMAND

TAGS = {"a", "br", "dd", "del", "details", "div", "dl", "dt", "hr", "img", "p", "pre", "span", "sub", "summary", "sup"}
TAGS |= {"table", "tbody", "td", "th", "thead", "tr", *(f"h{level}" for level in range(1, 7)), *bleach.ALLOWED_TAGS}
ATTRIBUTES = {"*": ["class", "id"], "a": ["href", "title"], "img": ["alt", "src", "title"]}
OUTPUTS = {"stream", "error", "display_data", "execute_result"}
MAX_LENGTH = 10_000  # characters that are set as Markdown: nobody writes more, and some texts take long
SHOWN = {"text/plain", "image/png", "image/jpeg"}


def markdown(source: str) -> str:
    """Return Markdown as inert HTML: without scripts, handlers, and links to anything but pages.

    Parameters
    ----------
    source : str

    Returns
    -------
    str
    """
    source = _without_commands(source)
    plain = f"<pre>{escape(source)}</pre>"
    if len(source) > MAX_LENGTH:
        return plain
    try:
        html = markdown2html(source)
    except Exception:  # a missing picture, or too deep a nesting, would end the whole page
        html = plain
    return bleach.clean(html, tags=TAGS, attributes=ATTRIBUTES, protocols=["http", "https"])


class Sanitize(NbGraderPreprocessor):
    """Keeps text and pictures of the outputs only; the report in a graded cell is the judge's own."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook without widgets, and with every cell as `preprocess_cell` leaves it."""
        nb.metadata.pop("widgets", None)
        return super().preprocess(nb, resources)

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict[str, Any], cell_index: int
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Return a code cell with the outputs that a page may show, and a raw cell without active MathJax commands."""
        if cell.cell_type == "raw":
            cell.source = _without_commands(cell.source)
        if cell.cell_type == "code":
            shown = SHOWN | {"text/html"} if is_grade(cell) else SHOWN
            cell.outputs = [output for output in map(_only(shown), cell.outputs) if output]
        return cell, resources


def _without_commands(text):
    """Break the commands in a formula that reach beyond it, such as a link, which may be of any kind."""
    return COMMAND.sub(r"\\ ", text)


def _only(kinds):
    """Return a function that keeps only these kinds of an output's data, and drops an output without any."""

    def only(output):
        if "data" in output:
            output.data = {kind: _without_commands(value) for kind, value in output.data.items() if kind in kinds}
            output.metadata = {}
        return output if output.output_type in OUTPUTS and output.get("data", True) else None

    return only
