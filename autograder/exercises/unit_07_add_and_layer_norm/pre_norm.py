"""Specification of `pre_norm`."""

import numpy as np

from autograder.execution.handed import Numbers
from autograder.execution.precision import bound_for
from autograder.exercises.unit_07_add_and_layer_norm import calls, lookalikes
from autograder.exercises.unit_07_add_and_layer_norm.inputs import (
    exchange_and_double,
    hands_eps_on,
    leaves_inputs_alone,
    scale_and_shift,
    sublayer,
    takes_leading_axes,
)
from autograder.exercises.unit_07_add_and_layer_norm.norms import take_other_norms
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.reference import layer_norm

EXERCISE = Exercise(
    reference=reference.pre_norm,
    asks="the sum of the input and what the sub-layer makes of the normalised input.",
    returns=(Output("output", "(..., n, d)"),),
    calls=calls.PRE_NORM,
    hands={"sublayer": (Numbers(),)},
    lookalike=lookalikes.PRE_NORM,
)


@EXERCISE.claim(0.5)
def values(call, rng):
    """equals the formula: the input, plus the sub-layer of the normalised input"""
    # by hand: 3.68, 2.89, ...
    call.agrees(np.array([[1.0, 2.0, 3.0, 4.0]]), exchange_and_double, np.ones(4), np.zeros(4))
    call.agrees(rng.standard_normal((5, 7)), sublayer(rng, 7), *scale_and_shift(rng, 7))


@EXERCISE.claim(0.5)
def zero_sublayer(call, rng):
    """is the identity when the sub-layer returns zeros"""
    X, gamma_and_beta = rng.standard_normal((5, 7)), scale_and_shift(rng, 7)
    moved = call.array(X.shape, X, sublayer(rng, 7), *gamma_and_beta)
    call.holds(not np.allclose(moved, X), "the sub-layer has no effect: the result is the input.")
    kept = call.array(X.shape, X, lambda Z: np.zeros(Z.shape), *gamma_and_beta)
    gap = np.abs(kept - X).max()
    same = gap < bound_for(1e-12, kept)
    call.holds(same, f"with a sub-layer that returns zeros the result differs from X by up to {gap:.3g}.")


@EXERCISE.claim(0.5, side=True)
def eps(call, rng):
    """passes eps to the norm"""
    hands_eps_on(call, rng)


@EXERCISE.claim(0.25, side=True)
def leading_axes(call, rng):
    """works for any leading axes, and gives the sub-layer all tokens at once"""
    takes_leading_axes(call, rng)


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    leaves_inputs_alone(call, rng)


wrong = WrongAnswers(EXERCISE, globals())


@wrong.function
def post_norm(X, sublayer, gamma, beta, eps=1e-5):
    """The norm comes after the sum.
    That is post-norm. In pre-norm nothing happens to the sum, so the input has a direct path to the top."""
    return reference.post_norm(X, sublayer, gamma, beta, eps)


wrong("norm-on-output", "X + layer_norm(sublayer(X), gamma, beta, eps)", """
    The sub-layer's output is normalised, not its input.
    “Pre” means before the sub-layer. With a norm after it even a sub-layer that returns zeros adds beta.""")

wrong("normed-residual", {"return X": "return layer_norm(X, gamma, beta, eps)", "X, gamma": "X, gamma"}, """
    The normalised input is added instead of the input itself.
    Once X has been overwritten by its normalised version, the original is lost, and with it the direct path through the
    stack. A sub-layer that returns zeros must give back the input.""")

wrong("no-residual", {" X + ": " "}, """
    The input is not added.
    Then a sub-layer that returns zeros wipes out everything. Its output has to be added to the input.""")

wrong("normed-twice", "layer_norm(X + sublayer(layer_norm(X, gamma, beta, eps)), gamma, beta, eps)", """
    There is a second norm after the sum.
    Pre-norm leaves the sum as it is. Only at the top of the whole stack is there one more norm.""")

wrong("no-norm", {"layer_norm(X, gamma, beta, eps)": "X"}, """
    Nothing is normalised.
    The sub-layer should see normalised vectors, whatever the size of the input.""")

take_other_norms(wrong)


@wrong.function
def in_place(X, sublayer, gamma, beta, eps=1e-5):
    """The caller's input is overwritten by the sum.
    An operator such as `+=` changes the array that was given. Make a new one."""
    X += sublayer(layer_norm(X, gamma, beta, eps))
    return X


wrong("subtracted", {"return X +": "return X -"}, """
    What the sub-layer returns is subtracted from the input.
    The sub-layer says what to add to the token.""")

wrong("three-terms", {"return X": "return X + layer_norm(X, gamma, beta, eps)", "X, gamma": "X, gamma"}, """
    The normalised input is added as well.
    Only the sub-layer sees it. The sum has two terms: the input as it came in, and what the sub-layer returns.""")

wrong("scaled-behind-the-sublayer", {
    "return X": "return X + sublayer(layer_norm(X, np.ones(X.shape[-1]), np.zeros(X.shape[-1]), eps)) * gamma",
    "sublayer(layer_norm(X, gamma, beta, eps))": "beta",
}, """
    gamma and beta are applied to what the sub-layer returns.
    They belong to the norm, so they come before the sub-layer, with the rest of it.""")

wrong("not-called", "X + layer_norm(X, gamma, beta, eps) + sublayer", """
    The function itself is added to the input.
    `sublayer` is a function. Call it with the normalised input, and add what it returns.""")


@wrong.function
def token_by_token(X, sublayer, gamma, beta, eps=1e-5):
    """The sub-layer is called for every token alone.
    In an attention the tokens look at each other. Give it all normalised tokens at once."""
    tokens = np.split(layer_norm(X, gamma, beta, eps), X.shape[-2], axis=-2)
    return X + np.concatenate([sublayer(token) for token in tokens], axis=-2)


wrong("norm-of-the-sum-added",
      {"sublayer(layer_norm(X, gamma": "layer_norm(X + sublayer(X), gamma", "eps))": "eps)"}, """
    The norm is taken of the sum, and the input is added once more.
    In pre-norm the sub-layer gets the normalised input, and what it returns is added as it is.""")

wrong.small("three-terms", values, zero_sublayer)
