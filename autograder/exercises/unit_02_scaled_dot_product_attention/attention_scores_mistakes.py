"""The known mistakes of `attention_scores`."""

import math

import numpy as np

from autograder.exercises.edited import edited
from autograder.specification import KnownMistakes
from transformer_kit import reference

MAIN = "Exercise 2.2: attention_scores"
PAIRS = "Every query meets every key"
SCALE = "Why the square root of d_k"

MISTAKES = KnownMistakes()


def _products(Q, K):
    return Q @ K.swapaxes(-1, -2)


@MISTAKES.add(where=SCALE)
def not_scaled(Q, K):
    """Your function does not scale the dot products.

    A dot product has d_k terms, so its spread grows with d_k, and wide queries and keys give scores that saturate
    the softmax.
    """
    return _products(Q, K)


@MISTAKES.add(where=SCALE)
def divides_by_d_k(Q, K):
    """Your function divides by d_k itself: a square root is missing, or the scores are scaled twice.

    The variance of a dot product grows like d_k, its standard deviation more slowly. Divided by d_k the scores of
    wide vectors shrink towards 0 and all weights become equal.
    """
    return _products(Q, K) / Q.shape[-1]


@MISTAKES.add(where=SCALE)
def multiplies(Q, K):
    """The scores come out multiplied by the square root of d_k, not divided by it.

    The dot products of wide vectors are too large already; this makes the softmax saturate sooner. Dividing by `d_k **
    -0.5` is multiplying by the root.
    """
    return _products(Q, K) * math.sqrt(Q.shape[-1])


@MISTAKES.add(where=SCALE)
def root_of_d_model_512(Q, K):
    """Your function divides by the square root of d_model.

    d_model is the width of the whole model; with several heads a query is only a part of it. The spread of a dot
    product grows with its number of terms, and that is the width of the query that your function was given.
    """
    d_model = 512
    return _products(Q, K) / math.sqrt(d_model)


@MISTAKES.add(where=SCALE)
def root_of_d_model_heads(Q, K):
    """Your function divides by the square root of d_model.

    d_model is the width of the whole model; with several heads a query is only a part of it. The spread of a dot
    product grows with its number of terms, and that is the width of the query that your function was given.
    """
    n_heads = Q.shape[-3] if Q.ndim > 2 else 1
    return _products(Q, K) / math.sqrt(n_heads * Q.shape[-1])


@MISTAKES.add(where=SCALE)
def root_of_d_model_eight_heads(Q, K):
    """Your function divides by the square root of d_model.

    d_model is the width of the whole model; with several heads a query is only a part of it. The spread of a dot
    product grows with its number of terms, and that is the width of the query that your function was given.
    """
    n_heads = 8
    return _products(Q, K) / math.sqrt(n_heads * Q.shape[-1])


@MISTAKES.add(where=SCALE)
def root_of_n_keys(Q, K):
    """Your function divides by the square root of the number of keys.

    The number of keys says how many scores a query gets, not how many terms each of them has.
    """
    return _products(Q, K) / math.sqrt(K.shape[-2])


@MISTAKES.add(where=SCALE)
def root_of_n_queries(Q, K):
    """Your function divides by the square root of the number of queries.

    Adding a query must not change the scores of the others. Look at the number of terms of one dot product.
    """
    return _products(Q, K) / math.sqrt(Q.shape[-2])


@MISTAKES.add(where=SCALE)
def root_of_first_axis(Q, K):
    """Your function divides by the square root of the length of the first axis of Q.

    Without leading axes that is the number of queries, with a batch it is the size of the batch. Count the axes
    from the end.
    """
    return _products(Q, K) / math.sqrt(Q.shape[0])


@MISTAKES.add(where=SCALE)
def root_of_first_axis_of_k(Q, K):
    """Your function divides by the square root of the length of the first axis of K.

    Without leading axes that is the number of keys, with a batch it is the size of the batch. Count the axes from
    the end.
    """
    return _products(Q, K) / math.sqrt(K.shape[0])


@MISTAKES.add(where=SCALE)
def root_of_second_axis(Q, K):
    """Your function takes d_k from axis 1 of Q.

    Axis 1 holds d_k only while there are no leading axes. Count the axes from the end.
    """
    return _products(Q, K) / math.sqrt(Q.shape[1])


@MISTAKES.add(where=PAIRS)
def transposes_everything(Q, K):
    """Your function reverses all the axes of K.

    `.T` reverses every axis, the batch and the heads included. Only the last two axes have to change places.
    """
    return Q @ K.T / math.sqrt(Q.shape[-1])


