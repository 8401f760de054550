"""No function that loses digits gets all points: a small number added, a step in float32, a result that is rounded."""

import functools

import numpy as np
import pytest

from autograder.registry import find
from tests.support.imprecise import imprecise
from tests.support.remembered import remembering
from tests.support.rounded import EXERCISES, points, rounded_to
from tests.support.slightly_wrong import slightly_wrong
from transformer_kit import reference

as_it_is = functools.partial(rounded_to, None)
# Their results are choices: digits that decide none are lost unseen.
CHOICES = {"first_leak", "greedy_decode", "logit_lens", "sample_decode", "translate", "write"}
HARMLESS = {
    "loss.single(x.max(": "whatever is subtracted from a row, its softmax is the same",
    "loss.single(scores.max(": "so it is with a mask",
    "loss.single(logits.max(": "so it is in a loss",
    "loss.compared(scores.max(": "a score below all numbers is hidden, and hidden scores have been replaced",
    "loss.compared(total, 'gt', 1": "the largest exponential is 1, so a total is 0 or at least 1",
    "loss.compared(more, 'gt', -np.inf": "infinity cannot be moved",
    "top_p_filter: loss.single": "whoever chooses by sums in float32 may do so",
    "loss.compared(p, 'lt', 1": "nobody asks for a p of nearly 1",
    "loss.compared(probs, 'gt', 0": "what has no probability is minus infinity, kept or not",
    "loss.compared(temperature, 'lt', 0": "nobody asks for a temperature of nearly 0",
    "(logits.size // logits.shape[-1] + ": "a training step says which tokens count, and goes another way",
}


def accepted(exercise, functions):
    """Return which functions get all points in float64 although they lose digits."""
    for what, function, *loss in functions:
        if points(exercise, function, as_it_is) == exercise.points and all(one.is_felt for one in loss):
            yield what


def unexplained(exercise, functions):
    return [what for what in accepted(exercise, functions) if not any(text in what for text in HARMLESS)]


ALL = [entry for entry in EXERCISES if entry.id not in CHOICES and not entry.values[1].is_open]


@pytest.mark.exhaustive(minutes=2)
@pytest.mark.one_in(4)
@pytest.mark.parametrize(("unit", "exercise"), ALL)
def test_no_slight_mistake_gets_all_points(unit, exercise, part_of):
    with remembering(exercise):
        assert unexplained(exercise, part_of(slightly_wrong(exercise.reference), 5)) == []


@pytest.mark.exhaustive(minutes=2)
@pytest.mark.one_in(4)
@pytest.mark.parametrize(("unit", "exercise"), ALL)
def test_no_lost_digits_get_all_points(unit, exercise, part_of):
    with remembering(exercise):
        assert unexplained(exercise, part_of(imprecise(exercise.reference), 5)) == []


@pytest.mark.parametrize("name", ["softmax", "angular_frequencies", "noam_learning_rate", "swiglu"])
def test_some_imprecise_functions_lose_points(name):
    exercise = find(name)
    functions = [*slightly_wrong(exercise.reference), *imprecise(exercise.reference)]
    with remembering(exercise):
        assert unexplained(exercise, functions) == []


def of_single_sums(probs, u):
    above = np.flatnonzero(np.cumsum(np.asarray(probs, np.float32)) > u)
    return int(above[0] if above.size else np.flatnonzero(probs)[-1])


def with_p_moved(by):
    return lambda logits, p: reference.top_p_filter(logits, p + by if abs(by) < p < 1 - by else p)


def clipped(low, high):
    def swiglu(X, W_gate, W_up, W_down):
        gate = X @ W_gate
        return (gate / (1 + np.exp(-np.clip(gate, low, high))) * (X @ W_up)) @ W_down

    return swiglu


@pytest.mark.parametrize(
    ("name", "function"),
    [
        pytest.param("sample_token", of_single_sums, id="sums-in-float32"),
        pytest.param("top_p_filter", with_p_moved(1e-4), id="p-too-large"),
        pytest.param("top_p_filter", with_p_moved(-1e-4), id="p-too-small"),
        pytest.param("swiglu", clipped(-20, 700), id="clipped-below"),
        pytest.param("swiglu", clipped(-700, 20), id="clipped-above"),
    ],
)
def test_moved_bounds_lose_points(name, function):
    exercise = find(name)
    assert points(exercise, function, as_it_is) < exercise.points
