"""What a class has handed in: out of a folder of any shape, which notebook of whom counts, and what is refused."""

import datetime
from collections import defaultdict
from dataclasses import dataclass

from nbgrader.utils import parse_utc

from autograder.grading.intake.find_folder import items
from autograder.grading.intake.find_item import Refused, where
from autograder.grading.intake.find_names import name_of
from autograder.grading.intake.find_students import Attempt, students
from autograder.grading.intake.find_unit import unit_of
from autograder.grading.intake.read import read

TIMESTAMP = "timestamp.txt"  # nbgrader's, beside the notebook
MANY = 8  # names that are listed


@dataclass(frozen=True)
class Candidate:
    """What a student has handed in for a unit: one attempt or more, the one that counts first."""

    student: str
    unit: str
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True)
class Found:
    """All that was found in a folder.

    Attributes
    ----------
    candidates : tuple of Candidate
        By unit and student.
    refusals : tuple of str
        What may be somebody's work but gets no verdict, one sentence each: what, why, and what to do.
    remarks : tuple of str
        What was decided: ids, attempts, files that are left aside or refused.
    """

    candidates: tuple[Candidate, ...]
    refusals: tuple[str, ...]
    remarks: tuple[str, ...]


def find(folder, units):
    """Find what was handed in.

    Parameters
    ----------
    folder : path
        In nbgrader's layout ``student/unit/unit.ipynb``, or as a learning platform exports it: folders, zips and
        notebooks. A single zip or notebook will do, too.
    units : sequence of Unit

    Returns
    -------
    Found
    """
    everything = list(items(folder))
    times = {item.path[:-1]: _time_in(item) for item in everything if item.path[-1] == TIMESTAMP and not item.refused}
    attempts, others, lost = [], [], []
    for item in everything:
        try:
            attempt = _attempt(item, units, times) if item.is_notebook else None
        except Refused as why:
            lost.append(f"{item.where} was refused: {why}")
            continue
        if attempt:
            attempts.append(attempt)
        elif item.refused and item.may_hold_work:
            lost.append(item.refused)
        elif not item.refused and item.path[-1] != TIMESTAMP:
            others.append(item)
    mine, not_theirs, remarks = students(attempts)
    candidates, chosen = _candidates(mine)
    told = [item.refused for item in everything if item.refused and item.refused not in lost]
    lost += [*not_theirs, *_without_notebook(everything)]
    return Found(candidates, tuple(lost), (*remarks, *chosen, *told, *_left_aside(others)))


def _attempt(item, units, times):
    """Return a notebook as an attempt at its unit; None if it is of no unit."""
    name = name_of(item.path, [unit.id for unit in units])
    unit = name.unit or ("" if item.refused else unit_of(read(item.read()).cells, units))
    if not unit:
        return None
    if not name.owners:
        raise Refused("it does not say whose it is. Put it into a folder with the student's name.")
    return Attempt(item, name, unit, _time_of(name.time) or times.get(item.path[:-1], ""))


def _time_in(item):
    """Return the time in nbgrader's file; empty if it cannot be read."""
    try:
        return _utc(parse_utc(item.read()[:100].decode().strip()))
    except Exception:  # whatever the file holds and the reader of times makes of it
        return ""


def _time_of(text):
    """Return the time in the name of a file; empty if there is none."""
    try:
        return _utc(datetime.datetime.strptime(text, "%Y-%m-%d-%H-%M-%S"))
    except ValueError:
        return ""


def _utc(time):
    """Write a time without a zone as nbgrader takes it: as UTC."""
    return time.replace(tzinfo=datetime.UTC).isoformat()


def _candidates(mine):
    """Put the attempts of each student and unit together, and say which of several counts."""
    together, remarks = defaultdict(list), []
    for student, attempt in mine:
        together[attempt.unit, student].append(attempt)
    candidates = []
    for (unit, student), group in sorted(together.items()):
        latest, *earlier = sorted(group, key=lambda attempt: attempt.age, reverse=True)
        candidates.append(Candidate(student, unit, (latest, *earlier)))
        if earlier:
            aside = _listed([attempt.item.where for attempt in earlier])
            remarks.append(f"{student}, {unit}: {latest.item.where} counts, as the latest attempt, and not {aside}.")
        if latest.name.late:
            remarks.append(f"{student}, {unit}: {latest.item.where} is marked as late.")
    return tuple(candidates), remarks


def _without_notebook(everything):
    """Say which of the folders and zips at the top hold nothing of use."""
    useful = {item.path[0] for item in everything if item.is_notebook or item.refused}
    others = defaultdict(list)
    for item in everything:
        if len(item.path) > 1 and item.path[0] not in useful:
            others[item.path[0]].append(item.path[-1])
    for folder, names in others.items():
        there = _listed([where((name,)) for name in names])
        yield f"{where((folder,))} was refused: there is no notebook in it, only {there}. Ask for the notebook."


def _left_aside(others):
    """Name the files that are not looked at: nothing of them gets near the learner's code."""
    folders = defaultdict(list)
    for item in others:
        folders[item.path[:-1]].append(where(item.path[-1:]))
    for folder, names in folders.items():
        place = where(folder) if folder else "the folder itself"
        yield f"Left aside in {place}: {_listed(names)}."


def _listed(names):
    more = f" and {len(names) - MANY} more" if len(names) > MANY else ""
    return ", ".join(names[:MANY]) + more
