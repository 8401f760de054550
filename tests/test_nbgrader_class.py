"""A made class goes through stock nbgrader, and every point is where it should be.

The expected points of a submission come from running the checks on its functions in this process, and
for the plain cases from the course's plan: what is graded in a class is what a learner sees.
"""

import csv

import pytest

from autograder import check
from autograder.exercises import units
from tests.classroom import Classroom, fill, functions, mistaken, noisy, solved
from tests.course import ROOT, tags

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # nbgrader's own warnings are not ours

FIRST, *OTHERS = UNITS = units()
STUDENTS = ("perfect", "empty", "half", "wrong", "noisy")
POINTS = {unit.id: 20 for unit in UNITS} | {"00_tokens_and_shapes": 10, "09_transformer": 40}  # the course's plan
HALF = {  # points of every second exercise, from the plan, too
    "00_tokens_and_shapes": 2 + 2 + 2,
    "01_positional_encoding": 3 + 3 + 5,
    "02_scaled_dot_product_attention": 4 + 5 + 2,
    "03_masking": 3 + 2 + 5 + 2,
    "04_multi_head_attention": 4 + 8 + 3,
    "05_cross_attention": 3 + 6 + 4,
    "06_feed_forward": 2 + 5 + 4 + 3,
    "07_add_and_layer_norm": 6 + 2 + 4,
    "08_decoding": 2 + 2 + 4 + 5,
    "09_transformer": 8 + 8 + 4,
    "10_training": 2 + 4 + 3,
}


def submissions(unit):
    """Return the submitted notebook of every student."""
    every_second = [exercise.name for exercise in unit.exercises[::2]]
    return {
        "perfect": fill(unit, solved(unit), figures=True),
        "empty": fill(unit, {}),
        "half": fill(unit, solved(unit, every_second)),
        "wrong": fill(unit, mistaken(unit)),
        "noisy": fill(unit, noisy(solved(unit))),
    }


def edited_checks(unit):
    """Return an empty notebook whose check cells say that everything is right."""
    book = fill(unit, {})
    for cell in book.cells:
        if tags(cell).get("grade"):
            cell.source = "100.0"
            cell.metadata.nbgrader.points = 100
    return book


@pytest.fixture(scope="module")
def books():
    return {unit.id: submissions(unit) for unit in UNITS}


@pytest.fixture(scope="module")
def classroom(tmp_path_factory, books):
    """The graded class: the first unit by the commands, the others in this process."""
    room = Classroom(tmp_path_factory.mktemp("course"), stock=True)
    for unit in UNITS:
        for student, book in books[unit.id].items():
            room.submit(unit, student, book)
    careless = room.submit(FIRST, "careless", fill(FIRST, solved(FIRST), checks=False))
    (careless / "numpy.py").write_text("raise ImportError('not the real NumPy')")
    room.submit(FIRST, "editor", edited_checks(FIRST))
    room.run("generate_assignment", FIRST.id, "--force")
    room.run("autograde", FIRST.id)
    room.run("generate_feedback", FIRST.id)
    for unit in OTHERS:
        room.grade(unit, STUDENTS)
    room.run("export", "--to", "classroom/grades.csv")
    return room


@pytest.fixture(scope="module")
def exported(classroom):
    """The exported rows by unit and student."""
    with (classroom.root / "classroom" / "grades.csv").open(newline="") as file:
        return {(row["assignment"], row["student_id"]): row for row in csv.DictReader(file)}


@pytest.mark.parametrize("student", STUDENTS)
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.id)
def test_every_point_is_what_the_check_says(unit, student, classroom, books, exported):
    written = functions(books[unit.id][student], unit)
    expected = {name: float(check(function)) for name, function in written.items()}
    assert classroom.points(unit, student) == expected
    row = exported[unit.id, student]
    assert float(row["score"]) == sum(expected.values())
    assert float(row["max_score"]) == unit.points


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.id)
def test_totals_counted_by_hand(unit, exported):
    totals = {student: float(exported[unit.id, student]["score"]) for student in STUDENTS}
    assert unit.points == POINTS[unit.id]
    assert totals["perfect"] == totals["noisy"] == unit.points
    assert totals["empty"] == 0
    assert totals["half"] == HALF[unit.id]
    assert totals["wrong"] < unit.points


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.id)
def test_partial_credit_reaches_the_gradebook(unit, classroom):
    points = classroom.points(unit, "wrong")
    assert any(0 < points[exercise.name] < exercise.points for exercise in unit.exercises)


def test_a_file_of_one_s_own_lets_nbgrader_grade_alone(classroom):
    assert (classroom.root / "nbgrader_config.py").is_file()
    assert not (classroom.root / "classroom" / "records").exists()  # of the judge


def test_deleted_checks_come_back_and_a_submitted_module_is_not_imported(classroom, exported):
    assert float(exported[FIRST.id, "careless"]["score"]) == FIRST.points
    left = {path.name for path in (classroom.root / "classroom/autograded/careless" / FIRST.id).iterdir()}
    assert left == {f"{FIRST.id}.ipynb"}


def test_edited_checks_are_restored(exported):
    assert float(exported[FIRST.id, "editor"]["score"]) == 0
    assert float(exported[FIRST.id, "editor"]["max_score"]) == FIRST.points


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.id)
def test_feedback_shows_the_score(unit, classroom):
    for student, score in (("perfect", unit.points), ("empty", 0), ("half", HALF[unit.id])):
        page = classroom.root / "classroom" / "feedback" / student / unit.id / f"{unit.id}.html"
        assert f"(Score: {float(score)} / {float(unit.points)})" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.id)
def test_the_released_notebook_is_the_one_in_the_repository(unit, classroom):
    released = f"notebooks/{unit.id}/{unit.id}.ipynb"
    assert (classroom.root / released).read_bytes() == (ROOT / released).read_bytes()


def test_validate_passes_the_solution_and_counts_what_is_missing(classroom):
    passed = classroom.run("validate", f"solutions/{FIRST.id}/{FIRST.id}.ipynb")
    assert "Success! Your notebook passes all the tests." in passed
    failed = classroom.run("validate", f"notebooks/{FIRST.id}/{FIRST.id}.ipynb")
    assert f"VALIDATION FAILED ON {len(FIRST.exercises)} CELL(S)!" in failed
