"""What stands in the gradebook of one submission, apart from all that people have added."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from nbgrader.utils import compute_checksum, is_solution, parse_utc

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
