"""What is kept of a class is lost or damaged: it is found anew or named, and nobody vanishes from a table."""

import contextlib
import csv
import io
import json
import shutil
from contextlib import redirect_stderr, redirect_stdout
from types import SimpleNamespace

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder import cli
from autograder.exercises import find_unit, units
from autograder.grading import commands, run
from autograder.grading.verdicts.record import without_verdict
from tests.support.classroom import fill, solved
from tests.support.course import ROOT

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader's own warnings

UNITS = units()[5:7]
STUDENTS = ("ann", "bob", "eve")
ROSTER = "Username,Name,Section\nann,Ann Lee,1\nbob,Bob Ray,2\nzoe,Zoe Oel,2\n"
OTHER = "dan"  # who has a place without a notebook, and is not on the roster


def judged(task):
    """Return what the judge returns, without its work: full points for one student, half a point for the others."""
    exercises = {exercise.name: exercise for exercise in find_unit(task["unit"]).exercises}
    return [
        vars(
            without_verdict(task, exercises[name], key)(
                points=exercises[name].points if task["student"] == STUDENTS[0] else 0.5, status="wrong"
            )
        )
        for name, _, key in task["exercises"]
    ]


class Class:
    """A class that has handed in two units, of which nothing is really run."""

    def __init__(self, root):
        self.root, self.room = root, root / "classroom"

    def hand_in(self):
        for part in ("solutions", "notebooks"):
            for unit in UNITS:
                shutil.copytree(ROOT / part / unit.id, self.root / part / unit.id)
            (self.root / part / ("start.py" if part == "solutions" else "START_HERE.ipynb")).touch()
        for unit in UNITS:
            for student in STUDENTS:
                path = self.room / "submitted" / student / unit.id / f"{unit.id}.ipynb"
                path.parent.mkdir(parents=True)
                nbformat.write(fill(unit, solved(unit)), path)
        (self.room / "submitted" / OTHER / UNITS[0].id).mkdir(parents=True)
        (self.root / "roster.csv").write_text(ROSTER)

    def run(self, *arguments):
        """Run a command of `course`; return its exit status and all that it printed."""
        printed = io.StringIO()
        with contextlib.chdir(self.root), redirect_stdout(printed), redirect_stderr(printed):
            status = cli.main([*map(str, arguments)])
        return status, printed.getvalue()

    def table(self):
        """Return the lines of grades.csv by student."""
        with (self.room / "grades.csv").open(newline="", encoding="utf-8") as file:
            return {row["student"]: row for row in csv.DictReader(file)}

    def tables(self):
        """Return all that an instructor or a learner reads: tables, pages, and who is in the gradebook."""
        pages = {path.relative_to(self.room).as_posix(): path.read_bytes() for path in self.room.glob("feedback/*/*/*")}
        with Gradebook(f"sqlite:///{self.room / 'gradebook.db'}", "transformer-course") as book:
            entered = {(one.student.id, unit.name): one.score for unit in book.assignments for one in unit.submissions}
            students = {student.id for student in book.students}
        report = (self.room / "report" / "index.html").read_bytes()
        return self.table(), pages, entered, students, report


@pytest.fixture(autouse=True)
def without_a_sandbox(monkeypatch):
    monkeypatch.setattr(run, "perform", judged)
    monkeypatch.setattr(run, "submission_of", lambda handed_in: handed_in.take_in())
    monkeypatch.setattr(commands.sandbox, "choose", lambda wanted=None: SimpleNamespace(name="bubblewrap"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A class that was graded, and its undisturbed tables."""
    made = Class(tmp_path_factory.mktemp("whole"))
    with pytest.MonkeyPatch.context() as patch:
        without_a_sandbox.__wrapped__(patch)
        made.hand_in()
        assert made.run("grade", "--roster", "roster.csv")[0] == 0
    shutil.copytree(made.room, made.root / "kept")
    return made, made.tables()


@pytest.fixture
def course(whole):
    """The same class, whatever the test before has done to it."""
    made, _ = whole
    shutil.rmtree(made.room)
    shutil.copytree(made.root / "kept", made.room)
    return made


def with_an_unknown_field(path):
    content = json.loads(path.read_bytes())
    known = content[0] if isinstance(content, list) else content.get("submission", content)
    known["unknown"] = 1
    path.write_text(json.dumps(content))


def halved(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


DAMAGES = {
    "deleted": lambda path: path.unlink(),
    "emptied": lambda path: (path.chmod(0o600), path.write_bytes(b"")),
    "cut": lambda path: (path.chmod(0o600), halved(path)),
    "given an unknown field": lambda path: (path.chmod(0o600), with_an_unknown_field(path)),
}
COMMANDS = {
    "grade": ("grade",),
    "grade another unit": ("grade", "--unit", UNITS[1].id[:2]),
    "report": ("report",),
    "export": ("export", "--to", "csv", "--exercises"),
}
KINDS = (
    *("records/ann/05*/alignment.*", "records/ann/05*/committed.json", "originals/ann/05*/*", "autograded/ann/05*/*"),
    *("feedback/ann/05*/*", "ids.json", "intake.json", "roster.json", "secret", "gradebook.db", "grading.lock"),
    *("grades.csv", "report/*.html", "report/exercises.csv", "report/slides.md"),
)


def test_every_kind_of_file_is_in_the_sweep(course):
    """The files of another student and unit are of the same kinds."""
    files = {path for path in course.room.rglob("*") if path.is_file() and "submitted" not in path.parts}
    swept = {path for kind in KINDS for path in course.room.glob(kind)}
    kinds = {
        (path.relative_to(course.room).parts[0], path.suffix, path.name.split(".")[0] == "committed") for path in swept
    }
    assert all(list(course.room.glob(kind)) for kind in KINDS)
    for path in files:
        about = path.relative_to(course.room).parts[0], path.suffix, path.name.split(".")[0] == "committed"
        assert about in kinds, path


def check_damage(course, undisturbed, kind, damage, command):
    """Damage a file, run a command, and see that nothing is lost, or that it is named, with what to do."""
    path = next(course.room.glob(kind))
    DAMAGES[damage](path)
    status, printed = course.run(*COMMANDS[command])
    assert "Traceback" not in printed
    rows, expected = course.table() if course.room.joinpath("grades.csv").exists() else {}, undisturbed[0]
    if status == 0:
        assert rows == expected
        if command in ("grade", "report"):
            after = course.tables()
            assert [one == other for one, other in zip(after, undisturbed, strict=True)][:4] == [True] * 4
    else:
        assert status == 1
        assert path.name in printed or "ann, 05_cross_attention: " in printed or "gradebook" in printed
        assert any(
            word in printed
            for word in ("Take it from a backup", "Grade it again", "Take the file from a backup", "Put back a backup")
        )
        for student, row in rows.items():
            assert {name: text for name, text in row.items() if text}.items() <= expected[
                student
            ].items() or student == "ann"
        assert rows.keys() in ({}.keys(), expected.keys())
        if rows:
            assert rows["ann"]["05_cross_attention"] in ("", "20.0"), rows["ann"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_lost_or_damaged_is_found_anew_or_named(course, whole, kind, damage, command):
    if damage == "given an unknown field" and not kind.endswith((".json", "alignment.*")):
        pytest.skip("no JSON")
    check_damage(course, whole[1], kind, damage, command)
