"""Specification of `pre_norm`."""

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
    # by hand: 3.68, 2.89, ...
    call.agrees(np.array([[1.0, 2.0, 3.0, 4.0]]), exchange_and_double, np.ones(4), np.zeros(4))
    call.agrees(rng.standard_normal((5, 7)), sublayer(rng, 7), *scale_and_shift(rng, 7))


def _zero_sublayer(call, rng):
    X, gamma_and_beta = rng.standard_normal((5, 7)), scale_and_shift(rng, 7)
    moved = call.array(X.shape, X, sublayer(rng, 7), *gamma_and_beta)
    call.holds(not np.allclose(moved, X), "the sub-layer has no effect: the result is the input.")
    kept = call.array(X.shape, X, np.zeros_like, *gamma_and_beta)
    gap = np.abs(kept - X).max()
    call.holds(gap < 1e-12, f"with a sub-layer that returns zeros the result differs from X by up to {gap:.3g}.")


def _post_norm(X, sublayer, gamma, beta, eps=1e-5):
    return reference.post_norm(X, sublayer, gamma, beta, eps)


def _norm_on_output(X, sublayer, gamma, beta, eps=1e-5):
    return X + layer_norm(sublayer(X), gamma, beta, eps)


def _normed_residual(X, sublayer, gamma, beta, eps=1e-5):
    X = layer_norm(X, gamma, beta, eps)
    return X + sublayer(X)


def _no_residual(X, sublayer, gamma, beta, eps=1e-5):
    return sublayer(layer_norm(X, gamma, beta, eps))


def _normed_twice(X, sublayer, gamma, beta, eps=1e-5):
    return layer_norm(X + sublayer(layer_norm(X, gamma, beta, eps)), gamma, beta, eps)


def _no_norm(X, sublayer, gamma, beta, eps=1e-5):
    return X + sublayer(X)


def _no_eps(X, sublayer, gamma, beta, eps=1e-5):
    return X + sublayer(layer_norm(X, gamma, beta))


def _exchanged(X, sublayer, gamma, beta, eps=1e-5):
    return X + sublayer(layer_norm(X, beta, gamma, eps))


def _defaults(X, sublayer, gamma, beta, eps=1e-5):
    return X + sublayer(layer_norm(X, np.ones(X.shape[-1]), np.zeros(X.shape[-1]), eps))


def _in_place(X, sublayer, gamma, beta, eps=1e-5):
    X += sublayer(layer_norm(X, gamma, beta, eps))
    return X


SECTION = "Exercise 7.3: pre_norm"
ORDER = "The norm inside the branch"

EXERCISE = Exercise(
    reference=reference.pre_norm,
    asks="the sum of the input and what the sub-layer makes of the normalised input.",
    returns=(Returned("output", "(..., n, d)"),),
    where=ORDER,
    claims=(
        Claim("equals the formula: the input, plus the sub-layer of the normalised input", 0.5, _values),
        Claim("is the identity when the sub-layer returns zeros", 0.5, _zero_sublayer),
        Claim("hands eps on to the norm", 0.5, hands_eps_on),
        Claim(
            "works for any leading axes and leaves its inputs alone", 0.5, takes_leading_axes_and_leaves_inputs_alone
        ),
    ),
    mistakes=(
        Mistake(
            "post-norm",
            "The norm comes after the sum",
            _post_norm,
            "That is post-norm. In pre-norm nothing happens to the sum any more, so the input has a free way through.",
            ORDER,
        ),
        Mistake(
            "norm-on-output",
            "The sub-layer's output is normalised, not its input",
            _norm_on_output,
            "“Pre” means before the sub-layer. With a norm behind it even a sub-layer that returns zeros adds beta.",
            ORDER,
        ),
        Mistake(
            "normed-residual",
            "The normalised input is added instead of the input itself",
            _normed_residual,
            "Whoever overwrites X by its normalised version has lost the original, and with it the free way through. "
            "A zero sub-layer must give back the input.",
            ORDER,
        ),
        Mistake(
            "no-residual",
            "The input is not added",
            _no_residual,
            "A sub-layer that returns zeros would wipe out everything. It is to be added to the input.",
            ORDER,
        ),
        Mistake(
            "normed-twice",
            "There is a second norm after the sum",
            _normed_twice,
            "Pre-norm leaves the sum as it is. Only at the top of the whole stack is there one more norm.",
            ORDER,
        ),
        Mistake(
            "no-norm",
            "Nothing is normalised",
            _no_norm,
            "The sub-layer should see normalised vectors, whatever the size of the input.",
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
