"""Specification of `rms_norm`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from autograder.exercises.unit_07_add_and_layer_norm.inputs import large, scale_and_shift, small
from transformer_kit import reference


def _values(call, rng):
    call.agrees(np.array([[3000.0, 4000.0, 0.0, 0.0]]), np.ones(4))  # by hand: 1.2, 1.6, 0, 0
    call.agrees(large(rng, 5, 7) + 5e4, scale_and_shift(rng, 7)[0])
    call.agrees(large(rng, 2, 3, 5), scale_and_shift(rng, 5)[0])


def _eps_and_inputs(call, rng):
    gamma = scale_and_shift(rng, 7)[0]
    call.agrees(small(rng, 5, 7), gamma, 0.1)
    X = small(rng, 5, 7)
    X[2] = 0.0
    call.agrees_quietly(X, gamma)
    call.leaves_inputs_alone(X, gamma)


def _with(divisor, centre=False):
    """Make a norm that divides by `divisor(X, eps)`."""

    def rms_norm(X, gamma, eps=1e-5):
        top = X - X.mean(axis=-1, keepdims=True) if centre else X
        return top / divisor(X, eps) * gamma

    return rms_norm


def _mean_square(X, axis=-1):
    return (X**2).mean(axis=axis, keepdims=True)


def _no_gamma(X, gamma, eps=1e-5):
    return reference.rms_norm(X, np.ones_like(gamma), eps)


def _own_eps(X, gamma, eps=1e-5):
    return reference.rms_norm(X, gamma)


def _in_place(X, gamma, eps=1e-5):
    X /= np.sqrt(_mean_square(X) + eps)
    return X * gamma


SECTION = "Exercise 7.6: rms_norm"

EXERCISE = Exercise(
    reference=reference.rms_norm,
    asks="divide every token vector by its root mean square, and scale its features by gamma.",
    returns=(Returned("output", "(..., d)"),),
    where=SECTION,
    claims=(
        Claim("divides every token vector by its root mean square and scales by gamma", 0.5, _values),
        Claim("eps is inside the root, zeros stay zeros, and the inputs are left alone", 0.5, _eps_and_inputs),
    ),
    mistakes=(
        Mistake(
            "centred",
            "The mean is subtracted first",
            _with(lambda X, eps: np.sqrt(X.var(axis=-1, keepdims=True) + eps), centre=True),
            "That is layer norm without its shift. The point of this norm is to save the mean.",
            SECTION,
        ),
        Mistake(
            "variance",
            "The divisor is the standard deviation",
            _with(lambda X, eps: np.sqrt(X.var(axis=-1, keepdims=True) + eps)),
            "A standard deviation subtracts the mean inside. The mean square is taken of the features as they are.",
            SECTION,
        ),
        Mistake(
            "sum-of-squares",
            "The divisor is the length of the vector: the squares are added up instead of averaged",
            _with(lambda X, eps: np.sqrt((X**2).sum(axis=-1, keepdims=True) + eps)),
            "The entries then shrink as the vector gets wider. With the mean, they stay near 1.",
            SECTION,
        ),
        Mistake(
            "no-root",
            "The divisor is the mean square, without a root",
            _with(lambda X, eps: _mean_square(X) + eps),
            "The mean square is measured in squared units. Take its root.",
            SECTION,
        ),
        Mistake(
            "eps-outside",
            "eps is added outside the root",
            _with(lambda X, eps: np.sqrt(_mean_square(X)) + eps),
            "As in layer norm, it belongs to what stands under the root.",
            "The variance, and eps inside the root",
        ),
        Mistake(
            "no-eps",
            "eps is not used at all",
            _with(lambda X, eps: np.sqrt(_mean_square(X))),
            "A vector of zeros would give 0 / 0, which is NaN.",
            "The variance, and eps inside the root",
        ),
        Mistake(
            "own-eps",
            "The argument eps is ignored",
            _own_eps,
            "1e-5 is only the default. Models differ in it.",
            SECTION,
        ),
        Mistake(
            "absolute-values",
            "The divisor is the mean of the absolute values",
            _with(lambda X, eps: np.abs(X).mean(axis=-1, keepdims=True) + eps),
            "Root, mean, square: the name says what to do, read from right to left.",
            SECTION,
        ),
        Mistake(
            "over-everything",
            "One root mean square is taken over the whole array",
            _with(lambda X, eps: np.sqrt(_mean_square(X, axis=None) + eps)),
            "Every token is divided by its own.",
            "One mean and one variance per token",
        ),
        Mistake(
            "gamma-ignored",
            "gamma is not used",
            _no_gamma,
            "Every feature keeps a scale of its own. Only the shift is gone.",
            SECTION,
        ),
        Mistake(
            "in-place",
            "The tokens of the caller are overwritten",
            _in_place,
            "`X /= ...` changes the array that was given. Make a new one.",
            SECTION,
        ),
    ),
)
