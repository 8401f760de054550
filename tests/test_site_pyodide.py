"""The course in the browser's Python: Pyodide under Node, with the official NumPy and SciPy of the pinned version."""

import re
import shutil
import subprocess

import pytest

from autograder.exercises import units
from browser.wheels import course_wheel
from tests.course import ROOT
from tests.pyodide_parts import distribution

pytestmark = pytest.mark.slow

CHECK = """
import sys
from autograder import check
def softmax(x, axis=-1):
    return x / x.sum(axis=axis, keepdims=True)
print(check(softmax).mistake)
print(sorted({"IPython", "filelock", "matplotlib", "nbgrader", "rich"} & set(sys.modules)))
"""


@pytest.fixture(scope="module")
def run(pytestconfig, tmp_path_factory):
    """Run a Python file in Pyodide with the learner's wheel, and return the lines that it prints."""
    if not shutil.which("node"):
        pytest.skip("needs Node, to run Pyodide without a browser")
    pyodide = distribution(pytestconfig.cache.mkdir("pyodide"))
    wheel = course_wheel(ROOT, tmp_path_factory.mktemp("wheel"))

    def run(program):
        command = ["node", ROOT / "tests" / "in_pyodide.mjs", pyodide, wheel, ROOT, program, "numpy", "scipy"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.splitlines()

    return run


def test_every_solution_gets_its_points_and_every_mistake_its_name(run):
    """32-bit integers, no floating-point warnings, no threads: no mark depends on them."""
    *faults, last = run(ROOT / "tests" / "prove_in_pyodide.py")
    assert faults == []
    tried = re.fullmatch(r"(\d+) of \1 mistakes named", last)[1]
    mistakes = [mistake for unit in units() for exercise in unit.exercises for mistake in exercise.mistakes]
    assert 0.7 * len(mistakes) < int(tried) < len(mistakes)


def test_a_check_loads_neither_figures_nor_what_grades_a_class(run, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(CHECK)
    assert run(program) == ["no-exponential", "[]"]
