"""The cells of a unit in nbgrader's gradebook: those of the notebook that was released."""

import json

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import Assignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import SaveCells
from nbgrader.utils import compute_checksum, is_grade, is_locked, is_solution
from traitlets.config import Config

from autograder.course import CHECK
from autograder.specification import Unit

KINDS = is_grade, is_solution  # of cells, each with a table of its own


class UnitChanged(Exception):
    """The gradebook holds submissions of a unit that had other exercises."""


def require_checks(unit: Unit, released: NotebookNode) -> None:
    """Refuse a unit whose notebook lacks an exercise that counts: nobody could have its points.

    Parameters
    ----------
    unit : Unit
        As it counts in the class.
    released : NotebookNode

    Raises
    ------
    UnitChanged
        If an exercise has no check cell.
    """
    cells = {cell.metadata.nbgrader.grade_id for cell in filter(is_grade, released.cells)}
    missing = [exercise.name for exercise in unit.exercises if CHECK + exercise.name not in cells]
    if missing:
        raise UnitChanged(
            f"the notebook of {unit.id} that was released has no check cell for {', '.join(missing)}, so nobody can "
            "have these points. Put the exercise back, or leave it out in course.toml: "
            f"[units.{unit.id}] without = {json.dumps(missing)}"
        )


def enter_cells(assignment: Assignment, released: NotebookNode, config: Config) -> None:
    """Enter the cells of a notebook, unless the gradebook has just these.

    Parameters
    ----------
    assignment : Assignment
        Of the gradebook that the configuration names.
    released : NotebookNode
        Its checksums are computed anew.
    config : traitlets.config.Config

    Raises
    ------
    UnitChanged
        If submissions are entered for other cells.
    """
    unit = assignment.name
    cells = [cell for cell in released.cells if is_grade(cell) or is_solution(cell) or is_locked(cell)]
    for cell in cells:  # whose points may be the class's
        cell.metadata.nbgrader.checksum = compute_checksum(cell)
    sources = {cell.metadata.nbgrader.grade_id: compute_checksum(cell) for cell in cells}
    expected = (sources, *({cell.metadata.nbgrader.grade_id for cell in filter(is_a, cells)} for is_a in KINDS))
    if expected in [_entered(notebook) for notebook in assignment.notebooks if notebook.name == unit]:
        return
    db_url = CourseDirectory(config=config).db_url
    place = {"student": ".", "assignment": unit, "notebook": unit, "db_url": db_url}
    try:
        SaveCells(config=config, enabled=True).preprocess(released, ResourcesDict(nbgrader=place))
    except RuntimeError as error:
        raise UnitChanged(
            f"{unit} has gained or lost exercises since submissions of it were entered into the gradebook, "
            "and nbgrader keeps what it has. Set classroom/gradebook.db aside and grade again."
        ) from error


def _entered(notebook):
    """Return what the gradebook has of a unit's cells, in all the tables in which nbgrader keeps them."""
    sources = {cell.name: cell.checksum for cell in notebook.source_cells}
    return sources, *({cell.name for cell in its} for its in (notebook.grade_cells, notebook.solution_cells))
