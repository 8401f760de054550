"""The class that a command is about: its folder, locked for one process, and its gradebook."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from autograder.course import CLASSROOM, course_root
from autograder.decisions.counted import units_of_class
from autograder.decisions.decided import Decisions
from autograder.grading.agreement import disagreements, lost, require_files
from autograder.grading.commit import bring_up_to_date
from autograder.grading.counted import counted
from autograder.grading.crossed import require_owners
from autograder.grading.final import Final
from autograder.grading.given import note_given_again, note_left_behind
from autograder.grading.gradebook import ClassGradebook
from autograder.grading.intake.find.register import Register, read_register
from autograder.grading.intake.find.roster import Roster, read_people
from autograder.grading.intake.submission import Submission
from autograder.grading.leaving import removed
from autograder.grading.otherwise import write_pages
from autograder.grading.pages import class_report
from autograder.grading.pages.review import ReviewFlag, same_files
from autograder.grading.pages.statistics import ClassStatistics, of_class
from autograder.grading.persons import Persons
from autograder.grading.settle import settle
from autograder.grading.stale import renew
from autograder.grading.ticked import read_ticked
from autograder.grading.verdicts.record import Record
from autograder.grading.verdicts.store import Store
from autograder.nbgrader_config import settings
from autograder.registry import units


class Refused(Exception):
    """The command cannot do what it was asked to; the message says why."""


@dataclass(frozen=True)
class OpenedClass:
    """A class with all that is decided.

    Attributes
    ----------
    store : Store
    register : Register
    roster : Roster
    committed : list of tuple
        Of a Submission and its Records as they count in the class; without whoever was taken out of the gradebook.
        Where these cannot be read any more, there are none.
    finals : dict of Final
        By student and unit.
    nothing : dict
        By student and unit, what there was in the place of a notebook.
    sections : dict
        By id of those on the roster, the section or an empty text.
    students : frozenset of str
        Ids of those who are in the gradebook.
    decisions : Decisions
    remarks : tuple of str
        On decisions that cannot be followed, and on points that had to be entered again.
    stale : frozenset of tuple
        Student and unit of those whose points in the gradebook are not those of their verdicts.
    """

    store: Store
    register: Register
    roster: Roster
    committed: list[tuple[Submission, list[Record]]]
    finals: dict[tuple[str, str], Final]
    nothing: dict[str, dict[str, str]]
    sections: dict[str, str]
    students: frozenset[str] = frozenset()
    decisions: Decisions = field(default_factory=Decisions)
    remarks: tuple[str, ...] = ()
    stale: frozenset[tuple[str, str]] = frozenset()

    @property
    def records(self) -> list[Record]:
        """The records of all submissions."""
        return [record for _, records in self.committed for record in records]

    @property
    def submissions(self) -> list[Submission]:
        """The submissions without their records."""
        return [submission for submission, _ in self.committed]

    @cached_property
    def persons(self) -> Persons:
        """The names of all."""
        return Persons(self.roster, self.register)

    def statistics(self) -> ClassStatistics:
        """Return the statistics of the class."""
        students = {*self.students, *self.sections}
        units = units_of_class(self.decisions)
        return of_class(self.records, self.submissions, units, students, self.nothing, self.finals, self.decisions)

    def write_report(self) -> Path:
        """Write `grades.csv`, the report, and the pages that have become wrong; return the report's path."""
        note_given_again(self.store, self.finals)
        graded = {(one.student, one.unit) for one in self.submissions}
        write_pages(self.store, self.nothing, graded, self.persons)
        bring_up_to_date(self.store, self.committed, self.finals, self.persons, self.decisions)
        flags = [ReviewFlag("", "", "refused", detail=sentence) for sentence in self.store.state.refusals()]
        alone = [(one.student, one.unit) for one in self.submissions if not one.together]
        flags += same_files({key: self.store.mark(*key).get("content", "") for key in alone}, self.records)
        return class_report.write(
            self.store.folder,
            self.records,
            self.submissions,
            units_of_class(self.decisions),
            nothing=self.nothing,
            flags=flags,
            finals=self.finals,
            sections=self.sections,
            students=self.students,
            persons=self.persons,
            ticked=read_ticked(self.store),
            decisions=self.decisions,
        )

    def disagreements(self) -> list[str]:
        """Return in sentences who is missing somewhere, once `write_report` has written what can be written."""
        return disagreements(self)


