"""Who is meant by a name that a person has written, such as ``HW2 - Bo Lee``: without the short forms of the unit."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from autograder.grading.intake.find.names import stem_of, unit_and_version
from autograder.grading.intake.find.roster import People, Roster
from autograder.grading.intake.find.senders import UNNAMED_FILE, Place, Sender, Senders
from autograder.grading.intake.find.short_forms import without_forms, without_number, without_state
from autograder.grading.intake.find.wording import escape_path, refusal

GLUED = r"(?<=[^\W\d_])0{{0,2}}{}$"  # as in carl02
MIN_DIGITS = 5  # of what is rather a number that a school gives
ADVICE = "Put it into a folder with the person's name or username"
TELL_APART = (
    "A roster with the platform's numbers tells whose work it is, such as Moodle's grading worksheet for the "
    "assignment: `--roster FILE`. Or put each one's file into a folder with the username."
)
FOLDER = "Put it into a folder with the person's username or number, as the roster has it."


def shorten_names(senders: Senders, notebooks: Iterable[tuple[Place, str]], people: People) -> Senders:
    """Return the senders without the short forms of their units in the names that people have given.

    A number alone is that of the unit only if it is the right one. Without a roster, nobody but others who have such
    a number, and a wrong one, tells that it belongs to the name: as in a class of student_01, student_02 and so on.

    Parameters
    ----------
    senders : Senders
    notebooks : iterable of tuple
        The path of each, and the id of its unit.
    people : People
    """
    units: dict[Place, set[str]] = defaultdict(set)
    for path, unit in notebooks:
        if sender := senders.of(path):
            units[sender.place].add(unit)
    written = [sender for sender in senders if sender.is_written]
    with_number, short = (
        {sender.place: _without_unit(sender.name, units[sender.place], people, bare) for sender in written}
        for bare in (False, True)
    )
    roster = people.roster
    known_names = set() if roster else {owner["name"] for owner in people.register.given.values()}
    numbered = {without_number(name) for name in known_names}
    numbered |= {without_number(name) for place, name in with_number.items() if short[place] == name}
    renamed = senders.copy()
    for sender in written:
        place, name = sender.place, sender.name
        keeps_number = not roster and (short[place] in numbered - {""} or name in known_names)
        shortened = with_number[place] if keeps_number else short[place]
        if shortened and shortened != name:
            label = replace(sender.label, people=(shortened, *sender.label.people[1:]))
            renamed.by_place[place] = replace(sender, label=label, written=name)
        elif not shortened and senders.is_single_file(place) and not (roster and roster.possible_ids(name, [name])):
            del renamed.by_place[place]
            renamed.nameless[place] = UNNAMED_FILE
    return renamed


def _without_unit(name, units, people, bare):
    """Return a name without the short forms of its unit, and of the state of the work unless somebody is called so."""
    rest = without_forms(name, _only(units), bare)
    is_somebodys = (people.roster and people.roster.possible_ids(rest, [rest])) or people.register.lookup(rest, {})
    return rest if is_somebodys else without_state(rest)


def _only(units):
    return next(iter(units)) if len(units) == 1 else ""


def find_on_roster(sender: Sender, units: set[str], roster: Roster, all_units: Sequence[str]) -> tuple[str, str]:
    """Return the id by the roster of a sender whose name a person has written, and why it has to be asked who it is.

    One of them is empty; both are for somebody who is simply not on the roster. `units` are those that are handed in.
    """
    written = sender.written or sender.name
    unit = _only(units)
    unglued = re.sub(GLUED.format(int(unit.partition("_")[0])), "", sender.name) if unit else sender.name
    possible = roster.possible_ids(written, [written, sender.name, unglued], unit.split("_"))
    if len(possible) == 1:
        return possible[0], ""
    if possible:
        return "", _question(sender, possible, f"{ADVICE}.")
    names_unit = unit_and_version((stem_of(sender.place[-1]),), all_units)[0]
    is_plain = not sender.written and (not sender.is_file or names_unit)
    if is_plain or roster.register.lookup(sender.name, {}):
        return "", ""
    nobody = f"whose is this? Nobody on the roster is called {escape_path((sender.name,))}."
    return "", refusal(sender.place, f"{nobody} {ADVICE}, or add the person to the roster.")


def ask_which_namesake(sender: Sender, roster: Roster) -> str:
    """Return the question which of several people of one name a sender is; empty where there are not several."""
    possible = roster.namesakes(sender.name)
    return _question(sender, possible, TELL_APART if sender.label.account else FOLDER) if possible else ""


def _question(sender, possible, advice):
    return refusal(sender.place, f"whose is this? It may be {' or '.join(possible)}. {advice}")


def similar_name_warnings(students: Iterable[str], people: People) -> Iterator[str]:
    """Yield a sentence for names that differ in a number only, and were never handed in for the same unit.

    `students` are the ids of those who hand in now.
    """
    units_by_form: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for id, owner in people.register.given.items():
        if owner.get("units") and re.search(r"\d", id) and not re.search(rf"\d{{{MIN_DIGITS}}}", id):
            units_by_form[re.sub(r"\d+", "0", id)][id] = owner["units"]
    current = set(students)
    for units in units_by_form.values():
        handed_in = [unit for its_units in units.values() for unit in its_units]
        if len(units) > 1 and len(set(handed_in)) == len(handed_in) and current & units.keys():
            yield (
                f"Is this one student? {', '.join(sorted(units))} have handed in different units, and differ in a "
                "number only. If it is, rename the files, or name a roster."
            )
