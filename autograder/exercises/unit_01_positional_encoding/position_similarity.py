"""Specification of `position_similarity`."""

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.inputs import table_of
from autograder.exercises.unit_01_positional_encoding import lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

BAND = "What one pair of columns adds"

EXERCISE = Exercise(
    reference=reference.position_similarity,
    asks="the dot product of every pair of rows of the table.",
    returns=(Output("similarity", "(n, n)"),),
    lookalike=lookalikes.POSITION_SIMILARITY,
)


@EXERCISE.claim(1.5)
def values(call, rng):
    """entry (i, j) is the dot product of rows i and j"""
    call.agrees(np.array([[1.0, 2.0, 0.0], [0.0, 3.0, -1.0]]))  # by hand: 5 and 10, and 6 twice
    call.agrees(rng.standard_normal((5, 6)))
    call.agrees(rng.standard_normal((7, 4)).astype(np.float32))
    call.agrees(rng.standard_normal((1, 6)))
    call.agrees(0.01 * rng.standard_normal((4, 5)))  # small products are no zeros


@EXERCISE.claim(1)
def band(call, rng):
    """on a positional encoding it depends on i - j only, and is largest on the diagonal"""
    n, d_model = int(rng.choice([7, 9])), int(rng.choice([6, 8]))
    other, S = (table_of(call, (n, n), reference.positional_encoding(n, d_model, base)) for base in (10.0, 10000.0))
    size = np.abs(S).max()
    unmoved = bool((np.abs(other - S) < 1e-6 * size).all())
    call.holds(not unmoved, "two encodings with other frequencies have the same similarities.")
    slack = bound_for(1e-8 * size, S)
    close = np.isclose(S[1:, 1:], S[:-1, :-1], atol=slack)  # each entry and its neighbour down the diagonal
    unlike = np.argwhere(~close)
    i, j = (int(k) for k in unlike[0]) if len(unlike) else (0, 0)
    call.holds(
        not len(unlike),
        f"the pairs ({i}, {j}) and ({i + 1}, {j + 1}) are equally far apart, "
        f"but their entries are {S[i, j]:.6g} and {S[i + 1, j + 1]:.6g}.",
    )
    nearest = S[~np.eye(n, dtype=bool)].max()
    call.holds(
        bool(S[0, 0] > nearest),
        f"a position with itself has {S[0, 0]:.6g}, two different positions have up to {nearest:.6g}. "
        "No position may be more similar to another one than to itself.",
    )


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its input alone"""
    P = rng.standard_normal((5, 8))
    call.leaves_inputs_alone(P)
    call.agrees(P)


wrong = WrongAnswers(EXERCISE, globals())

wrong("columns", "P.T @ P", """
    Columns are compared, not rows.
    Positions are rows, so the result has one row and one column per position.""")


def _unit_rows(P):
    return P / np.linalg.norm(P, axis=1, keepdims=True)


wrong("cosine", {"as_float(P)": "as_float(_unit_rows(P))"}, """
    Every row is divided by its length first.
    That is the cosine of the angle between two rows. You are asked for the plain dot product, as attention will use
    it.""")


@wrong.function
def normalised_in_place(P):
    """The rows of the caller's table are divided by their length.
    The dot product needs no division, and `P /= ...` writes into the caller's array."""
    P /= np.linalg.norm(P, axis=1, keepdims=True)
    return P @ P.T


wrong("scaled", "position_similarity(P) / np.sqrt(P.shape[1])", """
    The dot products are divided by the square root of the width.
    That belongs to attention, in the next unit. Here you want the plain dot product.""")

wrong.at(BAND)
wrong("mean-product", "position_similarity(P) / P.shape[1]", """
    The products are averaged, not summed.
    A dot product is a sum. On the diagonal of a positional encoding there should be d_model / 2.""")

wrong("centred", "position_similarity(P - P.mean(axis=1, keepdims=True))", """
    Every row loses its mean first.
    That is a covariance. It no longer depends on the distance alone, because the means differ from row to row.""")

wrong.at()
wrong("elementwise", {"@ P.T": "* P"}, """
    Every entry of the table is squared, and no row meets another.
    A dot product takes two rows, which may be different ones, and sums the products of their entries; in NumPy `*`
    multiplies entries and no more.""")

wrong("only-with-itself", {"P @ P.T": "(P * P).sum(axis=1)"}, """
    Every row is compared with itself only.
    These are the diagonal entries. You are asked for all pairs of rows.""")

wrong("only-with-row-0", {".T": "[0]"}, """
    Every row is compared with row 0 only.
    This is one row of the result. You are asked for all pairs of rows.""")

wrong("distances", {"P @ P.T": "np.linalg.norm(P[:, None] - P[None, :], axis=-1)"}, """
    Distances are returned, not dot products.
    A distance is 0 for equal rows and grows as they move apart; a dot product falls.""")

wrong("upper-triangle", "np.triu(position_similarity(P))", """
    Only one half of the table is filled.
    The dot product of rows i and j is also that of rows j and i. The numbers below the diagonal are those above it.""")

wrong("absolute", "np.abs(position_similarity(P))", """
    Minus signs are lost.
    A dot product below 0 says that two vectors point in opposite directions. That is not the same as being alike.""")


@wrong.function
def own_table(P):
    """The table that is given is not used.
    Your function makes a table of its own. It has to use the one that it is given, whatever is in it."""
    table = reference.positional_encoding(*P.shape)
    return table @ table.T


wrong("weights-returned", "softmax(position_similarity(P))", """
    A softmax is applied to the dot products.
    The softmax turns scores into weights, and comes in the next unit. Here you want the plain dot products.""")

wrong("diagonal-of-ones", "position_similarity(P) / (P.shape[1] / 2)", """
    The dot products are divided by d_model / 2.
    That makes the diagonal of a positional encoding 1. But you want the plain dot product, and a table may hold other
    numbers.""")

wrong("not-transposed", {".T": ""}, """
    The table is multiplied by itself without swapping its axes.
    A matrix product pairs rows of the first factor with *columns* of the second. To pair rows with rows, swap the axes
    of the second one. NumPy's `P.transpose(-2, -1)` leaves them as they are: it wants the order of all axes.""")
