"""Specification of `sentence_vector`."""

import numpy as np

from autograder.exercises.inputs import judged
from autograder.exercises.unit_12_models_you_know import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

MEAN = "The mean of what is there"
LENGTH = "Length 1"

EXERCISE = Exercise(
    reference=reference.sentence_vector,
    asks="one vector of length 1 for a sentence: the direction of the mean of its tokens, without the padding.",
    returns=(Output("vector", "(..., d)"),),
    calls=calls.SENTENCE_VECTOR,
    lookalike=lookalikes.SENTENCE_VECTOR,
)


def _given(rng, *shape):
    """Draw vectors of tokens, and which of them are tokens: two at least in every sentence, in any places."""
    *leading, n = shape[:-1]
    is_token = rng.permuted(np.broadcast_to(np.arange(n), (*leading, n)), axis=-1) < rng.integers(2, n, (*leading, 1))
    return 0.5 + rng.standard_normal(shape), is_token


@EXERCISE.claim(1)
def without_padding(call, rng):
    """has the direction of the mean of all tokens, without the padding"""
    call.agrees(np.array([[3.0, 0.0], [0.0, 4.0], [9.0, 9.0]]), np.array([True, True, False]))  # by hand
    X, _ = _given(rng, 6, 5)
    call.agrees(X, np.ones(6, dtype=bool))
    call.agrees(X, np.arange(6) < 4)
    call.agrees(*_given(rng, 7, 5))


@EXERCISE.claim(1)
def length(call, rng):
    """has the length 1, whatever the lengths of its tokens and however many there are"""
    for factor, n in ((1, 3), (100, 4), (0.01, 6), (1e-7, 5)):
        X, is_token = _given(rng, n, 5)
        X = factor * X
        call.agrees(X, is_token)
    one = rng.permutation(6) == 0
    call.agrees(_given(rng, 6, 5)[0], one)  # a sentence of one token


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """takes any leading axes: every sentence by itself"""
    call.agrees(*_given(rng, 3, 6, 5))
    call.agrees(*_given(rng, 2, 3, 4, 5))
    call.agrees(*_given(rng, 4, 4, 3))


