"""The command `course grade` on made classes: points, what is graded again, what a kill in the middle leaves."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder import check, cli
from autograder.exercises import units
from autograder.grading import fingerprint
from tests.classroom import fill, functions, solved
from tests.course import ROOT
from tests.judging import need_sandbox
from tests.made_class import hand_in, students, submission

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # nbgrader's own warnings

UNITS = units()[2:4]
N_STUDENTS = 3
NOW = {"PYTHONPATH": str(ROOT)}


class Course:
    """A copy of the course with a class that hands in."""

    def __init__(self, root):
        self.root, self.room = root, root / "classroom"
        for part in ("solutions", "notebooks"):
            shutil.copytree(ROOT / part, root / part, dirs_exist_ok=True)

    def grade(self, *options, status=0):
        """Run the command as a person does; return what it tells as JSON."""
        command = [sys.executable, "-m", "autograder.cli", "grade", "--json", *map(str, options)]
        done = subprocess.run(command, cwd=self.root, env=os.environ | NOW, capture_output=True, text=True)
        assert done.returncode == status, done.stdout + done.stderr
        return json.loads(done.stdout) if done.stdout else done.stderr

    def kill_when(self, reached):
        """Start the command, and kill it as soon as a condition holds; tell whether it was still at work."""
        command = [sys.executable, "-m", "autograder.cli", "grade", "--json", "--jobs", "2"]
        process = subprocess.Popen(command, cwd=self.root, env=os.environ | NOW, stdout=subprocess.DEVNULL)
        while process.poll() is None and not reached():
            time.sleep(0.002)
        at_work = process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
        return at_work

    def records(self):
        return sorted(self.room.glob("records/*/*/*.json"))

    def points(self):
        """Return the points in the gradebook by student, unit and exercise."""
        with Gradebook(f"sqlite:///{self.room / 'gradebook.db'}", "transformer-course") as book:
            return {
                (one.student.id, assignment.name, grade.name.removeprefix("check-")): grade.auto_score
                for assignment in book.assignments
                for one in assignment.submissions
                for grade in one.notebooks[0].grades
            }

    def everything(self):
        """Return all that a run leaves: files byte for byte, and the gradebook without its random ids."""
        kept = [self.room / "grades.csv"]
        for part in ("records", "feedback", "autograded", "originals", "report"):
            kept += [path for path in (self.room / part).rglob("*") if path.is_file()]
        return {path.relative_to(self.room).as_posix(): path.read_bytes() for path in kept} | self.points()


def differences(one, other):
    """Return what is not the same in two results of `everything`."""
    return sorted(str(name) for name in one.keys() | other.keys() if one.get(name) != other.get(name))


@pytest.fixture
def course(tmp_path):
    need_sandbox()
    made = Course(tmp_path)
    hand_in(made.room / "submitted", UNITS, N_STUDENTS)
    return made


def test_every_point_is_what_the_check_says(course):
    told = course.grade()
    assert (told["graded"], told["unchanged"], told["without_verdict"], told["refused"]) == (6, 0, [], [])
    expected = {
        (student, unit.id, name): float(check(function))
        for unit in UNITS
        for student in students(N_STUDENTS)
        for name, function in functions(submission(unit, student), unit).items()
    }
    assert course.points() == expected
    with (course.room / "grades.csv").open(newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    for student in students(N_STUDENTS):
        assert float(rows[student]["total"]) == sum(p for (who, _, _), p in expected.items() if who == student)
        for unit in UNITS:
            page = course.room / "feedback" / student / unit.id / f"{unit.id}.html"
            assert student in page.read_text(encoding="utf-8")
    assert (course.room / "report" / "index.html").is_file()


def test_only_what_is_new_or_changed_is_graded(course):
    course.grade()
    before = course.everything()
    again = course.grade()
    assert (again["graded"], again["unchanged"], again["functions_run"]) == (0, 6, 0)
    assert differences(course.everything(), before) == []

    unit, student = UNITS[0], students(1)[0]
    path = course.room / "submitted" / student / unit.id / f"{unit.id}.ipynb"
    nbformat.write(fill(unit, solved(unit)), path)
    assert course.grade("--dry-run")["would_grade"] == [f"{student}/{unit.id}"]
    changed = course.grade()
    assert (changed["graded"], changed["unchanged"], changed["functions_run"]) == (1, 5, len(unit.exercises))
    assert sum(p for (who, what, _), p in course.points().items() if (who, what) == (student, unit.id)) == unit.points
    forced = course.grade("--force", "--unit", unit.id[:2], "--student", student)
    assert (forced["graded"], forced["functions_run"]) == (1, len(unit.exercises))


def test_what_is_lost_is_written_again(course):
    course.grade()
    before = course.everything()
    (course.room / "gradebook.db").unlink()
    shutil.rmtree(course.room / "feedback" / students(1)[0])
    next(course.room.glob("records/student-001/*/softmax.*")).unlink()
    told = course.grade()
    assert (told["graded"], told["functions_run"]) == (6, 1) or told["functions_run"] == 0
    assert differences(course.everything(), before) == []


def test_a_changed_claim_asks_that_exercise_only(course, monkeypatch, capsys):
    course.grade()
    before = course.points()
    real = fingerprint.specification
    monkeypatch.setattr(fingerprint, "specification", lambda u, e: real(u, e) + "changed" * (e.name == "softmax"))
    monkeypatch.setattr(fingerprint, "course", lambda: "changed")
    monkeypatch.chdir(course.root)
    assert cli.main(["grade", "--json", "--jobs", "1"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["graded"], told["functions_run"]) == (6, N_STUDENTS)
    assert course.points() == before


def test_a_kill_at_any_moment_changes_nothing(course, tmp_path_factory):
    whole = Course(tmp_path_factory.mktemp("whole"))
    shutil.copytree(course.room / "submitted", whole.room / "submitted")
    whole.grade()
    course.room.joinpath("secret").write_bytes(whole.room.joinpath("secret").read_bytes())
    course.room.joinpath("secret").chmod(0o600)
    moments = [
        lambda: (course.room / "gradebook.db").exists(),
        lambda: len(course.records()) >= 2,
        lambda: any(course.room.glob("feedback/*/*/*.html")),
        lambda: len(course.records()) >= 15,
        lambda: len(list(course.room.glob("records/*/*/committed.json"))) >= 4,
        lambda: (course.room / "grades.csv").exists(),
    ]
    assert sum(course.kill_when(moment) for moment in moments) >= 5
    course.grade()
    assert differences(course.everything(), whole.everything()) == []
    assert not list(course.room.rglob("*.part"))


def test_marks_given_by_people_stay(course):
    course.grade()
    url, unit, student = f"sqlite:///{course.room / 'gradebook.db'}", UNITS[0].id, students(1)[0]
    with Gradebook(url, "transformer-course") as book:
        grade = book.find_grade("check-softmax", unit, unit, student)
        grade.manual_score, grade.extra_credit = 1.25, 0.5
        book.db.commit()
    course.grade("--force")
    with Gradebook(url, "transformer-course") as book:
        grade = book.find_grade("check-softmax", unit, unit, student)
        assert (grade.manual_score, grade.extra_credit) == (1.25, 0.5)


def test_mistakes_in_the_command_are_told(course, tmp_path):
    assert "there is no" in course.grade(tmp_path / "nowhere", status=1)
    assert "there is no unit 77" in course.grade("--unit", "77", status=1)
    assert "one student at a time" in course.grade("--no-sandbox", status=1)
    assert not course.room.joinpath("gradebook.db").exists()


def test_what_cannot_be_graded_is_told(course):
    unit = UNITS[0].id
    folder = course.room / "submitted" / "mallory" / unit
    folder.mkdir(parents=True)
    (folder / f"{unit}.ipynb").symlink_to(ROOT / "README.md")
    told = course.grade()  # a verdict, too
    assert any("mallory" in sentence and "link" in sentence for sentence in told["remarks"])
    assert {points for (student, _, _), points in course.points().items() if student == "mallory"} == {0}
    (course.room / "submitted" / f"{unit}.ipynb").write_text("{}")
    told = course.grade(status=1)  # nobody's
    assert (told["graded"], told["unchanged"], len(told["refused"])) == (0, 7, 1)
    assert "does not say whose it is" in told["refused"][0]
    assert "does not say whose it is" in (course.room / "report" / "look.csv").read_text()


def test_two_at_a_time_are_refused(course):
    from filelock import FileLock

    with FileLock(course.room / "grading.lock"):
        assert "another `course grade` is at work" in course.grade(status=1)


def test_a_class_of_zips(course, tmp_path_factory):
    zips = tmp_path_factory.mktemp("zips")
    for student in students(2):
        shutil.make_archive(str(zips / student), "zip", course.room / "submitted" / student)
    shutil.rmtree(course.room / "submitted")
    assert course.grade(zips)["graded"] == 4
    assert {student for student, _, _ in course.points()} == set(students(2))
