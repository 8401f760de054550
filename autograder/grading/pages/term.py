"""A term, unit by unit: how the class and each of its sections did, and which mistake was made most often."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from autograder.grading.pages.statistics import (
    GRADED,
    UNREADABLE,
    ClassStatistics,
    Count,
    Result,
    UnitStatistics,
)
from autograder.grading.pages.tables import by_frequency
from autograder.specification import Mistake

NONE = ("none",)  # the sections of somebody who is in none
BETWEEN = re.compile(r"[,;]\s*(?:and\s+)?|\s+and\s+")
LAST = 1 / 3  # of the submissions of the unit that most have handed in: with fewer, a few are ahead of the class


@dataclass(frozen=True)
class Share:
    """How a section did in a unit, or the whole class, whose `section` is empty.

    Attributes
    ----------
    section : str
    members, handed_in : int
    share : float or None
        Mean share of the points, of those whose points are known; None without any.
    """

    section: str
    members: int
    handed_in: int
    share: float | None


@dataclass(frozen=True)
class UnitInTerm:
    """A unit: the share of the class first, then those of the sections by name; and its most frequent mistake.

    Without a mistake, `exercise` is empty and `mistake` None; `made` says how many of each section made it.
    """

    statistics: UnitStatistics
    shares: tuple[Share, ...]
    exercise: str = ""
    mistake: Count[Mistake] | None = None
    made: tuple[tuple[str, int], ...] = ()


def of_term(statistics: ClassStatistics, sections: Mapping[str, str]) -> list[UnitInTerm]:
    """Return a UnitInTerm for each unit that somebody has handed in.

    Parameters
    ----------
    statistics : ClassStatistics
    sections : dict
        By student, the section; an empty text, like no entry, for none. Without any section, there is the class alone.
    """
    found = []
    member = memberships(sections)
    for unit in statistics.units:
        results = [one for one in unit.results if not statistics.decisions.has_left(one.student)]
        groups: dict[str, Sequence[Result]] = {"": results}
        if member:
            names = sorted({name for one in results for name in member.get(one.student, NONE)})
            groups |= {name: [one for one in results if name in member.get(one.student, NONE)] for name in names}
        shares = tuple(_share(name, results) for name, results in groups.items())
        exercises = [one for one in statistics.exercises if one.unit is unit.unit]
        one, mistake = next(iter(by_frequency(exercises)), (None, None))
        made = by_section(mistake.who, sections) if mistake else ()
        found.append(UnitInTerm(unit, shares, one.exercise.name if one else "", mistake, made))
    return found


def memberships(sections: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the sections of each student, who may be in several; nothing if there are none.

    Canvas writes "Section A and Section B", Moodle "A, B". It is taken apart where somebody else is in one of the parts
    alone, or all parts occur in other lists as well: a section may also be called "Bread and Butter".

    Parameters
    ----------
    sections : dict
        By student, what the roster says; an empty text for no section.
    """
    texts = set(filter(None, sections.values()))
    parts = {text: tuple(filter(None, map(str.strip, BETWEEN.split(text)))) for text in texts}
    count = Counter(part for text in texts for part in set(parts[text]))
    several = {
        text
        for text, its in parts.items()
        if any(part in texts for part in its) or all(count[part] > 1 for part in its)
    }
    known = {text: parts[text] if text in several else (text,) for text in texts}
    return {student: known.get(text, NONE) for student, text in sections.items()} if texts else {}


def by_section(students: Iterable[str], sections: Mapping[str, str]) -> tuple[tuple[str, int], ...]:
    """Return pairs of a section and how many of the students are in it, by name; nothing if there are no sections."""
    member = memberships(sections)
    counts = Counter(name for student in students for name in member.get(student, NONE))
    return tuple(sorted(counts.items())) if member else ()


def last_unit(statistics: ClassStatistics) -> UnitStatistics | None:
    """Return the UnitStatistics of the unit at which the class is: the last one that many have handed in, or None."""
    counts = [sum(result.handed_in for result in one.results) for one in statistics.units]
    there = [one for one, count in zip(statistics.units, counts, strict=True) if count >= LAST * max(counts)]
    return there[-1] if there else None


def _share(name, results):
    known = [one for one in results if one.status in (GRADED, UNREADABLE)]
    share = sum(one.points / one.max_points for one in known) / len(known) if known else None
    return Share(name, len(results), sum(one.handed_in for one in results), share)
