"""The course in the browser's Python: Pyodide under Node, with the official NumPy and SciPy of the pinned version."""

import os
import re
import shutil
import subprocess

import pytest

from autograder.evaluation.ahead import texts
from autograder.registry import units
from tests.support import needs
from tools.browser.pyodide_parts import distribution
from tools.course import ROOT
from tools.site.lab.wheels import course_wheel

pytestmark = pytest.mark.exhaustive(minutes=4)

CHECK = """
import sys
from autograder import check
def softmax(x, axis=-1):
    return x / x.sum(axis=axis, keepdims=True)
print(check(softmax).mistake)
print(sorted({"IPython", "filelock", "matplotlib", "nbgrader", "rich"} & set(sys.modules)))
"""

DEFINE = """
import time
import numpy as np
from transformer_kit import reference
from transformer_kit.dictionary.definitions import define
from transformer_kit.trained.dictionary import load_dictionary
start = time.perf_counter()
dictionary = load_dictionary()
for word, kind in (("moonberry", "noun"), ("sockify", "verb"), ("glimmerish", "adjective"), ("quietfully", "adverb")):
    text = define(word, kind, dictionary, reference, np.random.default_rng(9))
    print(f"{time.perf_counter() - start:.2f} {text}")
    start = time.perf_counter()
"""


@pytest.fixture(scope="module")
def run(pytestconfig, tmp_path_factory):
    """Run a Python file in Pyodide with the learner's wheel, and return the lines that it prints."""
    if not shutil.which("node"):
        pytest.skip(needs.NODE)
    with needs.pyodide():
        pyodide = distribution(pytestconfig.cache.mkdir("pyodide"))
    wheel = course_wheel(ROOT, tmp_path_factory.mktemp("wheel"), texts())

    def run(program, nth=1):
        script = ROOT / "tests" / "support" / "in_pyodide.mjs"
        command = ["node", script, pyodide, wheel, ROOT, program, "numpy", "scipy"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=1200, env=os.environ | {"NTH": str(nth)})
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.splitlines()

    return run


def test_solutions_get_points_and_mistakes_names(run, pytestconfig):
    """32-bit integers, no floating-point warnings, no threads: no mark depends on them."""
    nth = 1 if pytestconfig.getoption("whole") else 3
    *faults, last = run(ROOT / "tests" / "support" / "prove_in_pyodide.py", nth)
    assert faults == []
    tried = re.fullmatch(r"(\d+) of \1 mistakes named", last)[1]
    assert int(tried) >= sum(len(unit.exercises) for unit in units()[::nth])


def test_a_check_loads_neither_figures_nor_grading(run, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(CHECK)
    assert run(program) == ["no-exponential", "[]"]


def test_the_dictionary_defines_a_word_within_ten_seconds(run, tmp_path):
    """The first time includes loading the model."""
    program = tmp_path / "program.py"
    program.write_text(DEFINE)
    lines = [line.split(maxsplit=1) for line in run(program)]
    assert len(lines) == 4
    assert all(float(seconds) < 10 and text for seconds, text in lines)
