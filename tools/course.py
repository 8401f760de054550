"""The course's notebooks as tools and tests read them, and what is written in them."""

import io
from contextlib import redirect_stdout
from pathlib import Path
from types import SimpleNamespace

import nbformat

from autograder.registry import units

ROOT = Path(__file__).resolve().parent.parent
POINTS = {  # of each unit, by the plan of the course
    "00_tokens_and_shapes": 10,
    "01_positional_encoding": 20,
    "02_scaled_dot_product_attention": 20,
    "03_masking": 20,
    "04_multi_head_attention": 20,
    "05_cross_attention": 20,
    "06_feed_forward": 20,
    "07_add_and_layer_norm": 20,
    "08_decoding": 20,
    "09_transformer": 40,
    "10_training": 20,
    "11_inside_the_model": 20,
    "12_models_you_know": 20,
    "13_since_2017": 20,
}


def notebook(unit_id, folder="solutions"):
    """Read a built notebook: the instructor's from `solutions`, the learner's from `notebooks`."""
    return nbformat.read(ROOT / folder / unit_id / f"{unit_id}.ipynb", as_version=4)


def tags(cell):
    """Return the nbgrader metadata of a cell, empty for an ordinary one."""
    return cell.metadata.get("nbgrader", {})


def solution_functions(unit_id, folder="solutions"):
    """Run the imports and the solution cells of a notebook, nothing else, and return what they define."""
    namespace = {"__name__": unit_id}
    cells = [cell for cell in notebook(unit_id, folder).cells if cell.cell_type == "code"]
    for cell in cells:
        exercise = tags(cell).get("solution") and not tags(cell)["grade_id"].startswith("answer-")
        if cell is cells[0] or exercise:
            exec(compile(cell.source, f"{unit_id}/{cell.id}", "exec"), namespace)
    return namespace


def learners_functions(last):
    """Return what a learner writes up to some unit, as the notebooks' solutions have it; the functions call each other.

    Parameters
    ----------
    last : str
        The number of the unit, such as "09".

    Returns
    -------
    SimpleNamespace
    """
    found, spaces = {}, []
    for unit in units():
        if unit.id[:2] <= last:
            with redirect_stdout(io.StringIO()):  # what `load` says
                spaces.append(solution_functions(unit.id))
            found |= {exercise.name: spaces[-1][exercise.name] for exercise in unit.exercises}
    for space in spaces:
        space.update(found)
    return SimpleNamespace(**found)


def headings(unit_id):
    """Return the text of every heading of a unit's notebook."""
    text = "\n".join(c.source for c in notebook(unit_id).cells if c.cell_type == "markdown")
    return {line.lstrip("#").strip() for line in text.splitlines() if line.startswith("#")}


def is_answer(cell):
    """Return whether a cell holds the answer to a question."""
    return tags(cell).get("grade_id", "").startswith("answer-")


def solved(unit, wanted=None):
    """Return the right source of solution cells by grade id; of the `wanted` exercises only when given."""
    cells = [cell for cell in notebook(unit.id).cells if tags(cell).get("solution")]
    sources = {tags(cell)["grade_id"]: cell.source for cell in cells}
    return {name: source for name, source in sources.items() if wanted is None or name in wanted}


def fill(unit, sources, figures=False, checks=True):
    """Write solution cells into the learner's notebook.

    Without `figures`, of the ordinary cells only the first one, with the imports, is left, which makes
    grading faster; without `checks`, the learner has deleted the check cells.
    """
    book = notebook(unit.id, "notebooks")
    imports = next(cell for cell in book.cells if cell.cell_type == "code")
    book.cells = [
        cell
        for cell in book.cells
        if (figures or tags(cell) or cell is imports) and (checks or not tags(cell).get("grade"))
    ]
    for cell in book.cells:
        cell.source = sources.get(tags(cell).get("grade_id"), cell.source)
    return book


def source(unit_id, cell_id):
    """Return the code of a cell of the instructor's notebook: the right answer."""
    return next(cell.source for cell in notebook(unit_id).cells if cell.id == cell_id)
