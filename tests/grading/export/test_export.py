"""Points and feedback as platforms take them back, read here by the rules of each platform's import.

The rules are written down in public:

Canvas: lib/gradebook_importer.rb and app/models/assignment.rb (`infer_comment_context_from_filename`) of
    https://github.com/instructure/canvas-lms
Moodle: mod/assign/feedback/offline/importgradeslib.php and mod/assign/feedback/file/importziplib.php of
    https://github.com/moodle/moodle, and https://docs.moodle.org/en/Grade_import
Brightspace: https://community.d2l.com/brightspace/kb/articles/3538-importing-grades
Blackboard: https://help.blackboard.com/Learn/Instructor/Original/Grade/Grading_Tasks/Work_Offline_With_Grade_Data
ILIAS: components/ILIAS/Exercise/TutorFeedbackFile/TutorFeedbackZipRepository.php of
    https://github.com/ILIAS-eLearning/ILIAS, and classes/class.ilPluginExAssignmentStatusFile.php of
    https://github.com/ilifau/ExerciseStatusFile
"""

import argparse
import csv
import io
import re
import zipfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.arguments import afterwards
from autograder.decisions.decided import Decisions, OfUnit, present
from autograder.grading import exporting
from autograder.grading.export import plugins
from autograder.grading.export.feedback import write_feedback
from autograder.grading.export.people import rows
from autograder.grading.export.platforms import PLATFORMS
from autograder.grading.export.points import columns, weighted
from autograder.grading.final import Final
from autograder.grading.intake.find.register import Register
from autograder.grading.intake.find.roster import Roster
from autograder.grading.intake.submission import Submission
from autograder.grading.intake.take_in import Intake
from autograder.grading.opened import OpenedClass
from autograder.grading.verdicts.record import Record
from autograder.grading.verdicts.store import Store
from autograder.registry import find_unit
from tests.support.course_folder import Course
from tests.support.handed_in import BOOK, FILE, UNIT, grow
from tests.support.rosters import ILIAS, ROSTERS, ZIPS, roster_of
from tools.course import ROOT
from tools.synthetic_class import hand_in

IN_UNIT = find_unit(UNIT)
FIRST, *OTHERS = IN_UNIT.exercises
ANN, EVE = 1.25, 3  # points beside those of all other exercises
LOST = 0.5  # by Ann, for lateness


def opened_class(folder, platform, with_roster=True):
    """Return a class in which Ann and Eve, who is not on the roster, have handed in, Bob a PDF, and Zoe nothing."""
    register = Register(b"secret")
    roster = roster_of(folder, platform, register) if with_roster else None
    grow(folder / "class", dict(zip(ZIPS[platform], (BOOK, b"%PDF", BOOK), strict=True)))
    intake = Intake(folder / "class", ROOT, register=register, roster=roster)
    store = Store(folder / "classroom")
    committed, finals = [], {}
    for candidate in intake.candidates:
        student, first = candidate.student, ZIPS[platform][0].split("/")[0]
        is_ann = candidate.attempts[0].item.path[0] == first
        points = {FIRST.name: ANN if is_ann else EVE} | {exercise.name: exercise.points for exercise in OTHERS}
        records = [Record("", student, UNIT, e.name, points[e.name], e.points, "wrong") for e in IN_UNIT.exercises]
        committed.append((Submission(student, UNIT, "", b"", None), records))
        lost = LOST if is_ann else 0
        finals[student, UNIT] = Final(sum(points.values()) - lost, lost)
    nothing = {one.student: {one.unit: one.words} for one in intake.without_notebook}
    for student in (*nothing, *(submission.student for submission, _ in committed)):
        page = store.place("feedback", student, UNIT, f"{UNIT}.html")
        page.parent.mkdir(parents=True)
        page.write_text(f"the page of {student}")
    roster = roster or Roster([], register)
    return OpenedClass(store, register, roster, committed, finals, nothing, roster.sections())


ALL_OTHERS = sum(exercise.points for exercise in OTHERS)
OF_ANN, OF_EVE = f"{ANN + ALL_OTHERS - LOST:g}", f"{EVE + ALL_OTHERS:g}"
MOST = f"{IN_UNIT.points:g}"


def test_every_platform_can_be_named():
    assert set(afterwards.PLATFORMS) == set(PLATFORMS)


def made(opened, platform, **options):
    return PLATFORMS[platform](rows(opened), columns(opened, **options))


def lines_of(export, **options):
    return list(csv.reader(io.StringIO(export.text), **options))


