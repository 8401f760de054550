"""The three sentences at the head of the class report: who handed in, how it went, what to review."""

from collections import Counter
from collections.abc import Sequence

from autograder.decisions.decided import EXCUSED, MISSING, NOT_DUE
from autograder.grading.intake.find.missing import SOMETHING_ELSE
from autograder.grading.pages import tables
from autograder.grading.pages.review import ReviewFlag
from autograder.grading.pages.similarity import Group
from autograder.grading.pages.statistics import ClassStatistics, Count, ExerciseStatistics
from autograder.specification import Mistake


def overview(
    statistics: ClassStatistics,
    mistakes: Sequence[tuple[ExerciseStatistics, Count[Mistake]]],
    urgent: Sequence[ReviewFlag],
    alike: Sequence[Group],
) -> tuple[str, str, str]:
    """Return three sentences: who handed in, how it went, what to review."""
    results = [result for results in statistics.results for result in results]
    otherwise = sum(result.words.startswith(SOMETHING_ELSE) for result in results)
    states = Counter(result.status for result in results)
    late = sum(" late, " in result.words for result in results)
    missing = sum(result.state == MISSING for result in results)
    handed_in = sum(result.handed_in for result in results)
    left = [student for student in statistics.students if statistics.decisions.has_left(student)]
    of_whom = f" ({len(left)} of them left)" if left else ""
    who = f"{counted('student', len(statistics.students))}{of_whom} in {counted('unit', len(statistics.units))}: "
    others = [f"{late} late, "] if late else []
    others += [f"{otherwise} {SOMETHING_ELSE}, "] if otherwise else []
    others += [f"{states[status]} {status}, " for status in (NOT_DUE, EXCUSED) if states[status]]
    who += f"{counted('notebook', handed_in)} handed in, {''.join(others)}"
    who += f"{missing or 'none'} missing."
    submissions = len({(flag.student, flag.unit) for flag in urgent})
    review = f"{counted('submission', submissions, 'No')} {'needs' if submissions == 1 else 'need'} review, and "
    review += f"{counted('group', len(alike), 'no')} of submissions {_are(len(alike))} much alike."
    return who, _how_it_went(statistics, mistakes), review


def _how_it_went(statistics, mistakes):
    judged = [one for one in tables.by_difficulty(statistics.exercises) if one.share is not None]
    if not judged:
        return "No function has been judged yet."
    share = sum(one.share * one.exercise.points * one.students for one in judged)
    share /= sum(one.exercise.points * one.students for one in judged)
    text = f"Those who handed in reached {percent(share)} of the points; "
    hardest = judged[0]
    if hardest.share == 1:
        return text + "there is nothing to discuss."
    text += f"the hardest exercise is {hardest.exercise.name} ({percent(hardest.share)})"
    if not mistakes:
        return text + ", and no known mistake was made."
    one, count = mistakes[0]
    made = f"made by {count.students} of {count.of} in {one.exercise.name}"
    return f"{text}, and the most frequent mistake, {made}, is: “{count.what.name}”."


def _are(count):
    return "is" if count == 1 else "are"


def counted(word: str, count: int, nothing: str = "0") -> str:
    """Return a number with its word, such as "3 students"."""
    return f"{count or nothing} {word}{'' if count == 1 else 's'}"


def percent(share: float) -> str:
    """Write a share of one as a whole number of percent."""
    return f"{100 * share:.0f} %"
