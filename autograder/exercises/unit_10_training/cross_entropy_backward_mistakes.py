"""The known mistakes of `cross_entropy_backward`."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 10.4: cross_entropy_backward"
GRADIENT = "The difference of two distributions"
COUNT = "Divide by the tokens, and leave padding alone"

MISTAKES = KnownMistakes()


def _averaged(gradients, is_token):
    if is_token is None:
        return gradients / (gradients.size // gradients.shape[-1])
    return gradients * is_token[..., None] / is_token.sum()


def _difference(logits, wanted):
    return reference.softmax(logits) - wanted


@MISTAKES.add(where=COUNT)
def not_divided(logits, target_distribution, is_token=None):
    """The gradient is not divided by the number of tokens.

    The loss is a mean over the tokens, so the gradient of each is divided by their number.
    """
    gradients = _difference(logits, target_distribution)
    return gradients if is_token is None else gradients * is_token[..., None]


@MISTAKES.add(where=COUNT)
def divided_by_everything(logits, target_distribution, is_token=None):
    """Padding is counted among the tokens that the gradient is divided by.

    The loss is the mean over the real tokens, so they alone are counted here as well.
    """
    gradients = not_divided(logits, target_distribution, is_token)
    return gradients / (gradients.size // gradients.shape[-1])


@MISTAKES.add(where=COUNT)
def divided_by_batch_size(logits, target_distribution, is_token=None):
    """The gradient is divided by the length of the first axis.

    The loss is a mean over all tokens of all sentences, not over the sentences.
    """
    return not_divided(logits, target_distribution, is_token) / len(logits)


@MISTAKES.add(where=COUNT)
def divided_by_vocabulary(logits, target_distribution, is_token=None):
    """The gradient is divided by the size of the vocabulary, too.

    `logits.size` counts the entries of all tokens. The mean of the loss goes over tokens only.
    """
    return reference.cross_entropy_backward(logits, target_distribution, is_token) / logits.shape[-1]


@MISTAKES.add(where=COUNT)
def padding_not_zeroed(logits, target_distribution, is_token=None):
    """Padding gets a gradient.

    The logits of padding do not enter the loss. What does not enter it has the gradient 0.
    """
    gradients = _difference(logits, target_distribution)
    return _averaged(gradients, None) if is_token is None else gradients / is_token.sum()


@MISTAKES.add(where=COUNT)
def padding_ignored(logits, target_distribution, is_token=None):
    """`is_token` is not used at all.

    Padding does not enter the loss: its gradient is 0, and it is not counted among the tokens.
    """
    return _averaged(_difference(logits, target_distribution), None)


@MISTAKES.add(where=COUNT)
def padding_in_the_logits(logits, target_distribution, is_token=None):
    """The logits of padding are set to 0, and not their gradient.

    A softmax of zeros is an even distribution, not nothing. It is the gradient that has to be 0 there.
    """
    if is_token is None:
        return padding_ignored(logits, target_distribution)
    return (reference.softmax(logits * is_token[..., None]) - target_distribution) / is_token.sum()


@MISTAKES.add(where=COUNT)
def padding_dropped(logits, target_distribution, is_token=None):
    """Only the rows of real tokens are returned.

    The gradient has the shape of the logits: one number for each of them, and 0 for padding.
    """
    if is_token is None:
        return padding_ignored(logits, target_distribution)
    return _difference(logits, target_distribution)[is_token] / is_token.sum()


@MISTAKES.add(where=COUNT)
def mean_of_means(logits, target_distribution, is_token=None):
    """Every sentence gets the same weight, whatever its length.

    The loss is the mean over all real tokens. So every token has the same weight.
    """
    if is_token is None:
        return padding_ignored(logits, target_distribution)
    counts = is_token.sum(axis=-1, keepdims=True) * (is_token.size // is_token.shape[-1])
    return _difference(logits, target_distribution) * (is_token / counts)[..., None]


@MISTAKES.add(where=GRADIENT)
def sign(logits, target_distribution, is_token=None):
    """The sign is wrong.

    Where the model gives a word more than its share, a larger logit makes the loss larger: the gradient is positive
    there.
    """
    return _averaged(-_difference(logits, target_distribution), is_token)


@MISTAKES.add(where=GRADIENT)
def one_hot(logits, target_distribution, is_token=None):
    """The target is taken to be one-hot.

    It may be smoothed. Then every word of the vocabulary has a share to be subtracted.
    """
    best = reference.one_hot(target_distribution.argmax(axis=-1), target_distribution.shape[-1])
    return _averaged(_difference(logits, best), is_token)


@MISTAKES.add(where=GRADIENT)
def of_the_probabilities(logits, target_distribution, is_token=None):
    """It is the gradient with respect to the probabilities, not to the logits.

    The softmax stands between the two, and the chain rule has to go through it as well.
    """
    return _averaged(-target_distribution / reference.softmax(logits), is_token)


@MISTAKES.add(where=GRADIENT)
def through_softmax_again(logits, target_distribution, is_token=None):
    """The gradient is taken through the softmax a second time.

    The difference of the two distributions is the gradient with respect to the logits already: logarithm and
    softmax are both in it.
    """
    probs = reference.softmax(logits)
    return _averaged(reference.softmax_backward(probs - target_distribution, probs), is_token)


@MISTAKES.add(where=GRADIENT)
def without_softmax(logits, target_distribution, is_token=None):
    """The target is subtracted from the logits themselves.

    Shares can only be compared with shares. First turn the logits into probabilities.
    """
    return _averaged(logits - target_distribution, is_token)


@MISTAKES.add(where=GRADIENT)
def right_token_only(logits, target_distribution, is_token=None):
    """Only the words that the target wants get a gradient.

    All words of the vocabulary compete. Those that the target does not want have to go down.
    """
    return _averaged(_difference(logits, target_distribution) * target_distribution, is_token)


@MISTAKES.add(where=SECTION)
def other_axis(logits, target_distribution, is_token=None):
    """The softmax goes along the tokens, not along the vocabulary.

    At every position the words of the vocabulary compete with each other, and they lie along the last axis.
    """
    return _averaged(reference.softmax(logits, axis=-2) - target_distribution, is_token)


@MISTAKES.add(where=SECTION)
def unstable(logits, target_distribution, is_token=None):
    """The exponentials are taken of the logits as they are.

    The exponential of 1000 is not a floating-point number any more. Use your softmax of unit 02.
    """
    exponentials = np.exp(logits)
    probs = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return _averaged(probs - target_distribution, is_token)


@MISTAKES.add(where=SECTION)
def in_place(logits, target_distribution, is_token=None):
    """The logits are changed on the way.

    `-=` writes into the array that you were given. Make a new one.
    """
    logits -= logits.max(axis=-1, keepdims=True)
    return reference.cross_entropy_backward(logits, target_distribution, is_token)


@MISTAKES.add(where=COUNT)
def divided_within_sentences(logits, target_distribution, is_token=None):
    """Every sentence is divided by its own number of tokens.

    The loss is one mean over all tokens of the batch, so all rows are divided by the same number.
    """
    if is_token is None:
        is_token = np.ones(logits.shape[:-1], dtype=bool)
    counts = is_token.sum(axis=-1, keepdims=True)[..., None]
    return _difference(logits, target_distribution) * is_token[..., None] / counts


@MISTAKES.add(where=COUNT)
def mask_without_axis(logits, target_distribution, is_token=None):
    """is_token has no axis for the words.

    It has shape (..., n) and the gradient (..., n, V). Without an axis of length 1 at the end, n lines up with V.
    """
    gradients = reference.cross_entropy_backward(logits, target_distribution, is_token)
    return gradients if is_token is None else gradients * is_token


@MISTAKES.add(where=GRADIENT)
def softmax_of_everything(logits, target_distribution, is_token=None):
    """The softmax sums over all tokens at once.

    Each token has a distribution of its own over the words: sum along the last axis.
    """
    exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return _averaged(exponentials / exponentials.sum() - target_distribution, is_token)


@MISTAKES.add(where=GRADIENT)
def maximum_of_all_rows(logits, target_distribution, is_token=None):
    """The largest logit of all rows is subtracted from every row.

    In a row of much smaller logits every exponential is then 0, and 0 / 0 is NaN. Each row has its own maximum.
    """
    exponentials = np.exp(logits - logits.max())
    return _averaged(exponentials / exponentials.sum(axis=-1, keepdims=True) - target_distribution, is_token)
