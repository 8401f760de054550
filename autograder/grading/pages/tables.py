"""The tables of a class as CSV files, in which a spreadsheet finds no formula that a student wrote."""

import csv
import io
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from autograder.grading.pages.frame import visible
from autograder.grading.pages.result import BY_HAND, GRADED
from autograder.grading.pages.review import ReviewFlag, hints
from autograder.grading.pages.similarity import Group
from autograder.grading.pages.statistics import ClassStatistics, Count, ExerciseStatistics
from autograder.specification import Mistake

if TYPE_CHECKING:  # they import this module
    from autograder.grading.pages.term import UnitInTerm
    from autograder.grading.persons import Persons

Row = Sequence[str | float | None]  # None for an empty cell

WEIGHTED = "weighted percent"
MAX_LENGTH = 300  # characters of a text that others made
FORMULA = (*"=+-@", *"\uff1d\uff0b\uff0d\uff20")  # the same four, wide
REACHED = ("mean percent", "discrimination", "why no discrimination", "all points", "not written")
EXERCISES = ("unit", "exercise", "max points", "judged", *REACHED, "claim that failed most", "failed by", "hints")
MISTAKES = ("unit", "exercise", "mistake", "students", "of", "what", "why", "where to read again", "who")
TERM = ("unit", "section", "students", "handed in", "mean percent", "exercise", "most frequent mistake", "made by")
REVIEW = ("student", "name", "unit", "reason", "exercises", "detail", "ticked off", "mark")
SIMILAR = ("group", "unit", "student", "other student", "percent alike", "exercises", "uncommon words", "uncommon code")


def as_csv(rows: Iterable[Row]) -> str:
    """Return rows as the text of a CSV file; what a spreadsheet would take for a formula begins with an apostrophe."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([_safe(value) for value in row] for row in rows)
    return text.getvalue()


def _safe(value):
    if value is None:
        return ""
    if not isinstance(value, str):
        return round(value, 4)
    text = one_line(value).replace(";", ",")  # in many countries it separates columns
    return f"'{text}" if text.startswith(FORMULA) else text


def one_line(text: str, max_length: int = MAX_LENGTH) -> str:
    """Return a text that others made as one line of limited length, without characters that cannot be seen."""
    text = visible(" ".join(text.split()))
    return text if len(text) <= max_length else text[: max_length - 1] + "…"


def grades(
    statistics: ClassStatistics,
    sections: Mapping[str, str] | None = None,
    persons: "Persons | None" = None,
) -> list[Row]:
    """Return one row per student: points of every unit and in total, then the maximum points.

    The points of a unit are empty while one of its exercises has no verdict, and where nothing counts: not due,
    excused, or missing and left blank. The maximum of the total is that of the units that count for the student. Where
    units have weights, there is a column with the weighted mean of the percents.

    Parameters
    ----------
    statistics : ClassStatistics
    sections : dict, optional
        By student, the section; there is a column of them if somebody is in one.
    persons : Persons, optional
        Of the class; there are columns of names and of addresses if somebody has one.
    """
    sections, weights = sections or {}, statistics.decisions.weights
    who = _who(statistics.students, sections, persons)
    names = [one.unit.id for one in statistics.units]
    head = ["student", *who]
    rows: list[Row] = [
        [
            *head,
            *names,
            "total",
            *(f"max {name}" for name in names),
            "max total",
            *([WEIGHTED] if weights else []),
            "status",
        ]
    ]
    possible = [one.most for one in statistics.units]
    for student, results, total in zip(statistics.students, statistics.results, statistics.totals, strict=True):
        counting = statistics.counting(results)
        weighted = [_weighted(counting, weights)] if weights else []
        most = sum(result.max_points for result in counting)
        person = [student, *(column[student] for column in who.values())]
        points = *(result.points for result in results), total, *possible, most
        rows.append([*person, *points, *weighted, _status(results, counting)])
    return rows


def _who(students, sections, persons):
    """Return by its heading each column that says who somebody is, by student, if it says anything of anybody."""
    columns = {"section": {student: sections.get(student, "") for student in students}}
    if persons:
        known = {student: persons.of(student) for student in students}
        names = {student: "" if one.name == student else one.name for student, one in known.items()}
        columns = {"name": names, "email": {student: one.email for student, one in known.items()}} | columns
    return {heading: column for heading, column in columns.items() if any(column.values())}


def _weighted(results, weights):
    """Return the mean of somebody's percents, each unit with its weight; None where something is not decided yet."""
    counted = [(weights.get(result.unit, 0), result) for result in results if weights.get(result.unit)]
    if not counted or any(result.points is None for _, result in counted):
        return None
    reached = sum(weight * result.points / result.max_points for weight, result in counted)
    return 100 * reached / sum(weight for weight, _ in counted)


