"""Specification of `additive_mask`."""

import numpy as np

from autograder.evaluation.trials import WrongResult
from autograder.exercises.inputs import random_mask
from autograder.exercises.unit_03_masking import calls
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

HOW_LARGE = "Predict: a large negative number instead"

EXERCISE = Exercise(
    reference=reference.additive_mask,
    asks="the mask in the form that is added to the scores.",
    returns=(Output("M", "the shape of mask"),),
    calls=calls.ADDITIVE_MASK,
)


@EXERCISE.claim(0.5)
def values(call, rng):
    """is 0 where the mask is True and minus infinity where it is False"""
    call.agrees(np.array([[True, False, False], [True, True, False]]))  # by hand: 0 -inf -inf, 0 0 -inf
    call.agrees(random_mask(rng, 3, 7))
    call.agrees(random_mask(rng, 2, 1, 5))


@EXERCISE.claim(0.25)
def no_hidden_score_wins(call, rng):
    """added to scores, it keeps the visible ones and lets no hidden one win"""
    mask, scores = random_mask(rng, 4, 7), rng.uniform(-1000, 1000, (4, 7))
    biased = scores + call.array(mask.shape, mask)
    kept = np.allclose(biased[mask], scores[mask])
    call.holds(kept, "added to scores, the result changes scores that are visible.")
    highest, lowest = biased[~mask].max(), biased[mask].min()
    wins = f"added to scores between -1000 and 1000, a hidden score is {highest:.6g} and a visible one {lowest:.6g}."
    call.holds(highest < lowest, wins)


@EXERCISE.claim(0.25, side=True)
def input_left_alone(call, rng):
    """leaves its input alone, and the result is float64"""
    mask = random_mask(rng, 3, 8)
    call.leaves_inputs_alone(mask)
    result = call.array(mask.shape, mask, kinds="f")
    call.holds(result.dtype == np.float64, f"expected numbers in float64, got {result.dtype}.")
    if result[mask].any() or not (result[~mask] < 0).all():
        raise WrongResult("the result is not 0 where the mask is True and negative where it is False.")


wrong = WrongAnswers(EXERCISE, globals())

wrong("zero-times-infinity", {"np.where(mask, 0.0, -np.inf)": "(1 - mask) * -np.inf"}, """
    Infinity is multiplied by 0.
    0 · ∞ has no value, so NumPy answers NaN, and one NaN spoils its whole row. Choose between two numbers instead.""")

wrong.at("The convention of this course")
wrong("inverted", {"0.0, -np.inf": "-np.inf, 0.0"}, """
    The visible entries get minus infinity.
    True means “may attend”: a visible score must stay what it is.""")

wrong.at(HOW_LARGE)
wrong("large-number", {"np.inf": "1000000000.0"}, """
    A large negative number stands for minus infinity.
    Where everything in a row is hidden, adding the same number to all its scores changes nothing, so the mask vanishes.
    In float32 such a row gets equal weights, and in float16, which has no such number, NaN.""")

wrong("minus-10", {"np.inf": "10.0"}, """
    Minus 10 stands for minus infinity.
    A hidden key keeps a small weight, and a high score makes it a large one.""")

wrong("tiny-number", {"np.inf": "1e-9"}, """
    A number just below 0 stands for minus infinity.
    -1e-9 is almost 0, so it hides nothing. The number meant was probably -1e9, and even that is not infinite.""")

wrong.at()
wrong("one-where-visible", {"mask, 0": "mask, 1"}, """
    1 is added to the visible scores.
    Adding the same number to a whole row does not change its softmax, so this goes unnoticed. Still, M is 0 there.""")

wrong("plus-infinity", {"mask, 0.0, -": "mask, 0.0, "}, """
    Hidden entries get plus infinity.
    exp(∞) is the largest weight there is. The exponential that you want is exp(-∞) = 0.""")

wrong("ones-and-zeros", {"np.where(mask, 0.0, -np.inf)": "mask.astype(float)"}, """
    The mask holds the numbers 1 and 0.
    Added to scores, 1 and 0 hide nothing.""")


@wrong.function
def array_of_booleans(mask):
    """Minus infinity is written into an array of booleans.
    An array made like the mask has its dtype, and a boolean can only hold True or False. -inf is not 0, so it becomes
    True."""
    result = np.zeros_like(mask)
    result[~mask] = -np.inf
    return result


@wrong.function
def into_the_mask(mask):
    """Minus infinity is written into the mask itself.
    The mask is boolean, so -inf becomes True in it, and the caller's mask is lost. Make a new array of floats."""
    mask[~mask] = -np.inf
    return mask


wrong("low-precision", {"0.0, -np.inf": "np.float32(0), np.float32(-np.inf)"}, """
    The result is not float64.
    The values are right, but the mask should not be coarser than the scores to which it is added. NumPy chooses by what
    goes in: the logarithm of booleans, for example, is float16. Ask for float64.""")

wrong("not-a-number", {"-np.inf": "np.nan"}, """
    Hidden entries get NaN.
    NaN spreads: one NaN in a row makes NaN of all its weights. Minus infinity becomes a weight of 0.""")

wrong.at(HOW_LARGE)
wrong("minus-1", {"where(mask, 0.0, -np.inf)": "asarray(mask, dtype=float) - 1"}, """
    Minus 1 stands for minus infinity.
    The mask minus 1 is 0 and -1. A hidden key then keeps more than a third of its weight.""")
