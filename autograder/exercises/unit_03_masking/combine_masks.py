"""Specification of `combine_masks`."""

from functools import reduce
from operator import and_

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from autograder.exercises.inputs import random_mask
from transformer_kit import reference


def _same_shape(call, rng):
    call.agrees(np.array([[True, False, True, False]]), np.array([[True, True, False, False]]))  # by hand: T F F F
    call.agrees(*(rng.random((4, 7)) < 0.7 for _ in range(2)))
    call.agrees(*(rng.random((3, 8)) < 0.8 for _ in range(4)))


def _broadcasting(call, rng):
    call.agrees(reference.causal_mask(4, 6), random_mask(rng, 3, 1, 6))
    call.agrees(rng.random(7) < 0.7, rng.random((5, 1)) < 0.7, rng.random((2, 1, 1, 7)) < 0.7)


def _none(call, rng):
    mask, other = random_mask(rng, 3, 5), random_mask(rng, 3, 5)
    call.agrees(None, mask)
    call.agrees(other, None, mask)
    call.agrees(mask)
    call.agrees(None, None)
    call.agrees()


def _inputs_left_alone(call, rng):
    masks = [rng.random((4, 7)) < 0.6 for _ in range(3)]
    call.agrees(*masks)
    call.leaves_inputs_alone(*masks)
    call.leaves_inputs_alone(masks[0])


def _present(masks):
    return [mask for mask in masks if mask is not None]


def _or(*masks):
    return reduce(np.logical_or, _present(masks)) if _present(masks) else None


def _sum(*masks):
    return sum(mask.astype(int) for mask in _present(masks)) if _present(masks) else None


def _none_combined(*masks):
    return reduce(np.logical_and, masks) if masks else None


def _none_and(*masks):
    return reduce(and_, masks) if masks else None


def _asks_for_truth(*masks):
    present = [mask for mask in masks if mask]
    return reduce(np.logical_and, present) if present else None


def _only_two(*masks):
    return reference.combine_masks(*_present(masks)[:2])


def _stacked(*masks):
    return np.all(np.stack(_present(masks)), axis=0) if _present(masks) else None


def _as_one_array(*masks):
    return np.all(_present(masks), axis=0) if _present(masks) else None


def _in_place(*masks):
    present = _present(masks)
    for mask in present[1:]:
        present[0] &= mask
    return present[0] if present else None


def _only_mask_itself(*masks):
    return reduce(np.logical_and, _present(masks)) if _present(masks) else None


def _true_for_nothing(*masks):
    return reference.combine_masks(np.array(True), *masks)


def _always_and(*masks):
    return reduce(np.logical_and, _present(masks))


SECTION = "Exercise 3.3: combine_masks"
NONE = "What None stands for"

EXERCISE = Exercise(
    reference=reference.combine_masks,
    asks="one mask that allows only what every given mask allows; None allows everything.",
    returns=(Returned("mask"),),
    where=SECTION,
    claims=(
        Claim("allows only what every mask allows", 0.5, _same_shape),
        Claim("masks of different shapes are broadcast", 0.5, _broadcasting),
        Claim("None allows everything; without any mask the result is None", 0.5, _none),
        Claim("leaves its masks alone, and returns a new array also for a single mask", 0.5, _inputs_left_alone),
    ),
    mistakes=(
        Mistake(
            "or",
            "A key is visible as soon as one mask allows it",
            _or,
            "Then the causal mask makes padding visible again, and the padding mask the future. Every mask has a veto.",
            SECTION,
        ),
        Mistake(
            "sum",
            "The masks are added up as numbers",
            _sum,
            "The sum counts the masks that allow a key, and any count above 0 is taken for True later.",
            SECTION,
        ),
        Mistake(
            "none-combined",
            "None is combined with the masks as if it were one",
            _none_combined,
            "NumPy then answers, without a word, with an array of objects in which None counts as False. "
            "Leave out the arguments that are None before you combine.",
            NONE,
        ),
        Mistake(
            "none-and",
            "None is combined with the masks as if it were one",
            _none_and,
            "`&` does not know what to do with None. Leave out the arguments that are None before you combine.",
            NONE,
        ),
        Mistake(
            "asks-for-truth",
            "A mask is tested with `if mask`",
            _asks_for_truth,
            "An array of several entries is neither true nor false as a whole. "
            "What you want to know is whether it is None.",
            NONE,
        ),
        Mistake(
            "only-two",
            "Only the first two masks count",
            _only_two,
            "The star in `*masks` collects any number of arguments into a tuple.",
            SECTION,
        ),
        Mistake(
            "stacked",
            "The masks are stacked, which needs equal shapes",
            _stacked,
            "A causal mask and a padding mask have different shapes. Combining two arrays at a time broadcasts them.",
            SECTION,
        ),
        Mistake(
            "as-one-array",
            "The masks are turned into one array, which needs equal shapes",
            _as_one_array,
            "A causal mask and a padding mask have different shapes. Combining two arrays at a time broadcasts them.",
            SECTION,
        ),
        Mistake(
            "in-place",
            "The result is written into the first mask",
            _in_place,
            "`&=` changes the caller's array, which the next layer may use again, and it cannot grow to a larger "
            "shape.",
            SECTION,
        ),
        Mistake(
            "only-mask-itself",
            "A mask that is the only one is returned itself",
            _only_mask_itself,
            "With one mask there is nothing to combine, and the caller gets back the very array that was given: "
            "whoever changes the result changes the mask. Return a copy.",
            SECTION,
        ),
        Mistake(
            "true-for-nothing",
            "Without any mask the result is an array that holds True",
            _true_for_nothing,
            "It allows the same, but whoever calls you next tests for None. The contract here is None.",
            NONE,
        ),
        Mistake(
            "never-none",
            "No mask at all is an error",
            _always_and,
            "When every argument is None, nothing is left to combine. That is a legal case, with an answer of its own.",
            NONE,
        ),
    ),
)
