"""Rosters of several platforms, person by person: who is in the class says the new one, what it does not say the old.

Canvas knows sections, Moodle addresses, and each its own numbers: none of these is lost when another one comes.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from autograder.grading.intake.find.roster import Person, keys_of

FIELDS = "section", "team", "first", "last", "email"


def merged(known: Sequence[Person], new: Sequence[Person]) -> list[Person]:
    """Return the people of a new roster, each with what an earlier one says of them beside it.

    Parameters
    ----------
    known, new : sequence of Person

    Returns
    -------
    list of Person
        In the order of the new one. Nobody else is in it.
    """
    partners = _partners(known, new)
    said = {name for name in ("section", "team") if any(getattr(one, name) for one in new)}  # of everybody
    return [_both(known[partners[n]], one, said) if n in partners else one for n, one in enumerate(new)]


def joined(rosters: Sequence[Sequence[Person]]) -> list[Person]:
    """Return everybody who is on one of several rosters, once each: as for a class of two sections with a list each.

    Whoever is on two lists is in the sections of both.
    """
    everybody: list[Person] = []
    for people in rosters:
        partners = _partners(everybody, people)
        places = {place: n for n, place in partners.items()}
        there = [_in_both(one, people[places[n]]) if n in places else one for n, one in enumerate(everybody)]
        everybody = there + [one for n, one in enumerate(people) if n not in partners]
    return everybody


def _partners(known, new):
    """Return by the number of a person on the new roster that of the same person on the old one."""
    found = {}
    marks = [_unique_marks(people) for people in (known, new)]
    by_mark = {mark: n for n, own in enumerate(marks[0]) for mark in own}
    for number, own in enumerate(marks[1]):
        shared = Counter(by_mark[mark] for mark in own if mark in by_mark)
        shared = {n: count for n, count in shared.items() if not known[n].is_at_odds_with(new[number].numbers)}
        most = max(shared.values(), default=0)
        best = [n for n, count in shared.items() if count == most]
        if len(best) == 1:
            found.setdefault(number, best[0])
    taken = Counter(found.values())
    return {number: n for number, n in found.items() if taken[n] == 1}


def _unique_marks(people):
    """Return of each person the names, addresses and numbers that nobody else on the roster has."""
    marks = [keys_of(one) | set(one.numbers.items()) for one in people]
    count = Counter(mark for own in marks for mark in own)
    return [{mark for mark in own if count[mark] == 1} for own in marks]


def _in_both(one, other):
    """Return a person who is on two lists of one class."""
    sections = dict.fromkeys(filter(None, (one.section, other.section)))
    return replace(_both(one, other), section=", ".join(sections))


def _both(known, new, said=()):
    """Return a person as two rosters know them; of some fields, `said`, the new one says everything."""
    fields = {name: getattr(new, name) or getattr(known, name) for name in FIELDS if name not in said}
    return replace(
        new,
        names=tuple(dict.fromkeys([*new.names, *known.names])),
        numbers=known.numbers | new.numbers,
        cells=known.cells | new.cells,
        **fields,
    )
