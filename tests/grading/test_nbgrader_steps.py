"""nbgrader's own commands and formgrader's button grade by the judge."""

import csv
import re
import shutil

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook

from autograder.grading import steps
from autograder.judge import sandbox
from autograder.registry import find_unit
from tests.support.classroom import Classroom, noisy
from tools.course import fill, solved, tags

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # nbgrader's own warnings are not ours
    pytest.mark.exhaustive,
]

UNIT = find_unit("05_cross_attention")
FIRST, SECOND, *_ = UNIT.exercises
WRONG = "import numpy as np\ndef {0}(*args, **kwargs):\n    return np.zeros((2, 3, 5, 7))"
FORGERY = """
import IPython, numpy.testing
numpy.testing.assert_allclose = lambda *args, **kwargs: None
try:
    get_ipython().displayhook(100.0)
except NameError:
    pass
check = lambda function: 100.0
"""


def broken_in_every_way():
    """Return a right notebook that stock nbgrader refuses: for all of the class, in version 0.9.6."""
    book = fill(UNIT, solved(UNIT))
    checks = [cell for cell in book.cells if tags(cell).get("grade")]
    checks[0].metadata.nbgrader.schema_version = 99
    checks[1].metadata = {}
    book.cells.append(checks[-1])
    book.cells.remove(checks[-2])
    solution = next(cell for cell in book.cells if tags(cell).get("solution"))
    solution.metadata.nbgrader.solution = "perhaps"
    return book


def forged():
    """Return wrong functions, and everything that makes nbgrader alone give full points."""
    sources = {exercise.name: WRONG.format(exercise.name) for exercise in UNIT.exercises}
    book = fill(UNIT, sources | {FIRST.name: sources[FIRST.name] + FORGERY})
    for cell in book.cells:
        if tags(cell).get("grade"):
            cell.source = "100.0"
    return book


BOOKS = {
    "perfect": fill(UNIT, solved(UNIT)),
    "half": fill(UNIT, solved(UNIT, [exercise.name for exercise in UNIT.exercises[::2]])),
    "noisy": fill(UNIT, noisy(solved(UNIT))),
    "broken": broken_in_every_way(),
    "forger": forged(),
}


@pytest.fixture(scope="module")
def classroom(backend, tmp_path_factory):
    """A class that is graded as an instructor grades it who knows nbgrader only."""
    room = Classroom(tmp_path_factory.mktemp("course"))
    for student, book in BOOKS.items():
        folder = room.root / "classroom" / "submitted" / student / UNIT.id
        folder.mkdir(parents=True)
        (folder / f"{UNIT.id}.ipynb").write_text(nbformat.writes(book, version=nbformat.NO_CONVERT))
    beside = room.root / "classroom" / "submitted" / "perfect" / UNIT.id
    (beside / "answers.txt").symlink_to(room.root / "solutions" / UNIT.id / f"{UNIT.id}.ipynb")
    room.run("generate_assignment", UNIT.id, "--force")
    room.run("autograde", UNIT.id)
    room.run("generate_feedback", UNIT.id)
    room.run("export", "--to", "classroom/grades.csv")
    return room


@pytest.mark.parametrize("student", ["perfect", "noisy", "broken"])
def test_right_functions_have_all_points_whatever_surrounds_them(classroom, student):
    assert classroom.points(UNIT, student) == {exercise.name: exercise.points for exercise in UNIT.exercises}


def test_missing_functions_cost_their_own_points_only(classroom):
    points = classroom.points(UNIT, "half")
    assert [points[e.name] for e in UNIT.exercises] == [e.points * (k % 2 == 0) for k, e in enumerate(UNIT.exercises)]


def test_forged_points_are_not_entered(classroom):
    assert set(classroom.points(UNIT, "forger").values()) == {0}


def test_export_and_feedback_say_the_same(classroom):
    with (classroom.root / "classroom" / "grades.csv").open(newline="") as file:
        exported = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file) if row["score"]}
    for student in BOOKS:
        page = classroom.root / "classroom" / "feedback" / student / UNIT.id / f"{UNIT.id}.html"
        total = sum(classroom.points(UNIT, student).values())
        assert f"(Score: {float(total)} / {float(UNIT.points)})" in page.read_text(encoding="utf-8")
        assert exported[student] == total


