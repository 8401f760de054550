"""The second stage: which unit each notebook belongs to, by its name, unless what is in it clearly says another."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

from autograder.grading.intake import isolated
from autograder.grading.intake.find.folders import Listed
from autograder.grading.intake.find.item import MIB, Item, Refused
from autograder.grading.intake.find.names import unit_and_version
from autograder.grading.intake.find.problems import Problems
from autograder.grading.intake.find.senders import Place, Senders
from autograder.grading.intake.find.wording import refusal
from autograder.grading.intake.read.unit import CHECK
from autograder.grading.nbgraders_files import NBGRADERS
from autograder.grading.notes import COSTS
from autograder.registry import find_unit, units

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
            notebook = _notebook(item, senders, searched, problems) if item.is_notebook else None
        except Refused as error:
            problems.refuse(refusal(item.path, str(error)), item.path)
            continue
        if notebook:
            notebooks.append(notebook)
        elif item.refused and item.may_hold_work:
            problems.refuse(item.refused, item.path)
        elif not item.refused and item.path[-1] not in NBGRADERS:
            others.append(item)
    return Assigned(listed, senders, tuple(notebooks), tuple(others))


def _notebook(item, senders, searched, problems):
    """Return the Notebook, None if it is of no unit; `searched` counts what was read for it of each sender."""
    named, version = unit_and_version(item.path, senders.units)
    if item.refused:
        return Notebook(item, named, True, version) if named else None
    place = senders.place_of(item.path)
    if named:
        unit = _unit_against(item, named, place, searched)
        if unit:
            text = f"{item.where} is named after {named}, and its cells are those of {unit}, so it counts as that."
            problems.remark(text, weight=COSTS)
        return Notebook(item, unit or named, not unit, version)
    if searched[place] > MAX_SEARCHED:
        raise Refused(NO_UNIT)
    unit = isolated.unit_in(_read(item, place, searched))
    return Notebook(item, unit, False, version) if unit else None


def _unit_against(item, named, place, searched):
    """Return another unit than the named one, of which the cells of a notebook are; empty where that is not clear."""
    if searched[place] > MAX_SEARCHED:
        return ""
    try:
        content = _read(item, place, searched)
    except Refused:  # which is told when it is graded
        return ""
    checks = (f'"{CHECK}{exercise.name}"'.encode() for exercise in find_unit(named).exercises)
    text = content.replace(b"\0", b"")  # of UTF-16
    if any(check in text for check in checks) or not _only_in_other_units(named).search(text):
        return ""  # without reading it cell by cell, which takes long for a large one
    return isolated.unit_against(content, named)


@cache
def _only_in_other_units(named):
    """Return the pattern of what only notebooks of other units hold: their checks, and their functions."""
    names = [re.escape(exercise.name) for unit in units() if unit.id != named for exercise in unit.exercises]
    return re.compile(rf"(?:{CHECK}|def )(?:{'|'.join(names)})\b".encode())


def _read(item, place, searched):
    content = item.read()
    searched[place] += len(content) + PER_FILE + PER_VALUE * (content.count(b",") + content.count(b"["))
    return content
