"""The bank of functions: every file can be read and belongs to an exercise, and what stands above them can be true."""

import builtins
import dis
from inspect import getsource, getsourcelines
from types import CodeType

import pytest

from autograder.registry import units
from tools import bank

EXERCISES = [pytest.param(exercise, id=exercise.name) for unit in units() for exercise in unit.exercises]
FILE = """\
import numpy as np


# wrong in line 2: gives half [half, halved]
def half(x):
    return x / 2


# right
def same(x):
    return np.array(x)


# helper
def one():
    return 1


# right, in another style
def also_same(x):
    return x * one()


# wrong: prints
def prints(x):
    print(x)
"""


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Return a function that reads a file of the bank from its text."""
    monkeypatch.setattr(bank, "FOLDER", tmp_path)
    (tmp_path / "00_mini").mkdir()

    def read(text):
        (tmp_path / "00_mini" / "same.txt").write_text(text)
        bank.read.cache_clear()
        return bank.read("same")

    yield read
    bank.read.cache_clear()


def test_a_file_is_read_as_it_is_written(read):
    half, same, helper, style, prints = read(FILE)
    assert (half.kind, half.label, half.names, half.line) == ("wrong", "gives half", {"half", "halved"}, 2)
    assert (same.kind, same.label, same.names, same.line) == ("right", "", frozenset(), None)
    assert (helper.kind, style.kind, prints.label) == ("helper", bank.STYLE, "prints")
    assert bank.specimens("same") == (half, same, prints)
    assert bank.right_styles("same") == (style.function,)
    assert style.function(3) == 3


def test_source_and_line_numbers_agree_with_the_file(read):
    half = read(FILE)[0].function
    assert getsource(half) == "def half(x):\n    return x / 2\n"
    assert getsourcelines(half)[1] == FILE.splitlines().index("def half(x):") + 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(x):\n    return x\n", "line 1: expected a function below its truth"),
        ("# true\ndef f(x):\n    return x\n", "line 2: expected a function below its truth"),
        ("# wrong:\ndef f(x):\n    return x\n", "line 2: expected a function below its truth"),
        ("# right\n\ndef f(x):\n    return x\n", "line 3: expected a function below its truth"),
        ("# right\nf = abs\n", "line 2: expected a function below its truth"),
        ("# wrong in line 3: adds\ndef f(x):\n    return x + 1\n", "line 1: f has no line 3"),
    ],
)
def test_a_function_without_its_truth_is_told(read, text, message):
    with pytest.raises(ValueError, match=message):
        read(text)


def test_an_exercise_without_a_file_is_told():
    with pytest.raises(FileNotFoundError, match=r"no folder has a file nothing\.txt"):
        bank.read("nothing")


def test_every_file_belongs_to_an_exercise():
    expected = {f"{unit.id}/{exercise.name}.txt" for unit in units() for exercise in unit.exercises}
    assert {path.relative_to(bank.FOLDER).as_posix() for path in bank.FOLDER.glob("[!_]*/*")} == expected


def names_used(code):
    """Yield the global names that a function loads."""
    yield from (step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL")
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_used(constant)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_function_has_what_it_uses(exercise):
    """A function that lacks an import fails for another reason than the one above it."""
    for specimen in bank.read(exercise.name):
        known = vars(builtins).keys() | specimen.function.__globals__.keys()
        assert set(names_used(specimen.function.__code__)) <= known, specimen.function.__name__


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_wrong_line_is_code(exercise):
    for specimen in bank.specimens(exercise.name):
        if specimen.line:
            line = getsource(specimen.function).splitlines()[specimen.line - 1].strip()
            assert line, specimen.function.__name__
            assert not line.startswith("#"), specimen.function.__name__
