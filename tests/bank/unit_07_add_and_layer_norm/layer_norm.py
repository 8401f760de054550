"""Functions that learners wrote for `layer_norm`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "takes mean and variance along axis 0, over the tokens, instead of along the last axis, over the features",
    names={"over-first-axis"},
    line="mu = X.mean(axis=0, keepdims=True)",
)
def over_the_tokens(X, gamma, beta, eps=1e-5):
    mu = X.mean(axis=0, keepdims=True)
    var = X.var(axis=0, keepdims=True)
    return gamma * (X - mu) / np.sqrt(var + eps) + beta


@wrong(
    "takes one mean and one variance of the whole array instead of one per token",
    names={"over-everything"},
    line="mu = np.mean(X)",
)
def of_everything(X, gamma, beta, eps=1e-5):
    mu = np.mean(X)
    var = np.var(X)
    return gamma * (X - mu) / np.sqrt(var + eps) + beta


@wrong(
    "divides the squares by d - 1 (sample variance) instead of d",
    names={"sample-variance"},
    line="var = X.var(axis=-1, keepdims=True, ddof=1)",
)
def sample_variance(X, gamma, beta, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    var = X.var(axis=-1, keepdims=True, ddof=1)
    normed = (X - mu) / np.sqrt(var + eps)
    return normed * gamma + beta


@wrong(
    "adds eps to the standard deviation, outside the root, instead of to the variance",
    names={"eps-outside"},
    line="normed = (X - mu) / (sigma + eps)",
)
def eps_outside(X, gamma, beta, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    sigma = X.std(axis=-1, keepdims=True)
    normed = (X - mu) / (sigma + eps)
    return normed * gamma + beta


@wrong(
    "does not use eps at all, so a vector of equal entries becomes nan",
    names={"no-eps"},
    line="normed = centred / sigma",
)
def eps_unused(X, gamma, beta, eps=1e-5):
    centred = X - X.mean(axis=-1, keepdims=True)
    sigma = np.sqrt((centred**2).mean(axis=-1, keepdims=True))
    normed = centred / sigma
    return gamma * normed + beta


@wrong(
    "divides by the variance plus eps: the root is missing",
    names={"no-root"},
    line="normed = (X - mean) / (var + eps)",
)
def no_root(X, gamma, beta, eps=1e-5):
    mean = X.mean(axis=-1, keepdims=True)
    var = X.var(axis=-1, keepdims=True)
    normed = (X - mean) / (var + eps)
    return gamma * normed + beta


@wrong(
    "mean and variance have no keepdims, so they do not line up with the tokens",
    names={"keepdims-forgotten"},
    line="mu = X.mean(axis=-1)",
)
def no_keepdims(X, gamma, beta, eps=1e-5):
    mu = X.mean(axis=-1)
    var = X.var(axis=-1)
    x_hat = (X - mu) / np.sqrt(var + eps)
    return gamma * x_hat + beta


@wrong(
    "swaps gamma and beta: multiplies by beta and adds gamma",
    names={"gamma-and-beta-exchanged"},
    line="return beta * x_hat + gamma",
)
def scale_and_shift_swapped(X, gamma, beta, eps=1e-5):
    mu = np.mean(X, axis=-1, keepdims=True)
    var = np.var(X, axis=-1, keepdims=True)
    x_hat = (X - mu) / np.sqrt(var + eps)
    return beta * x_hat + gamma


@wrong("forgets to add beta", names={"beta-ignored"}, line="return gamma * x_hat")
def no_shift(X, gamma, beta, eps=1e-5):
    mu = X.mean(-1, keepdims=True)
    x_hat = (X - mu) / np.sqrt(X.var(-1, keepdims=True) + eps)
    return gamma * x_hat


@wrong(
    "subtracts the mean from the argument in place, which changes it",
    names={"in-place"},
    line="X -= X.mean(axis=-1, keepdims=True)",
)
def centres_in_place(X, gamma, beta, eps=1e-5):
    X -= X.mean(axis=-1, keepdims=True)
    var = (X**2).mean(axis=-1, keepdims=True)
    return gamma * X / np.sqrt(var + eps) + beta


@wrong(
    "names the features' axis 1, so a single token raises and a batch is normalised over its positions",
    names={"over-axis-1"},
    line="mu = X.mean(axis=1, keepdims=True)",
)
def axis_one(X, gamma, beta, eps=1e-5):
    mu = X.mean(axis=1, keepdims=True)
    var = X.var(axis=1, keepdims=True)
    return (X - mu) / np.sqrt(var + eps) * gamma + beta


@wrong(
    "writes 1e-5 into the formula and ignores the parameter eps",
    names={"own-eps"},
    line="std = np.sqrt(var + 1e-5)",
)
def fixed_eps(X, gamma, beta, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    var = ((X - mu) ** 2).mean(axis=-1, keepdims=True)
    std = np.sqrt(var + 1e-5)
    return gamma * ((X - mu) / std) + beta


@wrong(
    "adds beta before it multiplies by gamma, so the shift is scaled as well",
    names={"beta-scaled"},
    line="return gamma * (x_hat + beta)",
)
def shift_before_scale(X, gamma, beta, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    var = X.var(axis=-1, keepdims=True)
    x_hat = (X - mu) / np.sqrt(var + eps)
    return gamma * (x_hat + beta)


@wrong(
    "the parentheses are missing: only the mean is divided by the deviation, not X minus the mean",
    names={"precedence"},
    line="x_hat = X - mu / np.sqrt(var + eps)",
)
def precedence(X, gamma, beta, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    var = X.var(axis=-1, keepdims=True)
    x_hat = X - mu / np.sqrt(var + eps)
    return gamma * x_hat + beta


@wrong(
    "takes one mean and variance per sentence, over the positions and the features together",
    names={"over-a-sentence"},
    line="mu = X.mean(axis=axes, keepdims=True)",
)
def per_sentence(X, gamma, beta, eps=1e-5):
    axes = (-2, -1) if X.ndim > 1 else -1
    mu = X.mean(axis=axes, keepdims=True)
    var = X.var(axis=axes, keepdims=True)
    return gamma * (X - mu) / np.sqrt(var + eps) + beta


@wrong(
    "two: the variance is divided by d - 1, and eps is added outside the root",
    names={"eps-outside", "sample-deviation", "sample-variance"},
    line="sd = np.std(X, axis=-1, keepdims=True, ddof=1)",
)
def sample_and_outside(X, gamma, beta, eps=1e-5):
    mu = np.mean(X, axis=-1, keepdims=True)
    sd = np.std(X, axis=-1, keepdims=True, ddof=1)
    return gamma * (X - mu) / (sd + eps) + beta


@wrong(
    "adds up the squares instead of averaging them: the variance is d times too large",
    names={"sum-of-squares"},
    line="var = np.sum(diff**2, axis=-1, keepdims=True)",
)
def sum_of_squares(X, gamma, beta, eps=1e-5):
    diff = X - X.mean(axis=-1, keepdims=True)
    var = np.sum(diff**2, axis=-1, keepdims=True)
    return gamma * diff / np.sqrt(var + eps) + beta


@wrong(
    "does not subtract the mean from the token; only the variance is computed around it",
    names={"mean-not-subtracted"},
    line="return gamma * X / np.sqrt(var + eps) + beta",
)
def not_centred(X, gamma, beta, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    var = ((X - mu) ** 2).mean(axis=-1, keepdims=True)
    return gamma * X / np.sqrt(var + eps) + beta


@wrong(
    "two: mean and variance are taken over axis 0, the tokens, and beta is not added",
    names={"beta-ignored", "over-first-axis"},
    line="m = X.mean(axis=0)",
)
def tokens_and_no_shift(X, gamma, beta, eps=1e-5):
    m = X.mean(axis=0)
    v = X.var(axis=0)
    return gamma * (X - m) / np.sqrt(v + eps)


@wrong(
    "something else: scales every token to the range from 0 to 1 instead of mean 0 and variance 1",
    line="low = X.min(axis=-1, keepdims=True)",
)
def min_max_scaling(X, gamma, beta, eps=1e-5):
    low = X.min(axis=-1, keepdims=True)
    high = X.max(axis=-1, keepdims=True)
    scaled = (X - low) / (high - low + eps)
    return gamma * scaled + beta


@right
def by_the_formula(X, gamma, beta, eps=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    var = X.var(axis=-1, keepdims=True)
    return gamma * (X - mu) / np.sqrt(var + eps) + beta


@right
def in_place_on_a_new_array(X, gamma, beta, eps=1e-5):
    out = X - np.mean(X, axis=-1, keepdims=True)
    out /= np.sqrt(np.mean(out * out, axis=-1, keepdims=True) + eps)
    out *= gamma
    out += beta
    return out


@right
def with_einsum(X, gamma, beta, eps=1e-5):
    d = X.shape[-1]
    c = X - (X.sum(axis=-1) / d)[..., None]
    var = np.einsum("...i,...i->...", c, c) / d
    return np.einsum("...i,...,i->...i", c, (var + eps) ** -0.5, gamma) + beta


@right
def token_by_token(X, gamma, beta, eps=1e-5):
    out = np.zeros(X.shape)
    for index in np.ndindex(X.shape[:-1]):
        x = X[index]
        mu = sum(x) / len(x)
        var = sum((x - mu) ** 2) / len(x)
        out[index] = (x - mu) / (var + eps) ** 0.5 * gamma + beta
    return out


@wrong("takes the larger of variance and eps instead of their sum", names={"eps-as-floor"})
def larger_of_both(X, gamma, beta, eps=1e-5):
    mean = X.mean(axis=-1, keepdims=True)
    var = X.var(axis=-1, keepdims=True)
    return gamma * (X - mean) / np.sqrt(np.maximum(var, eps)) + beta


@wrong("transposes all axes, which fits a matrix and nothing else")
def transposed_twice(X, gamma, beta, eps=1e-5):
    x_hat = ((X.T - X.mean(axis=-1)) / np.sqrt(X.var(axis=-1) + eps)).T
    return x_hat * gamma + beta


@wrong("scales the shift as well", names={"beta-scaled"})
def shift_scaled(X, gamma, beta, eps=1e-5):
    mean = np.mean(X, axis=-1, keepdims=True)
    x_hat = (X - mean) / np.sqrt(np.var(X, axis=-1, keepdims=True) + eps)
    return gamma * (x_hat + beta)


@wrong("uses eps only where the deviation is 0", line="std = np.where(std == 0, np.sqrt(eps), std)")
def eps_only_for_zero(X, gamma, beta, eps=1e-5):
    mean = X.mean(axis=-1, keepdims=True)
    std = X.std(axis=-1, keepdims=True)
    std = np.where(std == 0, np.sqrt(eps), std)
    return gamma * (X - mean) / std + beta


@wrong(
    "takes the mean of the squares less the square of the mean, which loses all digits far from 0",
    names={"difference-of-squares"},
    line="var = (X**2).mean(axis=-1, keepdims=True) - mean**2",
)
def difference_of_squares(X, gamma, beta, eps=1e-5):
    mean = X.mean(axis=-1, keepdims=True)
    var = (X**2).mean(axis=-1, keepdims=True) - mean**2
    return gamma * (X - mean) / np.sqrt(var + eps) + beta


@wrong(
    "divides by the mean distance from the mean instead of the root of the mean square",
    names={"mean-distance"},
    line="spread = np.abs(X - mean).mean(axis=-1, keepdims=True)",
)
def mean_distance(X, gamma, beta, eps=1e-5):
    mean = X.mean(axis=-1, keepdims=True)
    spread = np.abs(X - mean).mean(axis=-1, keepdims=True)
    return (X - mean) / (spread + eps) * gamma + beta


@wrong("computes in single precision and returns float64", line="Y = X.astype(np.float32)")
def float32_inside(X, gamma, beta, eps=1e-5):
    Y = X.astype(np.float32)
    Y = (Y - Y.mean(-1, keepdims=True)) / np.sqrt(Y.var(-1, keepdims=True) + eps)
    return gamma * Y + beta


@wrong(
    "squares the variance in place of taking its root", names={"variance-squared"}, line="std = (variance + eps) ** 2"
)
def variance_squared(X, gamma, beta, eps=1e-5):
    mean = np.mean(X, axis=-1, keepdims=True)
    variance = np.mean(np.square(X - mean), axis=-1, keepdims=True)
    std = (variance + eps) ** 2
    return (X - mean) / std * gamma + beta


@wrong(
    "writes ** 1 / 2, which halves the variance",
    names={"power-without-brackets"},
    line="std = (variance + eps) ** 1 / 2",
)
def power_one_half(X, gamma, beta, eps=1e-5):
    mean = X.mean(axis=-1, keepdims=True)
    variance = X.var(axis=-1, keepdims=True)
    std = (variance + eps) ** 1 / 2
    return gamma * (X - mean) / std + beta
