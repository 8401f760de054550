"""Specification of `attention_scores`."""

import numpy as np

from autograder.execution.precision import bound_for, rounded_like
from autograder.exercises.inputs import presupposed
from autograder.exercises.unit_02_scaled_dot_product_attention import lookalikes
from autograder.exercises.unit_02_scaled_dot_product_attention.divisors import ROOTS_OF_SIZES, take_other_divisors
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

PAIRS = "Every query meets every key"
SCALE = "Why the square root of d_k"

BY_HAND = np.array([[1.0, 0.0, 2.0, 1.0]]), np.array([[3.0, 1.0, 0.0, 3.0], [0.0, 5.0, 1.0, 2.0]])  # scores 3 and 2

EXERCISE = Exercise(
    reference=reference.attention_scores,
    asks="return the scaled dot product of every query with every key.",
    returns=(Output("scores", "(..., n_queries, n_keys)"),),
    lookalike=lookalikes.ATTENTION_SCORES,
)


def _row(array):
    return "[" + ", ".join(f"{number:.4g}" for number in array[0]) + "]"


def _require_dot_products(call, Q, K):
    """Require Q K^T up to one positive factor, which another claim looks at."""
    products = Q @ K.T
    scores = call.is_array(call(Q, K), products.shape, name="scores")
    with np.errstate(all="ignore"):
        factor = (scores * products).sum() / (products**2).sum()
        unscaled = rounded_like(scores / factor, scores)
        proportional = factor > 0 and np.allclose(unscaled, products, rtol=1e-6, atol=bound_for(1e-9, unscaled))
    call.holds(
        proportional,
        "the scores are not the dot products of queries and keys, not even up to a common positive factor: the first "
        f"query's dot products are {_row(products)}, its scores {_row(scores)}.",
    )


@EXERCISE.claim(1)
def every_pair(call, rng):
    """pairs every query with every key"""
    _require_dot_products(call, *BY_HAND)
    _require_dot_products(call, rng.standard_normal((3, 7)), rng.standard_normal((5, 7)))


