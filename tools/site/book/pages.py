"""A page of the book from two notebooks: the learner's text and stubs, with the outputs of the solved one.

Nothing of a solution can get into a page but by an output, and a test looks for that. What a question asks is folded,
so that nobody sees it before having thought.
"""

import re
from html import escape

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from transformer_kit.pictures import machine

BOOKKEEPING = ("load", "progress")  # what they say is about the learner, and a reader has done nothing yet
KEPT = ("text/html", "text/plain")
LAB = "lab/"
LINK_TO_SECTION = re.compile(r'<a href="#[^"]*"[^>]*>(.*?)</a>')  # of a report: in Jupyter, anchors have other names
LOOK = "I have made up my mind: show what comes out"


class Page:
    """One notebook of the course as a page.

    Parameters
    ----------
    name : str
        Of the page, such as "02_scaled_dot_product_attention".
    place : str
        Of the notebook in the browser edition.
    elsewhere : dict from str to str
        Where else the notebook can be run: addresses by the name of the place.
    """

    def __init__(self, name, place, elsewhere):
        self.name, self.place, self.elsewhere = name, place, elsewhere

    def of(self, learners, solved):
        """Return the page as a notebook.

        Parameters
        ----------
        learners : NotebookNode
            As it is released.
        solved : NotebookNode
            The instructor's, with outputs.

        Returns
        -------
        NotebookNode
        """
        outputs = {cell.id: cell.outputs for cell in solved.cells if cell.cell_type == "code"}
        cells, asked = [], False
        for cell in learners.cells:
            kind, name = kind_of(cell)
            if kind == "text":
                asked = asked and not re.search("^#", cell.source, re.MULTILINE)
                cells.append(new_markdown_cell(with_links_to_pages(cell.source)))
            elif kind == "question":
                asked = True
                cells.append(
                    self._invitation("Answer in the notebook, and read the reason; then look on.", "Answer it")
                )
            elif kind == "check":
                points = cell.metadata.nbgrader.points
                told = f"{points:g} point{'s' * (points != 1)}: a check says what is right, and names the mistake."
                cells.append(self._invitation(told, f"Write {name}", name))
            elif kind == "exercise":
                cells.append(_code(cell, []))
            elif not re.match(rf"({'|'.join(BOOKKEEPING)})\(.*\)\s*$", cell.source):
                cells.append(_code(cell, _shown(outputs[cell.id], cell.source), asked))
        title, _, cells[0].source = cells[0].source.partition("\n")
        top = [new_markdown_cell(f"{title}\n\n{self._head()}"), *self._machine()]
        return new_notebook(cells=[*top, *cells], metadata=learners.metadata)

    def _invitation(self, text, label, name=""):
        code = f"<code>{escape(name)}</code>" if name else ""
        label = escape(label).replace(escape(name), code) if name else escape(label)
        return new_markdown_cell(f'<p class="write-it">{escape(text)} <a href="{self._address}">{label}</a></p>')

    @property
    def _address(self):
        return f"{LAB}?path={self.place}"

    def _machine(self):
        """Yield the drawing with the parts of this unit marked, which on a phone stands in the first screen."""
        number = self.name.partition("_")[0]
        if number.isdigit():
            drawn = new_output("display_data", {"text/html": machine(number).html})
            yield new_code_cell(outputs=[drawn], metadata={"tags": ["remove-input"]})

    def _head(self):
        links = " ".join(f'<a href="{escape(link)}">{escape(name)}</a>' for name, link in self.elsewhere.items())
        more = f"<details><summary>Run it elsewhere</summary> {links}</details>" if links else ""
        return (
            f'<div class="run-unit"><a class="run-button" href="{self._address}">Run this unit</a>'
            "<p>Python starts in your browser: nothing to install, no account.</p>"
            '<p class="small-screen">Read on here, on any screen. To write the code you need a larger one: '
            f"a tablet with a keyboard, or a computer.</p>{more}</div>"
        )


def kind_of(cell):
    """Return what a cell of a learner's notebook is: text, question, check, exercise or code; and the name of it."""
    if cell.cell_type != "code":
        return "text", ""
    tags = cell.metadata.get("nbgrader", {})
    grade_id = tags.get("grade_id", "")
    if tags.get("grade"):
        return "check", grade_id.removeprefix("check-")
    if tags.get("solution"):
        return ("question" if grade_id.startswith("answer-") else "exercise"), grade_id
    return "code", ""


def with_links_to_pages(source):
    """Let links between notebooks lead to pages, all of which are in one folder."""
    return re.sub(r"\]\((?:\.\./)?(?:\w+/)?(\w+)\.ipynb(#[^)]*)?\)", r"](\1.ipynb\2)", source)


def _code(cell, outputs, asked=False):
    """Return a cell with outputs; what draws or prepares is folded, and so is what answers a question: in one fold."""
    cell = cell.copy()
    draws = any("text/html" in output.get("data", {}) for output in outputs)
    folded = kind_of(cell)[0] == "code" and (draws or not outputs)
    cell.metadata = {"tags": ["hide-input"] if folded else []}
    if asked and outputs:
        cell.metadata = {"tags": ["hide-cell" if folded else "hide-output"], "mystnb": {"code_prompt_show": LOOK}}
    cell.outputs, cell.execution_count = outputs, None
    return cell


def _shown(outputs, source):
    """Return copies of outputs for readers: one form of each, nothing that speaks of a learner's library."""
    if re.search(rf"\b({'|'.join(BOOKKEEPING)})\(", source):
        return []
    found = []
    for output in outputs:
        if output.output_type == "stream" and output.name == "stdout":
            found.append(output)
        elif output.output_type in ("display_data", "execute_result"):
            form = next((kind for kind in KEPT if kind in output.data), None)
            if form:
                found.append(new_output("display_data", {form: LINK_TO_SECTION.sub(r"\1", output.data[form])}))
    return found
