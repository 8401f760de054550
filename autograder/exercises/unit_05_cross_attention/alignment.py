"""Specification of `alignment`."""

import numpy as np

from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_05_cross_attention import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

ORDER = "Heads first"
ENTROPY = "How undecided a position is"

# By hand, with entries that are exact in binary: means (1/2, 1/4, 1/4) and (1/8, 1/8, 3/4).
BY_HAND = np.array([[[0.75, 0.25, 0.0], [0.25, 0.0, 0.75]], [[0.25, 0.25, 0.5], [0.0, 0.25, 0.75]]])

EXERCISE = Exercise(
    reference=reference.alignment,
    asks="where every target position looks (mean over the heads), and how undecided it is.",
    returns=(Output("best_source", "(..., n_target)"), Output("entropy", "(..., n_target)")),
    calls=calls.ALIGNMENT,
    lookalike=lookalikes.ALIGNMENT,
)


def _draw(rng, *shape):
    """Draw weights whose rows sum to 1."""
    return reference.softmax(1.5 * rng.standard_normal(shape))


def _heads_disagree(rng):
    """Draw three heads: two look at source token 0, the third at token 2, so surely that it decides, or not quite."""
    decides = [[0.4, 0.3, 0.2, 0.1], [0.38, 0.32, 0.2, 0.1], [0.02, 0.03, 0.9, 0.05]]
    loses = [[0.5, 0.25, 0.05, 0.2], [0.48, 0.26, 0.06, 0.2], [0.06, 0.14, 0.7, 0.1]]
    rows = rng.permutation([decides] * 3 + [loses] * 2)
    return np.stack([row[:, rng.permutation(4)] for row in rows], axis=1)  # (n_heads, n_target, n_source)


@EXERCISE.claim(0.5)
def best_source(call, rng):
    """best_source is the source position of the largest mean weight"""
    call.agrees_in(0, BY_HAND)
    call.agrees_in(0, _draw(rng, 3, 5, 7))
    call.agrees_in(0, _heads_disagree(rng))


@EXERCISE.claim(1)
def entropy(call, rng):
    """entropy is that of the mean weights, in nats"""
    call.agrees_in(1, BY_HAND[:, :1])
    call.agrees_in(1, _draw(rng, 3, 5, 7))
    scores = np.array([[0.0, 0.5, 1.0, 1.5], [0.0, -16.0, -19.0, -22.0]])  # small weights are no zeros
    call.agrees_in(1, np.repeat(reference.softmax(rng.permuted(scores, axis=-1))[None], 3, axis=0))


@EXERCISE.claim(1)
def zeros(call, rng):
    """a weight of 0 adds nothing to the entropy"""
    halves = np.array([[[1.0, 0.0, 0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0, 1.0, 0.0]]])
    call.agrees_in(1, halves)  # ln 2
    one_word = np.repeat(np.eye(4)[None, rng.permutation(4)[:3]], 2, axis=0)
    value = call(one_word)[1]
    fits = isinstance(value, np.ndarray) and value.shape == (3,)
    call.holds(
        fits and bool((np.abs(value) < 1e-6).all()),
        f"every target position looks at one source token only, so its entropy is 0; got {value}.",
    )


@EXERCISE.claim(0.5)
def ties(call, rng):
    """of equal weights the first one is the best"""
    tied = np.array([[[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]], [[0.25, 0.5, 0.25], [0.0, 0.5, 0.5]]])
    call.agrees_in(0, tied)  # 0 and 1
    order = rng.permutation(7)
    call.agrees_in(
        0, np.insert(np.array([[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]])[None, order % 2], rng.integers(4), 0.0, axis=-1)
    )
    call.agrees_in(0, np.full((2, 3, 4), 0.25))


