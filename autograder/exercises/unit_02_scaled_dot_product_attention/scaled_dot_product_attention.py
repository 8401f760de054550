"""Specification of `scaled_dot_product_attention`."""

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.inputs import presupposed
from autograder.exercises.unit_02_scaled_dot_product_attention import (
    scaled_dot_product_attention_average_mistakes,
    scaled_dot_product_attention_mistakes,
)
from autograder.exercises.unit_02_scaled_dot_product_attention.properties import require_distributions
from autograder.specification import Exercise, Output
from transformer_kit import reference

TRIPLED = Output("the output of three times the values")

EXERCISE = Exercise(
    reference=reference.scaled_dot_product_attention,
    asks="return, for every query, the average of the values weighted by how well their keys match; and the weights.",
    returns=(Output("output", "(..., n_queries, d_v)"), Output("weights", "(..., n_queries, n_keys)")),
    where=scaled_dot_product_attention_average_mistakes.MAIN,
    mistakes=[*scaled_dot_product_attention_mistakes.MISTAKES, *scaled_dot_product_attention_average_mistakes.MISTAKES],
)


def _inputs(rng, *leading):
    """Draw Q, K, V with every size different; no value is near 0, so that zeros are outside their range."""
    sizes = ((3, 7), (5, 7), (5, 4))
    Q, K, V = (rng.standard_normal((*leading, *size)) for size in sizes)
    return Q, K, V + 9.0


def _both(call, Q, K, V):
    """Require two results of the right shapes, and return them."""
    output, weights = call.results(Q, K, V)
    lead, n_queries, n_keys = Q.shape[:-2], Q.shape[-2], K.shape[-2]
    call.is_array(output, (*lead, n_queries, V.shape[-1]), name="output")
    return output, call.is_array(weights, (*lead, n_queries, n_keys), name="weights")


def _require_attention(call, Q, K, V):
    """Require distributions that depend on the query and on the key, and return them."""
    _, weights = _both(call, Q, K, V)
    require_distributions(call, weights)
    for axis, name in ((0, "queries"), (1, "keys")):
        call.holds(np.ptp(weights, axis=axis).any(), f"these {name} differ, but all of them have the same weights.")
    _, moved = _both(call, np.roll(Q, 1, axis=0), K, V)
    same = np.allclose(moved, np.roll(weights, 1, axis=0), atol=bound_for(1e-9, weights, moved))
    call.holds(same, "with the queries in another order the rows of the weights are not the same rows in that order.")
    return weights


def _require_right(call, rng, result):
    """Require one of the two results, whatever the other is."""
    Q, K, V = np.array([[1.0, 2.0]]), np.zeros((3, 2)), np.array([[3.0], [0.0], [6.0]])
    call.agrees_in(result, Q, K, V)  # by hand: equal keys, so the mean, 3
    call.agrees_in(result, *_inputs(rng))
    call.agrees_in(result, *(array.astype(np.float32) for array in _inputs(rng)))
    call.agrees_in(result, *(rng.standard_normal((5, width)) for width in (7, 7, 4)))  # as many queries as keys


@EXERCISE.claim(1)
def output(call, rng):
    """the output is right"""
    _require_right(call, rng, 0)


@EXERCISE.claim(1)
def weights(call, rng):
    """the weights are right"""
    _require_right(call, rng, 1)


@EXERCISE.claim(1)
def distributions(call, rng):
    """every query's weights sum to 1, however large its scores"""
    _require_attention(call, *_inputs(rng))
    Q, K, V = _inputs(rng)
    scores = 1000.0 * np.array([1, -1, 0])
    Q[:, 0] = np.sqrt(7) * scores
    K[:, 0] = 0
    near_zero = _require_attention(call, Q, K, V)
    shift = np.eye(7)[0]  # adds 1000 to every score of the first query and takes 1000 from those of the second
    _, weights = _both(call, Q, K + shift, V)
    wrong = np.sum(~np.isfinite(weights))
    call.holds(not wrong, f"the rows of scores lie near 1000, -1000 and 0, and {wrong} weights are not finite.")
    require_distributions(call, weights)
    moved = np.abs(weights - near_zero).max()
    call.holds(
        moved < bound_for(1e-9, weights, scores),
        "adding the same number (1000, -1000 and 0) to all the scores of a query changes none of its weights; "
        f"yours moved by up to {moved:.3g}.",
    )


@EXERCISE.claim(1)
def average(call, rng):
    """the output is an average of the values, in whatever order they come"""
    Q, K, V = _inputs(rng)
    output, _ = _both(call, Q, K, V)
    slack = bound_for(1e-9, output)
    inside = (output >= V.min(axis=0) - slack) & (output <= V.max(axis=0) + slack)
    call.holds(np.ptp(output, axis=0).any(), "these queries differ, but every one gets the same output.")
    call.holds(inside.all(), f"{np.sum(~inside)} entries of the output lie outside the range of their column of V.")
    order = rng.permutation(5)
    again, _ = _both(call, Q, K[order], V[order])
    moved = np.abs(again - output).max()
    call.holds(moved < slack, f"after reordering keys and values together the output moved by up to {moved:.3g}.")
    tripled, _ = _both(call, Q, K, 3 * V)
    call.equals(tripled, 3 * output.astype(float), TRIPLED, (Q, K, V))


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes, and for integers"""
    call.agrees(*_inputs(rng, 2, 6))
    call.agrees(*(array.round().astype(np.int64) for array in _inputs(rng, 2)))


@EXERCISE.claim(0.5, side=True)
def leaves_inputs_alone(call, rng):
    """leaves its inputs alone"""
    inputs = _inputs(rng)
    call.leaves_inputs_alone(*inputs)
    with presupposed():
        _require_attention(call, *inputs)
