"""What the records of a class say: points, how hard and how telling each exercise is, and which mistakes were made.

Pure functions of records. An internal error is never counted as 0 points, nor as anything else; a notebook that cannot
be read has 0 points in its unit, but says nothing about an exercise.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from scipy import stats

from autograder.exercise import Exercise, Mistake, Unit
from autograder.grading.record import STATUSES

FEWEST = 10  # students, for a correlation that is more than chance
BINS = 10  # of the distribution of points
GRADED, UNREADABLE, BY_HAND = "graded", "unreadable", "needs manual grade"
UNDONE, MISSING = "not graded yet", "not handed in"


@dataclass(frozen=True)
class Result:
    """What a student reached in a unit; points are None unless every exercise has its verdict."""

    student: str
    unit: str
    points: float | None
    max_points: float
    status: str


@dataclass(frozen=True)
class Count:
    """How many students something is true of, out of how many."""

    what: str | Mistake
    students: int
    of: int


@dataclass(frozen=True)
class UnitStatistics:
    """The points in a unit.

    Attributes
    ----------
    unit : Unit
    results : tuple of Result
        One for each student of the class, in the students' order.
    counts : tuple of int
        Students per tenth of the points: from 0 to below 10 %, and so on, the last one with 100 %.
    summary : dict
        Mean, lowest, lower quartile, median, upper quartile and highest points; empty without any.
    """

    unit: Unit
    results: tuple[Result, ...]
    counts: tuple[int, ...]
    summary: dict


@dataclass(frozen=True)
class ExerciseStatistics:
    """How one exercise went.

    Attributes
    ----------
    unit : Unit
    exercise : Exercise
    students : int
        Those whose function was judged.
    share : float or None
        Mean share of the points, the usual index of difficulty; None without students.
    discrimination : float or None
        Correlation (Pearson) of the points here with those in the rest of the unit, which is called the corrected
        item-total correlation.
    undefined : str
        Why there is no discrimination; empty if there is one.
    statuses : dict
        Number of students for every status that a record of the exercise has.
    claims : tuple of Count
        How many failed each claim, in their order.
    mistakes : tuple of Count
        How many made each known mistake, the most frequent first; none that nobody made.
    """

    unit: Unit
    exercise: Exercise
    students: int
    share: float | None
    discrimination: float | None
    undefined: str
    statuses: dict
    claims: tuple[Count, ...]
    mistakes: tuple[Count, ...]


@dataclass(frozen=True)
class ClassStatistics:
    """A class: its students, and its units and their exercises in the order of the course."""

    students: tuple[str, ...]
    units: tuple[UnitStatistics, ...]
    exercises: tuple[ExerciseStatistics, ...]

    @property
    def results(self):
        """For every student the results of all units."""
        return [[unit.results[number] for unit in self.units] for number in range(len(self.students))]

    @property
    def totals(self):
        """For every student the points over all units: what is missing is 0, what is not decided makes it None."""
        points = [[result.points for result in results] for results in self.results]
        return [None if None in reached else float(sum(reached)) for reached in points]


def of_class(records, submissions, units, students=()):
    """Compute the statistics of a class.

    Parameters
    ----------
    records : iterable of Record
        Those that hold now: one for each exercise of each submission.
    submissions : iterable of Submission
    units : sequence of Unit
        Of the course; those of which nothing was handed in are left out.
    students : iterable of str
        Ids of all who are in the class, if they are known; whoever handed in is added.

    Returns
    -------
    ClassStatistics
    """
    found = {(submission.student, submission.unit): {} for submission in submissions}
    for record in records:
        found.setdefault((record.student, record.unit), {})[record.exercise] = record
    students = tuple(sorted({*students, *(student for student, _ in found)}))
    units = [unit for unit in units if any(unit.id == handed_in for _, handed_in in found)]
    return ClassStatistics(
        students,
        tuple(
            _unit(unit, [_result(student, unit, found.get((student, unit.id))) for student in students])
            for unit in units
        ),
        tuple(statistics for unit in units for statistics in _exercises(unit, students, found)),
    )


def _result(student, unit, records):
    """Return the Result of one student; `records` is a dict by exercise, or None if nothing was handed in."""
    if records is None:
        return Result(student, unit.id, 0.0, unit.points, MISSING)
    if any(exercise.name not in records for exercise in unit.exercises):
        return Result(student, unit.id, None, unit.points, UNDONE)
    judged = [records[exercise.name] for exercise in unit.exercises]
    if any(record.points is None for record in judged):
        return Result(student, unit.id, None, unit.points, BY_HAND)
    status = UNREADABLE if any(record.status == "unreadable" for record in judged) else GRADED
    return Result(student, unit.id, float(sum(record.points for record in judged)), unit.points, status)


def _unit(unit, results):
    points = [result.points for result in results if result.status in (GRADED, UNREADABLE)]
    tenths = Counter(min(int(reached * BINS / unit.points + 1e-9), BINS - 1) for reached in points)
    summary = {}
    if points:
        names = ("lowest", "lower quartile", "median", "upper quartile", "highest")
        quantiles = np.quantile(points, (0, 0.25, 0.5, 0.75, 1))
        summary = {"mean": float(np.mean(points)), **dict(zip(names, quantiles.tolist(), strict=True))}
    return UnitStatistics(unit, tuple(results), tuple(tenths[n] for n in range(BINS)), summary)


def _exercises(unit, students, found):
    """Yield the statistics of a unit's exercises."""
    rows = [found.get((student, unit.id), {}) for student in students]
    judged = [{name: record for name, record in row.items() if _is_judged(record)} for row in rows]
    names = [exercise.name for exercise in unit.exercises]
    points = np.array([[row[name].points for name in names] for row in judged if all(name in row for name in names)])
    for number, exercise in enumerate(unit.exercises):
        records = [row[exercise.name] for row in judged if exercise.name in row]
        share = float(np.mean([record.points for record in records])) / exercise.points if records else None
        statuses = Counter(row[exercise.name].status for row in rows if exercise.name in row)
        told = discrimination(points, number)
        yield ExerciseStatistics(
            unit,
            exercise,
            len(records),
            share,
            *told,
            {status: statuses[status] for status in STATUSES if statuses[status]},
            _claims(exercise, records),
            _mistakes(exercise, records),
        )


