"""Specification of `attention_backward`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.inputs import require_slopes
from autograder.exercises.unit_02_scaled_dot_product_attention.attention_backward_mistakes import MAIN, MISTAKES
from transformer_kit import reference

RETURNS = (
    Returned("dQ", "(..., n_queries, d_k)"),
    Returned("dK", "(..., n_keys, d_k)"),
    Returned("dV", "(..., n_keys, d_v)"),
)


def _inputs(rng, *leading):
    """Draw d_output, Q, K, V with every size different, and the weights of the forward pass."""
    d_output, Q, K, V = (rng.standard_normal((*leading, *size)) for size in ((3, 4), (3, 7), (5, 7), (5, 4)))
    _, weights = reference.scaled_dot_product_attention(Q, K, V)
    return d_output, Q, K, V, weights


def _right(number):
    """Make the test that one of the three gradients is right, whatever the others are."""

    def test(call, rng):
        call.agrees_in(number, *_inputs(rng))

    return test


def _weights_given(call, rng):
    """Central differences of a masked attention, whose weights are not those that Q and K alone would give.

    The last query may attend to nothing: its weights are all 0.
    """
    d_output, Q, K, V = (rng.standard_normal(size) for size in ((3, 5), (3, 6), (4, 6), (4, 5)))
    mask = np.array([[True, False, True, True], [True, True, False, False], [False] * 4])
    value = call.agrees(d_output, Q, K, V, reference.masked_attention(Q, K, V, mask)[1])

    def loss(Q, K, V):
        return (d_output * reference.masked_attention(Q, K, V, mask)[0]).sum()

    require_slopes(call, value, loss, (Q, K, V))


def _leading_axes(call, rng):
    call.agrees(*_inputs(rng, 2, 6))


def _leaves_inputs_alone(call, rng):
    args = _inputs(rng)
    call.agrees(*args)
    call.leaves_inputs_alone(*args)


EXERCISE = Exercise(
    reference=reference.attention_backward,
    asks="return the gradients of a loss with respect to Q, K and V, given the one with respect to the output.",
    returns=RETURNS,
    where=MAIN,
    claims=(
        Claim("dQ is right", 0.5, _right(0)),
        Claim("dK is right", 0.5, _right(1)),
        Claim("dV is right", 0.5, _right(2)),
        Claim("uses the weights given: agrees with central differences of a masked attention", 0.5, _weights_given),
        Claim("works for any leading axes", 0.5, _leading_axes),
        Claim("leaves its inputs alone", 0.5, _leaves_inputs_alone),
    ),
    mistakes=MISTAKES,
)
