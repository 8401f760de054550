"""The known mistakes of `sentence_vector`."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 12.5: sentence_vector"
MEAN = "The mean of what is there"
LENGTH = "Length 1"

MISTAKES = KnownMistakes()


def _masked(X, is_token):
    return np.where(is_token[..., None], X, 0.0)


def _mean(X, is_token):
    """Return the mean over the tokens; zeros where there are none."""
    count = np.maximum(is_token.sum(axis=-1, keepdims=True), 1)
    return _masked(X, is_token).sum(axis=-2) / count


def _unit(vector, order=2):
    length = np.linalg.norm(vector, order, axis=-1, keepdims=True)
    return vector / np.where(length > 0, length, 1)


@MISTAKES.add(where=MEAN)
def padding_counts(X, is_token):
    """The mean is over all positions, padding included.

    What stands at the padding means nothing. In another batch the same sentence would have more or less of it.
    """
    return _unit(X.mean(axis=-2))


@MISTAKES.add(where=MEAN)
def mask_inverted(X, is_token):
    """The mean is over the padding.

    `is_token` is True for what counts.
    """
    return reference.sentence_vector(X, ~is_token)


@MISTAKES.add(where=MEAN)
def first_token(X, is_token):
    """The first vector stands for the sentence.

    Some models are trained for that, since their first token is a mark for the whole. This one is trained for the mean.
    """
    return _unit(np.where(is_token.any(axis=-1)[..., None], X[..., 0, :], 0))


@MISTAKES.add(where=MEAN)
def last_token(X, is_token):
    """The last token stands for the sentence.

    All tokens count equally.
    """
    last = is_token.shape[-1] - 1 - np.argmax(is_token[..., ::-1], axis=-1)
    found = np.take_along_axis(X, last[..., None, None], axis=-2)[..., 0, :]
    return _unit(np.where(is_token.any(axis=-1)[..., None], found, 0))


@MISTAKES.add(where=MEAN)
def largest_entries(X, is_token):
    """In every feature the largest entry is taken, not the mean.

    That is max pooling, which other models were trained for.
    """
    largest = np.where(is_token[..., None], X, -np.inf).max(axis=-2)
    return _unit(np.where(np.isfinite(largest), largest, 0))


@MISTAKES.add(where=MEAN)
def along_features(X, is_token):
    """The mean is over the features, not over the tokens.

    The tokens lie along the second to last axis.
    """
    return _unit(_masked(X, is_token).mean(axis=-1))


@MISTAKES.add(where=MEAN)
def all_sentences_together(X, is_token):
    """The mean is over all axes but the last, over all sentences of the batch.

    Every sentence has a vector of its own.
    """
    total = _masked(X, is_token).reshape(-1, X.shape[-1]).sum(axis=0)
    return _unit(total)


@MISTAKES.add(where=MEAN)
def lost_padding_places(X, is_token):
    """The tokens are taken from the beginning, as many as there are.

    Padding need not stand at the end. `is_token` says where the tokens are.
    """
    beginning = np.arange(X.shape[-2]) < is_token.sum(axis=-1, keepdims=True)
    return reference.sentence_vector(X, beginning)


@MISTAKES.add(where=MEAN)
def tokens_to_length_1(X, is_token):
    """Every token is brought to length 1 before the mean, and the mean as well.

    Then short vectors count as much as long ones. Only the result has length 1.
    """
    return _unit(_mean(_unit(X), is_token))


@MISTAKES.add(where=LENGTH)
def only_tokens_to_length_1(X, is_token):
    """The tokens are brought to length 1, but not their mean.

    The mean of vectors of length 1 is shorter than 1, unless all are the same.
    """
    return _mean(_unit(X), is_token)


@MISTAKES.add(where=LENGTH)
def not_to_length_1(X, is_token):
    """The mean is returned as it is.

    With length 1, the product of two vectors is the cosine of the angle between them.
    """
    return _mean(X, is_token)


@MISTAKES.add(where=LENGTH)
def sum_of_tokens(X, is_token):
    """The sum of the tokens is returned as it is.

    It is divided neither by the number of tokens nor by its length. Long sentences have long sums.
    """
    return _masked(X, is_token).sum(axis=-2)


@MISTAKES.add(where=LENGTH)
def entries_sum_to_1(X, is_token):
    """The vector is divided by the sum of its entries.

    A direction is no distribution. Its length is the root of the sum of the squares.
    """
    mean = _mean(X, is_token)
    total = mean.sum(axis=-1, keepdims=True)
    return mean / np.where(total == 0, 1, total)


@MISTAKES.add(where=LENGTH)
def sizes_sum_to_1(X, is_token):
    """The vector is divided by the sum of the sizes of its entries.

    The length is the root of the sum of the squares.
    """
    return _unit(_mean(X, is_token), 1)


@MISTAKES.add(where=LENGTH)
def no_root(X, is_token):
    """The vector is divided by the sum of the squares, without the root.

    A vector twice as long would then become half as long.
    """
    mean = _mean(X, is_token)
    square = (mean**2).sum(axis=-1, keepdims=True)
    return mean / np.where(square > 0, square, 1)


@MISTAKES.add(where=LENGTH)
def mean_square_1(X, is_token):
    """The mean of the squares is 1, not their sum.

    That is what a norm of a layer does. A vector of length 1 has squares that sum to 1.
    """
    return _unit(_mean(X, is_token)) * np.sqrt(X.shape[-1])


@MISTAKES.add(where=LENGTH)
def length_of_the_batch(X, is_token):
    """All vectors are divided by one length, that of the whole array.

    `np.linalg.norm` without an axis takes all numbers together. Each vector has a length of its own.
    """
    mean = _mean(X, is_token)
    return mean / (np.linalg.norm(mean) or 1)


@MISTAKES.add(where=LENGTH)
def large_eps(X, is_token):
    """A number such as 1e-5 is added to the length, so that nobody divides by 0.

    That makes every vector a little too short. Divide by 1 where the length is 0, and nothing else changes.
    """
    mean = _mean(X, is_token)
    return mean / (np.linalg.norm(mean, axis=-1, keepdims=True) + 1e-5)


@MISTAKES.add(where=LENGTH)
def centred(X, is_token):
    """The mean of its entries is subtracted from the vector before it gets the length 1.

    Layer normalisation does that. Here the direction stays as it is.
    """
    mean = _mean(X, is_token)
    return _unit(mean - mean.mean(axis=-1, keepdims=True))


@MISTAKES.add(where=MEAN)
def nothing_divided(X, is_token):
    """A sentence without tokens gives NaN.

    0 divided by 0 is no number. Such a sentence has the vector 0.
    """
    total = _masked(X, is_token).sum(axis=-2)
    with np.errstate(invalid="ignore"):
        return total / np.linalg.norm(total, axis=-1, keepdims=True)


@MISTAKES.add(where=MEAN)
def ones_for_nothing(X, is_token):
    """A sentence without tokens gives the direction in which all features are equal.

    No direction is the right one. Return zeros, which are like nothing else.
    """
    vector = reference.sentence_vector(X, is_token)
    return np.where(is_token.any(axis=-1)[..., None], vector, X.shape[-1] ** -0.5)


@MISTAKES.add(where=MEAN)
def padding_for_nothing(X, is_token):
    """A sentence without tokens gives the mean of its padding.

    There is nothing in it that counts. Return zeros.
    """
    empty = ~is_token.any(axis=-1, keepdims=True)
    return reference.sentence_vector(X, is_token | empty)


@MISTAKES.add(where=MEAN)
def axis_kept(X, is_token):
    """The axis of the tokens stays, with the length 1.

    The result has one axis fewer than X.
    """
    return reference.sentence_vector(X, is_token)[..., None, :]


@MISTAKES.add(where=MEAN)
def in_place(X, is_token):
    """The padding is set to 0 in the vectors given.

    Whoever looks at them afterwards no longer finds what the model made. Make a new array.
    """
    X[~is_token] = 0
    return reference.sentence_vector(X, is_token)


@MISTAKES.add(where=LENGTH)
def short_ones_not_stretched(X, is_token):
    """Short vectors do not get the length 1.

    A constant that keeps you from dividing by 0 also changes vectors that are merely short. Ask whether the length
    is 0.
    """
    mean = _mean(X, is_token)
    return mean / np.maximum(np.linalg.norm(mean, axis=-1, keepdims=True), 1e-3)
