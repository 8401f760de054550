"""The rows that nbgrader makes of a submission, one for each cell: those that are lost are found, and made again."""

from collections.abc import Iterable
from typing import Any

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    GradeCell,
    SolutionCell,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy import func
from sqlalchemy.orm import Session

KINDS = {Grade: (GradeCell, TaskCell), Comment: (SolutionCell, TaskCell)}  # of rows, with the cells that have them


def incomplete(db: Session) -> set[tuple[str, str]]:
    """Return student and unit of what has fewer rows of points or comments than its unit has cells for them."""
    notebook = SubmittedNotebook.id, SubmittedNotebook.notebook_id
    query = db.query(SubmittedAssignment.student_id, Assignment.name, *notebook)
    query = query.select_from(SubmittedAssignment).join(SubmittedAssignment.assignment)
    there = query.outerjoin(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id).all()
    found = {(student, unit) for student, unit, notebook, _ in there if notebook is None}
    for kind, cells in KINDS.items():
        of_kind = BaseCell.type.in_([cell.__name__ for cell in cells])
        of_unit = db.query(BaseCell.notebook_id, func.count()).filter(of_kind)
        expected = dict(of_unit.group_by(BaseCell.notebook_id).all())
        rows = dict(db.query(kind.notebook_id, func.count()).join(kind.cell).group_by(kind.notebook_id).all())
        found |= {(student, unit) for student, unit, own, of in there if rows.get(own, 0) < expected.get(of, 0)}
    return found


def whole(db: Session, entered: SubmittedAssignment, unit: str) -> SubmittedNotebook:
    """Return the notebook of a submission with all its rows; those that are lost are made again.

    Parameters
    ----------
    db : sqlalchemy.orm.Session
    entered : SubmittedAssignment
    unit : str
        Id.

    Returns
    -------
    SubmittedNotebook
    """
    of_unit = next(one for one in entered.assignment.notebooks if one.name == unit)
    notebook = next((one for one in entered.notebooks if one.name == unit), None)
    notebook = notebook or SubmittedNotebook(notebook=of_unit, assignment=entered)
    for kind, cells, there in (
        (Grade, (*of_unit.grade_cells, *of_unit.task_cells), notebook.grades),
        (Comment, (*of_unit.solution_cells, *of_unit.task_cells), notebook.comments),
    ):
        known = {one.cell_id for one in there}
        db.add_all(kind(cell_id=cell.id, notebook=notebook) for cell in cells if cell.id not in known)
    db.flush()
    return notebook


def by_cell(rows: Iterable[Any]) -> dict[str, Any]:
    """Return rows by the names of their cells, without those whose cell is lost."""
    return {row.cell.name: row for row in rows if row.cell}
