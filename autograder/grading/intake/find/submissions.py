"""Finds the submissions in a folder of any shape: who handed in what, which attempt counts, and what is refused."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from autograder.grading.intake import apart
from autograder.grading.intake.find.folders import items
from autograder.grading.intake.find.ids import Register
from autograder.grading.intake.find.item import MIB, Refused, where
from autograder.grading.intake.find.latest import in_order, latest
from autograder.grading.intake.find.names import TIME, unit_and_version
from autograder.grading.intake.find.nothing import Nothing, in_words, loose_documents, no_notebooks, without_notebook
from autograder.grading.intake.find.owners import ids_of
from autograder.grading.intake.find.senders import Places, beginnings
from autograder.grading.intake.find.students import Attempt, clear, listed, refusals_of, under_other_names
from autograder.grading.intake.find.teams import groups_of
from autograder.grading.intake.find.times import time_in, time_of
from autograder.grading.intake.find.whose import name_senders, warnings_of

TIMESTAMP = "timestamp.txt"  # nbgrader's, beside the notebook
MAX_TOLD = 50  # sentences on the files of one sender
# What is read of one sender's files to find units that no name tells: bytes, of which a file costs some, and a value.
MAX_SEARCHED, PER_FILE, PER_VALUE = 64 * MIB, 128 << 10, 100
NO_UNIT = "much was read already to find the units of the notebooks beside it. Unpack it, or name it after its unit."


@dataclass(frozen=True)
class Candidate:
    """What a student has handed in for a unit: one or more attempts, the one that counts first, and notes on others.

    Of a group, `together` are the ids of all members, and `owners` those of whoever made each attempt.
    """

    student: str
    unit: str
    attempts: tuple[Attempt, ...]
    notes: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()

    def choice(self):
        """Say which of several attempts counts, as far as times tell; an empty text where they do not."""
        left, earlier, why = latest(self.attempts)
        if not earlier:
            return ""
        those = " or ".join([attempt.item.where for attempt in left])
        aside = listed([attempt.item.where for attempt in earlier])
        return f"{self.student}, {self.unit}: {those} counts, {why}, and not {aside}."


@dataclass(frozen=True)
class Found:
    """All that was found in a folder.

    Attributes
    ----------
    candidates : tuple of Candidate
        By unit and student.
    refusals : tuple of str
        What may be somebody's work but gets no verdict; each sentence says what, why, and what to do.
    remarks : tuple of str
        What was decided about ids, attempts and files that are ignored or refused.
    nothing : tuple of Nothing
        Who has a place in the folder and no notebook in it.
    notes : dict of list of str
        By student and unit, what a page says that was handed in under another student's name.
    groups : dict of tuple
        By student and unit, the ids of those who hand in together, as far as names of files tell.
    former : dict of set
        By student and unit, the ids under which the same senders have handed in before.
    """

    candidates: tuple[Candidate, ...]
    refusals: tuple[str, ...]
    remarks: tuple[str, ...]
    nothing: tuple[Nothing, ...] = ()
    notes: dict = field(default_factory=dict)
    groups: dict = field(default_factory=dict)
    former: dict = field(default_factory=dict)


def find(folder, units, register=None, roster=None, collected=False):
    """Find what was handed in.

    Parameters
    ----------
    folder : path
        In nbgrader's layout ``student/unit/unit.ipynb``, or as a learning platform exports it: folders, zips and
        notebooks. It may also be a single zip or notebook.
    units : sequence of Unit
    register : Register, optional
        Of the class, to which new students are added.
    roster : Roster, optional
        Of the class, with the same register.
    collected : bool
        Whether this is the folder in which nbgrader collects: there a folder is called like the id of a student.

    Returns
    -------
    Found
    """
    register = register or Register()
    ids = [unit.id for unit in units]
    everything = list(items(folder, ids))
    places = Places(everything, ids)
    works, lost, others = _sorted(everything, places)
    name_senders(places, works, register, roster)
    places, attempts, unclear, opened = _placed(folder, everything, places, works, register, roster, collected)
    empty = without_notebook(everything, places, attempts, ids)
    students, renamed, asked, before = ids_of(places, attempts, empty, register, roster, collected)
    mine = [(students[one.sender.place], one) for one in attempts if one.sender.place in students]
    groups = groups_of(mine)
    mine, notes = under_other_names(mine, ids, register, roster.teams() if roster else {})
    candidates, chosen = _candidates(mine, notes)
    for one in candidates:
        register.note_name(one.student, one.unit, one.attempts[0].sender)
    alike = [] if roster else list(warnings_of(candidates, register))
    nothing = _nothing([one for one in empty if one[0].place in students], students, candidates)
    told = {sentence for _, sentence in lost}
    refused = [(item, item.refused) for item in everything if item.refused and item.refused not in told]
    counted = [one.attempts[0] for one in candidates]  # what is refused there has a verdict, and is not lost
    ask = [(one, f"{one.item.refused} Ask both whose work it is.") for _, one in mine if one.bears_another_name]
    lost += [(one.item, sentence) for one, sentence in ask if one not in counted]
    chosen += [sentence for one, sentence in ask if one in counted]
    lost += loose_documents(others, places)
    told_of = {item.path for item, _ in lost} | {item.path for beside in nothing.values() for item in beside}
    others = [item for item in others if item.path not in told_of]
    nothing = tuple(Nothing(*key, in_words(beside)) for key, beside in nothing.items())
    places_lost = (*_unplaced(works, places), *asked, *refusals_of(unclear), *no_notebooks(everything, places, empty))
    remarks = (*opened, *renamed, *alike, *chosen, *_few(refused, places), *_left_aside(others, places))
    return Found(
        candidates, (*_few(lost, places), *places_lost), remarks, nothing, notes, groups, _former(mine, before)
    )


def _former(mine, before):
    """Return by student and unit the ids under which the same senders have handed in before."""
    former = defaultdict(set)
    for student, attempt in mine:
        former[student, attempt.unit] |= before.get(attempt.sender.place, set())
    return former


def _sorted(everything, places):
    """Return the notebooks with their units, what is lost with sentences on it, and the files that are of no unit."""
    works, lost, others, searched = [], [], [], Counter()
    for item in everything:
        if item.is_folder:
            continue
        try:
            unit, named, number = _unit_of(item, places, searched) if item.is_notebook else ("", False, 0)
        except Refused as why:
            lost.append((item, f"{item.where} was refused: {why}"))
            continue
        if unit:
            works.append((item, unit, named, number))
        elif item.refused and item.may_hold_work:
            lost.append((item, item.refused))
        elif not item.refused and item.path[-1] != TIMESTAMP:
            others.append(item)
    return works, lost, others


def _unit_of(item, places, searched):
    """Return a notebook's unit, empty for none, whether its path names it, and the number of the version.

    `searched` counts what was read for it of each sender.
    """
    unit, number = unit_and_version(item.path, places.units)
    if unit or item.refused:
        return unit, True, number
    sender = places.of(item)
    if searched[sender] > MAX_SEARCHED:
        raise Refused(NO_UNIT)
    content = item.read()
    searched[sender] += len(content) + PER_FILE + PER_VALUE * (content.count(b",") + content.count(b"["))
    return apart.unit_in(content), False, number


def _placed(folder, everything, places, works, register, roster, collected):
    """Return the places again, the attempts, the unclear places with the names that stand in them, and remarks.

    One zip that the instructor has named may hold the whole class, unless it is called like a student.
    """
    root = (Path(folder).name,)
    times = {item.path[:-1]: item for item in everything if item.path[-1] == TIMESTAMP and item.read}
    ids = places.units
    attempts, unclear = clear(_attempts(works, places, times, collected), ids)
    if root not in unclear or Path(folder).is_dir() or register.id_like(places.found[root].name):
        return places, attempts, unclear, []
    places = Places(everything, ids, whole=root)
    name_senders(places, works, register, roster)
    opened = f"{where(root)} was taken for the whole class's. If it is one student's, grade a folder with it instead."
    return places, *clear(_attempts(works, places, times, collected), ids), [opened]


def _attempts(works, places, times, collected):
    attempts, known = [], {folder: time_in(item) for folder, item in times.items()}
    for item, unit, named, number in works:
        if sender := places.sender(item.path):
            by_platform = time_of(sender.label.time, TIME)
            folders = [item.path[:depth] for depth in range(len(item.path))]
            noted = known.get(next((one for one in reversed(folders[len(sender.place) - 1 :]) if one in known), None))
            time, remark = (by_platform, "") if by_platform else noted or ("", "")
            is_theirs = item.path[len(sender.place) :] == (unit, f"{unit}.ipynb") and len(item.modified) == 1
            is_collected = is_theirs and bool(collected or noted)
            attempts.append(Attempt(item, sender, unit, named, number, time, remark, is_collected))
    return attempts


def _unplaced(works, places):
    """Say what is nobody's, each folder or zip once."""
    lying_in = {place for item, *_ in works for place in beginnings(item.path)}
    for place, why in places.found.items():
        if isinstance(why, str) and place in lying_in:
            yield f"{where(place)} was refused: {why}"


