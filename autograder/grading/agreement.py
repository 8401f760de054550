"""What is kept of a class has to agree: nobody is missing from a table because a file is lost or cannot be read."""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from autograder.grading.commit import lacks, page_says
from autograder.grading.given import left_behind
from autograder.grading.intake.find.register import Register
from autograder.grading.intake.submission import Submission
from autograder.grading.verdicts.record import Record
from autograder.grading.verdicts.store import COLLECTED, Store
from autograder.registry import units

if TYPE_CHECKING:  # it imports this module
    from autograder.grading.opened import OpenedClass

FILES = {  # that every run leaves: what they say, and what to do without a backup
    "ids": (
        "which student has which id",
        "write {} into it: then students of similar names might get each other's ids",
    ),
    "intake": (
        "who has handed in something else than a notebook, and who was taken out of the gradebook",
        "write {} into it, and grade again what was handed in, of all weeks",
    ),
    "roster": (
        "who is in the class",
        "name the roster again (`course grade --roster FILE`), or write [] into it if there is to be none",
    ),
}


def require_files(store: Store, register: Register, with_roster: bool = False) -> None:
    """Refuse to go on where a file of earlier runs is missing, or lacks ids that were given.

    Parameters
    ----------
    store : Store
    register : Register
        Of the class, as it is kept.
    with_roster : bool
        Whether a new roster takes the place of the one that is kept.

    Raises
    ------
    ValueError
        Says which file it is, and what to do.
    """
    paths = {"ids": store.ids, "intake": store.state.path, "roster": store.roster}
    missing = [name for name in ("ids", "intake") if not paths[name].exists()]
    is_new = not store.traces() and (len(missing) > 1 or not store.grades.exists())  # nothing was graded here
    missing = [] if is_new else missing
    if any("roster" in owner["accounts"] for owner in register.given.values()) and not with_roster:
        missing += [] if paths["roster"].exists() else ["roster"]
    absent = sorted(set(store.state.ids()) - register.given.keys()) if register.given else []
    if absent and not missing:
        raise ValueError(
            f"{store.ids} lacks {', '.join(absent)}, to whom ids were given: it is an older copy, or incomplete. Take "
            f"the latest one from a backup. Without one, {FILES['ids'][1]}."
        )
    for name in missing:
        what, remedy = FILES[name]
        raise ValueError(
            f"{paths[name]} is missing, which says {what}. Take it from a backup. Without one, {remedy}."
        )


def keep_ids(store: Store, register: Register) -> None:
    """Write the register, and separately the ids in it, by which an older copy of it is recognised.

    Parameters
    ----------
    store : Store
    register : Register
    """
    # Whoever is forgotten is taken off first: killed in between, a run would leave an id that seems to be missing.
    store.state.note(ids=[id for id in store.state.ids() if id in register.given])
    register.write(store.ids)
    store.state.note(ids=sorted(register.given))


def lost(
    store: Store,
    committed: Iterable[tuple[Submission, list[Record]]],
    finals: Iterable[tuple[str, str]],
    gone: Collection[str],
) -> list[tuple[Submission, list[Record]]]:
    """Return what was graded once and cannot be read any more.

    Parameters
    ----------
    store : Store
    committed : list of tuple
        What can be read, as the store gives it.
    finals : iterable of tuple
        Student and unit of what the gradebook has.
    gone : set of str
        Ids of those who were taken out of the gradebook.

    Returns
    -------
    list of tuple
        Of a Submission that says nothing but whose it is, and of no records: so it has its place in every table, and
        no points.
    """
    known = {unit.id for unit in units()}
    there = {(submission.student, submission.unit) for submission, _ in committed}
    ever = {(student, unit) for student, unit in {*store.traces(), *finals} if unit in known and student not in gone}
    return [(Submission(student, unit, "", b"", None), []) for student, unit in sorted(ever - there)]


def disagreements(opened: "OpenedClass") -> list[str]:
    """Return in sentences what is not the same in records, gradebook and pages, and what to do about it.

    Parameters
    ----------
    opened : OpenedClass
        After its tables and pages have been written.

    Returns
    -------
    list of str
    """
    found = []
    for submission, records in opened.committed:
        why = _why(opened, submission, records)
        found += [f"{submission.student}, {submission.unit}: {why}"] if why else []
    return found + left_behind(opened.store, {submission.student for submission in opened.submissions})


def _why(opened, submission, records):
    student, unit = submission.student, submission.unit
    final = opened.finals.get((student, unit))
    again = _again(opened.store, student, unit)
    if not records:
        folder = opened.store.place("records", student, unit, "")
        state = (
            f"in {folder} are incomplete or cannot be read" if folder.is_dir() else f"are missing: there is no {folder}"
        )
        return f"its verdicts {state}, so it has no points in the tables. {again}"
    if final is None:
        return f"it is not in the gradebook. {again}"
    if (student, unit) in opened.stale:
        return f"its points or its time in the gradebook are not those of its verdicts. {again}"
    if not page_says(opened.store, submission, final, opened.persons):
        return f"its page cannot be written, since its verdicts are those of another version of the course. {again}"
    is_own = submission.by in ("", student)  # in the exchange lies the file of one member of a group
    missing = [part for part in lacks(opened.store, student, unit) if is_own or part != COLLECTED]
    if missing:
        return f"its notebook is missing from {opened.store.folder}/{' and '.join(missing)}. {again}"
    return ""


def _again(store, student, unit):
    """Say how to grade something again."""
    if store.place(store.collected.name, student, unit, f"{unit}.ipynb").exists():
        return f"Grade it again: course grade --student {student} --unit {unit[:2]}"
    return "Grade again the folder or zip in which it came."
