"""An older gradebook that was put back, or one that has lost rows, gives nobody other marks than the verdicts do."""

import csv
import shutil
import sqlite3

import pytest
from nbgrader.api import Gradebook, GradeCell

from autograder.grading import run
from autograder.grading.verdicts.store import Store
from tests.support.unjudged_class import STUDENTS, UNITS, Class, judge_nothing, judged

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader's own warnings
UNIT, LATER = UNITS
EXERCISE = UNIT.exercises[1].name
HALF = len(UNIT.exercises) / 2  # what everybody but the first has
COMMANDS = {"report": ("report",), "export": ("export", "--to", "csv"), "grade": ("grade", "--unit", LATER.id[:2])}


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A class of which the first unit was graded, then all: with the gradebook of then, in which nobody had points."""
    made = Class(tmp_path_factory.mktemp("kept"))
    with pytest.MonkeyPatch.context() as patch:
        judge_nothing(patch)
        made.hand_in()
        patch.setattr(run, "perform", lambda task: judged(task | {"student": STUDENTS[1]}))
        assert made.run("grade", "--roster", "roster.csv", "--unit", UNIT.id[:2])[0] == 0
        shutil.copy(made.room / "gradebook.db", made.root / "older.db")
        patch.setattr(run, "perform", judged)
        assert made.run("grade", "--force")[0] == 0
    shutil.copytree(made.room, made.root / "room")
    return made


@pytest.fixture
def course(kept, monkeypatch):
    judge_nothing(monkeypatch)
    shutil.rmtree(kept.room)
    shutil.copytree(kept.root / "room", kept.room)
    return kept


def put_back(course):
    shutil.copy(course.root / "older.db", course.room / "gradebook.db")


def book(course):
    return Gradebook(f"sqlite:///{course.room / 'gradebook.db'}", "transformer-course")


def execute(course, statement, *values):
    with sqlite3.connect(course.room / "gradebook.db") as database:
        assert database.execute(statement, values).rowcount == 1


def exported(course):
    with (course.room / "export" / "grades.csv").open(newline="", encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


OF_A_ROW = """DELETE FROM {table} WHERE id IN (
    SELECT {table}.id FROM {table} JOIN base_cell ON {table}.cell_id = base_cell.id
    JOIN submitted_notebook ON {table}.notebook_id = submitted_notebook.id
    JOIN submitted_assignment ON submitted_notebook.assignment_id = submitted_assignment.id
    JOIN assignment ON submitted_assignment.assignment_id = assignment.id
    WHERE base_cell.name = ? AND submitted_assignment.student_id = ? AND assignment.name = ?)"""


def lose(course, student, table="grade", cell=f"check-{EXERCISE}"):
    execute(course, OF_A_ROW.format(table=table), cell, student, UNIT.id)


@pytest.mark.parametrize("command", COMMANDS)
def test_an_older_gradebook_gets_the_verdicts_points(course, command):
    before = course.table()
    put_back(course)
    status, printed = course.run(*COMMANDS[command])
    assert f"{UNIT.id}: the gradebook did not say what the verdicts say" in printed
    assert f"entered again: ann ({UNIT.points:g}, not {HALF:g})." in printed
    assert course.table()["ann"][UNIT.id] == before["ann"][UNIT.id] == str(float(UNIT.points))
    if command == "export":
        first = next(name for name in exported(course)["ann"] if name.startswith(UNIT.id[:2]))
        assert exported(course)["ann"][first] == f"{UNIT.points:g}"
    if command == "grade":
        assert status == 0  # what the older one lacks was graded again
    else:
        assert status == 1
        assert f"ann, {LATER.id}: it is not in the gradebook. Grade it again: course grade --student ann" in printed


def test_who_an_older_gradebook_lacks_is_named(course):
    """Nobody who handed in since counts as taken out of it."""
    put_back(course)
    execute(course, "DELETE FROM submitted_assignment WHERE student_id = 'eve'")
    execute(course, "DELETE FROM student WHERE id = 'eve'")
    status, printed = course.run("report")
    assert (status, f"eve, {UNIT.id}: it is not in the gradebook." in printed) == (1, True)
    assert "eve" in course.table()
    assert course.run("grade")[0] == 0
    assert float(course.table()["eve"][UNIT.id]) == HALF


def test_who_was_taken_out_stays_out(course):
    with book(course) as own:
        own.remove_student("eve")
    for command in (("grade",), ("grade",), ("report",)):
        assert course.run(*command)[0] == 0
        assert "eve" not in course.table()


def test_points_by_hand_of_later_are_named(course):
    with book(course) as own:
        own.find_grade(f"check-{EXERCISE}", UNIT.id, UNIT.id, "bob").manual_score = 0.25
        own.db.commit()
    assert course.run("report")[0] == 0
    put_back(course)
    for command in (("report",), ("grade",), ("report",)):
        status, printed = course.run(*command)
        told = f"bob, {UNIT.id}: points that people have given are not in the gradebook any more: {EXERCISE}: 0.25"
        assert (status, told in printed) == (1, True)
    assert course.run("report", "--let-go")[0] == 0
    assert course.run("report")[0] == 0


@pytest.mark.parametrize(
    "command", ["report", *(pytest.param(command, marks=pytest.mark.exhaustive) for command in ("export", "grade"))]
)
def test_a_lost_row_is_made_again(course, command):
    before = course.tables()
    lose(course, "ann")
    status, printed = course.run(*COMMANDS[command])
    [worth] = [exercise.points for exercise in UNIT.exercises if exercise.name == EXERCISE]
    assert (status, f"ann ({UNIT.points:g}, not {UNIT.points - worth:g})" in printed) == (0, True)
    assert course.tables() == before


def test_grading_by_force_makes_lost_rows(course):
    before = course.tables()["entered"]
    lose(course, "ann")
    lose(course, "bob")
    lose(course, "bob", "comment", EXERCISE)
    assert course.run("grade", "--force")[0] == 0
    assert course.tables()["entered"] == before
    with book(course) as own:
        assert own.find_comment(EXERCISE, UNIT.id, UNIT.id, "bob").auto_comment


def test_a_lost_notebook_row_is_made_again(course):
    before = course.tables()
    execute(course, "DELETE FROM submitted_notebook WHERE id = (SELECT id FROM submitted_notebook LIMIT 1)")
    assert course.run("grade")[0] == 0
    assert course.tables() == before


def test_a_lost_cell_of_the_unit_is_told(course):
    with book(course) as own:
        own.db.delete(own.find_grade_cell(f"check-{EXERCISE}", UNIT.id, UNIT.id))
        own.db.commit()
    status, printed = course.run("report")
    assert (status, f"ann, {UNIT.id}: its points or its time in the gradebook are not those of" in printed) == (1, True)
    status, printed = course.run("grade")
    assert (status, "Set classroom/gradebook.db aside and grade again" in printed) == (1, True)


def test_verdicts_of_another_file_decide_nothing(course):
    """Where records were put back, and not what was handed in, nobody knows which points are the newer ones."""
    place = Store(course.room).place("originals", "ann", UNIT.id, f"{UNIT.id}.ipynb")
    place.write_bytes(place.read_bytes() + b"\n")
    put_back(course)
    status, printed = course.run("report")
    assert (status, f"ann, {UNIT.id}: its points or its time in the gradebook are not those of" in printed) == (1, True)
    assert float(course.table()["ann"][UNIT.id]) == HALF
    assert course.run("grade")[0] == 0
    assert float(course.table()["ann"][UNIT.id]) == UNIT.points


def test_most_points_are_compared_not_only_sums(course):
    """Points that were exchanged between two exercises have the same sum."""
    first, second = (exercise.name for exercise in UNIT.exercises[:2])
    with book(course) as own:
        for name, points in ((first, 1), (second, 0)):
            own.find_grade(f"check-{name}", UNIT.id, UNIT.id, "bob").auto_score = points
        own.db.commit()
        assert own.db.query(GradeCell).count()
    assert course.run("report")[0] == 0
    with book(course) as own:
        assert own.find_grade(f"check-{first}", UNIT.id, UNIT.id, "bob").auto_score == 0.5
