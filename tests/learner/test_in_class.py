"""What a learner sees of the class's decisions: points, what does not count, closed hints, an exam, due dates."""

from datetime import datetime

import pytest

from autograder import check, hint, progress, solution
from autograder.decisions import here
from autograder.registry import find, units

UNIT = units()[2]
FIRST, SECOND, *_ = UNIT.exercises
WORKING = FIRST.reference


def softmax(x, axis=-1):
    return x / x.sum(axis=axis, keepdims=True)


@pytest.fixture
def decide(tmp_path, monkeypatch):
    """Let the folder of the course have a file of a class."""
    monkeypatch.setattr(here, "course_root", lambda: tmp_path)

    def write(text):
        (tmp_path / "course.toml").write_text(f"[units.{UNIT.id}]\n{text}\n", encoding="utf-8")
        here.decided_here.cache_clear()

    yield write
    here.decided_here.cache_clear()


def test_points_are_those_of_the_class(decide):
    decide(f"points = {{ {FIRST.name} = {2 * FIRST.points} }}\ndue = 2026-12-04T23:59:00+01:00")
    score = check(WORKING)
    assert (score.points, score.max_points) == (2 * FIRST.points, 2 * FIRST.points)
    assert f"{2 * FIRST.points:g} of {2 * FIRST.points:g} points" in score.report
    wrong = check(softmax)
    assert 0 <= wrong.points < wrong.max_points == 2 * FIRST.points
    [row] = progress().units
    assert (row.unit.id, row.unit.points) == (UNIT.id, UNIT.points + FIRST.points)
    assert "due on 4 December 2026, 23:59 (UTC+01:00)" in repr(progress())


def test_what_does_not_count_is_said_so(decide):
    decide(f'without = ["{FIRST.name}"]')
    assert "does not count in your class" in check(softmax).report
    assert FIRST.name not in progress().units[0].open


def test_an_exam_says_only_what_can_be_called(decide, monkeypatch):
    def fails(x, axis=-1):
        raise ZeroDivisionError("here")

    fails.__name__ = FIRST.name
    decide("exam = true")
    told = "EXAM. `softmax` can be called. Whether it is right is told when it has been graded."
    assert check(softmax).report == check(WORKING).report == told
    assert "does not come to its end" in check(fails).report
    assert float(check(WORKING)) == 0
    assert "no hints and shows no solutions" in repr(hint(FIRST.name))
    assert "no hints and shows no solutions" in repr(solution(FIRST.name))
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")  # where nbgrader itself reads the points
    assert float(check(WORKING)) == FIRST.points


def test_hints_open_at_their_time(decide):
    opens = datetime.fromisoformat("2999-05-07T08:00:00+02:00")
    decide(f"hints = {opens.isoformat()}")
    assert "open on 7 May 2999, 08:00 (UTC+02:00)" in repr(hint(FIRST.name))
    assert here.why_no_hints(UNIT.id, opens) == ""
    decide("hints = false")
    assert "no hints" in here.why_no_hints(UNIT.id)
    assert here.why_no_hints(units()[1].id) == ""


def test_a_file_with_a_mistake_stops_no_check(decide):
    decide("weigth = 1")
    assert check(WORKING).max_points == find(FIRST.name).points


def test_learners_are_told_nothing_of_a_student(decide, tmp_path):
    decide('due = 2026-12-04T23:59:00+01:00\nhints = false\nexam = true\n[[excused]]\nstudent = "zoe"\nunit = "2"')
    decided = here.decided_here()
    text = here.for_learners(decided)
    assert "zoe" not in text
    path = tmp_path / "class.toml"
    path.write_text(text, encoding="utf-8")
    again = here.read_file(path)
    assert again.of(UNIT.id) == decided.of(UNIT.id)
