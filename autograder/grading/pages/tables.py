"""The tables of a class as CSV files, which a spreadsheet can open without computing what a student wrote."""

import csv
import io

from autograder.grading.pages.look import hints
from autograder.grading.pages.statistics import BY_HAND, GRADED

LONGEST = 300  # characters of a text that others made
FORMULA = (*"=+-@", *"\uff1d\uff0b\uff0d\uff20")  # the same four, wide
REACHED = ("mean percent", "discrimination", "why no discrimination", "all points", "not written")
EXERCISES = ("unit", "exercise", "max points", "judged", *REACHED, "claim that failed most", "failed by", "hints")
MISTAKES = ("unit", "exercise", "mistake", "students", "of", "what", "why", "where to read again")
LOOKS = ("student", "unit", "reason", "exercises", "detail")
SIMILAR = ("group", "unit", "student", "other student", "percent alike", "exercises", "uncommon words", "uncommon code")


def as_csv(rows):
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


def one_line(text, longest=LONGEST):
    """Return a text that others made as one line of limited length, without characters that cannot be seen."""
    text = visible(" ".join(text.split()))
    return text if len(text) <= longest else text[: longest - 1] + "…"


def visible(text):
    """Put a sign in the place of every character that cannot be seen, such as those that turn the text around them."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def grades(statistics, entered):
    """Return one row per student: points of every unit and in total, then the points there are to get.

    The points of a unit are empty while one of its exercises has no verdict.

    Parameters
    ----------
    statistics : ClassStatistics
    entered : dict
        By student and unit, what counts in the end (with what people gave, less what lateness costs), and whether a
        person still has to look: as `ClassGradebook.totals` gives it.
    """
    units = [unit.unit for unit in statistics.units]
    names = [unit.id for unit in units]
    rows = [["student", *names, "total", *(f"max {name}" for name in names), "max total", "status"]]
    possible = [*(unit.points for unit in units), sum(unit.points for unit in units)]
    for student, results in zip(statistics.students, statistics.results, strict=True):
        points = [_counted(result, *entered.get((student, result.unit), (result.points, False))) for result in results]
        total = None if None in points else sum(points)
        rows.append([student, *points, total, *possible, _status(student, results, entered)])
    return rows


def _counted(result, score, waits):
    return None if result.points is None else score


def _status(student, results, entered):
    told = [f"{result.unit}: {result.status}" for result in results if result.status != GRADED]
    waiting = [r.unit for r in results if r.status == GRADED and entered.get((student, r.unit), (0, False))[1]]
    return ", ".join(told + [f"{unit}: {BY_HAND}" for unit in waiting]) or GRADED


def exercises(statistics):
    """Return one row per exercise, the hardest first."""
    rows = [EXERCISES]
    for one in by_difficulty(statistics.exercises):
        worst = max(one.claims, key=lambda count: count.students)
        reached = percent(one.share), one.discrimination, one.undefined
        counts = one.statuses.get("correct", 0), one.statuses.get("not written", 0)
        failed = worst.what if worst.students else "", worst.students
        whose = one.unit.id, one.exercise.name, one.exercise.points, one.students
        rows.append((*whose, *reached, *counts, *failed, ", ".join(hints(one))))
    return rows


def by_difficulty(exercises):
    """Sort statistics of exercises, the hardest first; those that nobody handed in come last."""
    return sorted(exercises, key=lambda one: (one.share is None, one.share or 0))


def percent(share):
    """Return a share in percent, None as it is."""
    return None if share is None else 100 * share


def mistakes(statistics):
    """Return one row per mistake that somebody made, the most frequent first."""
    rows = [MISTAKES]
    for one, count in by_frequency(statistics.exercises):
        known = count.what
        told = known.id, count.students, count.of, known.name, known.why, known.where
        rows.append((one.unit.id, one.exercise.name, *told))
    return rows


def by_frequency(exercises):
    """Return pairs of an exercise's statistics and the count of one of its mistakes, the most frequent first."""
    pairs = [(one, count) for one in exercises for count in one.mistakes]
    return sorted(pairs, key=lambda pair: -pair[1].students)


def looks(found):
    """Return one row per reason to look at a submission."""
    return [LOOKS] + [(look.student, look.unit, look.kind, ", ".join(look.exercises), look.detail) for look in found]


def similar(groups):
    """Return one row per pair of submissions that are much alike."""
    rows = [SIMILAR]
    for number, group in enumerate(groups, start=1):
        for pair in group.pairs:
            told = ", ".join(pair.exercises), " ".join(pair.words), " | ".join(pair.statements)
            rows.append((number, pair.unit, pair.first, pair.second, percent(pair.structure), *told))
    return rows
