"""Specification of `add_positions`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from transformer_kit import reference


def _same_length(call, rng):
    call.agrees(np.array([[0.5, 0.25, 2.0]]), np.array([[1.0, 2.0, -4.0]]))  # by hand: 1.5, 2.25, -2
    call.agrees(rng.standard_normal((5, 6)), rng.standard_normal((5, 6)))
    call.agrees(*(rng.standard_normal((3, 4)).astype(np.float32) for _ in range(2)))


def _longer_table(call, rng):
    call.agrees(rng.standard_normal((5, 6)), rng.standard_normal((int(rng.integers(8, 12)), 6)))


def _leading_axes(call, rng):
    P = rng.standard_normal((9, 6))
    call.agrees(rng.standard_normal((3, 5, 6)), P)
    call.agrees(rng.standard_normal((2, 3, 7, 6)), P)
    call.agrees(rng.standard_normal((11, 5, 6)), P)  # more sequences than positions


def _inputs(call, rng):
    X, P = rng.standard_normal((5, 6)), rng.standard_normal((5, 6))
    call.agrees(rng.integers(-9, 10, (5, 6)), P)
    call.agrees(X, P)
    call.leaves_inputs_alone(X, P)


def _too_long(call, rng):
    n_max = int(rng.integers(3, 6))
    P = rng.standard_normal((n_max, 2))
    call.agrees(rng.standard_normal((n_max, 2)), P)
    call.refuses(rng.standard_normal((7, 2)), P, mentions=[7, n_max])
    call.refuses(rng.standard_normal((2, 7, 2)), P, mentions=[7, n_max])  # few sequences, each too long


def _one_row(call, rng):
    n, P = int(rng.integers(5, 9)), rng.standard_normal((1, 4))
    call.agrees(rng.standard_normal((1, 4)), P)
    call.refuses(rng.standard_normal((n, 4)), P, mentions=[n, 1])
    call.refuses(rng.standard_normal((1, n, 4)), P, mentions=[n, 1])


def _whole_table(X, P):
    return X + P


def _no_length_check(X, P):
    return X + P[: X.shape[-2]]


def _first_axis(X, P):
    n, n_max = X.shape[0], P.shape[0]
    if n > n_max:
        raise ValueError(f"{n} tokens, but only {n_max} positions")
    return X + P[:n]


def _sequences_counted(X, P):
    n, n_max = len(X), len(P)
    if n > n_max:
        raise ValueError(f"{n} tokens, but only {n_max} positions")
    return X + P[: X.shape[-2]]


def _last_rows(X, P):
    _require_room(X, P)
    return X + P[P.shape[0] - X.shape[-2] :]


def _from_one(X, P):
    _require_room(X, P)
    return X + P[1 : X.shape[-2] + 1]


def _always_row_zero(X, P):
    _require_room(X, P)
    return X + P[0]


def _in_place(X, P):
    _require_room(X, P)
    X += P[: X.shape[-2]]
    return X


def _truncated(X, P):
    _require_room(X, P)
    output = np.zeros_like(X)
    output[...] = X + P[: X.shape[-2]]
    return output


def _scaled(X, P):
    return reference.add_positions(X * np.sqrt(X.shape[-1]), P)


def _concatenated(X, P):
    _require_room(X, P)
    rows = np.broadcast_to(P[: X.shape[-2]], X.shape)
    return np.concatenate([X, rows], axis=-1)


def _cut(X, P):
    n = min(X.shape[-2], P.shape[0])
    return X[..., :n, :] + P[:n]


def _wrapped(X, P):
    return X + P[np.arange(X.shape[-2]) % P.shape[0]]


def _require_room(X, P):
    """Raise the reference's own error, so that a mistake is wrong in its one respect only."""
    reference.add_positions(X, P)


SECTION = "Exercise 1.3: add_positions"
SHAPES = "Which rows of the table"

EXERCISE = Exercise(
    reference=reference.add_positions,
    asks="add row p of the table to the token at position p, in every sequence of X.",
    returns=(Returned("output", "(..., n, d_model)"),),
    where=SHAPES,
    claims=(
        Claim("adds row p of the table to token p", 0.5, _same_length),
        Claim("of a longer table only the first n rows count", 0.5, _longer_table),
        Claim("works for any leading axes", 0.5, _leading_axes),
        Claim("leaves its inputs alone, and also takes whole numbers", 0.5, _inputs),
        Claim("more tokens than rows raise a ValueError that mentions both numbers", 0.5, _too_long),
        Claim("a table of one row is not spread over several tokens", 0.5, _one_row),
    ),
    mistakes=(
        Mistake(
            "whole-table",
            "The whole table is added",
            _whole_table,
            "A table is made once, for the longest sequence. A shorter sequence takes only as many rows as it has "
            "tokens.",
            SHAPES,
        ),
        Mistake(
            "no-length-check",
            "A table of one row is silently used for every token",
            _no_length_check,
            "NumPy stretches an axis of length 1, so every token gets the vector of position 0 and no error is "
            "raised. Compare the two lengths yourself.",
            SHAPES,
        ),
        Mistake(
            "first-axis",
            "The length of the sequence is taken from the first axis",
            _first_axis,
            "With a batch the first axis counts sequences. Positions run along the last axis but one.",
            SHAPES,
        ),
        Mistake(
            "sequences-counted",
            "The number of sequences is compared with the table",
            _sequences_counted,
            "`len` of an array is the length of its first axis, which counts sequences as soon as there is a batch. "
            "A large batch of short sequences is then refused. Compare the number of tokens.",
            SHAPES,
        ),
        Mistake(
            "last-rows",
            "The last rows of the table are used",
            _last_rows,
            "The first token has position 0, whatever the length of the table.",
            SHAPES,
        ),
        Mistake(
            "rows-from-1",
            "The first token gets row 1",
            _from_one,
            "Positions count from 0, so the first token takes the first row of the table.",
            SHAPES,
        ),
        Mistake(
            "always-row-0",
            "Every token gets row 0",
            _always_row_zero,
            "All tokens are then moved by the same vector, which says nothing about their order.",
            SHAPES,
        ),
        Mistake(
            "in-place",
            "The token vectors are overwritten",
            _in_place,
            "`X += ...` writes into the caller's array (and fails on whole numbers). Make a new array instead.",
            SECTION,
        ),
        Mistake(
            "fractions-cut",
            "The sums are cut to whole numbers when the token vectors are whole",
            _truncated,
            "An array made like X has the dtype of X, and integers have no room for fractions.",
            SECTION,
        ),
        Mistake(
            "scaled",
            "The token vectors are multiplied by the square root of d_model first",
            _scaled,
            "The paper does that too, but as a step of its own (its section 3.4). This function only adds.",
            SECTION,
        ),
        Mistake(
            "concatenated",
            "The position vectors are put beside the token vectors",
            _concatenated,
            "Adding keeps the width d_model, which every later layer relies on; putting side by side doubles it.",
            SECTION,
        ),
        Mistake(
            "sequence-cut",
            "A sequence that is too long is silently cut",
            _cut,
            "Tokens would get lost without a word. Say with a ValueError that the table is too short.",
            SHAPES,
        ),
        Mistake(
            "table-repeated",
            "A table that is too short starts again from row 0",
            _wrapped,
            "Two tokens would get the same position. Say with a ValueError that the table is too short.",
            SHAPES,
        ),
    ),
)
