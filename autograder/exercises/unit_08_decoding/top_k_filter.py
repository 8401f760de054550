"""Specification of `top_k_filter`."""

import numpy as np

from autograder.exercises.unit_08_decoding import calls
from autograder.exercises.unit_08_decoding.top_k_filter_mistakes import MISTAKES, SECTION
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.top_k_filter,
    asks="the logits with only the k largest of every row kept, and -inf in place of the others.",
    returns=(Output("logits", "(..., V)"),),
    where=SECTION,
    calls=calls.TOP_K_FILTER,
    mistakes=MISTAKES,
)


@EXERCISE.claim(0.5)
def values(call, rng):
    """keeps the k largest logits where they are and sets the others to -inf"""
    call.agrees(np.array([0.5, 3.0, -1.0, 2.0]), 2)  # by hand: ids 1 and 3 stay
    call.agrees(rng.standard_normal(9), int(rng.integers(3, 6)))
    call.agrees(rng.standard_normal(7).astype(np.float32), 4)
    call.agrees(1e10 * rng.standard_normal(6), 4)  # below any number that might stand for minus infinity


@EXERCISE.claim(0.25)
def rows(call, rng):
    """treats every row by itself, for any leading axes"""
    call.agrees(rng.standard_normal((4, 6)), 2)
    call.agrees(np.array([rng.permutation(5) for _ in range(3)]), 3)  # whole numbers
    call.agrees(rng.standard_normal((2, 3, 7)), 3)
    call.agrees(rng.standard_normal((1, 3, 1, 5)), 2)


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone and returns a new array, also when all logits stay"""
    logits = rng.standard_normal(7)
    for k in (3, 7, 9):
        call.leaves_inputs_alone(logits, k)
    call.agrees(logits, 3)


@EXERCISE.claim(0.5)
def ties(call, rng):
    """keeps exactly k, of equal logits those of the lowest ids"""
    call.agrees(np.array([1.5, 2.5, 1.5, 0.0, 1.5]), 2)
    call.agrees(np.array([[0.0, 0.0, 0.0, 0.0], [3.0, 1.0, 3.0, 3.0]]), 3)
    call.agrees(np.array([-np.inf, 1.0, -np.inf, 2.0, -np.inf]), 3)  # as another filter leaves them
    call.agrees(rng.integers(0, 3, 300) / 2, int(rng.integers(130, 170)))  # a sort that is not stable shows


@EXERCISE.claim(0.25)
def limits(call, rng):
    """keeps all when k is V or more, and the largest alone when k is 1"""
    logits = rng.standard_normal(4)
    for k in (4, 9, 1):
        call.agrees(logits, k)


@EXERCISE.claim(0.25, side=True)
def below_one(call, rng):
    """a k below 1 raises a ValueError that mentions it"""
    logits = rng.standard_normal(4)
    call.refuses(logits, 0, mentions=[0])
    call.refuses(logits, -2, mentions=[-2])
    call.agrees(logits, 2)
