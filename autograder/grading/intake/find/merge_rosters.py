"""Rosters of several platforms, person by person: who is in the class says the new one, what it does not say the old.

Canvas knows sections, Moodle addresses, and each its own numbers: none of these is lost when another one comes.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from autograder.grading.intake.find.roster import Person, keys_of

FIELDS = "section", "team", "first", "last", "email"


def merged(old: Sequence[Person], new: Sequence[Person]) -> list[Person]:
    """Return the people of a new roster, each with what an earlier one says of them beside it.

    Parameters
    ----------
    old, new : sequence of Person

    Returns
    -------
    list of Person
        In the order of the new one. Nobody else is in it.
    """
    partners = _partners(old, new)
    complete = {name for name in ("section", "team") if any(getattr(person, name) for person in new)}  # of everybody
    return [_combined(old[partners[n]], person, complete) if n in partners else person for n, person in enumerate(new)]


def joined(rosters: Sequence[Sequence[Person]]) -> list[Person]:
    """Return everybody who is on one of several rosters, once each: as for a class of two sections with a list each.

    Whoever is on two lists is in the sections of both.
    """
    everybody: list[Person] = []
    for people in rosters:
        partners = _partners(everybody, people)
        numbers = {old: n for n, old in partners.items()}
        for number, partner in numbers.items():
            everybody[number] = _on_both_lists(everybody[number], people[partner])
        everybody += [person for n, person in enumerate(people) if n not in partners]
    return everybody


def _partners(old, new):
    """Return by the number of a person on the new roster that of the same person on the old one."""
    partners = {}
    marks = [_unique_marks(people) for people in (old, new)]
    by_mark = {mark: n for n, its_marks in enumerate(marks[0]) for mark in its_marks}
    for number, its_marks in enumerate(marks[1]):
        shared = Counter(by_mark[mark] for mark in its_marks if mark in by_mark)
        shared = {n: count for n, count in shared.items() if not old[n].is_at_odds_with(new[number].numbers)}
        largest = max(shared.values(), default=0)
        best = [n for n, count in shared.items() if count == largest]
        if len(best) == 1:
            partners.setdefault(number, best[0])
    taken = Counter(partners.values())
    return {number: n for number, n in partners.items() if taken[n] == 1}


def _unique_marks(people):
    """Return of each person the names, addresses and numbers that nobody else on the roster has."""
    marks = [keys_of(person) | set(person.numbers.items()) for person in people]
    count = Counter(mark for its_marks in marks for mark in its_marks)
    return [{mark for mark in its_marks if count[mark] == 1} for its_marks in marks]


def _on_both_lists(first, second):
    """Return a person who is on two lists of one class."""
    sections = dict.fromkeys(filter(None, (first.section, second.section)))
    return replace(_combined(first, second), section=", ".join(sections))


def _combined(old, new, complete=()):
    """Return a person as two rosters know them; of the fields in `complete`, the new one says everything."""
    fields = {name: getattr(new, name) or getattr(old, name) for name in FIELDS if name not in complete}
    return replace(
        new,
        names=tuple(dict.fromkeys([*new.names, *old.names])),
        numbers=old.numbers | new.numbers,
        cells=old.cells | new.cells,
        **fields,
    )
