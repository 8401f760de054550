"""What a student has reached in a unit: points, or why there are none."""

from collections.abc import Mapping
from dataclasses import dataclass

from autograder.decisions.counted import given_to_absent
from autograder.decisions.decided import EXCUSED, LEFT, MISSING, NOT_DUE, Decisions
from autograder.grading.final import Final
from autograder.grading.verdicts.record import Record
from autograder.specification import Unit

GRADED, UNREADABLE, BY_HAND, UNDONE = "graded", "unreadable", "needs manual grade", "not graded yet"
ABSENT = (MISSING, NOT_DUE, EXCUSED, LEFT)
LATE = "late"


@dataclass(frozen=True)
class Result:
    """What a student reached in a unit; points are None unless every exercise has its verdict, or a person's points.

    They are None, too, where nothing counts: not due, excused, of somebody who has left the course, or missing and left
    blank. Words say of someone who did not hand in what there was in the place of a notebook, and of someone who did
    how late it was; `waits` says whether a person still has to grade something, `there` whether there is a notebook.
    """

    student: str
    unit: str
    points: float | None
    max_points: float
    status: str
    words: str = ""
    waits: bool = False
    there: bool = True

    @property
    def handed_in(self) -> bool:
        """Whether there is a notebook that counts."""
        return self.status not in ABSENT

    @property
    def counts(self) -> bool:
        """Whether it counts in sums, even if the points are not known yet."""
        return self.handed_in or (self.status == MISSING and self.points is not None)

    @property
    def state(self) -> str:
        """What there is to say of it in a word or two; see `autograder.decisions`."""
        if not self.handed_in and self.words:
            return self.words.partition(" (")[0]
        return LATE if self.status == GRADED and self.words else self.status

    @property
    def blank_as(self) -> str:
        """What stands in the place of points where there is no notebook."""
        return "" if self.status == MISSING else self.status


def without_a_notebook(
    student: str, unit: Unit, most: float, words: str, there: bool, decisions: Decisions
) -> Result:
    """Return the Result of a student of whom there is no notebook that counts."""
    status = decisions.absence(student, unit.id)
    points = None
    if status == MISSING:
        given = sum(given_to_absent(decisions, exercise) for exercise in unit.exercises)
        points = None if decisions.blank and not given else float(given)
    says_nothing = there or (words == MISSING and status != MISSING)
    return Result(student, unit.id, points, most, status, "" if says_nothing else words, there=there)


def of_a_notebook(student: str, unit: Unit, most: float, records: Mapping[str, Record], final: Final | None) -> Result:
    """Return the Result of a student who has handed in; `records` is a dict by exercise."""
    if any(exercise.name not in records for exercise in unit.exercises):
        return Result(student, unit.id, None, most, UNDONE)
    judged = [records[exercise.name] for exercise in unit.exercises]
    if any(record.points is None and not (final and record.exercise in final.by_hand) for record in judged):
        return Result(student, unit.id, None, most, BY_HAND)
    status = UNREADABLE if any(record.status == "unreadable" for record in judged) else GRADED
    if final:
        return Result(student, unit.id, float(final.points), most, status, final.lateness, final.waits)
    return Result(student, unit.id, float(sum(record.points or 0 for record in judged)), most, status)
