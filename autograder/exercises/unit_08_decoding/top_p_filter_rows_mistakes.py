"""The known mistakes of `top_p_filter` with several rows, with large logits, and with what is dropped."""

import numpy as np

from autograder.exercises.unit_08_decoding.top_p_filter_mistakes import BOUNDARY, SECTION, filtered
from autograder.specification import KnownMistakes
from transformer_kit import reference

MISTAKES = KnownMistakes()


@MISTAKES.add(where=SECTION)
def wrong_axis(logits, p):
    """Every column is filtered, not every row.

    The tokens lie along the last axis, whatever comes before it.
    """
    return np.swapaxes(reference.top_p_filter(np.swapaxes(logits, 0, -1), p), 0, -1).copy()


@MISTAKES.add(where=SECTION)
def total_without_axis(logits, p):
    """The running total has no axis.

    Without an axis, `np.cumsum` makes one long row of all rows and goes on from each to the next.
    """
    order = np.argsort(-logits, axis=-1, kind="stable")
    in_order = np.take_along_axis(reference.softmax(logits), order, axis=-1)
    np.put_along_axis(np.zeros(logits.shape), order, np.cumsum(in_order) - in_order, axis=-1)
    return reference.top_p_filter(logits, p)


@MISTAKES.add(where=SECTION)
def total_trusted_at_one(logits, p):
    """At p = 1 tokens are lost to rounding.

    The running total reaches 1 before the least likely tokens are counted. p = 1 keeps everything: treat it
    as a case of its own.
    """
    if p != 1:
        return reference.top_p_filter(logits, p)
    places = np.argsort(-logits, axis=-1, kind="stable")
    values = np.take_along_axis(reference.softmax(logits), places, axis=-1)
    kept = np.zeros(logits.shape, dtype=bool)
    np.put_along_axis(kept, places, np.cumsum(values, axis=-1) - values < p, axis=-1)
    return np.where(kept, logits, -np.inf)


@MISTAKES.add(where=SECTION)
def unstable(logits, p):
    """The exponentials overflow, or all of them are 0, where the logits are large.

    exp(1000) is too large a number, and exp(-1000) is 0. The softmax of unit 02 can cope with both.
    """

    def softmax(logits):
        return np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)

    return filtered(logits, p, of=softmax)


@MISTAKES.add(where=SECTION)
def large_negative(logits, p):
    """What is dropped is set to a large negative number.

    A logit may be lower still, and then what was dropped is the likelier choice. Nothing is below minus infinity.
    """
    kept = reference.top_p_filter(logits, p)
    return np.where(np.isfinite(kept), kept, -1e9)


@MISTAKES.add(where=BOUNDARY)
def same_array(logits, p):
    """With p = 1 the caller's own array is returned.

    Anyone who changes the result later changes the logits, too. Always return a new array.
    """
    return logits if p == 1 else reference.top_p_filter(logits, p)
