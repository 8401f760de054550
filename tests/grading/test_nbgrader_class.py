"""A synthetic class goes through stock nbgrader, and every point is where it should be.

The expected points of a submission come from running the checks on its functions in this process, and
for the plain cases from the specification: what is graded in a class is what a learner sees.
"""

import csv

import pytest

from autograder import check
from autograder.evaluation.ahead import measure_ahead
from autograder.registry import units
from tests.support.classroom import Classroom, functions, mistaken, noisy
from tests.support.frozen_course import SECOND, THIRD
from tools.course import ROOT, fill, solved, tags

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader's own warnings are not ours

FIRST, *OTHERS = units()
LATER = OTHERS[::5]  # of the others those that are tried without `--whole`: what nbgrader does depends on no unit
UNITS = [
    pytest.param(FIRST, id=FIRST.id),
    *(pytest.param(unit, id=unit.id, marks=pytest.mark.exhaustive(minutes=2)) for unit in LATER),
    *(
        pytest.param(unit, id=unit.id, marks=[pytest.mark.exhaustive, pytest.mark.hours])
        for unit in OTHERS
        if unit not in LATER
    ),
]
SOME = ("wrong", "noisy")  # of every unit: none of the others depends on what a unit asks
ALL = ("perfect", "empty", "half", *SOME)
STUDENTS = {unit.id: ALL if unit is OTHERS[0] else SOME for unit in units()}
EACH = [
    pytest.param(*unit.values, student, id=f"{unit.id}-{student}", marks=unit.marks)
    for unit in UNITS
    for student in STUDENTS[unit.values[0].id]
]


def every_second(unit):
    """Return the exercises that half of a class's work consists of."""
    return unit.exercises[::2]


def half(unit):
    """Return what they are worth together."""
    return sum(exercise.points for exercise in every_second(unit))


def submissions(unit):
    """Return the submitted notebook of every student."""
    books = {
        "perfect": fill(unit, solved(unit), figures=True),
        "empty": fill(unit, {}),
        "half": fill(unit, solved(unit, [exercise.name for exercise in every_second(unit)])),
        "wrong": fill(unit, mistaken(unit)),
        "noisy": fill(unit, noisy(solved(unit))),
    }
    return {student: books[student] for student in STUDENTS[unit.id]}


def edited_checks(unit):
    """Return an empty notebook whose check cells say that everything is right."""
    book = fill(unit, {})
    for cell in book.cells:
        if tags(cell).get("grade"):
            cell.source = "100.0"
            cell.metadata.nbgrader.points = 100
    return book


@pytest.fixture(scope="module")
def first_class(tmp_path_factory):
    """The class of the first unit, graded by nbgrader's commands."""
    room = Classroom(tmp_path_factory.mktemp("course"), stock=True)
    hand_in(room, FIRST)
    room.run("generate_assignment", FIRST.id, "--force")
    room.run("autograde", FIRST.id)
    room.run("generate_feedback", FIRST.id)
    room.run("export", "--to", "classroom/grades.csv")
    return room


@pytest.fixture(scope="module")
def other_classes(tmp_path_factory, part_of):
    """The classes of other units, and two odd submissions of the first one, graded in this process."""
    room = Classroom(tmp_path_factory.mktemp("course"), stock=True)
    careless = room.submit(FIRST, "careless", fill(FIRST, solved(FIRST), checks=False))
    (careless / "numpy.py").write_text("raise ImportError('not the real NumPy')")
    room.submit(FIRST, "editor", edited_checks(FIRST))
    room.grade(FIRST, ("careless", "editor"))
    tried = part_of(OTHERS, len(LATER))
    measure_ahead(exercise for unit in tried for exercise in unit.exercises)  # else the first failing checks would
    for unit in tried:
        hand_in(room, unit)
        room.grade(unit, STUDENTS[unit.id])
    room.run("export", "--to", "classroom/grades.csv")
    return room


def hand_in(room, unit):
    for student, book in submissions(unit).items():
        room.submit(unit, student, book)


