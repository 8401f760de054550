"""Fewer digits excuse their own rounding and nothing else: no wrong function gains by them, no right one loses."""

import functools
from inspect import signature

import numpy as np
import pytest

from autograder.evaluation.evaluate import evaluate
from autograder.execution.call import LocalRunner
from autograder.execution.compare import compare
from autograder.execution.nested import leaves, mapped
from autograder.execution.precision import (
    FLOAT32_TOLERANCE,
    FLOAT64_TOLERANCE,
    Tolerance,
    are_close,
    bound_for,
    in_bytes,
    tolerance_for,
)
from autograder.registry import find
from autograder.specification import Exercise, KnownMistakes, Output
from tests.support.remembered import remembering
from tests.support.rounded import EXERCISES, FLOAT64, points, points_by_few_digits, quiet, rounded_to
from tools.bank import right_styles
from tools.course import solution_functions

OUTPUT = (Output("output"),)
EXPECTED = np.array([1.0, -0.3, 1e-3])


def test_the_tolerance_follows_the_arguments():
    low = EXPECTED.astype(np.float32)
    for given, base in (((EXPECTED, 3, None), FLOAT64_TOLERANCE), ((1, (EXPECTED, [low])), FLOAT32_TOLERANCE)):
        tolerance = tolerance_for(*given)
        assert (tolerance.rtol, tolerance.atol) == (base.rtol, base.atol)
        assert tolerance.given == given


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_a_coarse_result_is_compared_in_its_precision(dtype):
    tolerance = tolerance_for(EXPECTED)
    rounded = EXPECTED.astype(dtype)
    assert are_close(rounded, EXPECTED, tolerance).all()
    unit = np.finfo(dtype).eps
    assert not are_close((EXPECTED * (1 + 40 * unit)).astype(dtype), EXPECTED, tolerance)[:2].any()
    assert compare(dtype(EXPECTED[0]), 1.0, OUTPUT, tolerance) is None
    rung = "values" if dtype is np.float32 else "dtype"  # half precision is refused, but for what it holds exactly
    assert compare(dtype(1 + 40 * unit), 1.0, OUTPUT, tolerance).rung == rung
    assert compare(np.array(1 + 40 * unit, dtype), 1.0, OUTPUT, tolerance).rung == rung


def test_an_overflow_is_not_right_in_its_precision():
    """An infinite entry is not the rounded value of a finite one."""
    assert compare(np.array([np.inf], np.float32), np.array([1e60]), OUTPUT).rung == "finite"


def test_large_arguments_cost_single_precision_digits():
    """With inputs of size 1000 a difference of scores is known to 1e-4 only."""
    got, expected = np.float32([0.17337]), np.array([0.173365])
    assert not are_close(got, expected, tolerance_for(np.ones(3)))
    assert are_close(got, expected, tolerance_for(np.full(3, 1000.0)))
    assert not are_close(got + np.float32(1e-3), expected, tolerance_for(np.full(3, 1000.0)))
    assert not are_close(got.astype(float), expected, tolerance_for(np.full(3, 1000.0)))


def test_only_single_precision_widens_the_bounds():
    assert bound_for(1e-9, EXPECTED, EXPECTED) == 1e-9
    assert 1e-9 < bound_for(1e-9, EXPECTED, EXPECTED.astype(np.float32)) < 2e-6


def test_only_what_has_more_digits_is_rounded():
    single, extended = np.float32([1]), np.ones(2, np.longdouble)
    assert in_bytes(single, 8) is single
    assert in_bytes((extended, [extended[0]], 0.1, "x"), 8)[0].dtype == np.float64
    assert in_bytes(0.1, 4) == np.float32(0.1)
    assert type(in_bytes(0.1, 8)) is float


def nearly(x):
    """Two are added that are nearly two.

    The numbers differ in the eighth digit.
    """
    return x + 2.0000004


def exercise_of(function):
    exercise = Exercise(lambda x: x + 2, asks="", returns=OUTPUT, where="", mistakes=KnownMistakes())

    @exercise.claim(1)
    def claimed(call, rng):
        """is what the reference gives"""
        call.agrees(rng.uniform(1, 2, 3))

    exercise.mistakes.add(where="")(nearly)
    return evaluate(exercise, LocalRunner(function, signature(lambda x: None)))


def test_a_mistake_hidden_by_low_precision_counts():
    assert exercise_of(nearly).points == 0
    verdict = exercise_of(lambda x: nearly(x).astype(np.float32))
    assert verdict.points == 0
    assert "too low a precision" in verdict.results[0].message
    assert "Two are added that are nearly two" in verdict.results[0].message
    assert exercise_of(lambda x: (x + 2).astype(np.float32)).points == 1


def as_an_array(dtype, value):
    """Return a single number as an array without axes."""
    return np.array(value, dtype) if isinstance(value, float | np.floating) else rounded_to(None, value)


