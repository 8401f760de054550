"""What stands in the gradebook of one submission, apart from all that people have added."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from nbgrader.api import Assignment, BaseCell, Comment, Grade, SubmittedAssignment, SubmittedNotebook
from nbgrader.utils import compute_checksum, is_solution, parse_utc
from sqlalchemy.orm import Session

from autograder.course import CHECK
from autograder.feedback.finding import of_cause
from autograder.grading.intake.submission import Submission
from autograder.grading.verdicts.record import Record

NO_RESPONSE = "No response."  # as nbgrader says it


@dataclass(frozen=True)
class Entry:
    """What the gradebook says of one submission, apart from all that people have added.

    Attributes
    ----------
    timestamp : datetime or None
        When it was handed in (UTC).
    scores : dict
        Points of each exercise; None where nothing could be decided.
    comments : dict
        Text beside each solution cell; None for none.
    """

    timestamp: datetime | None
    scores: dict[str, float | None]
    comments: dict[str, str | None]

    def covers(self, other: "Entry") -> bool:
        """Return whether nothing of another entry is missing here."""
        timestamps = (None, self.timestamp)
        return other.timestamp in timestamps and (self.scores, self.comments) == (other.scores, other.comments)


def entry_of(submission: Submission, records: Iterable[Record]) -> Entry:
    """Return what is to stand in the gradebook.

    Parameters
    ----------
    submission : Submission
    records : iterable of Record

    Returns
    -------
    Entry
    """
    assert submission.notebook is not None
    found = {record.exercise: record for record in records}
    comments = {}
    for cell in filter(is_solution, submission.notebook.cells):
        name = cell.metadata.nbgrader.grade_id
        untouched = cell.metadata.nbgrader.get("checksum") == compute_checksum(cell)
        comments[name] = NO_RESPONSE if untouched else diagnosis(found[name]) if name in found else None
    scores = {name: record.points for name, record in found.items()}
    return Entry(parse_utc(submission.timestamp or None), scores, comments)


def entries(db: Session) -> dict[tuple[str, str], Entry]:
    """Return what stands in a gradebook, by student and unit, in one query for each kind of cell."""
    found: dict[tuple[str, str], Entry] = {}
    for student, unit, cell, timestamp, score in _rows(db, Grade, SubmittedAssignment.timestamp, Grade.auto_score):
        entry = found.setdefault((student, unit), Entry(timestamp, {}, {}))
        if cell.startswith(CHECK):  # the others are for people to grade
            entry.scores[cell.removeprefix(CHECK)] = score
    for student, unit, cell, comment in _rows(db, Comment, Comment.auto_comment):
        found[student, unit].comments[cell] = comment
    return found


def _rows(db, kind, *columns):
    """Return student, unit, name of the cell and other columns of all rows of a kind."""
    query = db.query(SubmittedAssignment.student_id, Assignment.name, BaseCell.name, *columns).select_from(kind)
    query = query.join(kind.cell).join(kind.notebook).join(SubmittedNotebook.assignment)
    return query.join(SubmittedAssignment.assignment)


def diagnosis(record: Record) -> str:
    """Describe a record in one or two sentences of our own: the learner's text would be shown as HTML."""
    if record.points is None:
        return "Not graded: the grading itself failed here, which says nothing about the solution."
    score = f"{record.points:g} of {record.max_points:g} points: {record.status}."
    verdict = record.verdict if record.cause else None
    if verdict and verdict.cause:
        return f"{score} {of_cause(verdict.cause, verdict.exercise).in_words()}"
    failed = "; ".join(claim["name"] for claim in record.claims if not claim["passed"])
    return f"{score} Not yet: {failed}." if failed else score
