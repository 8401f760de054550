"""The known mistakes of `context_vector`."""

import math

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 5.1: context_vector"
STEP = "One decoder step"

MISTAKES = KnownMistakes()


def _from_scores(scores, values):
    weights = reference.softmax(scores)
    return weights @ values, weights


@MISTAKES.add(where=SECTION)
def not_scaled(query, keys, values):
    """The scores are not divided by the square root of d_k.

    One query or many, the scores are those of unit 02. Without the divisor they grow with the width, and one source
    token takes nearly everything.
    """
    return _from_scores(keys @ query, values)


@MISTAKES.add(where=SECTION)
def no_root(query, keys, values):
    """The scores are divided by d_k itself, not by its square root.

    A dot product of d_k random terms is about as large as the square root of d_k. Dividing by more makes all
    weights nearly equal.
    """
    return _from_scores(keys @ query / len(query), values)


@MISTAKES.add(where=STEP)
def scaled_by_length(query, keys, values):
    """The scores are divided by the square root of the number of source tokens.

    The divisor belongs to the width of the vectors that are multiplied. A longer sentence does not make a dot
    product larger.
    """
    return _from_scores(keys @ query / math.sqrt(len(keys)), values)


@MISTAKES.add(where=STEP)
def scaled_by_values(query, keys, values):
    """The scores are divided by the square root of the width of the values.

    The values take no part in the scores. The divisor is computed from the width that query and keys share.
    """
    return _from_scores(keys @ query / math.sqrt(values.shape[-1]), values)


@MISTAKES.add(where=SECTION)
def overflow(query, keys, values):
    """The exponentials overflow.

    exp(1000) is too large for a float, and exp(-1000) is 0, so you divide infinity by infinity or 0 by 0. Your
    `softmax` of unit 02 is safe.
    """
    exponentials = np.exp(keys @ query / math.sqrt(len(query)))
    weights = exponentials / exponentials.sum()
    return weights @ values, weights


@MISTAKES.add(where=STEP)
def not_normalised(query, keys, values):
    """The exponentials are not divided by their sum.

    Weights are shares of a budget of 1. Without the sum below the fraction bar, a longer sentence gives a longer
    context vector.
    """
    scores = keys @ query / math.sqrt(len(query))
    weights = np.exp(scores - scores.max())
    return weights @ values, weights


@MISTAKES.add(where=STEP)
def scores_as_weights(query, keys, values):
    """The scores are used as weights.

    Scores may be negative and sum to anything. It is the softmax that turns them into shares.
    """
    scores = keys @ query / math.sqrt(len(query))
    return scores @ values, scores


@MISTAKES.add(where=STEP)
def scaled_after_softmax(query, keys, values):
    """The weights are divided by the square root of d_k, not the scores.

    Then the weights no longer sum to 1. The divisor acts before the softmax.
    """
    weights = reference.softmax(keys @ query) / math.sqrt(len(query))
    return weights @ values, weights


@MISTAKES.add(where=STEP)
def equal_weights(query, keys, values):
    """Every source token has the same weight.

    This is the plain mean of the values. The query has no say in it.
    """
    weights = np.full(len(keys), 1 / len(keys))
    return weights @ values, weights


@MISTAKES.add(where=STEP)
def best_only(query, keys, values):
    """Only the value of the best key is taken.

    That is a look-up in a dictionary. Attention is the soft form of it: every value counts, as much as its weight
    says.
    """
    _, weights = reference.context_vector(query, keys, values)
    return values[weights.argmax()].astype(float), weights


@MISTAKES.add(where=STEP)
def averages_keys(query, keys, values):
    """The keys are averaged, not the values.

    Keys say where to look; values are what is taken from there.
    """
    _, weights = reference.context_vector(query, keys, values)
    return weights @ keys, weights


@MISTAKES.add(where=STEP)
def not_summed(query, keys, values):
    """The weighted values are returned one by one.

    One decoder step gets one context vector, however long the source is: the weighted values are summed.
    """
    _, weights = reference.context_vector(query, keys, values)
    return weights[:, None] * values, weights


@MISTAKES.add(where=STEP)
def axis_kept(query, keys, values):
    """The results keep an axis of length 1 for the one query.

    One query is a vector here, so the context is a vector, too. If you add an axis to use an earlier function, take
    it off again.
    """
    return reference.scaled_dot_product_attention(query[None], keys, values)


@MISTAKES.add(where=SECTION)
def results_exchanged(query, keys, values):
    """The weights come first and the context second.

    The order is the same as in unit 02: first what was found, then the weights.
    """
    return reference.context_vector(query, keys, values)[::-1]


@MISTAKES.add(where=SECTION)
def in_place(query, keys, values):
    """The query is divided in place.

    `query /= ...` writes into the caller's array (and fails on whole numbers). Make a new array instead.
    """
    query /= math.sqrt(len(query))
    weights = reference.softmax(keys @ query)
    return weights @ values, weights


@MISTAKES.add(where=SECTION)
def times_root(query, keys, values):
    """The scores come out multiplied by the square root of d_k, not divided by it.

    Dot products are too large already, and the divisor is there to make them smaller.
    """
    return _from_scores(keys @ query * math.sqrt(len(query)), values)


@MISTAKES.add(where=SECTION)
def precedence(query, keys, values):
    """The scores are divided by twice d_k, as where a power lacks its brackets.

    In Python `**` binds more tightly than `/`, so `/ d ** 1/2` divides twice.
    """
    return _from_scores(keys @ query / len(query) / 2, values)


@MISTAKES.add(where=SECTION)
def half_of_d_k(query, keys, values):
    """The scores are divided by half of d_k.

    In Python `**` binds more tightly than `/`, so `(d ** 1/2)` is half of d. Write `d ** 0.5`.
    """
    return _from_scores(keys @ query / (len(query) / 2), values)


@MISTAKES.add(where=SECTION)
def always_2(query, keys, values):
    """The scores are divided by 2, whatever d_k is.

    That is right for vectors of width 4. The width is to be read from the query or the keys.
    """
    return _from_scores(keys @ query / 2, values)


@MISTAKES.add(where=STEP)
def no_exponentials(query, keys, values):
    """The scores are divided by their sum, without exponentials.

    Scores may be negative, and so may their sum. The exponentials of the softmax make shares of them.
    """
    scores = keys @ query / math.sqrt(len(query))
    weights = scores / scores.sum()
    return weights @ values, weights


@MISTAKES.add(where=STEP)
def scores_returned(query, keys, values):
    """The scores are returned in place of the weights.

    The second result is what the values were weighted with: the shares, which sum to 1.
    """
    context, _ = reference.context_vector(query, keys, values)
    return context, keys @ query / math.sqrt(len(query))


@MISTAKES.add(where=STEP)
def mean_not_sum(query, keys, values):
    """The weighted values are averaged, not summed.

    The weights sum to 1, so the sum of the weighted values is their mean already.
    """
    context, weights = reference.context_vector(query, keys, values)
    return context / len(keys), weights


@MISTAKES.add(where=STEP)
def over_columns(query, keys, values):
    """The weighted values are summed over their columns.

    The sum runs over the source tokens, column by column, so the context is as wide as a value.
    """
    _, weights = reference.context_vector(query, keys, values)
    return (weights[:, None] * values).sum(axis=-1), weights


@MISTAKES.add(where=STEP)
def keys_transposed(query, keys, values):
    """The keys are transposed before they meet the query.

    One row of `keys` is one key, and as wide as the query. Once they are transposed, the sum runs over the tokens.
    """
    return _from_scores(keys.T @ query / math.sqrt(len(query)), values)
