"""Who leaves a class: whoever was taken out of the gradebook, and whoever is forgotten."""

import re
import shutil
from pathlib import Path

from autograder.grading.agreement import keep_ids
from autograder.grading.archives import forget_in_archives
from autograder.grading.database import forget_in_copy
from autograder.grading.gradebook import ClassGradebook
from autograder.grading.intake.find.register import read_register
from autograder.grading.intake.find.roster import Roster, read_people, write_people
from autograder.grading.stale import is_older, note_number
from autograder.grading.ticked import read_ticked, write_ticked
from autograder.grading.traces import is_database, is_named_in, mentions
from autograder.grading.verdicts.store import COLLECTED, PARTS, Store

EXPORT = "export"  # the folder of `course export`, if no other is named


def removed(store: Store, gradebook: ClassGradebook) -> set[str]:
    """Return the ids of those who have verdicts and were taken out of the gradebook.

    In a new gradebook, after the old one was lost or set aside, or in an older copy of it, nobody counts as taken out.
    """
    is_the_same = store.state.gradebook().items() & gradebook.assignments().items() and not is_older(store, gradebook)
    return store.students() - gradebook.students() if is_the_same else set()


def note_gradebook(store: Store, gradebook: ClassGradebook) -> None:
    """Keep which gradebook everybody stands in."""
    is_complete = store.students() <= gradebook.students()
    if is_complete:
        store.state.note(gradebook=gradebook.assignments())
    if is_complete or not is_older(store, gradebook):
        note_number(store, gradebook)


def forget(store: Store, gradebook: ClassGradebook, student: str) -> tuple[list[str], set[str]]:
    """Delete all that is kept of a student.

    Parameters
    ----------
    store : Store
    gradebook : ClassGradebook
    student : str
        Id.

    Returns
    -------
    deleted : list of str
        What was deleted, as paths and in words.
    names : set of str
        By which the student may still be mentioned.

    Raises
    ------
    ValueError
        If there is nobody with this id.
    """
    names = names_of(store, gradebook, student)
    deleted = [str(folder) for folder in folders_of(store, gradebook, student) if delete(folder)]
    deleted += _from_lists(store, student, names)
    if gradebook.forget(student):
        deleted.append("the entries in the gradebook")
    deleted += [f"the entries in {path.name}" for path in _set_aside(store) if forget_in_copy(path, student)]
    deleted += [f"a line of {path}" for path in forget_in_archives(store, student)]
    deleted += _exports(store, names)
    return deleted, names


def names_of(store: Store, gradebook: ClassGradebook, student: str) -> set[str]:
    """Return the names, addresses and numbers by which a student may be mentioned; see `forget`."""
    register = read_register(store.ids)
    owner = register.given.get(student, {})
    known = gradebook.students() | store.students() | register.given.keys() | store.state.nothing().keys()
    if student not in known:
        raise ValueError(f"there is nobody with the id {student}; expected one of {', '.join(sorted(known)) or 'none'}")
    people = read_people(store.roster)
    ids = Roster(people, register).ids
    names = {name for number, person in enumerate(people) if ids[number] == student for name in person.names}
    return names | {student, owner.get("name", student), *owner.get("came as", {}).values()}


def folders_of(store: Store, gradebook: ClassGradebook, student: str) -> list[Path]:
    """Return the folders that are a student's alone, whether they are there or not."""
    owner = read_register(store.ids).given.get(student, {})
    folders = [store.folder / part / student for part in (*PARTS, COLLECTED)]
    folders.append(store.folder / COLLECTED / owner.get("name", student))
    folders += sorted(gradebook.inbound.glob(f"{_escaped(student)}+*"))
    return list(dict.fromkeys(folders))


def _set_aside(store):
    """Return the gradebooks that lie beside the class's own: set aside, or kept by `nbgrader db upgrade`."""
    beside = [path for path in sorted(store.folder.glob("*")) if path.name != "gradebook.db" and path.is_file()]
    return [path for path in beside if is_database(path)]


def _exports(store, names):
    """Delete the files that `course export` has made and that name somebody: it makes them anew."""
    found = [path for path in sorted(store.folder.glob(f"{EXPORT}/*")) if path.is_file() and is_named_in(path, names)]
    for path in found:
        path.unlink()
    return [f"{EXPORT}/{path.name} (`course export` makes it anew)" for path in found]


def _escaped(name):
    return re.sub(r"([*?[])", r"[\1]", name)


def delete(folder: Path) -> bool:
    """Delete a folder with read-only files in it; return whether it was there."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | 0o600)
    shutil.rmtree(folder)
    return True


def _from_lists(store, student, names):
    """Take a student off the roster, and from what is kept of ids and of the last intake; return what, in words."""
    register = read_register(store.ids)
    people = read_people(store.roster)
    ids = Roster(people, register).ids
    deleted = []
    staying = [person for number, person in enumerate(people) if ids[number] != student]
    if len(staying) < len(people):
        write_people(staying, store.roster)
        deleted.append("the line of the roster")
    given = register.given.pop(student, None)
    if given:
        keep_ids(store, register)
        deleted.append("the id")
    ticked = read_ticked(store)
    if student in ticked.values():
        write_ticked(store, {mark: other for mark, other in ticked.items() if other != student})
    nothing = {other: places for other, places in store.state.nothing().items() if other != student}
    left = {other: its for other, its in store.state.left_behind().items() if other != student}
    store.state.note(
        nothing=nothing, left_behind=left, refusals=[one for one in store.state.refusals() if not mentions(one, names)]
    )
    return deleted
