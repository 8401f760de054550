"""Specification of `cross_entropy_backward`."""

import numpy as np

from autograder.exercises.inputs import require_slopes
from autograder.exercises.unit_10_training import calls, lookalikes
from autograder.exercises.unit_10_training.inputs import (
    MANY_TOKENS,
    at_many_levels,
    far_apart,
    logits_and_targets,
    many,
    padded,
    with_a_sure_token,
)
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

GRADIENT = "The difference of two distributions"
COUNT = "Divide by the tokens, and leave padding alone"

EXERCISE = Exercise(
    reference=reference.cross_entropy_backward,
    asks="the gradient of the mean cross-entropy with respect to the logits.",
    returns=(Output("d_logits", "(..., n, V)"),),
    where=GRADIENT,
    calls=calls.CROSS_ENTROPY_BACKWARD,
    lookalike=lookalikes.CROSS_ENTROPY_BACKWARD,
)


@EXERCISE.claim(0.75)
def value(call, rng):
    """is the gradient of the mean loss, also for smoothed targets"""
    call.agrees(np.log([[1.0, 2.0, 5.0], [1.0, 1.0, 2.0]]), np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]))  # by hand
    call.agrees(*logits_and_targets(rng, 5, epsilon=0.2))
    call.agrees(*many(rng))


