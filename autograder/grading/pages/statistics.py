"""What the records of a class say: points, difficulty and discrimination of each exercise, and the mistakes made.

Pure functions of records. An internal error is never counted as 0 points, nor as anything else; a notebook that cannot
be read has 0 points in its unit, but says nothing about an exercise.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from autograder.decisions.decided import Decisions
from autograder.grading.final import Final
from autograder.grading.intake.submission import Submission
from autograder.grading.pages.discrimination import discrimination
from autograder.grading.pages.result import GRADED, UNREADABLE, Result, of_a_notebook, without_a_notebook
from autograder.grading.verdicts.record import STATUSES, Record
from autograder.specification import Exercise, Mistake, Unit

BINS = 10  # of the distribution of points
_What = TypeVar("_What", str, Mistake)


@dataclass(frozen=True)
class Count(Generic[_What]):
    """How many students something is true of, out of how many; of a mistake also who they are."""

    what: _What
    students: int
    of: int
    who: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class UnitStatistics:
    """The points in a unit.

    Attributes
    ----------
    unit : Unit
    most : float
        Points possible, those for answers that people grade among them.
    results : tuple of Result
        One for each student of the class, in the students' order.
    counts : tuple of int
        Students per tenth of the points: from 0 to below 10 %, and so on, the last one with 100 %.
    summary : dict
        Mean, lowest, lower quartile, median, upper quartile and highest points; empty without any.
    """

    unit: Unit
    most: float
    results: tuple[Result, ...]
    counts: tuple[int, ...]
    summary: dict[str, float]


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
    statuses: dict[str, int]
    claims: tuple[Count[str], ...]
    mistakes: tuple[Count[Mistake], ...]


@dataclass(frozen=True)
class ClassStatistics:
    """A class: its students, and its units and their exercises in the order of the course.

    Who has left is among the students, with what was handed in, and in nothing that is counted of the class.
    """

    students: tuple[str, ...]
    units: tuple[UnitStatistics, ...]
    exercises: tuple[ExerciseStatistics, ...]
    decisions: Decisions = field(default_factory=Decisions)

    @property
    def results(self) -> list[list[Result]]:
        """For every student the results of all units."""
        return [[unit.results[number] for unit in self.units] for number in range(len(self.students))]

    @property
    def totals(self) -> list[float | None]:
        """For every student the points over all units that count: anything undecided makes it None."""
        points = [[result.points for result in self.counting(results)] for results in self.results]
        return [None if None in reached else float(sum(filter(None, reached))) for reached in points]

    def counting(self, results: Iterable[Result]) -> list[Result]:
        """Return those of a student's results that count in sums, without the lowest ones that are dropped."""
        counting = [result for result in results if result.counts]
        weights = self.decisions.weights
        known = [one for one in counting if one.points is not None and (weights.get(one.unit) or not weights)]
        n_dropped = min(self.decisions.drop_lowest, max(0, len(known) - 1))
        dropped = sorted(known, key=lambda one: (one.points or 0) / one.max_points)[:n_dropped]
        return [one for one in counting if one not in dropped]


def of_class(
    records: Iterable[Record],
    submissions: Iterable[Submission],
    units: Sequence[Unit],
    students: Iterable[str] = (),
    nothing: Mapping[str, Mapping[str, str]] | None = None,
    finals: Mapping[tuple[str, str], Final] | None = None,
    decisions: Decisions | None = None,
) -> ClassStatistics:
    """Compute the statistics of a class.

    Parameters
    ----------
    records : iterable of Record
        Those that hold now: one for each exercise of each submission.
    submissions : iterable of Submission
    units : sequence of Unit
        Of the course, as they count in the class; those of which no notebook was handed in are left out.
    students : iterable of str
        Ids of all who are in the class, if they are known; whoever handed in is added.
    nothing : dict, optional
        By student and unit, what there was in the place of a notebook, in words; where the unit is unknown, and empty,
        it may be that of any notebook that is missing.
    finals : dict of Final, optional
        By student and unit, what counts in the end: the points of students and units, not those of single exercises.
    decisions : Decisions, optional
        Of the class.

    Returns
    -------
    ClassStatistics
    """
    found: dict[tuple[str, str], dict[str, Record]] = {(one.student, one.unit): {} for one in submissions}
    for record in records:
        found.setdefault((record.student, record.unit), {})[record.exercise] = record
    nothing, finals, decisions = nothing or {}, finals or {}, decisions or Decisions()
    everybody = tuple(sorted({*students, *nothing, *(student for student, _ in found)}))
    known = {handed_in for _, handed_in in found}  # a folder without a notebook does not make a unit everybody's
    units = [unit for unit in units if unit.id in known]
    answers = {unit: sum(answer.most for answer in final.answers.values()) for (_, unit), final in finals.items()}
    most = {unit.id: unit.points + answers.get(unit.id, 0) for unit in units}

    def result(student, unit):
        places = nothing.get(student, {})
        words = places.get(unit.id) or places.get("", "")
        key = student, unit.id
        if key not in found or key in decisions.excused:
            return without_a_notebook(student, unit, most[unit.id], words, key in found, decisions)
        return of_a_notebook(student, unit, most[unit.id], found[key], finals.get(key))

    here = tuple(student for student in everybody if not decisions.has_left(student))
    return ClassStatistics(
        everybody,
        tuple(_unit(unit, most[unit.id], [result(student, unit) for student in everybody], here) for unit in units),
        tuple(statistics for unit in units for statistics in _exercises(unit, here, found)),
        decisions,
    )


def _unit(unit, most, results, here):
    """Return the statistics of a unit, in which only the points of those who are `here` count."""
    known = [result for result in results if result.status in (GRADED, UNREADABLE)]
    points = [result.points for result in known if result.student in here]
    tenths = Counter(min(max(int(reached * BINS / most + 1e-9), 0), BINS - 1) for reached in points)
    summary = {}
    if points:
        names = ("lowest", "lower quartile", "median", "upper quartile", "highest")
        quantiles = np.quantile(points, (0, 0.25, 0.5, 0.75, 1))
        summary = {"mean": float(np.mean(points)), **dict(zip(names, quantiles.tolist(), strict=True))}
    return UnitStatistics(unit, most, tuple(results), tuple(tenths[n] for n in range(BINS)), summary)


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
        correlation, undefined = discrimination(points, number)
        yield ExerciseStatistics(
            unit,
            exercise,
            len(records),
            share,
            correlation,
            undefined,
            {status: statuses[status] for status in STATUSES if statuses[status]},
            _claims(exercise, records),
            _mistakes(exercise, records),
        )


def _is_judged(record):
    return record.points is not None and record.status != "unreadable"


def _claims(exercise, records):
    results = [claim for record in records for claim in record.claims]
    failed = Counter(result["name"] for result in results if not result["passed"])
    return tuple(Count(claim.name, failed[claim.name], len(records)) for claim in exercise.claims)


def _mistakes(exercise, records):
    """Count in how many records a mistake of the exercise itself is named."""
    made = defaultdict(list)
    for record in records:
        cause = record.cause or {"inside": (), "mistakes": ()}
        for inside, id in zip(cause["inside"], cause["mistakes"], strict=True):
            if not inside:
                made[id].append(record.student)
    known = [(mistake, made[mistake.id]) for mistake in exercise.mistakes if mistake.id in made]
    counts = [Count(mistake, len(who), len(records), tuple(sorted(who))) for mistake, who in known]
    return tuple(sorted(counts, key=lambda count: -count.students))