@pytest.mark.parametrize("with_roster", [True, False])
def test_canvas_knows_its_students_by_its_own_number(tmp_path, with_roster):
    [export] = made(opened_class(tmp_path, "Canvas", with_roster), "canvas", names={UNIT: "Homework 2 (4711)"})
    head, possible, *lines = lines_of(export)
    assert head[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]  # the last that is no assignment
    assert head[5:] == ["Homework 2 (4711)"]
    assert "Points Possible" in possible[0]
    assert possible[5:] == [MOST]
    found = {line[1]: (line[0], line[2:5], line[5]) for line in lines}
    assert found["12399"][2] == OF_EVE  # by the name of the file alone
    assert found["12345"][2] == OF_ANN
    assert found["12347"][2] == "0"
    if with_roster:
        assert found["12345"][:2] == ("Lee, Ann", ["S-1", "alee7", "Section 1"])
        assert found["12346"] == ("Öl, Zoë Maria", ["S-2", "zoel", "Section 2"], "0")
        assert export.missing == []


@pytest.mark.parametrize("by_exercise", [False, True])
def test_no_zero_over_what_counts_nothing(tmp_path, by_exercise):
    """Canvas keeps who is excused, and a cell of what is not due stays empty everywhere."""
    opened = opened_class(tmp_path, "Canvas")
    ann, zoe = (opened.roster.ids[number] for number in (0, 1))
    tomorrow = present() + timedelta(days=1)
    decided = Decisions({UNIT: OfUnit(due=tomorrow)}, excused={(ann, UNIT): ""})
    opened = replace(opened, decisions=decided)
    [export] = made(opened, "canvas", by_exercise=by_exercise)
    found = {line[1]: set(line[5:]) for line in lines_of(export)[2:]}
    assert (found["12345"], found["12346"]) == ({"EX"}, {""})
    [plain] = made(opened, "csv", by_exercise=by_exercise)
    found = {line[0]: set(line[3:]) for line in lines_of(plain)[2:]}
    assert (found[ann], found[zoe]) == ({""}, {""})


@pytest.mark.parametrize("platform", ["Moodle's worksheet", "Moodle"])
def test_moodle_identifies_students_by_assignment(tmp_path, platform):
    [export] = made(opened_class(tmp_path, platform), "moodle")
    assert export.name == f"moodle-{UNIT}.csv"
    head, *lines = lines_of(export)
    index = {name: head.index(name) for name in ("Identifier", "Grade", "Last modified (grade)")}  # it needs these
    found = {line[index["Identifier"]].removeprefix("Participant "): line[index["Grade"]] for line in lines}
    assert found == {"321": OF_ANN, "323": "0", "399": OF_EVE} | ({"322": "0"} if "worksheet" in platform else {})
    assert export.missing == ([] if "worksheet" in platform else ["Zoë_Maria_Öl"])


def test_moodles_gradebook_maps_addresses(tmp_path):
    """For more than one column of an assignment, or where nothing came from Moodle's files."""
    [export] = made(opened_class(tmp_path, "Moodle"), "moodle", by_exercise=True)
    head, *lines = lines_of(export)
    assert head[:4] == ["First name", "Last name", "ID number", "Email address"]
    assert [line[3] for line in lines] == ["ann.lee@uni.example", "bob@uni.example", "zoe@uni.example"]
    assert lines[0][4:] == [f"{ANN:g}", *(f"{e.points:g}" for e in OTHERS), f"{-LOST:g}"]
    assert export.missing == ["Eve_May"]


def test_brightspace_knows_its_students_by_two_names(tmp_path):
    [export] = made(opened_class(tmp_path, "Brightspace"), "brightspace")
    head, *lines = lines_of(export)
    assert (head[:2], head[-1]) == (["OrgDefinedId", "Username"], "End-of-Line Indicator")
    assert re.fullmatch(rf".+ Points Grade <Numeric MaxPoints:{MOST}>", head[2])
    assert lines == [["#1001", "#alee7", OF_ANN, "#"], ["#1003", "#bray", "0", "#"], ["#1002", "#zoel", "0", "#"]]
    assert export.missing == ["Eve_May"]  # her name in the file is no id


@pytest.mark.parametrize("with_roster", [True, False])
def test_blackboard_knows_its_students_by_the_username(tmp_path, with_roster):
    name = {UNIT: "Unit 2 [Total Pts: 21 Score] |4711"}
    [export] = made(opened_class(tmp_path, "Blackboard", with_roster), "blackboard", names=name)
    head, *lines = lines_of(export, delimiter="\t")
    assert head == ["Last Name", "First Name", "Username", "Student ID", name[UNIT]]
    found = {line[2]: (line[0], line[3], line[4]) for line in lines}
    assert found["alee7"] == (("Lee", "1001", OF_ANN) if with_roster else ("", "", OF_ANN))
    assert (found["emay"][2], found["bray"][2]) == (OF_EVE, "0")
    assert ("zoel" in found) is with_roster
    assert export.text.encode(export.encoding).startswith((b"\xff\xfe", b"\xfe\xff"))
    (tmp_path / "other").mkdir()
    [other] = made(opened_class(tmp_path / "other", "Blackboard"), "blackboard")
    assert lines_of(other, delimiter="\t")[0][4].endswith(f"[Total Pts: {MOST} Score]")


