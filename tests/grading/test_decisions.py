"""What a class decides holds in every number: table, page, gradebook, nbgrader's export, and the way back."""

import csv
import re
import shutil
from datetime import UTC, datetime, timedelta

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.plugins.export import CsvExportPlugin

from autograder.authoring.stamp import stamp
from autograder.decisions.decided import MISSING, NOT_DUE
from autograder.grading.verdicts import fingerprint
from tests.support.unjudged_class import STUDENTS, UNITS, Class, judge_nothing

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader's own warnings

UNIT, NEXT = UNITS
ID = UNIT.id
LEFT_OUT, WORTH_MORE, *REST = UNIT.exercises
BEST, OTHERS = "ann", ("bob", "eve")  # all points, and half a point for each exercise
HALVES = 0.5 * len(UNIT.exercises)
DUE = datetime(2026, 11, 20, 12, tzinfo=UTC)
AGAIN = "nothing for the second unit in a row"
HOURS = {("ann", ID): 0.2, ("bob", ID): 30, ("ann", NEXT.id): 25, ("bob", NEXT.id): -3}  # late; of Eve no time is known


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class that was graded before it decided anything."""
    made = Class(tmp_path_factory.mktemp("decided"))
    with pytest.MonkeyPatch.context() as patch:
        judge_nothing(patch)
        made.hand_in()
        for (student, unit), hours in HOURS.items():
            time = (DUE + timedelta(hours=hours)).isoformat()
            (made.room / "submitted" / student / unit / "timestamp.txt").write_text(time)
        status, printed = made.run("grade", "--roster", "roster.csv")
    assert status == 0, printed
    return made


@pytest.fixture
def course(graded, tmp_path, monkeypatch):
    judge_nothing(monkeypatch)
    made = Class(tmp_path / "course")
    shutil.copytree(graded.root, made.root)
    return made


def decide(course, text):
    (course.root / "course.toml").write_text(text)


def report(course):
    status, printed = course.run("report")
    assert status == 0, printed
    return course.table()


def numbers(course, unit=ID):
    """Return the points and the possible points of those who handed in, wherever they stand."""
    told = course.run("export", "--to", "csv")[1]
    with (course.room / "export" / "grades.csv").open(newline="") as file:
        lines = {row["student"]: row for row in csv.DictReader(file)}
    [column] = [name for name in lines[BEST] if name.startswith(unit[:2])]
    found = {}
    path = course.room / "nbgrader.csv"
    with Gradebook(f"sqlite:///{course.room / 'gradebook.db'}", "transformer-course") as book:
        plugin = CsvExportPlugin()
        plugin.to = str(path)
        plugin.export(book)
    with path.open(newline="") as file:
        exported = {(row["student_id"], row["assignment"]): row for row in csv.DictReader(file)}
    for student in STUDENTS:
        row, nbgraders = course.table()[student], exported[student, unit]
        pair = float(row[unit]), float(row[f"max {unit}"])
        assert pair == (float(nbgraders["score"]), float(nbgraders["max_score"]))
        assert pair == (float(lines[student][column]), float(lines["points possible"][column])), told
        page = (course.room / "feedback" / student / unit / f"{unit}.html").read_text(encoding="utf-8")
        assert f"{pair[0]:g} of {pair[1]:g} points" in page
        found[student] = pair
    return found


def test_what_is_left_out_counts_nowhere(course):
    before = numbers(course)
    assert before == {BEST: (UNIT.points, UNIT.points)} | dict.fromkeys(OTHERS, (HALVES, UNIT.points))
    decide(course, f'[units.{ID}]\nwithout = ["{LEFT_OUT.name}"]\npoints = {{ {WORTH_MORE.name} = 7 }}')
    report(course)
    rest = sum(exercise.points for exercise in REST)
    halves = round(0.5 * len(REST) + 0.5 * 7 / WORTH_MORE.points, 4)
    assert numbers(course) == {BEST: (rest + 7, rest + 7)} | dict.fromkeys(OTHERS, (halves, rest + 7))
    page = (course.room / "feedback" / "bob" / ID / f"{ID}.html").read_text(encoding="utf-8")
    assert LEFT_OUT.name not in page
    assert LEFT_OUT.name not in (course.room / "report" / "exercises.csv").read_text(encoding="utf-8")
    status, printed = course.run("grade")
    assert (status, "0 submissions graded, 6 unchanged" in printed) == (0, True), printed
    (course.root / "course.toml").unlink()
    report(course)
    assert numbers(course) == before


@pytest.mark.exhaustive
def test_points_by_hand_in_what_is_left_out(course):
    """They are out of every sum while it is, and back with it."""
    with Gradebook(f"sqlite:///{course.room / 'gradebook.db'}", "transformer-course") as book:
        book.find_grade(f"check-{LEFT_OUT.name}", ID, ID, "bob").manual_score = 1.75
        book.db.commit()
    report(course)
    assert numbers(course)["bob"][0] == 0.5 * (len(UNIT.exercises) - 1) + 1.75
    decide(course, f'[units.{ID}]\nwithout = ["{LEFT_OUT.name}"]')
    report(course)
    assert numbers(course)["bob"][0] == 0.5 * (len(UNIT.exercises) - 1)
    assert "needs manual grade" not in course.table()["bob"]["status"]


@pytest.mark.exhaustive
def test_a_notebook_without_an_exercise_that_counts(course):
    """It is refused before anybody is graded, until the class leaves the exercise out."""
    path = course.root / "notebooks" / ID / f"{ID}.ipynb"
    book = nbformat.read(path, as_version=4)
    book.cells = [cell for cell in book.cells if cell.source != f"check({LEFT_OUT.name})"]
    stamp(book)
    nbformat.write(book, path)
    (course.room / "gradebook.db").unlink()
    status, printed = course.run("grade", "--force")
    assert (status, f"has no check cell for {LEFT_OUT.name}" in printed) == (1, True)
    assert f'without = ["{LEFT_OUT.name}"]' in printed
    decide(course, f'[units.{ID}]\nwithout = ["{LEFT_OUT.name}"]')
    status, printed = course.run("grade", "--force")
    assert status == 0, printed
    assert float(course.table()[BEST][ID]) == UNIT.points - LEFT_OUT.points


LATE = f"""\
[late]
percent_per_day = 10
grace_minutes = 15
late_days = {{}}
[units.{ID}]
due = {DUE.isoformat()}
[units.{NEXT.id}]
due = {(DUE + timedelta(seconds=1)).isoformat()}
"""


def lost(course):
    """Return by student and unit the share of the points that lateness has cost, in percent."""
    table, found = course.table(), {}
    for student, reached in ((BEST, lambda unit: unit.points), ("bob", lambda unit: 0.5 * len(unit.exercises))):
        for unit in UNITS:
            share = 1 - float(table[student][unit.id]) / reached(unit)
            found[student, unit.id] = round(100 * share)
    return found


def test_lateness_costs_what_the_class_decides(course):
    """Each day that has begun after the grace, but for the late days, which go in the order of the due dates."""
    decide(course, LATE.format(0))
    report(course)
    assert lost(course) == {(BEST, ID): 0, (BEST, NEXT.id): 20, ("bob", ID): 20, ("bob", NEXT.id): 0}
    assert "1 day 6 hours late, which costs 0.6 points" in course.table()["bob"]["status"]
    numbers(course), numbers(course, NEXT.id)
    decide(course, LATE.format(1))
    report(course)
    assert lost(course) == {(BEST, ID): 0, (BEST, NEXT.id): 10, ("bob", ID): 10, ("bob", NEXT.id): 0}
    assert "1 day 6 hours late, which uses 1 late day and costs 0.3 points" in course.table()["bob"]["status"]
    longer = '[[extensions]]\nstudent = "bob"\nunit = "5"\ndays = 1\n[[extensions]]\nstudent = "ann"\nunit = "06"\n'
    decide(course, LATE.format(0) + longer + f"due = {(DUE + timedelta(hours=25)).isoformat()}\n")
    report(course)
    assert lost(course) == {(BEST, ID): 0, (BEST, NEXT.id): 0, ("bob", ID): 10, ("bob", NEXT.id): 0}
    assert "6 hours late" in course.table()["bob"]["status"]
    numbers(course), numbers(course, NEXT.id)


@pytest.mark.exhaustive
def test_what_cannot_be_followed_is_told(course):
    decide(course, LATE.format(0) + '[[excused]]\nstudent = "anne"\nunit = "5"\n')
    for command in ("report", "grade"):
        printed = course.run(command)[1]
        assert f"course.toml decides on anne in {ID}, and there is nobody with this id in the class." in printed
        assert "Did you mean ann?" in printed
        assert f"{ID}: there is a due date, and of 1 of 3 submissions no time is known" in printed


@pytest.mark.exhaustive
def test_moodles_worksheet_says_when_it_was_handed_in(course, monkeypatch):
    """Its times are those of the zone of the due date."""
    decide(course, f"[late]\npercent_per_day = 10\n[units.{ID}]\ndue = 2026-11-20T12:00:00+01:00\n")
    people = {"ann": (321, "Friday, 20 November 2026, 11:59 AM"), "bob": (322, "Friday, 20 November 2026, 12:01 PM")}
    people["zoe"] = (323, "-")
    head = "Identifier,Full name,Email address,Status,Last modified (submission)"
    row = 'Participant {},{who},{who}@uni.example,Submitted,"{}"'
    lines = [row.format(*known, who=who) for who, known in people.items()]
    (course.root / "sheet.csv").write_text("\n".join([head, *lines]))
    folder = course.root / "moodle"
    for who, (number, time) in people.items():
        if time != "-":
            path = folder / f"{who}_{number}_assignsubmission_file_" / f"{ID}.ipynb"
            path.parent.mkdir(parents=True)
            shutil.copyfile(course.room / "submitted" / who / ID / f"{ID}.ipynb", path)
    shutil.rmtree(course.room)
    printed = course.run("grade", folder)[1]
    assert f"{ID}: there is a due date, and of 2 of 2 submissions no time is known" in printed
    status, printed = course.run("grade", folder, "--roster", "sheet.csv")
    assert (status, "no time is known" in printed) == (0, False), printed
    table = course.table()
    assert "1 minute late" in table["bob"]["status"]
    assert [float(table[who][ID]) for who in ("ann", "bob")] == [UNIT.points, 0.9 * HALVES]


def in_days(number):
    return (datetime.now(UTC) + timedelta(days=number)).isoformat(timespec="seconds")


def test_what_is_not_due_yet_is_blank(course):
    """In the table, in the weighted percent, in the report and in each export; after its date it is 0."""
    plan = "[units.{}]\nweight = 1\n[units.{}]\nweight = 1\ndue = {}\n"
    shutil.rmtree(course.room / "submitted" / "bob" / NEXT.id)
    for part in ("records", "originals", "autograded", "feedback"):
        shutil.rmtree(course.room / part / "bob" / NEXT.id)
    with Gradebook(f"sqlite:///{course.room / 'gradebook.db'}", "transformer-course") as book:
        book.remove_submission(NEXT.id, "bob")
    share = 100 * 0.5 * len(UNIT.exercises) / UNIT.points
    for days, points, percent, state in ((1, "", share, NOT_DUE), (-1, "0.0", share / 2, MISSING)):
        decide(course, plan.format(ID, NEXT.id, in_days(days)))
        row = report(course)["bob"]
        assert (row[NEXT.id], row["status"]) == (points, f"{NEXT.id}: {state}")
        assert float(row["weighted percent"]) == pytest.approx(percent, abs=1e-3)
        assert float(row["max total"]) == UNIT.points + (NEXT.points if points else 0)
        printed = course.run("grade")[1]
        assert f"{ID}: nothing handed in: dan, Zoe Oel (zoe)" in printed
        assert f"{NEXT.id}: {state}: Bob Ray (bob), Zoe Oel (zoe)" in printed
        page = (course.room / "report" / "index.html").read_text(encoding="utf-8")
        assert ("Bob Ray" in page.partition("Remind")[2].partition("</li>")[0]) == (state == MISSING)
        course.run("export", "--to", "csv")
        lines = (course.room / "export" / "grades.csv").read_text(encoding="utf-8").splitlines()
        assert lines[3] == f"bob,Bob Ray,2,{0.5 * len(UNIT.exercises):g},{points and '0'}"
    decide(course, plan.format(ID, NEXT.id, in_days(-1)).join(['missing = "blank"\n', ""]))
    row = report(course)["bob"]
    assert (row[NEXT.id], row["status"]) == ("", f"{NEXT.id}: {MISSING}")


def not_held(exercise):
    """Return a claim that does not hold for the others, who have the first one of half a point."""
    half = next(claim for claim in exercise.claims if claim.points == 0.5)
    return next(claim for claim in exercise.claims if claim is not half)


def given(exercise, give):
    claim = not_held(exercise).name
    return f'[[adjust]]\nexercise = "{exercise.name}"\nclaim = "{claim}"\ngive = "{give}"\n'


def test_a_claim_that_was_wrong_is_given(course):
    """To whoever has handed in, or to the whole class; where nothing was written as well."""
    worth = not_held(LEFT_OUT).points
    decide(course, given(LEFT_OUT, "whoever handed in"))
    report(course)
    assert numbers(course) == {BEST: (UNIT.points, UNIT.points)} | dict.fromkeys(OTHERS, (HALVES + worth, UNIT.points))
    assert course.table()["zoe"][ID] == "0.0"
    page = (course.room / "feedback" / "bob" / ID / f"{ID}.html").read_text(encoding="utf-8")
    assert f"{worth:g} for “{not_held(LEFT_OUT).name}”" in page
    decide(course, given(LEFT_OUT, "everybody"))
    report(course)
    assert numbers(course)["bob"] == (HALVES + worth, UNIT.points)
    assert float(course.table()["zoe"][ID]) == worth
    course.run("export", "--to", "csv", "--exercises", "--unit", "5")
    with (course.room / "export" / "grades.csv").open(newline="") as file:
        [zoe] = [row for row in csv.reader(file) if row[0] == "zoe"]
    assert zoe[3:] == [f"{worth:g}", *["0"] * (len(UNIT.exercises) - 1)]


def test_who_is_excused_counts_nowhere(course):
    decide(course, f'[units.{ID}]\nweight = 1\n[[excused]]\nstudent = "bob"\nunit = "5"\nwhy = "ill"\n')
    row = report(course)["bob"]
    assert (row[ID], row["weighted percent"], row["status"]) == ("", "", f"{ID}: excused")
    assert float(row["max total"]) == NEXT.points
    page = (course.room / "feedback" / "bob" / ID / f"{ID}.html").read_text(encoding="utf-8")
    assert "You are excused from this unit: it counts nowhere." in page
    assert "ill" not in (course.room / "grades.csv").read_text(encoding="utf-8")


def test_who_has_left_stays_in_the_records(course):
    """In table, report, exports and archive; before the time it is as if nothing were said."""
    plan = "".join(f'[[left]]\nstudent = "{who}"\nsince = {{0}}\n' for who in ("zoe", "bob"))
    decide(course, plan.format(in_days(1)))
    before = report(course)
    assert before["zoe"][ID] == "0.0"
    first_page = (course.room / "report" / "index.html").read_text(encoding="utf-8")
    exercises = (course.room / "report" / "exercises.csv").read_text(encoding="utf-8")
    decide(course, plan.format(in_days(-1)))
    after = report(course)
    assert (after["zoe"][ID], after["zoe"]["max total"]) == ("", "0")
    assert after["zoe"]["status"] == f"{ID}: left, {NEXT.id}: left"
    assert after["bob"] == before["bob"]
    assert numbers(course)["bob"] == (HALVES, UNIT.points)
    page = (course.room / "report" / "index.html").read_text(encoding="utf-8")
    assert "5 students (2 of them left) in 2 units" in page
    assert [AGAIN in text for text in (first_page, page)] == [True, False]
    left_out = (course.room / "report" / "exercises.csv").read_text(encoding="utf-8")
    judged = [[int(row["judged"]) for row in csv.DictReader(text.splitlines())] for text in (exercises, left_out)]
    assert [set(counts) for counts in judged] == [{3}, {2}]
    status, printed = course.run("grade")
    assert f"{ID}: left: Zoe Oel (zoe)" in printed
    course.run("export", "--to", "csv")
    lines = (course.room / "export" / "grades.csv").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("zoe")] == ["zoe,Zoe Oel,2,,"]
    status, printed = course.run("archive", course.root / "term.zip")
    assert (status, "Packed 5 students" in printed) == (0, True), printed


def test_a_stranger_who_has_left_is_told(course):
    decide(course, '[[left]]\nstudent = "zoee"\nsince = 2026-01-01T00:00:00Z\n')
    assert "course.toml decides on zoee, and there is nobody with this id in the class. Did you mean zoe" in (
        course.run("grade")[1]
    )


@pytest.mark.exhaustive
def test_a_curve_raises_all_who_handed_in(course):
    """At most to all points, before lateness takes its share."""
    decide(course, f"[units.{ID}]\ncurve = {{ times = 1.2, add = 1 }}\n")
    report(course)
    raised = 1.2 * HALVES + 1
    assert numbers(course) == {BEST: (UNIT.points, UNIT.points)} | dict.fromkeys(OTHERS, (raised, UNIT.points))
    assert course.table()["zoe"][ID] == "0.0"
    page = (course.room / "feedback" / "bob" / ID / f"{ID}.html").read_text(encoding="utf-8")
    assert f"Your work has {HALVES:g} points. {raised - HALVES:g} are added, as for everybody." in page
    decide(course, LATE.format(0).replace("due =", "curve = { add = 1.5 }\ndue =", 1))
    report(course)
    assert numbers(course)["bob"] == (0.8 * (HALVES + 1.5), UNIT.points)
    page = (course.room / "feedback" / "bob" / ID / f"{ID}.html").read_text(encoding="utf-8")
    assert "1.5 are added, as for everybody. You handed in 1 day 6 hours late, which costs 0.9 points." in page
    course.run("export", "--to", "csv", "--exercises", "--unit", "5")
    with (course.room / "export" / "grades.csv").open(newline="") as file:
        lines = {row[0]: row for row in csv.reader(file)}
    assert [cell.rpartition(": ")[2] for cell in lines["student"][-2:]] == ["curve", "late"]
    assert sum(map(float, lines["bob"][3:])) == pytest.approx(0.8 * (HALVES + 1.5))


def counts(printed):
    """Return how many submissions are graded, how many stay, and how many functions are run, as a line says it."""
    found = re.search(r"(\d+) submissions? graded, (\d+) unchanged, .*\((\d+) functions run", printed)
    plan = re.search(r"Would grade (\d+) submissions?(?: \((\d+) functions run\))?; (\d+) have", printed)
    return tuple(map(int, found.groups())) if found else tuple(int(plan[n] or 0) for n in (1, 3, 2))


@pytest.mark.exhaustive
def test_a_dry_run_plans_what_the_run_does(course, monkeypatch):
    """After a changed claim, a lost page, a new decision, a new file, and with --force; it writes nothing."""

    def both(*options):
        before = {path: path.read_bytes() for path in course.room.rglob("*") if path.is_file()}
        planned = counts(course.run("grade", "--dry-run", *options)[1])
        assert {path: path.read_bytes() for path in course.room.rglob("*") if path.is_file()} == before
        done = counts(course.run("grade", *options)[1])
        assert planned == done
        return done

    total = len(UNIT.exercises) + len(NEXT.exercises)
    assert both() == (0, 6, 0)
    decide(course, f'[units.{ID}]\nwithout = ["{LEFT_OUT.name}"]\n')
    assert both() == (0, 6, 0)
    (course.room / "feedback" / "bob" / ID / f"{ID}.html").unlink()
    assert both() == (1, 5, 0)
    real = fingerprint.specification
    monkeypatch.setattr(fingerprint, "specification", lambda e: real(e) + "newer" * (e.name == WORTH_MORE.name))
    fingerprint.course.cache_clear()
    assert both() == (6, 0, 3)
    late = course.room / "submitted" / "fay" / ID / f"{ID}.ipynb"
    late.parent.mkdir(parents=True)
    shutil.copyfile(course.room / "submitted" / "bob" / ID / f"{ID}.ipynb", late)
    assert both("--unit", "5") == (1, 3, len(UNIT.exercises))
    assert both("--force", "--student", "bob") == (2, 0, total)
    fingerprint.course.cache_clear()
