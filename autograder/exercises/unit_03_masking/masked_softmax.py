"""Specification of `masked_softmax`."""

import numpy as np

from autograder.exercises.inputs import agrees_here, random_mask
from autograder.exercises.unit_03_masking import calls, masked_softmax_axis_mistakes, masked_softmax_mistakes
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.masked_softmax,
    asks="the softmax over what the mask lets through, and exactly 0 elsewhere.",
    returns=(Output("weights", "the shape of scores"),),
    where=masked_softmax_mistakes.SECTION,
    calls=calls.MASKED_SOFTMAX,
    mistakes=[*masked_softmax_mistakes.MISTAKES, *masked_softmax_axis_mistakes.MISTAKES],
)


@EXERCISE.claim(1)
def values(call, rng):
    """equals the softmax over the visible scores"""
    call.agrees(np.ones((3, 3)), reference.causal_mask(3))  # by hand: 1; 1/2, 1/2; 1/3, 1/3, 1/3
    call.agrees(rng.standard_normal((4, 7)), random_mask(rng, 4, 7))


@EXERCISE.claim(0.5)
def sums(call, rng):
    """hidden weights are exactly 0, and every row sums to 1"""
    mask = random_mask(rng, 4, 8)
    weights = call.array(mask.shape, rng.standard_normal(mask.shape), mask, kinds="f")
    largest = np.abs(weights[~mask]).max()
    call.holds(largest == 0, f"a hidden key has weight {largest:.6g}; it must be exactly 0.")
    sums = weights.sum(axis=-1)
    off = sums[np.abs(sums - 1).argmax()]
    call.holds(np.allclose(sums, 1), f"a row of weights sums to {off:.6g}; it must be 1.")


@EXERCISE.claim(0.5)
def extreme_scores(call, rng):
    """survives scores of ±1000, also where they are hidden"""
    mask = reference.causal_mask(3, 5)
    scores = rng.standard_normal(mask.shape)
    call.agrees(scores + 1000.0, mask)
    call.agrees(scores + np.array([[1000.0], [0.0], [-1000.0]]), mask)
    call.agrees(np.where(mask, scores, 1000.0), mask)  # a hidden score must not make the visible ones underflow
    call.agrees(np.where(mask, scores, -1000.0), mask)


@EXERCISE.claim(0.5)
def low_scores(call, rng):
    """a visible score counts, however low it is"""
    mask = reference.causal_mask(3, 5)
    call.agrees(rng.integers(-2, 3, mask.shape) - 2e9, mask)


@EXERCISE.claim(1)
def nothing_visible(call, rng):
    """where nothing is visible, along any axis, the weights are 0, without NaN or a warning"""
    mask = random_mask(rng, 4, 6)
    mask[int(rng.integers(4))] = False
    call.agrees_quietly(rng.standard_normal(mask.shape), mask)
    call.agrees_quietly(rng.standard_normal((2, 3, 5)), np.zeros((2, 3, 5), dtype=bool))
    mask = random_mask(rng, 5, 3).T
    mask[:, int(rng.integers(5))] = False
    call.agrees_quietly(rng.standard_normal(mask.shape), mask, axis=0)


@EXERCISE.claim(0.5)
def no_mask(call, rng):
    """without a mask it is the ordinary softmax, stable at ±1000"""
    call.agrees(rng.standard_normal((3, 5)))
    call.agrees(rng.standard_normal((2, 3, 7)))
    call.agrees(rng.standard_normal((3, 5)) + np.array([[1000.0], [0.0], [-1000.0]]))


@EXERCISE.claim(0.5)
def any_axis(call, rng):
    """works along any axis, with one mask for a whole batch"""
    mask = random_mask(rng, 5, 3).T
    call.agrees(rng.standard_normal((3, 5)), mask, axis=0)
    call.agrees(rng.standard_normal((2, 3, 5)), mask, axis=-2)  # one mask for a whole batch
    call.agrees(rng.standard_normal((2, 3, 4, 6)), random_mask(rng, 2, 1, 1, 6))
    call.agrees(rng.standard_normal((1, 3, 1, 6)), random_mask(rng, 6))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone, and also takes whole numbers and float32"""
    mask = random_mask(rng, 4, 7)
    scores = rng.standard_normal(mask.shape)
    call.leaves_inputs_alone(scores, mask)
    call.agrees(scores, mask)
    agrees_here(call, rng.integers(-2, 3, mask.shape), mask)
    agrees_here(call, scores.astype(np.float32), mask)
