"""Specification of `rms_norm`."""

import numpy as np

from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_07_add_and_layer_norm import calls, lookalikes
from autograder.exercises.unit_07_add_and_layer_norm.inputs import large, scale_and_shift, small
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.rms_norm,
    asks="divide every token vector by its root mean square, and scale its features by gamma.",
    returns=(Output("output", "(..., d)"),),
    calls=calls.RMS_NORM,
    lookalike=lookalikes.RMS_NORM,
)


@EXERCISE.claim(0.5)
def values(call, rng):
    """divides every token vector by its root mean square and scales by gamma"""
    call.agrees(1e6 * np.array([[3.0, 4.0, 0.0, 0.0]]), np.ones(4))  # by hand: 1.2, 1.6, 0, 0
    call.agrees(large(rng, 5, 7) + 5e4, scale_and_shift(rng, 7)[0])
    call.agrees(large(rng, 2, 3, 5), scale_and_shift(rng, 5)[0])


@EXERCISE.claim(0.25, side=True)
def eps(call, rng):
    """eps is inside the root, and zeros stay zeros"""
    gamma = scale_and_shift(rng, 7)[0]
    call.agrees(large(rng, 5, 7), gamma)
    agrees_here(call, small(rng, 5, 7), gamma, 0.1)
    agrees_here(call, 0.001 * small(rng, 5, 7), gamma, 0.0)
    agrees_here(call, small(rng, 5, 7) * (np.arange(5) != 2)[:, None], gamma)


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    X, gamma = large(rng, 5, 7), scale_and_shift(rng, 7)[0]
    call.leaves_inputs_alone(X, gamma)
    call.agrees(X, gamma)


def _mean_square(X, axis=-1):
    return (X**2).mean(axis=axis, keepdims=True)


wrong = WrongAnswers(EXERCISE, globals())

wrong("centred", "(X - X.mean(axis=-1, keepdims=True)) / np.sqrt(X.var(axis=-1, keepdims=True) + eps) * gamma", """
    The mean is subtracted first.
    That is layer norm without its shift. The point of this norm is to do without the mean.""")

wrong("variance", {"(X**2).mean": "X.var"}, """
    The divisor is the standard deviation.
    A standard deviation subtracts the mean inside. The mean square is taken of the features as they are.""")

wrong("sum-of-squares", {".mean": ".sum"}, """
    The divisor is the length of the vector: the squares are added up instead of averaged.
    The entries then shrink as the vector gets wider. With the mean, they stay near 1.""")

wrong("no-root", {"np.sqrt": ""}, """
    The divisor is another power of the mean square than its square root.
    The mean square is measured in squared units. Take its root.""")

wrong.at("The variance, and eps inside the root")
wrong("eps-outside", "X / (np.sqrt(_mean_square(X)) + eps) * gamma", """
    eps is added outside the root.
    As in layer norm, it belongs under the root.""")

wrong("no-eps", {" + eps": ""}, """
    eps is not used at all.
    A vector of zeros would give 0 / 0, which is NaN.""")

wrong.at()
wrong("own-eps", "rms_norm(X, gamma)", """
    The argument eps is ignored.
    1e-5 is only the default. Models differ in their eps.""")

wrong("absolute-values", "X / (np.abs(X).mean(axis=-1, keepdims=True) + eps) * gamma", """
    The divisor is the mean of the absolute values.
    Root, mean, square: the name says what to do, read from right to left.""")

wrong.at("One mean and one variance per token")
wrong("over-everything", {"axis=-1": "axis=None"}, """
    One root mean square is taken over the whole array.
    Every token is divided by its own.""")

wrong.at()
wrong("gamma-ignored", "rms_norm(X, np.ones_like(gamma), eps)", """
    gamma is not used.
    Every feature keeps a scale of its own. Only the shift is gone.""")


@wrong.function
def in_place(X, gamma, eps=1e-5):
    """The caller's tokens are overwritten.
    An operator such as `/=` changes the array that was given. Make a new one."""
    X /= np.sqrt(_mean_square(X) + eps)
    return X * gamma


wrong.at("One mean and one variance per token")
wrong("over-tokens", {"axis=-1": "axis=0"}, """
    The mean square is taken over the tokens, for every feature.
    Every token is divided by its own: the mean runs over its features, the last axis.""")

wrong("keepdims-forgotten", {", keepdims=True": ""}, """
    The mean square has lost the axis that it was taken over.
    Without it the divisors do not line up with the tokens: NumPy aligns shapes from the right. Keep the reduced axis
    with length 1.""")

wrong.at()
wrong("square-of-the-mean", {"(X**2).mean(axis=-1, keepdims=True)": "X.mean(axis=-1, keepdims=True) ** 2"}, """
    The mean is squared, not the features.
    Root, mean, square: the name says what to do, read from right to left.""")

wrong("divided-by-gamma", "X / (np.sqrt(_mean_square(X) + eps) * gamma)", """
    The result is divided by gamma.
    Every feature is multiplied by its own gamma, as in layer norm.""")

wrong("mean-square-squared",
      {"np.sqrt((X**2).mean(axis=-1, keepdims=True) + eps)": "((X**2).mean(axis=-1, keepdims=True) + eps) ** 2"}, """
    The divisor is the square of the mean square, not its root.
    A root is the power 0.5. The mean square is measured in squared units already.""")

wrong("power-without-brackets", {
    "np.sqrt((X**2).mean(axis=-1, keepdims=True) + eps)": "(((X**2).mean(axis=-1, keepdims=True) + eps) ** 1 / 2)",
}, """
    The divisor is half the mean square, because the power lacks its brackets.
    `** 1 / 2` takes the power 1 first, and halves what comes out.""")

wrong("one-added-to-gamma", "rms_norm(X, 1 + gamma, eps)", """
    1 is added to gamma.
    Some models are written so, and begin with a gamma of 0. Here gamma is the whole factor.""")

wrong.small("sum-of-squares no-root power-without-brackets", values)
