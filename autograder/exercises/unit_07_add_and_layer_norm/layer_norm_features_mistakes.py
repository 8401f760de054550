"""The known mistakes of `layer_norm` with gamma and beta."""

import numpy as np

from autograder.exercises.edited import edited
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import unit_07_add_and_layer_norm as unit_07

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


ROOT = "The variance, and eps inside the root"
DEVIATION = "deviation = np.sqrt((centred**2).sum(axis=-1, keepdims=True) / d + eps)"
VARIANCE = "((centred**2).sum(axis=-1, keepdims=True) / d + eps)"


@MISTAKES.add(where=ROOT)
@edited(reference.layer_norm, {DEVIATION: f"deviation = {VARIANCE} ** 2"}, unit_07._normalise)
def variance_squared():
    """The divisor is the square of the variance, not its root.

    A root is the power 0.5. The variance is measured in squared units already.
    """


@MISTAKES.add(where=ROOT)
@edited(reference.layer_norm, {DEVIATION: f"deviation = {VARIANCE} ** 1 / 2"}, unit_07._normalise)
def power_without_brackets():
    """The divisor is half the variance, because the power lacks its brackets.

    `** 1 / 2` takes the power 1 first, and halves what comes out.
    """
