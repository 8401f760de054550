"""Results of right functions in other precisions, and the points that they get."""

import contextlib
import functools
import math
import warnings
from dataclasses import replace
from inspect import signature

import numpy as np
import pytest

from autograder.evaluation.attempts import attempts
from autograder.execution import precision
from autograder.execution.call import LocalRunner
from autograder.registry import units

EXERCISES = [pytest.param(unit, exercise, id=exercise.name) for unit in units() for exercise in unit.exercises]
# Exercises whose text asks for double precision, or for given numbers as they are
FLOAT64 = {"additive_mask", "without_heads"}


def rounded_to(dtype, value):
    """Return a result whose floating-point numbers have another precision; None leaves them, in new arrays."""
    if isinstance(value, tuple | list):
        parts = [rounded_to(dtype, part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return value.astype(dtype or value.dtype)
    return np.dtype(dtype).type(value) if dtype and isinstance(value, float | np.floating) else value


def points(exercise, function, change, seed=0):
    """Return the points of a function whose result is changed; causes and examples are not looked for."""

    @functools.wraps(function)
    def changed(*args, **kwargs):
        with quiet():
            return change(function(*args, **kwargs))

    runner = LocalRunner(changed, signature(exercise.reference))
    with quiet():
        return sum(one.claim.points for one in attempts(exercise, runner, seed) if one.failure is None)


def points_by_few_digits(exercise, function):
    """Return the points of a function that is judged by the digits of float32 only, which no result there can lack."""
    with by_few_digits():
        return points(exercise, function, functools.partial(rounded_to, None))


@contextlib.contextmanager
def by_few_digits():
    """Judge results by the digits of float32 only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(precision, "FLOAT64_TOLERANCE", replace(precision.FLOAT64_TOLERANCE, share=math.inf))
        yield


@contextlib.contextmanager
def quiet():
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield
