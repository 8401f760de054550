"""Specification of `layer_norm_backward`."""

import numpy as np

from autograder.exercises.inputs import agrees_here, require_slopes
from autograder.exercises.unit_07_add_and_layer_norm import calls, lookalikes
from autograder.exercises.unit_07_add_and_layer_norm.inputs import large, scale_and_shift, small
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

WAYS = "Three ways in which a feature counts"
SUMS = "The gradients of gamma and beta"

RETURNS = (Output("dX", "(..., d)"), Output("d_gamma", "(d,)"), Output("d_beta", "(d,)"))

EXERCISE = Exercise(
    reference=reference.layer_norm_backward,
    asks="return the gradients of a loss with respect to X, gamma and beta, given the one with respect to the output.",
    returns=RETURNS,
    where=WAYS,
    calls=calls.LAYER_NORM_BACKWARD,
    lookalike=lookalikes.LAYER_NORM_BACKWARD,
)


def _arguments(rng, *shape):
    """Draw d_output, X and gamma so large that an eps of 1e-5 does not matter; the gradients are of order 1."""
    return large(rng, *shape), large(rng, *shape), scale_and_shift(rng, shape[-1])[0]


def _is_right(call, rng, number):
    """Require one gradient, also of so many tokens that nobody has the time to move one entry after the other."""
    call.agrees_in(number, *_arguments(rng, 5, 7))
    call.agrees_in(number, *_arguments(rng, 97, 307))


@EXERCISE.claim(1)
def d_input(call, rng):
    """dX is right"""
    _is_right(call, rng, 0)


@EXERCISE.claim(0.5)
def d_gamma(call, rng):
    """d_gamma is right"""
    _is_right(call, rng, 1)


@EXERCISE.claim(0.5)
def d_beta(call, rng):
    """d_beta is right"""
    _is_right(call, rng, 2)


@EXERCISE.claim(0.5, side=True)
def leading_axes(call, rng):
    """works for any leading axes; d_gamma and d_beta are summed over all of them"""
    call.agrees(*_arguments(rng, 5, 7))
    agrees_here(call, *_arguments(rng, 2, 3, 5))
    agrees_here(call, *_arguments(rng, 7))
    agrees_here(call, *_arguments(rng, 2, 4, 3, 5))
    agrees_here(call, *_arguments(rng, 1, 3, 1, 5))


@EXERCISE.claim(0.25, side=True)
def differences(call, rng):
    """agrees with central differences when eps is large; is right for tiny tokens and far from 0"""
    call.agrees(*_arguments(rng, 5, 7))
    d_output, X, gamma = _arguments(rng, 3, 6)
    agrees_here(call, d_output, X + 2e10, gamma)
    agrees_here(call, d_output / 1e5, 3e-8 * X, gamma)  # as small as the root of the default of eps
    # Central differences, where eps is as large as the variance.
    d_output, X, (gamma, beta) = rng.standard_normal((2, 5)), small(rng, 2, 5), scale_and_shift(rng, 5)
    eps = 0.1
    value = agrees_here(call, d_output, X, gamma, eps)

    def loss(X, gamma, beta):
        return (d_output * reference.layer_norm(X, gamma, beta, eps)).sum()

    require_slopes(call, value, loss, (X, gamma, beta))


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    args = _arguments(rng, 5, 7)
    call.leaves_inputs_alone(*args)
    call.agrees_in(0, *args)


wrong = WrongAnswers(EXERCISE, globals())


def _parameter_gradients(d_output, normed):
    leading = tuple(range(d_output.ndim - 1))
    return (d_output * normed).sum(axis=leading), d_output.sum(axis=leading)


def _mean(a):
    return a.mean(axis=-1, keepdims=True)


wrong("only-divided", {"d_normed - mean - normed * along": "d_normed"}, """
    Mean and deviation are treated as constants.
    Moving one feature also moves the mean and the deviation of its token, and through them all the other outputs.""")

wrong("deviation-constant", {" - mean": "", "normed * along": "mean"}, """
    The deviation is treated as a constant: the last term is missing, or always 0.
    Moving one feature also makes the centred vector longer or shorter, and its length is divided away again.""")

wrong("mean-constant", {" - mean": ""}, """
    The mean is treated as a constant.
    Moving one feature also moves the mean, which is subtracted from all the features.""")

wrong("sums-for-means", {
    "d_normed.mean(axis=-1, keepdims=True)": "d_normed.sum(axis=-1, keepdims=True)",
    "(d_normed * normed).mean(axis=-1, keepdims=True)": "(d_normed * normed).sum(axis=-1, keepdims=True)",
}, """
    Sums over the features are taken where means belong.
    Each feature has a share of 1/d in the mean and in the variance.""")