@EXERCISE.claim(1)
def no_tokens(call, rng):
    """a sentence without tokens gives zeros, and the others of its batch stay what they are"""
    X, is_token = _given(rng, 3, 6, 5)
    is_token[int(rng.integers(0, 3))] = False
    call.agrees(X, is_token)
    call.agrees(X[0], np.zeros(6, dtype=bool))
    call.agrees(*_given(rng, 6, 5))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone, and also takes float32"""
    X, is_token = _given(rng, 3, 6, 5)
    call.leaves_inputs_alone(X, is_token)
    call.agrees(X, is_token)
    with judged():
        call.agrees(X.astype(np.float32), is_token)


wrong = WrongAnswers(EXERCISE, globals())


def _masked(X, is_token):
    return np.where(is_token[..., None], X, 0.0)


def _mean(X, is_token):
    """Return the mean over the tokens; zeros where there are none."""
    count = np.maximum(is_token.sum(axis=-1, keepdims=True), 1)
    return _masked(X, is_token).sum(axis=-2) / count


def _unit(vector, order=2):
    length = np.linalg.norm(vector, order, axis=-1, keepdims=True)
    return vector / np.where(length > 0, length, 1)


wrong.at(MEAN)
wrong("padding-counts", "_unit(X.mean(axis=-2))", """
    The mean is over all positions, padding included.
    What stands at the padding means nothing. In another batch the same sentence would have more or less of it.""")

wrong("mask-inverted", "sentence_vector(X, ~is_token)", """
    The mean is over the padding.
    `is_token` is True for what counts.""")

wrong("first-token", "_unit(np.where(is_token.any(axis=-1)[..., None], X[..., 0, :], 0))", """
    The first vector stands for the sentence.
    Some models are trained for that, since their first token is a mark for the whole. This one is trained for the
    mean.""")


@wrong.function
def last_token(X, is_token):
    """The last token stands for the sentence.
    All tokens count equally."""
    last = is_token.shape[-1] - 1 - np.argmax(is_token[..., ::-1], axis=-1)
    found = np.take_along_axis(X, last[..., None, None], axis=-2)[..., 0, :]
    return _unit(np.where(is_token.any(axis=-1)[..., None], found, 0))


@wrong.function
def largest_entries(X, is_token):
    """In every feature the largest entry is taken, not the mean.
    That is max pooling, which other models were trained for."""
    largest = np.where(is_token[..., None], X, -np.inf).max(axis=-2)
    return _unit(np.where(np.isfinite(largest), largest, 0))


wrong("along-features", "_unit(_masked(X, is_token).mean(axis=-1))", """
    The mean is over the features, not over the tokens.
    The tokens lie along the second to last axis.""")

wrong("all-sentences-together", "_unit(_masked(X, is_token).reshape(-1, X.shape[-1]).sum(axis=0))", """
    The mean is over all axes but the last, over all sentences of the batch.
    Every sentence has a vector of its own.""")

wrong("lost-padding-places",
      {"np.where(np.asarray(is_token)[..., None], X, 0)":
       "np.where((np.arange(X.shape[-2]) < np.sum(is_token, axis=-1, keepdims=True))[..., None], X, 0)"}, """
    The tokens are taken from the beginning, as many as there are.
    Padding need not stand at the end. `is_token` says where the tokens are.""")

wrong("tokens-to-length-1", "_unit(_mean(_unit(X), is_token))", """
    Every token is brought to length 1 before the mean, and the mean as well.
    Then short vectors count as much as long ones. Only the result has length 1.""")

wrong.at(LENGTH)
wrong("only-tokens-to-length-1", "_mean(_unit(X), is_token)", """
    The tokens are brought to length 1, but not their mean.
    The mean of vectors of length 1 is shorter than 1, unless all are the same.""")

wrong("not-to-length-1", "_mean(X, is_token)", """
    The mean is returned as it is.
    With length 1, the product of two vectors is the cosine of the angle between them.""")

wrong("sum-of-tokens", "_masked(X, is_token).sum(axis=-2)", """
    The sum of the tokens is returned as it is.
    It is divided neither by the number of tokens nor by its length. Long sentences have long sums.""")


@wrong.function
def entries_sum_to_1(X, is_token):
    """The vector is divided by the sum of its entries.
    A direction is no distribution. Its length is the root of the sum of the squares."""
    mean = _mean(X, is_token)
    total = mean.sum(axis=-1, keepdims=True)
    return mean / np.where(total == 0, 1, total)


wrong("sizes-sum-to-1", "_unit(_mean(X, is_token), 1)", """
    The vector is divided by the sum of the sizes of its entries.
    The length is the root of the sum of the squares.""")


@wrong.function
def no_root(X, is_token):
    """The vector is divided by the sum of the squares, without the root.
    A vector twice as long would then become half as long."""
    mean = _mean(X, is_token)
    square = (mean**2).sum(axis=-1, keepdims=True)
    return mean / np.where(square > 0, square, 1)


wrong("mean-square-1", "_unit(_mean(X, is_token)) * np.sqrt(X.shape[-1])", """
    The mean of the squares is 1, not their sum.
    That is what a norm of a layer does. A vector of length 1 has squares that sum to 1.""")

wrong("length-of-the-batch", "_mean(X, is_token) / (np.linalg.norm(_mean(X, is_token)) or 1)", """
    All vectors are divided by one length, that of the whole array.
    `np.linalg.norm` without an axis takes all numbers together. Each vector has a length of its own.""")

wrong("large-eps", "_mean(X, is_token) / (np.linalg.norm(_mean(X, is_token), axis=-1, keepdims=True) + 1e-5)", """
    A number such as 1e-5 is added to the length, so that nobody divides by 0.
    That makes every vector a little too short. Divide by 1 where the length is 0, and nothing else changes.""")

wrong("centred", "_unit(_mean(X, is_token) - _mean(X, is_token).mean(axis=-1, keepdims=True))", """
    The mean of its entries is subtracted from the vector before it gets the length 1.
    Layer normalisation does that. Here the direction stays as it is.""")

wrong.at(MEAN)
wrong("nothing-divided", {"np.where(length > 0, length, 1)": "length"}, """
    A sentence without tokens gives NaN.
    0 divided by 0 is no number. Such a sentence has the vector 0.""")

wrong("ones-for-nothing",
      "np.where(is_token.any(axis=-1)[..., None], sentence_vector(X, is_token), X.shape[-1] ** (-0.5))", """
    A sentence without tokens gives the direction in which all features are equal.
    No direction is the right one. Return zeros, which are like nothing else.""")

wrong("padding-for-nothing", "sentence_vector(X, is_token | ~is_token.any(axis=-1, keepdims=True))", """
    A sentence without tokens gives the mean of its padding.
    There is nothing in it that counts. Return zeros.""")

wrong("axis-kept", "sentence_vector(X, is_token)[..., None, :]", """
    The axis of the tokens stays, with the length 1.
    The result has one axis fewer than X.""")


@wrong.function
def in_place(X, is_token):
    """The padding is set to 0 in the vectors given.
    Whoever looks at them afterwards no longer finds what the model made. Make a new array."""
    X[~is_token] = 0
    return reference.sentence_vector(X, is_token)


wrong.at(LENGTH)
wrong("short-ones-not-stretched",
      "_mean(X, is_token) / np.maximum(np.linalg.norm(_mean(X, is_token), axis=-1, keepdims=True), 1e-3)", """
    Short vectors do not get the length 1.
    A constant that keeps you from dividing by 0 also changes vectors that are merely short. Ask whether the length is
    0.""")