def _candidates(mine, notes):
    """Group the attempts by student and unit, and say what the times of some lack."""
    together, remarks = defaultdict(list), []
    for student, attempt in mine:
        together[attempt.unit, student].append(attempt)
    candidates = []
    for (unit, student), group in sorted(together.items()):
        own = [attempt for attempt in group if not attempt.bears_another_name] or group
        attempts = tuple(in_order(own))
        candidates.append(Candidate(student, unit, attempts, tuple(notes.get((student, unit), ()))))
        remarks += dict.fromkeys(attempt.remark for attempt in attempts if attempt.remark)
        if attempts[0].sender.label.late:
            remarks.append(f"{student}, {unit}: {attempts[0].item.where} is marked as late.")
    return tuple(candidates), remarks


def _nothing(empty, students, candidates):
    """Return who has handed in no notebook, nowhere: by student and unit the items that there are in its place."""
    handed_in = {key for one in candidates for key in ((one.student, one.unit), (one.student, ""))}
    there = defaultdict(list)
    for sender, unit, beside in empty:
        there[students[sender.place], unit] += beside
    return {key: beside for key, beside in there.items() if key not in handed_in}


def _few(told, places):
    """Yield the first sentences on the files of one sender, and how many more there are."""
    count = Counter()
    for item, sentence in told:
        sender = places.of(item)
        count[sender] += 1
        if count[sender] <= MAX_TOLD:
            yield sentence
    for sender, number in count.items():
        if number > MAX_TOLD:
            yield f"{where(sender)}: {number - MAX_TOLD} more files in it were refused."


def _left_aside(others, places):
    """Name the files that are ignored, those of one sender together: nothing of them gets near the learner's code."""
    below = defaultdict(list)
    for item in others:
        place = places.of(item)
        below[place if place != item.path else item.path[:-1]].append(item)
    for place, files in below.items():
        first, *others = {item.path[:-1] for item in files}
        folder = place if others else first
        names = listed([where(item.path[len(folder) :]) for item in files])
        yield f"Left aside in {where(folder) if folder else 'the folder itself'}: {names}."
