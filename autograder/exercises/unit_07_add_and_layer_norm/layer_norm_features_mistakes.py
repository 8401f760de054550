"""The known mistakes of `layer_norm` with gamma and beta."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 7.1: layer_norm"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=SECTION)
def gamma_and_beta_ignored(X, gamma, beta, eps=1e-5):
    """gamma and beta are not used.

    A model that was trained has learned a scale and a shift for every feature. They are part of the layer.
    """
    return reference.layer_norm(X, np.ones(X.shape[-1]), np.zeros(X.shape[-1]), eps)


@MISTAKES.add(where=SECTION)
def gamma_ignored(X, gamma, beta, eps=1e-5):
    """gamma is not used.

    Every feature has a scale of its own, which multiplies the normalised value.
    """
    return gamma_and_beta_ignored(X, gamma, beta, eps) + beta


@MISTAKES.add(where=SECTION)
def beta_ignored(X, gamma, beta, eps=1e-5):
    """beta is not used.

    Every feature has a shift of its own, which is added at the end.
    """
    return gamma_and_beta_ignored(X, gamma, beta, eps) * gamma


@MISTAKES.add(where=SECTION)
def gamma_and_beta_exchanged(X, gamma, beta, eps=1e-5):
    """gamma and beta are swapped.

    gamma scales and beta shifts. With the usual initial values, 1 and 0, your output is 1 everywhere.
    """
    return gamma_and_beta_ignored(X, gamma, beta, eps) * beta + gamma


@MISTAKES.add(where=SECTION)
def beta_scaled(X, gamma, beta, eps=1e-5):
    """beta is added before gamma multiplies.

    The shift is then scaled, too. The order is: normalise, scale, shift.
    """
    return (gamma_and_beta_ignored(X, gamma, beta, eps) + beta) * gamma
