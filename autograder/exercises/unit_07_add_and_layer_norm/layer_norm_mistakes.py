"""The known mistakes of `layer_norm`."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 7.1: layer_norm"
AXIS = "One mean and one variance per token"
ROOT = "The variance, and eps inside the root"

MISTAKES = KnownMistakes()


def _over(axis, X, gamma, beta, eps):
    mean, variance = X.mean(axis=axis, keepdims=True), X.var(axis=axis, keepdims=True)
    return (X - mean) / np.sqrt(variance + eps) * gamma + beta


def _mean(X):
    return X.mean(axis=-1, keepdims=True)


def _variance(X, ddof=0):
    return X.var(axis=-1, keepdims=True, ddof=ddof)


@MISTAKES.add(where=ROOT)
def sample_variance(X, gamma, beta, eps=1e-5):
    """The variance is divided by d - 1 instead of d.

    d - 1 is for estimating the variance of a larger population from a sample. Here the d features are all there is,
    so their squares are averaged.
    """
    return (X - _mean(X)) / np.sqrt(_variance(X, ddof=1) + eps) * gamma + beta


@MISTAKES.add(where=ROOT)
def sample_deviation(X, gamma, beta, eps=1e-5):
    """The divisor is the sample standard deviation plus eps.

    A well-known tutorial does this. Two things differ from layer norm: the squares are divided by d - 1, and eps
    comes after the root.
    """
    return (X - _mean(X)) / (X.std(axis=-1, keepdims=True, ddof=1) + eps) * gamma + beta


@MISTAKES.add(where=ROOT)
def eps_outside(X, gamma, beta, eps=1e-5):
    """eps is added to the standard deviation, outside the root.

    For a variance near 1 and an eps of 1e-5 you will not see the difference. For nearly constant vectors, or a larger
    eps, it is large.
    """
    return (X - _mean(X)) / (np.sqrt(_variance(X)) + eps) * gamma + beta


@MISTAKES.add(where=ROOT)
def no_eps(X, gamma, beta, eps=1e-5):
    """eps is not used at all.

    A vector of equal entries has the variance 0, and 0 / 0 is NaN. eps is there so that this cannot happen.
    """
    return (X - _mean(X)) / np.sqrt(_variance(X)) * gamma + beta


@MISTAKES.add(where=ROOT)
def own_eps(X, gamma, beta, eps=1e-5):
    """The argument eps is ignored.

    1e-5 is only the default. Models differ in their eps, and with another one a model gives other numbers.
    """
    return reference.layer_norm(X, gamma, beta)


@MISTAKES.add(where=ROOT)
def eps_as_floor(X, gamma, beta, eps=1e-5):
    """eps is a lower bound for the variance and is not added to it.

    That also avoids a division by 0, but it is another function: eps is added to every variance, large or small.
    """
    return (X - _mean(X)) / np.sqrt(np.maximum(_variance(X), eps)) * gamma + beta


@MISTAKES.add(where=ROOT)
def no_root(X, gamma, beta, eps=1e-5):
    """The divisor is another power of the variance than its square root.

    The variance is measured in squared units, and its square root, `** 0.5`, in those of X. Without it the output gets
    smaller when the input gets larger.
    """
    return (X - _mean(X)) / (_variance(X) + eps) * gamma + beta


@MISTAKES.add(where=ROOT)
def uncentred_variance(X, gamma, beta, eps=1e-5):
    """The mean square of the features is taken for their variance.

    The two are equal only where the mean is 0. The variance is the mean square of what is left after the mean was
    subtracted.
    """
    return (X - _mean(X)) / np.sqrt((X**2).mean(axis=-1, keepdims=True) + eps) * gamma + beta


@MISTAKES.add(where=AXIS)
def mean_not_subtracted(X, gamma, beta, eps=1e-5):
    """The mean is not subtracted.

    The output then still has a mean that is not 0. Centring comes first.
    """
    return X / np.sqrt(_variance(X) + eps) * gamma + beta


@MISTAKES.add(where=ROOT)
def only_centred(X, gamma, beta, eps=1e-5):
    """The mean is subtracted, but nothing is divided.

    Centring is half of the work. Every token should also get the variance 1.
    """
    return (X - _mean(X)) * gamma + beta


@MISTAKES.add(where=AXIS)
def precedence(X, gamma, beta, eps=1e-5):
    """Only the mean is divided, as where a pair of brackets is missing.

    Division binds more tightly than subtraction. What is to be divided is the whole difference.
    """
    return X - _mean(X) / np.sqrt(_variance(X) + eps) * gamma + beta


@MISTAKES.add(where=AXIS)
def over_tokens(X, gamma, beta, eps=1e-5):
    """Mean and variance are taken over the tokens of a sentence, for every feature.

    Tokens then depend on each other, also on later ones, and a token alone would become 0. Layer norm looks at the
    features of one token.
    """
    return _over(-2, X, gamma, beta, eps)


@MISTAKES.add(where=AXIS)
def over_first_axis(X, gamma, beta, eps=1e-5):
    """Mean and variance are taken over the first axis.

    The first axis counts sentences or tokens, depending on the input. The features of a token are always on the
    last axis.
    """
    return _over(0, X, gamma, beta, eps)


@MISTAKES.add(where=AXIS)
def batch_norm(X, gamma, beta, eps=1e-5):
    """Mean and variance are taken over all sentences and tokens, for every feature.

    This is batch norm: one mean per feature. Layer norm has one mean per token.
    """
    return _over(tuple(range(X.ndim - 1)), X, gamma, beta, eps)


@MISTAKES.add(where=AXIS)
def over_axis_1(X, gamma, beta, eps=1e-5):
    """Mean and variance are taken over axis 1.

    Axis 1 is the last one only when there are two. Count from the end, so that any leading axes work.
    """
    return _over(1, X, gamma, beta, eps)


@MISTAKES.add(where=AXIS)
def over_everything(X, gamma, beta, eps=1e-5):
    """One mean and one variance are taken over the whole array.

    All tokens then share one mean, and large tokens decide what happens to small ones.
    """
    return _over(None, X, gamma, beta, eps)


@MISTAKES.add(where=AXIS)
def over_a_sentence(X, gamma, beta, eps=1e-5):
    """Mean and variance are taken over all tokens and features of a sentence.

    “Per training example” is often said, but what is meant is per token: every position has its own mean and
    variance.
    """
    return _over((-2, -1), X, gamma, beta, eps)


@MISTAKES.add(where=AXIS)
def keepdims_forgotten(X, gamma, beta, eps=1e-5):
    """The mean has lost the axis that it was taken over.

    Means of shape (5,) do not line up with tokens of shape (5, 7): NumPy aligns shapes from the right. Keep the
    reduced axis with length 1.
    """
    return (X - X.mean(axis=-1)) / np.sqrt(X.var(axis=-1) + eps) * gamma + beta


@MISTAKES.add(where=SECTION)
def in_place(X, gamma, beta, eps=1e-5):
    """The caller's tokens are overwritten.

    `X -= ...` changes the array that was given, and the residual connection still needs it.
    """
    X -= _mean(X)
    X /= np.sqrt((X**2).mean(axis=-1, keepdims=True) + eps)
    return X * gamma + beta


@MISTAKES.add(where=ROOT)
def difference_of_squares(X, gamma, beta, eps=1e-5):
    """The variance loses its digits far from 0, like the mean of the squares minus the square of the mean.

    On paper that difference is the variance. For a token far from 0 both are huge and nearly equal, and the digits of
    their difference are lost. Subtract the mean first, then square.
    """
    variance = (X**2).mean(axis=-1, keepdims=True) - _mean(X) ** 2
    return (X - _mean(X)) / np.sqrt(np.maximum(variance, 0) + eps) * gamma + beta


@MISTAKES.add(where=ROOT)
def sum_of_squares(X, gamma, beta, eps=1e-5):
    """The squares are added up instead of averaged.

    The variance is their mean. Otherwise the entries shrink as the vector gets wider.
    """
    return (X - _mean(X)) / np.sqrt(_variance(X) * X.shape[-1] + eps) * gamma + beta


@MISTAKES.add(where=ROOT)
def mean_distance(X, gamma, beta, eps=1e-5):
    """The mean distance from the mean is the divisor, not the standard deviation.

    Distances are squared before they are averaged, and the root comes last.
    """
    centred = X - _mean(X)
    return centred / (_mean(np.abs(centred)) + eps) * gamma + beta
