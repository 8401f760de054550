"""Specification of `post_norm`."""

import numpy as np

from autograder.execution.handed import Numbers
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
    reference=reference.post_norm,
    asks="the layer norm of the sum of the input and what the sub-layer makes of it.",
    returns=(Output("output", "(..., n, d)"),),
    calls=calls.POST_NORM,
    hands={"sublayer": (Numbers(),)},
    lookalike=lookalikes.POST_NORM,
)


@EXERCISE.claim(1)
def values(call, rng):
    """equals the formula: the sum of input and sub-layer, normalised"""
    # by hand: 1.34, 0.45, ...
    call.agrees(np.array([[1.0, 2.0, 3.0, 4.0]]), exchange_and_double, np.ones(4), np.zeros(4))
    call.agrees(rng.standard_normal((5, 7)), sublayer(rng, 7), *scale_and_shift(rng, 7))


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

wrong("norm-before-adding", "X + layer_norm(sublayer(X), gamma, beta, eps)", """
    The sub-layer's output is normalised, and then the input is added.
    Then the sum itself is not normalised, and it grows from layer to layer. This is neither of the two usual
    arrangements.""")

wrong("norm-before-sublayer", "pre_norm(X, sublayer, gamma, beta, eps)", """
    The norm comes before the sub-layer.
    That is the pre-norm of the next exercise. In post-norm the norm is the last step.""")

wrong("normed-twice", "layer_norm(X + sublayer(layer_norm(X, gamma, beta, eps)), gamma, beta, eps)", """
    There is a norm before the sub-layer and another one after the sum.
    In post-norm the sub-layer gets the input as it is. There is only one norm, at the end.""")

wrong("normed-residual", {"(X + sublayer(X), gamma, beta, eps)": "(X, gamma, beta, eps) + sublayer(X)"}, """
    The input is normalised before it is added.
    Both summands are taken as they are. The norm is applied once, to their sum.""")

wrong("no-residual", {"X + sublayer": "sublayer"}, """
    The input is not added.
    The sum is the “Add” in “Add & Norm”. Without it, everything has to pass through the sub-layer.""")

wrong("no-norm", "X + sublayer(X)", """
    The sum is not normalised.
    That is the “Add” without the “Norm”: the vectors grow from layer to layer.""")

wrong("no-sublayer", {" + sublayer(X)": ""}, """
    The sub-layer has no effect.
    `sublayer` is a function. Call it with the input, and add what comes back.""")

take_other_norms(wrong)

wrong("in-place", {"= as_float": "+= sublayer", " + sublayer(X)": ""}, """
    The caller's input is overwritten by the sum.
    An operator such as `+=` changes the array that was given. Make a new one.""")

wrong("not-called", {"sublayer(X)": "sublayer"}, """
    The function itself is added to the input.
    `sublayer` is a function. Call it with the input, and add what it returns.""")

wrong("added-again", {"return ": "return X + "}, """
    The input is added once more after the norm.
    The norm is the last step: whatever leaves the block has been normalised.""")

wrong("subtracted", {"X + sublayer(X)": "sublayer(X) - X"}, """
    The input is subtracted from what the sub-layer returns.
    The “Add” in “Add & Norm” is a sum of the two.""")

wrong("token-by-token",
      {"sublayer(X)": "np.concatenate([sublayer(token) for token in np.split(X, X.shape[-2], axis=-2)], axis=-2)"}, """
    The sub-layer is called for every token alone.
    In an attention the tokens look at each other. Give it all of X at once.""")


@wrong.function
def into_what_came_back(X, sublayer, gamma, beta, eps=1e-5):
    """The input is added into the array that the sub-layer returned.
    That array is not yours: a sub-layer may return the very array that it was given, which is the caller's. Make a new
    one."""
    output = sublayer(X)
    output += X
    return layer_norm(output, gamma, beta, eps)


wrong.small("gamma-and-beta-exchanged added-again subtracted", values)
