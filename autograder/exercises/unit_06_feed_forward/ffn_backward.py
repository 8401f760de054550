"""Specification of `ffn_backward`."""

import numpy as np

from autograder.evaluation.trials import WrongResult
from autograder.execution.compare import describe
from autograder.execution.precision import bound_for
from autograder.exercises.inputs import agrees_here, in_float32
from autograder.exercises.unit_06_feed_forward import calls, ffn_backward_form_mistakes, ffn_backward_mistakes
from autograder.exercises.unit_06_feed_forward.inputs import BY_HAND, D_MODEL, network
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.numerical import numerical_gradient
from transformer_kit.parameters import FeedForwardParams

FIELDS = ("dX", *FeedForwardParams._fields)

EXERCISE = Exercise(
    reference=reference.ffn_backward,
    asks="return the gradients of a loss with respect to X and to the four parameters, given that of the output.",
    returns=(Output("dX", "(..., n, d_model)"), Output("d_params")),
    where=ffn_backward_mistakes.SECTION,
    calls=calls.FFN_BACKWARD,
    mistakes=[*ffn_backward_mistakes.MISTAKES, *ffn_backward_form_mistakes.MISTAKES],
)


def _inputs(rng, *leading):
    """Draw d_output, X and a network; no hidden number lies within a step of the bend."""
    params, d_output = network(rng), rng.standard_normal((*leading, 5, D_MODEL))
    while True:
        X = rng.standard_normal(d_output.shape)
        if np.abs(X @ params.W_1 + params.b_1).min() > 1e-4:
            return d_output, X, params


def _gradients_agree(call, rng, *fields):
    """Require that some gradients are right, whatever the others are, also where all five stand in one tuple."""
    for args in (_inputs(rng), _many(rng)):
        _fields_agree(call, args, fields)


def _many(rng):
    """Draw so many tokens and weights that nobody has the time to move one number after the other."""
    X, d_output = rng.standard_normal((2, 211, 31))
    return d_output, X, network(rng, 31, 127)


def _fields_agree(call, args, fields):
    value, expected = call(*args), _side_by_side(reference.ffn_backward(*args))
    gradients = _side_by_side(value)
    if not isinstance(gradients, tuple | list) or len(gradients) != len(FIELDS):
        raise WrongResult(f"expected dX and the four gradients in a FeedForwardParams, got {describe(value)}.")
    for field in fields:
        number = FIELDS.index(field)
        call.equals(gradients[number], expected[number], Output(f"d_params.{field}" if number else field), args)


def _side_by_side(value):
    """Return dX and the parts of d_params in one tuple, where there are these two; anything else as it is."""
    is_pair = isinstance(value, tuple | list) and len(value) == 2 and isinstance(value[1], tuple | list)
    return (value[0], *value[1]) if is_pair else value


@EXERCISE.claim(0.5)
def d_input(call, rng):
    """dX is right"""
    _gradients_agree(call, rng, "dX")


@EXERCISE.claim(0.5)
def first_map(call, rng):
    """the gradients of W_1 and b_1 are right"""
    _gradients_agree(call, rng, "W_1", "b_1")


@EXERCISE.claim(0.5)
def second_map(call, rng):
    """the gradients of W_2 and b_2 are right"""
    _gradients_agree(call, rng, "W_2", "b_2")


@EXERCISE.claim(0.5)
def central_differences(call, rng):
    """agrees with central differences"""
    d_output, X, params = _inputs(rng)
    dX, d_params = call.agrees(d_output, X, params)

    def loss(X, params):
        return (d_output * reference.position_wise_ffn(X, params)).sum()

    slopes = {"dX": numerical_gradient(lambda X: loss(X, params), X)}
    for field, value in params._asdict().items():
        slopes[field] = numerical_gradient(lambda v, field=field: loss(X, params._replace(**{field: v})), value)
    for (name, slope), gradient in zip(slopes.items(), (dX, *d_params), strict=True):
        gap = np.abs(gradient - slope).max()
        same = bool(gap < bound_for(1e-6, gradient))
        call.holds(same, f"the gradient {name} differs from the central difference by up to {gap:.3g}.")


@EXERCISE.claim(1, side=True)
def leading_axes(call, rng):
    """sums the gradients of the parameters over all leading axes"""
    call.agrees(*_inputs(rng))
    agrees_here(call, *_inputs(rng, 3))
    d_output, X, params = _inputs(rng, 2, 3)
    agrees_here(call, 10 * d_output, 10 * X, params)  # no bound above
    agrees_here(call, d_output.astype(np.float32), X.astype(np.float32), in_float32(params))
    agrees_here(call, *rng.standard_normal((2, 1, 3, 1)), BY_HAND)  # one wide outside


@EXERCISE.claim(0.5, side=True)
def at_the_bend(call, rng):
    """lets nothing pass where the hidden layer is exactly 0"""
    d_output, X, params = _inputs(rng)
    call.agrees(d_output, X, params)
    # Every hidden number of the second token is exactly 0 before the activation.
    X = np.where(np.arange(len(X))[:, None] == 1, 0, X)
    agrees_here(call, d_output, X, params._replace(b_1=np.zeros_like(params.b_1)))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    args = _inputs(rng)
    call.leaves_inputs_alone(*args)
    call.agrees(*args)
