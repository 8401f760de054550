"""Who leaves a class: whoever was taken out of the gradebook, and whoever is forgotten."""

import re
import shutil
from collections.abc import Collection, Iterable
from pathlib import Path

from autograder.grading.gradebook import ClassGradebook
from autograder.grading.intake.find.register import read_register
from autograder.grading.intake.find.roster import Roster, read_people, write_people
from autograder.grading.verdicts.store import COLLECTED, EXCHANGE, PARTS, Store

TEXTS = (".csv", ".html", ".ipynb", ".json", ".md", ".txt")
MIN_LETTERS = 3  # of a name that is looked for: shorter ones stand in every text


def removed(store: Store, gradebook: ClassGradebook) -> set[str]:
    """Return the ids of those who have verdicts and were taken out of the gradebook.

    In a new gradebook, after the old one was lost or set aside, nobody counts as taken out.
    """
    is_the_same = store.gradebook().items() & gradebook.assignments().items()
    return store.students() - gradebook.students() if is_the_same else set()


def note_gradebook(store: Store, gradebook: ClassGradebook) -> None:
    """Keep which gradebook everybody stands in."""
    if store.students() <= gradebook.students():
        store.note(gradebook=gradebook.assignments())


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
    register = read_register(store.ids)
    owner = register.given.get(student, {})
    names = {student, owner.get("name", student), *owner.get("came as", {}).values()}
    known = gradebook.students() | store.students() | register.given.keys() | store.nothing().keys()
    if student not in known:
        raise ValueError(f"there is nobody with the id {student}; expected one of {', '.join(sorted(known)) or 'none'}")
    folders = [store.folder / part / student for part in (*PARTS, COLLECTED)]
    folders.append(store.folder / COLLECTED / owner.get("name", student))
    folders += sorted(gradebook.inbound.glob(f"{_escaped(student)}+*"))
    deleted = [str(folder) for folder in dict.fromkeys(folders) if delete(folder)]
    deleted += _from_lists(store, register, student, names)
    if gradebook.forget(student):
        deleted.append("the entries in the gradebook")
    return deleted, names


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


def _from_lists(store, register, student, names):
    """Take a student off the roster, and from what is kept of ids and of the last intake; return what, in words."""
    people = read_people(store.roster)
    ids = Roster(people, register).ids
    deleted = []
    staying = [person for number, person in enumerate(people) if ids[number] != student]
    names.update(name for number, person in enumerate(people) if ids[number] == student for name in person.names)
    if len(staying) < len(people):
        write_people(staying, store.roster)
        deleted.append("the line of the roster")
    given = register.given.pop(student, None)
    if given:
        register.write(store.ids)
        deleted.append("the id")
    nothing = {other: places for other, places in store.nothing().items() if other != student}
    left = {other: its for other, its in store.left_behind().items() if other != student}
    store.note(
        nothing=nothing, left_behind=left, refusals=[one for one in store.refusals() if not mentions(one, names)]
    )
    return deleted


def mentions(text: str, names: Iterable[str]) -> bool:
    """Return whether one of several names stands in a text."""
    wanted = [re.escape(name) for name in names if len(name) >= MIN_LETTERS]
    return bool(wanted and re.search(rf"(?<!\w)(?:{'|'.join(wanted)})(?!\w)", text))


def still_named(store: Store, names: Collection[str]) -> list[str]:
    """Return the files of a class in which one of several names stands, as paths in the class's folder."""
    found = []
    for path in sorted(store.folder.rglob("*")):
        inside = path.relative_to(store.folder)
        if inside.parts[0] != EXCHANGE and path.suffix in TEXTS and path.is_file() and not path.is_symlink():
            text = f"{inside}\n{path.read_text(encoding='utf-8', errors='replace')}"
            found += [str(inside)] if mentions(text, names) else []
    return found
