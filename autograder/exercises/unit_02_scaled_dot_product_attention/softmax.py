"""Specification of `softmax`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from transformer_kit import reference

MAIN, LARGE, AXIS = "Exercise 2.1: softmax", "Numbers too large to exponentiate", "Along which axis?"


def _values(call, rng):
    call.agrees(np.log([1.0, 2.0, 5.0]))  # by hand: 1/8, 2/8, 5/8
    call.agrees(rng.standard_normal((2, 3, 5)))
    call.agrees(np.array([[2, 0, 1], [1, 1, 3]]))
    call.agrees(rng.standard_normal((3, 5)).astype(np.float32))


def _any_axis(call, rng):
    x = rng.standard_normal((2, 3, 5))
    for axis in (0, 1, -2):
        call.agrees(x, axis=axis)


def _large_numbers(call, rng):
    x = rng.standard_normal((3, 5))
    call.agrees(x + 1000.0)  # the same shift everywhere changes nothing
    call.agrees(np.stack([x[0] + 1000.0, x[1] - 1000.0]))
    call.agrees(np.array([1000.0, 0.0, -1000.0]))


def _minus_infinity(call, rng):
    hidden = np.eye(3, 5, dtype=bool)
    weights = call.agrees(np.where(hidden, -np.inf, rng.standard_normal((3, 5))))[hidden]
    call.holds((weights == 0).all(), f"the weight of -inf is exactly 0; yours is {weights[weights != 0][:1]}.")


def _leaves_input_alone(call, rng):
    x = rng.standard_normal((3, 5))
    call.agrees(x)
    call.leaves_inputs_alone(x)


def _no_maximum_subtracted(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


def _always_last_axis(x, axis=-1):
    return reference.softmax(x)


def _always_first_axis(x, axis=-1):
    return reference.softmax(x, axis=0)


def _over_everything(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum()


def _maximum_of_everything(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum(axis=axis, keepdims=True)


def _mean_subtracted(x, axis=-1):
    e = np.exp(x - x.mean(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def _nearly_zero(x, axis=-1):
    e = np.exp(np.maximum(x - x.max(axis=axis, keepdims=True), -21))
    return e / e.sum(axis=axis, keepdims=True)


def _axis_dropped(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum(axis=axis)


def _not_normalised(x, axis=-1):
    return np.exp(x - x.max(axis=axis, keepdims=True))


def _no_exponential(x, axis=-1):
    return x / x.sum(axis=axis, keepdims=True)


def _logarithms(x, axis=-1):
    return np.log(reference.softmax(x, axis))


def _in_place(x, axis=-1):
    if x.dtype.kind != "f":
        x = x.astype(float)
    x -= x.max(axis=axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=axis, keepdims=True)
    return x


def _changes_then_copies(x, axis=-1):
    if x.dtype.kind != "f":
        x = x.astype(float)
    x -= x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


EXERCISE = Exercise(
    reference=reference.softmax,
    asks="turn the numbers along `axis` into positive weights that sum to 1, for numbers of any size.",
    returns=(Returned("weights", "the shape of x"),),
    where=MAIN,
    claims=(
        Claim("equals the definition, along the last axis", 1.5, _values),
        Claim("works along any axis", 1, _any_axis),
        Claim("survives numbers of size 1000", 0.5, _large_numbers),
        Claim("gives weight 0 to -inf", 0.5, _minus_infinity),
        Claim("leaves its input alone", 0.5, _leaves_input_alone),
    ),
    mistakes=(
        Mistake(
            "no-maximum-subtracted",
            "Your function exponentiates the numbers as they are",
            _no_maximum_subtracted,
            "exp(1000) is larger than any float64, and inf / inf is NaN. "
            "Shifting all the numbers of a row by the same amount does not change its weights, so you may choose the "
            "shift.",
            LARGE,
        ),
        Mistake(
            "maximum-of-everything",
            "Your function subtracts one maximum for the whole array",
            _maximum_of_everything,
            "A row that lies far below the largest number of another row then underflows to 0 / 0. "
            "Each row needs its own shift.",
            LARGE,
        ),
        Mistake(
            "mean-subtracted",
            "Your function shifts each row by its mean",
            _mean_subtracted,
            "The weights are the same on paper, but a number far above the mean still overflows, and the mean of a row "
            "that holds -inf is -inf.",
            LARGE,
        ),
        Mistake(
            "nearly-zero",
            "Your function gives -inf a tiny weight in place of 0",
            _nearly_zero,
            "exp(-inf) is exactly 0, and a hidden token must not count at all. Subtracting the maximum needs no help: "
            "neither a lower limit for the exponents nor a small number added to the exponentials.",
            LARGE,
        ),
        Mistake(
            "always-last-axis",
            "Your function ignores `axis` and always works along the last one",
            _always_last_axis,
            "Both the maximum and the sum have to follow the argument `axis`.",
            AXIS,
        ),
        Mistake(
            "always-first-axis",
            "Your function normalises along axis 0, down the columns",
            _always_first_axis,
            "In attention the numbers of one query stand in a row, and it is the row that must sum to 1.",
            AXIS,
        ),
        Mistake(
            "over-everything",
            "Your function divides by the sum of the whole array",
            _over_everything,
            "All the entries together then sum to 1. Each row is a set of weights of its own.",
            AXIS,
        ),
        Mistake(
            "axis-dropped",
            "A sum or a maximum in your function has lost the axis that it ran along",
            _axis_dropped,
            "An array of shape (2, 3) does not line up with one of shape (2, 3, 5). "
            "NumPy's reductions can keep the reduced axis with length 1.",
            AXIS,
        ),
        Mistake(
            "not-normalised",
            "Your function returns the exponentials without making them sum to 1",
            _not_normalised,
            "They are positive, but a weighted average needs weights that sum to 1.",
            MAIN,
        ),
        Mistake(
            "no-exponential",
            "Your function divides the numbers themselves by their sum",
            _no_exponential,
            "Scores may be negative and their sum may be near 0. "
            "The weights have to be made positive before they are compared with their sum.",
            MAIN,
        ),
        Mistake(
            "logarithms",
            "Your function returns the logarithms of the weights",
            _logarithms,
            "Logarithms of weights are useful in a loss, but here the weights themselves are asked for.",
            MAIN,
        ),
        Mistake(
            "in-place",
            "Your function overwrites its input and returns it",
            _in_place,
            "The caller's scores are gone after the call. Operators such as `-=` and the argument `out=` write into "
            "the array that you were given.",
            MAIN,
        ),
        Mistake(
            "shifts-the-input",
            "Your function changes its input on the way to a new array",
            _changes_then_copies,
            "`x -= ...` writes into the caller's array. A plain subtraction makes a new one.",
            MAIN,
        ),
    ),
)
