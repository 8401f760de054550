"""Specification of `scaled_dot_product_attention`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_02_scaled_dot_product_attention.properties import require_distributions
from autograder.exercises.unit_02_scaled_dot_product_attention.scaled_dot_product_attention_mistakes import (
    MAIN,
    MISTAKES,
)
from transformer_kit import reference


def _inputs(rng, *leading):
    """Draw Q, K, V with every size different; no value is near 0, so that zeros are outside their range."""
    sizes = ((3, 7), (5, 7), (5, 4))
    Q, K, V = (rng.standard_normal((*leading, *size)) for size in sizes)
    return Q, K, V + 9.0


def _values(call, rng):
    call.agrees(np.array([[1.0, 2.0]]), np.zeros((3, 2)), np.array([[3.0], [0.0], [6.0]]))  # equal keys: the mean, 3
    call.agrees(*_inputs(rng))
    call.agrees(*(array.astype(np.float32) for array in _inputs(rng)))


def _both(call, Q, K, V):
    """Require two results of the right shapes, and return them."""
    output, weights = call.results(Q, K, V)
    lead, n_queries, n_keys = Q.shape[:-2], Q.shape[-2], K.shape[-2]
    call.is_array(output, (*lead, n_queries, V.shape[-1]), name="output")
    return output, call.is_array(weights, (*lead, n_queries, n_keys), name="weights")


def _distributions(call, rng):
    _, weights = _both(call, *_inputs(rng))
    require_distributions(call, weights)


def _average(call, rng):
    Q, K, V = _inputs(rng)
    output, _ = _both(call, Q, K, V)
    inside = (output >= V.min(axis=0) - 1e-9) & (output <= V.max(axis=0) + 1e-9)
    call.holds(inside.all(), f"{np.sum(~inside)} entries of the output lie outside the range of their column of V.")
    order = rng.permutation(5)
    again, _ = _both(call, Q, K[order], V[order])
    moved = np.abs(again - output).max()
    call.holds(moved < 1e-9, f"after reordering keys and values together the output moved by up to {moved:.3g}.")


def _leading_axes(call, rng):
    call.agrees(*_inputs(rng, 2, 6))
    call.agrees(*(array.round().astype(np.int64) for array in _inputs(rng, 2)))


def _leaves_inputs_alone(call, rng):
    inputs = _inputs(rng)
    _, weights = _both(call, *inputs)
    require_distributions(call, weights)
    call.leaves_inputs_alone(*inputs)


EXERCISE = Exercise(
    reference=reference.scaled_dot_product_attention,
    asks="return, for every query, the average of the values weighted by how well their keys match; and the weights.",
    returns=(Returned("output", "(..., n_queries, d_v)"), Returned("weights", "(..., n_queries, n_keys)")),
    where=MAIN,
    claims=(
        Claim("output and weights are right", 2, _values),
        Claim("every query's weights sum to 1", 1, _distributions),
        Claim("the output is an average of the values, in whatever order they come", 1, _average),
        Claim("works for any leading axes, and for integers", 0.5, _leading_axes),
        Claim("leaves its inputs alone", 0.5, _leaves_inputs_alone),
    ),
    mistakes=MISTAKES,
)
