"""Answers that only people grade count in what is possible, and every table and page says the same of them."""

import csv

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell
from nbgrader.apps import NbGraderAPI

from autograder.nbgrader_config import settings
from tests.support.course_folder import Course, rows
from tests.support.weekly_class import BLACKBOARD, FIRST, ID, POINTS, UNIT, book, page, total, week
from tools.course import fill, solved

pytestmark = [pytest.mark.exhaustive, pytest.mark.filterwarnings("ignore")]  # nbgrader's own warnings

MOST, GIVEN = 5, 3.5
MARKS = {"grade": True, "solution": True, "locked": False, "task": False, "points": MOST, "grade_id": "essay"}
CELL = {"cell_type": "markdown", "schema_version": 3}


@pytest.fixture
def course(backend, tmp_path, monkeypatch):
    """A course whose instructor asks for half a page in one unit."""
    made = Course(tmp_path)
    path = made.root / "solutions" / ID / f"{ID}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(new_markdown_cell("Since it is so.", metadata={"nbgrader": MARKS | CELL}))
    nbformat.write(notebook, path)
    monkeypatch.chdir(made.root)
    assert NbGraderAPI(config=settings(made.root)).generate_assignment(ID, force=True)["success"]
    return made


def written(course, wanted, essay=None):
    """Return a submission with some of the functions, and an answer in place of what the released notebook says."""
    made = fill(UNIT, solved(UNIT, wanted))
    released = nbformat.read(course.root / "notebooks" / ID / f"{ID}.ipynb", as_version=4).cells[-1]
    made.cells.append(released)
    released.source = released.source if essay is None else essay
    return nbformat.writes(made).encode()


def exported(course, **options):
    """Return the columns of the plain table: by their names, and below that by student."""
    course.run("export", "--to", "csv", *options.get("more", ()))
    with (course.room / "export" / "grades.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    return {name: {line["student"]: line[name] for line in lines} for name in lines[0] if name != "student"}


def test_an_answer_counts_in_every_table(course, monkeypatch):
    files = {
        BLACKBOARD.format("ann", 20): written(course, None, "The scores grow with the width."),
        BLACKBOARD.format("bob", 20): written(course, {FIRST.name}),
    }
    course.grade(week(course, files))
    assert {float(row[f"max {ID}"]) for row in rows(course).values()} == {POINTS + MOST}
    assert rows(course)["ann"]["status"] == f"{ID}: needs manual grade"
    assert rows(course)["bob"]["status"] == "graded"  # what nobody has written nobody has to read
    assert f"{POINTS:g} of {POINTS + MOST:g} points" in page(course, "ann")
    assert "so far; not decided yet: <code>essay</code>" in page(course, "ann")
    parts = exported(course, more=["--exercises"])
    name = f"{ID[:2]} {UNIT.title}: essay"
    assert parts[name] == {"points possible": f"{MOST}", "ann": "", "bob": "0"}
    with book(course) as opened:
        essay = next(one for one in opened.find_submission_notebook(ID, ID, "ann").grades if one.name == "essay")
        essay.manual_score, essay.extra_credit, essay.needs_manual_grade = GIVEN, 0.25, False
        opened.db.commit()
    course.run("report")
    _all_say_the_same(course, {"ann": POINTS + GIVEN + 0.25, "bob": FIRST.points})
    assert f"<td>{GIVEN + 0.25:g} of {MOST}</td>" in page(course, "ann")
    assert "not decided yet" not in page(course, "ann")
    assert exported(course, more=["--exercises"])[name]["ann"] == f"{GIVEN + 0.25:g}"
    api = NbGraderAPI(config=settings(course.root))
    assert api.autograde(ID, "bob", force=True)["success"]
    course.run("report")
    _all_say_the_same(course, {"ann": POINTS + GIVEN + 0.25, "bob": FIRST.points})


def _all_say_the_same(course, expected):
    """Compare `grades.csv`, pages, report, the way back, formgrader and nbgrader's own export."""
    most = POINTS + MOST
    listed = {one["student"]: one for one in NbGraderAPI(config=settings(course.root)).get_submissions(ID)}
    [whole] = [points for name, points in exported(course).items() if name.startswith(ID[:2])]
    report = (course.room / "report" / "index.html").read_text(encoding="utf-8")
    with book(course) as opened:
        own = {one["student"]: one for one in opened.submission_dicts(ID)}
    assert whole["points possible"] == f"{most:g}"
    assert f'<td class="number">{most:g}</td></tr>' in report
    for student, points in expected.items():
        assert total(course, student) == points
        assert f"{points:g} of {most:g} points" in page(course, student)
        assert whole[student] == f"{points:g}"
        assert (listed[student]["score"], listed[student]["max_score"]) == (points, most)
        assert (own[student]["score"], own[student]["max_score"]) == (points, most)
        assert not listed[student]["needs_manual_grade"]
