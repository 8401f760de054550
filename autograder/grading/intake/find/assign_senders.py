"""The third stage: who has sent each notebook, and which senders have sent none."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.grading.intake.find.assign_units import Assigned, Notebook
from autograder.grading.intake.find.missing import EmptyPlace, places_without_notebook
from autograder.grading.intake.find.names import label_of, student_id
from autograder.grading.intake.find.platforms import TIME, Label
from autograder.grading.intake.find.problems import Problems
from autograder.grading.intake.find.register import confusable_key
from autograder.grading.intake.find.roster import People
from autograder.grading.intake.find.senders import Place, Sender, Senders, beginnings
from autograder.grading.intake.find.short_forms import without_forms
from autograder.grading.intake.find.times import time_in, time_of
from autograder.grading.intake.find.wording import (
    ambiguous_owner_message,
    escape_path,
    join_names,
    printable,
    refusal,
)
from autograder.grading.intake.find.written_names import shorten_names
from autograder.grading.nbgraders_files import TIMESTAMP

MAX_PARTS = 12  # of a path that are read: the deepest folders name nobody


@dataclass(frozen=True)
class Attempt(Notebook):
    """A notebook that somebody has sent."""

    sender: Sender
    timestamp: str = ""  # in ISO 8601; empty where the time is not known
    time_remark: str = ""  # what has to be said of the time, if anything
    is_collected: bool = False  # whether it lies where nbgrader collects, as the one file that it would grade
    is_ambiguous: bool = False  # whether it bears one of several names, which may all be those of students
    bears_another_name: bool = False  # whether it is refused, because it bears the name of another student

    @property
    def inside(self) -> Place:
        """Its path below the sender's place."""
        return self.item.path[len(self.sender.place) :]

    def labels(self, units: Sequence[str]) -> list[Label]:
        """Return what the names say that the student has given."""
        rest = self.sender.label.rest
        parts = [*self.inside[: MAX_PARTS - 1], *self.inside[MAX_PARTS - 1 :][-1:]] or ([rest] if rest else [])
        return [label_of(part, units, is_file=depth == len(parts)) for depth, part in enumerate(parts, start=1)]

    def other_names(self, units: Sequence[str]) -> list[str]:
        """Return the names in them that may be another person's, the outermost first."""
        people = [*self.sender.label.people[1:], *(name for label in self.labels(units) for name in label.people)]
        own = {confusable_key(student_id(name)) for name in (self.sender.name, self.sender.written)}
        others = [name for name in people if confusable_key(student_id(name)) not in own]
        short = [without_forms(name, self.unit) for name in others]
        return [name for name in short if name and confusable_key(student_id(name)) not in own]


@dataclass(frozen=True)
class Sent:
    """What the senders have sent."""

    senders: Senders  # with their names, without the short forms of units
    attempts: tuple[Attempt, ...]
    # by the place of a sender, the names of which it is unclear whether they are those of students
    ambiguous: dict[Place, set[str]]
    empty_places: tuple[EmptyPlace, ...]  # the senders without a notebook


def assign_senders(assigned: Assigned, people: People, problems: Problems) -> Sent:
    """Find the sender of each notebook; say which notebooks have none, and where it is unclear whose they are.

    One zip that the instructor has named may hold the whole class, unless it is called like a student.
    """
    listed = assigned.listed
    sent = _sent(assigned, assigned.senders, people)
    root = (listed.name,)
    if root in sent.ambiguous and not (listed.is_folder or people.register.id_like(sent.senders.by_place[root].name)):
        sent = _sent(assigned, Senders(listed.items, listed.units, whole=root), people)
        problems.remark(
            f"{escape_path(root)} was taken for the whole class's. If it is one student's, grade a folder with it "
            "instead."
        )
    places = {place for notebook in assigned.notebooks for place in beginnings(notebook.item.path)}
    for place, reason in sent.senders.nameless.items():
        if place in places:
            problems.refuse(refusal(place, reason))
    for place, names in sent.ambiguous.items():
        reason = f"it holds notebooks under the names {join_names(sorted(map(printable, names)))}"
        problems.refuse(refusal(place, ambiguous_owner_message(place, reason)))
    return sent


def _sent(assigned, senders, people):
    """Return what was sent, if these are the senders."""
    notebooks = [(notebook.item.path, notebook.unit) for notebook in assigned.notebooks]
    senders = shorten_names(senders, notebooks, people)
    items = assigned.listed.items
    stamps = [item for item in items if item.path[-1] == TIMESTAMP and not (item.is_folder or item.refused)]
    times = {item.path[:-1]: time_in(item) for item in stamps}
    attempts = []
    for notebook in assigned.notebooks:
        if sender := senders.of(notebook.item.path):
            attempts.append(_attempt(notebook, sender, times, people.is_collected))
    attempts, ambiguous = mark_ambiguous(attempts, senders.units)
    handed_in = {(attempt.sender.place, attempt.unit) for attempt in attempts}
    empty_places = places_without_notebook(items, senders, handed_in)
    return Sent(senders, tuple(attempts), ambiguous, tuple(empty_places))


def _attempt(notebook: Notebook, sender: Sender, times: Mapping[Place, tuple[str, str]], is_collected: bool) -> Attempt:
    """Return the attempt; `times` are those that nbgrader has noted, with remarks, by folder."""
    item, unit = notebook.item, notebook.unit
    noted = _outermost(times, item.path, len(sender.place))
    by_platform = time_of(sender.label.time, TIME)
    timestamp, time_remark = (by_platform, "") if by_platform else noted or ("", "")
    inside = item.path[len(sender.place) :]
    is_where_collected = inside == (unit, f"{unit}.ipynb") and len(item.modified) == 1
    is_collected = is_where_collected and (is_collected or noted is not None)
    return Attempt(item, unit, notebook.is_named, notebook.version, sender, timestamp, time_remark, is_collected)


def _outermost(times, path, depth):
    """Return the value of the outermost folder around a file that has one, from `depth` folders on, or one less.

    What lies deeper than nbgrader's own time may be the student's.
    """
    folders = [path[:length] for length in (*range(depth, len(path)), depth - 1)]
    return next((times[folder] for folder in folders if folder in times), None)


def mark_ambiguous(attempts: Sequence[Attempt], units: Sequence[str]) -> tuple[list[Attempt], dict[Place, set[str]]]:
    """Find the attempts of which it is unclear whose they are.

    What a person's name stands on may still be a zip of the whole class, unless a platform or nbgrader made it. Where
    different names stand in it, nothing that bears one of them counts for anybody.

    Return all attempts, those marked, and the names by the place of the sender.
    """
    named = [(attempt, attempt.other_names(units)) for attempt in attempts]
    siblings: dict[tuple[Place, str, tuple[str, ...]], set[str]] = defaultdict(set)
    ambiguous: dict[Place, set[str]] = defaultdict(set)
    for attempt, names in named:
        if attempt.sender.is_certain:
            continue
        place = attempt.sender.place
        for depth, name in enumerate(names):
            siblings[place, attempt.unit, tuple(names[:depth])].add(name)
        if names and any(label.platform for label in attempt.labels(units)):
            ambiguous[place].update(names)
    for (place, *_), names_beside in siblings.items():
        if len(names_beside) > 1:
            ambiguous[place].update(names_beside)
    marked = []
    for attempt, names in named:
        is_ambiguous = bool(names and attempt.sender.place in ambiguous)
        marked.append(replace(attempt, is_ambiguous=is_ambiguous))
    return marked, ambiguous
