"""`course set` changes one decision and leaves the rest of the file as it stands, or writes nothing."""

import difflib
import json
from datetime import UTC, datetime

import pytest

from autograder import cli
from autograder.decisions.decided import Curve, Late
from autograder.decisions.reading import read_decisions
from autograder.decisions.setting import KEYS, decided, set_decision
from autograder.decisions.template import template
from autograder.registry import find_unit

UNIT, OTHER = find_unit("06_feed_forward"), find_unit("07_add_and_layer_norm")
TIME = "2026-12-04T23:59:00+01:00"


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / "course.toml"
    path.write_text(template([UNIT, OTHER]), encoding="utf-8")
    return path


def changes(path, key, *said, remove=False):
    """Set something; return the lines that are gone, and those that are new."""
    before = path.read_text(encoding="utf-8").splitlines()
    set_decision(path, key, said, remove)
    lines = list(difflib.ndiff(before, path.read_text(encoding="utf-8").splitlines()))
    return [line[2:] for line in lines if line[0] == "-"], [line[2:] for line in lines if line[0] == "+"]


@pytest.mark.parametrize(
    ("key", "said", "gone", "new"),
    [
        ("06.due", [TIME], "# due = 2026-12-04T23:59:00+01:00", f"due = {TIME}"),
        ("units.06_feed_forward.weight", ["2.5"], "weight = 1", "weight = 2.5"),
        ("6.without", ["relu", "swiglu"], '# without = ["swiglu"]', 'without = ["relu", "swiglu"]'),
        ("06.points.gelu", ["3"], f"# points = {{ relu = {UNIT.exercises[0].points} }}", "points = {gelu = 3}"),
        ("06.curve.add", ["2"], "# curve = { times = 1.0, add = 1 }", "curve = {add = 2}"),
        ("06.hints", ["false"], "# hints = 2026-12-01T08:00:00+01:00", "hints = false"),
        ("06.exam", ["true"], "# exam = false", "exam = true"),
        ("missing", ["blank"], "# missing = 0", 'missing = "blank"'),
        ("drop_lowest", ["2"], "# drop_lowest = 1", "drop_lowest = 2"),
    ],
)
def test_one_line_of_the_template_changes(plan, key, said, gone, new):
    assert changes(plan, key, *said) == ([gone], [new])


def test_a_comment_behind_a_value_stays(plan):
    text = plan.read_text(encoding="utf-8").replace("weight = 1", "weight = 1   # half a unit", 1)
    plan.write_text(text, encoding="utf-8")
    assert changes(plan, "06.weight", "0.5") == (["weight = 1   # half a unit"], ["weight = 0.5   # half a unit"])


def test_lateness_gets_its_table(plan):
    gone, new = changes(plan, "late.percent_per_day", "10")
    assert (gone, new) == (["# [late]", "# percent_per_day = 10"], ["[late]", "percent_per_day = 10"])
    assert changes(plan, "late.late_days", "4") == (["# late_days = 3"], ["late_days = 4"])
    assert read_decisions(plan.parent).late == Late(10, 0, 4)


def test_people_are_added_changed_and_taken_out(plan):
    whole = plan.read_text(encoding="utf-8")
    changes(plan, "06.due", TIME)
    dated = plan.read_text(encoding="utf-8")
    due = datetime(2026, 12, 4, 22, 59)
    assert changes(plan, "extensions.ann.06", "2")[0] == []
    assert changes(plan, "extensions.bo.lee.06", "2026-12-09T00:00:00Z")[0] == []
    assert changes(plan, "extensions.ann.6", "3") == (["days = 2"], ["days = 3"])
    _, new = changes(plan, "excused.eve.07", "ill")
    assert new == ["", "[[excused]]", 'student = "eve"', 'unit = "07"', 'why = "ill"']
    found = read_decisions(plan.parent)
    assert found.extensions == {("ann", UNIT.id): due.replace(day=7), ("bo.lee", UNIT.id): datetime(2026, 12, 9)}
    assert found.excused == {("eve", OTHER.id): "ill"}
    for key in ("extensions.ann.06", "extensions.bo.lee.06", "excused.eve.07"):
        set_decision(plan, key, (), remove=True)
    assert plan.read_text(encoding="utf-8").rstrip() == dated.rstrip()
    set_decision(plan, "06.due", (), remove=True)
    assert len(whole.splitlines()) - len(plan.read_text(encoding="utf-8").rstrip().splitlines()) <= 2