@EXERCISE.claim(0.25, side=True)
def leading_axes(call, rng):
    """works for any leading axes and for float32"""
    call.agrees(_draw(rng, 3, 5, 7))
    call.agrees(_heads_disagree(rng))
    agrees_here(call, _draw(rng, 2, 3, 4, 6))
    visible = np.arange(7) < rng.integers(2, 7, size=(3, 2, 1, 1, 1))  # a source with padding
    agrees_here(call, reference.masked_softmax(rng.standard_normal((3, 2, 4, 5, 7)), visible))
    agrees_here(call, _draw(rng, 3, 4, 6).astype(np.float32))


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its input alone"""
    weights = reference.masked_softmax(rng.standard_normal((3, 5, 7)), np.arange(7) < rng.integers(2, 7))
    call.leaves_inputs_alone(weights)  # with zeros, as behind padding
    call.agrees_in(0, _draw(rng, 3, 5, 7))


wrong = WrongAnswers(EXERCISE, globals())


def _mean(weights):
    return weights.mean(axis=-3)


def _surprise(p):
    return p * np.log(np.where(p > 0, p, 1))


def _entropy_of(p):
    return -_surprise(p).sum(axis=-1)


wrong.at(ORDER)
wrong("head-0", "(weights[..., 0, :, :].argmax(axis=-1), _entropy_of(weights[..., 0, :, :]))", """
    Only the first head is looked at.
    The heads look at different things, and none of them is in charge. What counts is their mean.""")

wrong("every-head", "(weights.argmax(axis=-1), _entropy_of(weights))", """
    Every head gets a result of its own.
    The axis of the heads must go before anything else happens: there is one answer per target position.""")

wrong("max-over-heads", "(weights.max(axis=-3).argmax(axis=-1), _entropy_of(weights.max(axis=-3)))", """
    The largest weight of any head is taken, not the mean.
    One head that is sure then drowns out the others, and the rows no longer sum to 1.""")

wrong("sum-over-heads", "(weights.sum(axis=-3).argmax(axis=-1), _entropy_of(weights.sum(axis=-3)))", """
    The heads are summed, not averaged.
    The best position stays the same, but the rows sum to the number of heads, and an entropy needs shares that sum to
    1.""")


@wrong.function
def majority(weights):
    """The heads vote: each one names its best position.
    A head that is nearly undecided then counts as much as one that is sure. Average the weights first."""
    votes = np.eye(weights.shape[-1])[weights.argmax(axis=-1)].sum(axis=-3)
    return votes.argmax(axis=-1), _entropy_of(_mean(weights))


wrong("mean-of-entropies", "(_mean(weights).argmax(axis=-1), _entropy_of(weights).mean(axis=-2))", """
    Every head's entropy is computed, and these are averaged.
    Two heads that are sure of different words both have the entropy 0, but together they are undecided. Average the
    weights first.""")

wrong("first-axis", "(weights.mean(axis=0).argmax(axis=-1), _entropy_of(weights.mean(axis=0)))", """
    The mean is taken over the first axis.
    For one sentence that is the axis of the heads. In a batch it is the sentences. Count axes from the end.""")

wrong.at()
wrong("best-target", {"(axis=-1).astype(np.int64)": "(axis=-2)", "sum(axis=-1)": "sum(axis=-2)"}, """
    The target positions are searched, not the source positions.
    Rows belong to target positions and columns to source positions. Every row has its own best column.""")

wrong("largest-weight", {"argmax(axis=-1).astype(np.int64)": "max(axis=-1)"}, """
    The largest weight is returned, not its position.
    The result says which source token it is, as a whole number.""")

wrong("last-of-ties", {"argmax(axis=-1).astype(np.int64)": 'argsort(axis=-1, kind="stable")[..., -1]'}, """
    Of equal weights the last one is taken.
    After sorting, the largest stands last, and so does the last of several equal ones. Results should not depend on
    such an accident, so the rule is: the first.""")

wrong.at(ENTROPY)
wrong("sign-lost", {".astype(np.int64)": "", ", -(mean * logs)": ", (mean * logs)"}, """
    The entropy is negative.
    The logarithm of a share is negative, so the formula begins with a minus.""")

wrong("bits", {".astype(np.int64)": "", "sum(axis=-1)": "sum(axis=-1) / np.log(2)"}, """
    The entropy is in bits.
    The logarithm with base 2 gives bits. The result is in nats, with the natural logarithm.""")

wrong("share-of-largest", {".astype(np.int64)": "", "sum(axis=-1)": "sum(axis=-1) / np.log(weights.shape[-1])"}, """
    The entropy is divided by its largest possible value.
    That is a useful number, too, but the result is the entropy itself, in nats.""")

wrong("effective-number", "(_mean(weights).argmax(axis=-1), np.exp(_entropy_of(_mean(weights))))", """
    The exponential of the entropy is returned.
    It says how many words are looked at, in effect. The result is the entropy itself, in nats.""")

wrong("nan", {".astype(np.int64)": "", "* logs": "* np.log(mean)"}, """
    Weights of 0 give NaN.
    The logarithm of 0 is minus infinity, and 0 times minus infinity is NaN. Hidden source tokens have the weight 0, so
    this will happen.""")

wrong("mean-not-sum", {".astype(np.int64)": "", ".sum": ".mean"}, """
    The terms of the entropy are averaged, not summed.
    Entropy is an average already: each logarithm is weighted by its share, and the shares sum to 1.""")

wrong.at()
wrong("results-exchanged", "alignment(weights)[::-1]", """
    The entropy comes first and the positions second.
    The order is best_source, entropy.""")


@wrong.function
def in_place(weights):
    """The zeros in the caller's weights are overwritten with a small number.
    The weights are still needed, for instance for a picture. Make a new array for the logarithm instead."""
    weights[weights == 0] = 1e-15
    return reference.alignment(weights)


wrong.at(ENTROPY)
wrong("entropy-over-targets", {".astype(np.int64)": "", "sum(axis=-1)": "sum(axis=-2)"}, """
    The entropy is summed over the target positions.
    Each row has its own entropy: the sum runs over the source, the last axis.""")

wrong("only-logarithms", {".astype(np.int64)": "", "mean * ": ""}, """
    The logarithms are summed without their weights.
    Each logarithm counts as much as its share: multiply before you sum.""")

wrong("visible-epsilon", {".astype(np.int64)": "", "* logs": "* np.log(mean + 0.01)"}, """
    The small number that keeps the logarithm finite is so large that it shows.
    It is added to every weight, not only to those of 0. Replace the zeros alone, or add next to nothing.""")


def _with(best_source, weights):
    """Return these positions with the right entropy."""
    return best_source, reference.alignment(weights)[1]


wrong.at(ORDER)
wrong("best-of-every-head", "_with(weights.argmax(axis=-1), weights)", """
    best_source has a position for every head.
    Average over the heads first, for both results: there is one position per target position.""")

wrong("best-by-max-over-heads", "_with(weights.max(axis=-3).argmax(axis=-1), weights)", """
    best_source is the position of the largest weight of any head.
    One head that is sure then drowns out the others. Average over the heads first, for both results.""")

wrong("mean-of-positions", "_with(weights.argmax(axis=-1).mean(axis=-2).round().astype(int), weights)", """
    The best positions of the heads are averaged.
    Between positions 0 and 4 lies position 2, at which neither head looks. Average the weights, not the positions.""")

wrong.at()
wrong("best-target-only", "_with(weights.mean(axis=-3).argmax(axis=-2), weights)", """
    best_source is searched along the target positions.
    Rows belong to target positions and columns to source positions. Every row has its own best column.""")

wrong("flat-position", "_with(np.argmax(weights.mean(axis=-3)), weights)", """
    best_source is one position in the whole array.
    Without an axis, `argmax` counts through all entries. Every target position has a best source position of its
    own.""")

wrong.at(ORDER)
wrong("best-of-head-0", "_with(weights[..., 0, :, :].argmax(axis=-1), weights)", """
    The best source position is that of the first head.
    No head is in charge. Take the position at which the mean over the heads is largest.""")


def _with_entropy(weights, terms):
    """Return the right positions with the entropy that these terms add up to."""
    return reference.alignment(weights)[0], -terms.sum(axis=-1)


wrong("logarithms-averaged",
      "_with_entropy(weights, weights.mean(axis=-3) * np.log(np.where(weights > 0, weights, 1)).mean(axis=-3))", """
    The logarithms of the heads are averaged, not their weights.
    The mean comes first, for both factors. The logarithm of a mean is not the mean of the logarithms.""")
