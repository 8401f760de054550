"""Specification of `cross_entropy`."""

import numpy as np

from autograder.exercises.unit_10_training import calls, lookalikes
from autograder.exercises.unit_10_training.inputs import (
    at_many_levels,
    far_apart,
    logits_and_targets,
    padded,
    with_a_sure_token,
)
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

LOSS = "From logits to a loss"
STABLE = "The logarithm of a softmax"
MEAN = "The mean, and what it leaves out"

EXERCISE = Exercise(
    reference=reference.cross_entropy,
    asks="how many nats per token the target costs on average, as one number.",
    returns=(Output("loss"),),
    where=LOSS,
    calls=calls.CROSS_ENTROPY,
    lookalike=lookalikes.CROSS_ENTROPY,
)


@EXERCISE.claim(1)
def value(call, rng):
    """is minus the log-probability of the right token, on average over the tokens"""
    call.agrees(np.log([[1.0, 2.0, 5.0]]), np.array([[0.0, 1.0, 0.0]]))  # by hand: log 4
    call.agrees(*logits_and_targets(rng, 5))


@EXERCISE.claim(0.75)
def smoothed(call, rng):
    """counts every word of the vocabulary by its share in the target"""
    call.agrees(*logits_and_targets(rng, 5, epsilon=0.3))
    wanted = rng.random((4, 6)) + 0.1
    call.agrees(rng.standard_normal((4, 6)), wanted / wanted.sum(axis=-1, keepdims=True))


