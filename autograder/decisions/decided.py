"""What an instructor has decided: which exercises count and how much, when units are due, what is forgiven."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo

DAY = 86400  # seconds
EXCUSED, NOT_DUE, MISSING, LEFT = "excused", "not due", "nothing handed in", "left"
EVERYBODY, HANDED_IN = "everybody", "whoever handed in"


def present() -> datetime:
    """Return the present time in UTC, without a zone, as nbgrader keeps times."""
    return datetime.now(UTC).replace(tzinfo=None)


@dataclass(frozen=True)
class Curve:
    """What raises the points of everybody who has handed in a unit, at most to all of them."""

    times: float = 1
    add: float = 0

    def raised(self, points: float, most: float) -> float:
        """Return what points become."""
        return max(points, min(most, self.times * points + self.add))


@dataclass(frozen=True)
class Late:
    """What lateness costs in a class.

    Attributes
    ----------
    percent_per_day : float
        Of the points that were reached, for every day that has begun.
    grace_minutes : float
        After the due date, in which nothing is lost.
    late_days : int
        That everybody may be late in all, without a loss; they are used up in the order in which units are due.
    """

    percent_per_day: float
    grace_minutes: float = 0
    late_days: int = 0

    def days(self, seconds: float) -> int:
        """Return how many days have begun."""
        return max(0, math.ceil((seconds - 60 * self.grace_minutes) / DAY))

    def lost(self, points: float, days: int) -> float:
        """Return the points that so many days cost."""
        return points * min(days * self.percent_per_day / 100, 1)


@dataclass(frozen=True)
class Adjustment:
    """A claim of an exercise that counts for everybody, or for whoever has handed in the unit, since it was wrong."""

    exercise: str
    claim: str
    give: str


@dataclass(frozen=True)
class OfUnit:
    """What is decided on one unit.

    Attributes
    ----------
    due : datetime or None
        UTC, without a zone, as nbgrader keeps it.
    zone : tzinfo
        In which the date is given, and in which platforms are taken to write theirs.
    weight : float or None
    solutions : datetime or None
        The time (with its zone) from which `solution` shows learners how the course does it; None for never.
    hints : bool or datetime
        Whether `hint` opens hints, or from when on.
    without : tuple of str
        Names of the exercises that do not count.
    points : dict
        By name of an exercise, its points in place of the course's.
    curve : Curve or None
    exam : bool
        Whether `check` keeps to itself what is right.
    """

    due: datetime | None = None
    zone: tzinfo = UTC
    weight: float | None = None
    solutions: datetime | None = None
    hints: bool | datetime = True
    without: tuple[str, ...] = ()
    points: Mapping[str, float] = field(default_factory=dict)
    curve: Curve | None = None
    exam: bool = False


@dataclass(frozen=True)
class Decisions:
    """All that a class has decided; without a file, nothing.

    Attributes
    ----------
    units : dict of OfUnit
        By id.
    late : Late or None
        None leaves lateness to nbgrader's settings.
    blank : bool
        Whether what is missing after its due date is left blank, and not 0.
    drop_lowest : int
        How many units, the lowest of each student, count in no sum.
    extensions : dict
        By student and unit, when it is due for that student (UTC, without a zone).
    excused : dict
        By student and unit, why; perhaps an empty text.
    adjustments : tuple of Adjustment
    left : dict
        By student, since when they are no longer in the course (UTC, without a zone).
    asked : datetime
        The time (UTC, without a zone) at which the decisions were read, which tells what is due.
    """

    units: Mapping[str, OfUnit] = field(default_factory=dict)
    late: Late | None = None
    blank: bool = False
    drop_lowest: int = 0
    extensions: Mapping[tuple[str, str], datetime] = field(default_factory=dict)
    excused: Mapping[tuple[str, str], str] = field(default_factory=dict)
    adjustments: tuple[Adjustment, ...] = ()
    left: Mapping[str, datetime] = field(default_factory=dict)
    asked: datetime = field(default_factory=present, compare=False)

    def of(self, unit: str) -> OfUnit:
        """Return what is decided on the unit with this id."""
        return self.units.get(unit, OfUnit())

    @property
    def due(self) -> dict[str, datetime]:
        """By id of the unit, when it is due."""
        return {unit: its.due for unit, its in self.units.items() if its.due}

    @property
    def weights(self) -> dict[str, float]:
        """By id of the unit, its weight."""
        return {unit: its.weight for unit, its in self.units.items() if its.weight is not None}

    @property
    def solutions(self) -> dict[str, datetime]:
        """By id of the unit, when its solutions open."""
        return {unit: its.solutions for unit, its in self.units.items() if its.solutions}

    def due_for(self, student: str, unit: str, otherwise: datetime | None = None) -> datetime | None:
        """Return when a unit is due for a student; `otherwise` is what the gradebook says."""
        return self.extensions.get((student, unit)) or otherwise or self.of(unit).due

    def has_left(self, student: str) -> bool:
        """Return whether a student is no longer in the course: nothing more is asked of them."""
        return student in self.left and self.left[student] <= self.asked

    def absence(self, student: str, unit: str) -> str:
        """Return the state of somebody of whom there is no notebook: excused, left, not due, or nothing handed in."""
        if (student, unit) in self.excused:
            return EXCUSED
        if self.has_left(student):
            return LEFT
        due = self.due_for(student, unit)
        return NOT_DUE if due and self.asked <= due else MISSING

    def with_due(self, known: Mapping[str, datetime | None]) -> "Decisions":
        """Return the same with the dates of a gradebook for units on which nothing is said here."""
        dated = {unit: replace(self.of(unit), due=due) for unit, due in known.items() if due and not self.of(unit).due}
        return replace(self, units={**self.units, **dated})

    def renamed(self, names: Mapping[str, str]) -> "Decisions":
        """Return the same with other ids of the students; whoever has none is left out."""

        def of(its):
            return {(names[student], unit): value for (student, unit), value in its.items() if student in names}

        left = {names[student]: since for student, since in self.left.items() if student in names}
        return replace(self, extensions=of(self.extensions), excused=of(self.excused), left=left)

