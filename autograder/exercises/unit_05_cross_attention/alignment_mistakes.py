"""The known mistakes of `alignment`."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 5.4: alignment"
ORDER = "Heads first"
ENTROPY = "How undecided a position is"

MISTAKES = KnownMistakes()


def _mean(weights):
    return weights.mean(axis=-3)


def _surprise(p):
    return p * np.log(np.where(p > 0, p, 1))


def _entropy_of(p):
    return -_surprise(p).sum(axis=-1)


@MISTAKES.add(where=ORDER)
def head_0(weights):
    """Only the first head is looked at.

    The heads look at different things, and none of them is in charge. What counts is their mean.
    """
    first = weights[..., 0, :, :]
    return first.argmax(axis=-1), _entropy_of(first)


@MISTAKES.add(where=ORDER)
def every_head(weights):
    """Every head gets a result of its own.

    The axis of the heads must go before anything else happens: there is one answer per target position.
    """
    return weights.argmax(axis=-1), _entropy_of(weights)


@MISTAKES.add(where=ORDER)
def max_over_heads(weights):
    """The largest weight of any head is taken, not the mean.

    One head that is sure then drowns out the others, and the rows no longer sum to 1.
    """
    largest = weights.max(axis=-3)
    return largest.argmax(axis=-1), _entropy_of(largest)


@MISTAKES.add(where=ORDER)
def sum_over_heads(weights):
    """The heads are summed, not averaged.

    The best position stays the same, but the rows sum to the number of heads, and an entropy needs shares that sum
    to 1.
    """
    total = weights.sum(axis=-3)
    return total.argmax(axis=-1), _entropy_of(total)


@MISTAKES.add(where=ORDER)
def majority(weights):
    """The heads vote: each one names its best position.

    A head that is nearly undecided then counts as much as one that is sure. Average the weights first.
    """
    votes = np.eye(weights.shape[-1])[weights.argmax(axis=-1)].sum(axis=-3)
    return votes.argmax(axis=-1), _entropy_of(_mean(weights))


@MISTAKES.add(where=ORDER)
def mean_of_entropies(weights):
    """Every head's entropy is computed, and these are averaged.

    Two heads that are sure of different words both have the entropy 0, but together they are undecided. Average the
    weights first.
    """
    return _mean(weights).argmax(axis=-1), _entropy_of(weights).mean(axis=-2)


@MISTAKES.add(where=ORDER)
def first_axis(weights):
    """The mean is taken over the first axis.

    For one sentence that is the axis of the heads. In a batch it is the sentences. Count axes from the end.
    """
    mean = weights.mean(axis=0)
    return mean.argmax(axis=-1), _entropy_of(mean)


@MISTAKES.add(where=SECTION)
def best_target(weights):
    """The target positions are searched, not the source positions.

    Rows belong to target positions and columns to source positions. Every row has its own best column.
    """
    mean = _mean(weights)
    return mean.argmax(axis=-2), -_surprise(mean).sum(axis=-2)


@MISTAKES.add(where=SECTION)
def largest_weight(weights):
    """The largest weight is returned, not its position.

    The result says which source token it is, as a whole number.
    """
    mean = _mean(weights)
    return mean.max(axis=-1), _entropy_of(mean)


@MISTAKES.add(where=SECTION)
def last_of_ties(weights):
    """Of equal weights the last one is taken.

    After sorting, the largest stands last, and so does the last of several equal ones. Results should not depend on
    such an accident, so the rule is: the first.
    """
    mean = _mean(weights)
    return mean.argsort(axis=-1, kind="stable")[..., -1], _entropy_of(mean)


@MISTAKES.add(where=ENTROPY)
def sign_lost(weights):
    """The entropy is negative.

    The logarithm of a share is negative, so the formula begins with a minus.
    """
    mean = _mean(weights)
    return mean.argmax(axis=-1), _surprise(mean).sum(axis=-1)


@MISTAKES.add(where=ENTROPY)
def bits(weights):
    """The entropy is in bits.

    The logarithm with base 2 gives bits. The result is in nats, with the natural logarithm.
    """
    mean = _mean(weights)
    return mean.argmax(axis=-1), _entropy_of(mean) / np.log(2)


@MISTAKES.add(where=ENTROPY)
def share_of_largest(weights):
    """The entropy is divided by its largest possible value.

    That is a useful number, too, but the result is the entropy itself, in nats.
    """
    mean = _mean(weights)
    return mean.argmax(axis=-1), _entropy_of(mean) / np.log(weights.shape[-1])


@MISTAKES.add(where=ENTROPY)
def effective_number(weights):
    """The exponential of the entropy is returned.

    It says how many words are looked at, in effect. The result is the entropy itself, in nats.
    """
    mean = _mean(weights)
    return mean.argmax(axis=-1), np.exp(_entropy_of(mean))


@MISTAKES.add(where=ENTROPY)
def nan(weights):
    """Weights of 0 give NaN.

    The logarithm of 0 is minus infinity, and 0 times minus infinity is NaN. Hidden source tokens have the weight 0,
    so this will happen.
    """
    mean = _mean(weights)
    return mean.argmax(axis=-1), -(mean * np.log(mean)).sum(axis=-1)


@MISTAKES.add(where=ENTROPY)
def mean_not_sum(weights):
    """The terms of the entropy are averaged, not summed.

    Entropy is an average already: each logarithm is weighted by its share, and the shares sum to 1.
    """
    mean = _mean(weights)
    return mean.argmax(axis=-1), -_surprise(mean).mean(axis=-1)


@MISTAKES.add(where=SECTION)
def results_exchanged(weights):
    """The entropy comes first and the positions second.

    The order is best_source, entropy.
    """
    return reference.alignment(weights)[::-1]


@MISTAKES.add(where=SECTION)
def in_place(weights):
    """The zeros in the caller's weights are overwritten with a small number.

    The weights are still needed, for instance for a picture. Make a new array for the logarithm instead.
    """
    weights[weights == 0] = 1e-12
    return reference.alignment(weights)


@MISTAKES.add(where=ENTROPY)
def entropy_over_targets(weights):
    """The entropy is summed over the target positions.

    Each row has its own entropy: the sum runs over the source, the last axis.
    """
    mean = _mean(weights)
    return mean.argmax(axis=-1), -_surprise(mean).sum(axis=-2)


@MISTAKES.add(where=ENTROPY)
def only_logarithms(weights):
    """The logarithms are summed without their weights.

    Each logarithm counts as much as its share: multiply before you sum.
    """
    mean = _mean(weights)
    return mean.argmax(axis=-1), -np.log(np.where(mean > 0, mean, 1)).sum(axis=-1)


@MISTAKES.add(where=ENTROPY)
def visible_epsilon(weights):
    """The small number that keeps the logarithm finite is so large that it shows.

    It is added to every weight, not only to those of 0. Replace the zeros alone, or add next to nothing.
    """
    mean = _mean(weights)
    return mean.argmax(axis=-1), -(mean * np.log(mean + 1e-2)).sum(axis=-1)
