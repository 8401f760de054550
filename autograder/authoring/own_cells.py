"""The cells that a class adds to a unit: put at the end of the instructor's notebook and of the learners' one."""

import ast
import json
import re
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.authoring.hint_source import hints_in
from autograder.authoring.placeholders import fill, in_words
from autograder.authoring.release import release
from autograder.authoring.stamp import is_edited, stamp
from autograder.authoring.unit_source import read_unit
from autograder.own import CELLS, OwnError, is_own, own_folder
from autograder.questions import Question
from autograder.registry import course_units, units
from autograder.specification import Unit
from autograder.whole_file import write_atomically

OWN = "own"  # in the metadata of a cell, and before its id
HEAD = "# %% [markdown]\n# # {title}\n\n"
TOTAL = re.compile(r"^\*\*[\d.]+ points?, ", re.M)  # at the top of a notebook
MAX_ID = 64


def write_own_cells(root: Path) -> list[str]:
    """Put the cells of a class into its notebooks, in place of those that are there.

    Parameters
    ----------
    root : Path
        Folder of the class.

    Returns
    -------
    list of str
        The notebooks that have changed.

    Raises
    ------
    OwnError
        If cells are missing, or break the rules of a unit's source.
    """
    written = []
    for unit in units():
        own = read_own_cells(unit)
        for part, cells in (("solutions", own), ("notebooks", own and _released(own, unit.id))):
            path = Path(part, unit.id, f"{unit.id}.ipynb")
            if _splice(root / path, cells.cells if cells else [], unit):
                written.append(path.as_posix())
    return written


def read_own_cells(unit: Unit) -> NotebookNode | None:
    """Return the cells that the class adds to a unit, as an instructor's notebook; None where it adds nothing."""
    exercises, questions = [exercise for exercise in unit.exercises if is_own(exercise)], own_questions(unit)
    folder = own_folder()
    if not folder or not (exercises or questions):
        return None
    path = folder / unit.id / CELLS
    if not path.is_file():
        names = [*(exercise.name for exercise in exercises), *(question.id for question in questions)]
        raise OwnError(f"{path}: missing; it should have the cells of {', '.join(names)}")
    text = path.read_text(encoding="utf-8")
    try:
        filled = fill(HEAD.format(title=unit.title) + text, unit, units())
        notebook = read_unit(filled, exercises, questions)
    except (ValueError, SyntaxError) as error:
        raise OwnError(f"{path}, line {_line(text, error)}: {error}") from error
    for exercise in exercises:
        heading = exercise.where
        if f"## {heading}\n" not in filled:
            raise OwnError(f"{path}, line 1: no heading ## Exercise {{{{{exercise.name}}}}}: {exercise.name}")
    notebook.cells = notebook.cells[1:]
    for cell in notebook.cells:
        cell.metadata[OWN] = True
        if "nbgrader" not in cell.metadata:
            cell["id"] = f"{OWN}-{cell['id']}"[:MAX_ID]
    return notebook


def own_questions(unit: Unit) -> tuple[Question, ...]:
    """Return the questions that the class adds to a unit."""
    [before] = [one for one in course_units() if one.id == unit.id]
    return unit.questions[len(before.questions) :]


def own_hints(unit: Unit) -> dict[str, list[dict[str, str]]]:
    """Return the hints in the cells that the class adds to a unit, as `hints_in` does."""
    own = read_own_cells(unit)
    return hints_in(own) if own else {}


def _line(text, error):
    """Return the line of a source that an error is about; the error quotes from it."""
    quoted = re.search(r"begins: (['\"].*['\"])$|(\{\{[^{}]*\}\})", str(error))
    if isinstance(error, SyntaxError):
        words = (error.text or "").strip()
    else:
        words = (ast.literal_eval(quoted[1]) if quoted[1] else quoted[2]) if quoted else ""
    lines = text.splitlines()
    return next((number for number, line in enumerate(lines, 1) if words and words in line), 1)


def _released(own, unit):
    """Return the learners' form of some cells."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder).resolve()
        write_atomically(scratch / "solutions" / unit / f"{unit}.ipynb", nbformat.writes(own))
        release(scratch)
        return nbformat.read(scratch / "notebooks" / unit / f"{unit}.ipynb", as_version=4)


def _splice(path: Path, cells: list[NotebookNode], unit: Unit) -> bool:
    """Put cells at the end of a notebook in place of those of before, and say the points at its top; was it changed?"""
    if not path.is_file():
        return False
    was_edited = is_edited(path)
    before = path.read_text(encoding="utf-8")
    notebook: dict[str, Any] = json.loads(before)
    kept = [cell for cell in notebook["cells"] if OWN not in cell["metadata"]]
    if len(kept) == len(notebook["cells"]) and not cells:
        return False
    for cell in (cell for cell in kept if cell["cell_type"] == "markdown"):
        text = TOTAL.sub(f"**{in_words(unit.points)}, ", "".join(cell["source"]))
        if text != "".join(cell["source"]):
            cell["source"] = text.splitlines(keepends=True)
    notebook["cells"] = [*kept, *json.loads(nbformat.writes(nbformat.v4.new_notebook(cells=cells)))["cells"]]
    if not was_edited:
        stamp(notebook)
    after = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    if after != before:
        write_atomically(path, after)
    return after != before
