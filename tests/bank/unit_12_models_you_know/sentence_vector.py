"""Functions that learners wrote for `sentence_vector`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "the mean is over all positions, padding included",
    names={"padding-counts"},
    line="mean = X.mean(axis=-2)",
)
def plain_mean(X, is_token):
    mean = X.mean(axis=-2)
    return mean / np.linalg.norm(mean, axis=-1, keepdims=True)


@wrong(
    "a sentence without tokens is divided by 0 and gives NaN",
    names={"nothing-divided"},
    line="mean = (X * is_token[..., None]).sum(axis=-2) / is_token.sum(axis=-1, keepdims=True)",
)
def no_special_case(X, is_token):
    mean = (X * is_token[..., None]).sum(axis=-2) / is_token.sum(axis=-1, keepdims=True)
    return mean / np.linalg.norm(mean, axis=-1, keepdims=True)


@wrong(
    "the mean is not brought to length 1",
    names={"not-to-length-1"},
    line="return (X * is_token[..., None]).sum(axis=-2) / np.maximum(count, 1)",
)
def mean_only(X, is_token):
    count = is_token.sum(axis=-1, keepdims=True)
    return (X * is_token[..., None]).sum(axis=-2) / np.maximum(count, 1)


@wrong(
    "X[is_token] takes the tokens of all sentences together",
    names={"all-sentences-together"},
    line="mean = X[is_token].mean(axis=0)",
)
def boolean_index(X, is_token):
    if not is_token.any():
        return np.zeros(X.shape[-1])
    mean = X[is_token].mean(axis=0)
    return mean / np.linalg.norm(mean)


@wrong(
    "np.linalg.norm has no axis, so there is one length for all sentences",
    names={"length-of-the-batch"},
    line="length = np.linalg.norm(total)",
)
def one_length(X, is_token):
    total = (X * is_token[..., None]).sum(axis=-2)
    length = np.linalg.norm(total)
    return total / length if length > 0 else total


@wrong(
    "is_token has no axis for the features, so the product does not fit",
    line="total = (X * is_token).sum(axis=-2)",
)
def no_new_axis(X, is_token):
    total = (X * is_token).sum(axis=-2)
    return total / np.linalg.norm(total, axis=-1, keepdims=True)


@wrong(
    "the sum is along the features",
    names={"along-features"},
    line="total = (X * is_token[..., None]).sum(axis=-1)",
)
def wrong_axis(X, is_token):
    total = (X * is_token[..., None]).sum(axis=-1)
    length = np.linalg.norm(total, axis=-1, keepdims=True)
    return total / np.where(length == 0, 1, length)


@wrong(
    "divided by the length plus 1e-6, which makes every vector a little too short",
    names={"large-eps"},
    line="return total / (np.linalg.norm(total, axis=-1, keepdims=True) + 1e-6)",
)
def small_number_added(X, is_token):
    total = (X * is_token[..., None]).sum(axis=-2)
    return total / (np.linalg.norm(total, axis=-1, keepdims=True) + 1e-6)


@wrong(
    "the padding is set to 0 in the array that was given",
    names={"in-place"},
    line="X[~is_token] = 0",
)
def writes_into_X(X, is_token):
    X[~is_token] = 0
    total = X.sum(axis=-2)
    length = np.linalg.norm(total, axis=-1, keepdims=True)
    return total / np.where(length == 0, 1, length)


@right
def with_nan_to_num(X, is_token):
    with np.errstate(invalid="ignore", divide="ignore"):
        total = np.where(is_token[..., None], X, 0).sum(axis=-2)
        return np.nan_to_num(total / np.linalg.norm(total, axis=-1, keepdims=True))


@right
def as_a_product(X, is_token):
    total = (is_token[..., None, :].astype(X.dtype) @ X)[..., 0, :]
    length = np.sqrt((total * total).sum(-1))[..., None]
    return np.divide(total, length, out=np.zeros_like(total), where=length != 0)


@wrong("does not divide by the length", names={"not-to-length-1"})
def mean_only_too(X, is_token):
    count = np.maximum(is_token.sum(axis=-1), 1)[..., None]
    return (X * is_token[..., None]).sum(axis=-2) / count


@wrong("takes the mean of vectors of length 1, which need not have length 1", names={"only-tokens-to-length-1"})
def tokens_normalised(X, is_token):
    lengths = np.sqrt((X**2).sum(axis=-1, keepdims=True))
    units = np.divide(X, lengths, out=np.zeros(X.shape), where=lengths > 0) * is_token[..., None]
    return units.sum(axis=-2) / np.maximum(is_token.sum(axis=-1), 1)[..., None]


@wrong("adds a small number to the length of every sentence")
def small_number_in_the_length(X, is_token):
    mean = (X * is_token[..., None]).sum(axis=-2) / np.maximum(is_token.sum(axis=-1, keepdims=True), 1)
    return mean / (np.linalg.norm(mean, axis=-1, keepdims=True) + 1e-3)


@wrong("does not bring very short vectors to length 1", names={"short-ones-not-stretched"})
def floor_of_the_length(X, is_token):
    n = np.maximum(is_token.sum(axis=-1, keepdims=True), 1)
    mean = np.where(is_token[..., None], X, 0).sum(axis=-2) / n
    return mean / np.maximum(np.linalg.norm(mean, axis=-1, keepdims=True), 1e-3)


@wrong("takes very short vectors for those of a sentence without tokens")
def short_ones_are_zero(X, is_token):
    total = np.where(is_token[..., None], X, 0).sum(axis=-2)
    length = np.linalg.norm(total, axis=-1, keepdims=True)
    return np.divide(total, length, out=np.zeros_like(total), where=length > 1e-4)
