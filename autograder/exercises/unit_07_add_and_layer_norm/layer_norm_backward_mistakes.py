"""The known mistakes of `layer_norm_backward`: the right steps with one exchangeable link."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

SECTION = "Exercise 7.5: layer_norm_backward"
WAYS = "Three ways in which a feature counts"
SUMS = "The gradients of gamma and beta"


def _backward(d_output, X, gamma, eps, link):
    """Return the right d_gamma and d_beta, and dX from `link(g, normed, deviation)` with g = d_output * gamma."""
    deviation = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    normed = (X - _mean(X)) / deviation
    return link(d_output * gamma, normed, deviation), *_parameter_gradients(d_output, normed)


def _parameter_gradients(d_output, normed):
    leading = tuple(range(d_output.ndim - 1))
    return (d_output * normed).sum(axis=leading), d_output.sum(axis=leading)


def _mean(a):
    return a.mean(axis=-1, keepdims=True)


def _sum(a):
    return a.sum(axis=-1, keepdims=True)


def _with(link):
    """Make a backward function from a link; see `_backward`."""
    return lambda d_output, X, gamma, eps=1e-5: _backward(d_output, X, gamma, eps, link)


def _gamma_forgotten(d_output, X, gamma, eps=1e-5):
    return reference.layer_norm_backward(d_output, X, np.ones_like(gamma), eps)


def _gamma_last(d_output, X, gamma, eps=1e-5):
    dX, d_gamma, d_beta = _gamma_forgotten(d_output, X, gamma, eps)
    return dX * gamma, d_gamma, d_beta


def _own_eps(d_output, X, gamma, eps=1e-5):
    return reference.layer_norm_backward(d_output, X, gamma)


def _eps_outside(d_output, X, gamma, eps=1e-5):
    centred = X - _mean(X)
    deviation = X.std(axis=-1, keepdims=True) + eps
    normed, g = centred / deviation, d_output * gamma
    return (g - _mean(g) - normed * _mean(g * normed)) / deviation, *_parameter_gradients(d_output, normed)


def _sample_variance(d_output, X, gamma, eps=1e-5):
    d = X.shape[-1]
    deviation = np.sqrt(X.var(axis=-1, keepdims=True, ddof=1) + eps)
    normed, g = (X - _mean(X)) / deviation, d_output * gamma
    along = _sum(g * normed) / (d - 1)
    return (g - _mean(g) - normed * along) / deviation, *_parameter_gradients(d_output, normed)


def _raw_in_d_gamma(d_output, X, gamma, eps=1e-5):
    dX, _, d_beta = reference.layer_norm_backward(d_output, X, gamma, eps)
    return dX, (d_output * X).sum(axis=tuple(range(X.ndim - 1))), d_beta


def _gamma_in_parameters(d_output, X, gamma, eps=1e-5):
    dX, d_gamma, d_beta = reference.layer_norm_backward(d_output, X, gamma, eps)
    return dX, d_gamma * gamma, d_beta * gamma


def _first_axis_only(d_output, X, gamma, eps=1e-5):
    normed = reference.layer_norm(X, np.ones_like(gamma), np.zeros_like(gamma), eps)
    dX = reference.layer_norm_backward(d_output, X, gamma, eps)[0]
    return dX, (d_output * normed).sum(axis=0), d_output.sum(axis=0)


def _not_summed(d_output, X, gamma, eps=1e-5):
    normed = reference.layer_norm(X, np.ones_like(gamma), np.zeros_like(gamma), eps)
    dX = reference.layer_norm_backward(d_output, X, gamma, eps)[0]
    return dX, d_output * normed, d_output.copy()


def _mean_over_tokens(d_output, X, gamma, eps=1e-5):
    dX, d_gamma, d_beta = reference.layer_norm_backward(d_output, X, gamma, eps)
    n_tokens = X.size // X.shape[-1]
    return dX, d_gamma / n_tokens, d_beta / n_tokens


def _beta_before_gamma(d_output, X, gamma, eps=1e-5):
    dX, d_gamma, d_beta = reference.layer_norm_backward(d_output, X, gamma, eps)
    return dX, d_beta, d_gamma


def _in_place(d_output, X, gamma, eps=1e-5):
    deviation = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    normed = (X - _mean(X)) / deviation
    parameters = _parameter_gradients(d_output.copy(), normed)
    d_output *= gamma
    return (d_output - _mean(d_output) - normed * _mean(d_output * normed)) / deviation, *parameters


MISTAKES = (
    Mistake(
        "only-divided",
        "Mean and deviation are treated as constants",
        _with(lambda g, normed, deviation: g / deviation),
        "Moving one feature also moves the mean and the deviation of its token, and through them all the other "
        "outputs.",
        WAYS,
    ),
    Mistake(
        "deviation-constant",
        "The deviation is treated as a constant",
        _with(lambda g, normed, deviation: (g - _mean(g)) / deviation),
        "Moving one feature also makes the whole vector longer or shorter, and that is divided away again.",
        WAYS,
    ),
    Mistake(
        "mean-constant",
        "The mean is treated as a constant",
        _with(lambda g, normed, deviation: (g - normed * _mean(g * normed)) / deviation),
        "Moving one feature also moves the mean, which is subtracted from all the features.",
        WAYS,
    ),
    Mistake(
        "sums-for-means",
        "Sums over the features are taken where means belong",
        _with(lambda g, normed, deviation: (g - _sum(g) - normed * _sum(g * normed)) / deviation),
        "Each feature has a share of 1/d in the mean and in the variance.",
        WAYS,
    ),
    Mistake(
        "sign-of-deviation",
        "The term of the deviation has the wrong sign",
        _with(lambda g, normed, deviation: (g - _mean(g) + normed * _mean(g * normed)) / deviation),
        "A longer vector is divided by more, so this term works against the direct one, as that of the mean does.",
        WAYS,
    ),
    Mistake(
        "divided-by-variance",
        "The gradient is divided by the variance, without a root",
        _with(lambda g, normed, deviation: (g - _mean(g) - normed * _mean(g * normed)) / deviation**2),
        "On the way forward the centred vector was divided once by the deviation. The gradient is, too.",
        WAYS,
    ),
    Mistake(
        "not-divided",
        "The gradient is not divided by the deviation",
        _with(lambda g, normed, deviation: g - _mean(g) - normed * _mean(g * normed)),
        "An input that is twice as large has to move twice as far for the same effect: so its gradient is half as "
        "large.",
        WAYS,
    ),
    Mistake(
        "gamma-forgotten",
        "gamma is missing in dX",
        _gamma_forgotten,
        "The normalised vector was multiplied by gamma on the way forward, so its gradient is, on the way back.",
        WAYS,
    ),
    Mistake(
        "gamma-last",
        "dX is multiplied by gamma at the end instead of at the start",
        _gamma_last,
        "gamma is the last step on the way forward, so it is the first on the way back, before the two means are "
        "taken.",
        WAYS,
    ),
    Mistake(
        "over-tokens",
        "The means are taken over the tokens",
        _with(
            lambda g, normed, deviation: (
                (g - g.mean(axis=0, keepdims=True) - normed * (g * normed).mean(axis=0, keepdims=True)) / deviation
            )
        ),
        "Every token has a mean and a deviation of its own, so the gradients of different tokens do not mix.",
        WAYS,
    ),
    Mistake(
        "own-eps",
        "The argument eps is ignored",
        _own_eps,
        "The way back must divide by what was divided by on the way forward.",
        SECTION,
    ),
    Mistake(
        "eps-outside",
        "eps is added outside the root",
        _eps_outside,
        "The way back must divide by what was divided by on the way forward: there eps is inside the root.",
        "The variance, and eps inside the root",
    ),
    Mistake(
        "sample-variance",
        "The variance is divided by d - 1 instead of d",
        _sample_variance,
        "The way back must use the variance of the way forward, which averages over all d features.",
        "The variance, and eps inside the root",
    ),
    Mistake(
        "raw-x-in-d-gamma",
        "d_gamma uses X itself instead of the normalised X",
        _raw_in_d_gamma,
        "gamma multiplies the normalised vector, so that is its derivative.",
        SUMS,
    ),
    Mistake(
        "gamma-in-parameters",
        "d_gamma and d_beta are multiplied by gamma",
        _gamma_in_parameters,
        "For these two the gradient of the output counts as it arrives. Only the way on to X passes gamma.",
        SUMS,
    ),
    Mistake(
        "first-axis-only",
        "d_gamma and d_beta are summed over the first axis only",
        _first_axis_only,
        "One gamma serves every token of every sentence, so it collects from all leading axes. Where there are "
        "none, there is nothing to sum.",
        SUMS,
    ),
    Mistake(
        "not-summed",
        "d_gamma and d_beta are not summed",
        _not_summed,
        "A gradient has the shape of what it belongs to: gamma and beta have one entry per feature.",
        SUMS,
    ),
    Mistake(
        "mean-over-tokens",
        "d_gamma and d_beta are averaged over the tokens instead of summed",
        _mean_over_tokens,
        "Every token adds its own contribution to the loss. Whether the loss is a mean is already contained in "
        "d_output.",
        SUMS,
    ),
    Mistake(
        "beta-before-gamma",
        "d_beta is returned before d_gamma",
        _beta_before_gamma,
        "Asked for is the order of the arguments of the forward function: X, gamma, beta.",
        SECTION,
    ),
    Mistake(
        "in-place",
        "The gradient of the output is overwritten",
        _in_place,
        "`d_output *= ...` changes the array that was given. The residual connection needs it, too.",
        SECTION,
    ),
)
