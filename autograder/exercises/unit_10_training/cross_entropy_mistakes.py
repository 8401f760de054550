"""The known mistakes of `cross_entropy` with the logarithm and with the loss of a token."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 10.3: cross_entropy"
LOSS = "From logits to a loss"
STABLE = "The logarithm of a softmax"

MISTAKES = KnownMistakes()


def log_softmax(logits, axis=-1):
    """Return the logarithms of the probabilities."""
    shifted = logits - logits.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def mean_over_tokens(losses, is_token):
    """Return the mean of the losses, without those of padding."""
    return float(losses.mean() if is_token is None else losses[is_token].mean())


def _from_log_probs(log_probs, wanted, is_token):
    return mean_over_tokens(-(wanted * log_probs).sum(axis=-1), is_token)


def losses_of(logits, wanted):
    """Return the right loss of every token."""
    return -(wanted * log_softmax(logits)).sum(axis=-1)


@MISTAKES.add(where=STABLE)
def log_of_softmax(logits, target_distribution, is_token=None):
    """A very unlikely word gives an infinite loss, as the logarithm of a softmax does.

    On paper that logarithm is right. But a very unlikely word gets a probability of exactly 0 in floating point, and
    the logarithm of that is -inf, although the loss is an ordinary number.
    """
    return _from_log_probs(np.log(reference.softmax(logits)), target_distribution, is_token)


@MISTAKES.add(where=STABLE)
def clipped(logits, target_distribution, is_token=None):
    """A small number is added to the probabilities before the logarithm.

    That keeps -inf away, and with it the truth: every loss above 28 becomes about 28, and its gradient is lost. The
    logarithm can be computed without the probability.
    """
    return _from_log_probs(np.log(reference.softmax(logits) + 1e-12), target_distribution, is_token)


@MISTAKES.add(where=STABLE)
def not_shifted(logits, target_distribution, is_token=None):
    """The exponentials are taken of the logits as they are.

    The exponential of 1000 is not a floating-point number any more. As in your softmax, the largest logit of a row
    can be subtracted first, and nothing changes.
    """
    return _from_log_probs(logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True)), target_distribution, is_token)


@MISTAKES.add(where=STABLE)
def max_of_all(logits, target_distribution, is_token=None):
    """The largest logit of all rows is subtracted from every row.

    A row that lies far below another one is then pushed out of the range of floating point. Every row has its own
    largest logit.
    """
    shifted = logits - logits.max()
    log_probs = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return _from_log_probs(log_probs, target_distribution, is_token)


@MISTAKES.add(where=LOSS)
def logits_as_they_are(logits, target_distribution, is_token=None):
    """The logits are taken for log-probabilities.

    Logits can be anything, even positive. Subtract the logarithm of the sum of their exponentials, and they are log-
    probabilities.
    """
    return _from_log_probs(logits, target_distribution, is_token)


@MISTAKES.add(where=SECTION)
def other_axis(logits, target_distribution, is_token=None):
    """The softmax goes along the tokens, not along the vocabulary.

    At every position the words of the vocabulary compete with each other, and they lie along the last axis.
    """
    return _from_log_probs(log_softmax(logits, axis=-2), target_distribution, is_token)


@MISTAKES.add(where=LOSS)
def softmax_twice(logits, target_distribution, is_token=None):
    """The softmax is applied twice.

    What comes in are logits, and one softmax makes probabilities of them. A second one makes almost even shares of
    those.
    """
    return _from_log_probs(log_softmax(reference.softmax(logits)), target_distribution, is_token)


@MISTAKES.add(where=LOSS)
def not_a_logarithm(logits, target_distribution, is_token=None):
    """The probability of the right token is averaged, without a logarithm.

    Probabilities of the tokens of a sentence are multiplied, and it is their logarithms that are added.
    """
    return _from_log_probs(reference.softmax(logits), target_distribution, is_token)


@MISTAKES.add(where=LOSS)
def squared_error(logits, target_distribution, is_token=None):
    """The squared difference of the two distributions is taken.

    That is another loss. The cross-entropy is the number of nats that the target costs.
    """
    losses = ((reference.softmax(logits) - target_distribution) ** 2).sum(axis=-1)
    return mean_over_tokens(losses, is_token)


@MISTAKES.add(where=LOSS)
def sign(logits, target_distribution, is_token=None):
    """The minus sign is missing.

    The logarithm of a probability is at most 0. A loss is to be made smaller, so it is the negative of that.
    """
    return mean_over_tokens(-losses_of(logits, target_distribution), is_token)


@MISTAKES.add(where=LOSS)
def bits(logits, target_distribution, is_token=None):
    """The logarithm has base 2.

    Then the loss is in bits. Here it is in nats, with the natural logarithm.
    """
    return mean_over_tokens(losses_of(logits, target_distribution) / np.log(2), is_token)


@MISTAKES.add(where=LOSS)
def base_ten(logits, target_distribution, is_token=None):
    """The logarithm has base 10.

    Here the loss is in nats, with the natural logarithm, which is `np.log`.
    """
    return mean_over_tokens(losses_of(logits, target_distribution) / np.log(10), is_token)


@MISTAKES.add(where=LOSS)
def roles_exchanged(logits, target_distribution, is_token=None):
    """Model and target are swapped.

    The shares come from the target, and the logarithm is that of the model. A target of 0 would have no logarithm.
    """
    losses = -(reference.softmax(logits) * np.log(target_distribution)).sum(axis=-1)
    return mean_over_tokens(losses, is_token)


@MISTAKES.add(where=LOSS)
def divergence(logits, target_distribution, is_token=None):
    """The entropy of the target is subtracted.

    That is the KL divergence. It differs from the cross-entropy by a number that no model can change, but it is not
    what is asked for.
    """
    logs = np.log(np.where(target_distribution > 0, target_distribution, 1))
    return mean_over_tokens(
        losses_of(logits, target_distribution) + (target_distribution * logs).sum(axis=-1), is_token
    )


@MISTAKES.add(where=LOSS)
def right_token_only(logits, target_distribution, is_token=None):
    """Only the token with the largest share in the target is counted.

    With a one-hot target that is all there is. A smoothed target gives every word of the vocabulary a share, and
    each of them counts.
    """
    best = target_distribution.argmax(axis=-1)[..., None]
    losses = -np.take_along_axis(log_softmax(logits), best, axis=-1)[..., 0]
    return mean_over_tokens(losses, is_token)