@EXERCISE.claim(0.75)
def padding(call, rng):
    """leaves padding out, of the sum and of the number of tokens"""
    logits, wanted = logits_and_targets(rng, 3, 6, epsilon=0.2)
    is_token = padded(rng, 2, 4, 5)
    call.agrees(logits, wanted, is_token)
    call.agrees(np.where(is_token[..., None], logits, 50 * logits), wanted, is_token)
    call.agrees(*logits_and_targets(rng, 4), is_token=padded(rng, 3)[0])


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes"""
    call.agrees(*logits_and_targets(rng, 2, 5))
    call.agrees(*logits_and_targets(rng, 2, 3, 4, epsilon=0.2))


@EXERCISE.claim(0.5)
def large(call, rng):
    """logits from -1000 to 1000 do no harm"""
    call.agrees_quietly(*at_many_levels(rng, 4))
    call.agrees_quietly(*far_apart(rng, 3))
    call.agrees_quietly(*with_a_sure_token(rng))


@EXERCISE.claim(0.25)
def other_numbers(call, rng):
    """also takes whole numbers and float32"""
    logits, wanted = logits_and_targets(rng, 5, epsilon=0.2)
    call.agrees(logits.astype(np.float32), wanted.astype(np.float32))
    call.agrees(rng.integers(-3, 4, logits.shape), wanted)


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    logits, wanted = logits_and_targets(rng, 4)
    call.leaves_inputs_alone(logits, wanted, padded(rng, 3)[0])
    call.leaves_inputs_alone(logits, wanted)
    call.agrees(logits, wanted)


wrong = WrongAnswers(EXERCISE, globals())


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


wrong.at(STABLE)
wrong("log-of-softmax", "_from_log_probs(np.log(softmax(logits)), target_distribution, is_token)", """
    A very unlikely word gives an infinite loss, as the logarithm of a softmax does.
    On paper that logarithm is right. But a very unlikely word gets a probability of exactly 0 in floating point, and
    the logarithm of that is -inf, although the loss is an ordinary number.""")

wrong("clipped", "_from_log_probs(np.log(softmax(logits) + 1e-12), target_distribution, is_token)", """
    A small number is added to the probabilities before the logarithm.
    That keeps -inf away, and with it the truth: every loss above 28 becomes about 28, and its gradient is lost. The
    logarithm can be computed without the probability.""")

wrong("not-shifted", {" - logits.max(axis=-1, keepdims=True)": "", "np.asarray(is_token)": "is_token"}, """
    The exponentials are taken of the logits as they are.
    The exponential of 1000 is not a floating-point number any more. As in your softmax, the largest logit of a row can
    be subtracted first, and nothing changes.""")

wrong("max-of-all", {"max(axis=-1, keepdims=True)": "max()", "np.asarray(is_token)": "is_token"}, """
    The largest logit of all rows is subtracted from every row.
    A row that lies far below another one is then pushed out of the range of floating point. Every row has its own
    largest logit.""")

wrong.at(LOSS)
wrong("logits-as-they-are", "_from_log_probs(logits, target_distribution, is_token)", """
    The logits are taken for log-probabilities.
    Logits can be anything, even positive. Subtract the logarithm of the sum of their exponentials, and they are log-
    probabilities.""")

wrong.at()
wrong("other-axis", "_from_log_probs(log_softmax(logits, axis=-2), target_distribution, is_token)", """
    The softmax goes along the tokens, not along the vocabulary.
    At every position the words of the vocabulary compete with each other, and they lie along the last axis.""")

wrong.at(LOSS)
wrong("softmax-twice", "_from_log_probs(log_softmax(softmax(logits)), target_distribution, is_token)", """
    The softmax is applied twice.
    What comes in are logits, and one softmax makes probabilities of them. A second one makes almost even shares of
    those.""")

wrong("not-a-logarithm", "_from_log_probs(softmax(logits), target_distribution, is_token)", """
    The probability of the right token is averaged, without a logarithm.
    Probabilities of the tokens of a sentence are multiplied, and it is their logarithms that are added.""")

wrong("squared-error", "mean_over_tokens(((softmax(logits) - target_distribution) ** 2).sum(axis=-1), is_token)", """
    The squared difference of the two distributions is taken.
    That is another loss. The cross-entropy is the number of nats that the target costs.""")

wrong("sign", "mean_over_tokens(-losses_of(logits, target_distribution), is_token)", """
    The minus sign is missing.
    The logarithm of a probability is at most 0. A loss is to be made smaller, so it is the negative of that.""")

wrong("bits", "mean_over_tokens(losses_of(logits, target_distribution) / np.log(2), is_token)", """
    The logarithm has base 2.
    Then the loss is in bits. Here it is in nats, with the natural logarithm.""")

wrong("base-ten", "mean_over_tokens(losses_of(logits, target_distribution) / np.log(10), is_token)", """
    The logarithm has base 10.
    Here the loss is in nats, with the natural logarithm, which is `np.log`.""")

wrong("roles-exchanged",
      "mean_over_tokens(-(softmax(logits) * np.log(target_distribution)).sum(axis=-1), is_token)", """
    Model and target are swapped.
    The shares come from the target, and the logarithm is that of the model. A target of 0 would have no logarithm.""")

wrong("divergence", {
    "(target_distribution * log_probs)":
        "(target_distribution * (log_probs - np.log(np.where(target_distribution > 0, target_distribution, 1))))",
}, """
    The entropy of the target is subtracted.
    That is the KL divergence. It differs from the cross-entropy by a number that no model can change, but it is not
    what is asked for.""")

wrong("right-token-only", {
    "target_distribution * log_probs":
        "(target_distribution == target_distribution.max(axis=-1, keepdims=True)) * log_probs",
}, """
    Only the token with the largest share in the target is counted.
    With a one-hot target that is all there is. A smoothed target gives every word of the vocabulary a share, and each
    of them counts.""")

wrong.at(MEAN)


@wrong.named("sum")
def summed(logits, target_distribution, is_token=None):
    """The losses of the tokens are added, not averaged.
    A sum grows with the batch, and with it the gradient. The mean per token can be compared."""
    losses = losses_of(logits, target_distribution)
    return float(losses.sum() if is_token is None else losses[is_token].sum())


wrong("over-batch-size", "summed(logits, target_distribution, is_token) / len(logits)", """
    The sum is divided by the number of sentences.
    The loss is to be one per token: divide by the number of tokens in all sentences.""")

wrong("over-vocabulary", {".sum(axis=-1)": "", "np.asarray(is_token)": "is_token"}, """
    The mean is taken over the vocabulary, too.
    The terms of one token belong together: they are added, and their sum is the loss of that token. Only then is the
    mean taken, over the tokens.""")

wrong("per-token", {
    "float(losses.mean() if is_token is None else losses[np.asarray(is_token)].mean())":
        "losses if is_token is None else losses * is_token",
}, """
    The losses of all tokens are returned, one by one.
    Training needs a single number. Take their mean.""")

wrong("padding-ignored", {" if is_token is None else losses[np.asarray(is_token)].mean()": ""}, """
    Padding counts like real tokens.
    Nobody wants the model to learn how to write padding. Leave it out of the sum, and of the count.""")

wrong("padding-in-the-count", {"losses[np.asarray(is_token)].mean()": "(losses * is_token).mean()"}, """
    Padding adds nothing to the sum, but it is counted among the tokens.
    The more padding a batch has, the smaller this loss looks. Divide by the number of real tokens.""")

wrong("mean-of-means",
      {"losses[np.asarray(is_token)].mean()": "((losses * is_token).sum(axis=-1) / is_token.sum(axis=-1)).mean()"}, """
    The mean is taken within every sentence first, and then over the sentences.
    So a token of a short sentence counts for more than one of a long sentence. All real tokens count alike.""")

wrong("only-padding", {"[np.asarray(is_token)].mean": "[~is_token].sum() / (~is_token).sum"}, """
    The padding is counted, and the tokens are left out.
    `is_token` is True for what counts.""")

wrong.at(STABLE)


@wrong.function
def in_place(logits, target_distribution, is_token=None):
    """The logits are changed on the way.
    An operator such as `-=` writes into the array that you were given. The gradient needs the logits as they were."""
    logits -= logits.max(axis=-1, keepdims=True)
    return mean_over_tokens(losses_of(logits, target_distribution), is_token)


wrong.at(MEAN)
wrong("truth-of-mask", "cross_entropy(logits, target_distribution, is_token if is_token else None)", """
    One truth value is asked of a whole array, as by `if is_token`.
    An array of several entries is neither true nor false. Whether it was given at all is asked with `is None`.""")

wrong.at(MEAN)
wrong("over-length", "summed(logits, target_distribution, is_token) / np.shape(logits)[-2]", """
    The sum is divided by the number of places in one sentence.
    The loss is to be one per token: divide by the number of tokens in all sentences.""")

wrong.small("sign bits base-ten sum", value)
