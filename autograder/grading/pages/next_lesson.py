"""What to do before the next lesson, and in it: the first screen of the report."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from autograder.decisions.decided import MISSING
from autograder.grading.pages.result import BY_HAND
from autograder.grading.pages.review import HARD, MIN_STUDENTS, ReviewFlag
from autograder.grading.pages.similarity import Group
from autograder.grading.pages.statistics import ClassStatistics
from autograder.grading.pages.tables import by_difficulty, by_frequency
from autograder.grading.pages.term import by_section, last_unit

MAX_MISTAKES, MAX_HARD, MAX_NAMES, MAX_EACH = 2, 2, 8, 4
NOT_URGENT = (MISSING, "repaired")


@dataclass(frozen=True)
class Step:
    """One thing to do: what it is, a sentence, and where the page says more."""

    head: str
    text: str
    link: str


def steps(
    statistics: ClassStatistics,
    flags: Sequence[ReviewFlag],
    alike: Sequence[Group],
    sections: Mapping[str, str],
    call: Callable[[str], str] = str,
) -> list[Step]:
    """Return what to do, the lesson first.

    Parameters
    ----------
    statistics : ClassStatistics
    flags : sequence of ReviewFlag
    alike : sequence of Group
    sections : dict
        By student, the section.
    call : callable
        Returns how a student is called, given the id.

    Returns
    -------
    list of Step
        On the unit at which the class is, but for answers that wait to be graded, which may be of any.
    """
    last = last_unit(statistics)
    if last is None:
        return []
    shown = [pair for pair in by_frequency(_of(last, statistics)) if pair[1].students >= MIN_STUDENTS][:MAX_MISTAKES]
    return [
        *(_discuss(one, count, sections) for one, count in shown),
        *_explain(last, statistics, {one.exercise.name for one, _ in shown}),
        *_look_at(last, flags, alike, call),
        *_grade(statistics, call),
        *_ask(last, statistics, sections, call),
    ]


def _of(unit, statistics):
    return [one for one in statistics.exercises if one.unit is unit.unit]


def _discuss(one, count, sections):
    where = ", ".join(f"{name}: {number}" for name, number in by_section(count.who, sections))
    text = f"“{count.what.name}” in `{one.exercise.name}`: {count.students} of {count.of} do this"
    return Step("Discuss", f"{text} ({where})." if where else f"{text}.", "#mistakes")


def _explain(unit, statistics, discussed):
    """Yield the hardest exercises, but those of which a mistake is discussed."""
    judged = [one for one in by_difficulty(_of(unit, statistics)) if one.students >= MIN_STUDENTS]
    hard = [one for one in judged if one.share < HARD and one.exercise.name not in discussed]
    for one in hard[:MAX_HARD]:
        written = one.students - one.statuses.get("not written", 0)
        text = f"`{one.exercise.name}`: {100 * one.share:.0f} % of the points were reached"
        yield Step("Explain again", f"{text}; {written} of {one.students} wrote it.", "#exercises")


def _look_at(unit, flags, alike, call):
    students = {}
    for flag in flags:
        if flag.kind not in NOT_URGENT and flag.unit in (unit.unit.id, ""):
            students.setdefault(flag.kind, {})[call(flag.student) if flag.student else "files named there"] = True
    if students:
        told = [f"{kind}: {_listed(list(who), MAX_EACH)}" for kind, who in students.items()]
        yield Step("Look at", f"single submissions ({'; '.join(told)}).", "#review")
    groups = [group for group in alike if group.unit == unit.unit.id]
    if groups:
        told = [" and ".join(map(call, group.students[:MAX_NAMES])) for group in groups]
        yield Step("Compare", f"what is much alike: {_listed(told)}.", "#similar")


def _grade(statistics, call):
    for unit in statistics.units:
        waiting = [call(one.student) for one in unit.results if one.waits or one.status == BY_HAND]
        if waiting:
            text = f"in formgrader, unit {unit.unit.id[:2]}: the work of {_listed(waiting)} waits for you."
            yield Step("Grade by hand", text, "#points")


def _ask(last, statistics, sections, call):
    """Yield whom to ask after: who has not handed in, those apart who have not for the second time in a row.

    Whoever has left the roster is asked nothing.
    """
    place = statistics.units.index(last)
    expected = [one for one in last.results if not sections or one.student in sections]
    missing = [one.student for one in expected if one.status == MISSING]
    again = [
        one.student
        for one in (statistics.units[place - 1].results if place else ())
        if one.status == MISSING and one.student in missing
    ]
    once = [student for student in missing if student not in again]
    if again:
        yield Step("Ask after", f"{_listed(list(map(call, again)))}: nothing for the second unit in a row.", "#review")
    if once:
        yield Step("Remind", f"{_listed(list(map(call, once)))}: no notebook for unit {last.unit.id[:2]}.", "#review")


def _listed(names, most=MAX_NAMES):
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
