"""The known mistakes of `scaled_dot_product_attention` with the average and the results, and more with the scores."""

import math

import numpy as np

from autograder.exercises.unit_02_scaled_dot_product_attention.scaled_dot_product_attention_mistakes import (
    SCALE,
    from_scores,
    products,
)
from autograder.specification import KnownMistakes
from transformer_kit import reference

MAIN = "Exercise 2.3: scaled_dot_product_attention"
AVERAGE = "An average of the values"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=AVERAGE)
def equal_weights(Q, K, V):
    """Your function gives every key the same weight.

    That is the plain mean of the values, the same for every query. How well a key matches the query decides.
    """
    weights = np.full((*Q.shape[:-1], K.shape[-2]), 1 / K.shape[-2])
    return weights @ V, weights


@MISTAKES.add(where=AVERAGE)
def no_softmax(Q, K, V):
    """Your function averages with the scores instead of the weights.

    Scores may be negative and sum to anything. They have to become weights first.
    """
    scores = reference.attention_scores(Q, K)
    return scores @ V, scores


@MISTAKES.add(where=AVERAGE)
def softmax_twice(Q, K, V):
    """Your function applies the softmax twice.

    The weights of the first softmax lie between 0 and 1. A second one takes them for scores and makes them nearly
    equal.
    """
    return from_scores(reference.softmax(reference.attention_scores(Q, K)), V)


@MISTAKES.add(where=AVERAGE)
def averages_keys(Q, K, V):
    """Your function averages the keys instead of the values.

    Keys decide how much, values decide what. Their widths may differ.
    """
    _, weights = reference.scaled_dot_product_attention(Q, K, V)
    return weights @ K, weights


@MISTAKES.add(where=AVERAGE)
def values_as_keys(Q, K, V):
    """Your function compares the queries with the values instead of the keys.

    Keys decide how much, values decide what. Their widths may differ.
    """
    return from_scores(products(Q, V) / math.sqrt(Q.shape[-1]), V)


@MISTAKES.add(where=MAIN)
def weights_first(Q, K, V):
    """Your function returns the weights before the output.

    The numbers are right, but the output comes first, then the weights.
    """
    return reference.scaled_dot_product_attention(Q, K, V)[::-1]


@MISTAKES.add(where=MAIN)
def returns_scores(Q, K, V):
    """Your function returns the scores as its second result.

    Scores come before the softmax, weights after it. The second result is the weights.
    """
    return reference.scaled_dot_product_attention(Q, K, V)[0], reference.attention_scores(Q, K)


@MISTAKES.add(where="Every query meets every key")
def transposes_everything(Q, K, V):
    """Your function reverses all the axes of K.

    `.T` reverses every axis, the batch and the heads included. Only the last two axes have to change places.
    """
    return from_scores(Q @ K.T / math.sqrt(Q.shape[-1]), V)


@MISTAKES.add(where=MAIN)
def in_place(Q, K, V):
    """Your function scales the caller's Q.

    `/=` writes into the array that you were given, and integers cannot even hold the result. A plain division makes
    a new array.
    """
    Q /= math.sqrt(Q.shape[-1])
    return from_scores(products(Q, K), V)


@MISTAKES.add(where=SCALE)
def half_of_d_k(Q, K, V):
    """Your function divides by half of d_k.

    A power binds more tightly than a division: `d_k ** 1 / 2` is `(d_k ** 1) / 2`. Write `d_k ** 0.5`, or call your
    `attention_scores`.
    """
    return from_scores(products(Q, K) / (Q.shape[-1] / 2), V)


@MISTAKES.add(where=SCALE)
def twice_d_k(Q, K, V):
    """The scores are divided by twice d_k.

    A power binds more tightly than a division, so `scores / d_k ** 1 / 2` is `(scores / d_k) / 2`. Write `d_k ** 0.5`,
    or call your `attention_scores`.
    """
    return from_scores(products(Q, K) / Q.shape[-1] / 2, V)


@MISTAKES.add(where=MAIN)
def output_only(Q, K, V):
    """Your function returns the output alone.

    Return two results, with a comma between them: the output and the weights.
    """
    return reference.scaled_dot_product_attention(Q, K, V)[0]


@MISTAKES.add(where=MAIN)
def keys_ask(Q, K, V):
    """Your function swaps queries and keys.

    The rows of the scores belong to the queries. With the keys in front, every key would ask for queries.
    """
    return from_scores(products(K, Q) / math.sqrt(Q.shape[-1]), V)


@MISTAKES.add(where=AVERAGE)
def softmax_of_the_output(Q, K, V):
    """Your function applies a softmax to the output.

    The softmax turns scores into weights, before the values come in. The average of the values stays as it is.
    """
    weights = reference.softmax(reference.attention_scores(Q, K))
    return reference.softmax(reference.attention_scores(Q, K) @ V), weights


@MISTAKES.add(where=AVERAGE)
def divided_by_n_keys(Q, K, V):
    """Your function divides the sum of the values by the number of keys.

    The weights of a query sum to 1 already, so the weighted sum is the average.
    """
    output, weights = reference.scaled_dot_product_attention(Q, K, V)
    return output / K.shape[-2], weights


@MISTAKES.add(where=AVERAGE)
def best_key_only(Q, K, V):
    """Your function returns the value of the best key.

    Attention looks up softly: every value counts, as much as its weight says.
    """
    weights = reference.softmax(reference.attention_scores(Q, K))
    return np.take_along_axis(V, weights.argmax(axis=-1)[..., None], axis=-2), weights


@MISTAKES.add(where=AVERAGE)
def weights_transposed(Q, K, V):
    """Your function swaps the axes of the weights before they meet the values.

    Row i of the weights belongs to query i and has one entry per key, and so one per value. It fits as it stands.
    """
    weights = reference.softmax(reference.attention_scores(Q, K))
    return weights.swapaxes(-1, -2) @ V, weights
