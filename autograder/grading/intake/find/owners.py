"""Whose the work of each sender is: the ids of students, by name, by account, and by the roster."""

from collections import defaultdict

from autograder.grading.intake.find.item import shown
from autograder.grading.intake.find.names import student_id
from autograder.grading.intake.find.students import listed
from autograder.grading.intake.find.whose import on_roster


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
    former : dict of set
        By place, the ids that the same sender had before.
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
    before = {
        place: {register.known(name, accounts) for name in (one.name, one.written) if name}
        for place, (one, accounts) in senders.items()
        if not collected  # there, a folder is called by an id
    }
    meant = {place: enrolled.get(place) or sender.name for place, (sender, _) in senders.items()}
    contested, ids = _contested(senders, meant), {}
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
    here = {"", *ids.values(), *(roster.ids.values() if roster else ())}
    return ids, remarks, list(asked.values()), {place: its - here for place, its in before.items() if its - here}


def _contested(senders, meant):
    """Return the names of which numbers or platforms say that they are those of several students."""
    numbers = defaultdict(set)
    for place, (sender, accounts) in senders.items():
        numbers[meant[place], "platforms"].update({sender.label.platform} - {""})  # one may be in a name only
        for scope, number in accounts.items():
            numbers[meant[place], scope].add(number)
    return {name for (name, _), of_one_name in numbers.items() if len(of_one_name) > 1}


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
