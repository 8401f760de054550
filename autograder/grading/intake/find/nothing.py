"""Who has a place among the submissions, and no notebook in it."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import PurePosixPath

from autograder.grading.intake.find.item import NOTEBOOK, where
from autograder.grading.intake.find.names import unit_and_version
from autograder.grading.intake.find.senders import beginnings
from autograder.grading.intake.find.students import listed

NOTHING, SOMETHING_ELSE = "nothing handed in", "handed in something else"
DOCUMENTS = (".pdf", ".doc", ".docx", ".odt", ".pages", ".rtf")  # somebody's work, whatever they are called
NBGRADERS = "timestamp.txt"
MAX_KINDS, MAX_ENDING = 3, 8


@dataclass(frozen=True)
class Nothing:
    """Somebody's verdict without a notebook; the unit is empty where it is not known."""

    student: str
    unit: str
    words: str


def without_notebook(everything, places, attempts, units):
    """Find the senders who have a place among the others, in which no notebook of the unit lies.

    A platform or nbgrader has made it, or others have put their notebooks into places beside it.

    Parameters
    ----------
    everything : sequence of Item
    places : Places
    attempts : sequence of Attempt
    units : sequence of str
        Ids.

    Returns
    -------
    list of tuple
        Of a Sender, the id of the unit, empty if it is not known, and the Items that there are.
    """
    below = defaultdict(list)
    for item in everything:
        if sender := places.sender(item.path):
            below[sender.place].append(item)
    handed_in = {(attempt.sender.place, attempt.unit) for attempt in attempts}
    only_unit, *others = sorted({unit for _, unit in handed_in}) or [""]
    beside = {sender.place[:-1] for sender in places.senders() if sender.place in places.with_notebook}
    lost = {path for item in everything if item.refused for path in beginnings(item.path)}
    found = []
    for sender in places.senders():
        place, depth, theirs = sender.place, len(sender.place), below[sender.place]
        if not sender.is_certain and place in places.with_notebook:
            continue
        folders = {item.path[depth] for item in theirs if len(item.path) > depth}.intersection(units)
        for unit in sorted(folders):
            if (place, unit) not in handed_in:
                found.append((sender, unit, [item for item in theirs if item.path[depth:][:1] == (unit,)]))
        is_place = sender.label.platform or (place[:-1] in beside and place not in lost)
        if is_place and not folders and not any(one == place for one, _ in handed_in):
            unit = unit_and_version(place, units)[0] or ("" if others else only_unit)
            found.append((sender, unit, theirs))
    return found


def in_words(items):
    """Say what lies in the place of a notebook."""
    names = [item.path[-1] for item in items if not item.is_folder and item.path[-1] != NBGRADERS]
    kinds = sorted({_kind(name) for name in names})
    return f"{SOMETHING_ELSE} ({', '.join(kinds[:MAX_KINDS])})" if kinds else NOTHING


def _kind(name):
    if name.lower().endswith(NOTEBOOK):
        return "a notebook of no unit"
    ending = PurePosixPath(name).suffix[1:].upper()
    return ending if ending.isalnum() and len(ending) <= MAX_ENDING else "a file of unknown kind"


def no_notebooks(everything, places, empty):
    """Say which other folders and zips hold no notebook, and what they hold.

    Parameters
    ----------
    everything : sequence of Item
    places : Places
    empty : list of tuple
        What `without_notebook` has found.

    Yields
    ------
    str
    """
    known = {path for item in everything if item.refused for path in beginnings(item.path)} | places.with_notebook
    known |= {path for sender in places.senders() for path in beginnings(sender.place[:-1])}
    known |= {sender.place for sender, *_ in empty}
    others = defaultdict(list)
    for item in everything:
        sender = places.sender(item.path)
        place = sender.place if sender else item.path[:1]
        if place not in known and (item.is_folder or len(item.path) > 1):
            others[place] += [] if item.is_folder else [where(item.path[-1:])]
    for place, names in others.items():
        there = f"there is no notebook in it, only {listed(names)}" if names else "it is empty"
        yield f"{where(place)} was refused: {there}. Ask for the notebook."


def loose_documents(others, places):
    """Say of each document that lies among the places, in none of them, that it is no notebook.

    Parameters
    ----------
    others : iterable of Item
        That are no notebooks.
    places : Places

    Yields
    ------
    Item
    str
    """
    for item in others:
        if item.path[-1].lower().endswith(DOCUMENTS) and not places.sender(item.path):
            yield (
                item,
                f"{item.where} was refused: it is no notebook, and does not say whose it is. Ask for the notebook.",
            )
