"""Specification of `combine_masks`."""

from functools import reduce
from operator import and_

import numpy as np

from autograder.exercises.edited import edited
from autograder.exercises.inputs import random_mask
from autograder.specification import Exercise, Output
from transformer_kit import reference

SECTION = "Exercise 3.3: combine_masks"
NONE = "What None stands for"

EXERCISE = Exercise(
    reference=reference.combine_masks,
    asks="one mask that allows only what every given mask allows; None allows everything.",
    returns=(Output("mask", may_be_none=True),),
    where=SECTION,
)


@EXERCISE.claim(0.5)
def same_shape(call, rng):
    """allows only what every mask allows"""
    call.agrees(np.array([[True, False, True, False]]), np.array([[True, True, False, False]]))  # by hand: T F F F
    call.agrees(*(rng.random((4, 7)) < 0.7 for _ in range(2)))
    call.agrees(*(rng.random((3, 8)) < 0.8 for _ in range(4)))
    call.agrees(*(rng.random((5, 9)) < 0.9 for _ in range(7)))


@EXERCISE.claim(0.5)
def broadcasting(call, rng):
    """masks of different shapes are broadcast"""
    call.agrees(reference.causal_mask(4, 6), random_mask(rng, 3, 1, 6))
    call.agrees(rng.random(7) < 0.7, rng.random((5, 1)) < 0.7, rng.random((2, 1, 1, 7)) < 0.7)


@EXERCISE.claim(0.5)
def none(call, rng):
    """None allows everything; without any mask the result is None"""
    mask, other = random_mask(rng, 3, 5), random_mask(rng, 3, 5)
    call.agrees(None, mask)
    call.leaves_inputs_alone(None, mask)
    call.agrees(other, None, mask)
    call.agrees(mask)
    call.agrees(None, None)
    call.agrees()


@EXERCISE.claim(0.5, side=True)
def inputs_left_alone(call, rng):
    """leaves its masks alone, and returns a new array also for a single mask"""
    masks = [rng.random((4, 7)) < 0.6 for _ in range(2)]
    call.leaves_inputs_alone(*masks)
    call.leaves_inputs_alone(masks[0])
    call.agrees(*masks)


def _present(masks):
    return [mask for mask in masks if mask is not None]


@EXERCISE.mistakes.add(where=SECTION, id="or")
@edited(reference.combine_masks, {"np.logical_and": "np.logical_or"})
def any_allows():
    """A key is visible as soon as one mask allows it.

    Then the causal mask makes padding visible again, and the padding mask the future. Every mask has a veto.
    """


@EXERCISE.mistakes.add(where=SECTION, id="sum")
def added_up(*masks):
    """The result says how many masks allow a key, not whether all do.

    A sum counts masks, and any count above 0 is taken for True later.
    """
    return sum(mask.astype(int) for mask in _present(masks)) if _present(masks) else None


@EXERCISE.mistakes.add(where=NONE)
def none_combined(*masks):
    """None is combined with the masks as if it were one.

    NumPy raises no error: it returns an array of objects in which None counts as False. Leave out the arguments that
    are None before you combine.
    """
    return reduce(np.logical_and, masks) if masks else None


@EXERCISE.mistakes.add(where=NONE)
def none_and(*masks):
    """None is combined with the masks as if it were one.

    `&` does not know what to do with None. Leave out the arguments that are None before you combine.
    """
    return reduce(and_, masks) if masks else None


@EXERCISE.mistakes.add(where=NONE)
def asks_for_truth(*masks):
    """One truth value is asked of a whole mask, as by `if mask`.

    An array of several entries is neither true nor false as a whole. What you want to know is whether it is None.
    """
    present = [mask for mask in masks if mask]
    return reduce(np.logical_and, present) if present else None


@EXERCISE.mistakes.add(where=SECTION)
def only_two(*masks):
    """Only the first two masks count.

    The star in `*masks` collects any number of arguments into a tuple.
    """
    return reference.combine_masks(*_present(masks)[:2])


@EXERCISE.mistakes.add(where=SECTION)
def all_handed_over(*masks):
    """The third mask is taken for the place of the result, as where `np.logical_and` is given all masks at once.

    `np.logical_and` combines two arrays. A third would be overwritten with the result, and a fourth is an error.
    Combine two at a time.
    """
    present = _present(masks)
    if len(present) < 2:
        return np.array(present[0]) if present else None
    return np.logical_and(*present)


@EXERCISE.mistakes.add(where=SECTION)
def stacked(*masks):
    """The masks are stacked, which needs equal shapes.

    A causal mask and a padding mask have different shapes. Combining two arrays at a time broadcasts them.
    """
    return np.all(np.stack(_present(masks)), axis=0) if _present(masks) else None


@EXERCISE.mistakes.add(where=SECTION)
def as_one_array(*masks):
    """The masks are turned into one array, which needs equal shapes.

    A causal mask and a padding mask have different shapes. Combining two arrays at a time broadcasts them.
    """
    return np.all(_present(masks), axis=0) if _present(masks) else None


@EXERCISE.mistakes.add(where=SECTION)
def in_place(*masks):
    """The result is written into the first mask.

    `&=` changes the caller's array, which the next layer may use again, and it cannot grow to a larger shape.
    """
    present = _present(masks)
    for mask in present[1:]:
        present[0] &= mask
    return present[0] if present else None


@EXERCISE.mistakes.add(where=SECTION)
def only_mask_itself(*masks):
    """A single mask is returned as it is.

    There is nothing to combine, so the caller gets back the very array that was given: whoever changes the result
    changes the mask. Return a copy.
    """
    return reduce(np.logical_and, _present(masks)) if _present(masks) else None


@EXERCISE.mistakes.add(where=NONE)
def true_for_nothing(*masks):
    """Without any mask the result is an array that holds True.

    It allows the same, but whoever uses the result tests for None.
    """
    return reference.combine_masks(np.array(True), *masks)


@EXERCISE.mistakes.add(where=NONE)
def never_none(*masks):
    """Having no mask at all raises an error.

    When every argument is None, nothing is left to combine. That is a legal case, with an answer of its own.
    """
    return reduce(np.logical_and, _present(masks))


@EXERCISE.mistakes.add(where=SECTION)
def first_only(*masks):
    """Only the first mask counts.

    A `return` inside the loop ends the function in the first round. It belongs after the loop.
    """
    present = _present(masks)
    return np.array(present[0]) if present else None


@EXERCISE.mistakes.add(where=SECTION)
def equal(*masks):
    """A pair is allowed where the masks agree.

    They also agree where all of them hide it. A pair is allowed only if *every* mask allows it.
    """
    present = _present(masks)
    return reduce(np.equal, present[1:], np.array(present[0])) if present else None


@EXERCISE.mistakes.add(where=SECTION)
def multiplied(*masks):
    """The result holds 1 and 0, as where masks are multiplied as numbers.

    1 and 0 come out in the right places, but the result should be a mask of True and False like the others.
    """
    mask = reference.combine_masks(*masks)
    return mask if mask is None else mask.astype(int)


@EXERCISE.mistakes.add(where=NONE)
def none_decides(*masks):
    """One None makes the result None.

    None hides nothing, but the other masks still do. Leave it out, and combine the rest.
    """
    return None if any(mask is None for mask in masks) else reference.combine_masks(*masks)


@EXERCISE.mistakes.add(where=NONE)
def stops_at_none(*masks):
    """Whatever comes after a None is forgotten.

    `break` ends the loop. Leave the None out, and go on with the next mask.
    """
    names = [mask is None for mask in masks]
    return reference.combine_masks(*masks[: names.index(True)] if any(names) else masks)