def _status(results, counting):
    """Say what is to be known of somebody's results beside the points."""
    told = []
    for result in results:
        dropped = "dropped" if result.counts and result not in counting else ""
        says_enough = result.status == GRADED or (not result.handed_in and result.words)
        waits = BY_HAND if result.waits and result.status != BY_HAND else ""
        words = "" if says_enough else result.status, result.words, waits, dropped
        told += [f"{result.unit}: {text}" for text in words if text]
    return ", ".join(told) or GRADED


def exercises(statistics: ClassStatistics) -> list[Row]:
    """Return one row per exercise, the hardest first."""
    rows: list[Row] = [EXERCISES]
    for one in by_difficulty(statistics.exercises):
        worst = max(one.claims, key=lambda count: count.students)
        reached = percent(one.share), one.discrimination, one.undefined
        counts = one.statuses.get("correct", 0), one.statuses.get("not written", 0)
        failed = worst.what if worst.students else "", worst.students
        exercise = one.unit.id, one.exercise.name, one.exercise.points, one.students
        rows.append((*exercise, *reached, *counts, *failed, ", ".join(hints(one))))
    return rows


def by_difficulty(exercises: Iterable[ExerciseStatistics]) -> list[ExerciseStatistics]:
    """Sort statistics of exercises, the hardest first; those that nobody handed in come last."""
    return sorted(exercises, key=lambda one: (one.share is None, one.share or 0))


def percent(share: float | None) -> float | None:
    """Return a share in percent, None as it is."""
    return None if share is None else 100 * share


def mistakes(statistics: ClassStatistics, persons: "Persons | None" = None) -> list[Row]:
    """Return one row per mistake that somebody made, the most frequent first; with the names of those who made it."""
    rows: list[Row] = [MISTAKES]
    for one, count in by_frequency(statistics.exercises):
        known = count.what
        described = known.id, count.students, count.of, known.name, known.why, known.where
        rows.append((one.unit.id, one.exercise.name, *described, ", ".join(_called(count.who, persons))))
    return rows


def by_frequency(exercises: Iterable[ExerciseStatistics]) -> list[tuple[ExerciseStatistics, Count[Mistake]]]:
    """Return pairs of an exercise's statistics and the count of one of its mistakes, the most frequent first."""
    pairs = [(one, count) for one in exercises for count in one.mistakes]
    return sorted(pairs, key=lambda pair: -pair[1].students)


def term(units: Iterable["UnitInTerm"]) -> list[Row]:
    """Return one row per unit of a term for the class, whose section is empty, and one for each section."""
    rows: list[Row] = [TERM]
    for one in units:
        made = {"": one.mistake.students if one.mistake else None, **dict(one.made)}
        told = (one.exercise, one.mistake.what.name) if one.mistake else ("", "")
        for its in one.shares:
            counts = its.section, its.members, its.handed_in, percent(its.share)
            number = made.get(its.section, 0) if one.mistake else None
            rows.append((one.statistics.unit.id, *counts, *told, number))
    return rows


def review(
    flags: Iterable[ReviewFlag], persons: "Persons | None" = None, ticked: Container[str] = ()
) -> list[Row]:
    """Return one row per reason to review a submission; `ticked` has the marks of those that somebody has seen to."""
    rows: list[Row] = [REVIEW]
    for flag in flags:
        [name] = _called([flag.student], persons)
        seen_to = "yes" if flag.mark in ticked else "no"
        about = flag.student, name, flag.unit, flag.kind, ", ".join(flag.exercises), flag.detail
        rows.append((*about, seen_to, flag.mark))
    return rows


def _called(students, persons):
    """Return how students are called in lists."""
    return [persons.called(student) if persons else student for student in students]


def similar(groups: Iterable[Group]) -> list[Row]:
    """Return one row per pair of submissions that are much alike."""
    rows: list[Row] = [SIMILAR]
    for number, group in enumerate(groups, start=1):
        for pair in group.pairs:
            shared = ", ".join(pair.exercises), " ".join(pair.words), " | ".join(pair.statements)
            rows.append((number, pair.unit, pair.first, pair.second, percent(pair.structure), *shared))
    return rows
