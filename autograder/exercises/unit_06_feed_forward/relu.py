"""Specification of `relu`."""

import numpy as np

from autograder.exercises.unit_06_feed_forward import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.relu,
    asks="replace every negative number by 0 and keep all others.",
    returns=(Output("output"),),
    calls=calls.RELU,
    lookalike=lookalikes.RELU,
)


@EXERCISE.claim(0.5)
def values(call, rng):
    """negative numbers become 0, all others stay what they are"""
    call.agrees(np.array([-2.0, -0.5, 0.0, 0.5, 3.0]))  # by hand: 0, 0, 0, 0.5, 3
    call.agrees(rng.standard_normal((3, 5)))
    call.agrees(rng.choice([-1.0, 1.0], (3, 7)) * 10.0 ** rng.integers(1, 31, (3, 7)))  # no bound above
    call.agrees(rng.choice([-1.0, 1.0], (3, 7)) * 10.0 ** -rng.integers(7, 31, (3, 7)))  # nor any below
    call.agrees(-rng.uniform(1, 3, (2, 3)))  # nothing but negative numbers


@EXERCISE.claim(0.25)
def any_shape(call, rng):
    """works for any shape"""
    call.agrees(rng.standard_normal((2, 3, 4)))
    call.agrees(rng.standard_normal((5, 2, 1, 3)).astype(np.float32))


@EXERCISE.claim(0.25, side=True)
def leaves_x_alone(call, rng):
    """leaves x alone and returns a new array"""
    x = rng.standard_normal((4, 6))
    call.leaves_inputs_alone(x)
    call.leaves_inputs_alone(np.abs(x))  # nothing to replace
    call.agrees(x)


wrong = WrongAnswers(EXERCISE, globals())

wrong("absolute-value", {"maximum(as_float(x), 0)": "abs(x)"}, """
    Negative numbers lose their sign.
    They should become 0: what is negative is switched off. The absolute value switches nothing off.""")

wrong("negatives-kept", {"maximum": "minimum"}, """
    The negative numbers are kept and the positive ones become 0.
    Of each number and 0 you take the smaller one.""")

wrong("leaky", {"maximum(as_float(x), 0)": "where(x > 0, x, 0.01 * x)"}, """
    Negative numbers are made small, not 0.
    That is the leaky variant. The paper's ReLU lets nothing negative through.""")

wrong("step", {"np.maximum(as_float(x), 0)": "(x > 0).astype(x.dtype)"}, """
    Every positive number becomes 1.
    That is the slope of ReLU, which you need for the backward pass. ReLU itself keeps the number.""")

wrong("clipped-at-1", {"maximum(as_float(x), 0)": "clip(x, 0, 1)"}, """
    Numbers above 1 become 1.
    There is a bound below and none above: a large number stays what it is.""")

wrong("smooth", {"maximum(as_float(x), 0)": "logaddexp(0, x)"}, """
    The corner at 0 is rounded.
    That is the softplus, a smooth relative. At 0 it gives 0.69, where ReLU gives 0.""")

wrong("pythons-max", "max(0, x)", """
    The whole array is compared with 0 as if it were one number.
    Python's own `max`, and `if x > 0`, need one answer, yes or no, and an array gives one for each of its numbers.
    NumPy has functions that work number by number.""")

wrong("along-an-axis", {"maximum": "max"}, """
    The largest number along the first axis is returned.
    `np.max(x, 0)` reads the 0 as an axis. The NumPy function that takes two arrays and compares them number by number
    has a longer name.""")

wrong("negatives-dropped", {"np.maximum(as_float(x), 0)": "x[x > 0]"}, """
    The negative numbers are left out.
    Every number has to keep its place, so the result has the shape of x.""")


@wrong.function
def in_place(x):
    """The caller's array is overwritten.
    Assigning to parts of x changes the array that you were given, and the backward pass may still need it. Make a new
    array."""
    x[x < 0] = 0
    return x


wrong("clipped-at-6", {"maximum(as_float(x), 0)": "clip(x, 0, 6)"}, """
    Numbers above 6 become 6.
    Some small models for phones do that. Here there is no bound above: a large number stays what it is.""")

wrong("not-halved", {"np.maximum(as_float(x), 0)": "x + np.abs(x)"}, """
    Positive numbers are doubled.
    A number plus its absolute value is twice the number where it is positive. You need half of that.""")

wrong("largest-of-all", {"np.maximum(as_float(x), 0)": "max(0, np.max(x))"}, """
    One number is returned, the largest of all.
    No number looks at its neighbours here: each is compared with 0 alone, and the result has the shape of x.""")

wrong("clipped-at-largest", {"maximum(as_float(x), 0)": "minimum(np.maximum(x, 0), np.max(x))"}, """
    The upper limit is the largest number of x.
    Where all numbers are negative, that limit is negative, too, and wins over the 0. There is no bound above.""")

wrong("decimals-cut", {"(as_float(x), 0)": "(x, 0).astype(int)"}, """
    The decimals are cut off.
    An array that was made for integers has no room for fractions. Let the new array have the dtype of x.""")

wrong("own-array", {"np.maximum(as_float(x), 0)": "x if (x >= 0).all() else np.maximum(x, 0)"}, """
    Where nothing is negative, the caller's own array comes back.
    Anyone who changes the result then changes x as well. Return a new array even where there is nothing to do.""")
