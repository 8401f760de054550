"""A class from week to week: which attempt counts, what pages and tables say, who leaves, what is kept of a term."""

import csv
import io
import re
import zipfile

import pytest
from nbgrader.apps import NbGraderAPI

from autograder.nbgrader_config import settings
from tests.support.course_folder import Course, rows
from tests.support.rosters import ROSTERS
from tests.support.weekly_class import ALL, BLACKBOARD, FIRST, ID, NONE, ONE, POINTS, UNIT, book, page, total, week

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader's own warnings

EMPTY = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
CANVAS = f"{{}}_{{}}_67890_{ID}.ipynb"


@pytest.fixture
def course(backend, tmp_path):
    return Course(tmp_path)


@pytest.mark.exhaustive
def test_the_latest_attempt_counts_whenever_it_is_graded(course):
    course.grade(week(course, {BLACKBOARD.format("ann", 20): ALL, BLACKBOARD.format("bob", 20): ONE}))
    older = {BLACKBOARD.format("ann", 13): ONE, BLACKBOARD.format("bob", 13): ALL}
    summary = course.grade(week(course, older))
    assert (summary["graded"], summary["unchanged"], summary["with_verdict"]) == (0, 2, 2)
    told = [remark for remark in summary["remarks"] if "is older than what counts" in remark]
    assert [remark[:3] for remark in told] == ["ann", "bob"]
    assert "(2026-11-13T10:00:00+00:00, not 2026-11-20T10:00:00+00:00)" in told[0]
    assert (total(course, "ann"), total(course, "bob")) == (POINTS, FIRST.points)
    course.grade(week(course, older), "--older")
    assert (total(course, "ann"), total(course, "bob")) == (FIRST.points, POINTS)
    course.grade(week(course, {BLACKBOARD.format("bob", 27): NONE}))
    assert total(course, "bob") == 0  # later, so it counts, whatever it brings


@pytest.mark.exhaustive
def test_the_date_in_a_zip_settles_equal_names(course):
    names = CANVAS.format("leeann", 12345), CANVAS.format("raybob", 12346)
    course.grade(week(course, dict.fromkeys(names, ALL)))
    before = week(course, {names[0]: ONE}, date=(2026, 11, 13, 9, 0, 0))
    assert any("is older than what counts" in remark for remark in course.grade(before)["remarks"])
    course.grade(week(course, {names[1]: ONE}, date=(2026, 11, 27, 9, 0, 0)))
    assert (total(course, "leeann"), total(course, "raybob")) == (POINTS, FIRST.points)


@pytest.mark.exhaustive
def test_a_possibly_older_attempt_lowers_no_points(course):
    mail = course.root / "mail" / "ann" / ID / f"{ID}.ipynb"
    mail.parent.mkdir(parents=True)
    mail.write_bytes(ONE)
    course.grade(mail.parents[2])
    mail.write_bytes(ALL)
    course.grade(mail.parents[2])
    assert total(course, "ann") == POINTS
    mail.write_bytes(NONE)
    summary = course.grade(mail.parents[2])
    told = f"would lower the points from {POINTS:g} to 0, and nothing says that it is newer"
    assert [told in remark for remark in summary["remarks"]] == [True]
    assert (summary["graded"], total(course, "ann")) == (0, POINTS)
    assert course.grade(mail.parents[2], "--older")["graded"] == 1
    assert total(course, "ann") == 0


@pytest.mark.exhaustive
def test_of_undated_attempts_the_better_counts(course):
    path, names = course.root / "week", [f"{ID}.ipynb", f"{ID}-Copy1.ipynb"]
    for student, contents in {"ann": (ONE, ALL), "bob": (ALL, ONE)}.items():
        path.mkdir(exist_ok=True)
        with zipfile.ZipFile(path / f"{student}.zip", "w") as archive:
            for name, content in zip(names, contents, strict=True):
                archive.writestr(zipfile.ZipInfo(name), content)
    summary = course.grade(path)
    assert (summary["graded"], total(course, "ann"), total(course, "bob")) == (2, POINTS, POINTS)
    other, better = (f"ann.zip/{name}" for name in names)
    assert summary["remarks"][0] == (
        f"ann, {ID}: {better} ({POINTS:g} points) counts, and not {other} ({FIRST.points:g}): no time is known, so the "
        "one with more points counts."
    )
    again = course.grade(path)
    assert (again["graded"], again["unchanged"], again["functions_run"]) == (0, 2, 0)
    again = course.grade(path, "--force")
    assert (again["graded"], total(course, "ann"), total(course, "bob")) == (2, POINTS, POINTS)


