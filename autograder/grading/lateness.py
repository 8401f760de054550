"""What is taken from the points of a submission in the end, and added to them: by lateness, by a curve.

nbgrader has one number for that, its penalty for lateness. It is what lies between the sum of the cells and what
counts, and below 0 where a curve gives more than lateness costs: so nbgrader's own export says what all tables say.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from nbgrader.api import Assignment, SubmittedAssignment, SubmittedNotebook
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy.orm import Session
from traitlets.config import Config

from autograder.decisions.decided import Decisions

DIGITS = 6  # behind the point


@dataclass(frozen=True)
class Lateness:
    """How late a submission is.

    Attributes
    ----------
    seconds : float
        0 for one in time, and for one whose time is not known.
    due : datetime or None
        UTC, without a zone; with the student's extension.
    days : int
        That cost points, by the class's own rule.
    free_days : int
        Of the student's late days that it uses.
    """

    seconds: float = 0.0
    due: datetime | None = None
    days: int = 0
    free_days: int = 0


@dataclass(frozen=True)
class Entered:
    """A submission as the gradebook has it, with the sum of its cells and the points possible."""

    id: str  # of the notebook in it
    student: str
    unit: str
    timestamp: datetime | None
    due: datetime | None
    extension: timedelta | None
    score: float
    most: float
    penalty: float | None


def entered(db: Session, student: str | None = None) -> list[Entered]:
    """Return what the gradebook has, of everybody or of one student."""
    one = SubmittedAssignment
    times = one.timestamp, Assignment.duedate, one.extension
    points = one.score, one.max_score, SubmittedNotebook.late_submission_penalty
    query = db.query(SubmittedNotebook.id, one.student_id, Assignment.name, *times, *points)
    query = query.join(SubmittedNotebook.assignment).join(one.assignment)
    query = query if student is None else query.filter(one.student_id == student)
    return [Entered(*row) for row in query]


def latenesses(decisions: Decisions, found: Iterable[Entered]) -> dict[tuple[str, str], Lateness]:
    """Return how late submissions are, by student and unit.

    Parameters
    ----------
    decisions : Decisions
    found : iterable of Entered
        All of each student, since they share their late days.
    """
    told = {}
    left: dict[str, int] = defaultdict(lambda: decisions.late.late_days if decisions.late else 0)
    dated = [(_due(decisions, one), one) for one in found]
    for due, one in sorted(dated, key=lambda pair: (pair[1].student, pair[0] or datetime.max, pair[1].unit)):
        seconds = max(0.0, (one.timestamp - due).total_seconds()) if one.timestamp and due else 0.0
        counts = (one.student, one.unit) not in decisions.excused
        days = decisions.late.days(seconds) if decisions.late and counts else 0
        free = min(days, left[one.student])
        left[one.student] -= free
        told[one.student, one.unit] = Lateness(seconds, due, days - free, free)
    return told


def without_time(config: Config, decisions: Decisions, found: Iterable[Entered]) -> list[str]:
    """Say in sentences where lateness would cost something, and nothing tells when the work was handed in."""
    nbgraders = config.get("AssignLatePenalties", {}).get("plugin_class")
    by_method = config.get("LateSubmissionPlugin", {}).get("penalty_method", "none") != "none"
    if not (decisions.late or nbgraders or by_method):
        return []
    its = defaultdict(list)
    for one in found:
        if _due(decisions, one) and (one.student, one.unit) not in decisions.excused:
            its[one.unit].append(one.timestamp is None)
    return [
        f"{unit}: there is a due date, and of {sum(missing)} of {len(missing)} submissions no time is known, so these "
        "are not late. Moodle's grading worksheet has the times: name it with --roster. With Canvas, let the platform "
        "take the points."
        for unit, missing in sorted(its.items())
        if any(missing)
    ]


def _due(decisions, one):
    otherwise = one.due + one.extension if one.due and one.extension else one.due
    return decisions.due_for(one.student, one.unit, otherwise)


def raised_by(decisions: Decisions, unit: str, score: float, most: float) -> float:
    """Return the points that a curve adds to a submission's."""
    curve = decisions.of(unit).curve
    return round(curve.raised(score, most) - score, DIGITS) if curve else 0.0


def set_penalties(
    db: Session,
    config: Config,
    decisions: Decisions,
    outside: Mapping[tuple[str, str], float],
    student: str | None = None,
) -> None:
    """Enter, for all submissions or those of one student, what lies between the sum of their cells and what counts.

    Parameters
    ----------
    db : sqlalchemy.orm.Session
    config : traitlets.config.Config
        Of nbgrader, whose own rule for lateness holds where the class has none.
    decisions : Decisions
    outside : dict
        By student and unit, the points that people have given in exercises that are left out.
    student : str, optional
    """
    found = entered(db, student)
    late = latenesses(decisions, found)
    for one in found:
        beside = outside.get((one.student, one.unit), 0.0)
        score = one.score - beside
        gained = raised_by(decisions, one.unit, score, one.most)
        lost = _lost(config, decisions, one.student, score + gained, late[one.student, one.unit])
        penalty = round(beside + lost - gained, DIGITS)
        if penalty != (one.penalty or 0):
            change: dict[Any, Any] = {"late_submission_penalty": penalty or None}
            db.query(SubmittedNotebook).filter_by(id=one.id).update(change)
    db.commit()


def _lost(config, decisions, student, points, lateness):
    """Return what lateness costs, by the class's rule or else by nbgrader's plugin; never more than there is."""
    if decisions.late:
        return decisions.late.lost(points, lateness.days)
    if not lateness.seconds:
        return 0.0
    step = AssignLatePenalties(config=config)
    step.init_plugin()
    lost = step.plugin_inst.late_submission_penalty(student, points, lateness.seconds)
    return min(max(lost or 0.0, 0.0), points)
