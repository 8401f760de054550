"""Specification of `top_k_filter`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_08_decoding.top_k_filter_mistakes import MISTAKES, SECTION
from transformer_kit import reference


def _values(call, rng):
    call.agrees(np.array([0.5, 3.0, -1.0, 2.0]), 2)  # by hand: ids 1 and 3 stay
    call.agrees(rng.standard_normal(9), int(rng.integers(3, 6)))
    call.agrees(rng.standard_normal(7).astype(np.float32), 4)


def _rows(call, rng):
    logits = rng.standard_normal((2, 3, 7))
    call.agrees(rng.standard_normal((4, 6)), 2)
    call.agrees(np.array([rng.permutation(5) for _ in range(3)]), 3)  # whole numbers
    for k in (3, 8):
        call.agrees(logits, k)
        call.leaves_inputs_alone(logits, k)


def _ties(call, rng):
    call.agrees(np.array([1.5, 2.5, 1.5, 0.0, 1.5]), 2)
    call.agrees(np.array([[0.0, 0.0, 0.0, 0.0], [3.0, 1.0, 3.0, 3.0]]), 3)
    call.agrees(np.zeros(20), int(rng.integers(6, 12)))  # long enough for a sort that is not stable to show


def _limits(call, rng):
    logits = rng.standard_normal((2, 4))
    call.agrees(logits, 4)
    call.agrees(logits, 9)
    call.agrees(logits, 1)
    call.refuses(logits, 0, mentions=[0])
    call.refuses(logits, -2, mentions=[-2])


EXERCISE = Exercise(
    reference=reference.top_k_filter,
    asks="the logits with only the k largest of every row kept, and -inf in place of the others.",
    returns=(Returned("logits", "(..., V)"),),
    where=SECTION,
    claims=(
        Claim("keeps the k largest logits where they are and sets the others to -inf", 0.5, _values),
        Claim("treats every row by itself, for any leading axes, and leaves its inputs alone", 0.5, _rows),
        Claim("keeps exactly k, of equal logits those of the lowest ids", 0.5, _ties),
        Claim("keeps all when k is V or more; k below 1 raises a ValueError that mentions it", 0.5, _limits),
    ),
    mistakes=MISTAKES,
)
