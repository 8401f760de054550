"""Specification of `layer_norm_backward`."""

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.inputs import require_slopes
from autograder.exercises.unit_07_add_and_layer_norm.inputs import large, scale_and_shift, small
from autograder.exercises.unit_07_add_and_layer_norm.layer_norm_backward_mistakes import MISTAKES, WAYS
from transformer_kit import reference

RETURNS = (Returned("dX", "(..., d)"), Returned("d_gamma", "(d,)"), Returned("d_beta", "(d,)"))


def _arguments(rng, *shape):
    """Draw d_output, X and gamma so large that an eps of 1e-5 does not matter; the gradients are of order 1."""
    return large(rng, *shape), large(rng, *shape), scale_and_shift(rng, shape[-1])[0]


def _right(number):
    """Make the test that one of the three gradients is right, whatever the others are."""

    def test(call, rng):
        call.agrees_in(number, *_arguments(rng, 5, 7))

    return test


def _leading_axes(call, rng):
    call.agrees(*_arguments(rng, 2, 3, 5))
    call.agrees(*_arguments(rng, 7))
    call.agrees(*_arguments(rng, 2, 4, 3, 5))


def _differences(call, rng):
    """Central differences, where eps is as large as the variance."""
    d_output, X, (gamma, beta) = rng.standard_normal((2, 5)), small(rng, 2, 5), scale_and_shift(rng, 5)
    eps = 0.1
    value = call.agrees(d_output, X, gamma, eps)

    def loss(X, gamma, beta):
        return (d_output * reference.layer_norm(X, gamma, beta, eps)).sum()

    require_slopes(call, value, loss, (X, gamma, beta))


def _inputs(call, rng):
    args = _arguments(rng, 5, 7)
    call.agrees(*args)
    call.leaves_inputs_alone(*args)


EXERCISE = Exercise(
    reference=reference.layer_norm_backward,
    asks="return the gradients of a loss with respect to X, gamma and beta, given the one with respect to the output.",
    returns=RETURNS,
    where=WAYS,
    claims=(
        Claim("dX is right", 1.5, _right(0)),
        Claim("d_gamma is right", 0.5, _right(1)),
        Claim("d_beta is right", 0.5, _right(2)),
        Claim("works for any leading axes; d_gamma and d_beta are summed over all of them", 0.5, _leading_axes),
        Claim("agrees with central differences, also when eps is large", 0.5, _differences),
        Claim("leaves its inputs alone", 0.5, _inputs),
    ),
    mistakes=MISTAKES,
)
