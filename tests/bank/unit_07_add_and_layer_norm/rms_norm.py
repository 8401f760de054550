"""Functions that learners wrote for `rms_norm`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference


@wrong(
    "centres the token first, as layer norm does: the mean is subtracted",
    names={"centred"},
    line="c = X - X.mean(axis=-1, keepdims=True)",
)
def centred(X, gamma, eps=1e-5):
    c = X - X.mean(axis=-1, keepdims=True)
    ms = (c**2).mean(axis=-1, keepdims=True)
    return gamma * c / np.sqrt(ms + eps)


@wrong(
    "divides by the standard deviation around the mean instead of the root mean square",
    names={"variance"},
    line="var = X.var(axis=-1, keepdims=True)",
)
def variance_for_mean_square(X, gamma, eps=1e-5):
    var = X.var(axis=-1, keepdims=True)
    return gamma * X / np.sqrt(var + eps)


@wrong("adds eps outside the root", names={"eps-outside"}, line="return gamma * X / (rms + eps)")
def eps_outside(X, gamma, eps=1e-5):
    rms = np.sqrt(np.mean(X**2, axis=-1, keepdims=True))
    return gamma * X / (rms + eps)


@wrong(
    "divides by the mean square without taking the root",
    names={"no-root"},
    line="return gamma * X / (mean_square + eps)",
)
def no_root(X, gamma, eps=1e-5):
    mean_square = np.mean(X**2, axis=-1, keepdims=True)
    return gamma * X / (mean_square + eps)


@wrong(
    "sums the squares instead of averaging them, so each token gets length 1",
    names={"sum-of-squares"},
    line="squares = np.sum(X**2, axis=-1, keepdims=True)",
)
def sum_for_mean(X, gamma, eps=1e-5):
    squares = np.sum(X**2, axis=-1, keepdims=True)
    return X / np.sqrt(squares + eps) * gamma


@wrong(
    "averages over axis 0, the tokens, instead of over the features",
    names={"over-tokens"},
    line="rms = np.sqrt((X**2).mean(axis=0) + eps)",
)
def first_axis(X, gamma, eps=1e-5):
    rms = np.sqrt((X**2).mean(axis=0) + eps)
    return gamma * X / rms


@wrong(
    "takes one mean square of the whole array instead of one per token",
    names={"over-everything"},
    line="rms = np.sqrt(np.mean(X**2) + eps)",
)
def of_everything(X, gamma, eps=1e-5):
    rms = np.sqrt(np.mean(X**2) + eps)
    return gamma * (X / rms)


@wrong(
    "forgets keepdims, so the mean squares do not line up with the tokens",
    names={"keepdims-forgotten"},
    line="rms = np.sqrt((X**2).mean(axis=-1) + eps)",
)
def no_keepdims(X, gamma, eps=1e-5):
    rms = np.sqrt((X**2).mean(axis=-1) + eps)
    return X / rms * gamma


@wrong("forgets gamma", names={"gamma-ignored"}, line="return X / rms")
def no_gamma(X, gamma, eps=1e-5):
    rms = np.sqrt((X**2).mean(axis=-1, keepdims=True) + eps)
    return X / rms


@wrong(
    "squares the mean instead of averaging the squares",
    names={"square-of-the-mean"},
    line="ms = X.mean(axis=-1, keepdims=True) ** 2",
)
def square_of_mean(X, gamma, eps=1e-5):
    ms = X.mean(axis=-1, keepdims=True) ** 2
    return gamma * X / np.sqrt(ms + eps)


@wrong("divides the argument in place, which changes it", names={"in-place"}, line="X /= np.sqrt(ms + eps)")
def divides_in_place(X, gamma, eps=1e-5):
    ms = (X**2).mean(axis=-1, keepdims=True)
    X /= np.sqrt(ms + eps)
    return X * gamma


@wrong(
    "ignores the parameter eps and always adds 1e-5",
    names={"own-eps"},
    line="rms = np.sqrt(np.mean(X * X, axis=-1, keepdims=True) + 1e-5)",
)
def fixed_eps(X, gamma, eps=1e-5):
    rms = np.sqrt(np.mean(X * X, axis=-1, keepdims=True) + 1e-5)
    return gamma * X / rms


@wrong(
    "leaves eps out, so a vector of zeros becomes nan",
    names={"no-eps"},
    line="rms = np.sqrt(np.mean(X**2, axis=-1, keepdims=True))",
)
def eps_unused(X, gamma, eps=1e-5):
    rms = np.sqrt(np.mean(X**2, axis=-1, keepdims=True))
    return gamma * X / rms


@wrong(
    "two: the squares are summed, not averaged, and eps is added outside the root",
    names={"eps-outside", "sum-of-squares"},
    line="length = np.linalg.norm(X, axis=-1, keepdims=True)",
)
def length_plus_eps(X, gamma, eps=1e-5):
    length = np.linalg.norm(X, axis=-1, keepdims=True)
    return gamma * X / (length + eps)


@wrong(
    "calls layer norm with beta 0, so the tokens are centred",
    names={"centred"},
    line="return reference.layer_norm(X, gamma, beta, eps)",
)
def layer_norm_without_shift(X, gamma, eps=1e-5):
    beta = np.zeros_like(gamma)
    return reference.layer_norm(X, gamma, beta, eps)


@wrong(
    "divides by the mean of the absolute values (plus eps) instead of the root of the mean square plus eps",
    names={"absolute-values"},
    line="size = np.abs(X).mean(axis=-1, keepdims=True)",
)
def mean_absolute(X, gamma, eps=1e-5):
    size = np.abs(X).mean(axis=-1, keepdims=True)
    return gamma * X / (size + eps)


@wrong(
    "divides by gamma instead of multiplying by it: gamma stands in the divisor",
    names={"divided-by-gamma"},
    line="return X / (rms * gamma)",
)
def divides_by_gamma(X, gamma, eps=1e-5):
    rms = np.sqrt((X**2).mean(axis=-1, keepdims=True) + eps)
    return X / (rms * gamma)


@wrong(
    "two: the mean is subtracted first, and gamma is never used",
    names={"centred", "gamma-ignored"},
    line="X = X - X.mean(axis=-1, keepdims=True)",
)
def centred_without_gamma(X, gamma, eps=1e-5):
    X = X - X.mean(axis=-1, keepdims=True)
    rms = np.sqrt(np.mean(X**2, axis=-1, keepdims=True) + eps)
    return X / rms


@right
def by_the_formula(X, gamma, eps=1e-5):
    return gamma * X / np.sqrt((X**2).mean(axis=-1, keepdims=True) + eps)


@right
def with_einsum(X, gamma, eps=1e-5):
    ms = np.einsum("...k,...k->...", X, X) / X.shape[-1]
    factor = 1 / np.sqrt(ms + eps)
    return X * gamma * factor[..., np.newaxis]


@right
def token_by_token(X, gamma, eps=1e-5):
    out = np.array(X, dtype=float)
    for index in np.ndindex(X.shape[:-1]):
        total = 0.0
        for value in X[index]:
            total += value**2
        out[index] *= gamma / (total / len(gamma) + eps) ** 0.5
    return out


@wrong("divides by the length: the squares are summed, and no mean is taken", names={"sum-of-squares"})
def by_the_length(X, gamma, eps=1e-5):
    return gamma * X / np.sqrt((X**2).sum(axis=-1, keepdims=True) + eps)


@wrong("squares the mean instead of taking the mean of the squares", names={"square-of-the-mean"})
def square_of_the_mean(X, gamma, eps=1e-5):
    return gamma * X / np.sqrt(X.mean(axis=-1, keepdims=True) ** 2 + eps)


@wrong("takes the mean absolute value for the root mean square", names={"absolute-values"})
def mean_absolute_too(X, gamma, eps=1e-5):
    return gamma * X / (np.abs(X).mean(axis=-1, keepdims=True) + eps)


@wrong(
    "two mistakes: divides by the length of the vector, and adds eps outside the root",
    names={"eps-outside", "sum-of-squares"},
)
def vector_length_plus_eps(X, gamma, eps=1e-5):
    return gamma * X / (np.linalg.norm(X, axis=-1, keepdims=True) + eps)


@wrong("squares the mean square in place of taking its root", names={"mean-square-squared"})
def mean_square_squared(X, gamma, eps=1e-5):
    rms = (np.mean(X * X, axis=-1, keepdims=True) + eps) ** 2
    return gamma * X / rms