wrong("sign-of-deviation", {"mean -": "mean +"}, """
    The term of the deviation has the wrong sign.
    A longer vector is divided by more, so this term works against the direct one, as that of the mean does.""")

wrong("divided-by-variance", {" / deviation, (d_output * normed)": " / deviation**2, (d_output * normed)"}, """
    The gradient is divided by another power of the variance than its square root.
    In the forward pass the centred vector was divided once by the deviation. The gradient is, too.""")

wrong("not-divided", {" / deviation, (d_output * normed)": ", (d_output * normed)"}, """
    The gradient is not divided by the deviation.
    An input that is twice as large has to move twice as far for the same effect: so its gradient is half as large.""")

wrong("gamma-forgotten", "layer_norm_backward(d_output, X, np.ones_like(gamma), eps)", """
    gamma is missing in dX.
    In the forward pass the normalised vector was multiplied by gamma. So on the way back its gradient is, too.""")

wrong("gamma-last",
      {"d_normed = d_output * gamma": "d_normed = d_output", "along) / deviation": "along) / deviation * gamma"}, """
    dX is multiplied by gamma at the end instead of at the start.
    gamma is the last step in the forward pass, so it is the first on the way back, before the two means are taken.""")

wrong("over-tokens", {
    "d_normed.mean(axis=-1, keepdims=True)": "d_normed.mean(axis=0, keepdims=True)",
    "(d_normed * normed).mean(axis=-1, keepdims=True)": "(d_normed * normed).mean(axis=0, keepdims=True)",
}, """
    The means are taken over the tokens.
    Every token has a mean and a deviation of its own, so the gradients of different tokens do not mix.""")

wrong.at()
wrong("own-eps", "layer_norm_backward(d_output, X, gamma)", """
    The argument eps is ignored.
    The way back must divide by the same number as the forward pass.""")

wrong.at("The variance, and eps inside the root")
wrong("eps-outside", {
    "np.sqrt((centred**2).sum(axis=-1, keepdims=True) / d + eps)":
        "np.sqrt((centred**2).sum(axis=-1, keepdims=True) / d) + eps",
}, """
    eps is added outside the root.
    The way back must divide by the same number as the forward pass, where eps is inside the root.""")

wrong("sample-variance", {
    "keepdims=True) / d + eps": "keepdims=True) / (d - 1) + eps",
    "(d_normed * normed).mean(axis=-1, keepdims=True)":
        "(d_normed * normed).sum(axis=-1, keepdims=True) / (X.shape[-1] - 1)",
}, """
    The variance is divided by d - 1 instead of d.
    The way back must use the variance of the forward pass, which averages over all d features.""")

wrong.at()
wrong("beta-before-gamma",
      {"(d_output * normed).sum(leading), d_output": "d_output.sum(leading), (d_output * normed)"}, """
    d_beta is returned before d_gamma.
    Keep the order of the arguments of the forward function: X, gamma, beta.""")


@wrong.function
def in_place(d_output, X, gamma, eps=1e-5):
    """The gradient of the output is overwritten.
    An operator such as `*=` changes the array that was given. The residual connection needs it, too."""
    deviation = np.sqrt(X.var(axis=-1, keepdims=True) + eps)
    normed = (X - _mean(X)) / deviation
    parameters = _parameter_gradients(d_output.copy(), normed)
    d_output *= gamma
    return (d_output - _mean(d_output) - normed * _mean(d_output * normed)) / deviation, *parameters


wrong.at(WAYS)
wrong("raw-x", {"d_normed * normed": "d_normed * X", "- normed": "- X"}, """
    X itself is used instead of the normalised X.
    In the formula the token stands as it left the norm: centred, and divided by its deviation.""")

wrong("difference-of-squares", {
    "(centred**2).sum(axis=-1, keepdims=True) / d":
        "np.maximum((X**2).mean(axis=-1, keepdims=True) - X.mean(axis=-1, keepdims=True) ** 2, 0)",
}, """
    The variance loses its digits far from 0, like the mean of the squares minus the square of the mean.
    On paper that difference is the variance. For a token far from 0 the digits that matter are lost. Subtract the mean
    first, then square.""")

wrong.at(SUMS)
wrong("raw-x-in-d-gamma", {"(d_output * normed)": "(d_output * X)"}, """
    d_gamma uses X itself instead of the normalised X.
    gamma multiplies the normalised vector, so that is its derivative.""")

