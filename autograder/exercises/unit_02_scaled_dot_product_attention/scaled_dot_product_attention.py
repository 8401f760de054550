"""Specification of `scaled_dot_product_attention`."""

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.inputs import presupposed
from autograder.exercises.unit_02_scaled_dot_product_attention import lookalikes
from autograder.exercises.unit_02_scaled_dot_product_attention.divisors import ROOTS_OF_SIZES, take_other_divisors
from autograder.exercises.unit_02_scaled_dot_product_attention.properties import require_distributions
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

AXIS = "Along which axis?"
LARGE = "Numbers too large to exponentiate"
SCALE = "Why the square root of d_k"
AVERAGE = "An average of the values"

TRIPLED = Output("the output of three times the values")

EXERCISE = Exercise(
    reference=reference.scaled_dot_product_attention,
    asks="return, for every query, the average of the values weighted by how well their keys match; and the weights.",
    returns=(Output("output", "(..., n_queries, d_v)"), Output("weights", "(..., n_queries, n_keys)")),
    lookalike=lookalikes.SCALED_DOT_PRODUCT_ATTENTION,
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


wrong = WrongAnswers(EXERCISE, globals())

SCORES = "attention_scores(Q, K), axis="  # as they stand in the reference
DIVIDED = "Q @ K.swapaxes(-1, -2) / {}, "

wrong.at(SCALE)
wrong("not-scaled", {SCORES: "Q @ K.swapaxes(-1, -2), "}, """
    Your function does not scale the dot products.
    A dot product has d_k terms, so its spread grows with d_k, and the softmax of wide vectors saturates.""")

wrong("divides-by-d-k", {SCORES: DIVIDED.format("Q.shape[-1]")}, """
    Your function divides by d_k itself: a square root is missing, or the scores are scaled twice.
    If you call your `attention_scores`, its result is scaled already. Divided by d_k the scores shrink towards 0 and
    all weights become equal.""")

take_other_divisors(wrong, SCORES, DIVIDED, "multiplies", *ROOTS_OF_SIZES)

wrong("root-of-d-v", {SCORES: DIVIDED.format("math.sqrt(V.shape[-1])")}, """
    Your function divides by the square root of d_v, the width of the values.
    The values take no part in the scores. Look at the two vectors that are multiplied.""")

take_other_divisors(wrong, SCORES, DIVIDED, "root-of-first-axis", "root-of-second-axis")

wrong("scales-weights", {"(attention_scores(Q, K), axis=-1)": "(Q @ K.swapaxes(-1, -2)) / math.sqrt(Q.shape[-1])"}, """
    Your function scales the weights, after the softmax.
    Then the rows no longer sum to 1, and the softmax has saturated before the division can help.""")

wrong.at(AXIS)
wrong("softmax-over-queries", {"axis=-1": "-2"}, """
    Your function lets the weights of one key sum to 1 over the queries.
    Each query has one budget that it spreads over the keys. The keys are on the last axis of the scores.""")

wrong("softmax-over-axis-0", {"axis=-1": "0"}, """
    Your function takes the softmax along axis 0.
    The keys are on the last axis of the scores, with or without leading axes.""")

wrong("softmax-over-axis-1", {"axis=-": ""}, """
    Your function takes the softmax along axis 1.
    Axis 1 holds the keys only while there are no leading axes. Count the axes from the end.""")

wrong("softmax-over-everything", {"axis=-1": "axis=None"}, """
    Your function takes one softmax over all queries and keys together.
    Each query has a budget of 1 of its own, whatever the other queries do.""")

wrong.at(LARGE)
wrong("no-maximum-subtracted", {
    "softmax(attention_scores(Q, K), axis=-1)": "np.exp(attention_scores(Q, K))",
    "    return ": "    weights = weights / weights.sum(axis=-1, keepdims=True)\n    return ",
}, """
    Your function exponentiates the scores as they are.
    exp(1000) is larger than any float64, and inf / inf is NaN. Your `softmax` has solved this already.""")

wrong("maximum-of-everything", {
    "softmax(attention_scores(Q, K), axis=-1)": "np.exp(attention_scores(Q, K) - attention_scores(Q, K).max())",
    "    return ": "    weights = weights / weights.sum(axis=-1, keepdims=True)\n    return ",
}, """
    Your function subtracts one maximum for the whole array.
    A query whose scores lie far below another query's then underflows to 0 / 0. Each row of scores needs its own shift,
    as in your `softmax`.""")

wrong.at(AVERAGE)
wrong("equal-weights", {
    "softmax(attention_scores(Q, K), axis=-1)": "np.full((*Q.shape[:-1], K.shape[-2]), 1 / K.shape[-2])",
}, """
    Your function gives every key the same weight.
    That is the plain mean of the values, the same for every query. How well a key matches the query decides.""")

wrong("no-softmax", {"weights @ as_float(V), weights": "(attention_scores(Q, K) @ V, attention_scores(Q, K))"}, """
    Your function averages with the scores instead of the weights.
    Scores may be negative and sum to anything. They have to become weights first.""")

wrong("softmax-twice", {SCORES: "softmax(attention_scores(Q, K)), "}, """
    Your function applies the softmax twice.
    The weights of the first softmax lie between 0 and 1. A second one takes them for scores and makes them nearly
    equal.""")

wrong("averages-keys", {"(V), weights": "(K), weights"}, """
    Your function averages the keys instead of the values.
    Keys decide how much, values decide what. Their widths may differ.""")

wrong("values-as-keys", {SCORES: "Q @ V.swapaxes(-1, -2) / math.sqrt(Q.shape[-1]), "}, """
    Your function compares the queries with the values instead of the keys.
    Keys decide how much, values decide what. Their widths may differ.""")

wrong.at()
wrong("weights-first", "scaled_dot_product_attention(Q, K, V)[::-1]", """
    Your function returns the weights before the output.
    The numbers are right, but the output comes first, then the weights.""")

wrong("returns-scores", "(scaled_dot_product_attention(Q, K, V)[0], attention_scores(Q, K))", """
    Your function returns the scores as its second result.
    Scores come before the softmax, weights after it. The second result is the weights.""")

wrong.at("Every query meets every key")
wrong("transposes-everything", {SCORES: "Q @ K.T / math.sqrt(Q.shape[-1]), "}, """
    Your function reverses all the axes of K.
    `.T` reverses every axis, the batch and the heads included. Only the last two axes have to change places.""")

wrong.at()
wrong("in-place", {
    "    weights = ": "    Q /= math.sqrt(Q.shape[-1])\n    weights = ",
    SCORES: "Q @ K.swapaxes(-1, -2), ",
}, """
    Your function scales the caller's Q.
    An operator such as `/=` writes into the array that you were given, and integers cannot even hold the result. A
    plain division makes a new array.""")

wrong.at(SCALE)
wrong("half-of-d-k", {SCORES: DIVIDED.format("(Q.shape[-1] / 2)")}, """
    Your function divides by half of d_k.
    A power binds more tightly than a division: `d_k ** 1 / 2` is `(d_k ** 1) / 2`. Write `d_k ** 0.5`, or call your
    `attention_scores`.""")

wrong("twice-d-k", {SCORES: DIVIDED.format("Q.shape[-1] / 2")}, """
    The scores are divided by twice d_k.
    A power binds more tightly than a division, so `scores / d_k ** 1 / 2` is `(scores / d_k) / 2`. Write `d_k ** 0.5`,
    or call your `attention_scores`.""")

wrong.at()
wrong("output-only", "scaled_dot_product_attention(Q, K, V)[0]", """
    Your function returns the output alone.
    Return two results, with a comma between them: the output and the weights.""")

wrong("keys-ask", {SCORES: "K @ Q.swapaxes(-1, -2) / math.sqrt(Q.shape[-1]), "}, """
    Your function swaps queries and keys.
    The rows of the scores belong to the queries. With the keys in front, every key would ask for queries.""")

wrong.at(AVERAGE)
wrong("softmax-of-the-output", "(softmax(attention_scores(Q, K) @ V), softmax(attention_scores(Q, K)))", """
    Your function applies a softmax to the output.
    The softmax turns scores into weights, before the values come in. The average of the values stays as it is.""")

wrong("divided-by-n-keys", {", weights": " / K.shape[-2], weights"}, """
    Your function divides the sum of the values by the number of keys.
    The weights of a query sum to 1 already, so the weighted sum is the average.""")

wrong("best-key-only",
      {"weights @ as_float(V)": "np.take_along_axis(V, weights.argmax(axis=-1)[..., None], axis=-2)"}, """
    Your function returns the value of the best key.
    Attention looks up softly: every value counts, as much as its weight says.""")

wrong("weights-transposed",
      {", axis=-1": "", "weights @ as_float(V), weights": "(weights.swapaxes(-1, -2) @ V, weights)"}, """
    Your function swaps the axes of the weights before they meet the values.
    Row i of the weights belongs to query i and has one entry per key, and so one per value. It fits as it stands.""")

wrong.small("softmax-over-queries", output, weights, distributions)
