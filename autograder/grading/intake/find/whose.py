"""Who is meant by a name that a person has written, such as ``HW2 - Bo Lee``: without the short forms of the unit."""

import re
from collections import defaultdict
from dataclasses import replace

from autograder.grading.intake.find.forms import without_forms, without_number, without_state
from autograder.grading.intake.find.item import where
from autograder.grading.intake.find.names import plain, unit_and_version
from autograder.grading.intake.find.senders import UNNAMED

GLUED = r"(?<=[^\W\d_])0{{0,2}}{}$"  # as in carl02
LONG = 5  # digits of what is rather a number that a school gives
ADVICE = "Put it into a folder with the person's name or username"


def name_senders(places, works, register, roster):
    """Take the short forms of their units from the names that people have given to files, folders and zips.

    A number alone is that of the unit only if it is the right one. Without a roster, nobody but others who have such
    a number, and a wrong one, tells that it belongs to the name: as in a class of student_01, student_02 and so on.

    Parameters
    ----------
    places : Places
        Is changed.
    works : list of tuple
        The notebooks, each an Item with the id of its unit and more.
    register : Register
    roster : Roster or None
    """
    units = units_of(places, works)
    written = {sender: sender.name for sender in places.senders() if sender.is_written}

    def without(name, unit, bare):
        rest = without_forms(name, unit, bare)
        is_somebodys = (roster and roster.who(rest, [rest])) or register.known(rest, {})
        return rest if is_somebodys else without_state(rest)

    whole = {sender: without(name, _only(units[sender.place]), bare=False) for sender, name in written.items()}
    short = {sender: without(name, _only(units[sender.place]), bare=True) for sender, name in written.items()}
    known = set() if roster else {owner["name"] for owner in register.given.values()}
    numbered = {without_number(name) for name in known}
    numbered |= {without_number(whole[sender]) for sender in written if short[sender] == whole[sender]}
    for sender, name in written.items():
        is_numbered = not roster and (short[sender] in numbered - {""} or name in known)
        own = whole[sender] if is_numbered else short[sender]
        if own and own != name:
            people = (own, *sender.label.people[1:])
            places.found[sender.place] = replace(sender, label=replace(sender.label, people=people), written=name)
        elif not own and sender.place in places.files and not (roster and roster.who(name, [name])):
            places.found[sender.place] = UNNAMED


def units_of(places, works):
    """Return by place the ids of the units that a sender has handed in."""
    units = defaultdict(set)
    for item, unit, *_ in works:
        if sender := places.sender(item.path):
            units[sender.place].add(unit)
    return units


def _only(units):
    return next(iter(units)) if len(units) == 1 else ""


def on_roster(sender, units, roster, register, ids):
    """Return the id of a sender by a roster, empty where it has none, and why it has to be asked whose it is.

    Parameters
    ----------
    sender : Sender
        With a name that a person has written.
    units : set of str
        That are handed in.
    roster : Roster
    register : Register
    ids : sequence of str
        Of all units.

    Returns
    -------
    id : str
    why : str
        A sentence; empty for somebody who is simply not on the roster.
    """
    written, unit = sender.written or sender.name, _only(units)
    number = int(unit.partition("_")[0]) if unit else 0
    unglued = re.sub(GLUED.format(number), "", sender.name) if unit else sender.name
    who = roster.who(written, [written, sender.name, unglued], unit.split("_"))
    if len(who) == 1:
        return who[0], ""
    told = f"{where(sender.place)} was refused: whose is this? "
    if who:
        return "", f"{told}It may be {' or '.join(who)}. {ADVICE}."
    name = plain(sender.place[-1])
    is_plain = not sender.written and (not sender.is_file or unit_and_version((name,), ids)[0])
    if is_plain or register.known(sender.name, {}):
        return "", ""
    return (
        "",
        f"{told}Nobody on the roster is called {where((sender.name,))}. {ADVICE}, or add the person to the roster.",
    )


def warnings_of(candidates, register):
    """Yield a sentence for names that differ in a number only, and were never handed in for the same unit."""
    for one in candidates:
        register.note_unit(one.student, one.unit, one.attempts[0].sender)
    alike = defaultdict(dict)
    for id, owner in register.given.items():
        if owner.get("units") and re.search(r"\d", id) and not re.search(rf"\d{{{LONG}}}", id):
            alike[re.sub(r"\d+", "0", id)][id] = owner["units"]
    here = {one.student for one in candidates}
    for units in alike.values():
        handed_in = [unit for its in units.values() for unit in its]
        if len(units) > 1 and len(set(handed_in)) == len(handed_in) and here & units.keys():
            names = ", ".join(sorted(units))
            yield (
                f"Is this one student? {names} have handed in different units, and differ in a number only. If it is, "
                "rename the files, or name a roster."
            )
