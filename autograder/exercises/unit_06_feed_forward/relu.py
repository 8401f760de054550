"""Specification of `relu`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from transformer_kit import reference


def _values(call, rng):
    call.agrees(np.array([-2.0, -0.5, 0.0, 0.5, 3.0]))  # by hand: 0, 0, 0, 0.5, 3
    call.agrees(rng.standard_normal((3, 5)))


def _any_shape(call, rng):
    call.agrees(rng.standard_normal((2, 3, 4)))
    call.agrees(rng.standard_normal((5, 2, 1, 3)).astype(np.float32))


def _leaves_x_alone(call, rng):
    x = rng.standard_normal((4, 6))
    call.agrees(x)
    call.leaves_inputs_alone(x)


def _absolute(x):
    return np.abs(x)


def _minimum(x):
    return np.minimum(x, 0)


def _leaky(x):
    return np.where(x > 0, x, 0.01 * x)


def _step(x):
    return (x > 0).astype(x.dtype)


def _clipped_at_1(x):
    return np.clip(x, 0, 1)


def _smooth(x):
    return np.logaddexp(0, x)


def _pythons_max(x):
    return max(0, x)


def _along_an_axis(x):
    return np.max(x, 0)


def _negatives_dropped(x):
    return x[x > 0]


def _in_place(x):
    x[x < 0] = 0
    return x


SECTION, HINGE = "Exercise 6.1: relu", "One number at a time"

EXERCISE = Exercise(
    reference=reference.relu,
    asks="replace every negative number by 0 and keep all others.",
    returns=(Returned("output"),),
    where=SECTION,
    claims=(
        Claim("negative numbers become 0, all others stay what they are", 1, _values),
        Claim("works for any shape", 0.5, _any_shape),
        Claim("leaves x alone", 0.5, _leaves_x_alone),
    ),
    mistakes=(
        Mistake(
            "absolute-value",
            "Negative numbers lose their sign",
            _absolute,
            "They should become 0: what is negative is switched off. The absolute value switches nothing off.",
            SECTION,
        ),
        Mistake(
            "negatives-kept",
            "The negative numbers are kept and the positive ones become 0",
            _minimum,
            "Of each number and 0 you take the smaller one.",
            SECTION,
        ),
        Mistake(
            "leaky",
            "Negative numbers are made small, not 0",
            _leaky,
            "That is the leaky variant. The paper's ReLU lets nothing negative through.",
            SECTION,
        ),
        Mistake(
            "step",
            "Every positive number becomes 1",
            _step,
            "That is the slope of ReLU, which you need for the backward pass. ReLU itself keeps the number.",
            HINGE,
        ),
        Mistake(
            "clipped-at-1",
            "Numbers above 1 become 1",
            _clipped_at_1,
            "There is a bound below and none above: a large number stays what it is.",
            SECTION,
        ),
        Mistake(
            "smooth",
            "The corner at 0 is rounded",
            _smooth,
            "That is the softplus, a smooth relative. At 0 it gives 0.69, where ReLU gives 0.",
            SECTION,
        ),
        Mistake(
            "pythons-max",
            "The whole array is compared with 0 in one question",
            _pythons_max,
            "Python's own `max`, and `if x > 0`, want one answer, yes or no. An array of numbers gives one answer for "
            "each. NumPy has functions that work number by number.",
            HINGE,
        ),
        Mistake(
            "along-an-axis",
            "The largest number along the first axis is returned",
            _along_an_axis,
            "`np.max(x, 0)` reads the 0 as an axis. The NumPy function that takes two arrays and compares them number "
            "by number has a longer name.",
            HINGE,
        ),
        Mistake(
            "negatives-dropped",
            "The negative numbers are left out",
            _negatives_dropped,
            "Every number has to keep its place, so the result has the shape of x.",
            HINGE,
        ),
        Mistake(
            "in-place",
            "The caller's array is overwritten",
            _in_place,
            "Assigning to parts of x changes the array that you were given, and the backward pass may still need it. "
            "Make a new array.",
            HINGE,
        ),
    ),
)
