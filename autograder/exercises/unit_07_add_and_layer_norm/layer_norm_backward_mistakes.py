"""The known mistakes of `layer_norm_backward`: the right steps with one exchangeable link."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 7.5: layer_norm_backward"
WAYS = "Three ways in which a feature counts"

MISTAKES = KnownMistakes()


def _parameter_gradients(d_output, normed):
    leading = tuple(range(d_output.ndim - 1))
    return (d_output * normed).sum(axis=leading), d_output.sum(axis=leading)


def _mean(a):
    return a.mean(axis=-1, keepdims=True)


def _backward(d_output, X, gamma, eps, link):
    """Return the right d_gamma and d_beta, and dX from `link(g, normed, deviation)` with g = d_output * gamma."""
    deviation = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    normed = (X - _mean(X)) / deviation
    return link(d_output * gamma, normed, deviation), *_parameter_gradients(d_output, normed)


def _sum(a):
    return a.sum(axis=-1, keepdims=True)


@MISTAKES.add(where=WAYS)
def only_divided(d_output, X, gamma, eps=1e-5):
    """Mean and deviation are treated as constants.

    Moving one feature also moves the mean and the deviation of its token, and through them all the other outputs.
    """
    return _backward(d_output, X, gamma, eps, lambda g, normed, deviation: g / deviation)


@MISTAKES.add(where=WAYS)
def deviation_constant(d_output, X, gamma, eps=1e-5):
    """The deviation is treated as a constant: the last term is missing, or always 0.

    Moving one feature also makes the centred vector longer or shorter, and its length is divided away again.
    """
    return _backward(d_output, X, gamma, eps, lambda g, normed, deviation: (g - _mean(g)) / deviation)


@MISTAKES.add(where=WAYS)
def mean_constant(d_output, X, gamma, eps=1e-5):
    """The mean is treated as a constant.

    Moving one feature also moves the mean, which is subtracted from all the features.
    """
    return _backward(d_output, X, gamma, eps, lambda g, normed, deviation: (g - normed * _mean(g * normed)) / deviation)


@MISTAKES.add(where=WAYS)
def sums_for_means(d_output, X, gamma, eps=1e-5):
    """Sums over the features are taken where means belong.

    Each feature has a share of 1/d in the mean and in the variance.
    """
    return _backward(
        d_output, X, gamma, eps, lambda g, normed, deviation: (g - _sum(g) - normed * _sum(g * normed)) / deviation
    )


@MISTAKES.add(where=WAYS)
def sign_of_deviation(d_output, X, gamma, eps=1e-5):
    """The term of the deviation has the wrong sign.

    A longer vector is divided by more, so this term works against the direct one, as that of the mean does.
    """
    return _backward(
        d_output, X, gamma, eps, lambda g, normed, deviation: (g - _mean(g) + normed * _mean(g * normed)) / deviation
    )


@MISTAKES.add(where=WAYS)
def divided_by_variance(d_output, X, gamma, eps=1e-5):
    """The gradient is divided by another power of the variance than its square root.

    In the forward pass the centred vector was divided once by the deviation. The gradient is, too.
    """
    return _backward(
        d_output, X, gamma, eps, lambda g, normed, deviation: (g - _mean(g) - normed * _mean(g * normed)) / deviation**2
    )


@MISTAKES.add(where=WAYS)
def not_divided(d_output, X, gamma, eps=1e-5):
    """The gradient is not divided by the deviation.

    An input that is twice as large has to move twice as far for the same effect: so its gradient is half as large.
    """
    return _backward(d_output, X, gamma, eps, lambda g, normed, deviation: g - _mean(g) - normed * _mean(g * normed))


@MISTAKES.add(where=WAYS)
def gamma_forgotten(d_output, X, gamma, eps=1e-5):
    """gamma is missing in dX.

    In the forward pass the normalised vector was multiplied by gamma. So on the way back its gradient is, too.
    """
    return reference.layer_norm_backward(d_output, X, np.ones_like(gamma), eps)


@MISTAKES.add(where=WAYS)
def gamma_last(d_output, X, gamma, eps=1e-5):
    """dX is multiplied by gamma at the end instead of at the start.

    gamma is the last step in the forward pass, so it is the first on the way back, before the two means are taken.
    """
    dX, d_gamma, d_beta = gamma_forgotten(d_output, X, gamma, eps)
    return dX * gamma, d_gamma, d_beta


@MISTAKES.add(where=WAYS)
def over_tokens(d_output, X, gamma, eps=1e-5):
    """The means are taken over the tokens.

    Every token has a mean and a deviation of its own, so the gradients of different tokens do not mix.
    """
    return _backward(
        d_output,
        X,
        gamma,
        eps,
        lambda g, normed, deviation: (
            (g - g.mean(axis=0, keepdims=True) - normed * (g * normed).mean(axis=0, keepdims=True)) / deviation
        ),
    )


@MISTAKES.add(where=SECTION)
def own_eps(d_output, X, gamma, eps=1e-5):
    """The argument eps is ignored.

    The way back must divide by the same number as the forward pass.
    """
    return reference.layer_norm_backward(d_output, X, gamma)


@MISTAKES.add(where="The variance, and eps inside the root")
def eps_outside(d_output, X, gamma, eps=1e-5):
    """eps is added outside the root.

    The way back must divide by the same number as the forward pass, where eps is inside the root.
    """
    centred = X - _mean(X)
    deviation = X.std(axis=-1, keepdims=True) + eps
    normed, g = centred / deviation, d_output * gamma
    return (g - _mean(g) - normed * _mean(g * normed)) / deviation, *_parameter_gradients(d_output, normed)


@MISTAKES.add(where="The variance, and eps inside the root")
def sample_variance(d_output, X, gamma, eps=1e-5):
    """The variance is divided by d - 1 instead of d.

    The way back must use the variance of the forward pass, which averages over all d features.
    """
    d = X.shape[-1]
    deviation = np.sqrt(X.var(axis=-1, keepdims=True, ddof=1) + eps)
    normed, g = (X - _mean(X)) / deviation, d_output * gamma
    along = _sum(g * normed) / (d - 1)
    return (g - _mean(g) - normed * along) / deviation, *_parameter_gradients(d_output, normed)


@MISTAKES.add(where=SECTION)
def beta_before_gamma(d_output, X, gamma, eps=1e-5):
    """d_beta is returned before d_gamma.

    Keep the order of the arguments of the forward function: X, gamma, beta.
    """
    dX, d_gamma, d_beta = reference.layer_norm_backward(d_output, X, gamma, eps)
    return dX, d_beta, d_gamma


@MISTAKES.add(where=SECTION)
def in_place(d_output, X, gamma, eps=1e-5):
    """The gradient of the output is overwritten.

    `d_output *= ...` changes the array that was given. The residual connection needs it, too.
    """
    deviation = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    normed = (X - _mean(X)) / deviation
    parameters = _parameter_gradients(d_output.copy(), normed)
    d_output *= gamma
    return (d_output - _mean(d_output) - normed * _mean(d_output * normed)) / deviation, *parameters


@MISTAKES.add(where=WAYS)
def raw_x(d_output, X, gamma, eps=1e-5):
    """X itself is used instead of the normalised X.

    In the formula the token stands as it left the norm: centred, and divided by its deviation.
    """
    return _backward(
        d_output, X, gamma, eps, lambda g, normed, deviation: (g - _mean(g) - X * _mean(g * X)) / deviation
    )


@MISTAKES.add(where=WAYS)
def difference_of_squares(d_output, X, gamma, eps=1e-5):
    """The variance loses its digits far from 0, like the mean of the squares minus the square of the mean.

    On paper that difference is the variance. For a token far from 0 the digits that matter are lost. Subtract the mean
    first, then square.
    """
    deviation = np.sqrt(np.maximum(_mean(X**2) - _mean(X) ** 2, 0) + eps)
    normed, g = (X - _mean(X)) / deviation, d_output * gamma
    return (g - _mean(g) - normed * _mean(g * normed)) / deviation, *_parameter_gradients(d_output, normed)
