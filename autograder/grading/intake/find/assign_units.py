"""The second stage: which unit each notebook belongs to, by its name, or else by what is in it."""

from collections import Counter
from dataclasses import dataclass

from autograder.grading.intake import isolated
from autograder.grading.intake.find.folders import Listed
from autograder.grading.intake.find.item import MIB, Item, Refused
from autograder.grading.intake.find.names import unit_and_version
from autograder.grading.intake.find.problems import Problems
from autograder.grading.intake.find.senders import Place, Senders
from autograder.grading.intake.find.wording import refusal
from autograder.grading.nbgraders_files import NBGRADERS

# What is read of one sender's files to find units that no name tells: bytes, of which a file costs some, and a value.
MAX_SEARCHED, PER_FILE, PER_VALUE = 64 * MIB, 128 << 10, 100
NO_UNIT = "much was read already to find the units of the notebooks beside it. Unpack it, or name it after its unit."


@dataclass(frozen=True)
class Notebook:
    """A notebook of a unit."""

    item: Item
    unit: str  # id
    is_named: bool  # whether its path names the unit
    version: int  # the number of the version, as its name has it


@dataclass(frozen=True)
class Assigned:
    """The listed files by what they are."""

    listed: Listed
    senders: Senders  # as the names at the top tell
    notebooks: tuple[Notebook, ...]
    others: tuple[Item, ...]  # files of no unit that are not refused


def assign_units(listed: Listed, problems: Problems) -> Assigned:
    """Find the unit of each notebook, and refuse what may be somebody's work but is of no unit."""
    senders = Senders(listed.items, listed.units)
    notebooks = []
    others = []
    searched: Counter[Place] = Counter()
    for item in listed.items:
        if item.is_folder:
            continue
        try:
            notebook = _notebook(item, senders, searched) if item.is_notebook else None
        except Refused as why:
            problems.refuse(refusal(item.path, str(why)), item.path)
            continue
        if notebook:
            notebooks.append(notebook)
        elif item.refused and item.may_hold_work:
            problems.refuse(item.refused, item.path)
        elif not item.refused and item.path[-1] not in NBGRADERS:
            others.append(item)
    return Assigned(listed, senders, tuple(notebooks), tuple(others))


def _notebook(item, senders, searched):
    """Return the Notebook, None if it is of no unit; `searched` counts what was read for it of each sender."""
    unit, version = unit_and_version(item.path, senders.units)
    if unit:
        return Notebook(item, unit, True, version)
    if item.refused:
        return None
    place = senders.place_of(item.path)
    if searched[place] > MAX_SEARCHED:
        raise Refused(NO_UNIT)
    content = item.read()
    searched[place] += len(content) + PER_FILE + PER_VALUE * (content.count(b",") + content.count(b"["))
    unit = isolated.unit_in(content)
    return Notebook(item, unit, False, version) if unit else None
