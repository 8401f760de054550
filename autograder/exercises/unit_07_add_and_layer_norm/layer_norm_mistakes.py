"""The known mistakes of `layer_norm`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

SECTION = "Exercise 7.1: layer_norm"
AXIS = "One mean and one variance per token"
ROOT = "The variance, and eps inside the root"
FEATURES = "What gamma and beta are for"


def _with_axis(axis):
    """Make a layer norm over another axis; `axis` may be a function of the number of axes."""

    def layer_norm(X, gamma, beta, eps=1e-5):
        over = axis(X.ndim) if callable(axis) else axis
        mean, variance = X.mean(axis=over, keepdims=True), X.var(axis=over, keepdims=True)
        return (X - mean) / np.sqrt(variance + eps) * gamma + beta

    return layer_norm


def _with_divisor(divisor):
    """Make a layer norm that divides by `divisor(X, eps)`."""

    def layer_norm(X, gamma, beta, eps=1e-5):
        return (X - _mean(X)) / divisor(X, eps) * gamma + beta

    return layer_norm


def _mean(X):
    return X.mean(axis=-1, keepdims=True)


def _variance(X, ddof=0):
    return X.var(axis=-1, keepdims=True, ddof=ddof)


def _mean_not_subtracted(X, gamma, beta, eps=1e-5):
    return X / np.sqrt(_variance(X) + eps) * gamma + beta


def _only_centred(X, gamma, beta, eps=1e-5):
    return (X - _mean(X)) * gamma + beta


def _precedence(X, gamma, beta, eps=1e-5):
    return X - _mean(X) / np.sqrt(_variance(X) + eps) * gamma + beta


def _no_gamma_no_beta(X, gamma, beta, eps=1e-5):
    return (X - _mean(X)) / np.sqrt(_variance(X) + eps)


def _no_gamma(X, gamma, beta, eps=1e-5):
    return _no_gamma_no_beta(X, gamma, beta, eps) + beta


def _no_beta(X, gamma, beta, eps=1e-5):
    return _no_gamma_no_beta(X, gamma, beta, eps) * gamma


def _exchanged(X, gamma, beta, eps=1e-5):
    return _no_gamma_no_beta(X, gamma, beta, eps) * beta + gamma


def _beta_first(X, gamma, beta, eps=1e-5):
    return (_no_gamma_no_beta(X, gamma, beta, eps) + beta) * gamma


def _own_eps(X, gamma, beta, eps=1e-5):
    return reference.layer_norm(X, gamma, beta)


def _keepdims_forgotten(X, gamma, beta, eps=1e-5):
    return (X - X.mean(axis=-1)) / np.sqrt(X.var(axis=-1) + eps) * gamma + beta


def _in_place(X, gamma, beta, eps=1e-5):
    X -= _mean(X)
    X /= np.sqrt((X**2).mean(axis=-1, keepdims=True) + eps)
    return X * gamma + beta


MISTAKES = (
    Mistake(
        "sample-variance",
        "The variance is divided by d - 1 instead of d",
        _with_divisor(lambda X, eps: np.sqrt(_variance(X, ddof=1) + eps)),
        "d - 1 is for estimating the variance of a larger population from a sample. Here the d features are "
        "all there is, so their squares are averaged.",
        ROOT,
    ),
    Mistake(
        "sample-deviation",
        "The divisor is the sample standard deviation plus eps",
        _with_divisor(lambda X, eps: X.std(axis=-1, keepdims=True, ddof=1) + eps),
        "A well-known tutorial does this. Two things differ from layer norm: the squares are divided by d - 1, "
        "and eps comes after the root.",
        ROOT,
    ),
    Mistake(
        "eps-outside",
        "eps is added to the standard deviation, outside the root",
        _with_divisor(lambda X, eps: np.sqrt(_variance(X)) + eps),
        "For a variance near 1 and an eps of 1e-5 nobody sees the difference. For nearly constant vectors, or a "
        "larger eps, it is large.",
        ROOT,
    ),
    Mistake(
        "no-eps",
        "eps is not used at all",
        _with_divisor(lambda X, eps: np.sqrt(_variance(X))),
        "A vector of equal entries has the variance 0, and 0 / 0 is NaN. eps is there so that this cannot happen.",
        ROOT,
    ),
    Mistake(
        "own-eps",
        "The argument eps is ignored",
        _own_eps,
        "1e-5 is only the default. Models differ in it, and a model gives other numbers with another eps.",
        ROOT,
    ),
    Mistake(
        "eps-as-floor",
        "eps is a lower bound for the variance instead of a summand",
        _with_divisor(lambda X, eps: np.sqrt(np.maximum(_variance(X), eps))),
        "That also avoids a division by 0, but it is another function: eps is added to every variance, large or small.",
        ROOT,
    ),
    Mistake(
        "no-root",
        "The divisor is the variance, without a root",
        _with_divisor(lambda X, eps: _variance(X) + eps),
        "The variance is measured in squared units. Divided by it, the output gets smaller when the input gets larger.",
        ROOT,
    ),
    Mistake(
        "uncentred-variance",
        "The mean square of the features is taken for their variance",
        _with_divisor(lambda X, eps: np.sqrt((X**2).mean(axis=-1, keepdims=True) + eps)),
        "The two are equal only where the mean is 0. The variance is the mean square of what is left after the "
        "mean was subtracted.",
        ROOT,
    ),
    Mistake(
        "mean-not-subtracted",
        "The mean is not subtracted",
        _mean_not_subtracted,
        "The output then still has a mean that is not 0. Centring comes first.",
        AXIS,
    ),
    Mistake(
        "only-centred",
        "The mean is subtracted, but nothing is divided",
        _only_centred,
        "Centring is half of the work. Every token should also get the variance 1.",
        ROOT,
    ),
    Mistake(
        "precedence",
        "Only the mean is divided, because a pair of brackets is missing",
        _precedence,
        "Division binds more tightly than subtraction. What is to be divided is the whole difference.",
        AXIS,
    ),
    Mistake(
        "over-tokens",
        "Mean and variance are taken over the tokens of a sentence, for every feature",
        _with_axis(-2),
        "Tokens then depend on each other, also on later ones, and a token alone would become 0. Layer norm "
        "looks at the features of one token.",
        AXIS,
    ),
    Mistake(
        "over-first-axis",
        "Mean and variance are taken over the first axis",
        _with_axis(0),
        "The first axis counts sentences or tokens, depending on the input. The features of a token are always "
        "on the last axis.",
        AXIS,
    ),
    Mistake(
        "batch-norm",
        "Mean and variance are taken over all sentences and tokens, for every feature",
        _with_axis(lambda ndim: tuple(range(ndim - 1))),
        "This is batch norm: one mean per feature. Layer norm has one mean per token.",
        AXIS,
    ),
    Mistake(
        "over-axis-1",
        "Mean and variance are taken over axis 1",
        _with_axis(1),
        "Axis 1 is the last one only when there are two. Count from the end, so that any leading axes work.",
        AXIS,
    ),
    Mistake(
        "over-everything",
        "One mean and one variance are taken over the whole array",
        _with_axis(None),
        "All tokens then share one mean, and large tokens decide what happens to small ones.",
        AXIS,
    ),
    Mistake(
        "over-a-sentence",
        "Mean and variance are taken over all tokens and features of a sentence",
        _with_axis((-2, -1)),
        "“Per training example” is often said, but what is meant is per token: every position has its own mean "
        "and variance.",
        AXIS,
    ),
    Mistake(
        "gamma-and-beta-ignored",
        "gamma and beta are not used",
        _no_gamma_no_beta,
        "A model that was trained has learned a scale and a shift for every feature. They are part of the layer.",
        FEATURES,
    ),
    Mistake(
        "gamma-ignored",
        "gamma is not used",
        _no_gamma,
        "Every feature has a scale of its own, which multiplies the normalised value.",
        FEATURES,
    ),
    Mistake(
        "beta-ignored",
        "beta is not used",
        _no_beta,
        "Every feature has a shift of its own, which is added at the end.",
        FEATURES,
    ),
    Mistake(
        "gamma-and-beta-exchanged",
        "gamma and beta have changed places",
        _exchanged,
        "gamma scales and beta shifts. With the usual initial values, 1 and 0, your output is 1 everywhere.",
        FEATURES,
    ),
    Mistake(
        "beta-scaled",
        "beta is added before gamma multiplies",
        _beta_first,
        "The shift is then scaled, too. The order is: normalise, scale, shift.",
        FEATURES,
    ),
    Mistake(
        "keepdims-forgotten",
        "The mean has lost the axis that it was taken over",
        _keepdims_forgotten,
        "Means of shape (5,) do not line up with tokens of shape (5, 7): NumPy aligns shapes from the right. Keep "
        "the reduced axis with length 1.",
        AXIS,
    ),
    Mistake(
        "in-place",
        "The tokens of the caller are overwritten",
        _in_place,
        "`X -= ...` changes the array that was given, and the residual connection still needs it.",
        SECTION,
    ),
)