@pytest.mark.parametrize("with_roster", [True, False])
def test_ilias_knows_its_students_by_a_number(tmp_path, with_roster):
    """What the roster says of passing, and what tutors have written there, comes back as it was."""
    [export] = made(opened_class(tmp_path, "ILIAS", with_roster), "ilias")
    assert export.name == f"ilias-{UNIT}/status.csv"
    head, *lines = lines_of(export)
    assert head == ILIAS.partition("\n")[0].split(",")
    found = {line[1]: line for line in lines}
    kept = ("passed", "Well done") if with_roster else ("", "")
    assert found["4711"] == ["1", "4711", "alee7", "Lee", "Ann", kept[0], OF_ANN, "", kept[1], "", ""]
    assert found["4799"] == ["1", "4799", "emay", "May", "Eve", "", OF_EVE, "", "", "", ""]
    assert found["4713"][6] == "0"
    if with_roster:
        assert found["4712"] == ["1", "4712", "zoel", "Öl", "Zoë Maria", "notgraded", "0", "by mail", "", "", ""]
    assert export.missing == []
    (tmp_path / "other").mkdir()
    with pytest.raises(ValueError, match="one mark for each assignment"):
        made(opened_class(tmp_path / "other", "ILIAS"), "ilias", by_exercise=True)


def test_ilias_changes_no_mark_without_points(tmp_path):
    opened = opened_class(tmp_path, "ILIAS")
    object.__setattr__(opened.committed[0][1][0], "points", None)
    [export] = made(opened, "ilias")
    assert sorted((line[0], line[6]) for line in lines_of(export)[1:])[0] == ("0", "")


def _ilias_reads(names):
    """Return by number the files that ILIAS hands out: two folders deep, and the number ends the second's name."""
    parts = [name.split("/") for name in names]
    return {int(folder.split("_")[-1]): file for _, folder, file in (one for one in parts if len(one) == 3)}


def test_ilias_finds_pages_and_marks_together(tmp_path):
    opened = opened_class(tmp_path, "ILIAS")
    people, found = rows(opened), PLATFORMS["ilias"](rows(opened), columns(opened))
    options = argparse.Namespace(to="ilias", feedback=True)
    told = exporting._feedback(options, opened, tmp_path, [UNIT], people, found)
    [(path, (count, missing))] = told.items()
    assert (count, missing) == (3, [])
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        assert archive.read(f"multi_feedback_{UNIT}/status.csv").decode() == found[0].text
    assert _ilias_reads(names) == dict.fromkeys((4711, 4713, 4799), f"{UNIT}.html")
    assert {name.split("/")[0] for name in names} == {f"multi_feedback_{UNIT}"}


def test_a_plain_table_has_everybody_and_maximum_points(tmp_path):
    [export] = made(opened_class(tmp_path, "a spreadsheet"), "csv", by_exercise=True)
    head, possible, *lines = lines_of(export)
    assert head[:3] == ["student", "name", "section"]
    assert [name.split(": ")[-1] for name in head[3:]] == [*(e.name for e in IN_UNIT.exercises), "late"]
    assert possible[3:] == [*(f"{e.points:g}" for e in IN_UNIT.exercises), "0"]
    sums = {line[0]: sum(float(points or 0) for points in line[3:]) for line in lines}
    assert sums == {"Ann_Lee": float(OF_ANN), "Bob_Ray": 0, "emay": float(OF_EVE), "Zoë_Maria_Öl": 0}
    assert [line[1:3] for line in lines if line[0][0] == "Z"] == [["Zoë Maria Öl", "Section 2"]]


@pytest.mark.parametrize("platform", ["Canvas", "Moodle's worksheet"])
def test_the_weighted_percent_can_be_exported(tmp_path, platform):
    opened = opened_class(tmp_path, platform)
    opened = replace(opened, decisions=Decisions({UNIT: OfUnit(weight=3)}))
    column = weighted(opened)
    assert (column.name, column.most) == ("Weighted percent", 100)
    percents = sorted(column.points.values())
    assert percents == pytest.approx([0, 0, *(100 * float(points) / IN_UNIT.points for points in (OF_ANN, OF_EVE))])
    made_ = PLATFORMS["moodle" if "Moodle" in platform else "canvas"](rows(opened), [*columns(opened), column])
    assert [export.name for export in made_][-1] == ("moodle.csv" if "Moodle" in platform else "canvas.csv")
    assert "Weighted percent" in made_[-1].text


