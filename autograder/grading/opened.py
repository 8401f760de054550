"""The class that a command is about: its folder, locked for one process, and its gradebook."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from autograder.course import CLASSROOM, course_root
from autograder.grading.agreement import disagreements, lost, require_files
from autograder.grading.commit import bring_up_to_date
from autograder.grading.final import Final
from autograder.grading.given import note_given_again
from autograder.grading.gradebook import ClassGradebook
from autograder.grading.intake.find.register import Register, read_register
from autograder.grading.intake.find.roster import Roster, read_people
from autograder.grading.intake.submission import Submission
from autograder.grading.leaving import removed
from autograder.grading.pages import report
from autograder.grading.pages.review import ReviewFlag
from autograder.grading.pages.statistics import ClassStatistics, of_class
from autograder.grading.plan import read_plan
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
        Of a Submission and its Records; without whoever was taken out of the gradebook. Where these cannot be read
        any more, there are none.
    finals : dict of Final
        By student and unit.
    nothing : dict
        By student and unit, what there was in the place of a notebook.
    sections : dict
        By id of those on the roster, the section or an empty text.
    students : frozenset of str
        Ids of those who are in the gradebook.
    """

    store: Store
    register: Register
    roster: Roster
    committed: list[tuple[Submission, list[Record]]]
    finals: dict[tuple[str, str], Final]
    nothing: dict[str, dict[str, str]]
    sections: dict[str, str]
    students: frozenset[str] = frozenset()

    @property
    def records(self) -> list[Record]:
        """The records of all submissions."""
        return [record for _, records in self.committed for record in records]

    @property
    def submissions(self) -> list[Submission]:
        """The submissions without their records."""
        return [submission for submission, _ in self.committed]

    def statistics(self) -> ClassStatistics:
        """Return the statistics of the class."""
        students = {*self.students, *self.sections}
        return of_class(self.records, self.submissions, units(), students, self.nothing, self.finals)

    def write_report(self) -> Path:
        """Write `grades.csv`, the report, and the pages that have become wrong; return the report's path."""
        note_given_again(self.store, self.finals)
        bring_up_to_date(self.store, self.committed, self.finals)
        refused = [ReviewFlag("", "", "refused", detail=sentence) for sentence in self.store.refusals()]
        return report.write(
            self.store.folder,
            self.records,
            self.submissions,
            units(),
            nothing=self.nothing,
            flags=refused,
            finals=self.finals,
            sections=self.sections,
            students=self.students,
            weights=read_plan(self.store.folder.parent).weights,
        )

    def disagreements(self) -> list[str]:
        """Return in sentences who is missing somewhere, once `write_report` has written what can be written."""
        return disagreements(self)


def read(store: Store, gradebook: ClassGradebook) -> OpenedClass:
    """Return the OpenedClass of a folder and a gradebook that are open already."""
    register = read_register(store.ids)
    gone = removed(store, gradebook)
    require_files(store, register)
    roster = Roster(read_people(store.roster), register)
    finals = gradebook.finals()
    committed = [one for one in store.committed() if one[0].student not in gone]
    return OpenedClass(
        store,
        register,
        roster,
        [*committed, *lost(store, committed, finals, gone)],
        finals,
        {student: places for student, places in store.nothing().items() if student not in gone},
        {student: section for student, section in roster.sections().items() if student not in gone},
        frozenset(gradebook.students()),
    )


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
