"""An exercise from the skeleton to the green check, in a copy of the course: `make exercise`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.course import ROOT
from tools.exercise.__main__ import main
from tools.exercise.names import Refused, require_free, unit_called
from tools.exercise.open_steps import open_steps
from tools.exercise.places import Draft, places, write

UNIT, NAME = "06_feed_forward", "leaky_relu"
PREPARED = ROOT / "tests" / "support" / NAME
WHERE_IT_IS_WRITTEN = ("autograder/exercises", "shared/transformer_kit", "solutions", "tests", "tools/bank")
ALL = ("autograder", "docs", "notebooks", "shared", "solutions", "tests", "tools", "pyproject.toml", "README.md")
ABOUT_AN_EXERCISE = (  # files of tests with a test of each exercise, or of each function of the bank
    *("test_proof", "test_bank", "test_patterns", "test_small_calls", "test_secret_inputs", "test_spoilers"),
    *("test_specification", "test_hints", "test_build", "test_reference_06", "test_judge_view", "test_times"),
)


def copied(names, target, *ignored):
    """Copy files and folders of the course."""
    for name in names:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__", *ignored))
        else:
            shutil.copy(ROOT / name, target / name)
    return target


@pytest.fixture
def sources(tmp_path):
    """Return a copy of what an exercise is written in."""
    return copied(WHERE_IT_IS_WRITTEN, tmp_path, "*.npz", "*.json", "*.ipynb")


@pytest.fixture
def draft(sources):
    """Return a new exercise with the skeleton in all its places."""
    draft = Draft(sources, UNIT, NAME)
    write(draft)
    return draft


@pytest.fixture
def finished(tmp_path):
    """Return a new exercise in a copy of the whole course, with what is prepared in all its places."""
    draft = Draft(copied(ALL, tmp_path), UNIT, NAME)
    write(draft)
    fill_in(draft)
    return draft


def fill_in(draft):
    """Write what is prepared into the skeleton, and take the exercise's point from another one."""
    for place, kind in zip(places(draft), ("reference", "", "test", "specification", "", "bank", "text"), strict=True):
        if kind:
            prepared = (PREPARED / f"{kind}.txt").read_text(encoding="utf-8")
            replace(draft, place.path, draft.template(kind), prepared)
    replace(draft, draft.specification.with_name("position_wise_ffn.py"), "claim(1.5)", "claim(0.5)")


def replace(draft, path, words, others):
    text = draft.read(path)
    assert words in text
    (draft.root / path).write_text(text.replace(words, others, 1), encoding="utf-8")


def run(root, *arguments):
    """Run a module in a copy of the course."""
    path = os.pathsep.join([str(root), str(root / "shared")])
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=root,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def files(root):
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_skeleton_is_in_all_places(draft):
    assert all(place.present for place in places(draft))
    assert draft.exercises[-1] == NAME
    steps = open_steps(draft)
    assert {step.path for step in steps} == {place.path for place in places(draft)} - {
        Path("shared", "transformer_kit", "reference", "__init__.py"),
        draft.unit_list,
    }
    for step in steps:
        assert f"TODO {NAME}" in draft.read(step.path).splitlines()[step.line - 1]


def test_second_time_writes_nothing(draft):
    before = files(draft.root)
    assert write(draft) == []
    assert files(draft.root) == before


def test_position_can_be_chosen(sources):
    draft = Draft(sources, UNIT, NAME, after="relu")
    write(draft)
    assert draft.exercises[:3] == ["relu", NAME, "gelu"]
    text = draft.read(draft.text)
    assert text.index("{{relu}}: relu") < text.index("{{leaky_relu}}: leaky_relu") < text.index("{{gelu}}: gelu")


