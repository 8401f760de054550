"""The attempts of students: what is unclear, or bears another student's name, counts for nobody."""

from collections import defaultdict
from dataclasses import dataclass, replace

from autograder.grading.intake.find.forms import without_forms
from autograder.grading.intake.find.ids import look
from autograder.grading.intake.find.item import Item, shown, where
from autograder.grading.intake.find.names import label, student_id
from autograder.grading.intake.find.senders import Sender, either

NOT_YOURS = "A notebook that was handed in here bears the name of another student, so it does not count: {where}."
NOT_THEIRS = "Somebody else handed in a notebook under this name. It does not count, and nothing else changes."
MANY = 8  # names that are listed
MAX_PARTS = 12  # of a path that are read: the deepest folders name nobody


@dataclass(frozen=True)
class Attempt:
    """One notebook that was found.

    Attributes
    ----------
    item : Item
    sender : Sender
    unit : str
        Id.
    is_named : bool
        Whether its path names the unit.
    number : int
        Of the version, as its name has it.
    timestamp : str
        In ISO 8601; empty where the time is not known.
    remark : str
        What has to be said of the time, if anything.
    is_collected : bool
        Whether it lies where nbgrader collects, as the one file that it would grade.
    is_unclear : bool
        Whether it bears one of several names under its sender's, which may all be those of students.
    bears_another_name : bool
        Whether it is refused, because it bears the name of another student.
    """

    item: Item
    sender: Sender
    unit: str
    is_named: bool
    number: int = 0
    timestamp: str = ""
    remark: str = ""
    is_collected: bool = False
    is_unclear: bool = False
    bears_another_name: bool = False

    @property
    def inside(self):
        """Its path below the sender's place."""
        return self.item.path[len(self.sender.place) :]

    def labels(self, units):
        """Return what the names say that the student has given."""
        rest = self.sender.label.rest
        parts = [*self.inside[: MAX_PARTS - 1], *self.inside[MAX_PARTS - 1 :][-1:]] or ([rest] if rest else [])
        return [label(part, units, is_file=place == len(parts)) for place, part in enumerate(parts, start=1)]

    def names(self, units):
        """Return the names in them that may be another person's, the outermost first."""
        people = [*self.sender.label.people[1:], *(name for one in self.labels(units) for name in one.people)]
        own = {look(student_id(name)) for name in (self.sender.name, self.sender.written)}
        others = [name for name in people if look(student_id(name)) not in own]
        short = [without_forms(name, self.unit) for name in others]
        return [name for name in short if name and look(student_id(name)) not in own]


def clear(attempts, units):
    """Find the attempts of which it is unclear whose they are.

    What a person's name stands on may still be a zip of the whole class, unless a platform or nbgrader made it. Where
    different names stand in it, nothing that bears one of them counts for anybody.

    Parameters
    ----------
    attempts : sequence of Attempt
    units : sequence of str
        Ids.

    Returns
    -------
    attempts : list of Attempt
        All of them, those marked.
    unclear : dict of set
        The names by the place of the sender.
    """
    named = [(attempt, attempt.names(units)) for attempt in attempts]
    below, unclear = defaultdict(set), defaultdict(set)
    for attempt, names in named:
        if attempt.sender.is_certain:
            continue
        place = attempt.sender.place
        for depth, name in enumerate(names):
            below[place, attempt.unit, tuple(names[:depth])].add(name)
        if names and any(one.platform for one in attempt.labels(units)):
            unclear[place].update(names)
    for (place, *_), names in below.items():
        if len(names) > 1:
            unclear[place].update(names)
    return [replace(one, is_unclear=bool(names and one.sender.place in unclear)) for one, names in named], unclear


def refusals_of(unclear):
    """Say why nothing counts that bears different names."""
    for place, names in unclear.items():
        why = either(place, f"it holds notebooks under the names {listed(sorted(map(shown, names)))}")
        yield f"{where(place)} was refused: {why}"


def under_other_names(mine, units, register, teams):
    """Refuse what bears another student's name.

    Parameters
    ----------
    mine : list of (str, Attempt)
        With the ids of the senders.
    units : sequence of str
        Ids.
    register : Register
    teams : dict of tuple
        By student, the ids of those who hand in together: they may bear each other's names.

    Returns
    -------
    mine : list of (str, Attempt)
        Without what is unclear. What is refused stays its sender's, so that it has a verdict.
    notes : dict of list of str
        By student and unit, what their pages say of it.
    """
    checked, notes, members = [], defaultdict(list), defaultdict(set)
    for student, attempt in mine:
        members[attempt.sender.label.group].add(student)
    members[""] = set()  # who is in no group
    for student, attempt in mine:
        together = members[attempt.sender.label.group] | {"", student, *teams.get(student, ())}
        others = sorted({register.id_like(name) for name in attempt.names(units)} - together)
        if others:
            notes[student, attempt.unit].append(NOT_YOURS.format(where=attempt.item.where))
            for other in others:
                notes[other, attempt.unit].append(NOT_THEIRS)
            whose = f"it is from {student}, and bears the name of {listed(others)}"
            why = f"{attempt.item.where} was refused: {whose}."
            refused = replace(attempt.item, read=None, refused=why)
            attempt = replace(attempt, item=refused, bears_another_name=True)
        if others or not attempt.is_unclear:
            checked.append((student, attempt))
    return checked, {key: list(dict.fromkeys(sentences))[:MANY] for key, sentences in notes.items()}


def listed(names):
    """Return names for a sentence, and how many more there are."""
    more = f" and {len(names) - MANY} more" if len(names) > MANY else ""
    return ", ".join(names[:MANY]) + more
