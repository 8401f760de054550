"""The autograded notebook: what stands in graded cells is what the judge decided, and nbgrader reads it so."""

import stat

import nbformat
import pytest
from nbformat.v4 import new_output
from nbgrader.utils import determine_grade

from autograder.grading.autograded import graded, write
from autograder.grading.verdicts.record import Record
from autograder.grading.verdicts.store import Store
from autograder.registry import find_unit
from tests.support.classroom import judged, mistaken, submission
from tools.course import fill, solved, tags

UNIT = find_unit("05_cross_attention")
FORGED = [new_output("execute_result", data={"text/plain": "100.0"}, execution_count=1)]


def mixed(timestamp=""):
    """Return a submission in which the first exercise is right, and its check cell claims more."""
    first = UNIT.exercises[0].name
    book = fill(UNIT, mistaken(UNIT) | {first: solved(UNIT)[first]})
    for cell in book.cells:
        if tags(cell).get("grade"):
            cell.outputs = FORGED
    return submission(UNIT, "ada", book, timestamp)


def check_cells(book):
    return [cell for cell in book.cells if tags(cell).get("grade")]


def failed(exercise, status, points, note):
    """Return a record of an exercise that was never run."""
    fields = {"points": points, "max_points": exercise.points, "status": status, "note": note}
    return Record(key="", student="ada", unit=UNIT.id, exercise=exercise.name, **fields)


def test_nbgrader_reads_only_the_judges_points():
    made = mixed()
    records = judged(made, UNIT)
    cells = check_cells(graded(made, records))
    assert [determine_grade(cell) for cell in cells] == [(record.points, record.max_points) for record in records]
    assert {record.points == record.max_points for record in records} == {True, False}
    assert all(cell.outputs == FORGED for cell in check_cells(made.notebook))  # as it was


def test_the_report_names_the_mistake():
    made = mixed()
    for cell, record in zip(check_cells(graded(made, records := judged(made, UNIT))), records, strict=True):
        [output] = cell.outputs
        mistake = record.mistake and f"ause: {record.verdict.mistake.name.split('`')[0]}".lower()
        assert (mistake or "pass") in output.data["text/html"].lower()


def test_an_unasked_function_says_so_escaped():
    made, (first, second, *_) = mixed(), UNIT.exercises
    records = [failed(exercise, "unreadable", 0, "no notebook <script>") for exercise in UNIT.exercises]
    records[1] = failed(second, "internal error", None, "Traceback: secret place")
    one, other, *_ = check_cells(graded(made, records))
    assert determine_grade(one) == (0, first.points)
    assert "no notebook &lt;script&gt;" in one.outputs[0].data["text/html"]
    assert determine_grade(other) == (0, second.points)  # the gradebook has no zero there: it waits for a person
    assert "the grading itself failed" in str(other.outputs)
    assert "secret place" not in str(other.outputs)


@pytest.mark.parametrize("timestamp", ["", "2026-11-02T11:00:00+00:00"])
def test_files_are_written_as_nbgrader_writes_them(tmp_path, timestamp):
    made = mixed(timestamp)
    assert write(Store(tmp_path), made, judged(made, UNIT))
    folder = tmp_path / "autograded" / "ada" / UNIT.id
    names = {f"{UNIT.id}.ipynb"} | ({"timestamp.txt"} if timestamp else set())
    assert {path.name for path in folder.iterdir()} == names
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o444}
    book = nbformat.read(folder / f"{UNIT.id}.ipynb", as_version=4)
    nbformat.validate(book)
    assert book == graded(made, judged(made, UNIT))


def test_what_is_there_is_not_written_again(tmp_path):
    made = mixed("2026-11-02T11:00:00+00:00")
    records = judged(made, UNIT)
    assert write(Store(tmp_path), made, records)
    assert not write(Store(tmp_path), made, records)
    other = [failed(exercise, "unreadable", 0, "") for exercise in UNIT.exercises]
    assert write(Store(tmp_path), made, other)
    [cell, *_] = check_cells(nbformat.read(next(tmp_path.rglob("*.ipynb")), as_version=4))
    assert determine_grade(cell)[0] == 0
