"""Specification of `post_norm`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from autograder.exercises.unit_07_add_and_layer_norm.inputs import (
    exchange_and_double,
    hands_eps_on,
    scale_and_shift,
    sublayer,
    takes_leading_axes_and_leaves_inputs_alone,
)
from transformer_kit import reference
from transformer_kit.reference import layer_norm


def _values(call, rng):
    # by hand: 1.34, 0.45, ...
    call.agrees(np.array([[1.0, 2.0, 3.0, 4.0]]), exchange_and_double, np.ones(4), np.zeros(4))
    call.agrees(rng.standard_normal((5, 7)), sublayer(rng, 7), *scale_and_shift(rng, 7))


def _norm_before_adding(X, sublayer, gamma, beta, eps=1e-5):
    return X + layer_norm(sublayer(X), gamma, beta, eps)


def _norm_before_sublayer(X, sublayer, gamma, beta, eps=1e-5):
    return reference.pre_norm(X, sublayer, gamma, beta, eps)


def _normed_twice(X, sublayer, gamma, beta, eps=1e-5):
    return layer_norm(X + sublayer(layer_norm(X, gamma, beta, eps)), gamma, beta, eps)


def _normed_residual(X, sublayer, gamma, beta, eps=1e-5):
    return layer_norm(X, gamma, beta, eps) + sublayer(X)


def _no_residual(X, sublayer, gamma, beta, eps=1e-5):
    return layer_norm(sublayer(X), gamma, beta, eps)


def _no_norm(X, sublayer, gamma, beta, eps=1e-5):
    return X + sublayer(X)


def _no_sublayer(X, sublayer, gamma, beta, eps=1e-5):
    return layer_norm(X, gamma, beta, eps)


def _no_eps(X, sublayer, gamma, beta, eps=1e-5):
    return layer_norm(X + sublayer(X), gamma, beta)


def _exchanged(X, sublayer, gamma, beta, eps=1e-5):
    return layer_norm(X + sublayer(X), beta, gamma, eps)


def _defaults(X, sublayer, gamma, beta, eps=1e-5):
    return layer_norm(X + sublayer(X), np.ones(X.shape[-1]), np.zeros(X.shape[-1]), eps)


def _in_place(X, sublayer, gamma, beta, eps=1e-5):
    X += sublayer(X)
    return layer_norm(X, gamma, beta, eps)


SECTION = "Exercise 7.2: post_norm"
ORDER = "The sum first, then the norm"

EXERCISE = Exercise(
    reference=reference.post_norm,
    asks="the layer norm of the sum of the input and what the sub-layer makes of it.",
    returns=(Returned("output", "(..., n, d)"),),
    where=ORDER,
    claims=(
        Claim("equals the formula: the sum of input and sub-layer, normalised", 1, _values),
        Claim("hands eps on to the norm", 0.5, hands_eps_on),
        Claim(
            "works for any leading axes and leaves its inputs alone", 0.5, takes_leading_axes_and_leaves_inputs_alone
        ),
    ),
    mistakes=(
        Mistake(
            "norm-before-adding",
            "The sub-layer's output is normalised, and then the input is added",
            _norm_before_adding,
            "Then the sum itself is not normalised, and it grows from layer to layer. This order belongs to neither "
            "of the two usual arrangements.",
            ORDER,
        ),
        Mistake(
            "norm-before-sublayer",
            "The norm comes before the sub-layer",
            _norm_before_sublayer,
            "That is the pre-norm of the next exercise. In post-norm the norm is the last step.",
            ORDER,
        ),
        Mistake(
            "normed-twice",
            "There is a norm before the sub-layer and another one after the sum",
            _normed_twice,
            "In post-norm the sub-layer gets the input as it is. One norm, at the end, is all.",
            ORDER,
        ),
        Mistake(
            "normed-residual",
            "The input is normalised before it is added",
            _normed_residual,
            "Both summands are taken as they are. The norm is applied once, to their sum.",
            ORDER,
        ),
        Mistake(
            "no-residual",
            "The input is not added",
            _no_residual,
            "The sum is the “Add” in “Add & Norm”. Without it, everything has to pass through the sub-layer.",
            ORDER,
        ),
        Mistake(
            "no-norm",
            "The sum is not normalised",
            _no_norm,
            "That is the “Add” without the “Norm”: the vectors grow from layer to layer.",
            ORDER,
        ),
        Mistake(
            "no-sublayer",
            "The sub-layer is never called",
            _no_sublayer,
            "`sublayer` is a function. Call it with the input, and add what it returns.",
            ORDER,
        ),
        Mistake(
            "eps-not-handed-on",
            "eps is not handed on to the norm",
            _no_eps,
            "An argument that a function takes and does not use is lost without a word: the norm falls back on its "
            "default.",
            SECTION,
        ),
        Mistake(
            "gamma-and-beta-exchanged",
            "gamma and beta are handed on in the wrong order",
            _exchanged,
            "The norm takes the scale first and the shift second.",
            SECTION,
        ),
        Mistake(
            "gamma-and-beta-replaced",
            "gamma and beta are replaced by 1 and 0",
            _defaults,
            "These are only the values at the start of training. Hand on the ones that you were given.",
            SECTION,
        ),
        Mistake(
            "in-place",
            "The input of the caller is overwritten by the sum",
            _in_place,
            "`X += ...` changes the array that was given. Make a new one.",
            SECTION,
        ),
    ),
)
