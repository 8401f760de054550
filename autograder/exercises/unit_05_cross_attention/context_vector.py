"""Specification of `context_vector`."""

import math

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.unit_05_cross_attention.context_vector_mistakes import MISTAKES, STEP
from autograder.exercises.unit_05_cross_attention.inputs import pair_of
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.context_vector,
    asks="what one decoder step takes from the source: the mean of the values, weighted by how well their keys match.",
    returns=(Output("context", "(d_v,)"), Output("weights", "(n,)")),
    where=STEP,
    mistakes=MISTAKES,
)


def _draw(rng, n, d_k, d_v):
    return rng.standard_normal(d_k), rng.standard_normal((n, d_k)), rng.standard_normal((n, d_v))


def _agrees_in(call, rng, number):
    """Require that one of the two results is right, whatever the other one is."""
    keys = np.column_stack([np.log([1.0, 2.0, 5.0]), rng.standard_normal((3, 3))])
    by_hand = np.array([2.0, 0.0, 0.0, 0.0]), keys, np.array([[8.0, 0.0], [0.0, 4.0], [8.0, -8.0]])  # 1/8, 2/8, 5/8
    for args in (by_hand, _draw(rng, 7, 4, 3), _draw(rng, 1, 5, 2)):
        call.agrees_in(number, *args)


@EXERCISE.claim(0.5)
def context(call, rng):
    """context is the weighted mean of the values"""
    _agrees_in(call, rng, 0)


@EXERCISE.claim(0.5)
def weights(call, rng):
    """weights are the shares of the source tokens"""
    _agrees_in(call, rng, 1)


@EXERCISE.claim(0.5, side=True)
def steps(call, rng):
    """step after step gives the same as all queries at once"""
    n_steps, n, d_k, d_v = 4, 6, 3, 5
    Q = rng.standard_normal((n_steps, d_k))
    _, keys, values = _draw(rng, n, d_k, d_v)
    call.agrees_in(0, Q[0], keys, values)
    contexts = np.stack([call.is_array(call.results(query, keys, values)[0], (d_v,)) for query in Q])
    at_once, _ = reference.scaled_dot_product_attention(Q, keys, values)
    gap = np.abs(contexts - at_once).max()
    call.holds(
        gap < bound_for(1e-9, contexts),
        f"{n_steps} decoder steps, one call each, differ by up to {gap:.6g} from `scaled_dot_product_attention` with "
        f"all {n_steps} queries at once. They must be equal.",
    )


def _inside(context, values):
    slack = bound_for(1e-9, context)
    return bool((context >= values.min(axis=0) - slack).all() and (context <= values.max(axis=0) + slack).all())


@EXERCISE.claim(0.5, side=True)
def any_order(call, rng):
    """the weights sum to 1 and follow the source tokens into any order"""
    n, d_k, d_v = 6, 4, 3
    query, keys, values = _draw(rng, n, d_k, d_v)
    context, weights = pair_of(call, ((d_v,), (n,)), query, keys, values)
    total = weights.sum()
    right = bool((weights >= 0).all() and abs(total - 1) < bound_for(1e-9, weights))
    call.holds(right, f"weights: {weights.round(4)} sum to {total:.6g}.")
    order = rng.permutation(n)
    call.holds(_inside(context, values), "an entry of context is outside the range of its column of values.")
    moved_context, moved_weights = pair_of(call, ((d_v,), (n,)), query, keys[order], values[order])
    slack = bound_for(1e-8, context)
    call.holds(
        np.allclose(moved_weights, weights[order]) and np.allclose(moved_context, context, atol=slack),
        "when keys and values change their places together, the weights must move with them and the context must "
        "stay as it is.",
    )


@EXERCISE.claim(0.5)
def large_scores(call, rng):
    """is right for scores near 1000 and near -1000, for whole numbers and for float32"""
    query, keys, values = _draw(rng, 5, 4, 3)
    query = query / np.linalg.norm(query)
    keys = keys - np.outer(keys @ query, query)  # at right angles to the query
    for size in (1000.0, -1000.0):
        call.agrees(query, keys + np.outer(size * math.sqrt(4) + np.arange(5), query), values)
    arrays = _draw(rng, 6, 3, 5)
    call.agrees(*(rng.integers(-1, 3, array.shape) for array in arrays))
    call.agrees(*(array.astype(np.float32) for array in arrays))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    for n in (6, 1):  # of one token the context is its value, and must be another array all the same
        arrays = _draw(rng, n, 3, 5)
        call.leaves_inputs_alone(*arrays)
        call.agrees_in(0, *arrays)
