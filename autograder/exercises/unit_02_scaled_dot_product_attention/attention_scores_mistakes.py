"""The known mistakes of `attention_scores`."""

import math

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

MAIN = "Exercise 2.2: attention_scores"
PAIRS = "Every query meets every key"
SCALE = "Why the square root of d_k"


def _products(Q, K):
    return Q @ K.swapaxes(-1, -2)


def _not_scaled(Q, K):
    return _products(Q, K)


def _divides_by_d_k(Q, K):
    return _products(Q, K) / Q.shape[-1]


def _multiplies(Q, K):
    return _products(Q, K) * math.sqrt(Q.shape[-1])


def _root_of_512(Q, K):
    d_model = 512
    return _products(Q, K) / math.sqrt(d_model)


def _root_of_all_heads(Q, K):
    n_heads = Q.shape[-3] if Q.ndim > 2 else 1
    return _products(Q, K) / math.sqrt(n_heads * Q.shape[-1])


def _root_of_eight_heads(Q, K):
    n_heads = 8
    return _products(Q, K) / math.sqrt(n_heads * Q.shape[-1])


def _root_of_n_keys(Q, K):
    return _products(Q, K) / math.sqrt(K.shape[-2])


def _root_of_n_queries(Q, K):
    return _products(Q, K) / math.sqrt(Q.shape[-2])


def _root_of_first_axis(Q, K):
    return _products(Q, K) / math.sqrt(Q.shape[0])


def _root_of_first_axis_of_K(Q, K):
    return _products(Q, K) / math.sqrt(K.shape[0])


def _root_of_second_axis(Q, K):
    return _products(Q, K) / math.sqrt(Q.shape[1])


def _transposes_everything(Q, K):
    return Q @ K.T / math.sqrt(Q.shape[-1])


def _reshapes(Q, K):
    return Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2]) / math.sqrt(Q.shape[-1])


def _no_transpose(Q, K):
    return Q @ K / math.sqrt(Q.shape[-1])


def _entry_by_entry(Q, K):
    return Q * K / math.sqrt(Q.shape[-1])


def _entry_by_entry_transposed(Q, K):
    return Q * K.T / math.sqrt(Q.shape[-1])


def _keys_by_queries(Q, K):
    return reference.attention_scores(K, Q)


def _dot_on_batches(Q, K):
    return np.dot(Q, K.swapaxes(-1, -2)) / math.sqrt(Q.shape[-1])


def _weights(Q, K):
    return reference.softmax(reference.attention_scores(Q, K))


def _in_place(Q, K):
    Q /= math.sqrt(Q.shape[-1])
    return _products(Q, K)


def _d_model(id, function):
    """The same mistake in the forms that it takes."""
    return Mistake(
        id,
        "Your function divides by the square root of d_model",
        function,
        "d_model is the width of the whole model; with several heads a query is only a part of it. "
        "What grows with the length of the sum is its own number of terms, and that is the width of the query "
        "that your function was given.",
        SCALE,
    )


MISTAKES = (
    Mistake(
        "not-scaled",
        "Your function does not scale the dot products",
        _not_scaled,
        "A dot product has d_k terms, so its spread grows with d_k, and wide queries and keys give scores that "
        "saturate the softmax.",
        SCALE,
    ),
    Mistake(
        "divides-by-d-k",
        "Your function divides by d_k itself: a square root is missing, or the scores are scaled twice",
        _divides_by_d_k,
        "The variance of a dot product grows like d_k, its standard deviation more slowly. "
        "Divided by d_k the scores of wide vectors shrink towards 0 and all weights become equal.",
        SCALE,
    ),
    Mistake(
        "multiplies",
        "Your function multiplies by the scale where it should divide",
        _multiplies,
        "The dot products of wide vectors are too large already; multiplying makes the softmax saturate sooner.",
        SCALE,
    ),
    _d_model("root-of-d-model-512", _root_of_512),
    _d_model("root-of-d-model-heads", _root_of_all_heads),
    _d_model("root-of-d-model-eight-heads", _root_of_eight_heads),
    Mistake(
        "root-of-n-keys",
        "Your function divides by the square root of the number of keys",
        _root_of_n_keys,
        "The number of keys says how many scores a query gets, not how many terms each of them has.",
        SCALE,
    ),
    Mistake(
        "root-of-n-queries",
        "Your function divides by the square root of the number of queries",
        _root_of_n_queries,
        "Adding a query must not change the scores of the others. Look at the number of terms of one dot product.",
        SCALE,
    ),
    Mistake(
        "root-of-first-axis",
        "Your function divides by the square root of the length of the first axis of Q",
        _root_of_first_axis,
        "Without leading axes that is the number of queries, with a batch it is the size of the batch. "
        "Count the axes from the end.",
        SCALE,
    ),
    Mistake(
        "root-of-first-axis-of-k",
        "Your function divides by the square root of the length of the first axis of K",
        _root_of_first_axis_of_K,
        "Without leading axes that is the number of keys, with a batch it is the size of the batch. "
        "Count the axes from the end.",
        SCALE,
    ),
    Mistake(
        "root-of-second-axis",
        "Your function takes d_k from axis 1 of Q",
        _root_of_second_axis,
        "Axis 1 holds d_k only while there are no leading axes. Count the axes from the end.",
        SCALE,
    ),
    Mistake(
        "transposes-everything",
        "Your function turns round all the axes of K",
        _transposes_everything,
        "`.T` reverses every axis, the batch and the heads included. Only the last two axes have to change places.",
        PAIRS,
    ),
    Mistake(
        "reshapes-keys",
        "Your function reshapes K where it should exchange two axes",
        _reshapes,
        "A reshape keeps the numbers in their order and cuts them into other rows, so that one column holds parts "
        "of several keys. The shape is right and the numbers are not.",
        PAIRS,
    ),
    Mistake(
        "no-transpose",
        "Your function multiplies Q by K as it stands",
        _no_transpose,
        "Rows of Q have to meet rows of K, but a matrix product pairs rows with columns.",
        PAIRS,
    ),
    Mistake(
        "entry-by-entry",
        "Your function multiplies Q and K entry by entry",
        _entry_by_entry,
        "`*` multiplies entries at the same place. A dot product also sums, and here there is one for each pair.",
        PAIRS,
    ),
    Mistake(
        "entry-by-entry-transposed",
        "Your function multiplies Q and the transpose of K entry by entry",
        _entry_by_entry_transposed,
        "`*` is not the matrix product in NumPy. On square arrays it even runs, with wrong numbers.",
        PAIRS,
    ),
    Mistake(
        "keys-by-queries",
        "Your function puts the keys in the rows and the queries in the columns",
        _keys_by_queries,
        "The scores of one query stand in one row, because the softmax runs along the last axis.",
        PAIRS,
    ),
    Mistake(
        "dot-on-batches",
        "Your function uses np.dot, which pairs every matrix of one batch with every matrix of the other",
        _dot_on_batches,
        "With leading axes np.dot does not go through the batch in step. Another product of NumPy does.",
        PAIRS,
    ),
    Mistake(
        "returns-weights",
        "Your function applies the softmax already",
        _weights,
        "Scores come before the softmax and weights after it. Here the scores are asked for.",
        MAIN,
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
