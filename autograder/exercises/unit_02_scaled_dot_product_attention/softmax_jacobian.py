"""Specification of `softmax_jacobian`."""

import math

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_02_scaled_dot_product_attention.softmax_jacobian_mistakes import MAIN, MISTAKES
from transformer_kit import reference
from transformer_kit.numerical import numerical_gradient


def _without_divisor(call, rng):
    call.agrees(np.log([1.0, 2.0, 5.0]))  # by hand, in 64ths: 7 -2 -5 / -2 12 -10 / -5 -10 15
    call.agrees(rng.standard_normal(5))
    call.agrees(np.array([2, 0, 1, 1]))


def _sums(call, rng):
    s = rng.standard_normal(5)
    J = _require_zero_sums(call, s)
    for shift in (1000.0, -1000.0):
        moved = np.abs(_require_zero_sums(call, s + shift) - J).max()
        call.holds(moved < 1e-9, f"adding {shift:g} to every score changes no weight, but J moved by {moved:.3g}.")


def _require_zero_sums(call, s, *C):
    """Require a Jacobian's signs and sums, and return it."""
    J = call.is_array(call(s, *C), (len(s), len(s)), name="J")
    call.holds(np.isfinite(J).all(), f"for scores near {s[0]:.4g}, {np.sum(~np.isfinite(J))} entries are not finite.")
    call.holds((np.diag(J) > 0).all(), "raising a score raises its own weight, but the diagonal is not positive.")
    for axis, name in ((1, "row"), (0, "column")):
        largest = np.abs(J.sum(axis=axis)).max()
        call.holds(largest < 1e-9, f"every {name} should sum to 0; one of yours sums to {largest:.6g} in size.")
    return J


def _with_divisor(call, rng):
    s, C = rng.standard_normal(7), 2.5
    J = call.is_array(call(s, C), (7, 7), name="J")
    slopes = numerical_gradient(lambda s: reference.softmax(s / C), s)
    i, j = np.unravel_index(np.abs(J - slopes).argmax(), J.shape)
    call.holds(
        np.allclose(J, slopes, rtol=1e-6, atol=1e-8),
        f"moving s[{j}] a little changes weight {i} of softmax(s / {C}) at the rate {slopes[i, j]:.6g} "
        f"(central difference); your entry [{i}, {j}] is {J[i, j]:.6g}.",
    )
    call.agrees(s, C=math.sqrt(3))


def _leaves_input_alone(call, rng):
    s = rng.standard_normal(5)
    _require_zero_sums(call, s, 2.0)
    call.leaves_inputs_alone(s, 2.0)


EXERCISE = Exercise(
    reference=reference.softmax_jacobian,
    asks="return the matrix of derivatives of the weights softmax(s / C) with respect to the numbers in s.",
    returns=(Returned("J", "(n, n)"),),
    where=MAIN,
    claims=(
        Claim("is the Jacobian of the softmax at C = 1", 1, _without_divisor),
        Claim("rows and columns sum to 0, however large the scores", 0.5, _sums),
        Claim("is the derivative with respect to s for any divisor C", 1, _with_divisor),
        Claim("leaves its input alone", 0.5, _leaves_input_alone),
    ),
    mistakes=MISTAKES,
)
