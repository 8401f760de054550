"""Keeps what a learner wrote from acting in the instructor's browser, where formgrader shows it."""

from html import escape

import bleach
from nbconvert.filters import markdown2html
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade

from autograder.grading.intake.repair_clean import COMMAND

TAGS = {"a", "br", "dd", "del", "details", "div", "dl", "dt", "hr", "img", "p", "pre", "span", "sub", "summary", "sup"}
TAGS |= {"table", "tbody", "td", "th", "thead", "tr", *(f"h{level}" for level in range(1, 7)), *bleach.ALLOWED_TAGS}
ATTRIBUTES = {"*": ["class", "id"], "a": ["href", "title"], "img": ["alt", "src", "title"]}
OUTPUTS = {"stream", "error", "display_data", "execute_result"}
SHOWN = {"text/plain", "image/png", "image/jpeg"}


def markdown(source):
    """Return Markdown as HTML that cannot act: without scripts, handlers and links of other kinds than to pages.

    Parameters
    ----------
    source : str

    Returns
    -------
    str
    """
    source = _without_commands(source)
    try:
        html = markdown2html(source)
    except Exception:  # a missing picture, or too deep a nesting, would end the whole page
        html = f"<pre>{escape(source)}</pre>"
    return bleach.clean(html, tags=TAGS, attributes=ATTRIBUTES, protocols=["http", "https"])


class Disarm(NbGraderPreprocessor):
    """Keeps text and pictures of the outputs only; the report in a graded cell is the judge's own."""

    def preprocess(self, nb, resources):
        nb.metadata.pop("widgets", None)
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell, resources, cell_index):
        if cell.cell_type == "raw":
            cell.source = _without_commands(cell.source)
        if cell.cell_type == "code":
            shown = SHOWN | {"text/html"} if is_grade(cell) else SHOWN
            cell.outputs = [output for output in map(_only(shown), cell.outputs) if output]
        return cell, resources


def _without_commands(text):
    """Break what in a formula reaches beyond it, such as a link, which may be of any kind."""
    return COMMAND.sub(r"\\ ", text)


def _only(kinds):
    """Return a function that leaves nothing of an output but these kinds, and nothing at all where there are none."""

    def only(output):
        if "data" in output:
            output.data = {kind: _without_commands(value) for kind, value in output.data.items() if kind in kinds}
            output.metadata = {}
        return output if output.output_type in OUTPUTS and output.get("data", True) else None

    return only
