"""The known mistakes of `scaled_dot_product_attention` with its scores and its softmax."""

import math

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

AXIS = "Along which axis?"
LARGE = "Numbers too large to exponentiate"
SCALE = "Why the square root of d_k"

MISTAKES = KnownMistakes()


def products(Q, K):
    """Return the dot products of queries and keys, not scaled."""
    return Q @ K.swapaxes(-1, -2)


def from_scores(scores, V, axis=-1):
    """Return the output and the weights that these scores give."""
    weights = reference.softmax(scores, axis)
    return weights @ V, weights


@MISTAKES.add(where=SCALE)
def not_scaled(Q, K, V):
    """Your function does not scale the dot products.

    A dot product has d_k terms, so its spread grows with d_k, and the softmax of wide vectors saturates.
    """
    return from_scores(products(Q, K), V)


@MISTAKES.add(where=SCALE)
def divides_by_d_k(Q, K, V):
    """Your function divides by d_k itself: a square root is missing, or the scores are scaled twice.

    If you call your `attention_scores`, its result is scaled already. Divided by d_k the scores shrink towards 0
    and all weights become equal.
    """
    return from_scores(products(Q, K) / Q.shape[-1], V)


@MISTAKES.add(where=SCALE)
def multiplies(Q, K, V):
    """The scores come out multiplied by the square root of d_k, not divided by it.

    The dot products of wide vectors are too large already; this makes the softmax saturate sooner. Dividing by `d_k **
    -0.5` is multiplying by the root.
    """
    return from_scores(products(Q, K) / (1 / math.sqrt(Q.shape[-1])), V)


@MISTAKES.add(where=SCALE)
def root_of_d_model_512(Q, K, V):
    """Your function divides by the square root of d_model.

    d_model is the width of the whole model; with several heads a query is only a part of it. The spread of a dot
    product grows with its number of terms, and that is the width of the query that your function was given.
    """
    return from_scores(products(Q, K) / math.sqrt(512), V)


@MISTAKES.add(where=SCALE)
def root_of_d_model_heads(Q, K, V):
    """Your function divides by the square root of d_model.

    d_model is the width of the whole model; with several heads a query is only a part of it. The spread of a dot
    product grows with its number of terms, and that is the width of the query that your function was given.
    """
    return from_scores(products(Q, K) / math.sqrt(math.prod(Q.shape[-3:-2]) * Q.shape[-1]), V)


@MISTAKES.add(where=SCALE)
def root_of_d_model_eight_heads(Q, K, V):
    """Your function divides by the square root of d_model.

    d_model is the width of the whole model; with several heads a query is only a part of it. The spread of a dot
    product grows with its number of terms, and that is the width of the query that your function was given.
    """
    return from_scores(products(Q, K) / math.sqrt(8 * Q.shape[-1]), V)


@MISTAKES.add(where=SCALE)
def root_of_n_keys(Q, K, V):
    """Your function divides by the square root of the number of keys.

    The number of keys says how many scores a query gets, not how many terms each of them has.
    """
    return from_scores(products(Q, K) / math.sqrt(K.shape[-2]), V)


@MISTAKES.add(where=SCALE)
def root_of_d_v(Q, K, V):
    """Your function divides by the square root of d_v, the width of the values.

    The values take no part in the scores. Look at the two vectors that are multiplied.
    """
    return from_scores(products(Q, K) / math.sqrt(V.shape[-1]), V)


@MISTAKES.add(where=SCALE)
def root_of_first_axis(Q, K, V):
    """Your function divides by the square root of the length of the first axis of Q.

    Without leading axes that is the number of queries, with a batch it is the size of the batch. Count the axes
    from the end.
    """
    return from_scores(products(Q, K) / math.sqrt(Q.shape[0]), V)


@MISTAKES.add(where=SCALE)
def root_of_second_axis(Q, K, V):
    """Your function takes d_k from axis 1 of Q.

    Axis 1 holds d_k only while there are no leading axes. Count the axes from the end.
    """
    return from_scores(products(Q, K) / math.sqrt(Q.shape[1]), V)


@MISTAKES.add(where=SCALE)
def scales_weights(Q, K, V):
    """Your function scales the weights, after the softmax.

    Then the rows no longer sum to 1, and the softmax has saturated before the division can help.
    """
    weights = reference.softmax(products(Q, K)) / math.sqrt(Q.shape[-1])
    return weights @ V, weights


@MISTAKES.add(where=AXIS)
def softmax_over_queries(Q, K, V):
    """Your function lets the weights of one key sum to 1 over the queries.

    Each query has one budget that it spreads over the keys. The keys are on the last axis of the scores.
    """
    return from_scores(reference.attention_scores(Q, K), V, axis=-2)


@MISTAKES.add(where=AXIS)
def softmax_over_axis_0(Q, K, V):
    """Your function takes the softmax along axis 0.

    The keys are on the last axis of the scores, with or without leading axes.
    """
    return from_scores(reference.attention_scores(Q, K), V, axis=0)


@MISTAKES.add(where=AXIS)
def softmax_over_axis_1(Q, K, V):
    """Your function takes the softmax along axis 1.

    Axis 1 holds the keys only while there are no leading axes. Count the axes from the end.
    """
    return from_scores(reference.attention_scores(Q, K), V, axis=1)


@MISTAKES.add(where=AXIS)
def softmax_over_everything(Q, K, V):
    """Your function takes one softmax over all queries and keys together.

    Each query has a budget of 1 of its own, whatever the other queries do.
    """
    scores = reference.attention_scores(Q, K)
    weights = np.exp(scores - scores.max())
    weights = weights / weights.sum()
    return weights @ V, weights


@MISTAKES.add(where=LARGE)
def no_maximum_subtracted(Q, K, V):
    """Your function exponentiates the scores as they are.

    exp(1000) is larger than any float64, and inf / inf is NaN. Your `softmax` has solved this already.
    """
    e = np.exp(reference.attention_scores(Q, K))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights


@MISTAKES.add(where=LARGE)
def maximum_of_everything(Q, K, V):
    """Your function subtracts one maximum for the whole array.

    A query whose scores lie far below another query's then underflows to 0 / 0. Each row of scores needs its own
    shift, as in your `softmax`.
    """
    scores = reference.attention_scores(Q, K)
    e = np.exp(scores - scores.max())
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights
