"""Specification of `combine_masks`."""

from functools import reduce
from operator import and_

import numpy as np

from autograder.exercises.inputs import random_mask
from autograder.exercises.unit_03_masking import lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

NONE = "What None stands for"

EXERCISE = Exercise(
    reference=reference.combine_masks,
    asks="one mask that allows only what every given mask allows; None allows everything.",
    returns=(Output("mask", may_be_none=True),),
    lookalike=lookalikes.COMBINE_MASKS,
)


@EXERCISE.claim(0.25)
def same_shape(call, rng):
    """allows only what every mask allows"""
    call.agrees(np.array([[True, False, True, False]]), np.array([[True, True, False, False]]))  # by hand: T F F F
    call.agrees(*(rng.random((4, 7)) < 0.7 for _ in range(2)))
    call.agrees(*(rng.random((3, 8)) < 0.8 for _ in range(4)))
    call.agrees(*(rng.random((5, 9)) < 0.9 for _ in range(7)))
    call.agrees(random_mask(rng, 4, 7), np.zeros((4, 7), dtype=bool))


@EXERCISE.claim(0.25)
def broadcasting(call, rng):
    """masks of different shapes are broadcast"""
    call.agrees(reference.causal_mask(4, 6), random_mask(rng, 3, 1, 6))
    call.agrees(rng.random(7) < 0.7, rng.random((5, 1)) < 0.7, rng.random((2, 1, 1, 7)) < 0.7)


@EXERCISE.claim(0.25)
def none(call, rng):
    """None allows everything; without any mask the result is None"""
    mask, other = random_mask(rng, 3, 5), random_mask(rng, 3, 5)
    call.agrees(None, mask)
    call.leaves_inputs_alone(None, mask)
    call.agrees(other, None, mask)
    call.agrees(mask)
    call.agrees(np.zeros((2, 3), dtype=bool))
    call.agrees(None, None)
    call.agrees()


@EXERCISE.claim(0.25, side=True)
def inputs_left_alone(call, rng):
    """leaves its masks alone, and returns a new array also for a single mask"""
    masks = [rng.random((4, 7)) < 0.6 for _ in range(2)]
    call.leaves_inputs_alone(*masks)
    call.leaves_inputs_alone(masks[0])
    call.agrees(*masks)


def _present(masks):
    return [mask for mask in masks if mask is not None]


wrong = WrongAnswers(EXERCISE, globals())

wrong("or", {"np.logical_and": "np.logical_or"}, """
    A key is visible as soon as one mask allows it.
    Then the causal mask makes padding visible again, and the padding mask the future. Every mask has a veto.""")


@wrong.named("sum")
def added_up(*masks):
    """The result says how many masks allow a key, not whether all do.
    A sum counts masks, and any count above 0 is taken for True later."""
    return sum(mask.astype(int) for mask in _present(masks)) if _present(masks) else None


wrong.at(NONE)
wrong("none-combined", {"(np.logical_and, present) if present": "(np.logical_and, masks) if masks"}, """
    None is combined with the masks as if it were one.
    NumPy raises no error: it returns an array of objects in which None counts as False. Leave out the arguments that
    are None before you combine.""")


@wrong.function
def none_and(*masks):
    """None is combined with the masks as if it were one.
    `&` does not know what to do with None. Leave out the arguments that are None before you combine."""
    return reduce(and_, masks) if masks else None


wrong("asks-for-truth",
      {"np.array(mask, dtype=bool) for mask in masks if mask is not None": "mask for mask in masks if mask"}, """
    One truth value is asked of a whole mask, as by `if mask`.
    An array of several entries is neither true nor false as a whole. What you want to know is whether it is None.""")

wrong("hiding-everything-ignored", {"if mask is not None": "if np.any(mask)"}, """
    A mask that hides everything is left out.
    Only None has no say. A mask without a single True has its veto like any other, and it hides everything.""")

wrong.at()
wrong("only-two", "combine_masks(*_present(masks)[:2])", """
    Only the first two masks count.
    The star in `*masks` collects any number of arguments into a tuple.""")


@wrong.function
def all_handed_over(*masks):
    """The third mask is taken for the place of the result, as where `np.logical_and` is given all masks at once.
    `np.logical_and` combines two arrays. A third would be overwritten with the result, and a fourth is an error.
    Combine two at a time."""
    present = _present(masks)
    if len(present) < 2:
        return np.array(present[0]) if present else None
    return np.logical_and(*present)


wrong("stacked", "np.all(np.stack(_present(masks)), axis=0) if _present(masks) else None", """
    The masks are stacked, which needs equal shapes.
    A causal mask and a padding mask have different shapes. Combining two arrays at a time broadcasts them.""")

wrong("as-one-array", "np.all(_present(masks), axis=0) if _present(masks) else None", """
    The masks are turned into one array, which needs equal shapes.
    A causal mask and a padding mask have different shapes. Combining two arrays at a time broadcasts them.""")


@wrong.function
def in_place(*masks):
    """The result is written into the first mask.
    An operator such as `&=` changes the caller's array, which the next layer may use again, and which cannot grow to a
    larger shape. Begin with a copy."""
    present = _present(masks)
    for mask in present[1:]:
        present[0] &= mask
    return present[0] if present else None


wrong("only-mask-itself", {"np.array(mask, dtype=bool)": "mask"}, """
    A single mask is returned as it is.
    There is nothing to combine, so the caller gets back the very array that was given: whoever changes the result
    changes the mask. Return a copy.""")

wrong.at(NONE)
wrong("true-for-nothing", "combine_masks(np.array(True), *masks)", """
    Without any mask the result is an array that holds True.
    It allows the same, but whoever uses the result tests for None.""")

wrong("never-none", "reduce(np.logical_and, _present(masks))", """
    Having no mask at all raises an error.
    When every argument is None, nothing is left to combine. That is a legal case, with an answer of its own.""")

wrong.at()
wrong("first-only", "np.array(_present(masks)[0]) if _present(masks) else None", """
    Only the first mask counts.
    A `return` inside the loop ends the function in the first round. It belongs after the loop.""")

wrong("equal", "reduce(np.equal, _present(masks)[1:], np.array(_present(masks)[0])) if _present(masks) else None", """
    A pair is allowed where the masks agree.
    They also agree where all of them hide it. A pair is allowed only if *every* mask allows it.""")

wrong("multiplied", "combine_masks(*masks) if combine_masks(*masks) is None else combine_masks(*masks).astype(int)", """
    The result holds 1 and 0, as where masks are multiplied as numbers.
    1 and 0 come out in the right places, but the result should be a mask of True and False like the others.""")

wrong.at(NONE)
wrong("none-decides", "None if any(mask is None for mask in masks) else combine_masks(*masks)", """
    One None makes the result None.
    None hides nothing, but the other masks still do. Leave it out, and combine the rest.""")


@wrong.function
def stops_at_none(*masks):
    """Whatever comes after a None is forgotten.
    `break` ends the loop. Leave the None out, and go on with the next mask."""
    names = [mask is None for mask in masks]
    return reference.combine_masks(*masks[: names.index(True)] if any(names) else masks)
