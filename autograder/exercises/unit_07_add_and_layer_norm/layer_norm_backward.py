"""Specification of `layer_norm_backward`."""

from autograder.exercises.inputs import agrees_here, require_slopes
from autograder.exercises.unit_07_add_and_layer_norm import (
    calls,
    layer_norm_backward_mistakes,
    layer_norm_backward_sums_mistakes,
)
from autograder.exercises.unit_07_add_and_layer_norm.inputs import large, scale_and_shift, small
from autograder.specification import Exercise, Output
from transformer_kit import reference

RETURNS = (Output("dX", "(..., d)"), Output("d_gamma", "(d,)"), Output("d_beta", "(d,)"))

EXERCISE = Exercise(
    reference=reference.layer_norm_backward,
    asks="return the gradients of a loss with respect to X, gamma and beta, given the one with respect to the output.",
    returns=RETURNS,
    where=layer_norm_backward_mistakes.WAYS,
    calls=calls.LAYER_NORM_BACKWARD,
    mistakes=[*layer_norm_backward_mistakes.MISTAKES, *layer_norm_backward_sums_mistakes.MISTAKES],
)


def _arguments(rng, *shape):
    """Draw d_output, X and gamma so large that an eps of 1e-5 does not matter; the gradients are of order 1."""
    return large(rng, *shape), large(rng, *shape), scale_and_shift(rng, shape[-1])[0]


def _is_right(call, rng, number):
    """Require one gradient, also of so many tokens that nobody has the time to move one entry after the other."""
    call.agrees_in(number, *_arguments(rng, 5, 7))
    call.agrees_in(number, *_arguments(rng, 97, 307))


@EXERCISE.claim(1.5)
def d_input(call, rng):
    """dX is right"""
    _is_right(call, rng, 0)


@EXERCISE.claim(0.5)
def d_gamma(call, rng):
    """d_gamma is right"""
    _is_right(call, rng, 1)


@EXERCISE.claim(0.5)
def d_beta(call, rng):
    """d_beta is right"""
    _is_right(call, rng, 2)


@EXERCISE.claim(0.5, side=True)
def leading_axes(call, rng):
    """works for any leading axes; d_gamma and d_beta are summed over all of them"""
    call.agrees(*_arguments(rng, 5, 7))
    agrees_here(call, *_arguments(rng, 2, 3, 5))
    agrees_here(call, *_arguments(rng, 7))
    agrees_here(call, *_arguments(rng, 2, 4, 3, 5))
    agrees_here(call, *_arguments(rng, 1, 3, 1, 5))


@EXERCISE.claim(0.5, side=True)
def differences(call, rng):
    """agrees with central differences when eps is large; is right for tiny tokens and far from 0"""
    call.agrees(*_arguments(rng, 5, 7))
    d_output, X, gamma = _arguments(rng, 3, 6)
    agrees_here(call, d_output, X + 2e10, gamma)
    agrees_here(call, d_output / 1e5, 3e-8 * X, gamma)  # as small as the root of the default of eps
    # Central differences, where eps is as large as the variance.
    d_output, X, (gamma, beta) = rng.standard_normal((2, 5)), small(rng, 2, 5), scale_and_shift(rng, 5)
    eps = 0.1
    value = agrees_here(call, d_output, X, gamma, eps)

    def loss(X, gamma, beta):
        return (d_output * reference.layer_norm(X, gamma, beta, eps)).sum()

    require_slopes(call, value, loss, (X, gamma, beta))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    args = _arguments(rng, 5, 7)
    call.leaves_inputs_alone(*args)
    call.agrees_in(0, *args)
