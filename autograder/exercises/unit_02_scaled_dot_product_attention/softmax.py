"""Specification of `softmax`."""

import numpy as np

from autograder.exercises.unit_02_scaled_dot_product_attention import calls
from autograder.exercises.unit_02_scaled_dot_product_attention.softmax_mistakes import MAIN, MISTAKES
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.softmax,
    asks="turn the numbers along `axis` into positive weights that sum to 1, for numbers of any size.",
    returns=(Output("weights", "the shape of x"),),
    where=MAIN,
    calls=calls.SOFTMAX,
    mistakes=MISTAKES,
)


@EXERCISE.claim(1.5)
def values(call, rng):
    """equals the definition, along the last axis"""
    call.agrees(np.log([1.0, 2.0, 5.0]))  # by hand: 1/8, 2/8, 5/8
    call.agrees(rng.standard_normal((2, 3, 5)))
    call.agrees(np.array([[2, 0, 1], [1, 1, 3]]))
    call.agrees(rng.standard_normal((3, 5)).astype(np.float32))
    call.agrees(rng.permutation(np.linspace(-9, 9, 7)))  # small weights are no zeros


@EXERCISE.claim(1)
def any_axis(call, rng):
    """works along any axis"""
    x = rng.standard_normal((2, 3, 5))
    for axis in (0, 1, -2):
        call.agrees(x, axis=axis)
    call.agrees(rng.standard_normal((1, 3, 1)), axis=1)


@EXERCISE.claim(0.5)
def large_numbers(call, rng):
    """survives numbers of size 1000"""
    x = rng.standard_normal((3, 5))
    call.agrees(x + 1000.0)  # the same shift everywhere changes nothing
    call.agrees(np.stack([x[0] + 1000.0, x[1] - 1000.0]))
    call.agrees(np.array([1000.0, 0.0, -1000.0]))


@EXERCISE.claim(0.5)
def minus_infinity(call, rng):
    """gives weight 0 to -inf"""
    hidden = np.eye(3, 5, dtype=bool)
    weights = call.agrees(np.where(hidden, -np.inf, rng.standard_normal((3, 5))))[hidden]
    call.holds((weights == 0).all(), f"the weight of -inf is exactly 0; yours is {weights[weights != 0][:1]}.")


@EXERCISE.claim(0.5, side=True)
def leaves_input_alone(call, rng):
    """leaves its input alone"""
    x = rng.standard_normal((3, 5))
    call.leaves_inputs_alone(x)
    call.agrees(x)
