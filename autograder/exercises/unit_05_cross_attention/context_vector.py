"""Specification of `context_vector`."""

import math

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.unit_05_cross_attention import lookalikes
from autograder.exercises.unit_05_cross_attention.inputs import pair_of
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

STEP = "One decoder step"

EXERCISE = Exercise(
    reference=reference.context_vector,
    asks="what one decoder step takes from the source: the mean of the values, weighted by how well their keys match.",
    returns=(Output("context", "(d_v,)"), Output("weights", "(n,)")),
    where=STEP,
    lookalike=lookalikes.CONTEXT_VECTOR,
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


@EXERCISE.claim(0.25, side=True)
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


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    for n in (6, 1):  # of one token the context is its value, and must be another array all the same
        arrays = _draw(rng, n, 3, 5)
        call.leaves_inputs_alone(*arrays)
        call.agrees_in(0, *arrays)


wrong = WrongAnswers(EXERCISE, globals())


def _from_scores(scores, values):
    weights = reference.softmax(scores)
    return weights @ values, weights


wrong.at()
wrong("not-scaled", "_from_scores(keys @ query, values)", """
    The scores are not divided by the square root of d_k.
    One query or many, the scores are those of unit 02. Without the divisor they grow with the width, and one source
    token takes nearly everything.""")

wrong("no-root", "_from_scores(keys @ query / len(query), values)", """
    The scores are divided by d_k itself, not by its square root.
    A dot product of d_k random terms is about as large as the square root of d_k. Dividing by more makes all weights
    nearly equal.""")

wrong.at(STEP)
wrong("scaled-by-length", "_from_scores(keys @ query / math.sqrt(len(keys)), values)", """
    The scores are divided by the square root of the number of source tokens.
    The divisor belongs to the width of the vectors that are multiplied. A longer sentence does not make a dot product
    larger.""")

wrong("scaled-by-values", "_from_scores(keys @ query / math.sqrt(values.shape[-1]), values)", """
    The scores are divided by the square root of the width of the values.
    The values take no part in the scores. The divisor is computed from the width that query and keys share.""")

wrong.at()


@wrong.function
def overflow(query, keys, values):
    """The exponentials overflow.
    exp(1000) is too large for a float, and exp(-1000) is 0, so you divide infinity by infinity or 0 by 0. Your
    `softmax` of unit 02 is safe."""
    exponentials = np.exp(keys @ query / math.sqrt(len(query)))
    weights = exponentials / exponentials.sum()
    return weights @ values, weights


wrong.at(STEP)


@wrong.function
def not_normalised(query, keys, values):
    """The exponentials are not divided by their sum.
    Weights are shares of a budget of 1. Without the sum below the fraction bar, a longer sentence gives a longer
    context vector."""
    scores = keys @ query / math.sqrt(len(query))
    weights = np.exp(scores - scores.max())
    return weights @ values, weights


wrong("scores-as-weights", {
    "output[0]": "keys @ query / math.sqrt(len(query)) @ values",
    "weights[0]": "keys @ query / math.sqrt(len(query))",
}, """
    The scores are used as weights.
    Scores may be negative and sum to anything. It is the softmax that turns them into shares.""")

wrong("scaled-after-softmax", {
    "output[0]": "softmax(keys @ query) / math.sqrt(len(query)) @ values",
    "weights[0]": "softmax(keys @ query) / math.sqrt(len(query))",
}, """
    The weights are divided by the square root of d_k, not the scores.
    Then the weights no longer sum to 1. The divisor acts before the softmax.""")

wrong("equal-weights", {
    "output[0]": "np.full(len(keys), 1 / len(keys)) @ values",
    "weights[0]": "np.full(len(keys), 1 / len(keys))",
}, """
    Every source token has the same weight.
    This is the plain mean of the values. The query has no say in it.""")

wrong("best-only", {"output[0]": "values[weights[0].argmax()].astype(float)"}, """
    Only the value of the best key is taken.
    That is a look-up in a dictionary. Attention is the soft form of it: every value counts, as much as its weight
    says.""")

wrong("averages-keys", {"output[0]": "weights[0] @ keys"}, """
    The keys are averaged, not the values.
    Keys say where to look; values are what is taken from there.""")

wrong("not-summed", {"output[0]": "weights[0][:, None] * values"}, """
    The weighted values are returned one by one.
    One decoder step gets one context vector, however long the source is: the weighted values are summed.""")

wrong("axis-kept", "scaled_dot_product_attention(query[None], keys, values)", """
    The results keep an axis of length 1 for the one query.
    One query is a vector here, so the context is a vector, too. If you add an axis to use an earlier function, take it
    off again.""")

wrong.at()
wrong("results-exchanged", "context_vector(query, keys, values)[::-1]", """
    The weights come first and the context second.
    The order is the same as in unit 02: first what was found, then the weights.""")


@wrong.function
def in_place(query, keys, values):
    """The query is divided in place.
    An operator such as `/=` writes into the caller's array (and fails on whole numbers). Make a new array instead."""
    query /= math.sqrt(len(query))
    weights = reference.softmax(keys @ query)
    return weights @ values, weights


wrong("times-root", "_from_scores(keys @ query * math.sqrt(len(query)), values)", """
    The scores come out multiplied by the square root of d_k, not divided by it.
    Dot products are too large already, and the divisor is there to make them smaller.""")

wrong("precedence", "_from_scores(keys @ query / len(query) / 2, values)", """
    The scores are divided by twice d_k, as where a power lacks its brackets.
    In Python `**` binds more tightly than `/`, so `/ d ** 1/2` divides twice.""")

wrong("half-of-d-k", "_from_scores(keys @ query / (len(query) / 2), values)", """
    The scores are divided by half of d_k.
    In Python `**` binds more tightly than `/`, so `(d ** 1/2)` is half of d. Write `d ** 0.5`.""")

wrong("always-2", "_from_scores(keys @ query / 2, values)", """
    The scores are divided by 2, whatever d_k is.
    That is right for vectors of width 4. The width is to be read from the query or the keys.""")

wrong.at(STEP)


@wrong.function
def no_exponentials(query, keys, values):
    """The scores are divided by their sum, without exponentials.
    Scores may be negative, and so may their sum. The exponentials of the softmax make shares of them."""
    scores = keys @ query / math.sqrt(len(query))
    weights = scores / scores.sum()
    return weights @ values, weights


wrong("scores-returned", {"weights[0]": "keys @ query / math.sqrt(len(query))"}, """
    The scores are returned in place of the weights.
    The second result is what the values were weighted with: the shares, which sum to 1.""")

wrong("mean-not-sum", {"output[0]": "(output[0] / len(keys))"}, """
    The weighted values are averaged, not summed.
    The weights sum to 1, so the sum of the weighted values is their mean already.""")

wrong("over-columns", {"return output[0]": "return (weights[0][:, None] * values).sum(axis=-1)"}, """
    The weighted values are summed over their columns.
    The sum runs over the source tokens, column by column, so the context is as wide as a value.""")

wrong("keys-transposed", "_from_scores(keys.T @ query / math.sqrt(len(query)), values)", """
    The keys are transposed before they meet the query.
    One row of `keys` is one key, and as wide as the query. Once they are transposed, the sum runs over the tokens.""")

wrong.small("not-scaled no-root scaled-by-length scaled-by-values", context, weights)
