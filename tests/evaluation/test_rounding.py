"""Rounding hides no mistake in the seventh digit, and a right function may round what it takes or what it gives."""

import functools
from inspect import signature

import numpy as np
import pytest

from autograder.evaluation import rounding
from autograder.evaluation.attempts import attempts
from autograder.evaluation.evaluate import evaluate
from autograder.execution.call import LocalRunner
from autograder.execution.nested import mapped
from autograder.execution.precision import SINGLE, in_bytes
from autograder.registry import find
from tests.support import needs
from tests.support.claimed import claim_of
from tests.support.judging import exercise as exercise_of
from tests.support.judging import unit as unit_of
from tests.support.remembered import remembering
from tests.support.rounded import EXERCISES, FLOAT64, points, points_by_few_digits, quiet, rounded_to
from tests.support.slightly_wrong import slightly_wrong
from tools.bank import right_styles
from tools.course import solution_functions

in_single = functools.partial(rounded_to, np.float32)
JUDGED = """
import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return (e / (e.sum(axis=axis, keepdims=True) + {})){}
"""


def computed_in_single(function):
    """Return a function that rounds the arrays that it takes, and what it gives."""

    @functools.wraps(function)
    def rounding_first(*args, **kwargs):
        args, kwargs = mapped(lambda leaf: in_bytes(leaf, SINGLE) if np.ndim(leaf) else leaf, (args, kwargs))
        return function(*args, **kwargs)

    return rounding_first


def gains(exercise, functions):
    """Return what earns more where its result is rounded to float32 than in float64, judged by as many digits."""
    for what, function in functions:
        own = points_by_few_digits(exercise, function)
        if own < exercise.points and (rounded := points(exercise, function, in_single)) > own:
            yield what, own, rounded


def some(name, *words):
    """Return the exercise of a name, and those of its slightly wrong functions in whose edit one of the words is."""
    exercise = find(name)
    functions = [pair for pair in slightly_wrong(exercise.reference) if any(word in pair[0] for word in words)]
    assert len(functions) >= len(words)
    return exercise, functions


SOME = {
    "softmax": ("1e-06", "1e-05"),
    "gelu": (":.6g",),
    "cross_entropy": ("1e-05",),
    "angular_frequencies": ("(base * 1.0000004",),
}


@pytest.mark.parametrize("name", SOME)
def test_some_slight_mistakes_gain_nothing_by_rounding(name):
    assert list(gains(*some(name, *SOME[name]))) == []


@pytest.mark.exhaustive(minutes=3)
@pytest.mark.one_in(4)
@pytest.mark.parametrize(("unit", "exercise"), EXERCISES)
def test_no_slight_mistake_gains_by_rounding(unit, exercise, part_of):
    functions = part_of(slightly_wrong(exercise.reference), 4)
    with remembering(exercise):
        assert list(gains(exercise, functions)) == []


@pytest.mark.parametrize("name", SOME)
def test_such_a_gain_would_be_noticed(name, monkeypatch):
    """Meta-test: where nobody asks again, rounding pays."""
    monkeypatch.setattr(rounding, "refusal", lambda *args: None)
    assert len(list(gains(*some(name, *SOME[name])))) >= 1


def losses(exercise, functions, monkeypatch):
    """Return right functions that compute in single precision and lose points when they are asked again."""
    for function in functions:
        single = computed_in_single(function)
        found = points(exercise, single, in_single)
        if found == exercise.points:
            continue
        with monkeypatch.context() as patch:
            patch.setattr(rounding, "refusal", lambda *args: None)
            if found < points(exercise, single, in_single):
                yield function.__name__


@pytest.mark.parametrize("name", ["softmax", "gelu"])
def test_some_right_functions_may_compute_in_single_precision(name, monkeypatch):
    _, exercise = next(entry.values for entry in EXERCISES if entry.id == name)
    assert list(losses(exercise, right_styles(exercise.name)[:1], monkeypatch)) == []