WAYS = {
    **{dtype: functools.partial(rounded_to, np.dtype(dtype)) for dtype in ("float16", "float32", "longdouble")},
    **{f"an array of {dtype}": functools.partial(as_an_array, dtype) for dtype in ("float16", "float32", "float64")},
}


# In half precision -1e9 is minus infinity, exactly as it should be, and what was too coarse is so no more: then the
# function is right.
MENDED = {("large-number", "float16"), ("large-negative", "float16"), ("low-precision", "longdouble")}


def gains(exercise, mistakes):
    """Return which of the mistakes earn more in another precision than in their own, and where."""
    for mistake in mistakes:
        results = []
        own = points(exercise, mistake.function, functools.partial(noted, results))
        for way, change in WAYS.items():
            if (mistake.id, way) in MENDED or not any(is_changed(change, value) for value in results):
                continue
            if points(exercise, mistake.function, change) > max(own, points_by_few_digits(exercise, mistake.function)):
                yield mistake.id, way


def noted(results, value):
    """Return a result in new arrays, and keep it."""
    results.append(value)
    return rounded_to(None, value)


def is_changed(change, value):
    """Return whether a way makes a result of another type or precision."""
    with quiet():
        other = change(value)
    kinds = [[(type(leaf), getattr(leaf, "dtype", None)) for leaf in leaves(each)] for each in (value, other)]
    return kinds[0] != kinds[1]


def right_functions(unit, exercise):
    """Return the function of the solution notebook, and the right styles."""
    return solution_functions(unit.id)[exercise.name], *right_styles(exercise.name)


def losses(exercise, functions, seeds):
    """Return the right functions that lose points by a result in single or extended precision."""
    for function in functions:
        for way in ("longdouble",) if exercise.name in FLOAT64 else ("float32", "longdouble", "an array of float32"):
            if any(points(exercise, function, WAYS[way], seed) < exercise.points for seed in seeds):
                yield function.__name__, way


@pytest.mark.parametrize("name", ["additive_mask", "gelu", "noam_learning_rate"])
def test_some_wrong_functions_gain_nothing(name):
    exercise = find(name)
    assert list(gains(exercise, exercise.mistakes)) == []


@pytest.mark.exhaustive(minutes=3)
@pytest.mark.one_in(4)
@pytest.mark.parametrize(("unit", "exercise"), EXERCISES)
def test_no_wrong_function_gains(unit, exercise, part_of):
    with remembering(exercise):
        assert list(gains(exercise, part_of(exercise.mistakes, 3))) == []


@pytest.mark.parametrize("name", ["merge_heads", "pre_norm", "gelu"])
def test_some_right_functions_lose_nothing(name):
    unit, exercise = next(entry.values for entry in EXERCISES if entry.id == name)
    assert list(losses(exercise, right_functions(unit, exercise), [0])) == []


def in_single_throughout(function):
    """Return a function that computes in single precision from its first line to its last."""
    single = functools.partial(rounded_to, np.float32)

    @functools.wraps(function)
    def rounding(*args, **kwargs):
        args, kwargs = mapped(lambda leaf: leaf if type(leaf) is float else single(leaf), (args, kwargs))
        return single(function(*args, **kwargs))

    return rounding


COMPARED = ["scaled_dot_product_attention", "softmax_jacobian", "encoder_layer", "adam_update"]
MORE_COMPARED = ["position_similarity", "project_memory", "position_wise_ffn", "context_vector", "ffn_backward"]


def keeps_all(name, seed):
    exercise = find(name)
    function = in_single_throughout(exercise.reference)
    return points(exercise, function, functools.partial(rounded_to, None), seed) == exercise.points


@pytest.mark.parametrize(("name", "seed"), [*zip(COMPARED, (1, 1, 3, 1), strict=True)])
def test_claims_that_compare_accept_single_precision(name, seed):
    assert keeps_all(name, seed)


@pytest.mark.exhaustive(minutes=1)
@pytest.mark.parametrize("name", COMPARED + MORE_COMPARED)
def test_all_claims_that_compare_accept_single_precision(name):
    assert all(keeps_all(name, seed) for seed in (0, 2, 3))


@pytest.mark.exhaustive(minutes=3)
@pytest.mark.one_in(4)
@pytest.mark.parametrize(("unit", "exercise"), EXERCISES)
def test_no_right_function_loses(unit, exercise, part_of):
    with remembering(exercise):
        assert list(losses(exercise, part_of(right_functions(unit, exercise), 2), part_of([0, 1], 1))) == []


def test_a_gain_would_be_noticed(monkeypatch):
    """Meta-test: with a tolerance that follows the result, and where nobody asks again, rounding pays."""
    monkeypatch.setattr(Tolerance, "in_precision", lambda *args: FLOAT32_TOLERANCE)
    monkeypatch.setattr("autograder.evaluation.attempts.hidden_mistake", lambda *args: None)
    monkeypatch.setattr("autograder.evaluation.rounding.refusal", lambda *args: None)
    exercise = find("adam_update")
    assert ("eps-before-correction", "float32") in gains(exercise, exercise.mistakes)
