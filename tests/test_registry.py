"""The engine takes whichever course is installed, and needs nothing of this one for another."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata

import pytest

from autograder import registry
from autograder.exercises import COURSE
from tools.course import ROOT

TRY = """
import json, sys

from autograder import check, greet, progress
from autograder.grading.verdicts import fingerprint, judging
from autograder.registry import find, names, units

def quadruple(x):
    return x + x

print(check(quadruple).verdict.mistake.id)
print(repr(progress()))
double, right = "def double(x):\\n    return x**2", "def quadruple(x):\\n    return double(double(x))"
cells = ["from autograder import check, greet", double, right]
task = {"student": "ann", "unit": units()[0].id, "together": [], "code": cells, "unreadable": ""}
task |= {"runs": cells, "lines": [range(1, 3)] * len(cells)}
task |= {"backend": sys.argv[1], "added": fingerprint.added()}
task["exercises"] = [[name, [7], fingerprint.specification(find(name))] for name in names()]
records, _ = judging.perform(task)
kept = ("exercise", "status", "points", "mistake", "substituted", "note")
told = {"records": [[record[key] for key in kept] for record in records], "modules": sorted(sys.modules)}
print(json.dumps(told | {"greeting": greet("Ann")}))
"""


@pytest.fixture
def installed(monkeypatch):
    """Return a function that installs courses: entry points by their names, in place of those that there are."""

    def install(**values):
        entries = metadata.EntryPoints(metadata.EntryPoint(*item, registry.GROUP) for item in values.items())
        monkeypatch.setattr(registry, "entry_points", lambda group: entries.select(group=group))

    return install


@pytest.fixture
def without_tree(monkeypatch, tmp_path):
    monkeypatch.setattr(registry, "__file__", str(tmp_path / "autograder" / "registry.py"))


def course(monkeypatch, name=None):
    """Return the course that is found anew, with the environment variable or without."""
    monkeypatch.delenv(registry.VARIABLE, raising=False)
    if name is not None:
        monkeypatch.setenv(registry.VARIABLE, name)
    return registry.course.__wrapped__()


THIS, TOY = "autograder.exercises:COURSE", "tests.support.toy_course:COURSE"


@pytest.mark.parametrize("name", [None, "", "transformer"])
def test_the_only_course_is_taken(monkeypatch, installed, name):
    installed(transformer=THIS)
    assert course(monkeypatch, name) is COURSE


def test_of_several_courses_the_named_one_is_taken(monkeypatch, installed):
    installed(transformer=THIS, toy=TOY)
    assert course(monkeypatch, "transformer") is COURSE
    assert course(monkeypatch, "toy").package == "tests.support.toy_course"


def test_several_courses_without_a_name_are_an_error(monkeypatch, installed):
    installed(transformer=THIS, toy=TOY)
    with pytest.raises(registry.CourseNotFound, match="Set AUTOGRADER_COURSE to one of toy, transformer"):
        course(monkeypatch)


def test_an_unknown_course_is_an_error(monkeypatch, installed):
    installed(transformer=THIS, toy=TOY)
    with pytest.raises(registry.CourseNotFound, match=r"'algebra', but .* Installed: toy, transformer"):
        course(monkeypatch, "algebra")


def test_that_there_is_no_course_is_said(monkeypatch, installed, without_tree):
    installed()
    with pytest.raises(registry.CourseNotFound, match="No course is installed"):
        course(monkeypatch)


def test_an_uninstalled_tree_knows_its_course(monkeypatch, installed):
    installed()
    assert course(monkeypatch) is COURSE


def test_the_installed_package_has_the_entry_point():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = project["entry-points"][registry.GROUP]
    assert declared == {"transformer": THIS}
    assert {entry.name: entry.value for entry in metadata.entry_points(group=registry.GROUP)} == declared


def test_another_course_is_judged_independently(tmp_path, backend):
    about = tmp_path / "toy_course-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-course\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[{registry.GROUP}]\ntoy = toy_course:COURSE\n")
    shutil.copyfile(ROOT / "tests" / "support" / "toy_course.py", tmp_path / "toy_course.py")
    own = os.environ | {"PYTHONPATH": str(tmp_path), registry.VARIABLE: "toy", "MY_TRANSFORMER": ""}
    done = subprocess.run(
        [sys.executable, "-c", TRY, backend.name], cwd=tmp_path, env=own, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    mistake, *progress, last = done.stdout.splitlines()
    told = json.loads(last)
    assert mistake == "once-only"
    assert any(line.startswith("00 A toy: 0 of 4 points") for line in progress)
    assert told["greeting"] == "Hello, Ann."
    assert told["records"] == [
        ["double", "diagnosed", 0, "squares", [], ""],
        ["quadruple", "correct", 2, None, ["double"], ""],
    ]
    content = ("autograder.exercises", *(f"transformer_kit.{name}" for name in ("reference", "trained", "pictures")))
    assert [name for name in told["modules"] if name.startswith(content)] == []


@pytest.mark.parametrize(
    "command", [["progress"], pytest.param(["grade", "--dry-run", "notebooks"], marks=pytest.mark.exhaustive)]
)
def test_a_command_without_a_course_ends_politely(command):
    done = subprocess.run(
        [sys.executable, "-m", "autograder.cli", *command],
        env=os.environ | {registry.VARIABLE: "algebra"},
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 1
    assert "there is no course of this name. Installed: transformer." in done.stderr
    assert "Traceback" not in done.stderr