@EXERCISE.claim(0.75)
def padding(call, rng):
    """is 0 where the target is padding, which is not counted among the tokens either"""
    logits, wanted = logits_and_targets(rng, 3, 6, epsilon=0.2)
    is_token = padded(rng, 2, 4, 5)
    call.agrees(logits, wanted, is_token)
    result = call(logits, wanted, is_token=is_token)
    call.holds(bool((result[~is_token] == 0).all()), "where the target is padding, the gradient should be exactly 0.")
    call.agrees(*many(rng), rng.random(MANY_TOKENS) < 0.7)


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes"""
    call.agrees(*logits_and_targets(rng, 2, 5))
    call.agrees(*logits_and_targets(rng, 2, 3, 4, epsilon=0.2))
    call.agrees(*logits_and_targets(rng, 1, 3, 1, epsilon=0.2))


@EXERCISE.claim(0.25)
def differences(call, rng):
    """agrees with central differences"""
    logits, wanted = logits_and_targets(rng, 2, 4, n_classes=5, epsilon=0.3)
    is_token = padded(rng, 2, 3)
    value = call.array(logits.shape, logits, wanted, is_token, kinds="f")
    require_slopes(call, (value,), lambda logits: reference.cross_entropy(logits, wanted, is_token), (logits,))


@EXERCISE.claim(0.25)
def large(call, rng):
    """logits from -1000 to 1000 do no harm"""
    call.agrees_quietly(*at_many_levels(rng, 4))
    call.agrees_quietly(*far_apart(rng, 3))
    call.agrees_quietly(*with_a_sure_token(rng))


@EXERCISE.claim(0.25)
def single_precision(call, rng):
    """also takes float32"""
    logits, wanted = logits_and_targets(rng, 5, epsilon=0.2)
    call.agrees(logits.astype(np.float32), wanted.astype(np.float32))


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    logits, wanted = logits_and_targets(rng, 4)
    call.leaves_inputs_alone(logits, wanted, padded(rng, 3)[0])
    call.leaves_inputs_alone(logits, wanted)
    call.agrees(logits, wanted)


wrong = WrongAnswers(EXERCISE, globals())


def _averaged(gradients, is_token):
    if is_token is None:
        return gradients / (gradients.size // gradients.shape[-1])
    return gradients * is_token[..., None] / is_token.sum()


def _difference(logits, wanted):
    return reference.softmax(logits) - wanted


wrong.at(COUNT)


@wrong.function
def not_divided(logits, target_distribution, is_token=None):
    """The gradient is not divided by the number of tokens.
    The loss is a mean over the tokens, so the gradient of each is divided by their number."""
    gradients = _difference(logits, target_distribution)
    return gradients if is_token is None else gradients * is_token[..., None]


wrong("divided-by-everything", {"is_token.sum()": "is_token.size"}, """
    Padding is counted among the tokens that the gradient is divided by.
    The loss is the mean over the real tokens, so they alone are counted here as well.""")

wrong("divided-by-batch-size", "not_divided(logits, target_distribution, is_token) / len(logits)", """
    The gradient is divided by the length of the first axis.
    The loss is a mean over all tokens of all sentences, not over the sentences.""")

wrong("divided-by-vocabulary", "cross_entropy_backward(logits, target_distribution, is_token) / logits.shape[-1]", """
    The gradient is divided by the size of the vocabulary, too.
    `logits.size` counts the entries of all tokens. The mean of the loss goes over tokens only.""")

wrong("padding-not-zeroed",
      {"d_logits * (is_token / is_token.sum()).astype(d_logits.dtype)[..., None]": "d_logits / is_token.sum()"}, """
    Padding gets a gradient.
    The logits of padding do not enter the loss. What does not enter it has the gradient 0.""")

wrong("padding-ignored", "_averaged(_difference(logits, target_distribution), None)", """
    `is_token` is not used at all.
    Padding does not enter the loss: its gradient is 0, and it is not counted among the tokens.""")

wrong("padding-in-the-logits", {
    "d_logits * (is_token / is_token.sum()).astype(d_logits.dtype)[..., None]":
        "(softmax(logits * is_token[..., None]) - target_distribution) / is_token.sum()",
}, """
    The logits of padding are set to 0, and not their gradient.
    A softmax of zeros is an even distribution, not nothing. It is the gradient that has to be 0 there.""")

wrong("padding-dropped", {
    "d_logits * (is_token / is_token.sum()).astype(d_logits.dtype)[..., None]": "d_logits[is_token] / is_token.sum()",
}, """
    Only the rows of real tokens are returned.
    The gradient has the shape of the logits: one number for each of them, and 0 for padding.""")

wrong("mean-of-means", {
    "is_token / is_token.sum()":
        "is_token / is_token.sum(axis=-1, keepdims=True) / (is_token.size // is_token.shape[-1])",
}, """
    Every sentence gets the same weight, whatever its length.
    The loss is the mean over all real tokens. So every token has the same weight.""")

wrong.at(GRADIENT)
wrong("sign", "_averaged(-_difference(logits, target_distribution), is_token)", """
    The sign is wrong.
    Where the model gives a word more than its share, a larger logit makes the loss larger: the gradient is positive
    there.""")

wrong("one-hot",
      {"as_float(target_distribution)": "(target_distribution == target_distribution.max(axis=-1, keepdims=True))"}, """
    The target is taken to be one-hot.
    It may be smoothed. Then every word of the vocabulary has a share to be subtracted.""")

wrong("of-the-probabilities", "_averaged(-target_distribution / softmax(logits), is_token)", """
    It is the gradient with respect to the probabilities, not to the logits.
    The softmax stands between the two, and the chain rule has to go through it as well.""")

wrong("through-softmax-again",
      "_averaged(softmax_backward(softmax(logits) - target_distribution, softmax(logits)), is_token)", """
    The gradient is taken through the softmax a second time.
    The difference of the two distributions is the gradient with respect to the logits already: logarithm and softmax
    are both in it.""")

wrong("without-softmax", "_averaged(logits - target_distribution, is_token)", """
    The target is subtracted from the logits themselves.
    Shares can only be compared with shares. First turn the logits into probabilities.""")

wrong("right-token-only", "_averaged(_difference(logits, target_distribution) * target_distribution, is_token)", """
    Only the words that the target wants get a gradient.
    All words of the vocabulary compete. Those that the target does not want have to go down.""")

wrong.at()
wrong("other-axis", "_averaged(softmax(logits, axis=-2) - target_distribution, is_token)", """
    The softmax goes along the tokens, not along the vocabulary.
    At every position the words of the vocabulary compete with each other, and they lie along the last axis.""")

wrong("unstable",
      "_averaged(np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True) - target_distribution, is_token)", """
    The exponentials are taken of the logits as they are.
    The exponential of 1000 is not a floating-point number any more. Use your softmax of unit 02.""")


@wrong.function
def in_place(logits, target_distribution, is_token=None):
    """The logits are changed on the way.
    An operator such as `-=` writes into the array that you were given. Make a new one."""
    logits -= logits.max(axis=-1, keepdims=True)
    return reference.cross_entropy_backward(logits, target_distribution, is_token)


wrong.at(COUNT)
wrong("divided-within-sentences", {
    "logits.size // logits.shape[-1]": "logits.shape[-2]",
    "is_token.sum()": "is_token.sum(axis=-1, keepdims=True)",
}, """
    Every sentence is divided by its own number of tokens.
    The loss is one mean over all tokens of the batch, so all rows are divided by the same number.""")


@wrong.function
def mask_without_axis(logits, target_distribution, is_token=None):
    """is_token has no axis for the words.
    It has shape (..., n) and the gradient (..., n, V). Without an axis of length 1 at the end, n lines up with V."""
    gradients = reference.cross_entropy_backward(logits, target_distribution, is_token)
    return gradients if is_token is None else gradients * is_token


wrong.at(GRADIENT)


@wrong.function
def softmax_of_everything(logits, target_distribution, is_token=None):
    """The softmax sums over all tokens at once.
    Each token has a distribution of its own over the words: sum along the last axis."""
    exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return _averaged(exponentials / exponentials.sum() - target_distribution, is_token)


wrong("maximum-of-all-rows", {
    "softmax(logits)": "np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum(axis=-1, keepdims=True)",
}, """
    The largest logit of all rows is subtracted from every row.
    In a row of much smaller logits every exponential is then 0, and 0 / 0 is NaN. Each row has its own maximum.""")

wrong.small("sign not-divided divided-by-vocabulary", value)
