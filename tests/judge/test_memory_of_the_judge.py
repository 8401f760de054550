"""Nothing that the judge has not written leaves it: its free memory is full of a pattern, and no message holds that."""

import os
import subprocess
import sys

import pytest

from autograder.registry import names, units
from tests.support import needs
from tests.support.hostile_memory import PERTURBED
from tools.course import ROOT

pytestmark = needs.linux
HANDING = [exercise.name for unit in units() for exercise in unit.exercises if exercise.hands]
FEW = ["position_wise_ffn"]


def leaks(*arguments):
    """Return where the pattern arrived at a worker, as lines."""
    command = [sys.executable, "-m", "tests.support.listening", *arguments]
    environment = os.environ | PERTURBED | {"OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_callbacks_give_no_memory_away():
    assert set(FEW) <= set(HANDING)
    assert leaks(*FEW) == []


@pytest.mark.exhaustive
def test_nothing_gives_memory_away():
    assert leaks(*names()) == []


@pytest.mark.exhaustive
def test_memory_that_is_given_away_is_noticed():
    """Meta-test: without the wrapper, NumPy's own keyword does it."""
    assert [line for line in leaks("position_wise_ffn", "--unguarded") if "where" in line]
