"""Specification of `add_positions`."""

import numpy as np

from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_01_positional_encoding import calls
from autograder.exercises.unit_01_positional_encoding.add_positions_mistakes import MISTAKES, SHAPES
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.add_positions,
    asks="add row p of the table to the token at position p, in every sequence of X.",
    returns=(Output("output", "(..., n, d_model)"),),
    where=SHAPES,
    calls=calls.ADD_POSITIONS,
    mistakes=MISTAKES,
)


@EXERCISE.claim(0.5)
def same_length(call, rng):
    """adds row p of the table to token p"""
    call.agrees(np.array([[0.5, 0.25, 2.0]]), np.array([[1.0, 2.0, -4.0]]))  # by hand: 1.5, 2.25, -2
    call.agrees(rng.standard_normal((5, 6)), rng.standard_normal((5, 6)))
    call.agrees(*(rng.standard_normal((3, 4)).astype(np.float32) for _ in range(2)))


@EXERCISE.claim(0.5)
def longer_table(call, rng):
    """of a longer table only the first n rows count"""
    call.agrees(rng.standard_normal((5, 6)), rng.standard_normal((int(rng.integers(8, 12)), 6)))
    call.agrees(rng.standard_normal((700, 2)), rng.standard_normal((900, 2)))


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes"""
    P = rng.standard_normal((9, 6))
    call.agrees(rng.standard_normal((3, 5, 6)), P)
    call.agrees(rng.standard_normal((2, 3, 7, 6)), P)
    call.agrees(rng.standard_normal((11, 5, 6)), P)  # more sequences than positions
    call.refuses(rng.standard_normal((2, 7, 6)), P[:4], mentions=[7, 4])  # few sequences, each too long
    call.refuses(rng.standard_normal((1, 7, 6)), P[:1], mentions=[7, 1])


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone, and also takes whole numbers"""
    X, P = rng.standard_normal((5, 6)), rng.standard_normal((5, 6))
    call.leaves_inputs_alone(X, P)
    call.agrees(X, P)
    agrees_here(call, rng.integers(-9, 10, (5, 6)), P)


@EXERCISE.claim(0.5, side=True)
def too_long(call, rng):
    """more tokens than rows raise a ValueError that mentions both numbers"""
    n_max = int(rng.integers(3, 6))
    P = rng.standard_normal((n_max, 2))
    call.refuses(rng.standard_normal((7, 2)), P, mentions=[7, n_max])
    call.agrees(rng.standard_normal((n_max, 2)), P)


@EXERCISE.claim(0.5, side=True)
def one_row(call, rng):
    """a table of one row is not spread over several tokens"""
    n, P = int(rng.integers(5, 9)), rng.standard_normal((1, 4))
    call.refuses(rng.standard_normal((n, 4)), P, mentions=[n, 1])
    call.agrees(rng.standard_normal((1, 4)), P)