@pytest.mark.exhaustive
def test_the_page_says_what_the_table_says(course):
    """Lateness, points and comments by hand, extra points; before and after the class is graded again."""
    (course.root / "nbgrader_config.py").write_text(
        "c = get_config()\nc.LateSubmissionPlugin.penalty_method = 'zero'\n"
    )
    files = {BLACKBOARD.format("ann", 20): ALL, BLACKBOARD.format("bob", 20): ONE}
    course.grade(week(course, files))
    with book(course) as opened:
        opened.update_or_create_assignment(ID, duedate="2026-11-20 12:00:00 UTC")
        graded = opened.find_submission_notebook(ID, ID, "bob")
        grade = next(one for one in graded.grades if one.name == f"check-{FIRST.name}")
        grade.manual_score, grade.extra_credit = FIRST.points - 1, 0.5
        comment = next(one for one in graded.comments if one.name == FIRST.name)
        comment.manual_comment = "See me <b>about</b> the mask."
        opened.db.commit()
    course.run("report")
    told = f"{FIRST.points - 0.5:g} of {POINTS:g} points"
    for again in (lambda: None, lambda: course.grade(week(course, files), "--force")):
        again()
        assert told in page(course, "bob")
        assert "See me &lt;b&gt;about&lt;/b&gt; the mask." in page(course, "bob")
        assert f"{FIRST.points - 1:g}, in place of {FIRST.points:g}." in page(course, "bob")
        assert total(course, "bob") == FIRST.points - 0.5
    summary = course.grade(week(course, {BLACKBOARD.format("ann", 21): ALL + b" "}))
    late = f"ann, {ID}: handed in 22 hours late, which costs {POINTS:g} points, in place of an attempt in time."
    assert late in summary["remarks"]
    assert f"0 of {POINTS:g} points" in page(course, "ann")
    assert f"Your work has {POINTS:g} points. You handed in 22 hours late" in page(course, "ann")
    assert total(course, "ann") == 0
    assert rows(course)["ann"]["status"] == f"{ID}: 22 hours late, which costs {POINTS:g} points"
    report = (course.room / "report" / "index.html").read_text(encoding="utf-8")
    assert "2 notebooks handed in, 1 late, none missing." in report
    assert re.search(rf'">{FIRST.points - 0.5:g}</a>', report)


@pytest.mark.exhaustive
def test_a_class_by_zip_lies_where_nbgrader_collects(course, monkeypatch):
    course.grade(week(course, {f"Ann Lee_321_assignsubmission_file_/{ID}.ipynb": ALL, "bob.zip": b""}), status=1)
    collected = course.room / "submitted" / "Ann_Lee" / ID
    assert (collected / f"{ID}.ipynb").read_bytes() == ALL
    again = course.grade("--student", "Ann_Lee", "--force")
    assert (again["graded"], again["functions_run"], again["remarks"]) == (1, len(UNIT.exercises), [])
    assert rows(course).keys() == {"Ann_Lee"}
    (collected / "submission_secret.txt").write_text("of the exchange")
    course.grade(week(course, {BLACKBOARD.format("Ann Lee", 21): ONE}), "--older")
    assert (collected / f"{ID}.ipynb").read_bytes() == ONE
    assert sorted(path.name for path in collected.iterdir()) == [f"{ID}.ipynb", "timestamp.txt"]
    api = NbGraderAPI(config=settings(course.root))
    [listed] = api.get_submissions(ID)
    assert (listed["student"], listed["score"], listed["autograded"]) == ("Ann_Lee", FIRST.points, True)
    assert api.get_assignment(ID)["num_submissions"] == 1


@pytest.mark.exhaustive
def test_nbgraders_autograde_finds_a_class_by_zip(course, monkeypatch):
    course.grade(week(course, {BLACKBOARD.format("ann", 20): ONE}))
    before = rows(course), page(course, "ann")
    api = NbGraderAPI(config=settings(course.root))
    monkeypatch.chdir(course.root)
    assert api.autograde(ID, "ann", force=True)["success"]
    course.run("report")
    assert (rows(course), page(course, "ann")) == before
    assert course.grade()["unchanged"] == 1


def of_names(course, names, *options):
    """Grade a folder of files of these names."""
    folder = course.root / f"class {len(list(course.root.iterdir()))}"
    folder.mkdir()
    for name, content in names.items():
        (folder / f"{name}.ipynb").write_bytes(content)
    return course.grade(folder, *options)


@pytest.mark.exhaustive
def test_only_the_line_of_a_former_owner_goes(course):
    before = {"Ann_unit05": ONE, "Ann Roe_unit05": ONE, "HW5 - Bo Lee": ALL, "eve_05": ONE}
    of_names(course, before)
    assert rows(course).keys() == {"Ann", "Ann_Roe", "Bo_Lee", "eve"}
    with book(course) as opened:
        grade = next(
            one for one in opened.find_submission_notebook(ID, ID, "Ann").grades if one.name.endswith(FIRST.name)
        )
        grade.extra_credit = 0.5
        opened.db.commit()
    roster = course.root / "roster.csv"
    roster.write_text("Name,Username\nAnn Roe,aroe7\nBo Lee,bo7\nZoe Oh,zoe\n")
    summary = of_names(course, before, "--roster", roster)
    assert f"{ID}: what was Ann's counts for Ann_Roe now, and the line of Ann is gone." in summary["remarks"]
    assert "Not on the roster: eve." in summary["remarks"]
    assert rows(course).keys() == {"Ann_Roe", "Bo_Lee", "eve", "zoe"}
    assert (total(course, "Ann_Roe"), total(course, "Bo_Lee")) == (FIRST.points + 0.5, POINTS)
    with book(course) as opened:
        assert {student.id for student in opened.students} == {"Ann_Roe", "Bo_Lee", "eve", "zoe"}
    assert not [path for path in course.room.rglob("Ann") if "exchange" not in path.parts]
    course.run("export", "--to", "csv")
    assert "Ann," not in (course.room / "export" / "grades.csv").read_text()
    again = of_names(course, before)
    assert (again["graded"], again["functions_run"]) == (0, 0)


