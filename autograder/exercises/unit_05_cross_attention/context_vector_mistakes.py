"""The known mistakes of `context_vector`."""

import math

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

SECTION = "Exercise 5.1: context_vector"
STEP = "One decoder step"


def _with_divisor(divisor):
    def context_vector(query, keys, values):
        weights = reference.softmax(keys @ query / divisor(query, keys, values))
        return weights @ values, weights

    return context_vector


def _unshifted(query, keys, values):
    exponentials = np.exp(keys @ query / math.sqrt(len(query)))
    weights = exponentials / exponentials.sum()
    return weights @ values, weights


def _not_normalised(query, keys, values):
    scores = keys @ query / math.sqrt(len(query))
    weights = np.exp(scores - scores.max())
    return weights @ values, weights


def _scores_as_weights(query, keys, values):
    scores = keys @ query / math.sqrt(len(query))
    return scores @ values, scores


def _scaled_after(query, keys, values):
    weights = reference.softmax(keys @ query) / math.sqrt(len(query))
    return weights @ values, weights


def _equal_weights(query, keys, values):
    weights = np.full(len(keys), 1 / len(keys))
    return weights @ values, weights


def _best_only(query, keys, values):
    _, weights = reference.context_vector(query, keys, values)
    return values[weights.argmax()].astype(float), weights


def _averages_keys(query, keys, values):
    _, weights = reference.context_vector(query, keys, values)
    return weights @ keys, weights


def _not_summed(query, keys, values):
    _, weights = reference.context_vector(query, keys, values)
    return weights[:, None] * values, weights


def _axis_kept(query, keys, values):
    return reference.scaled_dot_product_attention(query[None], keys, values)


def _exchanged(query, keys, values):
    return reference.context_vector(query, keys, values)[::-1]


def _in_place(query, keys, values):
    query /= math.sqrt(len(query))
    weights = reference.softmax(keys @ query)
    return weights @ values, weights


MISTAKES = (
    Mistake(
        "not-scaled",
        "The scores are not divided by the square root of d_k",
        _with_divisor(lambda query, keys, values: 1),
        "One query or many, the scores are those of unit 02. Without the divisor they grow with the width, and "
        "one source token takes nearly everything.",
        SECTION,
    ),
    Mistake(
        "no-root",
        "The scores are divided by d_k itself, not by its square root",
        _with_divisor(lambda query, keys, values: len(query)),
        "A dot product of d_k random terms is about as large as the square root of d_k. Dividing by more makes "
        "all weights nearly equal.",
        SECTION,
    ),
    Mistake(
        "scaled-by-length",
        "The scores are divided by the square root of the number of source tokens",
        _with_divisor(lambda query, keys, values: math.sqrt(len(keys))),
        "The divisor belongs to the width of the vectors that are multiplied. A longer sentence does not make a "
        "dot product larger.",
        STEP,
    ),
    Mistake(
        "scaled-by-values",
        "The scores are divided by the square root of the width of the values",
        _with_divisor(lambda query, keys, values: math.sqrt(values.shape[-1])),
        "The values take no part in the scores. The divisor is made from the width that query and keys share.",
        STEP,
    ),
    Mistake(
        "overflow",
        "The exponentials overflow",
        _unshifted,
        "exp(1000) is too large for a float, and exp(-1000) is 0, so you divide infinity by infinity or 0 by 0. "
        "Your `softmax` of unit 02 is safe.",
        SECTION,
    ),
    Mistake(
        "not-normalised",
        "The exponentials are not divided by their sum",
        _not_normalised,
        "Weights are shares of a budget of 1. Without the sum below the fraction bar, a longer sentence gives a "
        "longer context vector.",
        STEP,
    ),
    Mistake(
        "scores-as-weights",
        "The scores are used as weights",
        _scores_as_weights,
        "Scores may be negative and sum to anything. It is the softmax that turns them into shares.",
        STEP,
    ),
    Mistake(
        "scaled-after-softmax",
        "The weights are divided by the square root of d_k, not the scores",
        _scaled_after,
        "Then the weights no longer sum to 1. The divisor acts before the softmax.",
        STEP,
    ),
    Mistake(
        "equal-weights",
        "Every source token has the same weight",
        _equal_weights,
        "This is the plain mean of the values. The query has no say in it.",
        STEP,
    ),
    Mistake(
        "best-only",
        "Only the value of the best key is taken",
        _best_only,
        "That is a look-up in a dictionary. Attention is the soft form of it: every value counts, as much as its "
        "weight says.",
        STEP,
    ),
    Mistake(
        "averages-keys",
        "The keys are averaged, not the values",
        _averages_keys,
        "Keys say where to look; values are what is taken from there.",
        STEP,
    ),
    Mistake(
        "not-summed",
        "The weighted values are returned one by one",
        _not_summed,
        "One decoder step gets one context vector, however long the source is: the weighted values are summed.",
        STEP,
    ),
    Mistake(
        "axis-kept",
        "The results keep an axis of length 1 for the one query",
        _axis_kept,
        "One query is a vector here, so the context is a vector, too. If you add an axis to use an earlier "
        "function, take it off again.",
        STEP,
    ),
    Mistake(
        "results-exchanged",
        "The weights come first and the context second",
        _exchanged,
        "The order is the same as in unit 02: first what was found, then the weights.",
        SECTION,
    ),
    Mistake(
        "in-place",
        "The query is divided in place",
        _in_place,
        "`query /= ...` writes into the caller's array (and fails on whole numbers). Make a new array instead.",
        SECTION,
    ),
)
