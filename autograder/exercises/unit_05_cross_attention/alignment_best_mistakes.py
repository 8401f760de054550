"""The known mistakes of `alignment` that concern the best source position alone."""

import numpy as np

from autograder.exercises.unit_05_cross_attention.alignment_mistakes import ORDER, SECTION
from autograder.specification import KnownMistakes
from transformer_kit import reference

MISTAKES = KnownMistakes()


def _with(best_source, weights):
    """Return these positions with the right entropy."""
    return best_source, reference.alignment(weights)[1]


@MISTAKES.add(where=ORDER)
def best_of_every_head(weights):
    """best_source has a position for every head.

    Average over the heads first, for both results: there is one position per target position.
    """
    return _with(weights.argmax(axis=-1), weights)


@MISTAKES.add(where=ORDER)
def best_by_max_over_heads(weights):
    """best_source is the position of the largest weight of any head.

    One head that is sure then drowns out the others. Average over the heads first, for both results.
    """
    return _with(weights.max(axis=-3).argmax(axis=-1), weights)


@MISTAKES.add(where=ORDER)
def mean_of_positions(weights):
    """The best positions of the heads are averaged.

    Between positions 0 and 4 lies position 2, at which neither head looks. Average the weights, not the positions.
    """
    return _with(weights.argmax(axis=-1).mean(axis=-2).round().astype(int), weights)


@MISTAKES.add(where=SECTION)
def best_target_only(weights):
    """best_source is searched along the target positions.

    Rows belong to target positions and columns to source positions. Every row has its own best column.
    """
    return _with(weights.mean(axis=-3).argmax(axis=-2), weights)


@MISTAKES.add(where=SECTION)
def flat_position(weights):
    """best_source is one position in the whole array.

    Without an axis, `argmax` counts through all entries. Every target position has a best source position of its own.
    """
    return _with(np.argmax(weights.mean(axis=-3)), weights)


@MISTAKES.add(where=ORDER)
def best_of_head_0(weights):
    """The best source position is that of the first head.

    No head is in charge. Take the position at which the mean over the heads is largest.
    """
    return _with(weights[..., 0, :, :].argmax(axis=-1), weights)


def _with_entropy(weights, terms):
    """Return the right positions with the entropy that these terms add up to."""
    return reference.alignment(weights)[0], -terms.sum(axis=-1)


@MISTAKES.add(where=ORDER)
def logarithms_averaged(weights):
    """The logarithms of the heads are averaged, not their weights.

    The mean comes first, for both factors. The logarithm of a mean is not the mean of the logarithms.
    """
    logs = np.log(np.where(weights > 0, weights, 1))
    return _with_entropy(weights, weights.mean(axis=-3) * logs.mean(axis=-3))
