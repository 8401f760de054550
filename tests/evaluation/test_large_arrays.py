"""A wrong function that takes every number with every other never gets an array for which that takes all memory."""

import inspect

import numpy as np
import pytest

from autograder.evaluation.attempts import visible_seed
from autograder.evaluation.evaluate import evaluate
from autograder.evaluation.outcomes import measure
from autograder.evaluation.probes import LARGE
from autograder.execution.call import LocalRunner
from autograder.registry import find

NAMES = ("softmax_backward", "layer_norm_backward", "attention_backward")


class WithSizes:
    """A function that keeps the size of the largest array handed over."""

    def __init__(self, function):
        self.function, self.largest = function, 0
        self.__signature__ = inspect.signature(function)

    def __call__(self, *args, **kwargs):
        self.largest = max(self.largest, *(np.size(value) for value in args if isinstance(value, np.ndarray)))
        return self.function(*args, **kwargs)


def wrong(*args, **kwargs):
    return np.zeros(3)


@pytest.mark.parametrize("name", NAMES)
def test_what_fails_before_meets_no_large_array(name):
    exercise = find(name)
    seen = WithSizes(wrong)
    evaluate(exercise, LocalRunner(seen, exercise.signature), visible_seed(exercise))
    measure(exercise, exercise.mistakes[0], seen)
    assert 0 < seen.largest <= LARGE


@pytest.mark.parametrize("name", NAMES)
def test_a_right_function_meets_it(name):
    exercise = find(name)
    seen = WithSizes(exercise.reference)
    evaluate(exercise, LocalRunner(seen, exercise.signature), visible_seed(exercise))
    assert seen.largest > LARGE
