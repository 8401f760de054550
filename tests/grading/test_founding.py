"""A course folder of the instructor's own: made, planned, and brought to a newer version that can be undone."""

import re
import shutil
import subprocess
from datetime import datetime

import pytest
from nbgrader.api import Gradebook

from autograder.decisions.decided import Decisions, OfUnit
from autograder.decisions.reading import read_decisions
from autograder.grading import founding
from autograder.grading.late import PercentPerDay
from autograder.grading.verdicts import fingerprint
from autograder.nbgrader_config import settings
from autograder.registry import find_unit, units
from tests.support.course_folder import Course, rows
from tests.support.weekly_class import ALL, BLACKBOARD, ID, UNIT, page, week
from tools.course import ROOT

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # nbgrader's own warnings
    pytest.mark.skipif(not shutil.which("git"), reason="course init needs git"),
]
EMPTY = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
OTHER = find_unit("06_feed_forward")


class Own(Course):
    """A course folder that `course init` has made."""

    def __init__(self, root):
        self.root, self.room = root, root / "classroom"
        founding.found(root, ROOT, [ID, OTHER.id])

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, text=True, check=True).stdout

    def plan(self, text):
        (self.root / "course.toml").write_text(text)


@pytest.fixture
def own(tmp_path):
    return Own(tmp_path / "algebra")


def test_a_course_folder_is_for_its_owner_alone(own):
    assert own.root.stat().st_mode & 0o777 == 0o700
    kept = {"course.toml", "nbgrader_config.py", "roster.csv", "README.md", ".gitignore", ".git"}
    assert {path.name for path in own.root.iterdir()} == kept | {"solutions", "notebooks", "classroom"}
    for unit in units():
        assert (own.root / "solutions" / unit.id / f"{unit.id}.ipynb").is_file()
        assert (own.root / "notebooks" / unit.id / f"{unit.id}.ipynb").is_file()
    assert own.git("log", "--format=%s").splitlines() == ["The course, as it was released"]
    assert own.git("status", "--porcelain") == ""
    assert read_decisions(own.root) == Decisions({ID: OfUnit(weight=1), OTHER.id: OfUnit(weight=1)})
    assert settings(own.root).CourseDirectory.root == str(own.root)
    assert not {"roster.csv", "classroom"} & set(own.git("ls-files").splitlines())


def test_the_command_makes_a_course_folder_once(own, tmp_path):
    made = own.run("init", tmp_path / "second", "--unit", "5", "--from", ROOT)
    assert made == {"course": str(tmp_path / "second")}
    assert read_decisions(tmp_path / "second").weights == {ID: 1}
    assert "exists already" in own.run("init", tmp_path / "second", status=1)
    assert "does not hold the course" in own.run("init", tmp_path / "third", "--from", tmp_path, status=1)
    assert not (tmp_path / "third").exists()


def test_every_line_of_the_plan_means_something(own):
    """Without the comment signs before its keys, it decides everything that can be decided."""
    text = (own.root / "course.toml").read_text()
    lines = [re.sub(r"^# (?=\[|\w+ = )", "", line) for line in text.splitlines()]
    own.plan("\n".join(lines))
    decided = read_decisions(own.root)
    its = decided.of(ID)
    assert (decided.drop_lowest, decided.late.late_days, its.exam) == (1, 3, False)
    assert all((its.due, its.without, its.points, its.curve, its.hints, its.solutions))
    assert list(decided.extensions) == [("ann", ID)]
    assert decided.excused == {("bob", ID): "ill"}
    assert decided.adjustments[0].claim == UNIT.exercises[0].claims[-1].name


def test_the_settings_of_the_template_work_unchanged(own):
    path = own.root / "nbgrader_config.py"
    lines = [line.removeprefix("# ") if line.startswith("# c.") else line for line in path.read_text().splitlines()]
    path.write_text("\n".join(lines))
    config = settings(own.root)
    assert config.Exchange.root == "/srv/nbgrader/exchange"
    assert config.PercentPerDay.percent == 10
    assert config.AssignLatePenalties.plugin_class == "autograder.grading.late.PercentPerDay"


