"""Specification of `ffn_backward`."""

import numpy as np

from autograder.compare import describe
from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.inputs import in_float32
from autograder.exercises.unit_06_feed_forward.ffn_backward_mistakes import MISTAKES, SECTION
from autograder.exercises.unit_06_feed_forward.inputs import D_MODEL, network
from transformer_kit import reference
from transformer_kit.numerical import numerical_gradient


def _inputs(rng, *leading):
    """Draw d_output, X and a network; no hidden number lies within a step of the bend."""
    params, d_output = network(rng), rng.standard_normal((*leading, 5, D_MODEL))
    while True:
        X = rng.standard_normal(d_output.shape)
        if np.abs(X @ params.W_1 + params.b_1).min() > 1e-4:
            return d_output, X, params


def _right_dX(call, rng):
    call.agrees_in(0, *_inputs(rng))


def _right_for(*fields):
    """Make the test that the gradients of some parameters are right, whatever the others are."""

    def test(call, rng):
        args = _inputs(rng)
        _, d_params = call.results(*args)
        four = isinstance(d_params, tuple | list) and len(d_params) == 4
        call.holds(four, f"expected the gradients in a FeedForwardParams, got {describe(d_params)}.")
        expected = reference.ffn_backward(*args)[1]
        for field in fields:
            number = expected._fields.index(field)
            call.equals(d_params[number], expected[number], Returned(f"d_params.{field}"), args)

    return test


def _central_differences(call, rng):
    d_output, X, params = _inputs(rng)
    dX, d_params = call.agrees(d_output, X, params)

    def loss(X, params):
        return (d_output * reference.position_wise_ffn(X, params)).sum()

    slopes = {"dX": numerical_gradient(lambda X: loss(X, params), X)}
    for field, value in params._asdict().items():
        slopes[field] = numerical_gradient(lambda v, field=field: loss(X, params._replace(**{field: v})), value)
    for (name, slope), gradient in zip(slopes.items(), (dX, *d_params), strict=True):
        gap = np.abs(gradient - slope).max()
        call.holds(bool(gap < 1e-6), f"the gradient {name} differs from the central difference by up to {gap:.3g}.")


def _leading_axes(call, rng):
    call.agrees(*_inputs(rng, 3))
    d_output, X, params = _inputs(rng, 2, 3)
    call.agrees(d_output.astype(np.float32), X.astype(np.float32), in_float32(params))


def _at_the_bend(call, rng):
    """Every hidden number of the second token is exactly 0 before the activation."""
    d_output, X, params = _inputs(rng)
    X[1] = 0
    params = params._replace(b_1=np.zeros_like(params.b_1))
    call.agrees(d_output, X, params)
    call.leaves_inputs_alone(d_output, X, params)


EXERCISE = Exercise(
    reference=reference.ffn_backward,
    asks="return the gradients of a loss with respect to X and to the four parameters, given that of the output.",
    returns=(Returned("dX", "(..., n, d_model)"), Returned("d_params")),
    where=SECTION,
    claims=(
        Claim("dX is right", 0.5, _right_dX),
        Claim("the gradients of W_1 and b_1 are right", 0.5, _right_for("W_1", "b_1")),
        Claim("the gradients of W_2 and b_2 are right", 0.5, _right_for("W_2", "b_2")),
        Claim("agrees with central differences", 1, _central_differences),
        Claim("sums the gradients of the parameters over all leading axes", 1, _leading_axes),
        Claim("lets nothing pass where the hidden layer is exactly 0; leaves its inputs alone", 0.5, _at_the_bend),
    ),
    mistakes=MISTAKES,
)
