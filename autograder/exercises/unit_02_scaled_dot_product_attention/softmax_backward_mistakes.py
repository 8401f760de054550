"""The known mistakes of `softmax_backward`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

MAIN = "Exercise 2.5: softmax_backward"
COUPLED = "Every weight depends on every score"
CHEAP = "Without building the matrix"


def _sigmoid_rule(p, d_p, axis=-1):
    return p * (1 - p) * d_p


def _diagonal_only(p, d_p, axis=-1):
    return p * d_p


def _sum_without_weights(p, d_p, axis=-1):
    return p * (d_p - d_p.sum(axis=axis, keepdims=True))


def _mean(p, d_p, axis=-1):
    return p * (d_p - d_p.mean(axis=axis, keepdims=True))


def _first_term_without_p(p, d_p, axis=-1):
    return d_p - p * (p * d_p).sum(axis=axis, keepdims=True)


def _not_multiplied(p, d_p, axis=-1):
    return d_p - (p * d_p).sum(axis=axis, keepdims=True)


def _plus(p, d_p, axis=-1):
    return p * (d_p + (p * d_p).sum(axis=axis, keepdims=True))


def _roles_exchanged(p, d_p, axis=-1):
    return reference.softmax_backward(d_p, p, axis)


def _softmax_again(p, d_p, axis=-1):
    return reference.softmax_backward(reference.softmax(p, axis), d_p, axis)


def _normalised_again(p, d_p, axis=-1):
    return reference.softmax_backward(p / p.sum(axis=axis, keepdims=True), d_p, axis)


def _always_last_axis(p, d_p, axis=-1):
    return reference.softmax_backward(p, d_p)


def _always_first_axis(p, d_p, axis=-1):
    return reference.softmax_backward(p, d_p, axis=0)


def _sum_of_everything(p, d_p, axis=-1):
    return p * (d_p - (p * d_p).sum())


def _axis_dropped(p, d_p, axis=-1):
    return p * (d_p - (p * d_p).sum(axis=axis))


def _one_vector_only(p, d_p, axis=-1):
    return p * (d_p - p @ d_p)


def _builds_jacobian(p, d_p, axis=-1):
    p, d_p = np.moveaxis(p, axis, -1), np.moveaxis(d_p, axis, -1)
    J = -p[..., :, None] * p[..., None, :]
    diagonal = np.arange(p.shape[-1])
    J[..., diagonal, diagonal] += p
    return np.moveaxis((J @ d_p[..., None])[..., 0], -1, axis)


def _in_place(p, d_p, axis=-1):
    if d_p.dtype.kind != "f":
        d_p = d_p.astype(float)
    d_p -= (p * d_p).sum(axis=axis, keepdims=True)
    return p * d_p


MISTAKES = (
    Mistake(
        "builds-jacobian",
        "Your function builds the whole Jacobian",
        _builds_jacobian,
        "The numbers are right. But n squared entries are made to be summed away at once; "
        "multiply the two terms of the Jacobian by the gradient on paper first.",
        CHEAP,
    ),
    Mistake(
        "sigmoid-rule",
        "Your function uses the rule for the sigmoid, entry by entry",
        _sigmoid_rule,
        "That is the diagonal of the Jacobian alone. What a score does to all the other weights is missing.",
        COUPLED,
    ),
    Mistake(
        "diagonal-only",
        "Your function multiplies the gradient by the weights and stops there",
        _diagonal_only,
        "The second term of the Jacobian is missing: the weights share a budget of 1.",
        COUPLED,
    ),
    Mistake(
        "sum-without-weights",
        "Your function subtracts the plain sum of the gradient",
        _sum_without_weights,
        "In the sum every gradient counts as much as its weight. Check: the result should sum to 0.",
        CHEAP,
    ),
    Mistake(
        "mean-of-gradient",
        "Your function subtracts the plain mean of the gradient",
        _mean,
        "It is a mean, but a weighted one. Check: the result should sum to 0.",
        CHEAP,
    ),
    Mistake(
        "first-term-without-p",
        "Your function leaves the first term unweighted",
        _first_term_without_p,
        "Both terms of the Jacobian carry the weight of the score's own row.",
        CHEAP,
    ),
    Mistake(
        "not-multiplied",
        "Your function centres the gradient but does not weight the result",
        _not_multiplied,
        "A score of weight 0 cannot receive a gradient.",
        CHEAP,
    ),
    Mistake(
        "plus",
        "Your function adds the weighted sum where it should subtract it",
        _plus,
        "A gradient that is the same for every weight has no effect, because the weights always sum to 1. "
        "Yours would have one.",
        CHEAP,
    ),
    Mistake(
        "roles-exchanged",
        "Your function takes the gradient for the weights and the weights for the gradient",
        _roles_exchanged,
        "The first argument is what the softmax returned, the second what came back from the loss.",
        MAIN,
    ),
    Mistake(
        "softmax-again",
        "Your function applies the softmax to p",
        _softmax_again,
        "The argument p holds weights already: it is what the softmax returned.",
        MAIN,
    ),
    Mistake(
        "normalised-again",
        "Your function divides p by its sum",
        _normalised_again,
        "The weights sum to 1 already, so at best nothing happens. But a query that may attend to nothing has only "
        "zeros for weights, and 0 / 0 is NaN. Use p as it is.",
        MAIN,
    ),
    Mistake(
        "always-last-axis",
        "Your function ignores `axis` and always sums along the last one",
        _always_last_axis,
        "The sum has to run along the axis of the softmax.",
        CHEAP,
    ),
    Mistake(
        "always-first-axis",
        "Your function sums along axis 0",
        _always_first_axis,
        "The sum has to run along the axis of the softmax, which is the last one unless the caller says otherwise.",
        CHEAP,
    ),
    Mistake(
        "sum-of-everything",
        "Your function sums over the whole array",
        _sum_of_everything,
        "Each row of weights has a Jacobian of its own, so each has its own sum.",
        CHEAP,
    ),
    Mistake(
        "axis-dropped",
        "The sum of your function has lost the axis that it ran along",
        _axis_dropped,
        "An array of shape (2, 3) does not line up with one of shape (2, 3, 5). "
        "NumPy's reductions can keep the reduced axis with length 1.",
        CHEAP,
    ),
    Mistake(
        "one-vector-only",
        "Your function works for a single vector only",
        _one_vector_only,
        "`p @ d_p` is the sum that is wanted for one vector. For arrays with more axes it is a matrix product.",
        CHEAP,
    ),
    Mistake(
        "in-place",
        "Your function changes the gradient that it was given",
        _in_place,
        "`-=` writes into the caller's array. A plain subtraction makes a new one.",
        MAIN,
    ),
)
