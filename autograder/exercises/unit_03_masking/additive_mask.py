"""Specification of `additive_mask`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from autograder.exercises.inputs import random_mask
from transformer_kit import reference


def _values(call, rng):
    call.agrees(np.array([[True, False, False], [True, True, False]]))  # by hand: 0 -inf -inf, 0 0 -inf
    call.agrees(random_mask(rng, 3, 7))
    call.agrees(random_mask(rng, 2, 1, 5))


def _no_hidden_score_wins(call, rng):
    mask, scores = random_mask(rng, 4, 7), rng.uniform(-1000, 1000, (4, 7))
    biased = scores + call.array(mask.shape, mask)
    kept = np.allclose(biased[mask], scores[mask])
    call.holds(kept, "added to scores, the result changes scores that are visible.")
    highest, lowest = biased[~mask].max(), biased[mask].min()
    wins = f"added to scores between -1000 and 1000, a hidden score is {highest:.6g} and a visible one {lowest:.6g}."
    call.holds(highest < lowest, wins)


def _input_left_alone(call, rng):
    mask = random_mask(rng, 3, 8)
    result = call.array(mask.shape, mask)
    sensible = not result[mask].any() and (result[~mask] < 0).all()
    call.holds(sensible, "the result is not 0 where the mask is True and negative where it is False.")
    call.leaves_inputs_alone(mask)


def _zero_times_infinity(mask):
    return (1 - mask) * -np.inf


def _inverted(mask):
    return np.where(mask, -np.inf, 0.0)


def _large_number(mask):
    return np.where(mask, 0.0, -1e9)


def _ten(mask):
    return np.where(mask, 0.0, -10.0)


def _tiny_number(mask):
    return np.where(mask, 0.0, -1e-9)


def _one_where_visible(mask):
    return np.where(mask, 1.0, -np.inf)


def _plus_infinity(mask):
    return np.where(mask, 0.0, np.inf)


def _ones_and_zeros(mask):
    return mask.astype(float)


def _into_booleans(mask):
    result = np.zeros_like(mask)
    result[~mask] = -np.inf
    return result


def _into_the_mask(mask):
    mask[~mask] = -np.inf
    return mask


SECTION = "Exercise 3.4: additive_mask"
HOW_LARGE = "Why not simply a large negative number"

EXERCISE = Exercise(
    reference=reference.additive_mask,
    asks="the mask in the form that is added to the scores.",
    returns=(Returned("M", "the shape of mask"),),
    where=SECTION,
    claims=(
        Claim("is 0 where the mask is True and minus infinity where it is False", 1, _values),
        Claim("added to scores, it keeps the visible ones and lets no hidden one win", 0.5, _no_hidden_score_wins),
        Claim("leaves its input alone", 0.5, _input_left_alone),
    ),
    mistakes=(
        Mistake(
            "zero-times-infinity",
            "Infinity is multiplied by 0",
            _zero_times_infinity,
            "0 · ∞ has no value, so NumPy answers NaN, and one NaN spoils its whole row. "
            "Choose between two numbers instead.",
            SECTION,
        ),
        Mistake(
            "inverted",
            "The visible entries get minus infinity",
            _inverted,
            "True means “may attend”: a visible score must stay what it is.",
            "The convention of this course",
        ),
        Mistake(
            "large-number",
            "A large negative number stands for minus infinity",
            _large_number,
            "It often works, but not always: a row in which nothing is visible gets equal weights, and float16 has "
            "no such number.",
            HOW_LARGE,
        ),
        Mistake(
            "minus-10",
            "Minus 10 stands for minus infinity",
            _ten,
            "A hidden key keeps a small weight, and a high score makes it a large one.",
            HOW_LARGE,
        ),
        Mistake(
            "tiny-number",
            "A number just below 0 stands for minus infinity",
            _tiny_number,
            "-1e-9 is almost 0, so it hides nothing. The number meant was probably -1e9, and even that is not "
            "infinite.",
            HOW_LARGE,
        ),
        Mistake(
            "one-where-visible",
            "1 is added to the visible scores",
            _one_where_visible,
            "Adding the same number to a whole row does not change its softmax, so this goes unnoticed. "
            "Still, M is 0 there.",
            SECTION,
        ),
        Mistake(
            "plus-infinity",
            "Hidden entries get plus infinity",
            _plus_infinity,
            "exp(∞) is the largest weight there is. The exponential that you want is exp(-∞) = 0.",
            SECTION,
        ),
        Mistake(
            "ones-and-zeros",
            "The mask holds the numbers 1 and 0",
            _ones_and_zeros,
            "Added to scores, 1 and 0 hide nothing.",
            SECTION,
        ),
        Mistake(
            "array-of-booleans",
            "Minus infinity is written into an array of booleans",
            _into_booleans,
            "An array made like the mask has its dtype, and a boolean can only hold True or False. "
            "-inf is not 0, so it becomes True.",
            SECTION,
        ),
        Mistake(
            "into-the-mask",
            "Minus infinity is written into the mask itself",
            _into_the_mask,
            "The mask is boolean, so -inf becomes True in it, and the caller's mask is lost. "
            "Make a new array of floats.",
            SECTION,
        ),
    ),
)
