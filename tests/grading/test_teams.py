"""Pairs and groups: one submission, marks for all, told on every page."""

import pytest
from nbgrader.apps import NbGraderAPI

from autograder.grading.intake.find.register import Register
from autograder.grading.intake.find.roster import Roster, read_people, write_people
from autograder.grading.intake.find.roster_table import read_roster
from autograder.grading.intake.take_in import Intake
from autograder.grading.verdicts.store import MARK
from autograder.nbgrader_config import settings
from tests.support.course_folder import Course, rows
from tests.support.handed_in import BOOK, FILE, OTHER, book_of, grow
from tests.support.handed_in import UNIT as ROSTERS_UNIT
from tests.support.weekly_class import ALL, BLACKBOARD, ID, ONE, UNIT, page, total, week
from tools.course import ROOT

ROSTER = "username,name,Team\nann,Ann Lee,1\nbob,Bob Ray,1\ncy,Cy Day,\ndee,Dee Fox,2\neve,Eve May,2\n"
FIRST = UNIT.exercises[0]


def roster(folder, text=ROSTER, together=""):
    (folder / "roster.csv").write_text(text)
    return Roster(read_roster(folder / "roster.csv", together), Register(b"secret"))


def test_one_member_hands_in_for_all(tmp_path):
    """Bob's own PDF is no trouble then, and Ann may put his name on their notebook."""
    people = roster(tmp_path)
    files = {f"ann/bob_{FILE}": BOOK, "bob/notes.pdf": b"", f"cy/{FILE}": BOOK, f"eve/{OTHER}.ipynb": book_of(OTHER)}
    intake = Intake(grow(tmp_path / "class", files), ROOT, register=people.register, roster=people)
    found = {(one.student, one.unit): (one.together, one.by, one.refused) for one in intake}
    assert found == {
        ("ann", ROSTERS_UNIT): (("ann", "bob"), "ann", ""),
        ("bob", ROSTERS_UNIT): (("ann", "bob"), "ann", ""),
        ("cy", ROSTERS_UNIT): ((), "", ""),
        ("dee", OTHER): (("dee", "eve"), "eve", ""),
        ("eve", OTHER): (("dee", "eve"), "eve", ""),
    }
    assert [(one.student, one.unit) for one in intake.without_notebook if one.unit == ROSTERS_UNIT] == []
    missing = {(one.student, one.unit) for one in (*intake.without_notebook, *intake.absent)}
    assert missing == {("dee", ROSTERS_UNIT), ("eve", ROSTERS_UNIT), ("ann", OTHER), ("bob", OTHER), ("cy", OTHER)}


def test_one_of_a_group_brings_the_others(tmp_path):
    people = roster(tmp_path)
    folder = grow(tmp_path / "class", {f"{name}/{FILE}": BOOK for name in ("ann", "cy")})
    intake = Intake(folder, ROOT, students=["bob"], register=people.register, roster=people)
    assert [one.student for one in intake.candidates] == ["ann", "bob"]


def test_a_group_in_moodles_names_hands_in_together(tmp_path):
    names = ("Team A-Ann Lee_1", "Team A-Bob Ray_2", "Team B-Cy Day_3", "Team B-Dee Fox_4")
    content = {"Team A": BOOK, "Team B": BOOK + b" "}
    files = {f"{name}_assignsubmission_file_/{FILE}": content[name[:6]] for name in names}
    intake = Intake(grow(tmp_path / "class", files), ROOT)
    pairs = ("Ann_Lee", "Bob_Ray"), ("Cy_Day", "Dee_Fox")
    assert {one.student: one.together for one in intake} == {student: pair for pair in pairs for student in pair}


def test_any_column_can_say_who_works_together(tmp_path):
    text = ROSTER.replace("Team", "Lab partners")
    assert roster(tmp_path, text).teams() == {}
    pairs = {"ann": ("ann", "bob"), "bob": ("ann", "bob"), "dee": ("dee", "eve"), "eve": ("dee", "eve")}
    assert roster(tmp_path, text, "Lab partners").teams() == pairs
    with pytest.raises(ValueError, match="has no column Partner; it has username, name, Lab partners"):
        roster(tmp_path, text, "Partner")
    people = read_roster(tmp_path / "roster.csv", "Lab partners")
    write_people(people, tmp_path / "roster.json")
    assert read_people(tmp_path / "roster.json") == people


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")  # nbgrader's own
def test_a_group_has_one_verdict_on_every_page(backend, tmp_path):
    course = Course(tmp_path)
    (tmp_path / "roster.csv").write_text(ROSTER)
    files = {BLACKBOARD.format("ann", 20): ONE, BLACKBOARD.format("cy", 20): ALL}
    summary = course.grade(week(course, files), "--roster", tmp_path / "roster.csv")
    assert (summary["graded"], summary["functions_run"]) == (3, 2 * len(UNIT.exercises))
    assert total(course, "ann") == total(course, "bob") == FIRST.points
    who = "Ann Lee (ann), Bob Ray (bob) (the file is from Ann Lee (ann)); all have the same points for it"
    for student in ("ann", "bob"):
        assert who in page(course, student)
    assert "together" not in page(course, "cy")
    later = course.grade(week(course, {BLACKBOARD.format("bob", 21): ALL}), "--student", "bob")
    assert (later["graded"], later["functions_run"]) == (2, len(UNIT.exercises))
    assert total(course, "ann") == total(course, "bob") == UNIT.points
    assert "(the file is from Bob Ray (bob))" in page(course, "ann")
    similar = (course.room / "report" / "similar.csv").read_text()
    assert "ann" in similar or "bob" in similar  # both have copied the solution, as cy has
    assert not ("ann" in similar and "bob" in similar)
    again = course.grade()  # from where nbgrader collects
    assert (again["graded"], again["unchanged"]) == (0, 3)
    assert (course.room / "submitted" / "bob" / ID / f"{ID}.ipynb").read_bytes() == ALL
    assert "name the roster, too" in course.grade("--together", "Team", status=1)


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")  # nbgrader's own
def test_the_last_member_has_the_verdict_too(backend, tmp_path, monkeypatch):
    """By then that of the first one is known already, and nothing is left to be run."""
    course, alone = Course(tmp_path), ("bob", "cy", "dee", "eve", "finn", "gil")
    pairs = "".join(f"{name},,\n" for name in alone)
    (tmp_path / "roster.csv").write_text(f"username,name,team\nann,,1\n{pairs}zoe,,1\n")
    files = {BLACKBOARD.format(name, 20): ONE for name in ("ann", *alone)}
    summary = course.grade(week(course, files), "--roster", tmp_path / "roster.csv", "--jobs", "1")
    assert (summary["graded"], summary["functions_run"]) == (8, 7 * len(UNIT.exercises))
    assert total(course, "ann") == total(course, "zoe") == FIRST.points
    assert rows(course)["zoe"]["status"] == "graded"
    for path in course.records():  # nbgrader, too, finds that of the first one
        if path.parts[-3] == "zoe" and path.name != MARK:
            path.unlink()
    monkeypatch.chdir(course.root)
    assert NbGraderAPI(config=settings(course.root)).autograde(ID, "zoe", force=True)["success"]
    course.run("report")
    assert total(course, "zoe") == FIRST.points
