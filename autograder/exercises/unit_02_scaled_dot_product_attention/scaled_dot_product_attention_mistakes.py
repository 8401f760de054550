"""The known mistakes of `scaled_dot_product_attention`."""

import math

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

MAIN = "Exercise 2.3: scaled_dot_product_attention"
AVERAGE = "An average of the values"
AXIS = "Along which axis?"
LARGE = "Numbers too large to exponentiate"
SCALE = "Why the square root of d_k"


def _products(Q, K):
    return Q @ K.swapaxes(-1, -2)


def _from_scores(scores, V, axis=-1):
    weights = reference.softmax(scores, axis)
    return weights @ V, weights


def _not_scaled(Q, K, V):
    return _from_scores(_products(Q, K), V)


def _scaled_by(divisor):
    """Make the attention that divides the dot products by `divisor(Q, K, V)`."""
    return lambda Q, K, V: _from_scores(_products(Q, K) / divisor(Q, K, V), V)


def _scales_weights(Q, K, V):
    weights = reference.softmax(_products(Q, K)) / math.sqrt(Q.shape[-1])
    return weights @ V, weights


def _softmax_over_queries(Q, K, V):
    return _from_scores(reference.attention_scores(Q, K), V, axis=-2)


def _softmax_over_axis_0(Q, K, V):
    return _from_scores(reference.attention_scores(Q, K), V, axis=0)


def _softmax_over_axis_1(Q, K, V):
    return _from_scores(reference.attention_scores(Q, K), V, axis=1)


def _softmax_over_everything(Q, K, V):
    scores = reference.attention_scores(Q, K)
    weights = np.exp(scores - scores.max())
    weights = weights / weights.sum()
    return weights @ V, weights


def _unstable(Q, K, V):
    e = np.exp(reference.attention_scores(Q, K))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights


def _maximum_of_everything(Q, K, V):
    scores = reference.attention_scores(Q, K)
    e = np.exp(scores - scores.max())
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights


def _equal_weights(Q, K, V):
    weights = np.full((*Q.shape[:-1], K.shape[-2]), 1 / K.shape[-2])
    return weights @ V, weights


def _no_softmax(Q, K, V):
    scores = reference.attention_scores(Q, K)
    return scores @ V, scores


def _softmax_twice(Q, K, V):
    return _from_scores(reference.softmax(reference.attention_scores(Q, K)), V)


def _averages_keys(Q, K, V):
    _, weights = reference.scaled_dot_product_attention(Q, K, V)
    return weights @ K, weights


def _values_as_keys(Q, K, V):
    return _from_scores(_products(Q, V) / math.sqrt(Q.shape[-1]), V)


def _weights_first(Q, K, V):
    return reference.scaled_dot_product_attention(Q, K, V)[::-1]


def _returns_scores(Q, K, V):
    return reference.scaled_dot_product_attention(Q, K, V)[0], reference.attention_scores(Q, K)


def _transposes_everything(Q, K, V):
    return _from_scores(Q @ K.T / math.sqrt(Q.shape[-1]), V)


def _in_place(Q, K, V):
    Q /= math.sqrt(Q.shape[-1])
    return _from_scores(_products(Q, K), V)


def _wrong_scale(id, name, divisor, why):
    return Mistake(id, name, _scaled_by(divisor), why, SCALE)


def _d_model(id, divisor):
    why = (
        "d_model is the width of the whole model; with several heads a query is only a part of it. What grows with the "
        "length of the sum is its own number of terms, and that is the width of the query that your function was given."
    )
    return _wrong_scale(id, "Your function divides by the square root of d_model", divisor, why)