@pytest.mark.parametrize(
    ("seconds", "lost"), [(1, 2.5), (86_400, 2.5), (86_401, 5), (20 * 86_400, 20), (-1, 0), (900, 2.5)]
)
def test_every_day_that_has_begun_costs_a_share(seconds, lost):
    plugin = PercentPerDay(percent=12.5)
    assert plugin.late_submission_penalty("ann", 20, seconds) == lost
    plugin.grace_minutes = 15
    assert plugin.late_submission_penalty("ann", 20, 15 * 60) == 0


@pytest.mark.exhaustive
def test_the_plan_decides_on_lateness_and_weights(backend, own):
    own.plan(f"[units.{ID}]\ndue = 2026-11-20T12:00:00+01:00\nweight = 3\n[units.{OTHER.id}]\nweight = 1\n")
    assert read_decisions(own.root).due == {ID: datetime(2026, 11, 20, 11)}
    config = (own.root / "nbgrader_config.py").read_text().replace("# c.AssignLate", "c.AssignLate")
    (own.root / "nbgrader_config.py").write_text(config)
    other = BLACKBOARD.replace(ID, OTHER.id).format("ann", 20)
    own.grade(week(own, {BLACKBOARD.format("ann", 21): ALL, other: EMPTY}))
    late = f"23 hours late, which costs {0.1 * UNIT.points:g} points"
    assert (float(rows(own)["ann"][ID]), late in page(own, "ann")) == (0.9 * UNIT.points, True)
    assert float(rows(own)["ann"]["weighted percent"]) == 100 * (3 * 0.9 + 0) / 4
    own.plan(f"[units.{ID}]\ndue = 2026-11-22T12:00:00+01:00\n")
    own.grade()
    assert (float(rows(own)["ann"][ID]), late in page(own, "ann")) == (UNIT.points, False)
    assert "weighted percent" not in rows(own)["ann"]
    with Gradebook(f"sqlite:///{own.room / 'gradebook.db'}", "transformer-course") as book:
        assert book.find_assignment(ID).duedate == datetime(2026, 11, 22, 11)


@pytest.mark.exhaustive
def test_an_update_is_told_and_can_be_undone(backend, own, tmp_path, monkeypatch):
    own.grade(week(own, {BLACKBOARD.format(name, 20): EMPTY for name in ("ann", "bob")}))
    newer, name = tmp_path / "newer", f"notebooks/{ID}/{ID}.ipynb"
    for part in ("solutions", "notebooks"):
        shutil.copytree(ROOT / part, newer / part)
    before = (own.root / name).read_text()
    (newer / name).write_text(before.replace("Cross-attention", "Cross attention"))
    (own.root / "solutions" / "start.py").write_text("# my own words")
    (own.root / "course.toml").write_text("# my plan")
    kept = {path: path.read_bytes() for path in own.room.rglob("*") if path.is_file() and path.suffix != ".db"}
    real = fingerprint.specification
    changed = UNIT.exercises[1].name
    monkeypatch.setattr(fingerprint, "specification", lambda e: real(e) + "newer" * (e.name == changed))
    told = own.run("update", "--from", newer)
    assert told == {"files": [name, "solutions/start.py"], "verdicts": {f"{ID}: {changed}": 2}}
    assert "Cross attention" in (own.root / name).read_text()
    assert (own.root / "course.toml").read_text() == "# my plan"
    assert {path: path.read_bytes() for path in kept} == kept
    own.git("-c", "user.name=x", "-c", "user.email=x@localhost", "revert", "--no-edit", "HEAD")
    assert (own.root / name).read_text() == before
    assert (own.root / "solutions" / "start.py").read_text() == "# my own words"
    monkeypatch.undo()
    assert "is no course folder that" in own.run("update", "--from", own.root, status=1)
    own.run("update", "--from", ROOT)
    again = own.run("update", "--from", ROOT)
    assert again == {"files": [], "verdicts": {}}
