"""What stands in the columns: the points that count, of units or of exercises."""

from collections.abc import Container, Mapping
from dataclasses import dataclass

from autograder.decisions.counted import given_to_absent
from autograder.decisions.decided import EXCUSED
from autograder.grading.final import Final
from autograder.grading.opened import OpenedClass
from autograder.grading.pages import tables

DIGITS = 4  # behind the point


@dataclass(frozen=True)
class Column:
    """A column of points in an export.

    Attributes
    ----------
    unit : str
        Id.
    name : str
        As the platform is to call it.
    most : float
        Points possible.
    points : dict
        By student; None where something is not decided yet, or nothing counts.
    excused : frozenset of str
        Students of whom a platform may know that they are.
    """

    unit: str
    name: str
    most: float
    points: dict[str, float | None]
    excused: frozenset[str] = frozenset()

    def text(self, student: str) -> str:
        """Return somebody's points as they are written; an empty text for none."""
        points = self.points.get(student)
        return "" if points is None else f"{round(points, DIGITS):g}"


def columns(
    opened: OpenedClass,
    units: Container[str] | None = None,
    names: Mapping[str, str] | None = None,
    by_exercise: bool = False,
) -> list[Column]:
    """Return the columns of a class, in the order of the course.

    Parameters
    ----------
    opened : OpenedClass
    units : container of str, optional
        Ids of those that are wanted; all that somebody has handed in when left out.
    names : dict, optional
        By id of a unit, what its column is called.
    by_exercise : bool
        A column for each exercise, one for each answer that people grade, and one for a curve and one for lateness
        where these have changed somebody's points: their sum is that of the unit.

    Returns
    -------
    list of Column
    """
    names = names or {}
    found: list[Column] = []
    for statistics in opened.statistics().units:
        unit = statistics.unit
        if units is None or unit.id in units:
            name = names.get(unit.id) or f"{unit.id[:2]} {unit.title}"
            points = {one.student: one.points for one in statistics.results}
            excused = frozenset(one.student for one in statistics.results if one.status == EXCUSED)
            whole = Column(unit.id, name, statistics.most, points, excused)
            found += _of_exercises(opened, unit, whole) if by_exercise else [whole]
    return found


def weighted(opened: OpenedClass, name: str = "") -> Column:
    """Return the column of the weighted percents, as `grades.csv` has them.

    Parameters
    ----------
    opened : OpenedClass
        Its units have weights.
    name : str
        What the column is called; as in `grades.csv` when left out.
    """
    head, *rows = tables.grades(opened.statistics())
    place = head.index(tables.WEIGHTED)
    return Column("", name or tables.WEIGHTED.capitalize(), 100, {str(row[0]): _number(row[place]) for row in rows})


def _number(value):
    return None if value is None else float(value)


def _of_exercises(opened, unit, whole):
    """Return the columns of a unit's exercises, and of the answers that people grade."""
    finals = {student: final for (student, its), final in opened.finals.items() if its == unit.id}
    exercises = {one.name: given_to_absent(opened.decisions, one) for one in unit.exercises}
    most = {exercise.name: exercise.points for exercise in unit.exercises}
    most |= {name: answer.most for final in finals.values() for name, answer in final.answers.items()}
    reached = {
        submission.student: _of_student(records, finals.get(submission.student, Final(0.0)))
        for submission, records in opened.committed
        if submission.unit == unit.id and submission.student not in whole.excused
    }
    there = frozenset(reached)
    nothing = {name: exercises.get(name, 0) for name in most}
    for student in whole.points.keys() - reached.keys():
        reached[student] = dict.fromkeys(most) if whole.points[student] is None else nothing
    found = []
    for name, possible in most.items():
        its = {who: points.get(name) for who, points in reached.items()}
        found.append(Column(unit.id, f"{whole.name}: {name}", possible, its, whole.excused))
    for word, its in (
        ("curve", {student: final.raised for student, final in finals.items()}),
        ("late", {student: -final.lost for student, final in finals.items()}),
    ):
        changed = {student: points for student, points in its.items() if points and student in there}
        found += [Column(unit.id, f"{whole.name}: {word}", 0, changed)] if changed else []
    return found


def _of_student(records, final):
    """Return somebody's points by exercise and answer; None where nothing is decided yet."""
    points = {record.exercise: final.by_hand.get(record.exercise, record.points) for record in records}
    points = {name: None if its is None else its + final.extra.get(name, 0) for name, its in points.items()}
    return points | {name: answer.points for name, answer in final.answers.items()}
