"""Specification of `swiglu`."""

import math

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_06_feed_forward.inputs import D_FF, D_MODEL
from autograder.exercises.unit_06_feed_forward.swiglu_mistakes import MISTAKES, SECTION
from transformer_kit import reference


def _weights(rng):
    """Draw W_gate, W_up and W_down so that the numbers before and after the gate have a spread near 1."""
    W_gate, W_up = rng.standard_normal((2, D_MODEL, D_FF)) / math.sqrt(D_MODEL)
    return W_gate, W_up, rng.standard_normal((D_FF, D_MODEL)) / math.sqrt(D_FF)


def _values(call, rng):
    # By hand: the gate is ln 3, whose sigmoid is 3/4; the other branch is 2; so 4 · (3/4) ln 3 · 2 = 6 ln 3.
    call.agrees(np.array([[1.0]]), np.array([[math.log(3)]]), np.array([[2.0]]), np.array([[4.0]]))
    call.agrees(rng.standard_normal((5, D_MODEL)), *_weights(rng))


def _far_out(call, rng):
    """Gates of ±1000, ±500 and 0; the other branch and the last map stay of order 1."""
    X = np.array([[1000.0, 0.5], [-1000.0, 0.5], [0.0, 2.0]])
    W_gate, W_up = np.array([[1.0, -1.0, 0.5, 0.0], [0, 0, 0, 0]]), np.array([[0.0, 0, 0, 0], [1, 2, -3, 1]])
    call.agrees(X, W_gate, W_up, rng.standard_normal((4, 2)))


def _leading_axes(call, rng):
    call.agrees(rng.standard_normal((3, 5, D_MODEL)), *_weights(rng))
    weights = (W.astype(np.float32) for W in _weights(rng))
    call.agrees(rng.standard_normal((2, 3, 5, D_MODEL)).astype(np.float32), *weights)


def _inputs(call, rng):
    X, weights = rng.standard_normal((5, D_MODEL)), _weights(rng)
    call.agrees(rng.integers(-3, 4, (5, D_MODEL)), *weights)
    call.agrees(X, *weights)
    call.leaves_inputs_alone(X, *weights)


EXERCISE = Exercise(
    reference=reference.swiglu,
    asks="multiply two linear maps of X, one of them after SiLU, and map the product back to d_model.",
    returns=(Returned("output", "(..., n, d_model)"),),
    where=SECTION,
    claims=(
        Claim("equals the definition", 1, _values),
        Claim("is right where the gate is ±1000", 1, _far_out),
        Claim("works for any leading axes", 0.5, _leading_axes),
        Claim("leaves its inputs alone, and also takes whole numbers", 0.5, _inputs),
    ),
    mistakes=MISTAKES,
)
