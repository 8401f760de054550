"""Build the book with Sphinx, from the notebooks and the documents of the course."""

import re
import shutil
import tempfile
from pathlib import Path

import nbformat
from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.docutils import docutils_namespace, patch_docutils

from autograder.registry import units
from tools.site.book.documents import PAGES, as_page
from tools.site.book.pages import Page
from tools.site.book.solved import solved
from tools.site.described import PICTURE

HERE = Path(__file__).parent
TITLE = "The Transformer, written by you"
START_PAGE = "START_HERE"
FOR_READERS = ("glossary", "pytorch", "ideas")
ABOUT = (
    *("learners", "elsewhere", "instructors", "hub", "teaching", "model_card", "proof", "security"),
    *("maintainers", "grading_engine", "site"),
)
ICON_SCRIPT = re.compile(r"<(?:script|link)[^>]*fontawesome[^>]*>(?:</script>)?\s*")
UNUSED = (
    *(".buildinfo", "objects.inv", "_sources", "_static/locales", "_static/vendor", "_static/README.md"),
    *("_static/scripts/fontawesome*", "_static/scripts/*.map", "_static/images"),
    *("_static/styles/*.map", "_static/*-macros.html"),
)
CONTENTS = """# Contents

One function after another, from a single dot product to a Transformer that translates, in plain NumPy.
Each page has the text and the pictures of a unit. Pictures answer to pointer and keyboard here, too.
To write the functions yourself, choose *Run this unit* on its page.

{}
"""


def build_book(root, output, address="", repository="", kept=None):
    """Write the book into a folder.

    Parameters
    ----------
    root : Path
        Folder of the course.
    output : Path
    address : str
        Where the site will be, with a slash at the end; without it, there is no `sitemap.xml`.
    repository : str
        "OWNER/REPO" at GitHub; without it, there are no links to Binder and its like.
    kept : Path, optional
        Folder in which the notebooks that have run are kept; see `solved`.

    Raises
    ------
    RuntimeError
        If a notebook or the book cannot be made; the message says why.
    """
    with tempfile.TemporaryDirectory() as scratch:
        source, pages = Path(scratch, "source"), Path(scratch, "html")
        source.mkdir()
        _write_units(root, source, repository, kept)
        _write_documents(root, source, repository)
        with patch_docutils(), docutils_namespace():
            app = Sphinx(
                *(source, None, pages, Path(scratch, "doctrees"), "html"),  # myst-nb writes a folder beside the pages
                confoverrides=_settings(address),
                status=None,
                warningiserror=True,
                exception_on_warning=True,
            )
            try:
                app.build()
            except SphinxError as error:
                raise RuntimeError(f"the book cannot be built: {error}") from error
        _slim(pages)
        shutil.copytree(pages, output, dirs_exist_ok=True)
    shutil.copy(root / "docs" / "pictures" / "front-page.png", output / PICTURE)


def _slim(output):
    """Drop what Sphinx and the theme bring and no page uses: above all a script of 1.5 MB that draws a dozen icons."""
    for page in output.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(ICON_SCRIPT.sub("", text), encoding="utf-8")
    for left in UNUSED:
        for path in output.glob(left):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _write_units(root, source, repository, kept):
    """Write a notebook for each unit and the start page, and the table of contents."""
    notebooks = {START_PAGE: root / "notebooks" / f"{START_PAGE}.ipynb"}
    notebooks |= {unit.id: root / "solutions" / unit.id / f"{unit.id}.ipynb" for unit in units()}
    done = solved(root, list(notebooks.values())[::-1], kept)  # those that take long are the last
    for name, path in notebooks.items():
        place = f"{name}.ipynb" if name == START_PAGE else f"{name}/{name}.ipynb"
        learners = nbformat.read(root / "notebooks" / place, as_version=4)
        page = Page(name, place, _elsewhere(place, repository)).of(learners, done[path])
        nbformat.write(page, source / f"{name}.ipynb")
    others = [name for name in _documents(root) if name not in (*FOR_READERS, *ABOUT)]
    trees = {
        "The units": list(notebooks),
        "To look things up": [f"docs/{name}" for name in (*FOR_READERS, *others)],
        "About the course": [*(f"docs/{name}" for name in ABOUT), "contributing"],
    }
    listed = "\n\n".join(_tree(caption, pages) for caption, pages in trees.items())
    (source / "contents.md").write_text(CONTENTS.format(listed), encoding="utf-8")


def _tree(caption, pages):
    return "\n".join([f"```{{toctree}}\n:caption: {caption}\n:maxdepth: 1\n", *pages, "```"])


def _documents(root):
    return sorted(path.stem for path in (root / "docs").glob("*.md"))


def _write_documents(root, source, repository):
    shutil.copytree(root / "docs" / "pictures", source / "docs" / "pictures")
    places = {f"docs/{name}.md": f"docs/{name}.md" for name in _documents(root)}
    places["CONTRIBUTING.md"] = f"{PAGES['CONTRIBUTING.md']}.md"
    for place, page in places.items():
        text = as_page((root / place).read_text(encoding="utf-8"), place, repository)
        (source / page).write_text(text, encoding="utf-8")


def _elsewhere(place, repository):
    """Return the addresses at which a notebook of a repository can be run, by the name of the service."""
    if not repository:
        return {}
    return {
        "Binder": f"https://mybinder.org/v2/gh/{repository}/HEAD?urlpath=lab/tree/notebooks/{place}",
        "Codespaces": f"https://codespaces.new/{repository}",
        "Colab": f"https://colab.research.google.com/github/{repository}/blob/HEAD/notebooks/{place}",
    }


def _settings(address):
    extensions = ["myst_nb", *(f"tools.site.book.{name}" for name in ("formulas", "first_uses", "head"))]
    return {
        "project": TITLE,
        "language": "en",
        "root_doc": "contents",
        "extensions": extensions,
        "nb_execution_mode": "off",
        "nb_code_prompt_show": "Show the code",
        "nb_code_prompt_hide": "Hide the code",
        "myst_enable_extensions": ["dollarmath", "amsmath"],
        "myst_heading_anchors": 4,
        "html_theme": "sphinx_book_theme",
        "html_theme_options": {
            "show_navbar_depth": 1,
            "use_download_button": False,
            "home_page_in_toc": True,
        },
        "html_title": TITLE,
        "html_context": {"default_mode": "auto"},
        "html_favicon": str(HERE / "static" / "icon.svg"),
        "html_baseurl": address,
        "html_math_renderer": "mathml",
        "html_static_path": [str(HERE / "static")],
        "html_css_files": ["book.css", "icons.css"],
        "html_js_files": [("print.js", {"type": "module"})],
        "html_copy_source": False,
        "html_show_sourcelink": False,
        "html_last_updated_fmt": None,
    }