@pytest.fixture
def classroom(request):
    """The class of the unit that a test is about; of the first one when it is about none."""
    unit = request.node.callspec.params.get("unit", FIRST) if hasattr(request.node, "callspec") else FIRST
    return request.getfixturevalue("first_class" if unit is FIRST else "other_classes")


@pytest.fixture
def exported(classroom):
    """The exported rows by unit and student."""
    with (classroom.root / "classroom" / "grades.csv").open(newline="") as file:
        return {(row["assignment"], row["student_id"]): row for row in csv.DictReader(file)}


@pytest.mark.parametrize(("unit", "student"), EACH)
def test_every_point_is_what_the_check_says(unit, student, classroom, exported):
    written = functions(submissions(unit)[student], unit)
    expected = {name: float(check(function)) for name, function in written.items()}
    assert classroom.points(unit, student) == expected
    row = exported[unit.id, student]
    assert float(row["score"]) == sum(expected.values())
    assert float(row["max_score"]) == unit.points


@pytest.mark.parametrize("unit", UNITS)
def test_totals_counted_by_hand(unit, exported):
    totals = {student: float(exported[unit.id, student]["score"]) for student in STUDENTS[unit.id]}
    assert totals["noisy"] == totals.get("perfect", unit.points) == unit.points
    assert totals.get("empty", 0) == 0
    assert totals.get("half", half(unit)) == half(unit)
    assert totals["wrong"] < unit.points


def test_points_of_units_and_halves_counted_by_hand():
    assert (SECOND.points, half(SECOND)) == (4 + 3 + 5 + 2 + 2 + 3, 4 + 5 + 2)
    assert (THIRD.points, half(THIRD)) == (1 + 1 + 2, 1 + 2)


@pytest.mark.parametrize("unit", UNITS)
def test_partial_credit_reaches_the_gradebook(unit, classroom):
    points = classroom.points(unit, "wrong")
    assert any(0 < points[exercise.name] < exercise.points for exercise in unit.exercises)


def test_an_own_settings_file_lets_nbgrader_grade_alone(classroom):
    assert (classroom.root / "nbgrader_config.py").is_file()
    assert not (classroom.root / "classroom" / "records").exists()  # of the judge


@pytest.mark.exhaustive
def test_deleted_checks_come_back(other_classes):
    assert sum(other_classes.points(FIRST, "careless").values()) == FIRST.points
    left = {path.name for path in (other_classes.root / "classroom/autograded/careless" / FIRST.id).iterdir()}
    assert left == {f"{FIRST.id}.ipynb"}


@pytest.mark.exhaustive
def test_edited_checks_are_restored(other_classes):
    with (other_classes.root / "classroom" / "grades.csv").open(newline="") as file:
        (row,) = [
            row for row in csv.DictReader(file) if row["student_id"] == "editor" and row["assignment"] == FIRST.id
        ]
    assert (float(row["score"]), float(row["max_score"])) == (0, FIRST.points)


@pytest.mark.parametrize("unit", UNITS)
def test_feedback_shows_the_score(unit, classroom):
    scores = {"noisy": unit.points, "half": half(unit)}
    for student, score in ((student, scores[student]) for student in STUDENTS[unit.id] if student in scores):
        page = classroom.root / "classroom" / "feedback" / student / unit.id / f"{unit.id}.html"
        assert f"(Score: {float(score)} / {float(unit.points)})" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("unit", UNITS)
def test_the_released_notebook_is_that_of_the_repository(unit, classroom):
    released = f"notebooks/{unit.id}/{unit.id}.ipynb"
    assert (classroom.root / released).read_bytes() == (ROOT / released).read_bytes()


@pytest.mark.exhaustive
def test_validate_passes_the_solution_and_counts_gaps(other_classes):
    passed = other_classes.run("validate", f"solutions/{FIRST.id}/{FIRST.id}.ipynb")
    assert "Success! Your notebook passes all the tests." in passed
    failed = other_classes.run("validate", f"notebooks/{FIRST.id}/{FIRST.id}.ipynb")
    assert f"VALIDATION FAILED ON {len(FIRST.exercises)} CELL(S)!" in failed
