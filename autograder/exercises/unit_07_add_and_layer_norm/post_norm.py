"""Specification of `post_norm`."""

import numpy as np

from autograder.execution.handed import Numbers
from autograder.exercises.unit_07_add_and_layer_norm import calls
from autograder.exercises.unit_07_add_and_layer_norm.inputs import (
    exchange_and_double,
    hands_eps_on,
    leaves_inputs_alone,
    scale_and_shift,
    sublayer,
    takes_leading_axes,
)
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.reference import layer_norm

SECTION = "Exercise 7.2: post_norm"

EXERCISE = Exercise(
    reference=reference.post_norm,
    asks="the layer norm of the sum of the input and what the sub-layer makes of it.",
    returns=(Output("output", "(..., n, d)"),),
    where=SECTION,
    calls=calls.POST_NORM,
    hands={"sublayer": (Numbers(),)},
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


@EXERCISE.mistakes.add(where=SECTION)
def norm_before_adding(X, sublayer, gamma, beta, eps=1e-5):
    """The sub-layer's output is normalised, and then the input is added.

    Then the sum itself is not normalised, and it grows from layer to layer. This is neither of the two usual
    arrangements.
    """
    return X + layer_norm(sublayer(X), gamma, beta, eps)


@EXERCISE.mistakes.add(where=SECTION)
def norm_before_sublayer(X, sublayer, gamma, beta, eps=1e-5):
    """The norm comes before the sub-layer.

    That is the pre-norm of the next exercise. In post-norm the norm is the last step.
    """
    return reference.pre_norm(X, sublayer, gamma, beta, eps)


@EXERCISE.mistakes.add(where=SECTION)
def normed_twice(X, sublayer, gamma, beta, eps=1e-5):
    """There is a norm before the sub-layer and another one after the sum.

    In post-norm the sub-layer gets the input as it is. There is only one norm, at the end.
    """
    return layer_norm(X + sublayer(layer_norm(X, gamma, beta, eps)), gamma, beta, eps)


@EXERCISE.mistakes.add(where=SECTION)
def normed_residual(X, sublayer, gamma, beta, eps=1e-5):
    """The input is normalised before it is added.

    Both summands are taken as they are. The norm is applied once, to their sum.
    """
    return layer_norm(X, gamma, beta, eps) + sublayer(X)


@EXERCISE.mistakes.add(where=SECTION)
def no_residual(X, sublayer, gamma, beta, eps=1e-5):
    """The input is not added.

    The sum is the “Add” in “Add & Norm”. Without it, everything has to pass through the sub-layer.
    """
    return layer_norm(sublayer(X), gamma, beta, eps)


@EXERCISE.mistakes.add(where=SECTION)
def no_norm(X, sublayer, gamma, beta, eps=1e-5):
    """The sum is not normalised.

    That is the “Add” without the “Norm”: the vectors grow from layer to layer.
    """
    return X + sublayer(X)


@EXERCISE.mistakes.add(where=SECTION)
def no_sublayer(X, sublayer, gamma, beta, eps=1e-5):
    """The sub-layer has no effect.

    `sublayer` is a function. Call it with the input, and add what comes back.
    """
    return layer_norm(X, gamma, beta, eps)


@EXERCISE.mistakes.add(where=SECTION)
def eps_not_handed_on(X, sublayer, gamma, beta, eps=1e-5):
    """eps is not passed on to the norm.

    Nothing fails when an argument is not used: the norm silently falls back on its default.
    """
    return layer_norm(X + sublayer(X), gamma, beta)


@EXERCISE.mistakes.add(where=SECTION)
def gamma_and_beta_exchanged(X, sublayer, gamma, beta, eps=1e-5):
    """gamma and beta are passed on in the wrong order.

    The norm takes the scale first and the shift second.
    """
    return layer_norm(X + sublayer(X), beta, gamma, eps)


@EXERCISE.mistakes.add(where=SECTION)
def gamma_and_beta_replaced(X, sublayer, gamma, beta, eps=1e-5):
    """gamma and beta are replaced by 1 and 0.

    These are only the values at the start of training. Pass on the ones that you were given.
    """
    return layer_norm(X + sublayer(X), np.ones(X.shape[-1]), np.zeros(X.shape[-1]), eps)


@EXERCISE.mistakes.add(where=SECTION)
def in_place(X, sublayer, gamma, beta, eps=1e-5):
    """The caller's input is overwritten by the sum.

    `X += ...` changes the array that was given. Make a new one.
    """
    X += sublayer(X)
    return layer_norm(X, gamma, beta, eps)


@EXERCISE.mistakes.add(where=SECTION)
def not_called(X, sublayer, gamma, beta, eps=1e-5):
    """The function itself is added to the input.

    `sublayer` is a function. Call it with the input, and add what it returns.
    """
    return layer_norm(X + sublayer, gamma, beta, eps)


@EXERCISE.mistakes.add(where=SECTION)
def added_again(X, sublayer, gamma, beta, eps=1e-5):
    """The input is added once more after the norm.

    The norm is the last step: whatever leaves the block has been normalised.
    """
    return X + layer_norm(X + sublayer(X), gamma, beta, eps)


@EXERCISE.mistakes.add(where=SECTION)
def subtracted(X, sublayer, gamma, beta, eps=1e-5):
    """The input is subtracted from what the sub-layer returns.

    The “Add” in “Add & Norm” is a sum of the two.
    """
    return layer_norm(sublayer(X) - X, gamma, beta, eps)


@EXERCISE.mistakes.add(where=SECTION)
def token_by_token(X, sublayer, gamma, beta, eps=1e-5):
    """The sub-layer is called for every token alone.

    In an attention the tokens look at each other. Give it all of X at once.
    """
    outputs = [sublayer(token) for token in np.split(X, X.shape[-2], axis=-2)]
    return layer_norm(X + np.concatenate(outputs, axis=-2), gamma, beta, eps)


@EXERCISE.mistakes.add(where=SECTION)
def into_what_came_back(X, sublayer, gamma, beta, eps=1e-5):
    """The input is added into the array that the sub-layer returned.

    That array is not yours: a sub-layer may return the very array that it was given, which is the caller's. Make a
    new one.
    """
    output = sublayer(X)
    output += X
    return layer_norm(output, gamma, beta, eps)
