"""Where a submission has changed its owner, as when a roster comes: the former owner's line goes everywhere."""

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Mapping
from glob import escape

from nbgrader.api import MissingEntry

from autograder.grading.agreement import keep_ids
from autograder.grading.given import hand_over_left_behind
from autograder.grading.gradebook import ClassGradebook
from autograder.grading.intake.find.register import Register, read_register
from autograder.grading.leaving import delete
from autograder.grading.notes import WHOSE, Note
from autograder.grading.verdicts.store import COLLECTED, MARK, PARTS, Store

GIVEN = ("manual_score", "extra_credit", "manual_comment")  # what people have decided in formgrader


def invented(store: Store, register: Register, enrolled: Collection[str]) -> dict[tuple[str, str], str]:
    """Return who was invented from the name of a file, before a roster told who there is.

    Parameters
    ----------
    store : Store
    register : Register
    enrolled : collection of str
        Ids of those on the roster; without one, nobody was invented.

    Returns
    -------
    dict
        By unit and content, the id of the only one who has handed in just this.
    """
    owners: dict[tuple[str, str], set[str]] = defaultdict(set)
    for student, unit in store.traces() if enrolled else ():
        owners[unit, store.mark(student, unit).get("content", "")].add(student)
    only = {key: next(iter(its)) for key, its in owners.items() if len(its) == 1}
    return {key: id for key, id in only.items() if id not in enrolled and register.given.get(id, {}).get("units")}


def owners_before(
    store: Store,
    invented: Mapping[tuple[str, str], str],
    graded: Iterable[tuple[str, str]],
    here: Container[str],
) -> dict[tuple[str, str], set[str]]:
    """Return whose a file was that has just been graded for somebody else, by the student it counts for and its unit.

    Parameters
    ----------
    store : Store
    invented : dict
        As `invented` has returned it before the run.
    graded : iterable of tuple
        Student and unit of what was committed in the run.
    here : container of str
        Ids of those who have handed in this time: their lines stay theirs.

    Returns
    -------
    dict of set
    """
    now: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for student, unit in graded:
        now[unit, store.mark(student, unit)["content"]].append((student, unit))
    return {
        its[0]: {invented[key]}
        for key, its in now.items()
        if key in invented and invented[key] not in here and len(its) == 1
    }


def hand_over(
    store: Store, gradebook: ClassGradebook, former: Mapping[tuple[str, str], Iterable[str]]
) -> list[str]:
    """Delete what is kept of submissions that count for somebody else now.

    Parameters
    ----------
    store : Store
    gradebook : ClassGradebook
    former : dict of set
        By student and unit, the ids under which the same senders have handed in before.

    Returns
    -------
    list of str
        What was done, in sentences.
    """
    told: list[str] = []
    register = read_register(store.ids)
    pairs = [(student, unit, id) for (student, unit), ids in sorted(former.items()) for id in sorted(ids)]
    for student, unit, id in pairs:
        now, before = store.mark(student, unit), store.mark(id, unit)
        if not (now and before):
            continue
        if now["content"] != before["content"] and _points(before) > _points(now):
            stay = f"{unit}: {id} is {student} by now, but has more points there, so both lines stay."
            told.append(Note(stay, WHOSE))
            continue
        _give(gradebook.book, unit, id, student)
        hand_over_left_behind(store, id, student, unit)
        for part in (*PARTS, COLLECTED):
            delete(store.folder / part / id / unit)
        kept = sorted(path.parent.name for path in store.folder.glob(f"records/{escape(id)}/*/{MARK}"))
        rest = f"the line of {id} keeps {', '.join(kept)}" if kept else f"the line of {id} is gone"
        told.append(Note(f"{unit}: what was {id}'s counts for {student} now, and {rest}.", WHOSE))
        if not kept:
            gradebook.forget(id)
            register.given.pop(id, None)
            for part in (*PARTS, COLLECTED):
                delete(store.folder / part / id)
            store.state.note(nothing={other: its for other, its in store.state.nothing().items() if other != id})
    if told:
        keep_ids(store, register)
    return told


def _points(mark):
    return sum(filter(None, mark["scores"].values()))


def _give(book, unit, former, student):
    """Give what people have decided on a submission to its new owner, and take it out of the gradebook."""
    try:
        old, new = book.find_submission(unit, former), book.find_submission(unit, student)
    except MissingEntry:  # a run was interrupted here
        return
    new.extension = new.extension or old.extension
    for kind in ("grades", "comments"):
        theirs = {one.name: one for notebook in new.notebooks for one in getattr(notebook, kind)}
        for one in (one for notebook in old.notebooks for one in getattr(notebook, kind)):
            for name in GIVEN:
                if getattr(one, name, None) is not None and getattr(theirs[one.name], name) is None:
                    setattr(theirs[one.name], name, getattr(one, name))
    book.db.commit()
    book.remove_submission(unit, former)