@MISTAKES.add(where=PAIRS)
def reshapes_keys(Q, K):
    """The numbers of K fill the new shape row by row: no axes are exchanged.

    A reshape keeps the numbers in their order and cuts them into different rows, so that one column holds parts of
    several keys. The shape is right and the numbers are not.
    """
    return Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2]) / math.sqrt(Q.shape[-1])


@MISTAKES.add(where=PAIRS)
def no_transpose(Q, K):
    """The axes of K are in their old order when Q meets K.

    Rows of Q have to meet rows of K, but a matrix product pairs rows with columns. NumPy's `transpose` wants the order
    of all axes, so `K.transpose(-2, -1)` leaves a matrix as it is; `np.swapaxes(K, -1, -2)` exchanges two.
    """
    return Q @ K / math.sqrt(Q.shape[-1])


@MISTAKES.add(where=PAIRS)
def entry_by_entry(Q, K):
    """Your function multiplies Q and K entry by entry.

    `*` multiplies entries in the same place. A dot product also sums, and here there is one for each pair.
    """
    return Q * K / math.sqrt(Q.shape[-1])


@MISTAKES.add(where=PAIRS)
def entry_by_entry_transposed(Q, K):
    """Your function multiplies Q and the transpose of K entry by entry.

    `*` is not the matrix product in NumPy. On square arrays it even runs, with wrong numbers.
    """
    return Q * K.T / math.sqrt(Q.shape[-1])


@MISTAKES.add(where=PAIRS)
def keys_by_queries(Q, K):
    """Your function puts the keys in the rows and the queries in the columns.

    The scores of one query stand in one row, because the softmax runs along the last axis.
    """
    return reference.attention_scores(K, Q)


@MISTAKES.add(where=PAIRS)
def dot_on_batches(Q, K):
    """Every matrix of one batch meets every matrix of the other, as in np.dot.

    With leading axes np.dot does not go through the batch in step. NumPy has another product that does.
    """
    return np.dot(Q, K.swapaxes(-1, -2)) / math.sqrt(Q.shape[-1])


@MISTAKES.add(where=MAIN)
def returns_weights(Q, K):
    """Your function already applies the softmax.

    Scores come before the softmax and weights after it. Here you want the scores.
    """
    return reference.softmax(reference.attention_scores(Q, K))


@MISTAKES.add(where=MAIN)
def in_place(Q, K):
    """Your function scales the caller's Q.

    `/=` writes into the array that you were given, and integers cannot even hold the result. A plain division makes
    a new array.
    """
    Q /= math.sqrt(Q.shape[-1])
    return _products(Q, K)


@MISTAKES.add(where=SCALE)
def half_of_d_k(Q, K):
    """Your function divides by half of d_k.

    A power binds more tightly than a division: `d_k ** 1 / 2` is `(d_k ** 1) / 2`. Write `d_k ** 0.5`, or take the
    square root by its name.
    """
    return _products(Q, K) / (Q.shape[-1] / 2)


@MISTAKES.add(where=SCALE)
def twice_d_k(Q, K):
    """The scores are divided by twice d_k.

    A power binds more tightly than a division, so `scores / d_k ** 1 / 2` is `(scores / d_k) / 2`. Write `d_k ** 0.5`,
    or take the square root by its name.
    """
    return _products(Q, K) / Q.shape[-1] / 2


@MISTAKES.add(where=SCALE)
def root_as_integer(Q, K):
    """Your function rounds the square root down to a whole number.

    Only the roots of 4, 9, 16 and so on are whole. The divisor may have a fraction.
    """
    return _products(Q, K) / int(math.sqrt(Q.shape[-1]))


@MISTAKES.add(where=SCALE)
def always_8(Q, K):
    """Your function always divides by 8.

    That is right for queries of width 64, as in the base model of the paper. Yours may have any width.
    """
    return _products(Q, K) / 8


@MISTAKES.add(where=MAIN)
def cosines(Q, K):
    """Your function divides by the lengths of the vectors.

    That gives the cosine of the angle. Here a long query or key counts for more, and the only divisor is the root of
    d_k.
    """
    return _products(*(A / np.linalg.norm(A, axis=-1, keepdims=True) for A in (Q, K)))


@MISTAKES.add(where=MAIN)
def distances(Q, K):
    """Your function compares vectors by their distance.

    A score is the dot product of a query and a key: large where both point in the same direction.
    """
    return -np.linalg.norm(Q[..., :, None, :] - K[..., None, :, :], axis=-1)


@MISTAKES.add(where=SCALE)
@edited(
    reference.attention_scores,
    {"return Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])": "return (Q @ K.swapaxes(-1, -2) / Q.shape[-1]) ** 0.5"},
)
def root_of_the_quotient():
    """Your function takes the root of the whole quotient, not of d_k alone.

    A negative product then becomes NaN. The bracket of the root closes behind d_k.
    """
