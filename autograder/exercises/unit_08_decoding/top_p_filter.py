"""Specification of `top_p_filter`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_08_decoding.top_p_filter_mistakes import DOWN, MISTAKES
from transformer_kit import reference

# Multiples of ln 2 that start at 0: every way of writing a softmax gives exactly 1/8, 1/2, 1/8, 1/4.
EIGHTHS = np.array([0.0, 2.0, 0.0, 1.0]) * np.log(2)


def _values(call, rng):
    call.agrees(np.log([1.0, 4.0, 2.0, 3.0]), 0.8)  # by hand: tenths; 4 + 3 fall short of 8, 4 + 3 + 2 reach it
    for p in (0.4, 0.7, 0.9):
        call.agrees(rng.standard_normal(8), p)
    call.agrees(rng.standard_normal(6).astype(np.float32), 0.6)


def _boundaries(call, rng):
    for p in (0.5, 0.75, 0.6):
        call.agrees(np.insert(rng.permutation(EIGHTHS), rng.integers(5, size=2), -np.inf), p)


def _at_least_one(call, rng):
    logits = rng.standard_normal(7)
    call.agrees(logits, 1e-3)
    call.agrees(np.append(logits, 9.0), 0.05)


def _all(call, rng):
    call.agrees(rng.permutation([0.0, -50.0, 1.0, -40.0, 2.0]), 1.0)  # 1e-22 vanishes beside 1, but it is not 0
    call.agrees(rng.permutation([0.5, -np.inf, 1.5, 0.0, -np.inf]), 1.0)
    call.agrees(rng.permutation([0.0, 0.5, 9.0, 0.25]), 0.9)  # unlike any other p


def _ties(call, rng):
    call.agrees(np.zeros(4), 0.5)
    call.agrees(np.array([0.0, 1.0, 0.0, 1.0, 0.0]), 0.8)
    call.agrees(np.full(20, 0.5), float(rng.integers(7, 12)) / 20 + 0.02)


def _rows(call, rng):
    logits = rng.standard_normal((2, 3, 6))
    call.agrees(rng.standard_normal((4, 7)), 0.7)
    call.agrees(np.array([rng.permutation(5) for _ in range(3)]), 0.9)  # whole numbers
    call.agrees(logits, 0.6)
    call.leaves_inputs_alone(logits, 0.6)


def _outside(call, rng):
    logits = rng.standard_normal(5)
    call.agrees(logits, 0.5)
    call.refuses(logits, 0.0, mentions=[0])
    call.refuses(logits, -0.25, mentions=[-0.25])
    call.refuses(logits, 1.25, mentions=[1.25])


EXERCISE = Exercise(
    reference=reference.top_p_filter,
    asks="the logits with only the likeliest tokens kept, as many as it takes to reach p, and -inf elsewhere.",
    returns=(Returned("logits", "(..., V)"),),
    where=DOWN,
    claims=(
        Claim("keeps the likeliest tokens until their probabilities reach p", 1, _values),
        Claim("the token that crosses p is kept; a sum of exactly p is enough", 0.5, _boundaries),
        Claim("keeps at least one token, however small p is", 0.5, _at_least_one),
        Claim("p = 1 keeps every token of non-zero probability", 0.5, _all),
        Claim("of equal logits keeps those of the lowest ids", 0.5, _ties),
        Claim("treats every row by itself, for any leading axes, and leaves its inputs alone", 0.5, _rows),
        Claim("a p outside (0, 1] raises a ValueError that mentions it", 0.5, _outside),
    ),
    mistakes=MISTAKES,
)