def test_an_undecided_grade_is_empty_not_zero(tmp_path):
    opened = opened_class(tmp_path, "a spreadsheet")
    record = opened.committed[0][1][0]
    object.__setattr__(record, "points", None)
    [export] = made(opened, "csv")
    assert lines_of(export)[2][3] == ""
    [export] = made(opened, "csv", by_exercise=True)
    assert lines_of(export)[2][3:5] == ["", f"{OTHERS[0].points:g}"]


def _canvas_reads(name):
    """Return the user whom Canvas finds: by the first two numbers between underscores."""
    user, attachment = [part for part in name.split("_") if part.isdigit()][:2]
    return user, attachment


def _moodle_reads(name):
    """Return the participant, and the name of the file, that Moodle finds in a path."""
    parts = name.split("/")
    _, participant, kind, plugin, *rest = parts[0].split("_", 4)
    assert (kind, plugin) == ("assignsubmission", "file")
    return participant, "/".join(filter(None, [*rest, *parts[1:]]))


def test_feedback_goes_back_under_the_original_names(tmp_path):
    found = {}
    for platform in ("Canvas", "Moodle", "Brightspace", "Blackboard"):
        (tmp_path / platform).mkdir()
        opened, path = opened_class(tmp_path / platform, platform), tmp_path / f"{platform}.zip"
        assert write_feedback(opened, UNIT, path) == (3, [])
        with zipfile.ZipFile(path) as archive:
            found[platform] = archive.namelist()
            assert archive.read(found[platform][0]).decode().startswith("the page of ")
    stem = FILE.removesuffix(".ipynb")
    pdf = "raybob_12347_67891_x.html"  # of Bob, who has handed in x.pdf
    assert found["Canvas"] == [f"leeann_12345_67890_{stem}.html", f"mayeve_12399_67892_{stem}.html", pdf]
    assert [_canvas_reads(name)[0] for name in found["Canvas"]] == ["12345", "12399", "12347"]
    assert [_moodle_reads(name) for name in found["Moodle"]] == [(n, f"{UNIT}.html") for n in ("321", "323", "399")]
    assert found["Brightspace"][0] == f"5-77 - Ann Lee - Sep 24, 2026 926 PM/{UNIT}.html"
    assert found["Blackboard"][0] == f"Unit 2_alee7_attempt_2026-11-20-10-00-00_{stem}.html"


def test_who_handed_in_by_mail_is_named(tmp_path):
    opened = opened_class(tmp_path, "a spreadsheet")
    assert write_feedback(opened, UNIT, tmp_path / "none.zip") == (0, ["Ann_Lee", "Bob_Ray", "emay"])
    assert not (tmp_path / "none.zip").exists()


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore")  # nbgrader's own
def test_the_commands_write_the_files(backend, tmp_path, monkeypatch):
    course = Course(tmp_path)
    hand_in(tmp_path / "class", [IN_UNIT], 1)
    work = (tmp_path / "class" / "student-000" / UNIT / FILE).read_bytes()
    grow(tmp_path / "week", {ZIPS["Canvas"][0]: work, f"by-mail/{UNIT}/{FILE}": work})
    (tmp_path / "roster.csv").write_bytes(ROSTERS["Canvas"])
    course.grade(tmp_path / "week", "--roster", tmp_path / "roster.csv")
    told = course.run("export", "--to", "canvas", "--feedback", "--column", "2=HW 2", "--unit", "2", status=1)
    [(path, missing)] = told["files"].items()
    assert missing == ["by-mail"]  # who has points, so the status is 1
    assert "HW 2" in Path(path).read_text()
    assert list(told["feedback"].values()) == [[1, ["by-mail"]]]
    assert course.run("export", "--to", "csv", "--exercises", "--into", tmp_path / "out")["feedback"] == {}
    assert (tmp_path / "out" / "grades.csv").is_file()
    assert "expects a unit and a name" in course.run("export", "--to", "csv", "--column", "HW 2", status=1)
    assert "nothing of that" in course.run("export", "--to", "csv", "--unit", "3", status=1)
    monkeypatch.chdir(tmp_path)
    plugin = plugins.Canvas(to=str(tmp_path / "plugin"), assignment=[UNIT], student=["alee7"])
    with Gradebook(f"sqlite:///{course.room / 'gradebook.db'}", "transformer-course") as book:
        plugin.export(book)
    text = (tmp_path / "plugin" / "canvas.csv").read_text()
    assert [line[1] for line in csv.reader(text.splitlines())][2:] == ["12345"]