def test_a_claim_is_given(plan):
    set_decision(plan, "adjust.gelu", ("whole numbers", "everybody"))
    [one] = read_decisions(plan.parent).adjustments
    assert (one.exercise, one.claim, one.give) == (
        "gelu",
        "works for any shape, and also takes whole numbers",
        "everybody",
    )


def test_a_file_is_made_where_there_is_none(tmp_path):
    set_decision(tmp_path / "course.toml", "07.curve.times", ["1.1"])
    assert read_decisions(tmp_path).of(OTHER.id).curve == Curve(1.1)


@pytest.mark.parametrize(
    ("key", "said", "told"),
    [
        ("left.zoe", ["2026-12-04"], r"since should be a time with its zone"),
        ("06.dew", ["1"], r"nothing called 06\.dew to be set\. Did you mean 06\.due\? Possible: .*06\.points\.EX"),
        ("late.grace", ["1"], r"Did you mean late\.grace_minutes\?"),
        ("77.due", [TIME], r"nothing called 77\.due .* NN\.due, NN\.weight"),
        ("06.points", ["1"], r"Did you mean 06\.points\.EXERCISE\?"),
        ("extensions.ann", ["1"], r"Possible: .*extensions\.STUDENT\.NN"),
        ("06.due", ["2026-12-04"], r"course\.toml, line \d+: due should be a time with its zone"),
        ("06.points.gleu", ["3"], r"points of exercises of this unit: relu, gelu"),
        ("06.weight", ["1", "2"], r"weight takes one value; found 2"),
        ("missing", ["never"], r"missing should be 0 or blank; found never"),
        ("extensions.zoe.07", ["2"], r"since \[units\.07_add_and_layer_norm\] has no date"),
        ("extensions.zoe.07", [], r"takes a number of days, or a time; found 0 values"),
        ("adjust.gelu", ["whole numbers"], r"the claim and for whom it counts"),
        ("adjust.gleu", ["x", "everybody"], r"exercise should be an exercise, such as .*gelu"),
    ],
)
def test_what_has_no_meaning_is_not_written(plan, key, said, told):
    before = plan.read_text(encoding="utf-8")
    with pytest.raises(ValueError, match=told):
        set_decision(plan, key, said)
    assert plan.read_text(encoding="utf-8") == before


@pytest.mark.parametrize("key", ["06.exam", "late.late_days", "07.points.layer_norm", "excused.bob.06"])
def test_what_is_not_set_cannot_be_removed(plan, key):
    with pytest.raises(ValueError, match="is not set"):
        set_decision(plan, key, (), remove=True)


def test_a_file_that_is_wrong_already_is_told(plan):
    plan.write_text("[late]\nlate_days = 3\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"line 1: .*percent_per_day"):
        set_decision(plan, "06.due", [TIME])


def test_what_is_listed_can_be_set_again(plan, tmp_path):
    """One key of each kind: the list of one file makes another one that says the same."""
    kinds = {
        "06.due": TIME,
        "06.points.gelu": "3",
        "06.without": "relu swiglu",
        "06.exam": "true",
        "late.percent_per_day": "10",
        "missing": "blank",
        "extensions.bo.lee.06": "2",
        "excused.eve.07": "ill",
        "left.zoe": TIME,
    }
    for key, value in kinds.items():
        set_decision(plan, key, value.split())
    other = tmp_path / "other" / "course.toml"
    other.parent.mkdir()
    for key, value in decided(plan).items():
        set_decision(other, key, value.split())
    assert read_decisions(other.parent) == read_decisions(plan.parent)


def test_the_command(plan, tmp_path, monkeypatch, capsys):
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "start.py").touch()
    monkeypatch.chdir(tmp_path / "solutions")
    assert cli.main(["set", "06.due", TIME]) == 0
    assert "`course report` brings all numbers of the class up to date." in capsys.readouterr().out
    assert read_decisions(tmp_path).due == {UNIT.id: datetime.fromisoformat(TIME).astimezone(UTC).replace(tzinfo=None)}
    assert cli.main(["set", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["decided"] == {
        f"{UNIT.id}.due": TIME,
        f"{UNIT.id}.weight": "1",
        f"{OTHER.id}.weight": "1",
    }
    assert cli.main(["set", "06.dew", "1"]) == 1
    assert "Did you mean 06.due?" in capsys.readouterr().err
    assert cli.main(["set", "--remove", "06.due"]) == 0
    assert read_decisions(tmp_path).due == {}


def test_every_key_has_a_name():
    assert {"late.percent_per_day", "NN.due", "NN.points.EXERCISE", "excused.STUDENT.NN"} <= set(KEYS)