@pytest.mark.parametrize("number", range(7))
def test_forgotten_place_is_named(draft, number):
    """Each in turn is as it was before, and written anew without touching the others."""
    fill_in(draft)
    forgotten = list(places(draft))[number]
    original = ROOT / forgotten.path
    if original.exists():
        shutil.copy(original, draft.root / forgotten.path)
    else:
        (draft.root / forgotten.path).unlink()
    (step,) = open_steps(draft)
    assert (step.path, step.line) == (forgotten.path, 1)
    assert step.what.startswith(f"{forgotten.what} is missing")
    assert write(draft) == [forgotten.path]


@pytest.mark.parametrize(
    ("unit", "name", "message"),
    [
        ("06", "log_softmax", "toy_models.py, line "),
        ("06", "softmax", "softmax.py, line 1"),
        ("06", "calls", "calls.py, line 1"),
        ("06", "sum", "of Python itself"),
        ("06", "lambda", "no name for a function"),
        ("06", "2nd", "no name for a function"),
        ("06", "LeakyReLU", "no name for a function"),
        ("99", NAME, "There is no unit '99'. The units are:\n  00_tokens_and_shapes\n"),
    ],
)
def test_bad_name_is_refused(unit, name, message):
    with pytest.raises(Refused) as refusal:
        require_free(ROOT, unit_called(ROOT, unit), name)
    assert message in str(refusal.value)


def test_command_says_why_it_refuses(capsys):
    assert main(["06", NAME, "--after", "softmax", "--check"]) == 2
    assert "Unit 06_feed_forward has no exercise softmax, only relu, " in capsys.readouterr().err


@pytest.mark.exhaustive
def test_exercise_goes_green(finished):
    """Skeleton, what is prepared, build, and the tests about an exercise."""
    asked = run(finished.root, "tools.exercise", "06", NAME, "--check")
    assert "solutions/06_feed_forward/06_feed_forward.ipynb:1: stale: make build ARGS=06" in asked.stdout
    assert asked.returncode == 1
    assert run(finished.root, "tools.times").returncode == 0
    assert run(finished.root, "autograder.authoring.build", "06").returncode == 0
    asked = run(finished.root, "tools.exercise", "06", NAME)
    assert (asked.returncode, asked.stdout.partition(".")[0]) == (0, "Nothing is open"), asked.stdout + asked.stderr
    chosen = [path for name in ABOUT_AN_EXERCISE for path in (ROOT / "tests").rglob(f"{name}.py")]
    paths = [path.relative_to(ROOT).as_posix() for path in chosen]
    tried = run(finished.root, "pytest", "-q", "-n0", "-p", "no:cacheprovider", "-k", NAME, *paths)
    assert (tried.returncode, " passed" in tried.stdout) == (0, True), tried.stdout


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("kind", "words", "others", "said"),
    [
        ("specification", 'wrong("slope-everywhere"', '("slope-everywhere"', "4 mistakes; there have to be 5 or more"),
        ("specification", "claim(0.5, side", "claim(1, side", "the unit has 20.5 points in place of 20"),
        ("specification", '"x < 0"', '"x > 0"', "the edit changes nothing"),
        ("bank", "# right, in another style\ndef by_max", "# right\ndef by_max", "3 right functions in another style"),
        ("bank", "# right, in another style\ndef by_max", "def by_max", "the file cannot be read"),
        ("text", "def leaky_relu(x, slope=0.01)", "def leaky_relu(x)", "takes (x), and the reference (x, slope=0.01)"),
        ("text", "Hint 3: a plan", "Hint 4: a plan", "expected the hints 1, 2 and 3"),
    ],
)
def test_what_is_still_wrong_is_named(finished, kind, words, others, said):
    path = {"specification": finished.specification, "bank": finished.bank, "text": finished.text}[kind]
    replace(finished, path, words, others)
    asked = run(finished.root, "tools.exercise", "06", NAME, "--check")
    assert asked.returncode == 1, asked.stderr
    assert asked.stdout.startswith(f"{path.as_posix()}:")
    assert said in asked.stdout
