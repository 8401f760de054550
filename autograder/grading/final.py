"""What counts in the end: the judge's points with what people have given beside them, less what lateness costs."""

from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

from nbgrader.api import Assignment, BaseCell, Comment, Grade, SubmittedAssignment, SubmittedNotebook
from sqlalchemy.orm import Session

CHECK = "check-"  # of the grade ids of the cells that the judge grades; their solution cells have the name alone
UNITS = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))


@dataclass(frozen=True)
class Answer:
    """Somebody's points in a cell that only people grade, None while nobody has read it, and how many there are."""

    points: float | None
    most: float


@dataclass(frozen=True)
class Final:
    """What the gradebook says of one submission.

    Attributes
    ----------
    points : float
        What counts; never less than 0, as nbgrader exports it.
    lost : float
        What lateness costs of them.
    seconds_late : float
    due : datetime or None
        UTC, without a zone; with the student's extension.
    waits : bool
        Whether a person still has to grade something.
    by_hand, extra : dict
        By exercise, the points that a person has given in place of the judge's, and beside them.
    answers : dict of Answer
        By cell that only people grade.
    comments : dict
        By solution cell, what a person has written.
    """

    points: float
    lost: float = 0.0
    seconds_late: float = 0.0
    due: datetime | None = None
    waits: bool = False
    by_hand: dict[str, float] = field(default_factory=dict)
    extra: dict[str, float] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)

    @property
    def lateness(self) -> str:
        """How late it is and what that costs, in words; empty if it came in time."""
        if not self.seconds_late:
            return ""
        costs = f"costs {self.lost:g} point{'' if self.lost == 1 else 's'}" if self.lost else "costs nothing"
        return f"{_duration(self.seconds_late)} late, which {costs}"

    def plain(self) -> dict[str, Any]:
        """Return it in plain values, as JSON keeps them."""
        return asdict(self) | {"due": self.due and self.due.isoformat()}


def finals(db: Session, student: str | None = None, unit: str | None = None) -> dict[tuple[str, str], Final]:
    """Return what counts of everybody's submissions, or of those of one student or unit.

    Parameters
    ----------
    db : sqlalchemy.orm.Session
        Of nbgrader's gradebook.
    student, unit : str, optional

    Returns
    -------
    dict of Final
        By student and unit.
    """
    submitted = SubmittedAssignment
    lost = SubmittedAssignment.late_submission_penalty
    times = submitted.timestamp, Assignment.duedate, submitted.extension
    columns = submitted.student_id, Assignment.name, submitted.score, lost, submitted.needs_manual_grade, *times
    query = _only(db.query(*columns).join(submitted.assignment), student, unit)
    people: dict[tuple[str, str], dict[str, Any]] = {}
    judged = BaseCell.name.startswith(CHECK, autoescape=True)
    for kind, column in (("by_hand", Grade.manual_score), ("extra", Grade.extra_credit)):
        _gather(people, kind, _by_people(db, Grade, column).filter(column.is_not(None), judged), student, unit)
    answers = _by_people(db, Grade, Grade.score, Grade.max_score, Grade.needs_manual_grade, Grade.manual_score)
    for who, what, cell, score, most, waits, given in _only(answers.filter(~judged), student, unit):
        answer = Answer(None if waits and given is None else score, most)
        people.setdefault((who, what), {}).setdefault("answers", {})[cell] = answer
    comments = _by_people(db, Comment, Comment.manual_comment).filter(Comment.manual_comment != "")
    _gather(people, "comments", comments, student, unit)
    return {
        (who, what): Final(max(0.0, score - costs), costs, *_late(*time), waits, **people.get((who, what), {}))
        for who, what, score, costs, waits, *time in query
    }


def _only(query, student, unit):
    """Leave of a query what is of a student or unit."""
    wanted = ((SubmittedAssignment.student_id, student), (Assignment.name, unit))
    return query.filter(*(column == value for column, value in wanted if value is not None))


def _by_people(db, kind, *values):
    columns = SubmittedAssignment.student_id, Assignment.name, BaseCell.name, *values
    query = db.query(*columns).select_from(kind).join(kind.cell).join(kind.notebook)
    return query.join(SubmittedNotebook.assignment).join(SubmittedAssignment.assignment)


def _gather(people, kind, query, student, unit):
    for who, what, cell, value in _only(query, student, unit):
        if value or kind == "by_hand":
            people.setdefault((who, what), {}).setdefault(kind, {})[cell.removeprefix(CHECK)] = value


def _late(
    timestamp: datetime | None, due: datetime | None, extension: timedelta | None
) -> tuple[float, datetime | None]:
    """Return how many seconds something is late, and when it was due."""
    due = due + extension if due and extension else due
    return max(0.0, (timestamp - due).total_seconds()) if timestamp and due else 0.0, due


def _duration(seconds):
    """Say how long something took, in its two largest units, such as "2 hours 5 minutes"."""
    parts = []
    left = round(seconds) or 1
    for name, size in UNITS:
        count, left = divmod(left, size)
        parts.append(f"{count} {name}{'' if count == 1 else 's'}" if count else "")
    first = next(place for place, part in enumerate(parts) if part)
    return " ".join(filter(None, parts[first : first + 2]))
