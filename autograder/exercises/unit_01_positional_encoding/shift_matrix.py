"""Specification of `shift_matrix`."""

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.inputs import agrees_here, table_of
from autograder.exercises.unit_01_positional_encoding import calls
from autograder.exercises.unit_01_positional_encoding.shift_matrix_mistakes import BLOCKS, MISTAKES
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.shift_matrix,
    asks="the matrix R with P[p + offset] = P[p] @ R.T for every position p.",
    returns=(Output("R", "(d_model, d_model)"),),
    where=BLOCKS,
    calls=calls.SHIFT_MATRIX,
    mistakes=MISTAKES,
)


@EXERCISE.claim(2)
def values(call, rng):
    """moves every position vector by the offset"""
    call.agrees(1, 2)  # by hand: one turn by 1 radian
    call.agrees(int(rng.integers(2, 9)), int(rng.choice([6, 8, 10])))
    call.agrees(700, 64)


@EXERCISE.claim(1)
def turns(call, rng):
    """is a rotation, and R(a) R(b) = R(a + b)"""
    d_model = int(rng.choice([6, 8]))
    a, b = (int(k) for k in rng.choice([2, 3, 4, 5], 2, replace=False))
    by_a, by_b, by_both = (table_of(call, (d_model, d_model), k, d_model) for k in (a, b, a + b))
    identity, slack = np.eye(d_model), bound_for(1e-8, by_a, by_b, by_both)
    call.holds(not np.allclose(by_a, identity), f"R({a}) is the identity: it moves nothing.")
    call.holds(
        np.allclose(by_a @ by_a.T, identity, atol=slack),
        f"R({a}) @ R({a}).T is not the identity, so R({a}) changes lengths or angles. A rotation does not.",
    )
    mirrored = ", ".join(f"R({k})" for k, R in ((a, by_a), (b, by_b)) if np.linalg.det(R) < 0)
    call.holds(not mirrored, f"{mirrored} has the determinant -1, so there is a reflection in it.")
    call.holds(np.allclose(by_a @ by_b, by_both, atol=slack), f"R({a}) @ R({b}) is not R({a + b}).")


@EXERCISE.claim(1)
def nowhere_and_backwards(call, rng):
    """offset 0 moves nothing, and a negative offset moves back"""
    call.agrees(0, 6)
    d_model, offset = int(rng.choice([6, 8])), int(rng.integers(2, 6))
    there, back = (table_of(call, (d_model, d_model), k, d_model) for k in (offset, -offset))
    identity, slack = np.eye(d_model), bound_for(1e-8, there, back)
    call.holds(not np.allclose(there, identity), f"R({offset}) is the identity: it moves nothing.")
    call.holds(np.allclose(back @ there, identity, atol=slack), f"R({-offset}) @ R({offset}) is not the identity.")


@EXERCISE.claim(0.5, side=True)
def base(call, rng):
    """the argument `base` reaches the angles, and every call makes a new matrix"""
    call.agrees(3, 8)
    base = float(rng.integers(20, 500))
    agrees_here(call, 3, 8, base)
    call.leaves_inputs_alone(3, 8, base)


@EXERCISE.claim(0.5, side=True)
def odd(call, rng):
    """an odd d_model raises a ValueError that mentions it"""
    odd = 2 * int(rng.integers(6, 40)) + 1
    call.refuses(4, odd, mentions=[odd])
    table_of(call, (6, 6), 4, 6)
