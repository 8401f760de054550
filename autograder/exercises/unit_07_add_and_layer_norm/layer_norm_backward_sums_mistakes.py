"""The known mistakes of `layer_norm_backward` in the gradients of gamma and beta."""

import numpy as np

from autograder.exercises.edited import edited
from autograder.exercises.unit_07_add_and_layer_norm.layer_norm_backward_mistakes import WAYS
from autograder.specification import KnownMistakes
from transformer_kit import reference

SUMS = "The gradients of gamma and beta"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=SUMS)
def raw_x_in_d_gamma(d_output, X, gamma, eps=1e-5):
    """d_gamma uses X itself instead of the normalised X.

    gamma multiplies the normalised vector, so that is its derivative.
    """
    dX, _, d_beta = reference.layer_norm_backward(d_output, X, gamma, eps)
    return dX, (d_output * X).sum(axis=tuple(range(X.ndim - 1))), d_beta


@MISTAKES.add(where=SUMS)
def gamma_in_parameters(d_output, X, gamma, eps=1e-5):
    """d_gamma and d_beta are multiplied by gamma.

    Both take the gradient of the output as it arrives. Only the way on to X passes through gamma.
    """
    dX, d_gamma, d_beta = reference.layer_norm_backward(d_output, X, gamma, eps)
    return dX, d_gamma * gamma, d_beta * gamma


@MISTAKES.add(where=SUMS)
def first_axis_only(d_output, X, gamma, eps=1e-5):
    """d_gamma and d_beta are summed over the first axis only.

    One gamma serves every token of every sentence, so it collects from all leading axes. Where there are none,
    there is nothing to sum.
    """
    normed = reference.layer_norm(X, np.ones_like(gamma), np.zeros_like(gamma), eps)
    dX = reference.layer_norm_backward(d_output, X, gamma, eps)[0]
    return dX, (d_output * normed).sum(axis=0), d_output.sum(axis=0)


@MISTAKES.add(where=SUMS)
def not_summed(d_output, X, gamma, eps=1e-5):
    """d_gamma and d_beta are not summed.

    A gradient has the shape of what it belongs to: gamma and beta have one entry per feature.
    """
    normed = reference.layer_norm(X, np.ones_like(gamma), np.zeros_like(gamma), eps)
    dX = reference.layer_norm_backward(d_output, X, gamma, eps)[0]
    return dX, d_output * normed, d_output.copy()


@MISTAKES.add(where=SUMS)
def mean_over_tokens(d_output, X, gamma, eps=1e-5):
    """d_gamma and d_beta are averaged over the tokens instead of summed.

    Every token adds its own contribution to the loss. Whether the loss is a mean is already contained in d_output.
    """
    dX, d_gamma, d_beta = reference.layer_norm_backward(d_output, X, gamma, eps)
    n_tokens = X.size // X.shape[-1]
    return dX, d_gamma / n_tokens, d_beta / n_tokens


@MISTAKES.add(where=SUMS)
def summed_over_features(d_output, X, gamma, eps=1e-5):
    """d_gamma and d_beta are summed over the features.

    A gradient has the shape of what it belongs to: one entry per feature, collected from all the tokens.
    """
    normed = reference.layer_norm(X, np.ones_like(gamma), np.zeros_like(gamma), eps)
    dX = reference.layer_norm_backward(d_output, X, gamma, eps)[0]
    return dX, (d_output * normed).sum(axis=-1), d_output.sum(axis=-1)


MEAN, ALONG = "d_normed.mean(axis=-1, keepdims=True)", "(d_normed * normed).mean(axis=-1, keepdims=True)"


@MISTAKES.add(where=WAYS)
@edited(
    reference.layer_norm_backward,
    {"(d_normed - mean - normed * along) / deviation": "d_normed - mean - normed * along / deviation"},
)
def only_last_term_divided():
    """Only the last of the three terms is divided by the deviation, because a pair of brackets is missing.

    All three ways lead through the division. So the whole difference is divided.
    """


@MISTAKES.add(where=WAYS)
@edited(reference.layer_norm_backward, {MEAN: "d_normed.mean()", ALONG: "(d_normed * normed).mean()"})
def means_of_everything():
    """The means are those of all tokens together.

    A mean without an axis is one number for the whole array. Each token has been normalised by itself, over its
    features.
    """


@MISTAKES.add(where=WAYS)
@edited(reference.layer_norm_backward, {MEAN: "d_normed.mean()"})
def mean_of_everything():
    """The mean of the gradient is that of all tokens together.

    A mean without an axis is one number for the whole array. Each token has been normalised by itself, over its
    features.
    """


@MISTAKES.add(where=WAYS)
@edited(reference.layer_norm_backward, {ALONG: "(d_normed * normed).mean()"})
def product_averaged_over_everything():
    """The mean of the gradient times the normalised X is that of all tokens together.

    A mean without an axis is one number for the whole array. Each token has been normalised by itself, over its
    features.
    """


@MISTAKES.add(where=WAYS)
@edited(reference.layer_norm_backward, {"mean - normed * along": "mean - d_normed * along"})
def gradient_in_the_last_term():
    """The last term multiplies its mean by the gradient, not by the normalised X.

    A change of the deviation moves every feature in proportion to its normalised value.
    """
