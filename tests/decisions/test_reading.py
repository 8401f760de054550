"""What a class can say in its file, and what it is told where that has no meaning."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from autograder.decisions.decided import EXCUSED, LEFT, MISSING, Adjustment, Curve, Decisions, Late
from autograder.decisions.reading import read_decisions
from autograder.decisions.setting import decided, set_decision
from autograder.registry import units

FIRST, SECOND = units()[1:3]
ONE, *_, LAST = FIRST.exercises
ID, NUMBER = FIRST.id, int(FIRST.id[:2])
CLAIM = LAST.claims[-1].name
ALL = f"""\
missing = "blank"
drop_lowest = 1
[late]
percent_per_day = 12.5
grace_minutes = 15
late_days = 3
[units.{ID}]
due = 2026-12-04T23:59:00+01:00
weight = 2
without = ["{ONE.name}"]
points = {{ {LAST.name} = 7 }}
curve = {{ times = 1.1, add = 0.5 }}
hints = 2026-12-01T00:00:00Z
solutions = 2026-12-06T08:00:00+01:00
exam = true
[[extensions]]
student = "ann"
unit = "{NUMBER}"
days = 2
[[extensions]]
student = "bob"
unit = "{ID}"
due = 2026-12-09T00:00:00Z
[[excused]]
student = "eve"
unit = "{SECOND.id}"
[[adjust]]
exercise = "{LAST.name}"
claim = "{CLAIM[:-1].upper()}"
give = "whoever handed in"
[[left]]
student = "dan"
since = 2026-12-02T00:00:00+01:00
"""
DUE = datetime(2026, 12, 4, 22, 59)


def read(folder, text):
    (folder / "course.toml").write_text(text, encoding="utf-8")
    return read_decisions(folder)


def test_a_class_without_a_file_decides_nothing(tmp_path):
    assert read_decisions(tmp_path) == Decisions()
    assert read(tmp_path, "# only a comment") == Decisions()


def test_all_decisions_are_read(tmp_path):
    decided = read(tmp_path, ALL)
    assert (decided.blank, decided.drop_lowest, decided.late) == (True, 1, Late(12.5, 15, 3))
    assert (decided.due, decided.weights) == ({ID: DUE}, {ID: 2})
    its = decided.of(ID)
    assert (its.without, its.points, its.curve, its.exam) == ((ONE.name,), {LAST.name: 7}, Curve(1.1, 0.5), True)
    assert (its.hints, its.solutions.hour) == (datetime(2026, 12, 1, tzinfo=UTC), 8)
    assert decided.extensions == {("ann", ID): DUE + timedelta(days=2), ("bob", ID): datetime(2026, 12, 9)}
    assert decided.excused == {("eve", SECOND.id): ""}
    assert decided.adjustments == (Adjustment(LAST.name, CLAIM, "whoever handed in"),)
    assert decided.left == {"dan": datetime(2026, 12, 1, 23)}



@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("\nmising = 0", 2, ("one of missing, drop_lowest", "found mising", "Did you mean missing?")),
        ("missing = 1", 1, ("0 or blank", "found 1")),
        ("missing = false", 1, ("0 or blank",)),
        ("drop_lowest = 1.5", 1, ("a whole number",)),
        ("units = 3", 1, ("tables such as",)),
        ("[units.55]\n", 1, ("a unit, one of", ID, "found 55")),
        (f"[units.{ID}]\n\nweigth = 1", 3, ("due, weight", "Did you mean weight?")),
        (f"[units.{ID}]\ndue = 2026-12-04T10:00:00", 2, ("a time with its zone",)),
        (f"[units.{ID}]\ndue = 2026-12-04", 2, ("a time with its zone",)),
        (f"[units.{ID}]\nsolutions = true", 2, ("solutions", "with its zone")),
        (f"[units.{ID}]\nhints = 3", 2, ("true, false, or a time",)),
        (f"[units.{ID}]\nweight = -1", 2, ("0 or more",)),
        (f"[units.{ID}]\nweight = true", 2, ("0 or more",)),
        (f'[units.{ID}]\nwithout = "{ONE.name}"', 2, ("a list of exercises", ONE.name)),
        (f'[units.{ID}]\nwithout = ["{SECOND.exercises[0].name}"]', 2, ("a list of exercises of this unit", LAST.name)),
        (f"[units.{ID}]\nwithout = {[e.name for e in FIRST.exercises]}", 2, ("leaves one exercise",)),
        (f"[units.{ID}]\npoints = {{ {ONE.name} = 0 }}", 2, ("above 0",)),
        (f"[units.{ID}]\n[units.{NUMBER}]", 2, ("another unit than one above",)),
        (f"[units.{ID}]\ncurve = 1", 2, ("{ add = 1 }",)),
        ("[late]\ngrace_minutes = 3", 1, ("percent_per_day",)),
        ('[[excused]]\nstudent = "a"\nunit = "1"\n[[excused]]\nunit = "1"', 4, ("student, unit", "no student")),
        ('[[excused]]\nstudent = "a"\nunit = "1"\n[[excused]]\nstudent = 7\nunit = "1"', 5, ("in quotation marks",)),
        ('[excused]\nstudent = "a"', 1, ("[[excused]]",)),
        ('[[extensions]]\nstudent = "a"\nunit = "1"', 1, ("either due or days",)),
        ('[[extensions]]\nstudent = "a"\nunit = "1"\ndays = 2', 4, ("has no date",)),
        ('[[left]]\nstudent = "a"', 1, ("student, since", "no since")),
        ('[[left]]\nstudent = "a"\nsince = 2026-12-02', 3, ("a time with its zone",)),
        ('[[left]]\nstudent = "a"\non = 2026-12-02', 3, ("one of student, since", "found on")),
        (f'[[adjust]]\nexercise = "{ONE.name}s"\nclaim = "x"\ngive = "everybody"', 2, ("an exercise", ONE.name)),
        (f'[[adjust]]\nexercise = "{LAST.name}"\nclaim = "no such"\ngive = "everybody"', 3, (CLAIM, "just one")),
        (f'[[adjust]]\nexercise = "{LAST.name}"\nclaim = "{CLAIM}"\ngive = "all"', 4, ("everybody or whoever",)),
    ],
)
def test_what_has_no_meaning_is_told_with_line(tmp_path, text, line, words):
    with pytest.raises(ValueError, match=rf"course\.toml, line {line}:") as told:
        read(tmp_path, text)
    assert all(word in str(told.value) for word in words), told.value


def test_a_file_that_is_no_toml_is_told(tmp_path):
    with pytest.raises(ValueError, match=r"course\.toml cannot be read: .*line 3"):
        read(tmp_path, "\nunits = [\n, ]")


def test_a_file_is_read_as_editors_save_it(tmp_path):
    path = tmp_path / "course.toml"
    path.write_bytes("# Universität\r\ndrop_lowest = 2\r\n".encode("utf-8-sig"))
    assert read_decisions(tmp_path).drop_lowest == 2
    set_decision(path, "drop_lowest", ["3"])
    assert read_decisions(tmp_path).drop_lowest == 3
    for encoding in ("utf-16", "cp1252"):
        path.write_bytes("# Universität\n".encode(encoding))
        for act in (read_decisions, lambda folder: decided(folder / path.name)):
            with pytest.raises(ValueError, match=r"course\.toml cannot be read: .* UTF-8\. Save it"):
                act(tmp_path)


def test_a_folder_in_its_place_is_told(tmp_path):
    (tmp_path / "course.toml").mkdir()
    with pytest.raises(IsADirectoryError):
        read_decisions(tmp_path)


def test_who_has_left_is_asked_nothing(tmp_path):
    since = datetime(2026, 12, 2)
    left = '[[left]]\nstudent = "dan"\nsince = 2026-12-02T00:00:00Z\n'
    decided = read(tmp_path, f'{left}[[excused]]\nstudent = "dan"\nunit = "3"')
    before, after = (replace(decided, asked=since + timedelta(seconds=seconds)) for seconds in (-1, 0))
    assert [one.absence("dan", ID) for one in (before, after)] == [MISSING, LEFT]
    assert after.absence("eve", ID) == MISSING
    assert after.absence("dan", units()[3].id) == EXCUSED
    assert after.renamed({"dan": "student 1"}).left == {"student 1": since}
    assert after.renamed({"eve": "student 1"}).left == {}
