"""Specification of `context_vector`."""

import math

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_05_cross_attention.context_vector_mistakes import MISTAKES, STEP
from autograder.exercises.unit_05_cross_attention.inputs import pair_of
from transformer_kit import reference


def _values(call, rng):
    keys = np.column_stack([np.log([1.0, 2.0, 5.0]), rng.standard_normal((3, 3))])
    call.agrees(np.array([2.0, 0.0, 0.0, 0.0]), keys, np.array([[8.0, 0.0], [0.0, 4.0], [8.0, -8.0]]))  # 1/8, 2/8, 5/8
    call.agrees(*_draw(rng, 7, 4, 3))
    call.agrees(*_draw(rng, 1, 5, 2))


def _steps(call, rng):
    n_steps, n, d_k, d_v = 4, 6, 3, 5
    Q = rng.standard_normal((n_steps, d_k))
    _, keys, values = _draw(rng, n, d_k, d_v)
    contexts = np.stack([pair_of(call, ((d_v,), (n,)), query, keys, values)[0] for query in Q])
    at_once, _ = reference.scaled_dot_product_attention(Q, keys, values)
    gap = np.abs(contexts - at_once).max()
    call.holds(
        gap < 1e-9,
        f"{n_steps} decoder steps, one call each, differ by up to {gap:.6g} from `scaled_dot_product_attention` with "
        f"all {n_steps} queries at once. They must be equal.",
    )


def _any_order(call, rng):
    n, d_k, d_v = 6, 4, 3
    query, keys, values = _draw(rng, n, d_k, d_v)
    context, weights = pair_of(call, ((d_v,), (n,)), query, keys, values)
    total = weights.sum()
    call.holds(bool((weights >= 0).all() and abs(total - 1) < 1e-9), f"weights: {weights.round(4)} sum to {total:.6g}.")
    order = rng.permutation(n)
    call.holds(_inside(context, values), "an entry of context is outside the range of its column of values.")
    moved_context, moved_weights = pair_of(call, ((d_v,), (n,)), query, keys[order], values[order])
    call.holds(
        np.allclose(moved_weights, weights[order]) and np.allclose(moved_context, context),
        "when keys and values change their places together, the weights must move with them and the context must "
        "stay as it is.",
    )


def _inside(context, values):
    return bool((context >= values.min(axis=0) - 1e-9).all() and (context <= values.max(axis=0) + 1e-9).all())


def _large_scores(call, rng):
    query, keys, values = _draw(rng, 5, 4, 3)
    query = query / np.linalg.norm(query)
    keys = keys - np.outer(keys @ query, query)  # at right angles to the query
    for size in (1000.0, -1000.0):
        call.agrees(query, keys + np.outer(size * math.sqrt(4) + np.arange(5), query), values)


def _inputs(call, rng):
    arrays = _draw(rng, 6, 3, 5)
    call.agrees(*arrays)
    call.leaves_inputs_alone(*arrays)
    call.agrees(*(rng.integers(-1, 3, array.shape) for array in arrays))
    call.agrees(*(array.astype(np.float32) for array in arrays))


def _draw(rng, n, d_k, d_v):
    return rng.standard_normal(d_k), rng.standard_normal((n, d_k)), rng.standard_normal((n, d_v))


EXERCISE = Exercise(
    reference=reference.context_vector,
    asks="what one decoder step takes from the source: the mean of the values, weighted by how well their keys match.",
    returns=(Returned("context", "(d_v,)"), Returned("weights", "(n,)")),
    where=STEP,
    claims=(
        Claim("gives the weighted mean of the values", 1, _values),
        Claim("step after step gives the same as all queries at once", 0.5, _steps),
        Claim("the weights sum to 1 and follow the source tokens into any order", 0.5, _any_order),
        Claim("is right for scores near 1000 and near -1000", 0.5, _large_scores),
        Claim("leaves its inputs alone, and also takes whole numbers and float32", 0.5, _inputs),
    ),
    mistakes=MISTAKES,
)
