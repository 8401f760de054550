"""Pages for those who have handed in something else than a notebook."""

from collections.abc import Collection, Mapping
from pathlib import Path

from autograder.grading.intake.find.missing import SOMETHING_ELSE
from autograder.grading.pages import no_notebook
from autograder.grading.persons import Persons
from autograder.grading.verdicts.store import Store
from autograder.registry import units
from autograder.whole_file import write_atomically

UNKNOWN = "no_notebook"  # in place of a unit's id


def write_pages(
    store: Store,
    nothing: Mapping[str, Mapping[str, str]],
    graded: Collection[tuple[str, str]],
    persons: Persons,
) -> None:
    """Write a page for everybody who has handed in something else, and remove those that hold no longer.

    Parameters
    ----------
    store : Store
    nothing : dict
        By student and unit, what there was in the place of a notebook, in words; the unit may be empty.
    graded : collection of tuple
        Student and unit of the notebooks that have a page of their own.
    persons : Persons
    """
    known = {unit.id: unit for unit in units()}
    somewhere = {student for student, _ in graded}
    for student, places in nothing.items():
        for unit, words in places.items():
            path = page_of(store, student, unit)
            if (student, unit) in graded or not words.startswith(SOMETHING_ELSE):
                continue
            if not unit and student in somewhere:
                path.unlink(missing_ok=True)
                continue
            text = no_notebook.page(persons.of(student).label, known.get(unit), words)
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                write_atomically(path, text)


def page_of(store: Store, student: str, unit: str) -> Path:
    """Return where such a page lies: where that of the notebook would."""
    name = unit or UNKNOWN
    return store.place("feedback", student, name, f"{name}.html")
