"""Which student an attempt belongs to: senders get ids, and what bears another student's name counts for nobody."""

from collections import defaultdict
from dataclasses import dataclass, replace

from autograder.grading.intake.find.forms import without_forms
from autograder.grading.intake.find.ids import look
from autograder.grading.intake.find.item import Item, shown, where
from autograder.grading.intake.find.names import label, student_id
from autograder.grading.intake.find.senders import Sender, either
from autograder.grading.intake.find.whose import on_roster

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


def ids_of(places, attempts, empty, register, roster=None, collected=False):
    """Give ids to the senders that need one, in the order of their places.

    Parameters
    ----------
    places : Places
    attempts : sequence of Attempt
    empty : list of tuple
        Of senders without a notebook, as `without_notebook` finds them.
    register : Register
    roster : Roster, optional
        Whoever is on it has the id that it says.
    collected : bool
        Whether a folder that is called like an id is that student's.

    Returns
    -------
    ids : dict
        By place.
    remarks : list of str
        On ids that are not the names.
    asked : list of str
        Of which it has to be asked whose they are: they have no id.
    """
    units = defaultdict(set)
    handed_in = [(attempt.sender.place, attempt.unit) for attempt in attempts if not attempt.is_unclear]
    for place, unit in [*handed_in, *((sender.place, unit) for sender, unit, _ in empty)]:
        units[place].add(unit)
    senders = {one.place: (one, _accounts(one, units[one.place])) for one in places.senders() if one.place in units}
    enrolled, asked = _enrolled(senders, units, register, roster, places.units)
    if collected:
        enrolled |= {place: one.name for place, (one, _) in senders.items() if one.name in register.given}
    asked = {place: why for place, why in asked.items() if not enrolled.get(place)}
    senders = {place: one for place, one in senders.items() if place not in asked}
    meant = {place: enrolled.get(place) or sender.name for place, (sender, _) in senders.items()}
    numbers = defaultdict(set)
    for place, (sender, accounts) in senders.items():
        numbers[meant[place], "platforms"].update({sender.label.platform} - {""})  # one may be in a name only
        for scope, number in accounts.items():
            numbers[meant[place], scope].add(number)
    contested = {name for (name, _), of_one_name in numbers.items() if len(of_one_name) > 1}
    ids = {}
    for place, (sender, accounts) in senders.items():
        several = meant[place] in contested
        if enrolled.get(place) and not several:
            ids[place] = register.admit(enrolled[place], accounts)
        else:
            ids[place] = register.id_of(sender.name, accounts, several)
    contested = {sender.name for place, (sender, _) in senders.items() if meant[place] in contested}
    owners = [(sender, ids[place]) for place, (sender, _) in senders.items() if ids[place] != enrolled.get(place)]
    groups = dict.fromkeys(shown(sender.label.group) for sender, _ in senders.values() if sender.label.group)
    remarks = list(_remarks(owners, contested))
    if groups:
        its = listed(list(groups))
        remarks.append(f"Moodle put groups before the names, {its}: each member has the group's submission.")
    return ids, remarks, list(asked.values())


def _enrolled(senders, units, register, roster, all_units):
    """Return by place the ids by a roster, and by place why it has to be asked whose something is."""
    enrolled, asked = {}, {}
    for place, (sender, accounts) in senders.items() if roster else ():
        if sender.is_written:
            enrolled[place], why = on_roster(sender, units[place], roster, register, all_units)
            asked |= {place: why} if why else {}
        else:
            enrolled[place] = roster.id_of(sender.label, accounts)
    return enrolled, asked


def _remarks(owners, contested):
    """Say which ids are not the names, and where platforms gave numbers in the place of names.

    Parameters
    ----------
    owners : list of (Sender, str)
        With their ids.
    contested : container of str
        Names of several students.
    """
    of_one_name, anonymous = defaultdict(dict), defaultdict(set)
    for sender, id in owners:
        name, label = sender.name, sender.label
        if label.is_anonymous:
            anonymous[label.platform].add(id)
        elif name in contested or id not in (name, name.replace(" ", "_")):
            of_one_name[name][id] = f"{label.platform} {label.account}".strip()
    for name, its in sorted(of_one_name.items()):
        if name in contested:
            whose = listed([f"{id} ({account})" for id, account in its.items()])
            yield f"Several students are called {shown(name)}. Their ids are {whose}."
        else:
            why = ", because another student has one like it"
            yield from (f"The id of {shown(name)} is {id}{'' if id == student_id(name) else why}." for id in its)
    for platform, them in anonymous.items():
        yield f"{platform} gave numbers for {len(them)} names. They are this assignment's: another unit has others."


def _accounts(sender, units):
    """Return the account by where it means the same student: most platforms give new ones for every assignment."""
    name, account = sender.label.platform, sender.label.account
    if name in ("Moodle", "Blackboard", "Brightspace"):
        return {f"{name} {unit}": account for unit in sorted(units)}
    return {name: account} if account else {}


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
