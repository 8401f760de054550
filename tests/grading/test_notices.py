"""What becomes of a class is told until it is dealt with: owners that change, points by hand that are lost."""


import nbformat
import pytest
from nbgrader.api import Gradebook

from tests.support.unjudged_class import UNITS, Class, judge_nothing
from tools.course import fill, solved

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader's own warnings

UNIT = UNITS[0]
BOOK = nbformat.writes(fill(UNIT, solved(UNIT))).encode()
ROSTER = "Name,Username\nAnn Lee,alee1\nAnn Kim,akim2\nBo Ray,bray3\n"


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course in which nothing is really run."""
    judge_nothing(monkeypatch)
    made = Class(tmp_path)
    made.found(UNIT)
    (tmp_path / "roster.csv").write_text(ROSTER)
    return made


def handed_in(course, *names, content=BOOK):
    """Write the files of these names; return their folder."""
    folder = course.root / f"week {len(list(course.root.iterdir()))}"
    for name in names:
        path = folder / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def test_a_file_in_its_owners_folder_is_theirs(course):
    first = handed_in(course, "ann_unit05")
    assert course.run("grade", first)[0] == 0
    assert course.table().keys() == {"ann"}
    status, printed = course.run("grade", first, "--roster", "roster.csv")
    assert (status, course.table().keys()) == (1, {"ann", "alee1", "akim2", "bray3"})
    assert "Put it into a folder with the person's name or username" in printed
    assert "Not on the roster, with verdicts from earlier runs (1): ann." in printed
    assert "not on the roster" in (course.room / "report" / "index.html").read_text(encoding="utf-8")
    status, printed = course.run("grade", handed_in(course, "alee1/unit05"))
    assert (status, course.table().keys()) == (0, {"alee1", "akim2", "bray3"})
    assert f"{UNIT.id}: what was ann's counts for alee1 now, and the line of ann is gone." in printed
    assert "Not on the roster" not in printed
    course.run("export", "--to", "csv")
    assert "ann," not in (course.room / "export" / "grades.csv").read_text()


@pytest.mark.exhaustive
def test_an_equal_submission_takes_nothing_from_a_guest(course):
    """Neither from one who hands in as well, nor where several have handed in the same before."""
    course.run("grade", handed_in(course, "eve_unit05", "uma_unit05"))
    course.run("grade", handed_in(course, "bray3/unit05"), "--roster", "roster.csv")
    assert {"eve", "uma", "bray3"} <= course.table().keys()


@pytest.mark.exhaustive
def test_a_guest_whose_name_is_no_files_stays(course):
    course.run("grade", handed_in(course, "Kit/unit05"), "--roster", "roster.csv")
    course.run("grade", handed_in(course, "bray3/unit05"))
    assert {"Kit", "bray3"} <= course.table().keys()


def test_an_unreadable_submission_is_told_in_the_summary(course):
    week = handed_in(course, "ann_unit05")
    for name, content in {"bo": b"%PDF-1.7 x", "cyd": b"\x1f\x8b\x08 x"}.items():
        (week / f"{name}_{UNIT.id}.ipynb").write_bytes(content)
    for command in (("grade", week), ("grade", week)):
        status, printed = course.run(*command)
        assert (status, "3 in all: 3 with a verdict, 0 without.\n2 could not be read" in printed) == (0, True)
        assert f"  bo, {UNIT.id}: The file is a PDF under the name of a notebook." in printed
        assert f"  cyd, {UNIT.id}: The file is a gzip archive" in printed


def give(course, **given):
    """Give Bo points by hand for the first exercise, and a comment on it."""
    name = UNIT.exercises[0].name
    with Gradebook(f"sqlite:///{course.room / 'gradebook.db'}", "transformer-course") as book:
        for field, value in given.items():
            find, cell = (book.find_comment, name) if "comment" in field else (book.find_grade, f"check-{name}")
            setattr(find(cell, UNIT.id, UNIT.id, "bray3"), field, value)
        book.db.commit()


@pytest.mark.exhaustive
def test_lost_manual_points_are_told_until_given_again(course):
    week, name = handed_in(course, "bray3/unit05"), UNIT.exercises[0].name
    course.run("grade", week)
    give(course, manual_score=2.5, extra_credit=1.5, manual_comment="Well tried, Bo")
    course.run("report")
    (course.room / "gradebook.db").unlink()
    told = f"bray3, {UNIT.id}: points and comments that people have given are not in the gradebook"
    for command in (("grade", week), ("grade", week), ("report",), ("export", "--to", "csv")):
        status, printed = course.run(*command)
        assert (status, told in printed) == (1, True), command
        assert f"{name}: 2.5 points; {name}: 1.5 extra points; {name}: a comment “Well tried, Bo”" in printed
    give(course, manual_score=2, extra_credit=1.5)
    status, printed = course.run("report")
    assert (status, told in printed) == (1, False)
    assert "comments that people have given are not in" in printed
    give(course, manual_comment="Well tried")
    assert course.run("report")[0] == 0


@pytest.mark.exhaustive
def test_lost_manual_points_can_be_dismissed(course):
    week = handed_in(course, "bray3/unit05")
    course.run("grade", week)
    give(course, manual_score=2.5)
    course.run("report")
    (course.room / "gradebook.db").unlink()
    assert course.run("grade", week)[0] == 1
    assert course.run("report", "--let-go")[0] == 0
    assert course.run("grade", week)[0] == 0
