"""The known mistakes of `alignment`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

SECTION = "Exercise 5.4: alignment"
ORDER = "Heads first"
ENTROPY = "How undecided is it"


def _mean(weights):
    return weights.mean(axis=-3)


def _surprise(p):
    return p * np.log(np.where(p > 0, p, 1))


def _entropy_of(p):
    return -_surprise(p).sum(axis=-1)


def _head_0(weights):
    first = weights[..., 0, :, :]
    return first.argmax(axis=-1), _entropy_of(first)


def _every_head(weights):
    return weights.argmax(axis=-1), _entropy_of(weights)


def _max_over_heads(weights):
    largest = weights.max(axis=-3)
    return largest.argmax(axis=-1), _entropy_of(largest)


def _sum_over_heads(weights):
    total = weights.sum(axis=-3)
    return total.argmax(axis=-1), _entropy_of(total)


def _majority(weights):
    votes = np.eye(weights.shape[-1])[weights.argmax(axis=-1)].sum(axis=-3)
    return votes.argmax(axis=-1), _entropy_of(_mean(weights))


def _mean_of_entropies(weights):
    return _mean(weights).argmax(axis=-1), _entropy_of(weights).mean(axis=-2)


def _first_axis(weights):
    mean = weights.mean(axis=0)
    return mean.argmax(axis=-1), _entropy_of(mean)


def _best_target(weights):
    mean = _mean(weights)
    return mean.argmax(axis=-2), -_surprise(mean).sum(axis=-2)


def _largest_weight(weights):
    mean = _mean(weights)
    return mean.max(axis=-1), _entropy_of(mean)


def _last_of_ties(weights):
    mean = _mean(weights)
    return mean.argsort(axis=-1, kind="stable")[..., -1], _entropy_of(mean)


def _sign_lost(weights):
    mean = _mean(weights)
    return mean.argmax(axis=-1), _surprise(mean).sum(axis=-1)


def _bits(weights):
    mean = _mean(weights)
    return mean.argmax(axis=-1), _entropy_of(mean) / np.log(2)


def _share_of_largest(weights):
    mean = _mean(weights)
    return mean.argmax(axis=-1), _entropy_of(mean) / np.log(weights.shape[-1])


def _effective_number(weights):
    mean = _mean(weights)
    return mean.argmax(axis=-1), np.exp(_entropy_of(mean))


def _nan(weights):
    mean = _mean(weights)
    return mean.argmax(axis=-1), -(mean * np.log(mean)).sum(axis=-1)


def _mean_not_sum(weights):
    mean = _mean(weights)
    return mean.argmax(axis=-1), -_surprise(mean).mean(axis=-1)


def _exchanged(weights):
    return reference.alignment(weights)[::-1]


def _in_place(weights):
    weights[weights == 0] = 1e-12
    return reference.alignment(weights)


MISTAKES = (
    Mistake(
        "head-0",
        "Only the first head is looked at",
        _head_0,
        "The heads look at different things, and none of them is the leader. Asked for is their mean.",
        ORDER,
    ),
    Mistake(
        "every-head",
        "Every head gets a result of its own",
        _every_head,
        "The axis of the heads must go before anything else happens: asked for is one answer per target position.",
        ORDER,
    ),
    Mistake(
        "max-over-heads",
        "The largest weight of any head is taken, not the mean",
        _max_over_heads,
        "One decided head then drowns out all others, and the rows no longer sum to 1.",
        ORDER,
    ),
    Mistake(
        "sum-over-heads",
        "The heads are summed, not averaged",
        _sum_over_heads,
        "The best position stays the same, but the rows sum to the number of heads, and an entropy needs shares "
        "that sum to 1.",
        ORDER,
    ),
    Mistake(
        "majority",
        "The heads vote: each one names its best position",
        _majority,
        "A head that is nearly undecided then counts as much as one that is sure. Average the weights first.",
        ORDER,
    ),
    Mistake(
        "mean-of-entropies",
        "Every head's entropy is computed, and these are averaged",
        _mean_of_entropies,
        "Two heads that are sure of different words both have the entropy 0, but together they are undecided. "
        "Average the weights first.",
        ORDER,
    ),
    Mistake(
        "first-axis",
        "The mean is taken over the first axis",
        _first_axis,
        "For one sentence that is the axis of the heads. In a batch it is the sentences. Count axes from the end.",
        ORDER,
    ),
    Mistake(
        "best-target",
        "The target positions are searched, not the source positions",
        _best_target,
        "Rows belong to target positions and columns to source positions. Every row has its own best column.",
        SECTION,
    ),
    Mistake(
        "largest-weight",
        "The largest weight is returned, not its position",
        _largest_weight,
        "Asked for is which source token it is, as a whole number.",
        SECTION,
    ),
    Mistake(
        "last-of-ties",
        "Of equal weights the last one is taken",
        _last_of_ties,
        "After sorting, the largest stands last, and so does the last of several equal ones. Results should not "
        "depend on such an accident, so the rule is: the first.",
        SECTION,
    ),
    Mistake(
        "sign-lost",
        "The entropy is negative",
        _sign_lost,
        "The logarithm of a share is negative, so the formula begins with a minus.",
        ENTROPY,
    ),
    Mistake(
        "bits",
        "The entropy is in bits",
        _bits,
        "The logarithm with base 2 gives bits. Asked for are nats, with the natural logarithm.",
        ENTROPY,
    ),
    Mistake(
        "share-of-largest",
        "The entropy is divided by its largest possible value",
        _share_of_largest,
        "That is a useful number, too, but asked for is the entropy itself, in nats.",
        ENTROPY,
    ),
    Mistake(
        "effective-number",
        "The exponential of the entropy is returned",
        _effective_number,
        "It says how many words are looked at, in effect. Asked for is the entropy itself, in nats.",
        ENTROPY,
    ),
    Mistake(
        "nan",
        "Weights of 0 give NaN",
        _nan,
        "The logarithm of 0 is minus infinity, and 0 times minus infinity is NaN. Hidden source tokens have the "
        "weight 0, so this will happen.",
        ENTROPY,
    ),
    Mistake(
        "mean-not-sum",
        "The terms of the entropy are averaged, not summed",
        _mean_not_sum,
        "Entropy is an average already: each logarithm is weighted by its share, and the shares sum to 1.",
        ENTROPY,
    ),
    Mistake(
        "results-exchanged",
        "The entropy comes first and the positions second",
        _exchanged,
        "The order is best_source, entropy.",
        SECTION,
    ),
    Mistake(
        "in-place",
        "The zeros in the caller's weights are overwritten by a small number",
        _in_place,
        "The weights are still needed, for instance for a picture. Make a new array for the logarithm instead.",
        SECTION,
    ),
)
