"""Specification of `attention_backward`."""

import numpy as np

from autograder.exercises.inputs import agrees_here, require_slopes
from autograder.exercises.unit_02_scaled_dot_product_attention import calls
from autograder.exercises.unit_02_scaled_dot_product_attention.attention_backward_mistakes import MAIN, MISTAKES
from autograder.specification import Exercise, Output
from transformer_kit import reference

RETURNS = (
    Output("dQ", "(..., n_queries, d_k)"),
    Output("dK", "(..., n_keys, d_k)"),
    Output("dV", "(..., n_keys, d_v)"),
)

EXERCISE = Exercise(
    reference=reference.attention_backward,
    asks="return the gradients of a loss with respect to Q, K and V, given the one with respect to the output.",
    returns=RETURNS,
    where=MAIN,
    calls=calls.ATTENTION_BACKWARD,
    mistakes=MISTAKES,
)


def _inputs(rng, *leading, n_queries=3, d_k=7, d_v=4):
    """Draw d_output, Q, K, V with every size different, and the weights of the forward pass."""
    sizes = (n_queries, d_v), (n_queries, d_k), (5, d_k), (5, d_v)
    d_output, Q, K, V = (rng.standard_normal((*leading, *size)) for size in sizes)
    _, weights = reference.scaled_dot_product_attention(Q, K, V)
    return d_output, Q, K, V, weights


def _is_right(call, rng, number):
    """Require one gradient, also of vectors so long that nobody has the time to move one entry after the other."""
    call.agrees_in(number, *_inputs(rng))
    call.agrees_in(number, *_inputs(rng, d_k=6007, d_v=5003))


@EXERCISE.claim(0.5)
def d_queries(call, rng):
    """dQ is right"""
    _is_right(call, rng, 0)


@EXERCISE.claim(0.5)
def d_keys(call, rng):
    """dK is right"""
    _is_right(call, rng, 1)


@EXERCISE.claim(0.5)
def d_values(call, rng):
    """dV is right"""
    _is_right(call, rng, 2)


@EXERCISE.claim(0.5, side=True)
def weights_given(call, rng):
    """uses the weights given: agrees with central differences of a masked attention"""
    call.agrees(*_inputs(rng))
    # Central differences of a masked attention, whose weights are not those that Q and K alone would give.
    # The last query may attend to nothing: its weights are all 0.
    d_output, Q, K, V = (rng.standard_normal(size) for size in ((3, 5), (3, 6), (4, 6), (4, 5)))
    mask = np.array([[True, False, True, True], [True, True, False, False], [False] * 4])
    value = agrees_here(call, d_output, Q, K, V, reference.masked_attention(Q, K, V, mask)[1])

    def loss(Q, K, V):
        return (d_output * reference.masked_attention(Q, K, V, mask)[0]).sum()

    require_slopes(call, value, loss, (Q, K, V))


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes"""
    call.agrees(*_inputs(rng, 2, 6))
    d_output, Q, K, V = (rng.standard_normal((2, 5, width)) for width in (4, 7, 7, 4))  # as many queries as keys
    call.agrees(d_output, Q, K, V, reference.scaled_dot_product_attention(Q, K, V)[1])
    call.agrees(*_inputs(rng, 1, n_queries=1))


@EXERCISE.claim(0.5, side=True)
def leaves_inputs_alone(call, rng):
    """leaves its inputs alone"""
    args = _inputs(rng)
    call.leaves_inputs_alone(*args)
    call.agrees(*args)
