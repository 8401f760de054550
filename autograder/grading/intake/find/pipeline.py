"""Finds the submissions in a folder of any shape: who handed in what, which attempt counts, and what is refused."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path

from autograder.grading.intake.find.assign_senders import assign_senders
from autograder.grading.intake.find.assign_students import Key, assign_students
from autograder.grading.intake.find.assign_units import assign_units
from autograder.grading.intake.find.choose_attempts import Candidate, choose_attempts
from autograder.grading.intake.find.folders import list_files
from autograder.grading.intake.find.leftovers import report_leftovers
from autograder.grading.intake.find.missing import WithoutNotebook, students_without_notebook
from autograder.grading.intake.find.problems import REFUSED, REMARK, Problems
from autograder.grading.intake.find.register import Register
from autograder.grading.intake.find.roster import People, Roster
from autograder.specification import Unit


@dataclass(frozen=True)
class Submissions:
    """All that was found in a folder."""

    candidates: tuple[Candidate, ...]  # by unit and student
    # what may be somebody's work but gets no verdict; each sentence says what, why, and what to do
    refusals: tuple[str, ...]
    remarks: tuple[str, ...]  # what was decided about ids, attempts and files that are ignored or refused
    without_notebook: tuple[WithoutNotebook, ...] = ()  # who has a place in the folder and no notebook in it
    notes: dict[Key, list[str]] = field(default_factory=dict)  # by student and unit, as `Owned` has them
    groups: dict[Key, tuple[str, ...]] = field(default_factory=dict)
    former: dict[Key, set[str]] = field(default_factory=dict)


def find(
    folder: str | Path,
    units: Sequence[Unit],
    register: Register | None = None,
    roster: Roster | None = None,
    collected: bool = False,
) -> Submissions:
    """Find what was handed in.

    Parameters
    ----------
    folder : path
        In nbgrader's layout ``student/unit/unit.ipynb``, or as a learning platform exports it: folders, zips and
        notebooks. It may also be a single zip or notebook.
    units : sequence of Unit
    register : Register, optional
        Of the class, to which new students are added.
    roster : Roster, optional
        Of the class, with the same register.
    collected : bool
        Whether this is the folder in which nbgrader collects: there a folder is called like the id of a student.
    """
    people = People(register or Register(), roster, collected)
    problems = Problems()
    listed = list_files(folder, [unit.id for unit in units])
    assigned = assign_units(listed, problems)
    sent = assign_senders(assigned, people, problems)
    owned = assign_students(sent, people, problems)
    candidates = choose_attempts(owned, people, problems)
    handed_in = {(candidate.student, candidate.unit) for candidate in candidates}
    notebooks = {notebook.item.path for notebook in assigned.notebooks}
    without_notebook = students_without_notebook(owned.empty_places, handed_in, notebooks)
    places = {(verdict.student, verdict.unit) for verdict in without_notebook}
    for student, empty in owned.empty_places:
        if (student, empty.unit) in places and empty.unit:
            people.register.note_name(student, empty.unit, empty.sender)
    report_leftovers(assigned, sent, chain(*without_notebook.values()), problems)
    texts = partial(problems.texts, place_of=sent.senders.place_of)
    return Submissions(
        candidates,
        texts(REFUSED),
        texts(REMARK),
        tuple(without_notebook),
        owned.notes,
        owned.groups,
        owned.former,
    )
