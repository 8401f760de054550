"""What counts in the end: the judge's points with what people have given beside them, less what lateness costs."""

from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from nbgrader.api import Assignment, BaseCell, Comment, Grade, SubmittedAssignment, SubmittedNotebook
from sqlalchemy.orm import Session

from autograder.course import CHECK
from autograder.decisions.decided import Decisions
from autograder.grading.lateness import DIGITS, entered, latenesses, raised_by

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
    raised : float
        What a curve adds, which is among the points.
    seconds_late : float
    late_days : int
        Of the student's late days that it uses.
    due : datetime or None
        UTC, without a zone; with the student's extension.
    waits : bool
        Whether a person still has to grade something.
    excused : bool
        Whether the unit does not count for this student.
    by_hand, extra : dict
        By exercise, the points that a person has given in place of the judge's, and beside them.
    answers : dict of Answer
        By cell that only people grade.
    comments : dict
        By solution cell, what a person has written.
    """

    points: float
    lost: float = 0.0
    raised: float = 0.0
    seconds_late: float = 0.0
    late_days: int = 0
    due: datetime | None = None
    waits: bool = False
    excused: bool = False
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
        days = f"{self.late_days} late day{'' if self.late_days == 1 else 's'}"
        uses = f"uses {days} and " if self.late_days else ""
        return f"{_duration(self.seconds_late)} late, which {uses}{costs}"

    def plain(self) -> dict[str, Any]:
        """Return it in plain values, as JSON keeps them."""
        return asdict(self) | {"due": self.due and self.due.isoformat()}


def finals(
    db: Session, decisions: Decisions, student: str | None = None, unit: str | None = None
) -> dict[tuple[str, str], Final]:
    """Return what counts of everybody's submissions, or of those of one student or unit.

    Parameters
    ----------
    db : sqlalchemy.orm.Session
        Of nbgrader's gradebook, in which `set_penalties` has entered what lies between sums and points.
    decisions : Decisions
    student, unit : str, optional

    Returns
    -------
    dict of Final
        By student and unit.
    """
    people = _people(db, decisions, student, unit)
    waiting = db.query(SubmittedAssignment.student_id, Assignment.name, SubmittedAssignment.needs_manual_grade)
    waits = {(who, what): its for who, what, its in _only(waiting.join(SubmittedAssignment.assignment), student, unit)}
    found = entered(db, student)
    late = latenesses(decisions, found)
    outside = outside_points(db, decisions)
    told = {}
    for one in found:
        key = one.student, one.unit
        if key in waits:
            beside = outside.get(key, 0.0)
            raised = raised_by(decisions, one.unit, one.score - beside, one.most)
            lost = round((one.penalty or 0) - beside + raised, DIGITS)
            its = late[key].seconds, late[key].free_days, late[key].due
            points = max(0.0, round(one.score - (one.penalty or 0), DIGITS))
            states = waits[key], key in decisions.excused
            told[key] = Final(points, lost, raised, *its, *states, **people.get(key, {}))
    return told


def outside_points(db: Session, decisions: Decisions) -> dict[tuple[str, str], float]:
    """Return by student and unit the points that people have given in exercises that are left out."""
    if not any(its.without for its in decisions.units.values()):
        return {}
    given: dict[tuple[str, str], float] = {}
    for who, what, cell, score in _by_people(db, Grade, Grade.score).filter(Grade.score != 0):
        if cell.removeprefix(CHECK) in decisions.of(what).without:
            given[who, what] = given.get((who, what), 0.0) + score
    return given


def _people(db, decisions, student, unit):
    """Return by student and unit what people have decided, but in exercises that are left out."""
    people = {}
    judged = BaseCell.name.startswith(CHECK, autoescape=True)
    for kind, column in (("by_hand", Grade.manual_score), ("extra", Grade.extra_credit)):
        _gather(people, kind, _by_people(db, Grade, column).filter(column.is_not(None), judged), student, unit)
    answers = _by_people(db, Grade, Grade.score, Grade.max_score, Grade.needs_manual_grade, Grade.manual_score)
    for who, what, cell, score, most, waits, given in _only(answers.filter(~judged), student, unit):
        answer = Answer(None if waits and given is None else score, most)
        people.setdefault((who, what), {}).setdefault("answers", {})[cell] = answer
    comments = _by_people(db, Comment, Comment.manual_comment).filter(Comment.manual_comment != "")
    _gather(people, "comments", comments, student, unit)
    for (_, what), kinds in people.items():
        for kind in ("by_hand", "extra"):
            if kind in kinds:
                without = decisions.of(what).without
                kinds[kind] = {name: its for name, its in kinds[kind].items() if name not in without}
    return people


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


def _duration(seconds):
    """Say how long something took, in its two largest units, such as "2 hours 5 minutes"."""
    parts = []
    left = round(seconds) or 1
    for name, size in UNITS:
        count, left = divmod(left, size)
        parts.append(f"{count} {name}{'' if count == 1 else 's'}" if count else "")
    first = next(place for place, part in enumerate(parts) if part)
    return " ".join(filter(None, parts[first : first + 2]))
