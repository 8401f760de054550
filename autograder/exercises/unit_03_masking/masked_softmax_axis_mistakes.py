"""The known mistakes of `masked_softmax` with the largest scores and the sums, and with its arguments."""

import numpy as np

from autograder.exercises.unit_03_masking.masked_softmax_mistakes import (
    EMPTY,
    HOW_LARGE,
    SECTION,
    full_mask,
    normalised,
)
from autograder.specification import KnownMistakes
from transformer_kit import reference

MISTAKES = KnownMistakes()


def _exponentials(scores, largest):
    return np.exp(scores - np.where(np.isneginf(largest), 0, largest))


@MISTAKES.add(where="How large scores stay harmless")
def no_largest_subtracted(scores, mask=None, axis=-1):
    """The exponentials overflow or vanish.

    exp(1000) is too large for a float, and exp(-1000) is 0. Shift every row before you take exponentials.
    """
    return normalised(np.exp(np.where(full_mask(scores, mask), scores, -np.inf)), axis)


@MISTAKES.add(where="How large scores stay harmless")
def unstable_without_mask(scores, mask=None, axis=-1):
    """Without a mask the exponentials overflow or vanish.

    You shift the rows only where there is a mask. Scores can be as large without one, so shift them always.
    """
    if mask is None:
        return normalised(np.exp(scores), axis)
    return reference.masked_softmax(scores, mask, axis)


@MISTAKES.add(where=EMPTY)
def empty_along_last_axis(scores, mask=None, axis=-1):
    """Empty rows are looked for along the last axis, whatever `axis` is.

    With another `axis` the weights are shared out along that one, so that is where a row can be empty. Look along it.
    """
    visible = full_mask(scores, mask)
    empty = ~visible.any(axis=-1, keepdims=True)
    return reference.softmax(np.where(visible | empty, scores, -np.inf), axis) * visible


@MISTAKES.add(where="How large scores stay harmless")
def one_largest_for_all(scores, mask=None, axis=-1):
    """One largest score is subtracted from all rows.

    A row whose scores are far below those of another row then vanishes. Every row needs its own.
    """
    scores = np.where(full_mask(scores, mask), scores, -np.inf)
    return normalised(_exponentials(scores, scores.max()), axis)


@MISTAKES.add(where=SECTION)
def always_last_axis(scores, mask=None, axis=-1):
    """The argument `axis` is ignored.

    Both the largest score and the sum have to be taken along `axis`.
    """
    return reference.masked_softmax(scores, mask)


@MISTAKES.add(where=SECTION)
def not_normalised(scores, mask=None, axis=-1):
    """The exponentials are not divided by their sum.

    Weights have to sum to 1, and exponentials alone do not.
    """
    scores = np.where(full_mask(scores, mask), scores, -np.inf)
    return _exponentials(scores, scores.max(axis=axis, keepdims=True))


@MISTAKES.add(where=SECTION)
def mask_needed(scores, mask=None, axis=-1):
    """Without a mask everything is hidden.

    NumPy takes None for False, so every score becomes minus infinity. None means that there is no mask.
    """
    return reference.masked_softmax(np.where(mask, scores, -np.inf), None, axis)


@MISTAKES.add(where=SECTION)
def boolean_index(scores, mask=None, axis=-1):
    """The function only works when the mask has the full shape of the scores.

    A mask may have fewer or shorter axes than the scores. Broadcasting takes care of that; a mask in square brackets,
    as an index, does not.
    """
    scores = np.array(scores, dtype=np.result_type(scores, np.float32))
    if mask is not None:
        scores[~mask] = -np.inf
    return reference.masked_softmax(scores, None, axis)


@MISTAKES.add(where=SECTION)
def in_place(scores, mask=None, axis=-1):
    """Minus infinity is written into the caller's scores.

    The scores are not yours to change, and whole numbers have no infinity. Make a new array.
    """
    if mask is not None:
        scores[~np.broadcast_to(mask, scores.shape)] = -np.inf
    return reference.masked_softmax(scores, None, axis)


@MISTAKES.add(where=SECTION)
def axis_dropped(scores, mask=None, axis=-1):
    """A sum or a maximum has lost the axis that it ran along.

    Then NumPy lines the sums up with another axis, or refuses. `keepdims=True` keeps an axis of length 1 in its place.
    """
    scores = np.where(full_mask(scores, mask), scores, -np.inf)
    exponentials = _exponentials(scores, scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis)


@MISTAKES.add(where=SECTION)
def sum_of_everything(scores, mask=None, axis=-1):
    """Everything is divided by the sum of the whole array.

    Every query has a budget of its own: each set of scores along `axis` is divided by its own sum.
    """
    scores = np.where(full_mask(scores, mask), scores, -np.inf)
    exponentials = _exponentials(scores, scores.max(axis=axis, keepdims=True))
    return exponentials / max(exponentials.sum(), 1)


@MISTAKES.add(where=SECTION)
def sum_of_everything_may_be_0(scores, mask=None, axis=-1):
    """Everything is divided by the sum of the whole array, even if that is 0.

    Every query has a budget of its own: divide by the sum along `axis`. Where nothing is visible, that sum is 0.
    """
    scores = np.where(full_mask(scores, mask), scores, -np.inf)
    exponentials = _exponentials(scores, scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum()


@MISTAKES.add(where=SECTION)
def everything_together(scores, mask=None, axis=-1):
    """The largest score and the sum are those of the whole array.

    Every query has a budget of its own: both have to be taken along `axis`, for each set of scores by itself.
    """
    scores = np.where(full_mask(scores, mask), scores, -np.inf)
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


@MISTAKES.add(where=SECTION)
def visible_together(scores, mask=None, axis=-1):
    """All visible scores go into one softmax.

    `scores[mask]` puts them into one long list, and nobody knows any more which query they belong to. Every query has a
    budget of its own.
    """
    if mask is None:
        mask = np.ones(scores.shape, dtype=bool)
    visible = np.exp(scores[mask] - scores[mask].max())
    weights = np.zeros(scores.shape)
    weights[mask] = visible / visible.sum()
    return weights


@MISTAKES.add(where=HOW_LARGE)
def large_number_mended(scores, mask=None, axis=-1):
    """A large negative number stands for minus infinity, and the hidden weights are set to 0 afterwards.

    That mends the rows in which nothing is visible. But a visible score may be lower than your number: then the hidden
    ones win, and nothing is left for the visible ones. Only minus infinity is below all numbers.
    """
    if mask is None:
        return reference.softmax(scores, axis)
    return np.where(mask, reference.softmax(np.where(mask, scores, -1e9), axis), 0)