@pytest.mark.exhaustive(minutes=3)
@pytest.mark.one_in(4)
@pytest.mark.parametrize(("unit", "exercise"), [entry for entry in EXERCISES if entry.id not in FLOAT64])
def test_every_right_function_may_compute_in_single_precision(unit, exercise, part_of, monkeypatch):
    functions = (solution_functions(unit.id)[exercise.name], *right_styles(exercise.name))
    with remembering(exercise):
        assert list(losses(exercise, part_of(functions, 2), monkeypatch)) == []


def in_single_from_whole_numbers(n_positions, d_model, base=10000.0):
    """Compute a table in float32, as who comes from another library may do."""
    if d_model % 2:
        raise ValueError(f"d_model must be even, got {d_model}")
    positions = np.arange(n_positions, dtype=np.float32)[:, None]
    frequencies = np.exp(np.arange(0, d_model, 2, dtype=np.float32) * np.float32(-np.log(base) / d_model))
    table = np.zeros((n_positions, d_model), np.float32)
    table[:, 0::2], table[:, 1::2] = np.sin(positions * frequencies), np.cos(positions * frequencies)
    return table


def test_single_precision_keeps_what_is_independent_of_digits():
    exercise = find("positional_encoding")
    runner = LocalRunner(in_single_from_whole_numbers, exercise.signature)
    failed = {one.claim.test.__name__: one for one in evaluate(exercise, runner).results if not one.passed}
    assert failed.keys() == {"values", "base"}
    assert "computed in float32. Compute in float64." in failed["values"].structure


def test_ids_are_no_numbers_that_could_be_rounded():
    """Asked with ids nearby, the reference would explain any error."""

    def nearly(token_ids, vocab_size, epsilon):
        hot = np.asarray(token_ids, np.float32)[..., None] == np.arange(vocab_size)
        return ((1 - epsilon) * hot + epsilon / (vocab_size + 1e-4)).astype(np.float32)

    exercise = find("smooth_labels")
    verdict = evaluate(exercise, LocalRunner(nearly, exercise.signature))
    assert [result.name for result in verdict.results if result.passed and not result.claim.side] == []


def test_noise_does_not_hide_a_mistake():
    exercise = find("softmax")

    def noisy(x, axis=-1):
        e = np.exp(x - x.max(axis=axis, keepdims=True))
        e *= 1 + 1e-6 * np.sin(1e6 * e)
        return (e / (e.sum(axis=axis, keepdims=True) + 1e-6)).astype(np.float32)

    assert points(exercise, noisy, in_single) == 0
    large = claim_of("softmax", "large_numbers").points
    assert points(exercise, computed_in_single(noisy), in_single) <= large  # arguments of 1000 cost the digits


def test_the_refusal_says_what_to_do():
    exercise = find("softmax")
    wrong = next(function for what, function in slightly_wrong(exercise.reference) if "+ 1e-06" in what)
    runner = LocalRunner(lambda *args, **kwargs: in_single(wrong(*args, **kwargs)), signature(exercise.reference))
    verdict = evaluate(exercise, runner)
    assert all("not the right ones rounded" in result.message for result in verdict.results[:2])
    assert "Compute in float64" in verdict.results[0].message


@needs.linux
@pytest.mark.parametrize("end", ["", ".astype(np.float32)"])
def test_the_judge_sees_through_rounding_as_well(worker, end):
    def graded(small):
        with worker.child(unit_of(2), softmax, [JUDGED.format(small, end)]) as runner:
            return evaluate(softmax, runner, (1234, 5678)).points

    softmax = exercise_of(unit_of(2), "softmax")
    assert graded(0) == softmax.points
    assert graded(1e-6) == 0


def test_a_right_float64_function_is_not_asked_again():
    calls = []
    exercise = find("gelu")

    def counted(x):
        calls.append(x)
        return exercise.reference(x)

    with quiet():
        trials = sum(len(one.trials) for one in attempts(exercise, LocalRunner(counted, signature(counted)), 0))
    assert len(calls) == trials
