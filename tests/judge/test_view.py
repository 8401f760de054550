"""What a worker sees of the course, the substitutes that it gets, and the seeds."""

import ast
import os
import re
import stat
from importlib import import_module
from types import FunctionType, ModuleType

import numpy as np
import pytest

from autograder.execution.dependencies import bound, needed
from autograder.judge import view
from autograder.judge.kit import NOT_AT_ALL, modules, needs
from autograder.judge.kit import ROOT as KIT
from autograder.judge.seeds import read_secret, seed_of
from autograder.registry import names_before, units
from tools.course import ROOT

EXERCISES = [pytest.param(unit, exercise, id=exercise.name) for unit in units() for exercise in unit.exercises]


@pytest.mark.parametrize("found", units(), ids=lambda unit: unit.id)
def test_the_view_holds_only_earlier_functions(tmp_path, found):
    """The folder that a sandbox binds has earlier reference functions and no others, and nothing of the claims."""
    folder = view.build(tmp_path / "view", found)
    text = {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.py")}
    kit = {path: source for path, source in text.items() if path.startswith("transformer_kit/")}
    known = [known.id for known in units()]
    hidden = [e.name for later in units()[known.index(found.id) :] for e in later.exercises]
    for name in hidden:
        assert [path for path, source in kit.items() if re.search(rf"^def {name}\(", source, re.M)] == []
    packages = {f"autograder/{package}__init__.py" for package in ("", "judge/", "judge/sandbox/")}
    rooms = [path for room in view.ROOMS for path in (ROOT / "autograder" / room).rglob("*.py")]
    assert {path for path in text if path.startswith("autograder/")} == {
        *packages,
        *(path.relative_to(ROOT).as_posix() for path in rooms),
    }
    whole, parts = needs(found)
    there = {path for path, source in kit.items() if source != NOT_AT_ALL}
    paths = modules()
    assert there == {f"transformer_kit/{paths[name].relative_to(KIT).as_posix()}" for name in (*whole, *parts)}
    assert {path for path in folder.rglob("*") if path.is_file() and path.suffix != ".py"} == set()


def test_the_view_is_complete(tmp_path):
    """What a worker imports of the course is in it."""
    folder = view.build(tmp_path / "view", units()[0])
    files = (folder / "autograder").rglob("*.py")
    for statement in (s for path in files for s in ast.walk(ast.parse(path.read_text()))):
        if isinstance(statement, ast.ImportFrom) and statement.module.split(".")[0] in (
            "autograder",
            "transformer_kit",
        ):
            found = folder.joinpath(*statement.module.split("."))
            assert found.with_suffix(".py").exists() or (found / "__init__.py").exists(), ast.unparse(statement)


@pytest.mark.parametrize(("unit", "exercise"), EXERCISES)
def test_the_substitutes_are_all_earlier_functions(unit, exercise):
    """Whole and by itself: with the imports and private helpers that are needed, without any that are not."""
    names, sources = view.substitutes(unit, exercise)
    source = "\n".join(sources)
    assert len(sources) == bool(unit.exercises.index(exercise))
    own = [other.name for other in unit.exercises]
    earlier = own[: own.index(exercise.name)]
    assert names == tuple(names_before(exercise))
    defined = {name for statement in ast.parse(source).body for name in bound(statement)}
    assert not defined & set(own[len(earlier) :])
    assert defined >= set(earlier)
    module = ModuleType("substitutes")
    exec(source, vars(module))
    functions = [f for f in vars(module).values() if isinstance(f, FunctionType) and f.__module__ == "substitutes"]
    used = set().union(*(names_of(function.__code__) for function in functions))
    assert {name for name in used if hasattr(import_module(exercise.reference.__module__), name)} <= set(vars(module))
    assert {name for name in defined if name.startswith("_")} <= used


def names_of(code):
    inner = (names_of(constant) for constant in code.co_consts if hasattr(constant, "co_names"))
    return set(code.co_names).union(*inner)


CODE = """
import os, numpy as np
from math import *
EPS = 1e-9
cache = []
cache.append(1)
print(cache)
np.seterr(all="raise")
big = np.ones((9, 9))
if EPS:
    def helper(x): return x + EPS
softmax = 1
def softmax(x): return helper(x)
softmax.x = big.shape
for softmax_too in (): pass
J = softmax(big)
with open("f") as big.f: pass
"""


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("EPS", ["from math", "EPS ="]),
        ("helper", ["from math", "EPS =", "if EPS"]),
        ("cache", ["from math", "cache =", "cache.app"]),
        ("np", ["import os", "from math"]),
        ("softmax_too", ["from math", "for softmax_too"]),
        ("nobody", ["from math"]),
    ],
)
def test_statements_that_a_function_needs(name, kept):
    """By the names that a statement binds or changes, wherever it does so."""
    found = [ast.unparse(statement) for statement in needed(ast.parse(CODE).body, [name])]
    assert len(found) == len(kept)
    assert all(statement.startswith(start) for statement, start in zip(found, kept, strict=True))


def test_all_that_a_function_needs_is_kept():
    found = [ast.unparse(statement) for statement in needed(ast.parse(CODE).body, ["softmax"])]
    assert [line for line in found if line.startswith(("cache", "print", "np.seterr", "J", "for"))] == []
    assert len(found) == 9


def test_seeds_differ_and_stay(tmp_path):
    """Same submission, same inputs; another one, exercise or secret, others."""
    secret = read_secret(tmp_path / "classroom" / "secret")
    assert secret == read_secret(tmp_path / "classroom" / "secret")
    assert secret != read_secret(tmp_path / "other")
    assert stat.S_IMODE((tmp_path / "classroom" / "secret").stat().st_mode) == 0o600
    assert os.listdir(tmp_path / "classroom") == ["secret"]
    seeds = [seed_of(secret, *pair) for pair in (("a", "b"), ("a", "c"), ("ab", ""), ("", "ab"))]
    assert len(set(map(tuple, seeds))) == len(seeds)
    assert seeds[0] == seed_of(secret, "a", "b")
    assert seed_of(bytes(32), "softmax", "0" * 64)[0] == 2252768172
    np.random.default_rng([*seeds[0], 1])


@pytest.mark.parametrize("text", ["", "short", "zz" * 32, "00" * 31])
def test_a_damaged_secret_is_told(tmp_path, text):
    (tmp_path / "secret").write_text(text)
    with pytest.raises(ValueError, match="backup"):
        read_secret(tmp_path / "secret")
