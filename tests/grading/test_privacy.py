"""What is kept of a student can be shown, given to them, and deleted, wherever the course has written it."""

import csv
import json
import shutil
import zipfile

import pytest
from nbgrader.api import Gradebook

from autograder.grading.traces import is_named_in
from tests.support.handed_in import book_of, zipped
from tests.support.unjudged_class import UNITS, Class, judge_nothing

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader's own warnings

UNIT = UNITS[0]
ROSTER = 'Student,ID,SIS Login ID,Email,Section\n"Nelson, Ida",501,nelsonida,ida@uni.example,A\n'
ROSTER += '"Ray, Bob",503,bray,bob@uni.example,A\n'
NAMES = ("nelsonida", "Nelson", "Ida", "ida@uni.example")


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class of two in which nothing is really run, with exports, an archive and a gradebook that was set aside."""
    with pytest.MonkeyPatch.context() as patch:
        judge_nothing(patch)
        course = Class(tmp_path_factory.mktemp("algebra"))
        course.found(UNIT)
        (course.root / "roster.csv").write_text(ROSTER)
        with zipfile.ZipFile(course.root / "week.zip", "w") as archive:
            for name in ("nelsonida_501", "raybob_503"):
                archive.writestr(f"{name}_70001_{UNIT.id}.ipynb", book_of(UNIT.id))
        course.run("grade", "week.zip", "--roster", "roster.csv")
        with book(course) as opened:
            opened.update_or_create_assignment(UNIT.id, duedate="2026-11-20 12:00:00 UTC")
            for student, hour in (("nelsonida", 13), ("bray", 11)):
                submitted = opened.find_submission(UNIT.id, student)
                submitted.timestamp = submitted.assignment.duedate.replace(day=22 if hour == 13 else 20, hour=hour)
            opened.db.commit()
        shutil.copyfile(course.room / "gradebook.db", course.room / "gradebook.db.2026-11-01")
        for platform in ("canvas", "blackboard"):
            course.run("export", "--to", platform, "--feedback")
        course.run("export", "--to", "csv", "--into", course.root / "for the office")
        course.run("tick", "nelsonida", "bray")
        course.run("archive", "term.zip", "--key", "who.csv")
        return course


def book(course):
    return Gradebook(f"sqlite:///{course.room / 'gradebook.db'}", "transformer-course")


@pytest.fixture
def course(graded, tmp_path, monkeypatch):
    """A copy of it; what the course has noted are places in it."""
    judge_nothing(monkeypatch)
    made = Class(tmp_path / "algebra")
    shutil.copytree(graded.root, made.root)
    intake = made.room / "intake.json"
    intake.write_text(intake.read_text().replace(str(graded.root), str(made.root)))
    return made


def test_what_is_kept_of_a_student_is_shown(course):
    status, printed = course.run("show", "nelsonida")
    assert status == 0
    for part in ("Ida Nelson", "ida@uni.example", "Canvas: 501", f"originals/nelsonida/{UNIT.id}/{UNIT.id}.ipynb"):
        assert part in printed
    told = json.loads(course.run("show", "nelsonida", "--into", "ida.zip", "--json")[1])
    assert told["submissions"][UNIT.id]["verdicts"].keys() == {exercise.name for exercise in UNIT.exercises}
    named = {*told["also named in"]}
    assert {"export/canvas.csv", "roster.csv", "week.zip", "who.csv", "gradebook.db.2026-11-01"} <= named
    with zipfile.ZipFile(course.root / "ida.zip") as archive:
        members = archive.namelist()
    assert f"feedback/nelsonida/{UNIT.id}/{UNIT.id}.html" in members
    assert "about.json" in members
    assert not [name for name in members if "bray" in name]
    status, printed = course.run("show", "nobody")
    assert (status, "there is nobody with the id nobody; expected one of bray, nelsonida" in printed) == (1, True)


def test_nothing_the_course_wrote_names_the_forgotten(course):
    status, printed = course.run("forget", "nelsonida", "--yes")
    assert status == 0
    left = {path for path in course.root.rglob("*") if path.is_file() and is_named_in(path, NAMES)}
    own = [course.root / name for name in ("roster.csv", "week.zip", "for the office/grades.csv")]
    assert left == {*own}
    named = printed.partition("The name still stands")[2]
    assert all(path.name in named for path in own)
    assert "export/canvas.csv (`course export` makes it anew)" in printed
    assert "the entries in gradebook.db.2026-11-01" in printed
    assert course.table().keys() == {"bray"}
    with (course.root / "who.csv").open(newline="") as file:
        [bob] = csv.DictReader(file)
    with zipfile.ZipFile(course.root / "term.zip") as archive:
        packed = list(csv.DictReader(archive.read("grades.csv").decode().splitlines()))
        verdicts = list(csv.DictReader(archive.read("verdicts.csv").decode().splitlines()))
    assert (bob["student"], [row["student"] for row in packed]) == ("bray", [bob["pseudonym"]])
    assert {row["student"] for row in verdicts} == {bob["pseudonym"]}


def test_the_archive_tells_no_time_of_day(course):
    """Ida is two days and an hour late."""
    assert "2 days 1 hour late" in course.table()["nelsonida"]["status"]
    with zipfile.ZipFile(course.root / "term.zip") as archive:
        status = [row["status"] for row in csv.DictReader(archive.read("grades.csv").decode().splitlines())]
        readme = archive.read("README.txt").decode()
    assert sorted(status) == [f"{UNIT.id}: 3 days late, which costs nothing", "graded"]
    assert "rounded up to whole days" in " ".join(readme.split())


@pytest.mark.parametrize(
    ("name", "content", "is_named"),
    [
        ("a.csv", "Ann Lee,5", True),
        ("a.csv", "Ann Leeds,5", False),
        ("Ann Lee_77_work.txt", "x", True),
        ("Ann Lee.pdf", "x", True),
        ("blackboard.xls", "Ann Lee\t5".encode("utf-16"), True),
        ("feedback.zip", zipped({"x/Ann Lee.html": "x"}), True),
        ("feedback.zip", zipped({"x.html": "<p>Ann Lee"}), True),
        ("all.zip", zipped({"inner.zip": zipped({"x": "Ann Lee"})}), True),
        ("feedback.zip", zipped({"x.html": "<p>Bob"}), False),
        ("broken.zip", zipped({"x.html": "<p>Ann Lee"})[:40], False),
        ("old.db", b"SQLite format 3\0xAnn Leex", True),
    ],
    ids=[
        *("a line", "another name", "the name of a text", "the name of a file", "UTF-16", "the name of a member"),
        *("a member", "a zip in a zip", "a member without", "a broken zip", "a database"),
    ],
)
def test_names_are_found_in_files_of_any_kind(tmp_path, name, content, is_named):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert is_named_in(path, ["Ann Lee"]) == is_named