@EXERCISE.claim(1)
def scale(call, rng):
    """is scaled by the right number"""
    call.agrees(*BY_HAND)
    call.agrees(rng.standard_normal((3, 11)), rng.standard_normal((5, 11)))  # a root of 2, as of 4, would not do
    call.agrees(rng.standard_normal((3, 7)).astype(np.float32), rng.standard_normal((5, 7)).astype(np.float32))


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes, and for integers"""
    call.agrees(rng.standard_normal((2, 3, 4, 7)), rng.standard_normal((2, 3, 5, 7)))
    call.agrees(rng.integers(-2, 3, (2, 4, 7)), rng.integers(-2, 3, (2, 5, 7)))


@EXERCISE.claim(0.5, side=True)
def leaves_inputs_alone(call, rng):
    """leaves its inputs alone"""
    Q, K = rng.standard_normal((3, 7)), rng.standard_normal((5, 7))
    call.leaves_inputs_alone(Q, K)
    with presupposed():
        _require_dot_products(call, Q, K)


wrong = WrongAnswers(EXERCISE, globals())

ROOT = "math.sqrt(Q.shape[-1])"  # as it stands in the reference

wrong.at(SCALE)
wrong("not-scaled", "Q @ K.swapaxes(-1, -2)", """
    Your function does not scale the dot products.
    A dot product has d_k terms, so its spread grows with d_k, and wide queries and keys give scores that saturate the
    softmax.""")

wrong("divides-by-d-k", {"math.sqrt(Q.shape[-1])": "Q.shape[-1]"}, """
    Your function divides by d_k itself: a square root is missing, or the scores are scaled twice.
    The variance of a dot product grows like d_k, its standard deviation more slowly. Divided by d_k the scores of wide
    vectors shrink towards 0 and all weights become equal.""")

take_other_divisors(wrong, ROOT, "{}", "multiplies", *ROOTS_OF_SIZES)

wrong("root-of-n-queries", {"(Q.shape[-1])": "(Q.shape[-2])"}, """
    Your function divides by the square root of the number of queries.
    Adding a query must not change the scores of the others. Look at the number of terms of one dot product.""")

take_other_divisors(wrong, ROOT, "{}", "root-of-first-axis")

wrong("root-of-first-axis-of-k", {"(Q.shape[-1])": "(K.shape[0])"}, """
    Your function divides by the square root of the length of the first axis of K.
    Without leading axes that is the number of keys, with a batch it is the size of the batch. Count the axes from the
    end.""")

take_other_divisors(wrong, ROOT, "{}", "root-of-second-axis")

wrong.at(PAIRS)
wrong("transposes-everything", {"swapaxes(-1, -2)": "T"}, """
    Your function reverses all the axes of K.
    `.T` reverses every axis, the batch and the heads included. Only the last two axes have to change places.""")

wrong("reshapes-keys", {"swapaxes(-1, -2)": "reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])"}, """
    The numbers of K fill the new shape row by row: no axes are exchanged.
    A reshape keeps the numbers in their order and cuts them into different rows, so that one column holds parts of
    several keys. The shape is right and the numbers are not.""")

wrong("no-transpose", {".swapaxes(-1, -2)": ""}, """
    The axes of K are in their old order when Q meets K.
    Rows of Q have to meet rows of K, but a matrix product pairs rows with columns. NumPy's `transpose` wants the order
    of all axes, so `K.transpose(-2, -1)` leaves a matrix as it is; `np.swapaxes(K, -1, -2)` exchanges two.""")

wrong("entry-by-entry", {"@ K.swapaxes(-1, -2)": "* K"}, """
    Your function multiplies Q and K entry by entry.
    `*` multiplies entries in the same place. A dot product also sums, and here there is one for each pair.""")

wrong("entry-by-entry-transposed", {"@ K.swapaxes(-1, -2)": "* K.T"}, """
    Your function multiplies Q and the transpose of K entry by entry.
    `*` is not the matrix product in NumPy. On square arrays it even runs, with wrong numbers.""")

wrong("keys-by-queries", "attention_scores(K, Q)", """
    Your function puts the keys in the rows and the queries in the columns.
    The scores of one query stand in one row, because the softmax runs along the last axis.""")

wrong("dot-on-batches", {"Q @ K.swapaxes(-1, -2)": "np.dot(Q, K.swapaxes(-1, -2))"}, """
    Every matrix of one batch meets every matrix of the other, as in np.dot.
    With leading axes np.dot does not go through the batch in step. NumPy has another product that does.""")

wrong.at()
wrong("returns-weights", "softmax(attention_scores(Q, K))", """
    Your function already applies the softmax.
    Scores come before the softmax and weights after it. Here you want the scores.""")

wrong("in-place", {"Q, K = as_float(Q), as_float(K)": f"Q /= {ROOT}", f" / {ROOT}": ""}, """
    Your function scales the caller's Q.
    An operator such as `/=` writes into the array that you were given, and integers cannot even hold the result. A
    plain division makes a new array.""")

wrong.at(SCALE)
wrong("half-of-d-k", {"math.sqrt(Q.shape[-1])": "(Q.shape[-1] / 2)"}, """
    Your function divides by half of d_k.
    A power binds more tightly than a division: `d_k ** 1 / 2` is `(d_k ** 1) / 2`. Write `d_k ** 0.5`, or take the
    square root by its name.""")

wrong("twice-d-k", {" / math.sqrt(Q.shape[-1])": " / Q.shape[-1] / 2"}, """
    The scores are divided by twice d_k.
    A power binds more tightly than a division, so `scores / d_k ** 1 / 2` is `(scores / d_k) / 2`. Write `d_k ** 0.5`,
    or take the square root by its name.""")

wrong("root-as-integer", {"math.sqrt(Q.shape[-1])": "int(math.sqrt(Q.shape[-1]))"}, """
    Your function rounds the square root down to a whole number.
    Only the roots of 4, 9, 16 and so on are whole. The divisor may have a fraction.""")

wrong("always-8", {"math.sqrt(Q.shape[-1])": "8"}, """
    Your function always divides by 8.
    That is right for queries of width 64, as in the base model of the paper. Yours may have any width.""")

wrong.at()
wrong("cosines", {
    "as_float(Q), as_float(K)": "(A / np.linalg.norm(A, axis=-1, keepdims=True) for A in (Q, K))",
    f" / {ROOT}": "",
}, """
    Your function divides by the lengths of the vectors.
    That gives the cosine of the angle. Here a long query or key counts for more, and the only divisor is the root of
    d_k.""")

wrong("distances", "-np.linalg.norm(Q[..., :, None, :] - K[..., None, :, :], axis=-1)", """
    Your function compares vectors by their distance.
    A score is the dot product of a query and a key: large where both point in the same direction.""")

wrong.at(SCALE)
wrong("root-of-the-quotient", {
    "return Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])": "return (Q @ K.swapaxes(-1, -2) / Q.shape[-1]) ** 0.5",
}, """
    Your function takes the root of the whole quotient, not of d_k alone.
    A negative product then becomes NaN. The bracket of the root closes behind d_k.""")
