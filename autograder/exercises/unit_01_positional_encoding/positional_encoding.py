"""Specification of `positional_encoding`."""

import numpy as np

from autograder.exercises.inputs import agrees_here, table_of
from autograder.exercises.unit_01_positional_encoding import (
    calls,
    positional_encoding_angle_mistakes,
    positional_encoding_mistakes,
)
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.positional_encoding,
    asks="the table with one row per position: sines in the even columns, cosines in the odd ones.",
    returns=(Output("P", "(seq_len, d_model)"),),
    where=positional_encoding_mistakes.LAYOUT,
    calls=calls.POSITIONAL_ENCODING,
    mistakes=[*positional_encoding_mistakes.MISTAKES, *positional_encoding_angle_mistakes.MISTAKES],
)


@EXERCISE.claim(2)
def values(call, rng):
    """equals the definition"""
    call.agrees(3, 4)  # by hand: sines and cosines of p and of p / 100
    call.agrees(int(rng.choice([5, 7, 11])), int(rng.choice([6, 10, 14])))
    call.agrees(2500, 4)
    call.agrees(2, 1024)
    call.agrees(1, 6)


@EXERCISE.claim(1, side=True)
def base(call, rng):
    """the argument `base` reaches the table, and every call makes a new one"""
    call.agrees(5, 8)
    base = float(rng.integers(20, 500))
    agrees_here(call, 5, 8, base)
    call.leaves_inputs_alone(5, 8, base)


@EXERCISE.claim(1)
def first_row(call, rng):
    """positions count from 0: row 0 is 0, 1, 0, 1, ..."""
    n, d_model = int(rng.choice([5, 7])), int(rng.choice([6, 8]))
    first = table_of(call, (n, d_model), n, d_model)[0]
    pattern = np.tile([0.0, 1.0], d_model // 2)
    call.holds(
        np.allclose(first, pattern),
        f"row 0 is {first.round(4)}. At position 0 every angle is 0: sines are 0 and cosines are 1.",
    )


@EXERCISE.claim(1)
def pairs(call, rng):
    """columns 2i and 2i + 1 are sine and cosine of one angle: their squares sum to 1"""
    n, d_model = int(rng.choice([7, 9])), int(rng.choice([6, 8]))
    P = table_of(call, (n, d_model), n, d_model)
    call.holds(not np.allclose(P[0], P[1]), "rows 0 and 1 are equal, so two positions cannot be told apart.")
    squares = P[:, 0::2] ** 2 + P[:, 1::2] ** 2  # (n, d_model / 2)
    wrong = np.argwhere(~np.isclose(squares, 1))
    row, pair = (int(i) for i in wrong[0]) if len(wrong) else (0, 0)
    call.holds(
        not len(wrong),
        f"in row {row} the squares of columns {2 * pair} and {2 * pair + 1} sum to {squares[row, pair]:.6g}, not to 1.",
    )


@EXERCISE.claim(1, side=True)
def odd(call, rng):
    """an odd d_model raises a ValueError that mentions it"""
    odd = 2 * int(rng.integers(6, 40)) + 1
    call.refuses(4, odd, mentions=[odd])
    table_of(call, (4, 12), 4, 12)
