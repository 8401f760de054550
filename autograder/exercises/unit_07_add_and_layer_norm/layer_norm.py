"""Specification of `layer_norm`."""

import numpy as np

from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_07_add_and_layer_norm import calls, lookalikes
from autograder.exercises.unit_07_add_and_layer_norm.inputs import large, scale_and_shift, small
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

AXIS = "One mean and one variance per token"
ROOT = "The variance, and eps inside the root"

EXERCISE = Exercise(
    reference=reference.layer_norm,
    asks="give every token vector mean 0 and variance 1 over its features, then scale by gamma and shift by beta.",
    returns=(Output("output", "(..., d)"),),
    calls=calls.LAYER_NORM,
    lookalike=lookalikes.LAYER_NORM,
)


def _plain(d):
    """A gamma and a beta that change nothing."""
    return np.ones(d), np.zeros(d)


@EXERCISE.claim(1.5)
def mean_and_variance(call, rng):
    """every token vector gets mean 0 and population variance 1"""
    call.agrees(1e6 * np.array([[1.0, 2.0, 3.0, 4.0]]), *_plain(4))  # by hand: -1.34, -0.45, 0.45, 1.34
    d = int(rng.choice([7, 9, 11]))
    call.agrees(large(rng, 5, d) + 5e4, *_plain(d))


@EXERCISE.claim(1.25, side=True)
def leading_axes(call, rng):
    """every token by itself, whatever the leading axes"""
    call.agrees(large(rng, 5, 7), *_plain(7))
    agrees_here(call, large(rng, 2, 3, 5), *_plain(5))
    agrees_here(call, large(rng, 7), *_plain(7))
    agrees_here(call, large(rng, 2, 4, 3, 5), *_plain(5))


@EXERCISE.claim(1, side=True)
def gamma_and_beta(call, rng):
    """gamma and beta scale and shift every feature"""
    call.agrees(large(rng, 5, 7), *_plain(7))
    agrees_here(call, large(rng, 5, 7), *scale_and_shift(rng, 7))
    agrees_here(call, large(rng, 3, 4), *scale_and_shift(rng, 4))


@EXERCISE.claim(0.75, side=True)
def eps(call, rng):
    """eps, by default 1e-5, is added to the variance, inside the root"""
    call.agrees(large(rng, 5, 7), *_plain(7))
    agrees_here(call, small(rng, 5, 7), *_plain(7), 0.1)
    spread = np.array([[0.003], [0.001], [0.0001]])  # the root of the default, and less
    agrees_here(call, spread * rng.standard_normal((3, 6)), *_plain(6))
    agrees_here(call, rng.standard_normal((4, 7)), *_plain(7), eps=0.5)
    agrees_here(call, 0.001 * rng.standard_normal((4, 7)), *_plain(7), 0.0)


@EXERCISE.claim(0.25, side=True)
def unusual_tokens(call, rng):
    """a constant vector becomes beta; tokens far from 0, whole numbers and float32 are right, too"""
    call.agrees(large(rng, 5, 7), *_plain(7))
    rows = large(rng, 4, 6)
    rows[1], rows[2] = 0.0, float(rng.integers(2, 9))
    agrees_here(call, rows, np.ones(6), scale_and_shift(rng, 6)[1])
    agrees_here(call, large(rng, 3, 6) + 2e10, *_plain(6))
    agrees_here(call, rng.integers(-(10**7), 10**7, (5, 7)), *_plain(7))
    agrees_here(call, *(array.astype(np.float32) for array in (large(rng, 5, 7), *_plain(7))))


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    X, (gamma, beta) = large(rng, 5, 7), _plain(7)
    call.leaves_inputs_alone(X, gamma, beta)
    call.agrees(X, gamma, beta)


wrong = WrongAnswers(EXERCISE, globals())


def _over(axis, X, gamma, beta, eps):
    mean, variance = X.mean(axis=axis, keepdims=True), X.var(axis=axis, keepdims=True)
    return (X - mean) / np.sqrt(variance + eps) * gamma + beta


def _mean(X):
    return X.mean(axis=-1, keepdims=True)


def _variance(X, ddof=0):
    return X.var(axis=-1, keepdims=True, ddof=ddof)


wrong.at(ROOT)
wrong("sample-variance", "(X - _mean(X)) / np.sqrt(_variance(X, ddof=1) + eps) * gamma + beta", """
    The variance is divided by d - 1 instead of d.
    d - 1 is for estimating the variance of a larger population from a sample. Here the d features are all there is, so
    their squares are averaged.""")

