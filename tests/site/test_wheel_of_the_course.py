"""The learner's part of the course as a wheel for the browser."""

import sys
import zipfile

from autograder.registry import units
from tests.support.wheels import imported, modules_of_the_course, sources
from tools.course import ROOT, notebook
from tools.site.lab.wheels import NOT_FOR_LEARNERS, course_wheel
from transformer_kit.trained.model import WEIGHTS

# What the site loads before any cell runs; PIL comes with matplotlib.
OF_THE_BROWSER = {"numpy", "scipy", "matplotlib", "IPython", "PIL"}


def test_every_module_a_learner_needs_is_shipped(tmp_path):
    code = sources(course_wheel(ROOT, tmp_path))
    there = {name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in code}
    for unit in units():
        cells = [cell for cell in notebook(unit.id).cells if cell.cell_type == "code"]
        code |= {f"{unit.id} {cell.id}": cell.source for cell in cells}
    assert {name: missing for name, text in code.items() if (missing := modules_of_the_course(text) - there)} == {}


def test_the_wheel_holds_the_courses_data(tmp_path):
    with zipfile.ZipFile(course_wheel(ROOT, tmp_path)) as archive:
        names = set(archive.namelist())
    assert {f"autograder/exercises/hints/{unit.id}.json" for unit in units()} <= names
    weights = {path.relative_to(ROOT / "shared").as_posix() for path in WEIGHTS.iterdir()}
    assert len(weights) >= 3
    assert weights <= names


def test_only_an_indispensable_planted_import_is_found():
    guarded = "try:\n    import filelock\nexcept ImportError:\n    filelock = None\n"
    assert imported(f"{guarded}def f():\n    import torch.nn\nfrom numpy.linalg import svd") == {"torch", "numpy"}
    hidden = "def f():\n    from autograder.judge.view import view\nimport transformer_kit.plots as plots, numpy"
    assert modules_of_the_course(hidden) == {"autograder.judge.view", "transformer_kit.plots"}


def test_the_wheel_holds_nothing_that_grades_a_class(tmp_path):
    names = sources(course_wheel(ROOT, tmp_path))
    assert {"autograder/learner/check.py", "transformer_kit/reference/unit_09_transformer.py"} <= set(names)
    assert [name for name in names if name.startswith(("autograder/judge", "autograder/grading", "tests"))] == []
    known = {*sys.stdlib_module_names, "autograder", "transformer_kit", *OF_THE_BROWSER}
    assert {name: missing for name, text in names.items() if (missing := imported(text) - known)} == {}
    assert all((ROOT / place).exists() for place in NOT_FOR_LEARNERS)
