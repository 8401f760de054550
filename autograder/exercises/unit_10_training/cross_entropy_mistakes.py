"""The known mistakes of `cross_entropy`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

SECTION = "Exercise 10.3: cross_entropy"
LOSS = "From logits to a loss"
MEAN = "The mean, and what it leaves out"
STABLE = "The logarithm of a softmax"


def _log_softmax(logits, axis=-1):
    shifted = logits - logits.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def _mean(losses, is_token):
    return float(losses.mean() if is_token is None else losses[is_token].mean())


def _from(losses_of):
    """Make a function that averages rightly from one that gives the losses of all tokens, or all terms of them."""
    return lambda logits, target_distribution, is_token=None: _mean(losses_of(logits, target_distribution), is_token)


def _with_log_probs(log_probs_of):
    """Make a function that is right but for its log-probabilities."""
    return _from(lambda logits, wanted: -(wanted * log_probs_of(logits)).sum(axis=-1))


def _losses(logits, wanted):
    return -(wanted * _log_softmax(logits)).sum(axis=-1)


def _in_units_of(nats):
    """Make a function whose logarithm has another base."""
    return _from(lambda logits, wanted: _losses(logits, wanted) / nats)


def _max_of_all(logits):
    shifted = logits - logits.max()
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def _roles_exchanged(logits, wanted):
    return -(reference.softmax(logits) * np.log(wanted)).sum(axis=-1)


def _divergence(logits, wanted):
    logs = np.log(np.where(wanted > 0, wanted, 1))
    return _losses(logits, wanted) + (wanted * logs).sum(axis=-1)


def _right_token_only(logits, wanted):
    return -np.take_along_axis(_log_softmax(logits), wanted.argmax(axis=-1)[..., None], axis=-1)[..., 0]


def _squared_error(logits, wanted):
    return ((reference.softmax(logits) - wanted) ** 2).sum(axis=-1)


def _sum(logits, target_distribution, is_token=None):
    losses = _losses(logits, target_distribution)
    return float(losses.sum() if is_token is None else losses[is_token].sum())


def _padding_ignored(logits, target_distribution, is_token=None):
    return float(_losses(logits, target_distribution).mean())


def _padding_counted(logits, target_distribution, is_token=None):
    losses = _losses(logits, target_distribution)
    return float((losses if is_token is None else losses * is_token).mean())


def _mean_of_sentences(logits, target_distribution, is_token=None):
    losses = _losses(logits, target_distribution)
    if is_token is None:
        return float(losses.mean())
    return float(((losses * is_token).sum(axis=-1) / is_token.sum(axis=-1)).mean())


def _sum_over_batch_size(logits, target_distribution, is_token=None):
    return _sum(logits, target_distribution, is_token) / len(logits)


def _mean_over_vocabulary(logits, target_distribution, is_token=None):
    terms = -(target_distribution * _log_softmax(logits))
    return float(terms.mean() if is_token is None else terms[is_token].mean())


def _per_token(logits, target_distribution, is_token=None):
    losses = _losses(logits, target_distribution)
    return losses if is_token is None else losses * is_token


def _only_padding(logits, target_distribution, is_token=None):
    losses = _losses(logits, target_distribution)
    return float(losses.mean() if is_token is None else losses[~is_token].sum() / (~is_token).sum())


def _in_place(logits, target_distribution, is_token=None):
    logits -= logits.max(axis=-1, keepdims=True)
    return _mean(_losses(logits, target_distribution), is_token)


MISTAKES = (
    Mistake(
        "log-of-softmax",
        "The softmax is computed first, and its logarithm is taken after that",
        _with_log_probs(lambda logits: np.log(reference.softmax(logits))),
        "That is right on paper. But a very unlikely word gets a probability of exactly 0 in floating point, and the "
        "logarithm of that is -inf, although the loss is an ordinary number.",
        STABLE,
    ),
    Mistake(
        "clipped",
        "A small number is added to the probabilities before the logarithm",
        _with_log_probs(lambda logits: np.log(reference.softmax(logits) + 1e-12)),
        "That keeps -inf away, and with it the truth: every loss above 28 becomes about 28, and its gradient is lost. "
        "The logarithm can be had without the probability.",
        STABLE,
    ),
    Mistake(
        "not-shifted",
        "The exponentials are taken of the logits as they are",
        _with_log_probs(lambda logits: logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))),
        "The exponential of 1000 is not a floating-point number any more. As in your softmax, the largest logit of a "
        "row can be subtracted first, and nothing changes.",
        STABLE,
    ),
    Mistake(
        "max-of-all",
        "The largest logit of all rows is subtracted from every row",
        _with_log_probs(_max_of_all),
        "A row that lies far below another one is then pushed out of the range of floating point. Every row has its "
        "own largest logit.",
        STABLE,
    ),
    Mistake(
        "logits-as-they-are",
        "The logits are taken for log-probabilities",
        _with_log_probs(lambda logits: logits),
        "Logits can be anything, also positive. What makes log-probabilities of them is subtracting the logarithm of "
        "the sum of their exponentials.",
        LOSS,
    ),
    Mistake(
        "other-axis",
        "The softmax goes along the tokens, not along the vocabulary",
        _with_log_probs(lambda logits: _log_softmax(logits, axis=-2)),
        "At every position the words of the vocabulary compete with each other, and they lie along the last axis.",
        SECTION,
    ),
    Mistake(
        "softmax-twice",
        "The softmax is applied twice",
        _with_log_probs(lambda logits: _log_softmax(reference.softmax(logits))),
        "What comes in are logits, and the logarithm of the softmax is taken of them. Applied to probabilities, a "
        "softmax makes almost even shares of them.",
        LOSS,
    ),
    Mistake(
        "not-a-logarithm",
        "The probability of the right token is averaged, without a logarithm",
        _with_log_probs(reference.softmax),
        "Probabilities of the tokens of a sentence are multiplied, and it is their logarithms that are added.",
        LOSS,
    ),
    Mistake(
        "squared-error",
        "The squared difference of the two distributions is taken",
        _from(_squared_error),
        "That is another loss. The cross-entropy is the number of nats that the target costs.",
        LOSS,
    ),
    Mistake(
        "sign",
        "The minus sign is missing",
        _from(lambda logits, wanted: -_losses(logits, wanted)),
        "The logarithm of a probability is at most 0. A loss is to be made smaller, so it is the negative of that.",
        LOSS,
    ),
    Mistake(
        "bits",
        "The logarithm has base 2",
        _in_units_of(np.log(2)),
        "Then the loss is in bits. Here it is in nats, with the natural logarithm.",
        LOSS,
    ),
    Mistake(
        "base-ten",
        "The logarithm has base 10",
        _in_units_of(np.log(10)),
        "Here the loss is in nats, with the natural logarithm, which is `np.log`.",
        LOSS,
    ),
    Mistake(
        "roles-exchanged",
        "Model and target have changed places",
        _from(_roles_exchanged),
        "The shares come from the target, and the logarithm is that of the model. A target of 0 would have no "
        "logarithm.",
        LOSS,
    ),
    Mistake(
        "divergence",
        "The entropy of the target is subtracted",
        _from(_divergence),
        "That is the KL divergence. It differs from the cross-entropy by a number that no model can change, but it is "
        "not what is asked for.",
        LOSS,
    ),
    Mistake(
        "right-token-only",
        "Only the token with the largest share in the target is counted",
        _from(_right_token_only),
        "With a one-hot target that is all there is. A smoothed target gives every word of the vocabulary a share, "
        "and each of them counts.",
        LOSS,
    ),
    Mistake(
        "sum",
        "The losses of the tokens are added, not averaged",
        _sum,
        "A sum grows with the batch, and with it the gradient. The mean per token can be compared.",
        MEAN,
    ),
    Mistake(
        "over-batch-size",
        "The sum is divided by the number of sentences",
        _sum_over_batch_size,
        "The loss is to be one per token: divide by the number of tokens in all sentences.",
        MEAN,
    ),
    Mistake(
        "over-vocabulary",
        "The mean is taken over the vocabulary, too",
        _mean_over_vocabulary,
        "The terms of one token belong together: they are added, and their sum is the loss of that token. Only then "
        "is the mean taken, over the tokens.",
        MEAN,
    ),
    Mistake(
        "per-token",
        "The losses of all tokens are returned, one by one",
        _per_token,
        "Training needs a single number. Take their mean.",
        MEAN,
    ),
    Mistake(
        "padding-ignored",
        "Padding counts like real tokens",
        _padding_ignored,
        "Nobody wants the model to learn how to write padding. Leave it out of the sum, and of the count.",
        MEAN,
    ),
    Mistake(
        "padding-in-the-count",
        "Padding adds nothing to the sum, but it is counted among the tokens",
        _padding_counted,
        "The more padding a batch has, the smaller this loss looks. Divide by the number of real tokens.",
        MEAN,
    ),
    Mistake(
        "mean-of-means",
        "The mean is taken within every sentence first, and then over the sentences",
        _mean_of_sentences,
        "So a token of a short sentence counts for more than one of a long sentence. All real tokens count alike.",
        MEAN,
    ),
    Mistake(
        "only-padding",
        "The padding is counted, and the tokens are left out",
        _only_padding,
        "`is_token` is True for what counts.",
        MEAN,
    ),
    Mistake(
        "in-place",
        "The logits are changed on the way",
        _in_place,
        "`-=` writes into the array that you were given. The gradient needs the logits as they were.",
        STABLE,
    ),
)