def test_feedback_shows_the_reports_of_the_judge(classroom):
    folder = classroom.root / "classroom" / "feedback" / "forger" / UNIT.id
    shown = BeautifulSoup((folder / f"{UNIT.id}.html").read_text(encoding="utf-8"), "html.parser")
    boxes = [box.get_text() for box in shown.find_all("div", style=re.compile("border-left"))]
    assert [box.split(":")[0] for box in boxes] == [exercise.name for exercise in UNIT.exercises]


def test_nothing_beside_a_notebook_is_passed_on(classroom):
    for part in ("autograded", "feedback"):
        left = {path.name for path in (classroom.root / "classroom" / part / "perfect" / UNIT.id).iterdir()}
        assert left <= {f"{UNIT.id}.ipynb", f"{UNIT.id}.html"}


def test_formgraders_button_keeps_manual_points(classroom, monkeypatch):
    with Gradebook(classroom.api.coursedir.db_url) as gradebook:
        grade = gradebook.find_grade(f"check-{FIRST.name}", UNIT.id, UNIT.id, "half")
        grade.manual_score = 0.25
        gradebook.db.commit()
    performed = []
    monkeypatch.setattr(steps, "perform", lambda task: performed.extend(task["exercises"]) or [])
    done = classroom.api.autograde(UNIT.id, "half")
    assert done["success"], done
    assert performed == []
    with Gradebook(classroom.api.coursedir.db_url) as gradebook:
        grade = gradebook.find_grade(f"check-{FIRST.name}", UNIT.id, UNIT.id, "half")
        assert (grade.auto_score, grade.manual_score, grade.needs_manual_grade) == (FIRST.points, 0.25, False)


def test_an_internal_error_is_left_to_a_person(classroom, monkeypatch):
    def broken(task):
        error = {"points": None, "status": "internal error", "note": "Traceback", "max_points": 1}
        ids = {"student": task["student"], "unit": task["unit"]}
        return [{"exercise": name, "key": key} | ids | error for name, _, key in task["exercises"]]

    shutil.rmtree(classroom.root / "classroom" / "records" / "noisy")
    monkeypatch.setattr(steps, "perform", broken)
    assert classroom.api.autograde(UNIT.id, "noisy")["success"]
    with Gradebook(classroom.api.coursedir.db_url) as gradebook:
        graded = gradebook.find_submission_notebook(UNIT.id, UNIT.id, "noisy")
        assert {(grade.auto_score, grade.needs_manual_grade) for grade in graded.grades} == {(None, True)}
    monkeypatch.undo()
    assert classroom.api.autograde(UNIT.id, "noisy")["success"]
    assert sum(classroom.points(UNIT, "noisy").values()) == UNIT.points


def test_without_a_sandbox_nbgrader_refuses_and_says_why(classroom, monkeypatch):
    def none():
        raise sandbox.NoSandbox("No sandbox works on this machine")

    monkeypatch.setattr(sandbox, "choose", none)
    before = classroom.points(UNIT, "perfect")
    done = classroom.api.autograde(UNIT.id, "perfect")
    assert not done["success"]
    assert "No sandbox works on this machine" in done["log"]
    assert classroom.points(UNIT, "perfect") == before
    monkeypatch.undo()
    assert classroom.api.autograde(UNIT.id, "perfect")["success"]


def test_a_notebook_that_is_no_json_fails_alone(classroom):
    for student in ("aaron", "zoe"):
        folder = classroom.root / "classroom" / "submitted" / student / UNIT.id
        folder.mkdir(parents=True)
        (folder / f"{UNIT.id}.ipynb").write_text("{" if student == "aaron" else nbformat.writes(BOOKS["half"]))
    done = classroom.api.autograde(UNIT.id, "*", force=False)
    assert not done["success"]
    assert re.findall("processing assignment '.*' for student '(.*)'", done["log"]) == ["aaron"]
    assert classroom.points(UNIT, "zoe") == {n: p for n, p in classroom.points(UNIT, "half").items()}


def test_another_courses_assignment_is_not_graded_as_right(classroom):
    other = classroom.root / "solutions" / "homework"
    shutil.copytree(classroom.root / "solutions" / UNIT.id, other)
    (other / f"{UNIT.id}.ipynb").rename(other / "homework.ipynb")
    assert classroom.api.generate_assignment("homework")["success"]
    folder = classroom.root / "classroom" / "submitted" / "perfect" / "homework"
    folder.mkdir()
    (folder / "homework.ipynb").write_text(nbformat.writes(BOOKS["perfect"]))
    done = classroom.api.autograde("homework", "perfect")
    assert not done["success"]
    assert "homework is not a unit of this course" in done["log"]
