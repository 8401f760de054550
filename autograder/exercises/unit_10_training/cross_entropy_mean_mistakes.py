"""The known mistakes of `cross_entropy` with the mean over the tokens, and with its arguments."""

from autograder.exercises.unit_10_training.cross_entropy_mistakes import (
    STABLE,
    log_softmax,
    losses_of,
    mean_over_tokens,
)
from autograder.specification import KnownMistakes
from transformer_kit import reference

MEAN = "The mean, and what it leaves out"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=MEAN, id="sum")
def summed(logits, target_distribution, is_token=None):
    """The losses of the tokens are added, not averaged.

    A sum grows with the batch, and with it the gradient. The mean per token can be compared.
    """
    losses = losses_of(logits, target_distribution)
    return float(losses.sum() if is_token is None else losses[is_token].sum())


@MISTAKES.add(where=MEAN)
def over_batch_size(logits, target_distribution, is_token=None):
    """The sum is divided by the number of sentences.

    The loss is to be one per token: divide by the number of tokens in all sentences.
    """
    return summed(logits, target_distribution, is_token) / len(logits)


@MISTAKES.add(where=MEAN)
def over_vocabulary(logits, target_distribution, is_token=None):
    """The mean is taken over the vocabulary, too.

    The terms of one token belong together: they are added, and their sum is the loss of that token. Only then is
    the mean taken, over the tokens.
    """
    terms = -(target_distribution * log_softmax(logits))
    return float(terms.mean() if is_token is None else terms[is_token].mean())


@MISTAKES.add(where=MEAN)
def per_token(logits, target_distribution, is_token=None):
    """The losses of all tokens are returned, one by one.

    Training needs a single number. Take their mean.
    """
    losses = losses_of(logits, target_distribution)
    return losses if is_token is None else losses * is_token


@MISTAKES.add(where=MEAN)
def padding_ignored(logits, target_distribution, is_token=None):
    """Padding counts like real tokens.

    Nobody wants the model to learn how to write padding. Leave it out of the sum, and of the count.
    """
    return float(losses_of(logits, target_distribution).mean())


@MISTAKES.add(where=MEAN)
def padding_in_the_count(logits, target_distribution, is_token=None):
    """Padding adds nothing to the sum, but it is counted among the tokens.

    The more padding a batch has, the smaller this loss looks. Divide by the number of real tokens.
    """
    losses = losses_of(logits, target_distribution)
    return float((losses if is_token is None else losses * is_token).mean())


@MISTAKES.add(where=MEAN)
def mean_of_means(logits, target_distribution, is_token=None):
    """The mean is taken within every sentence first, and then over the sentences.

    So a token of a short sentence counts for more than one of a long sentence. All real tokens count alike.
    """
    losses = losses_of(logits, target_distribution)
    if is_token is None:
        return float(losses.mean())
    return float(((losses * is_token).sum(axis=-1) / is_token.sum(axis=-1)).mean())


@MISTAKES.add(where=MEAN)
def only_padding(logits, target_distribution, is_token=None):
    """The padding is counted, and the tokens are left out.

    `is_token` is True for what counts.
    """
    losses = losses_of(logits, target_distribution)
    return float(losses.mean() if is_token is None else losses[~is_token].sum() / (~is_token).sum())


@MISTAKES.add(where=STABLE)
def in_place(logits, target_distribution, is_token=None):
    """The logits are changed on the way.

    `-=` writes into the array that you were given. The gradient needs the logits as they were.
    """
    logits -= logits.max(axis=-1, keepdims=True)
    return mean_over_tokens(losses_of(logits, target_distribution), is_token)


@MISTAKES.add(where=MEAN)
def truth_of_mask(logits, target_distribution, is_token=None):
    """One truth value is asked of a whole array, as by `if is_token`.

    An array of several entries is neither true nor false. Whether it was given at all is asked with `is None`.
    """
    return reference.cross_entropy(logits, target_distribution, is_token if is_token else None)
