"""The known mistakes of `cross_entropy_backward`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

SECTION = "Exercise 10.4: cross_entropy_backward"
GRADIENT = "The difference of two distributions"
COUNT = "Divide by the tokens, and leave padding alone"


def _with(difference):
    """Make a function that is right but for the gradient of every single token, `difference(logits, wanted)`."""

    def function(logits, target_distribution, is_token=None):
        return _averaged(difference(logits, target_distribution), is_token)

    return function


def _averaged(gradients, is_token):
    if is_token is None:
        return gradients / (gradients.size // gradients.shape[-1])
    return gradients * is_token[..., None] / is_token.sum()


def _difference(logits, wanted):
    return reference.softmax(logits) - wanted


def _one_hot_of_target(logits, wanted):
    return _difference(logits, reference.one_hot(wanted.argmax(axis=-1), wanted.shape[-1]))


def _through_softmax_again(logits, wanted):
    probs = reference.softmax(logits)
    return reference.softmax_backward(probs - wanted, probs)


def _unstable(logits, wanted):
    exponentials = np.exp(logits)
    return exponentials / exponentials.sum(axis=-1, keepdims=True) - wanted


def _not_divided(logits, target_distribution, is_token=None):
    gradients = _difference(logits, target_distribution)
    return gradients if is_token is None else gradients * is_token[..., None]


def _divided_by_everything(logits, target_distribution, is_token=None):
    gradients = _not_divided(logits, target_distribution, is_token)
    return gradients / (gradients.size // gradients.shape[-1])


def _divided_by_batch_size(logits, target_distribution, is_token=None):
    return _not_divided(logits, target_distribution, is_token) / len(logits)


def _divided_by_vocabulary(logits, target_distribution, is_token=None):
    return reference.cross_entropy_backward(logits, target_distribution, is_token) / logits.shape[-1]


def _padding_not_zeroed(logits, target_distribution, is_token=None):
    gradients = _difference(logits, target_distribution)
    return _averaged(gradients, None) if is_token is None else gradients / is_token.sum()


def _padding_ignored(logits, target_distribution, is_token=None):
    return _averaged(_difference(logits, target_distribution), None)


def _padding_in_the_softmax(logits, target_distribution, is_token=None):
    if is_token is None:
        return _padding_ignored(logits, target_distribution)
    return (reference.softmax(logits * is_token[..., None]) - target_distribution) / is_token.sum()


def _padding_dropped(logits, target_distribution, is_token=None):
    if is_token is None:
        return _padding_ignored(logits, target_distribution)
    return _difference(logits, target_distribution)[is_token] / is_token.sum()


def _mean_of_sentences(logits, target_distribution, is_token=None):
    if is_token is None:
        return _padding_ignored(logits, target_distribution)
    counts = is_token.sum(axis=-1, keepdims=True) * (is_token.size // is_token.shape[-1])
    return _difference(logits, target_distribution) * (is_token / counts)[..., None]


def _in_place(logits, target_distribution, is_token=None):
    logits -= logits.max(axis=-1, keepdims=True)
    return reference.cross_entropy_backward(logits, target_distribution, is_token)


MISTAKES = (
    Mistake(
        "not-divided",
        "The gradient is not divided by the number of tokens",
        _not_divided,
        "The loss is a mean, and each token has its share of one part in that many.",
        COUNT,
    ),
    Mistake(
        "divided-by-everything",
        "Padding is counted among the tokens that the gradient is divided by",
        _divided_by_everything,
        "The loss is the mean over the real tokens, so they alone are counted here as well.",
        COUNT,
    ),
    Mistake(
        "divided-by-batch-size",
        "The gradient is divided by the length of the first axis",
        _divided_by_batch_size,
        "The loss is a mean over all tokens of all sentences, not over the sentences.",
        COUNT,
    ),
    Mistake(
        "divided-by-vocabulary",
        "The gradient is divided by the size of the vocabulary, too",
        _divided_by_vocabulary,
        "`logits.size` counts the entries of all tokens. The mean of the loss goes over tokens only.",
        COUNT,
    ),
    Mistake(
        "padding-not-zeroed",
        "Padding gets a gradient",
        _padding_not_zeroed,
        "The logits of padding do not enter the loss. What does not enter it has the gradient 0.",
        COUNT,
    ),
    Mistake(
        "padding-ignored",
        "`is_token` is not used at all",
        _padding_ignored,
        "Padding does not enter the loss: its gradient is 0, and it is not counted among the tokens.",
        COUNT,
    ),
    Mistake(
        "padding-in-the-logits",
        "The logits of padding are set to 0, and not their gradient",
        _padding_in_the_softmax,
        "A softmax of zeros is an even distribution, not nothing. It is the gradient that has to be 0 there.",
        COUNT,
    ),
    Mistake(
        "padding-dropped",
        "Only the rows of real tokens are returned",
        _padding_dropped,
        "The gradient has the shape of the logits: one number for each of them, and 0 for padding.",
        COUNT,
    ),
    Mistake(
        "mean-of-means",
        "Every sentence gets the same weight, whatever its length",
        _mean_of_sentences,
        "The loss is the mean over all real tokens. So every token has the same weight.",
        COUNT,
    ),
    Mistake(
        "sign",
        "The sign is turned round",
        _with(lambda logits, wanted: -_difference(logits, wanted)),
        "Where the model gives a word more than its share, a larger logit makes the loss larger: the gradient is "
        "positive there.",
        GRADIENT,
    ),
    Mistake(
        "one-hot",
        "The target is taken to be one-hot",
        _with(_one_hot_of_target),
        "It may be smoothed. Then every word of the vocabulary has a share to be subtracted.",
        GRADIENT,
    ),
    Mistake(
        "of-the-probabilities",
        "It is the gradient with respect to the probabilities, not to the logits",
        _with(lambda logits, wanted: -wanted / reference.softmax(logits)),
        "The softmax stands between the two, and the chain rule has to go through it as well.",
        GRADIENT,
    ),
    Mistake(
        "through-softmax-again",
        "The gradient is taken through the softmax a second time",
        _with(_through_softmax_again),
        "The difference of the two distributions is the gradient with respect to the logits already: logarithm and "
        "softmax are both in it.",
        GRADIENT,
    ),
    Mistake(
        "without-softmax",
        "The target is subtracted from the logits themselves",
        _with(lambda logits, wanted: logits - wanted),
        "Shares can be compared with shares. First turn the logits into probabilities.",
        GRADIENT,
    ),
    Mistake(
        "right-token-only",
        "Only the words that the target wants get a gradient",
        _with(lambda logits, wanted: _difference(logits, wanted) * wanted),
        "All words of the vocabulary compete. Those that the target does not want have to go down.",
        GRADIENT,
    ),
    Mistake(
        "other-axis",
        "The softmax goes along the tokens, not along the vocabulary",
        _with(lambda logits, wanted: reference.softmax(logits, axis=-2) - wanted),
        "At every position the words of the vocabulary compete with each other, and they lie along the last axis.",
        SECTION,
    ),
    Mistake(
        "unstable",
        "The exponentials are taken of the logits as they are",
        _with(_unstable),
        "The exponential of 1000 is not a floating-point number any more. Use your softmax of notebook 02.",
        SECTION,
    ),
    Mistake(
        "in-place",
        "The logits are changed on the way",
        _in_place,
        "`-=` writes into the array that you were given. Make a new one.",
        SECTION,
    ),
)
