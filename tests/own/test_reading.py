"""What a class adds is a part of its course; what is wrong in its files is told with file and line."""

import os
import subprocess
import sys

import numpy as np
import pytest

from autograder import check, predict, registry
from autograder.authoring.own_trial import added, faults
from autograder.judge import view
from autograder.learner.hints import hints_of
from autograder.own import OwnError
from autograder.registry import find, find_unit, names_before, units
from tests.support.own_folder import SHOWN, UNIT, write_own
from tools.course import ROOT
from transformer_kit import reference

FILES = dict(SHOWN)
BORROWED = """\
from autograder.specification import Exercise, Output
from transformer_kit import reference
RELU = Exercise(reference.relu, "nothing negative.", (Output("y"),))
"""
OF_COURSE = find("gelu")


@pytest.fixture
def of_class(tmp_path, monkeypatch):
    """Return a function that writes the class's files and lets this process work in its folder."""
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "start.py").touch()
    (tmp_path / "course.toml").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_judges", True)

    def write(**changed):
        write_own(tmp_path, **changed)
        forget()
        return tmp_path / "own" / UNIT

    yield write
    monkeypatch.undo()
    forget()


def forget():
    """Let this process find its course anew."""
    for name in [name for name in sys.modules if name.startswith("autograder.own.")]:
        del sys.modules[name]
    vars(reference).pop("leaky_relu", None)
    for cached in (units, registry.names, hints_of):
        cached.cache_clear()


def right(x, slope=0.01):
    return np.maximum(x, 0) + slope * np.minimum(x, 0)


right.__name__ = "leaky_relu"


def in_place(x, slope=0.01):
    x[x < 0] *= slope
    return x


in_place.__name__ = "leaky_relu"


def test_the_page_shows_the_three_files():
    assert [name for name, _ in SHOWN] == ["exercises.py", "notebook.py", "private.py"]


def test_what_the_class_adds_is_the_courses(of_class):
    of_class()
    unit = find_unit(UNIT)
    added_last = unit.exercises[-1]
    assert (added_last.name, added_last.points, added_last.where) == ("leaky_relu", 1.5, "Exercise 6.9: leaky_relu")
    assert unit.points == 21.5
    assert names_before(added_last)[-1] == "swiglu"
    assert "leaky_relu" in names_before(find("layer_norm"))
    assert float(check(right)) == 1.5
    assert check(in_place).mistake == "in-place"
    assert "Both branches give 0" in repr(predict("leaky-at-zero", "A"))


def test_without_a_plan_a_folder_is_nobodys(of_class, tmp_path):
    of_class()
    (tmp_path / "course.toml").unlink()
    assert find_unit(UNIT).points == 20


def test_private_claims_take_their_points_from_the_others(of_class):
    of_class()
    gelu = find("gelu")
    *public, private = gelu.claims
    assert gelu.points == OF_COURSE.points == 2
    assert (private.name, private.points, private.example) == (
        "holds far from 0, where the curve is nearly straight",
        0.5,
        False,
    )
    assert [claim.points for claim in public] == [0.75 * claim.points for claim in OF_COURSE.claims]


LEARNER = """
from autograder import check
from autograder.registry import find
print(len(find("gelu").claims), find("leaky_relu").points)
import autograder.grading
print(len(find("gelu").claims), find("leaky_relu").points)
"""


def test_a_learners_process_does_not_know_them(of_class, tmp_path):
    of_class()
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "shared")))}
    command = [sys.executable, "-c", LEARNER]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(len(OF_COURSE.claims)), "1.5", str(len(OF_COURSE.claims) + 1), "1.5"]


def test_the_sandbox_gets_neither_function_nor_claims(of_class, tmp_path):
    """Later exercises are lent the function; a worker for the exercise itself has only what comes before it."""
    of_class()
    unit, later = find_unit(UNIT), find_unit("07_add_and_layer_norm")
    folder = view.build(tmp_path / "view", unit)
    texts = [path.read_text(encoding="utf-8") for path in folder.rglob("*.py")]
    assert not [text for text in texts if "leaky" in text or "far_from_zero" in text]
    names, sources = view.substitutes(unit, find("leaky_relu"))
    assert len(sources) == 1
    assert "def gelu" in sources[0]
    assert "leaky" not in sources[0]
    names, sources = view.substitutes(later, later.exercises[0])
    assert "leaky_relu" in names
    lent = {}
    exec(sources[-1], lent)
    assert lent["leaky_relu"](np.array([-2.0, 3.0]), 0.5).tolist() == [-1, 3]
    assert "EXERCISE" not in sources[-1]


def test_the_example_of_the_page_is_right(of_class):
    of_class()
    assert [exercise.name for exercise in added()] == ["gelu", "leaky_relu"]
    assert [fault for exercise in added() for fault in faults(exercise)] == []


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("call.leaves_inputs_alone(", "call.refuses(mentions=(), x=", 27, "does not pass: expected a ValueError"),
        ("    call.agrees(rng.standard_normal((2, 3, 4)), 0.25)\n", "", 20, "are the same for every learner"),
        ('"0.0"', '"slope * x * 1.0"', None, "no claim of leaky_relu fails for the mistake nothing-negative"),
    ],
)
def test_what_is_not_right_yet_is_told(of_class, old, new, line, told):
    assert FILES["exercises.py"].count(old) == 1
    path = of_class(exercises=FILES["exercises.py"].replace(old, new)) / "exercises.py"
    [first, *_] = faults(find("leaky_relu"))
    assert told in first
    assert first.startswith(f"{path}, line {line}:" if line else f"{path}:")


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "told"),
    [
        ("exercises", "import Choice", "import Chioce", 4, "cannot import name 'Chioce'"),
        ("exercises", "np.where(x > 0, x, slope * x)", "np.where(x > 0, x", 10, "SyntaxError: '(' was never closed"),
        ("exercises", '"slope * x": "0.0"', '"slope*x": "0.0"', 35, "stands 0 times in the reference, not 1"),
        ("exercises", "leaky_relu", "swiglu", 8, "swiglu is an exercise already"),
        ("exercises", FILES["exercises.py"], BORROWED, 1, "relu has to be defined in this file"),
        ("exercises", "leaky-at-zero", "units-at-work", 48, "'units-at-work' is taken"),
        ("exercises", FILES["exercises.py"], "x = 1\n", 1, "it defines no Exercise and no question"),
        ("private", '"gelu"', '"softmax"', 5, "'softmax' is no exercise of 06_feed_forward, only relu, gelu, "),
        ("private", "claim(0.5)", "claim(2)", 5, "need points, fewer than the 2 of the exercise; found 2"),
        ("private", "GELU = ", "GELU = None, ", 8, "'tuple' object has no attribute 'claim'"),
        ("private", '    """holds far from 0, where the curve is nearly straight"""\n', "", 8, "needs a docstring"),
    ],
)
def test_a_wrong_file_is_told_with_its_line(of_class, file, old, new, line, told):
    text = FILES[f"{file}.py"]
    assert old in text
    path = of_class(**{file: text.replace(old, new)}) / f"{file}.py"
    with pytest.raises(OwnError) as error:
        units()
    assert told in str(error.value)
    assert f"{path}, line {line}: " in str(error.value)


def test_a_folder_of_no_unit_is_told(of_class, tmp_path):
    of_class().rename(tmp_path / "own" / "06_ffn")
    with pytest.raises(OwnError, match="06_ffn: there is no such unit; expected a folder named like one of 00_"):
        units()