wrong("sample-deviation", "(X - _mean(X)) / (X.std(axis=-1, keepdims=True, ddof=1) + eps) * gamma + beta", """
    The divisor is the sample standard deviation plus eps.
    A well-known tutorial does this. Two things differ from layer norm: the squares are divided by d - 1, and eps comes
    after the root.""")

wrong("eps-outside", "(X - _mean(X)) / (np.sqrt(_variance(X)) + eps) * gamma + beta", """
    eps is added to the standard deviation, outside the root.
    For a variance near 1 and an eps of 1e-5 you will not see the difference. For nearly constant vectors, or a larger
    eps, it is large.""")

wrong("no-eps", "(X - _mean(X)) / np.sqrt(_variance(X)) * gamma + beta", """
    eps is not used at all.
    A vector of equal entries has the variance 0, and 0 / 0 is NaN. eps is there so that this cannot happen.""")

wrong("own-eps", "layer_norm(X, gamma, beta)", """
    The argument eps is ignored.
    1e-5 is only the default. Models differ in their eps, and with another one a model gives other numbers.""")

wrong("eps-as-floor", "(X - _mean(X)) / np.sqrt(np.maximum(_variance(X), eps)) * gamma + beta", """
    eps is a lower bound for the variance and is not added to it.
    That also avoids a division by 0, but it is another function: eps is added to every variance, large or small.""")

wrong("no-root", "(X - _mean(X)) / (_variance(X) + eps) * gamma + beta", """
    The divisor is another power of the variance than its square root.
    The variance is measured in squared units, and its square root, `** 0.5`, in those of X. Without it the output gets
    smaller when the input gets larger.""")

wrong("uncentred-variance", "(X - _mean(X)) / np.sqrt((X**2).mean(axis=-1, keepdims=True) + eps) * gamma + beta", """
    The mean square of the features is taken for their variance.
    The two are equal only where the mean is 0. The variance is the mean square of what is left after the mean was
    subtracted.""")

wrong.at(AXIS)
wrong("mean-not-subtracted", "X / np.sqrt(_variance(X) + eps) * gamma + beta", """
    The mean is not subtracted.
    The output then still has a mean that is not 0. Centring comes first.""")

wrong.at(ROOT)
wrong("only-centred", "(X - _mean(X)) * gamma + beta", """
    The mean is subtracted, but nothing is divided.
    Centring is half of the work. Every token should also get the variance 1.""")

wrong.at(AXIS)
wrong("precedence", "X - _mean(X) / np.sqrt(_variance(X) + eps) * gamma + beta", """
    Only the mean is divided, as where a pair of brackets is missing.
    Division binds more tightly than subtraction. What is to be divided is the whole difference.""")

wrong("over-tokens", "_over(-2, X, gamma, beta, eps)", """
    Mean and variance are taken over the tokens of a sentence, for every feature.
    Tokens then depend on each other, also on later ones, and a token alone would become 0. Layer norm looks at the
    features of one token.""")

wrong("over-first-axis", "_over(0, X, gamma, beta, eps)", """
    Mean and variance are taken over the first axis.
    The first axis counts sentences or tokens, depending on the input. The features of a token are always on the last
    axis.""")

wrong("batch-norm", "_over(tuple(range(X.ndim - 1)), X, gamma, beta, eps)", """
    Mean and variance are taken over all sentences and tokens, for every feature.
    This is batch norm: one mean per feature. Layer norm has one mean per token.""")

wrong("over-axis-1", "_over(1, X, gamma, beta, eps)", """
    Mean and variance are taken over axis 1.
    Axis 1 is the last one only when there are two. Count from the end, so that any leading axes work.""")

wrong("over-everything", "_over(None, X, gamma, beta, eps)", """
    One mean and one variance are taken over the whole array.
    All tokens then share one mean, and large tokens decide what happens to small ones.""")

wrong("over-a-sentence", "_over((-2, -1), X, gamma, beta, eps)", """
    Mean and variance are taken over all tokens and features of a sentence.
    “Per training example” is often said, but what is meant is per token: every position has its own mean and
    variance.""")

wrong("keepdims-forgotten", "(X - X.mean(axis=-1)) / np.sqrt(X.var(axis=-1) + eps) * gamma + beta", """
    The mean has lost the axis that it was taken over.
    Means of shape (5,) do not line up with tokens of shape (5, 7): NumPy aligns shapes from the right. Keep the reduced
    axis with length 1.""")

wrong.at()