wrong("gamma-in-parameters", {
    "(d_output * normed).sum(leading)": "(as_float(d_output) * normed).sum(leading) * gamma",
    "d_output.sum(leading)": "as_float(d_output).sum(leading) * gamma",
}, """
    d_gamma and d_beta are multiplied by gamma.
    Both take the gradient of the output as it arrives. Only the way on to X passes through gamma.""")

wrong("first-axis-only", {"tuple(range(d_output.ndim - 1))": "0"}, """
    d_gamma and d_beta are summed over the first axis only.
    One gamma serves every token of every sentence, so it collects from all leading axes. Where there are none, there is
    nothing to sum.""")

wrong("not-summed",
      {"(d_output * normed).sum(leading)": "d_output * normed", "d_output.sum(leading)": "d_output.copy()"}, """
    d_gamma and d_beta are not summed.
    A gradient has the shape of what it belongs to: gamma and beta have one entry per feature.""")

wrong("mean-over-tokens", {
    "(d_output * normed).sum(leading)": "(as_float(d_output) * normed).sum(leading) / (X.size // X.shape[-1])",
    "d_output.sum(leading)": "as_float(d_output).sum(leading) / (X.size // X.shape[-1])",
}, """
    d_gamma and d_beta are averaged over the tokens instead of summed.
    Every token adds its own contribution to the loss. Whether the loss is a mean is already contained in d_output.""")

wrong("summed-over-features", {"tuple(range(d_output.ndim - 1))": "-1"}, """
    d_gamma and d_beta are summed over the features.
    A gradient has the shape of what it belongs to: one entry per feature, collected from all the tokens.""")

wrong.at(WAYS)
wrong("only-last-term-divided",
      {"(d_normed - mean - normed * along) / deviation": "d_normed - mean - normed * along / deviation"}, """
    Only the last of the three terms is divided by the deviation, because a pair of brackets is missing.
    All three ways lead through the division. So the whole difference is divided.""")

wrong("means-of-everything", {
    "d_normed.mean(axis=-1, keepdims=True)": "d_normed.mean()",
    "(d_normed * normed).mean(axis=-1, keepdims=True)": "(d_normed * normed).mean()",
}, """
    The means are those of all tokens together.
    A mean without an axis is one number for the whole array. Each token has been normalised by itself, over its
    features.""")

wrong("mean-of-everything", {"d_normed.mean(axis=-1, keepdims=True)": "d_normed.mean()"}, """
    The mean of the gradient is that of all tokens together.
    A mean without an axis is one number for the whole array. Each token has been normalised by itself, over its
    features.""")

wrong("product-averaged-over-everything",
      {"(d_normed * normed).mean(axis=-1, keepdims=True)": "(d_normed * normed).mean()"}, """
    The mean of the gradient times the normalised X is that of all tokens together.
    A mean without an axis is one number for the whole array. Each token has been normalised by itself, over its
    features.""")

wrong("gradient-in-the-last-term", {"mean - normed * along": "mean - d_normed * along"}, """
    The last term multiplies its mean by the gradient, not by the normalised X.
    A change of the deviation moves every feature in proportion to its normalised value.""")

wrong("gamma-missing-in-the-last-mean", {"along = (d_normed * normed)": "along = (d_output * normed)"}, """
    In the mean of the last term gamma is missing.
    Both means are taken of the gradient that has been multiplied by gamma, as the first of the three terms is.""")

wrong("only-centred-in-the-last-mean", {"along = (d_normed * normed)": "along = (d_normed * normed * deviation)"}, """
    In the mean of the last term X is centred, but not divided by its deviation.
    The gradient is multiplied by the normalised X there, and the mean is multiplied by it once more.""")

wrong("sample-mean-in-the-last-term", {
    "(d_normed * normed).mean(axis=-1, keepdims=True)":
        "(d_normed * normed).sum(axis=-1, keepdims=True) / (X.shape[-1] - 1)",
}, """
    The sum in the last term is divided by d - 1 instead of d.
    It comes from the variance, which averages over all d features.""")

wrong.at("The variance, and eps inside the root")
wrong("sample-deviation", {"keepdims=True) / d + eps": "keepdims=True) / (d - 1) + eps"}, """
    The deviation is that of a sample: its variance is divided by d - 1 instead of d.
    The way back must use the deviation of the forward pass, which averages over all d features.""")

wrong.at(WAYS)
wrong("last-term-without-normed", {"mean - normed * along": "mean - along"}, """
    The last term is only a mean, which is not multiplied by the normalised X.
    A change in the deviation moves every feature in proportion to its normalised value.""")