MISTAKES = (
    Mistake(
        "not-scaled",
        "Your function does not scale the dot products",
        _not_scaled,
        "A dot product has d_k terms, so its spread grows with d_k, and the softmax of wide vectors saturates.",
        SCALE,
    ),
    _wrong_scale(
        "divides-by-d-k",
        "Your function divides by d_k itself: a square root is missing, or the scores are scaled twice",
        lambda Q, K, V: Q.shape[-1],
        "If you call your `attention_scores`, its result is scaled already. "
        "Divided by d_k the scores shrink towards 0 and all weights become equal.",
    ),
    _wrong_scale(
        "multiplies",
        "Your function multiplies by the scale where it should divide",
        lambda Q, K, V: 1 / math.sqrt(Q.shape[-1]),
        "The dot products of wide vectors are too large already; multiplying makes the softmax saturate sooner.",
    ),
    _d_model("root-of-d-model-512", lambda Q, K, V: math.sqrt(512)),
    _d_model("root-of-d-model-heads", lambda Q, K, V: math.sqrt(math.prod(Q.shape[-3:-2]) * Q.shape[-1])),
    _d_model("root-of-d-model-eight-heads", lambda Q, K, V: math.sqrt(8 * Q.shape[-1])),
    _wrong_scale(
        "root-of-n-keys",
        "Your function divides by the square root of the number of keys",
        lambda Q, K, V: math.sqrt(K.shape[-2]),
        "The number of keys says how many scores a query gets, not how many terms each of them has.",
    ),
    _wrong_scale(
        "root-of-d-v",
        "Your function divides by the square root of d_v, the width of the values",
        lambda Q, K, V: math.sqrt(V.shape[-1]),
        "The values take no part in the scores. Look at the two vectors that are multiplied.",
    ),
    _wrong_scale(
        "root-of-first-axis",
        "Your function divides by the square root of the length of the first axis of Q",
        lambda Q, K, V: math.sqrt(Q.shape[0]),
        "Without leading axes that is the number of queries, with a batch it is the size of the batch. "
        "Count the axes from the end.",
    ),
    _wrong_scale(
        "root-of-second-axis",
        "Your function takes d_k from axis 1 of Q",
        lambda Q, K, V: math.sqrt(Q.shape[1]),
        "Axis 1 holds d_k only while there are no leading axes. Count the axes from the end.",
    ),
    Mistake(
        "scales-weights",
        "Your function scales the weights, after the softmax",
        _scales_weights,
        "Then the rows no longer sum to 1, and the softmax has saturated before the division can help.",
        SCALE,
    ),
    Mistake(
        "softmax-over-queries",
        "Your function lets the weights of one key sum to 1 over the queries",
        _softmax_over_queries,
        "Each query has one budget that it spreads over the keys. The keys are on the last axis of the scores.",
        AXIS,
    ),
    Mistake(
        "softmax-over-axis-0",
        "Your function takes the softmax along axis 0",
        _softmax_over_axis_0,
        "The keys are on the last axis of the scores, with or without leading axes.",
        AXIS,
    ),
    Mistake(
        "softmax-over-axis-1",
        "Your function takes the softmax along axis 1",
        _softmax_over_axis_1,
        "Axis 1 holds the keys only while there are no leading axes. Count the axes from the end.",
        AXIS,
    ),
    Mistake(
        "softmax-over-everything",
        "Your function takes one softmax over all queries and keys together",
        _softmax_over_everything,
        "Each query has a budget of 1 of its own, whatever the other queries do.",
        AXIS,
    ),
    Mistake(
        "no-maximum-subtracted",
        "Your function exponentiates the scores as they are",
        _unstable,
        "exp(1000) is larger than any float64, and inf / inf is NaN. Your `softmax` has solved this already.",
        LARGE,
    ),
    Mistake(
        "maximum-of-everything",
        "Your function subtracts one maximum for the whole array",
        _maximum_of_everything,
        "A query whose scores lie far below another query's then underflows to 0 / 0. "
        "Each row of scores needs its own shift, as in your `softmax`.",
        LARGE,
    ),
    Mistake(
        "equal-weights",
        "Your function gives every key the same weight",
        _equal_weights,
        "That is the plain mean of the values, the same for every query. How well a key matches the query decides.",
        AVERAGE,
    ),
    Mistake(
        "no-softmax",
        "Your function averages with the scores in place of the weights",
        _no_softmax,
        "Scores may be negative and sum to anything. They have to become weights first.",
        AVERAGE,
    ),
    Mistake(
        "softmax-twice",
        "Your function applies the softmax twice",
        _softmax_twice,
        "The weights of the first softmax lie between 0 and 1. A second one takes them for scores and makes them "
        "nearly equal.",
        AVERAGE,
    ),
    Mistake(
        "averages-keys",
        "Your function averages the keys in place of the values",
        _averages_keys,
        "Keys decide how much, values decide what. Their widths may differ.",
        AVERAGE,
    ),
    Mistake(
        "values-as-keys",
        "Your function compares the queries with the values in place of the keys",
        _values_as_keys,
        "Keys decide how much, values decide what. Their widths may differ.",
        AVERAGE,
    ),
    Mistake(
        "weights-first",
        "Your function returns the weights before the output",
        _weights_first,
        "The numbers are right; the order asked for is output, weights.",
        MAIN,
    ),
    Mistake(
        "returns-scores",
        "Your function returns the scores as its second result",
        _returns_scores,
        "Scores come before the softmax, weights after it. The second result is the weights.",
        MAIN,
    ),
    Mistake(
        "transposes-everything",
        "Your function turns round all the axes of K",
        _transposes_everything,
        "`.T` reverses every axis, the batch and the heads included. Only the last two axes have to change places.",
        "Every query meets every key",
    ),
    Mistake(
        "in-place",
        "Your function scales the caller's Q",
        _in_place,
        "`/=` writes into the array that you were given, and integers cannot even hold the result. "
        "A plain division makes a new array.",
        MAIN,
    ),
)