def _is_judged(record):
    return record.points is not None and record.status != "unreadable"


def discrimination(points, number):
    """Return how well an exercise tells apart those who do well and badly in the rest of the unit.

    Parameters
    ----------
    points : ndarray of shape (n_students, n_exercises)
    number : int
        Of the exercise.

    Returns
    -------
    float or None
        From -1 to 1; an exercise that tells them apart has more than about 0.3.
    str
        Why it is not defined; empty if it is.
    """
    if len(points) < FEWEST:
        return None, f"fewer than {FEWEST} students"
    if points.shape[1] == 1:
        return None, "no other exercise in the unit"
    own, rest = points[:, number], np.delete(points, number, axis=1).sum(axis=1)
    for values, where in ((own, "here"), (rest, "in the rest of the unit")):
        if np.ptp(values) < 1e-9:
            return None, f"all have the same points {where}"
    return float(stats.pearsonr(own, rest).statistic), ""


def _claims(exercise, records):
    told = [claim for record in records for claim in record.claims]
    failed = Counter(claim["name"] for claim in told if not claim["passed"])
    return tuple(Count(claim.name, failed[claim.name], len(records)) for claim in exercise.claims)


def _mistakes(exercise, records):
    """Count in how many records a mistake is named, be it for the whole function or for one claim only."""
    counts = Counter(
        mistake
        for record in records
        for mistake in {record.mistake, *(claim["mistake"] for claim in record.claims)} - {None}
    )
    known = [Count(mistake, counts[mistake.id], len(records)) for mistake in exercise.mistakes if counts[mistake.id]]
    return tuple(sorted(known, key=lambda count: -count.students))
