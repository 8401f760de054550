"""Specification of `top_p_filter`."""

import numpy as np

from autograder.exercises.unit_08_decoding import calls, top_p_filter_mistakes, top_p_filter_rows_mistakes
from autograder.specification import Exercise, Output
from transformer_kit import reference

# Multiples of ln 2 that start at 0: every way of writing a softmax gives exactly 1/8, 1/2, 1/8, 1/4.
EIGHTHS = np.array([0.0, 2.0, 0.0, 1.0]) * np.log(2)

EXERCISE = Exercise(
    reference=reference.top_p_filter,
    asks="the logits with only the likeliest tokens kept, as many as it takes to reach p, and -inf elsewhere.",
    returns=(Output("logits", "(..., V)"),),
    where=top_p_filter_mistakes.SECTION,
    calls=calls.TOP_P_FILTER,
    mistakes=[*top_p_filter_mistakes.MISTAKES, *top_p_filter_rows_mistakes.MISTAKES],
)


@EXERCISE.claim(1)
def values(call, rng):
    """keeps the likeliest tokens until their probabilities reach p"""
    call.agrees(np.log([1.0, 4.0, 2.0, 3.0]), 0.8)  # by hand: tenths; 4 + 3 fall short of 8, 4 + 3 + 2 reach it
    for p in (0.4, 0.7, 0.9):
        call.agrees(rng.standard_normal(8), p)
    call.agrees(rng.standard_normal(6).astype(np.float32), 0.6)
    for level in (-1000.0, 1000.0):
        call.agrees(level + rng.standard_normal(5), 0.8)  # a softmax that is not stable gives NaN here


@EXERCISE.claim(0.5)
def boundaries(call, rng):
    """the token that crosses p is kept; a sum of exactly p is enough"""
    for p in (0.5, 0.75, 0.6):
        call.agrees(np.insert(rng.permutation(EIGHTHS), rng.integers(5, size=2), -np.inf), p)


@EXERCISE.claim(0.5)
def at_least_one(call, rng):
    """keeps at least one token, however small p is"""
    logits = rng.standard_normal(7)
    call.agrees(logits, 1e-3)
    call.agrees(np.append(logits, 9.0), 0.05)


@EXERCISE.claim(0.5)
def everything(call, rng):
    """p = 1 keeps every token of non-zero probability"""
    call.agrees(rng.permutation([0.0, -50.0, 0.0, -40.0]), 1.0)  # 1e-22 vanishes beside 1/2 + 1/2, but it is not 0
    call.agrees(rng.permutation([0.0, -50.0, 1.0, -40.0, 2.0]), 1.0)  # a sum that rounding leaves a little below 1
    call.agrees(rng.permutation([0.5, -np.inf, 1.5, 0.0, -np.inf]), 1.0)
    call.agrees(rng.permutation([0.0, 0.5, 9.0, 0.25]), 0.9)  # unlike any other p


@EXERCISE.claim(0.5)
def ties(call, rng):
    """of equal logits keeps those of the lowest ids"""
    call.agrees(np.zeros(4), 0.5)
    call.agrees(np.array([0.0, 1.0, 0.0, 1.0, 0.0]), 0.8)
    call.agrees(np.full(20, 0.5), float(rng.integers(7, 12)) / 20 + 0.02)
    call.agrees(rng.integers(0, 3, 500) / 2, 0.6)  # a sort that is not stable shows


@EXERCISE.claim(0.25)
def rows(call, rng):
    """treats every row by itself, for any leading axes"""
    call.agrees(rng.standard_normal((4, 7)), 0.7)
    call.agrees(np.array([rng.permutation(5) for _ in range(3)]), 0.9)  # whole numbers
    call.agrees(rng.standard_normal((2, 3, 6)), 0.6)
    call.agrees(rng.standard_normal((1, 3, 1, 5)), 0.8)


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone and returns a new array, also when all logits stay"""
    logits = rng.standard_normal(6)
    for p in (0.6, 1.0):
        call.leaves_inputs_alone(logits, p)
    call.agrees(logits, 0.6)


@EXERCISE.claim(0.5, side=True)
def outside(call, rng):
    """a p outside (0, 1] raises a ValueError that mentions it"""
    logits = rng.standard_normal(5)
    call.refuses(logits, 0.0, mentions=[0])
    call.refuses(logits, -0.25, mentions=[-0.25])
    call.refuses(logits, 1.25, mentions=[1.25])
    call.agrees(logits, 0.5)
