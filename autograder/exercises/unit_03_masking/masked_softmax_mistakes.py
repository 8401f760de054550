"""The known mistakes of `masked_softmax`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

SECTION = "Exercise 3.5: masked_softmax"
EMPTY = "A row with nothing to see"
ON_THE_WEIGHTS = "Find the error: the mask on the weights"
HOW_LARGE = "Why not simply a large negative number"
CONVENTION = "The convention of this course"


def _exponentials(scores, largest):
    return np.exp(scores - np.where(np.isneginf(largest), 0, largest))


def _normalised(weights, axis):
    """Divide by the sum, except where it is 0."""
    total = weights.sum(axis=axis, keepdims=True)
    return weights / np.where(total == 0, 1, total)


def _visible(scores, mask):
    return np.broadcast_to(True if mask is None else mask, scores.shape)


def _mask_ignored(scores, mask=None, axis=-1):
    return reference.softmax(scores, axis)


def _inverted(scores, mask=None, axis=-1):
    return reference.masked_softmax(scores, None if mask is None else ~mask, axis)


def _scores_times_mask(scores, mask=None, axis=-1):
    return reference.softmax(scores if mask is None else scores * mask, axis)


def _weights_times_mask(scores, mask=None, axis=-1):
    weights = reference.softmax(scores, axis)
    return weights if mask is None else weights * mask


def _softmax_twice(scores, mask=None, axis=-1):
    return reference.masked_softmax(reference.softmax(scores, axis), mask, axis)


def _infinite_weights(scores, mask=None, axis=-1):
    weights = reference.softmax(scores, axis)
    return np.where(_visible(scores, mask), weights, -np.inf)


def _renormalised(scores, mask=None, axis=-1):
    weights = reference.softmax(scores, axis) * _visible(scores, mask)
    return weights / weights.sum(axis=axis, keepdims=True)


def _renormalised_carefully(scores, mask=None, axis=-1):
    return _normalised(reference.softmax(scores, axis) * _visible(scores, mask), axis)


def _filled_with(value):
    def masked_softmax(scores, mask=None, axis=-1):
        return reference.softmax(np.where(_visible(scores, mask), scores, value), axis)

    return masked_softmax


def _zero_times_infinity(scores, mask=None, axis=-1):
    return reference.softmax(scores + (1 - _visible(scores, mask)) * -np.inf, axis)


def _no_largest_subtracted(scores, mask=None, axis=-1):
    return _normalised(np.exp(np.where(_visible(scores, mask), scores, -np.inf)), axis)


def _unstable_without_mask(scores, mask=None, axis=-1):
    if mask is None:
        return _normalised(np.exp(scores), axis)
    return reference.masked_softmax(scores, mask, axis)


def _empty_along_last_axis(scores, mask=None, axis=-1):
    visible = _visible(scores, mask)
    empty = ~visible.any(axis=-1, keepdims=True)
    return reference.softmax(np.where(visible | empty, scores, -np.inf), axis) * visible


def _one_largest_for_all(scores, mask=None, axis=-1):
    scores = np.where(_visible(scores, mask), scores, -np.inf)
    return _normalised(_exponentials(scores, scores.max()), axis)


def _always_last_axis(scores, mask=None, axis=-1):
    return reference.masked_softmax(scores, mask)


def _not_normalised(scores, mask=None, axis=-1):
    scores = np.where(_visible(scores, mask), scores, -np.inf)
    return _exponentials(scores, scores.max(axis=axis, keepdims=True))


def _mask_needed(scores, mask=None, axis=-1):
    return reference.masked_softmax(np.where(mask, scores, -np.inf), None, axis)


def _boolean_index(scores, mask=None, axis=-1):
    scores = np.array(scores, dtype=np.result_type(scores, np.float32))
    if mask is not None:
        scores[~mask] = -np.inf
    return reference.masked_softmax(scores, None, axis)


def _in_place(scores, mask=None, axis=-1):
    if mask is not None:
        scores[~np.broadcast_to(mask, scores.shape)] = -np.inf
    return reference.masked_softmax(scores, None, axis)


MISTAKES = (
    Mistake(
        "mask-ignored",
        "The mask has no effect",
        _mask_ignored,
        "The argument is accepted but never used, so every key stays visible.",
        SECTION,
    ),
    Mistake(
        "inverted",
        "What should be hidden is visible, and the reverse",
        _inverted,
        "In this course True means “may attend”. Look at which of the two numbers goes where the mask is True.",
        CONVENTION,
    ),
    Mistake(
        "scores-times-mask",
        "The scores are multiplied by the mask",
        _scores_times_mask,
        "A hidden score becomes 0, and a score of 0 is nothing special: exp(0) = 1, so the hidden key keeps a weight.",
        ON_THE_WEIGHTS,
    ),
    Mistake(
        "weights-times-mask",
        "The mask is put on the weights, after the softmax",
        _weights_times_mask,
        "The rows no longer sum to 1, and the hidden scores still act through the sum that the softmax divided by.",
        ON_THE_WEIGHTS,
    ),
    Mistake(
        "softmax-twice",
        "The mask is put on the weights and the softmax is taken a second time",
        _softmax_twice,
        "The softmax of weights is much flatter than the softmax of scores. Mask the scores, then take one softmax.",
        ON_THE_WEIGHTS,
    ),
    Mistake(
        "infinite-weights",
        "Minus infinity is written into the weights",
        _infinite_weights,
        "Minus infinity belongs to the scores, where the exponential turns it into 0. "
        "As a weight it makes every output infinite or NaN.",
        ON_THE_WEIGHTS,
    ),
    Mistake(
        "renormalised",
        "The weights are masked and divided by their sum, although all of them may be 0",
        _renormalised,
        "This equals masking the scores only as long as something is left. "
        "A hidden score far above the others pushes every visible weight to 0 first, and an empty row has no sum "
        "to divide by.",
        ON_THE_WEIGHTS,
    ),
    Mistake(
        "largest-hidden",
        "The largest score is looked for among the hidden ones too",
        _renormalised_carefully,
        "A hidden score far above the visible ones then makes all the visible exponentials 0. "
        "Only what is visible may decide by how much the scores are shifted.",
        "How large scores stay harmless",
    ),
    Mistake(
        "large-number",
        "A row in which nothing is visible gets equal weights",
        _filled_with(-1e9),
        "A large negative number such as -1e9 in place of minus infinity does that: "
        "when all scores are equal, so are the weights. The query then attends to everything that was hidden "
        "from it.",
        EMPTY,
    ),
    Mistake(
        "minus-infinity-only",
        "A row of nothing but minus infinity is not treated by itself",
        _filled_with(-np.inf),
        "Its largest score is -∞, and -∞ - (-∞) has no value, so NumPy answers NaN.",
        EMPTY,
    ),
    Mistake(
        "minus-10",
        "Minus 10 stands for minus infinity",
        _filled_with(-10.0),
        "exp(-10) is small, but not 0: a hidden key keeps a weight, and a large one where all scores are low.",
        HOW_LARGE,
    ),
    Mistake(
        "zero-times-infinity",
        "Infinity is multiplied by 0",
        _zero_times_infinity,
        "0 · ∞ is NaN, so every visible entry turns into NaN. Choose between the score and -∞ instead.",
        SECTION,
    ),
    Mistake(
        "no-largest-subtracted",
        "The exponentials overflow or vanish",
        _no_largest_subtracted,
        "exp(1000) is too large for a float, and exp(-1000) is 0. Shift every row before you take exponentials.",
        "How large scores stay harmless",
    ),
    Mistake(
        "unstable-without-mask",
        "Without a mask the exponentials overflow or vanish",
        _unstable_without_mask,
        "You shift the rows only where there is a mask. Scores can be as large without one, so shift them always.",
        "How large scores stay harmless",
    ),
    Mistake(
        "empty-along-last-axis",
        "Empty rows are looked for along the last axis, whatever `axis` is",
        _empty_along_last_axis,
        "With another axis the weights are shared out along that one, and there too nothing may be visible. "
        "Ask along `axis`.",
        EMPTY,
    ),
    Mistake(
        "one-largest-for-all",
        "One largest score is subtracted from all rows",
        _one_largest_for_all,
        "A row whose scores are far below those of another row then vanishes. Every row needs its own.",
        "How large scores stay harmless",
    ),
    Mistake(
        "always-last-axis",
        "The argument `axis` is ignored",
        _always_last_axis,
        "Both the largest score and the sum have to be taken along `axis`.",
        SECTION,
    ),
    Mistake(
        "not-normalised",
        "Nothing is divided by the sum",
        _not_normalised,
        "Exponentials alone are not weights: they have to sum to 1.",
        SECTION,
    ),
    Mistake(
        "mask-needed",
        "Without a mask everything is hidden",
        _mask_needed,
        "NumPy takes None for False, so every score becomes minus infinity. None means that there is no mask.",
        SECTION,
    ),
    Mistake(
        "boolean-index",
        "Hidden scores are selected by an index, which needs a mask of the full shape",
        _boolean_index,
        "A mask may have fewer or shorter axes than the scores. Broadcasting operations take care of that, "
        "indices do not.",
        SECTION,
    ),
    Mistake(
        "in-place",
        "Minus infinity is written into the caller's scores",
        _in_place,
        "The scores are not yours to change, and whole numbers have no infinity. Make a new array.",
        SECTION,
    ),
)
