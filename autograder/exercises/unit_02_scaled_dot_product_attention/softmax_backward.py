"""Specification of `softmax_backward`."""

import numpy as np

from autograder.exercises.inputs import judged
from autograder.exercises.unit_02_scaled_dot_product_attention import calls
from autograder.exercises.unit_02_scaled_dot_product_attention.softmax_backward_mistakes import MAIN, MISTAKES
from autograder.specification import Exercise, Output
from transformer_kit import reference

LONG = 4096
BYTES_ALLOWED = 100 * LONG * 8  # a hundred vectors; the Jacobian alone needs 4096

EXERCISE = Exercise(
    reference=reference.softmax_backward,
    asks="return the gradient with respect to the scores, given the gradient with respect to the weights, "
    "in memory that grows like n.",
    returns=(Output("d_scores", "the shape of p"),),
    where=MAIN,
    calls=calls.SOFTMAX_BACKWARD,
    mistakes=MISTAKES,
)


def _inputs(rng, *shape, axis=-1):
    return reference.softmax(rng.standard_normal(shape), axis=axis), rng.standard_normal(shape)


@EXERCISE.claim(0.5)
def values(call, rng):
    """equals the Jacobian times the gradient"""
    call.agrees(np.array([1, 2, 5]) / 8, np.array([1.0, 0.0, 0.0]))  # by hand: 7, -2 and -5 64ths
    call.agrees(*_inputs(rng, 5))
    call.agrees(np.array([0.5, 0.0, 0.5]), np.array([3, -1, 2]))
    call.agrees(np.zeros(3), np.array([3.0, -1.0, 2.0]))  # the weights of a query that may attend to nothing


@EXERCISE.claim(0.5)
def any_axes(call, rng):
    """works for any leading axes and along any axis"""
    call.agrees(*_inputs(rng, 2, 3, 5))
    call.agrees(*_inputs(rng, 2, 3, 5, axis=1), axis=1)
    call.agrees(*_inputs(rng, 1, 3, 1, axis=1), axis=1)
    call.agrees(*_inputs(rng, 101, 307))  # nobody has the time to move one score after the other


@EXERCISE.claim(0.5, side=True)
def memory(call, rng):
    """never holds a Jacobian, seen at n = 4096"""
    call.agrees(*_inputs(rng, 37))
    with judged():
        peak = call.peak_bytes(*_inputs(rng, LONG))
    call.holds(
        peak <= BYTES_ALLOWED,
        f"for n = {LONG} the call needed more than {BYTES_ALLOWED / 1e6:.0f} MB; "
        f"one vector has {LONG * 8 / 1e6:.2f} MB, a Jacobian {LONG * LONG * 8 / 1e6:.0f} MB.",
    )


@EXERCISE.claim(0.5, side=True)
def leaves_inputs_alone(call, rng):
    """leaves its inputs alone"""
    p, d_p = _inputs(rng, 5)
    call.leaves_inputs_alone(p, d_p)
    call.agrees(p, d_p)
