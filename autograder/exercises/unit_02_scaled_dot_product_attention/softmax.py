"""Specification of `softmax`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from transformer_kit import reference


def _values(call, rng):
    call.agrees(np.log([1.0, 2.0, 5.0]))  # by hand: 1/8, 2/8, 5/8
    call.agrees(rng.standard_normal((2, 3, 5)))


def _any_axis(call, rng):
    x = rng.standard_normal((2, 3, 5))
    for axis in (0, 1, -2):
        call.agrees(x, axis=axis)


def _extreme_scores(call, rng):
    x = rng.standard_normal((3, 5))
    call.agrees(x + 1000.0)
    call.agrees(np.stack([x[0] + 1000.0, x[1] - 1000.0]))
    call.agrees(np.where(np.eye(3, 5, dtype=bool), -np.inf, x))


def _leaves_inputs_alone(call, rng):
    call.leaves_inputs_alone(rng.standard_normal((3, 5)))


def _no_maximum_subtracted(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


def _always_last_axis(x, axis=-1):
    return reference.softmax(x)


def _over_everything(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum()


def _maximum_of_everything(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum(axis=axis, keepdims=True)


def _wrong_way(x, axis=-1):
    return reference.softmax(x, axis=0)


def _not_normalised(x, axis=-1):
    return np.exp(x - x.max(axis=axis, keepdims=True))


def _in_place(x, axis=-1):
    x -= x.max(axis=axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=axis, keepdims=True)
    return x


EXERCISE = Exercise(
    reference=reference.softmax,
    asks="turn the numbers along `axis` into positive weights that sum to 1, for numbers of any size.",
    returns=(Returned("weights", "the shape of x"),),
    where="Exercise 2.1: softmax",
    claims=(
        Claim("equals the definition", 1.5, _values),
        Claim("works along any axis", 1, _any_axis),
        Claim("survives scores of ±1000 and -inf", 1, _extreme_scores),
        Claim("leaves its input alone", 0.5, _leaves_inputs_alone),
    ),
    mistakes=(
        Mistake(
            "no-maximum-subtracted",
            "The exponentials overflow",
            _no_maximum_subtracted,
            "exp(1000) is too large for a float, and inf / inf is NaN.",
            "Exercise 2.1: softmax",
        ),
        Mistake("always-last-axis", "The argument `axis` is ignored", _always_last_axis, "x", "Exercise 2.1: softmax"),
        Mistake("over-everything", "One sum for the whole array", _over_everything, "x", "Exercise 2.1: softmax"),
        Mistake("maximum-of-everything", "One maximum for the whole array", _maximum_of_everything, "x", "Exercise 2.1: softmax"),
        Mistake("wrong-axis", "The sum runs down the columns", _wrong_way, "x", "Exercise 2.1: softmax"),
        Mistake("not-normalised", "Nothing is divided by the sum", _not_normalised, "x", "Exercise 2.1: softmax"),
        Mistake("in-place", "The input array is overwritten", _in_place, "x", "Exercise 2.1: softmax"),
    ),
)
