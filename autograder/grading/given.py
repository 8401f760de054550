"""What people have given in a gradebook that is lost: it is kept and told until it is given again, or let go."""

from collections.abc import Container, Mapping
from typing import Any

from autograder.grading.final import Final
from autograder.grading.gradebook import ClassGradebook
from autograder.grading.intake.find.wording import printable
from autograder.grading.stale import is_older
from autograder.grading.verdicts.store import Store

KINDS = {"by_hand": "points", "extra": "extra points", "answers": "points for an answer", "comments": "a comment"}


def note_left_behind(store: Store, gradebook: ClassGradebook) -> None:
    """Keep what people had given in the gradebook of before, and is not in this one: a new one, or an older copy.

    Where the points of a submission are not those that were entered last, its rows were lost or are older ones.

    Parameters
    ----------
    store : Store
    gradebook : ClassGradebook
    """
    before, entries, finals = store.state.gradebook(), gradebook.committed(), gradebook.finals()
    cut = gradebook.incomplete()
    is_other = bool(before) and not before.items() & gradebook.assignments().items()
    is_other = is_other or is_older(store, gradebook)
    left = store.state.left_behind()
    for student, unit in sorted(store.traces()):
        mark, entry = store.mark(student, unit), entries.get((student, unit))
        as_before = entry and (student, unit) not in cut and mark.get("scores", {}).items() <= entry.scores.items()
        if mark and (is_other or not as_before):
            given, here = _given(mark.get("final") or {}), finals.get((student, unit))
            if still := _still(given, _given(here.plain()) if here else {}):
                left.setdefault(student, {})[unit] = still
    if left != store.state.left_behind():
        store.state.note(left_behind=left)


def note_given_again(store: Store, finals: Mapping[tuple[str, str], Final]) -> None:
    """Forget what stands in the gradebook again.

    Parameters
    ----------
    store : Store
    finals : dict of Final
        By student and unit.
    """
    before = store.state.left_behind()
    left: dict[str, dict[str, Any]] = {}
    for student, unit, given in _each(before):
        again = _given(finals[student, unit].plain()) if (student, unit) in finals else {}
        if still := _still(given, again):
            left.setdefault(student, {})[unit] = still
    if left != before:
        store.state.note(left_behind=left)


def left_behind(store: Store, students: Container[str]) -> list[str]:
    """Say in sentences what of some students is lost, and what to do about it.

    Parameters
    ----------
    store : Store
    students : container of str

    Returns
    -------
    list of str
    """
    return [
        f"{student}, {unit}: {_kinds(given)} that people have given are not in the gradebook any more: "
        f"{_in_words(given)}. Put back the one of before, or give them again. If they are not to count any more: "
        "course report --let-go"
        for student, unit, given in _each(store.state.left_behind())
        if student in students
    ]


def hand_over_left_behind(store: Store, former: str, student: str, unit: str) -> None:
    """Let what is lost of a submission be told of its new owner."""
    left = store.state.left_behind()
    if unit not in left.get(former, {}):
        return
    given = left[former].pop(unit)
    left.setdefault(student, {})[unit] = given
    store.state.note(left_behind=left)


def _still(given, again):
    """Return what was given and is not there again, by kind and cell."""
    still = {kind: {cell: its[cell] for cell in its.keys() - again.get(kind, {})} for kind, its in given.items()}
    return {kind: its for kind, its in still.items() if its}


def _each(left):
    return [(student, unit, given) for student, its in sorted(left.items()) for unit, given in sorted(its.items())]


def _given(final):
    """Return of a Final in plain values by kind and cell what people have given."""
    answers = {cell: one["points"] for cell, one in final.get("answers", {}).items() if one["points"]}
    given = {kind: answers if kind == "answers" else final.get(kind) for kind in KINDS}
    return {kind: its for kind, its in given.items() if its}


def _kinds(given):
    kinds = ["points"] if given.keys() - {"comments"} else []
    if "comments" in given:
        kinds.append("comments")
    return " and ".join(kinds)


def _in_words(given):
    told = [(cell, KINDS[kind], value) for kind, its in given.items() for cell, value in sorted(its.items())]
    return "; ".join(
        f"{cell}: {what} “{printable(value)}”" if isinstance(value, str) else f"{cell}: {value:g} {what}"
        for cell, what, value in told
    )
