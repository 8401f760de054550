"""Specification of `softmax_jacobian`."""

import math

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.inputs import presupposed
from autograder.exercises.unit_02_scaled_dot_product_attention.softmax_jacobian_mistakes import MAIN, MISTAKES
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.numerical import numerical_gradient

EXERCISE = Exercise(
    reference=reference.softmax_jacobian,
    asks="return the matrix of derivatives of the weights softmax(s / C) with respect to the numbers in s.",
    returns=(Output("J", "(n, n)"),),
    where=MAIN,
    mistakes=MISTAKES,
)


def _require_zero_sums(call, s, *C):
    """Require a Jacobian's signs and sums, and return it."""
    J = call.is_array(call(s, *C), (len(s), len(s)), name="J")
    call.holds(np.isfinite(J).all(), f"for scores near {s[0]:.4g}, {np.sum(~np.isfinite(J))} entries are not finite.")
    call.holds((np.diag(J) > 0).all(), "raising a score raises its own weight, but the diagonal is not positive.")
    turned = call.is_array(call(s[::-1], *C), J.shape, name="J")[::-1, ::-1]
    same = np.ptp(np.diag(J)) > 0 and np.allclose(turned, J, atol=bound_for(1e-9, J, turned))
    call.holds(same, "scores in the reverse order have the Jacobian with its rows and columns in the reverse order.")
    for axis, name in ((1, "row"), (0, "column")):
        largest = np.abs(J.sum(axis=axis)).max()
        text = f"every {name} should sum to 0; one of yours sums to {largest:.6g} in size."
        call.holds(largest < J.max() * bound_for(1e-9, J / J.max()), text)
    return J


@EXERCISE.claim(1)
def without_divisor(call, rng):
    """is the Jacobian of the softmax at C = 1"""
    call.agrees(np.log([1.0, 2.0, 5.0]))  # by hand, in 64ths: 7 -2 -5 / -2 12 -10 / -5 -10 15
    call.agrees(rng.standard_normal(5))
    call.agrees(np.array([2, 0, 1, 1]))
    call.agrees(rng.standard_normal(1))  # a single weight, which is always 1


@EXERCISE.claim(0.5)
def sums(call, rng):
    """rows and columns sum to 0, however large the scores"""
    s = rng.standard_normal(5)
    J = _require_zero_sums(call, s)
    for shift in (1000.0, -1000.0):
        moved = np.abs(_require_zero_sums(call, s + shift) - J).max()
        unmoved = moved < bound_for(1e-9, J, s + shift)
        call.holds(unmoved, f"adding {shift:g} to every score changes no weight, but J moved by {moved:.3g}.")


@EXERCISE.claim(1)
def with_divisor(call, rng):
    """is the derivative with respect to s for any divisor C"""
    s, C = rng.standard_normal(7), 2.5
    J = call.is_array(call(s, C), (7, 7), name="J")
    slopes = numerical_gradient(lambda s: reference.softmax(s / C), s)
    i, j = np.unravel_index(np.abs(J - slopes).argmax(), J.shape)
    call.holds(
        np.allclose(J, slopes, rtol=1e-6, atol=bound_for(1e-8, J)),
        f"moving s[{j}] a little changes weight {i} of softmax(s / {C}) at the rate {slopes[i, j]:.6g} "
        f"(central difference); your entry [{i}, {j}] is {J[i, j]:.6g}.",
    )
    call.agrees(s, C=math.sqrt(3))


@EXERCISE.claim(0.5, side=True)
def leaves_input_alone(call, rng):
    """leaves its input alone"""
    s = rng.standard_normal(5)
    call.leaves_inputs_alone(s, 2.0)
    with presupposed():
        _require_zero_sums(call, s, 2.0)