@pytest.fixture
def left(course):
    """A class of three by Canvas, with a roster, of whom zoel has handed in nothing."""
    (course.root / "roster.csv").write_bytes(ROSTERS["Canvas"])
    files = {CANVAS.format("leeann", 12345): EMPTY, CANVAS.format("raybob", 12347): EMPTY}
    course.grade(week(course, files), "--roster", course.root / "roster.csv")
    return course


@pytest.mark.exhaustive
def test_leaving_the_gradebook_means_leaving_all_tables(left):
    with book(left) as opened:
        opened.remove_student("alee7")
    left.run("report")
    assert rows(left).keys() == {"bray", "zoel"}
    summary = left.grade()
    assert any("Taken out of the gradebook, so left out: alee7." in remark for remark in summary["remarks"])
    assert rows(left).keys() == {"bray", "zoel"}
    assert "alee7" not in (left.room / "report" / "index.html").read_text(encoding="utf-8")
    assert left.grade("--student", "alee7")["graded"] == 1
    assert rows(left).keys() == {"alee7", "bray", "zoel"}


@pytest.mark.exhaustive
def test_in_a_new_gradebook_nobody_was_taken_out(left):
    (left.room / "gradebook.db").unlink()
    for _ in range(2):
        [missing] = left.grade("--student", "bray", status=1)["missing"]
        assert missing.startswith(f"alee7, {ID}: it is not in the gradebook. Grade it again: course grade")
        assert rows(left).keys() == {"alee7", "bray", "zoel"}
    assert left.grade()["graded"] == 1


@pytest.mark.exhaustive
def test_leaving_the_roster_means_leaving_the_gradebook(left):
    text = ROSTERS["Canvas"].decode("utf-8-sig")
    staying = "\n".join(line for line in text.splitlines() if "zoel" not in line and "alee7" not in line)
    (left.root / "roster.csv").write_text(staying)
    summary = left.grade("--roster", left.root / "roster.csv")
    assert "Not on the roster: alee7." in summary["remarks"]
    with book(left) as opened:
        assert {student.id for student in opened.students} == {"alee7", "bray"}
    assert rows(left).keys() == {"alee7", "bray"}


@pytest.mark.exhaustive
def test_nothing_is_kept_of_whoever_is_forgotten(left, monkeypatch):
    inbound = left.room / "exchange" / "transformer-course" / "inbound" / f"alee7+{ID}+2026-11-20"
    inbound.mkdir(parents=True)
    (left.room / "note.txt").write_text("ask Ann Lee")
    assert "nothing was deleted" in _answering("n\n", left, monkeypatch, status=1)
    assert "alee7" in rows(left)
    told = _answering("y\n", left, monkeypatch)
    assert told["still_named_in"] == ["note.txt", "roster.csv", "week.zip"]
    assert "the line of the roster" in told["deleted"]
    assert rows(left).keys() == {"bray", "zoel"}
    for path in left.room.rglob("*"):
        assert "alee7" not in path.name
        if path.is_file() and path.name != "note.txt":
            content = path.read_bytes()
            assert not [name for name in (b"alee7", b"leeann", b"Ann Lee", b"12345_") if name in content], path
    assert "expected one of bray, zoel" in left.run("forget", "nobody", "--yes", status=1)


def _answering(text, course, monkeypatch, status=0):
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    return course.run("forget", "alee7", status=status)


@pytest.mark.exhaustive
def test_a_term_is_packed_without_names(left):
    path, key = left.root / "term.zip", left.root / "key.csv"
    left.run("archive", path, "--key", key)
    with zipfile.ZipFile(path) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert texts.keys() == {"README.txt", "grades.csv", "verdicts.csv", "exercises.csv", "mistakes.csv"}
    names = {row["pseudonym"]: row["student"] for row in csv.DictReader(key.read_text().splitlines())}
    assert names.keys() == {"student-1", "student-2", "student-3"}
    assert sorted(names.values()) == ["alee7", "bray", "zoel"]
    assert not [one for text in texts.values() for one in ("alee7", "bray", "zoel", "Ann", "Section") if one in text]
    packed = {row["student"]: row for row in csv.DictReader(texts["grades.csv"].splitlines())}
    for pseudonym, student in names.items():
        who = ("student", "name", "email", "section")
        kept = {name: value for name, value in rows(left)[student].items() if name not in who}
        assert {name: value for name, value in packed[pseudonym].items() if name != "student"} == kept
    verdicts = list(csv.DictReader(texts["verdicts.csv"].splitlines()))
    assert len(verdicts) == 2 * len(UNIT.exercises)
    assert {row["verdict"] for row in verdicts} == {"unreadable"}
