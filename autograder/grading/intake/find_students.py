"""Which student an attempt belongs to: names in paths become ids, and no two students get the same one."""

from collections import defaultdict
from dataclasses import dataclass

from autograder.grading.intake.find_item import Item, shown
from autograder.grading.intake.find_names import Name, digest, student_id


@dataclass(frozen=True)
class Attempt:
    """One notebook that was found; `timestamp` is in ISO 8601, and empty where the time is not known."""

    item: Item
    name: Name
    unit: str
    timestamp: str = ""

    @property
    def age(self):
        """Sorts the attempts of one student: the one that counts is the largest."""
        known = self.is_nbgraders, self.is_in_its_folder, bool(self.name.unit)
        return known, self.timestamp, self.name.number, self.item.modified, self.item.where

    @property
    def is_nbgraders(self):
        """Whether it lies where nbgrader puts it: student/unit/unit.ipynb."""
        return self.is_in_its_folder and len(self.item.path) == 3

    @property
    def is_in_its_folder(self):
        """Whether it has its own name and lies in the unit's folder, where copies of it may lie, too."""
        return self.item.path[-2:] == (self.unit, f"{self.unit}.ipynb")


def students(attempts):
    """Name the student of every attempt.

    Parameters
    ----------
    attempts : sequence of Attempt

    Returns
    -------
    mine : list of (str, Attempt)
        The attempts with the ids of their students.
    refusals : list of str
        Of attempts inside a zip or folder that bear the name of somebody who has handed in beside it.
    remarks : list of str
        Which names became which ids.
    """
    named, refusals = _named(attempts)
    alike, accounts = defaultdict(set), defaultdict(set)
    for name, attempt in named:
        alike[student_id(name).casefold()].add(name)
        accounts[name, _scope(attempt)].update({attempt.name.account} - {""})
    mine, remarks = [], set()
    for name, attempt in named:
        id = student_id(name)
        first, *_ = sorted(alike[id.casefold()], key=lambda name: (name != student_id(name), name))
        id += f"-{digest(name)}" if name != first else ""
        if attempt.name.account and len(accounts[name, _scope(attempt)]) > 1:
            id += f"-{attempt.name.account}"
        mine.append((id, attempt))
        if id != name:
            why = "" if id == student_id(name) else ", because two students would have the same id"
            remarks.add(f"The id of {shown(name)} is {id}{why}.")
    return mine, refusals, sorted(remarks)


def _named(attempts):
    """Return the attempts with the names of their students, and refusals."""
    own_folders = {attempt.name.owners[:1] for attempt in attempts if attempt.is_nbgraders}
    collections = _collections(attempts) - own_folders
    named = []
    for attempt in attempts:
        owners = attempt.name.owners
        depth = next((d for d in range(1, len(owners)) if owners[:d] not in collections), len(owners))
        if attempt.name.platform and owners[:1] not in own_folders:
            depth = len(owners)
        named.append((owners[depth - 1], depth, attempt))
    outermost = {student_id(name).casefold() for name, depth, _ in named if depth == 1}
    kept, refusals = [], []
    for name, depth, attempt in named:
        if depth > 1 and student_id(name).casefold() in outermost:
            why = f"{shown(name)} has handed in outside of {shown(attempt.item.path[0])}, too. Keep one of them."
            refusals.append(f"{attempt.item.where} was refused: {why}")
        else:
            kept.append((name, attempt))
    return kept, refusals


def _collections(attempts):
    """Return the folders, as the names down to them, that hold several students: two notebooks of one unit apart."""
    below = defaultdict(set)
    for attempt in attempts:
        owners = attempt.name.owners
        for depth in range(1, len(owners)):
            below[owners[:depth], attempt.unit].add(owners[depth])
    return {folder for (folder, _), names in below.items() if len(names) > 1}


def _scope(attempt):
    """Return where an account's number means the same student: Moodle gives new ones for every assignment."""
    return attempt.unit if attempt.name.platform == "Moodle" else ""