@wrong.function
def in_place(X, gamma, beta, eps=1e-5):
    """The caller's tokens are overwritten.
    An operator such as `-=` changes the array that was given, and the residual connection still needs it."""
    X -= _mean(X)
    X /= np.sqrt((X**2).mean(axis=-1, keepdims=True) + eps)
    return X * gamma + beta


wrong.at(ROOT)


@wrong.function
def difference_of_squares(X, gamma, beta, eps=1e-5):
    """The variance loses its digits far from 0, like the mean of the squares minus the square of the mean.
    On paper that difference is the variance. For a token far from 0 both are huge and nearly equal, and the digits of
    their difference are lost. Subtract the mean first, then square."""
    variance = (X**2).mean(axis=-1, keepdims=True) - _mean(X) ** 2
    return (X - _mean(X)) / np.sqrt(np.maximum(variance, 0) + eps) * gamma + beta


wrong("sum-of-squares", "(X - _mean(X)) / np.sqrt(_variance(X) * X.shape[-1] + eps) * gamma + beta", """
    The squares are added up instead of averaged.
    The variance is their mean. Otherwise the entries shrink as the vector gets wider.""")

wrong("mean-distance", "(X - _mean(X)) / (_mean(np.abs(X - _mean(X))) + eps) * gamma + beta", """
    The mean distance from the mean is the divisor, not the standard deviation.
    Distances are squared before they are averaged, and the root comes last.""")

wrong.at()


@wrong.function
def gamma_and_beta_ignored(X, gamma, beta, eps=1e-5):
    """gamma and beta are not used.
    A model that was trained has learned a scale and a shift for every feature. They are part of the layer."""
    return reference.layer_norm(X, np.ones(X.shape[-1]), np.zeros(X.shape[-1]), eps)


wrong("gamma-ignored", "gamma_and_beta_ignored(X, gamma, beta, eps) + beta", """
    gamma is not used.
    Every feature has a scale of its own, which multiplies the normalised value.""")

wrong("beta-ignored", "gamma_and_beta_ignored(X, gamma, beta, eps) * gamma", """
    beta is not used.
    Every feature has a shift of its own, which is added at the end.""")

wrong("gamma-and-beta-exchanged", "gamma_and_beta_ignored(X, gamma, beta, eps) * beta + gamma", """
    gamma and beta are swapped.
    gamma scales and beta shifts. With the usual initial values, 1 and 0, your output is 1 everywhere.""")

wrong("beta-scaled", "(gamma_and_beta_ignored(X, gamma, beta, eps) + beta) * gamma", """
    beta is added before gamma multiplies.
    The shift is then scaled, too. The order is: normalise, scale, shift.""")

wrong.at(ROOT)
wrong("gamma-before-mean", "(X * gamma - _mean(X)) / np.sqrt(_variance(X) + eps) + beta", """
    gamma multiplies X before the mean is subtracted.
    The mean then stays as large as it was, and what is left is not centred. The order is: normalise, scale, shift.""")

wrong("variance-squared", {
    "deviation = np.sqrt((centred**2).sum(axis=-1, keepdims=True) / d + eps)":
        "deviation = ((centred**2).sum(axis=-1, keepdims=True) / d + eps) ** 2",
}, """
    The divisor is the square of the variance, not its root.
    A root is the power 0.5. The variance is measured in squared units already.""")

wrong("power-without-brackets", {
    "deviation = np.sqrt((centred**2).sum(axis=-1, keepdims=True) / d + eps)":
        "deviation = ((centred**2).sum(axis=-1, keepdims=True) / d + eps) ** 1 / 2",
}, """
    The divisor is half the variance, because the power lacks its brackets.
    `** 1 / 2` takes the power 1 first, and halves what comes out.""")

wrong.at(AXIS)
wrong("variance-over-tokens", "(X - _mean(X)) / np.sqrt(X.var(axis=-2, keepdims=True) + eps) * gamma + beta", """
    The mean is that of each token, but the variance is taken over the tokens.
    Mean and variance describe the same numbers: the features of one token, on the last axis.""")

wrong("mean-over-tokens", "(X - X.mean(axis=-2, keepdims=True)) / np.sqrt(_variance(X) + eps) * gamma + beta", """
    The variance is that of each token, but the mean is taken over the tokens.
    Mean and variance describe the same numbers: the features of one token, on the last axis.""")

wrong.small("sample-variance uncentred-variance", mean_and_variance)
wrong.small("sum-of-squares no-root sample-deviation power-without-brackets variance-squared", mean_and_variance, eps)
wrong.small("gamma-and-beta-exchanged", mean_and_variance, gamma_and_beta)
