"""Marks come from the claims' own calls: what looks for a mistake afterwards decides nothing."""

import functools
import inspect

import numpy as np
import pytest

from autograder.evaluation.attempts import attempts, visible_seed
from autograder.evaluation.evaluate import evaluate
from autograder.execution.call import LocalRunner
from autograder.registry import units
from tests.support import needs
from tests.support.judging import exercise, unit

RELU = exercise(unit(6), "relu")
SECRET, OTHERS = (1234, 5678), (90, 91, 92)
MANY = 6  # different numbers in an array, which are not the same by chance
EXERCISES = [
    pytest.param(each, id=each.name, marks=pytest.mark.exhaustive if number else ())
    for unit in units()
    for number, each in enumerate(unit.exercises)
]
TURNING = """
import os
import numpy as np
calls = 0
def relu(x):
    global calls
    calls += 1
    if calls > {}:
        {}
    return np.maximum(x, 0) if x.ndim < 3 else np.abs(x)
"""
AFTERWARDS = ["pass", "return np.maximum(x, 0)", "raise KeyError(1)", "os._exit(1)", "return 'x'", "x[...] = 0"]


@functools.cache
def drawn(exercise, seed):
    """Return the arrays of many numbers, as bytes, with which the claims of an exercise call a right function."""
    runner = LocalRunner(exercise.reference, inspect.signature(exercise.reference))
    runner.seconds = None
    calls = [t for attempt in attempts(exercise, runner, seed) for t in attempt.trials]
    values = [value for trial in calls for value in (*trial.args, *trial.kwargs.values())]
    return {v.tobytes() for v in values if isinstance(v, np.ndarray) and len(np.unique(v)) >= MANY}


@needs.linux
@pytest.mark.parametrize("then", AFTERWARDS)
def test_after_the_claims_nothing_counts(worker, then):
    def graded(n_calls, then):
        with worker.child(unit(6), RELU, [TURNING.format(n_calls, then)]) as runner:
            return evaluate(RELU, runner, SECRET)

    with worker.child(unit(6), RELU, [TURNING.format(0, "pass")]) as runner:
        n_calls = sum(len(attempt.trials) for attempt in attempts(RELU, runner, SECRET))
    honest, other = graded(n_calls, "pass"), graded(n_calls, then)
    assert 0 < honest.points < RELU.points
    assert [(r.status, r.message) for r in other.results] == [(r.status, r.message) for r in honest.results]


@pytest.mark.parametrize("exercise", EXERCISES)
def test_class_and_check_draw_different_inputs(exercise):
    both = drawn(exercise, visible_seed(exercise)) & drawn(exercise, SECRET)
    few = set().union(*(drawn(exercise, seed) for seed in OTHERS if both))  # by hand, or one of a few tables
    assert not both - few
