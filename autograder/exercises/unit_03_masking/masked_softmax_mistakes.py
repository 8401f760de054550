"""The known mistakes of `masked_softmax` with what the mask hides, and how."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 3.5: masked_softmax"
EMPTY = "Predict: a row with nothing to see"
ON_THE_WEIGHTS = "Find the error: the mask on the weights"
HOW_LARGE = "Predict: a large negative number instead"
CONVENTION = "The convention of this course"

MISTAKES = KnownMistakes()


def normalised(weights, axis):
    """Divide by the sum, except where it is 0."""
    total = weights.sum(axis=axis, keepdims=True)
    return weights / np.where(total == 0, 1, total)


def full_mask(scores, mask):
    """Return the mask in the shape of the scores; without one everything is visible."""
    return np.broadcast_to(True if mask is None else mask, scores.shape)


@MISTAKES.add(where=SECTION)
def mask_ignored(scores, mask=None, axis=-1):
    """The mask has no effect.

    The argument is accepted but never used, so every key stays visible.
    """
    return reference.softmax(scores, axis)


@MISTAKES.add(where=CONVENTION)
def inverted(scores, mask=None, axis=-1):
    """What should be hidden is visible, and the reverse.

    In this course True means “may attend”. Look at which of the two numbers goes where the mask is True.
    """
    return reference.masked_softmax(scores, None if mask is None else ~mask, axis)


@MISTAKES.add(where=ON_THE_WEIGHTS)
def scores_times_mask(scores, mask=None, axis=-1):
    """Hidden scores count as 0, or nearly 0, instead of minus infinity.

    A score of 0 is nothing special: exp(0) = 1, so the hidden key keeps a weight. So it does with -1e-9, which is
    nearly 0 and easily typed for -1e9.
    """
    return reference.softmax(scores if mask is None else scores * mask, axis)


@MISTAKES.add(where=CONVENTION)
def mask_added(scores, mask=None, axis=-1):
    """The boolean mask is added to the scores.

    In a sum True counts as 1 and False as 0, so a hidden score is lower by 1 and its key keeps a weight. What is
    added must be minus infinity where a key is hidden.
    """
    return reference.softmax(scores if mask is None else scores + mask, axis)


@MISTAKES.add(where=ON_THE_WEIGHTS)
def weights_times_mask(scores, mask=None, axis=-1):
    """The mask is put on the weights, after the softmax.

    The rows no longer sum to 1, and the hidden scores still act through the sum that the softmax divided by.
    """
    weights = reference.softmax(scores, axis)
    return weights if mask is None else weights * mask


@MISTAKES.add(where=ON_THE_WEIGHTS)
def softmax_twice(scores, mask=None, axis=-1):
    """The mask is put on the weights and the softmax is taken a second time.

    The softmax of weights is much flatter than the softmax of scores. Mask the scores, then take one softmax.
    """
    return reference.masked_softmax(reference.softmax(scores, axis), mask, axis)


@MISTAKES.add(where=ON_THE_WEIGHTS)
def infinite_weights(scores, mask=None, axis=-1):
    """Minus infinity is written into the weights.

    Minus infinity belongs to the scores, where the exponential turns it into 0. As a weight it makes every output
    infinite or NaN.
    """
    weights = reference.softmax(scores, axis)
    return np.where(full_mask(scores, mask), weights, -np.inf)


@MISTAKES.add(where=ON_THE_WEIGHTS)
def renormalised(scores, mask=None, axis=-1):
    """The weights are masked and divided by their sum, although all of them may be 0.

    This equals masking the scores only as long as something is left. A hidden score far above the others pushes
    every visible weight to 0 first, and an empty row has no sum to divide by.
    """
    weights = reference.softmax(scores, axis) * full_mask(scores, mask)
    return weights / weights.sum(axis=axis, keepdims=True)


@MISTAKES.add(where="How large scores stay harmless")
def largest_hidden(scores, mask=None, axis=-1):
    """The largest score is looked for among the hidden ones too.

    A hidden score far above the visible ones then makes all the visible exponentials 0. Only what is visible may
    decide by how much the scores are shifted.
    """
    return normalised(reference.softmax(scores, axis) * full_mask(scores, mask), axis)


@MISTAKES.add(where=EMPTY)
def large_number(scores, mask=None, axis=-1):
    """A row in which nothing is visible gets equal weights.

    A large negative number such as -1e9 in place of minus infinity does that: when all scores are equal, so are the
    weights. The query then attends to everything that was hidden from it.
    """
    return reference.softmax(np.where(full_mask(scores, mask), scores, -1e9), axis)


@MISTAKES.add(where=EMPTY)
def minus_infinity_only(scores, mask=None, axis=-1):
    """A row in which nothing is visible comes out as NaN.

    Its largest score is -∞, and -∞ - (-∞) has no value. With another number in the place of the largest the sum is
    0, and 0 / 0 has no value either. Treat such a row by itself.
    """
    return reference.softmax(np.where(full_mask(scores, mask), scores, -np.inf), axis)


@MISTAKES.add(where=HOW_LARGE)
def minus_10(scores, mask=None, axis=-1):
    """Minus 10 stands for minus infinity.

    exp(-10) is small, but not 0: a hidden key keeps a weight, and a large one where all scores are low.
    """
    return reference.softmax(np.where(full_mask(scores, mask), scores, -10.0), axis)


@MISTAKES.add(where=SECTION)
def zero_times_infinity(scores, mask=None, axis=-1):
    """Infinity is multiplied by 0.

    0 · ∞ is NaN, so every visible entry turns into NaN. Choose between the score and -∞ instead.
    """
    return reference.softmax(scores + (1 - full_mask(scores, mask)) * -np.inf, axis)
