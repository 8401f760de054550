"""Specification of `position_similarity`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from autograder.exercises.inputs import table_of
from transformer_kit import reference


def _values(call, rng):
    call.agrees(np.array([[1.0, 2.0, 0.0], [0.0, 3.0, -1.0]]))  # by hand: 5 and 10, and 6 twice
    call.agrees(rng.standard_normal((5, 6)))
    call.agrees(rng.standard_normal((7, 4)).astype(np.float32))


def _band(call, rng):
    n, d_model = int(rng.choice([7, 9])), int(rng.choice([6, 8]))
    S = table_of(call, (n, n), reference.positional_encoding(n, d_model))
    unlike = np.argwhere(~np.isclose(S[1:, 1:], S[:-1, :-1]))  # each entry and its neighbour down the diagonal
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


def _inputs(call, rng):
    P = rng.standard_normal((5, 8))
    call.agrees(P)
    call.leaves_inputs_alone(P)


def _columns(P):
    return P.T @ P


def _unit_rows(P):
    return P / np.linalg.norm(P, axis=1, keepdims=True)


def _cosine(P):
    return _unit_rows(P) @ _unit_rows(P).T


def _in_place(P):
    P /= np.linalg.norm(P, axis=1, keepdims=True)
    return P @ P.T


def _scaled(P):
    return reference.position_similarity(P) / np.sqrt(P.shape[1])


def _mean_product(P):
    return reference.position_similarity(P) / P.shape[1]


def _centred(P):
    return reference.position_similarity(P - P.mean(axis=1, keepdims=True))


def _elementwise(P):
    return P * P


def _own_length(P):
    return (P * P).sum(axis=1)


def _first_row(P):
    return P @ P[0]


def _distances(P):
    return np.linalg.norm(P[:, None] - P[None, :], axis=-1)


SECTION = "Exercise 1.4: position_similarity"
BAND = "Why only the distance matters"

EXERCISE = Exercise(
    reference=reference.position_similarity,
    asks="the dot product of every pair of rows of the table.",
    returns=(Returned("similarity", "(n, n)"),),
    where=SECTION,
    claims=(
        Claim("entry (i, j) is the dot product of rows i and j", 1.5, _values),
        Claim("on a positional encoding it depends on i - j only, and is largest on the diagonal", 1, _band),
        Claim("leaves its input alone", 0.5, _inputs),
    ),
    mistakes=(
        Mistake(
            "columns",
            "Columns are compared, not rows",
            _columns,
            "Positions are rows, so the result has one row and one column per position.",
            SECTION,
        ),
        Mistake(
            "cosine",
            "Every row is divided by its length first",
            _cosine,
            "That is the cosine of the angle between two rows. Asked for is the plain dot product, as attention "
            "will use it.",
            SECTION,
        ),
        Mistake(
            "normalised-in-place",
            "The rows of the caller's table are divided by their length",
            _in_place,
            "The dot product needs no division, and `P /= ...` writes into the caller's array.",
            SECTION,
        ),
        Mistake(
            "scaled",
            "The dot products are divided by the square root of the width",
            _scaled,
            "That belongs to attention, in the next notebook. Here the plain dot product is asked for.",
            SECTION,
        ),
        Mistake(
            "mean-product",
            "The products are averaged, not summed",
            _mean_product,
            "A dot product is a sum. On the diagonal of a positional encoding there should be d_model / 2.",
            BAND,
        ),
        Mistake(
            "centred",
            "Every row loses its mean first",
            _centred,
            "That is a covariance. It no longer depends on the distance alone, because the means differ from row to "
            "row.",
            BAND,
        ),
        Mistake(
            "elementwise",
            "The table is multiplied by itself entry by entry",
            _elementwise,
            "In NumPy `*` multiplies entries; a dot product also sums them, and takes two different rows.",
            SECTION,
        ),
        Mistake(
            "only-with-itself",
            "Every row is compared with itself only",
            _own_length,
            "These are the diagonal entries. Asked for are all pairs of rows.",
            SECTION,
        ),
        Mistake(
            "only-with-row-0",
            "Every row is compared with row 0 only",
            _first_row,
            "This is one row of the result. Asked for are all pairs of rows.",
            SECTION,
        ),
        Mistake(
            "distances",
            "Distances are returned, not dot products",
            _distances,
            "A distance is 0 for equal rows and grows; a dot product is largest there.",
            SECTION,
        ),
    ),
)
