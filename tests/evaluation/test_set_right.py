"""A small slip costs the claims that are about it; whatever else is wrong is not set right with it."""

import itertools
from dataclasses import asdict, replace

import numpy as np
import pytest

from autograder.evaluation.attempts import attempts, visible_seed
from autograder.evaluation.evaluate import evaluate
from autograder.execution.call import LocalRunner
from autograder.feedback.make_report import make_report
from autograder.feedback.text import as_text
from autograder.grading.verdicts.record import Record, claims_of, record_of
from autograder.specification import KnownMistakes
from tests.support.frozen_course import SOFTMAX, always_last_axis, any_axis

POINTS = {"values": 1.5, "any_axis": 1, "large_numbers": 0.5, "minus_infinity": 0.5, "leaves_input_alone": 0.5}


def over_axis_0(x, axis=-1):
    e = np.exp(x - x.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)


def doubled(x, axis=-1):
    """Your function returns twice the weights.

    They sum to 2.
    """
    return 2 * SOFTMAX.reference(x, axis)


def doubled_in_place(x, axis=-1):
    result = doubled(x, axis)
    x[...] = 0
    return result


def doubled_elsewhere_halved(x, axis=-1):
    return doubled(x, axis) if x.ndim > 1 else SOFTMAX.reference(x, axis) / 2


@pytest.fixture
def softmax(frozen_course):
    """The frozen softmax with a slip that makes all numbers wrong, and costs the first claim."""
    exercise = replace(SOFTMAX, mistakes=KnownMistakes(SOFTMAX.mistakes))
    exercise.mistakes.add("Weights")(doubled)
    first = exercise.claims[0].test
    exercise.mistakes[-1] = replace(exercise.mistakes[-1], costs=frozenset({first}))
    return exercise


def runner(exercise, function):
    return LocalRunner(function, exercise.signature)


def judged(exercise, function, seed=None):
    return evaluate(exercise, runner(exercise, function), visible_seed(exercise) if seed is None else seed)


def statuses(verdict):
    return {result.claim.test.__name__: result.status for result in verdict.results}


@pytest.mark.parametrize("seed", [None, (1234, 5678)], ids=["at home", "in a class"])
def test_a_small_slip_costs_its_own_claim_only(softmax, seed):
    verdict = judged(softmax, doubled, seed)
    assert statuses(verdict) == {name: "failed" if name == "values" else "set right" for name in POINTS}
    assert verdict.points == sum(POINTS.values()) - POINTS["values"]
    assert verdict.mistake.id == "doubled"
    assert verdict.status == "open"


def test_the_report_says_what_was_set_right(softmax):
    text = as_text(make_report(judged(softmax, doubled)))
    assert text.count("): with that set right\n") == 4
    assert text.count("): same cause\n") == 1
    assert "4 of 5 checks passed" in text


def test_a_slip_without_costs_costs_them_all(softmax):
    softmax.mistakes[-1] = replace(softmax.mistakes[-1], costs=frozenset())
    verdict = judged(softmax, doubled)
    assert verdict.mistake.id == "doubled"
    assert "set right" not in statuses(verdict).values()
    assert verdict.points == 0


@pytest.mark.parametrize("function", [doubled_elsewhere_halved, over_axis_0])
def test_where_more_is_wrong_nothing_is_set_right(softmax, function):
    assert "set right" not in statuses(judged(softmax, function)).values()


def test_what_the_slip_does_not_excuse_still_fails(softmax):
    """Another function that is wrong in the same numbers, and overwrites its argument."""
    verdict = judged(softmax, doubled_in_place)
    assert not verdict.results[-1].passed
    assert verdict.points <= sum(POINTS.values()) - POINTS["values"] - POINTS["leaves_input_alone"]


def test_to_turn_into_a_slip_later_gains_nothing(softmax):
    """While the claims are tried nothing is right; the calls after them are those of the slip."""
    n_calls = sum(len(attempt.trials) for attempt in attempts(softmax, runner(softmax, doubled), (3, 4)))
    count = itertools.count()

    def turning(x, axis=-1):
        return np.zeros_like(x) if next(count) < n_calls else doubled(x, axis)

    late = judged(softmax, turning, (3, 4))
    assert next(count) > n_calls
    assert late.points <= judged(softmax, doubled, (3, 4)).points < softmax.points


def test_a_slip_within_one_claim_sets_nothing_right(softmax):
    """The axis is ignored: the claim about it fails, and all others hold as they are."""
    index = next(k for k, mistake in enumerate(softmax.mistakes) if mistake.function is always_last_axis)
    softmax.mistakes[index] = replace(softmax.mistakes[index], costs=frozenset({any_axis}))
    verdict = judged(softmax, always_last_axis)
    assert statuses(verdict) == {name: "failed" if name == "any_axis" else "passed" for name in POINTS}


def test_a_record_keeps_what_was_set_right(softmax):
    verdict = judged(softmax, doubled, (3, 4))
    record = Record("k" * 64, "ann", "02", "softmax", verdict.points, 4, "diagnosed", claims_of(verdict))
    kept = record_of(asdict(record))
    assert [result.status for result in kept.verdict.results] == list(statuses(verdict).values())
    assert kept.verdict.points == verdict.points == 2.5