def read(store: Store, gradebook: ClassGradebook) -> OpenedClass:
    """Return the OpenedClass of a folder and a gradebook that are open already."""
    register = read_register(store.ids)
    gone = removed(store, gradebook)
    require_files(store, register)
    people = read_people(store.roster)
    require_owners(store, register.given, people)
    note_left_behind(store, gradebook)
    settle(store, gradebook)
    roster = Roster(people, register)
    decisions = gradebook.decisions
    committed = [(one, counted(decisions, its)) for one, its in store.committed() if one.student not in gone]
    renewed, stale = renew(store, gradebook, committed)
    finals = gradebook.finals()
    return OpenedClass(
        store,
        register,
        roster,
        [*committed, *lost(store, committed, finals, gone)],
        finals,
        {student: places for student, places in store.state.nothing().items() if student not in gone},
        {student: section for student, section in roster.sections().items() if student not in gone},
        frozenset(gradebook.students()),
        decisions,
        (*renewed, *_strangers(decisions, {*register.given, *gradebook.students()}), *gradebook.without_time()),
        frozenset(stale),
    )


def _strangers(decisions, known):
    """Name those on whom something is decided, and whom nobody knows: their ids may be written in another way."""
    on_units = {(student, f" in {unit}") for student, unit in (*decisions.extensions, *decisions.excused)}
    for student, where in sorted({*on_units, *((student, "") for student in decisions.left)}):
        if student not in known:
            near = get_close_matches(student, known, n=3) or sorted(known)[:3]
            meant = f" Did you mean {' or '.join(near)}?" if near else ""
            yield f"course.toml decides on {student}{where}, and there is nobody with this id in the class.{meant}"


@contextlib.contextmanager
def opened() -> Iterator[tuple[Store, ClassGradebook]]:
    """Lock the class of the course and open its gradebook.

    Yields
    ------
    store : Store
    gradebook : ClassGradebook

    Raises
    ------
    Refused
        If another process is at work in it.
    """
    root = course_root()
    store = Store(root / CLASSROOM)
    config = settings(root)
    with lock(store), ClassGradebook(config) as gradebook:
        yield store, gradebook
    store.close_to_others(is_shared(config))


def lock(store: Store) -> AbstractContextManager[object]:
    """Lock the class's folder; the lock ends with the process, even one that is killed."""
    store.folder.mkdir(parents=True, exist_ok=True)
    held = FileLock(store.folder / "grading.lock", blocking=False)
    try:
        return held.acquire()
    except Timeout:
        raise Refused(f"another `course grade` is at work in {store.folder}. Wait until it is done.") from None


def is_shared(config: Mapping[str, Any]) -> bool:
    """Return whether the class is shared with the owner's group, as nbgrader's configuration says."""
    return config.get("CourseDirectory", {}).get("groupshared", False)


def unit_ids(given: Iterable[str] | None) -> list[str] | None:
    """Return the ids that begin with one of the given texts, None for None; a digit alone is a unit's number."""
    if not given:
        return None
    prefixes = [f"{text:0>2}" if text.isdecimal() else text for text in given]
    known = [unit.id for unit in units()]
    unknown = [text for text in prefixes if not any(id.startswith(text) for id in known)]
    if unknown:
        raise Refused(f"there is no unit {', '.join(unknown)}; expected the beginning of one of {', '.join(known)}")
    return [id for id in known if id.startswith(tuple(prefixes))]
