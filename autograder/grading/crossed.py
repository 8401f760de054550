"""Whether the ids are those of their owners: what else is kept may say that entries of `ids.json` were exchanged."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from autograder.grading.intake.find.names import key_of, label_of, student_id
from autograder.grading.intake.find.platforms import CANVAS
from autograder.grading.intake.find.register import CODE_LENGTH
from autograder.grading.intake.find.roster import Person, mark_of
from autograder.grading.intake.find.wording import printable
from autograder.grading.verdicts.store import Store

CODE = rf"(?:-[0-9a-f]{{{CODE_LENGTH}}})?"  # behind an id that was taken
Given = Mapping[str, Mapping[str, Any]]
# What it is in words; what there is of it under an id; and whether something is that of an id, None where nothing says.
Evidence = tuple[str, Callable[[str], list[Any]], Callable[[Any, str], bool | None]]


def require_owners(store: Store, given: Given, people: Sequence[Person]) -> None:
    """Refuse to go on where an id has what belongs to another student.

    Parameters
    ----------
    store : Store
    given : dict
        By id, what is kept of its owner; see `Register`.
    people : sequence of Person
        Those on the roster.

    Raises
    ------
    ValueError
        Says whose entries they are, and what to do.
    """
    told = list(dict.fromkeys(_crossed(given, _all_evidence(store, given, people))))
    if told:
        raise ValueError(
            f"{store.ids} has under the id of one student what is another's: {'; '.join(told)}. So points and names "
            "would go to the wrong people. Take it from a backup. Without one, put these entries back under their own "
            "ids, or write {} into it: then students of similar names might get each other's ids."
        )


def _crossed(given: Given, evidence: Sequence[Evidence]) -> Iterator[str]:
    """Yield in words what stands under an id and is not its owner's, but another's."""
    for what, values_of, is_of in evidence:
        for id in given:
            for value in values_of(id):
                if is_of(value, id) is False:
                    others = [other for other in given if other != id and is_of(value, other)]
                    if others:
                        yield f"{what} of {others[0]} is with {id}"


def _all_evidence(store: Store, given: Given, people: Sequence[Person]) -> list[Evidence]:
    persons = {mark_of(person): person for person in people}
    numbers = {id: _number(persons.get(owner["accounts"].get("roster"))) for id, owner in given.items()}
    lines = {id: owner["accounts"].get("roster", "").split() for id, owner in given.items()}
    came = {id: [*owner.get("came as", {}).items()] for id, owner in given.items()}
    origins = {(id, unit): _origin(store, id, unit) for id, its in came.items() for unit, _ in its}

    def names(id):
        return [given[id]["name"]]

    def canvas(id):
        return [number for scope, number in given[id]["accounts"].items() if scope == CANVAS]

    def accounts(id):
        labels = [(unit, label_of(name, ())) for unit, name in came[id]]
        return [one for unit, label in labels for one in label.accounts([unit]).items()]

    return [
        ("the name", names, lambda name, id: bool(re.fullmatch(re.escape(student_id(name)) + CODE, id))),
        ("the line of the roster", names, lambda name, id: key_of(name) in lines[id] if lines[id] else None),
        ("Canvas's number", canvas, lambda number, id: number == numbers[id] if numbers[id] else None),
        ("a platform's number", accounts, lambda one, id: given[id]["accounts"].get(one[0]) == one[1]),
        ("the name of a file", came.__getitem__, lambda one, id: _lies_in(one, id, origins)),
    ]


def _number(person):
    return person.numbers.get(CANVAS, "") if person else ""


def _origin(store, student, unit):
    """Return where somebody's own file came from, as their verdicts have it; empty where that is not known."""
    submission = store.mark(student, unit).get("submission", {})
    return "" if submission.get("together") else submission.get("origin", "")


def _lies_in(file, id, origins):
    """Return whether a file, its unit and the name that a platform gave it, is the one from which verdicts came."""
    unit, name = file
    origin = origins.get((id, unit))
    return printable(name) in origin if origin else None
