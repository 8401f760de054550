"""Who has a place among the submissions, and no notebook in it."""

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from autograder.grading.intake.find.item import NOTEBOOK, Item
from autograder.grading.intake.find.names import unit_and_version
from autograder.grading.intake.find.senders import Place, Sender, Senders
from autograder.grading.nbgraders_files import NBGRADERS

NOTHING, SOMETHING_ELSE = "nothing handed in", "handed in something else"
NO_UNIT, ANOTHER_UNIT = "a notebook of no unit", "a notebook of another unit"
MAX_KINDS, MAX_ENDING = 3, 8


@dataclass(frozen=True)
class WithoutNotebook:
    """Somebody's verdict without a notebook; the unit is empty where it is not known."""

    student: str
    unit: str
    words: str


@dataclass(frozen=True)
class EmptyPlace:
    """The place of a sender, in which no notebook of the unit lies; the unit is empty where it is not known."""

    sender: Sender
    unit: str
    items: tuple[Item, ...]


def places_without_notebook(
    items: Sequence[Item], senders: Senders, handed_in: set[tuple[Place, str]]
) -> list[EmptyPlace]:
    """Find the senders who have a place among the others, in which no notebook of the unit lies.

    A platform or nbgrader has made it, or others have put their notebooks into places beside it. `handed_in` has the
    places of senders with the units of their notebooks.
    """
    items_of = defaultdict(list)
    for item in items:
        if sender := senders.of(item.path):
            items_of[sender.place].append(item)
    units_of = defaultdict(set)
    for place, unit in handed_in:
        units_of[place].add(unit)
    units = set().union(*units_of.values())
    only_unit = next(iter(units)) if len(units) == 1 else ""
    beside = {sender.place[:-1] for sender in senders if sender.place in senders.with_notebook}
    empty = []
    for sender in senders:
        place = sender.place
        if not sender.is_certain and place in senders.with_notebook:
            continue
        by_unit = _by_unit_folder(items_of[place], len(place), senders.units)
        missing = sorted(by_unit.keys() - units_of[place])
        empty += [EmptyPlace(sender, unit, tuple(by_unit[unit])) for unit in missing]
        is_place = sender.label.platform or place[:-1] in beside
        if is_place and not (by_unit or units_of[place]):
            unit = unit_and_version(place, senders.units)[0] or only_unit
            empty.append(EmptyPlace(sender, unit, tuple(items_of[place])))
    return empty


def _by_unit_folder(items, depth, units):
    """Return the items below the folders, at some depth, that are called like units."""
    by_unit = defaultdict(list)
    for item in items:
        if len(item.path) > depth and item.path[depth] in units:
            by_unit[item.path[depth]].append(item)
    return by_unit


def students_without_notebook(
    empty_places: Iterable[tuple[str, EmptyPlace]], handed_in: set[tuple[str, str]], notebooks: Container[Place]
) -> dict[WithoutNotebook, list[Item]]:
    """Return who has handed in no notebook, nowhere, and what lies in its place.

    The empty places come with the ids of their students; `handed_in` has the students and units with notebooks,
    `notebooks` the paths of all that are of a unit.
    """
    somewhere = handed_in | {(student, "") for student, _ in handed_in}
    items: dict[tuple[str, str], list[Item]] = defaultdict(list)
    for student, empty in empty_places:
        if (student, empty.unit) not in somewhere:
            items[student, empty.unit] += empty.items
    return {WithoutNotebook(*key, _in_words(own_items, notebooks)): own_items for key, own_items in items.items()}


def _in_words(items, notebooks):
    """Say what lies in the place of a notebook."""
    files = [item for item in items if not item.is_folder and item.path[-1] not in NBGRADERS]
    kinds = sorted({ANOTHER_UNIT if item.path in notebooks else _kind(item.path[-1]) for item in files})
    return f"{SOMETHING_ELSE} ({', '.join(kinds[:MAX_KINDS])})" if kinds else NOTHING


def _kind(name):
    if name.lower().endswith(NOTEBOOK):
        return NO_UNIT
    ending = PurePosixPath(name).suffix[1:].upper()
    return ending if ending.isalnum() and len(ending) <= MAX_ENDING else "a file of unknown kind"
