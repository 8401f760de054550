"""The known mistakes of `softmax_backward`."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

MAIN = "Exercise 2.5: softmax_backward"
COUPLED = "Every weight depends on every score"
CHEAP = "Without building the matrix"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=CHEAP)
def builds_jacobian(p, d_p, axis=-1):
    """Your function takes the memory of a whole Jacobian.

    The numbers are right. But a matrix of n squared entries is made, only to be summed away at once; multiply the two
    terms of the Jacobian by the gradient on paper first.
    """
    p, d_p = np.moveaxis(p, axis, -1), np.moveaxis(d_p, axis, -1)
    J = -p[..., :, None] * p[..., None, :]
    diagonal = np.arange(p.shape[-1])
    J[..., diagonal, diagonal] += p
    return np.moveaxis((J @ d_p[..., None])[..., 0], -1, axis)


@MISTAKES.add(where=COUPLED)
def sigmoid_rule(p, d_p, axis=-1):
    """Your function uses the rule for the sigmoid, entry by entry.

    That is the diagonal of the Jacobian alone. What a score does to all the other weights is missing.
    """
    return p * (1 - p) * d_p


@MISTAKES.add(where=COUPLED)
def diagonal_only(p, d_p, axis=-1):
    """Your function multiplies the gradient by the weights and stops there.

    The second term of the Jacobian is missing: the weights share a budget of 1.
    """
    return p * d_p


@MISTAKES.add(where=CHEAP)
def sum_without_weights(p, d_p, axis=-1):
    """Your function subtracts the plain sum of the gradient.

    In the sum every gradient counts as much as its weight. Check: the result should sum to 0.
    """
    return p * (d_p - d_p.sum(axis=axis, keepdims=True))


@MISTAKES.add(where=CHEAP)
def mean_of_gradient(p, d_p, axis=-1):
    """Your function subtracts the plain mean of the gradient.

    It is a mean, but a weighted one. Check: the result should sum to 0.
    """
    return p * (d_p - d_p.mean(axis=axis, keepdims=True))


@MISTAKES.add(where=CHEAP)
def first_term_without_p(p, d_p, axis=-1):
    """Your function leaves the first term unweighted.

    Both terms of the Jacobian carry the weight of the score's own row.
    """
    return d_p - p * (p * d_p).sum(axis=axis, keepdims=True)


@MISTAKES.add(where=CHEAP)
def not_multiplied(p, d_p, axis=-1):
    """Your function centres the gradient but does not weight the result.

    A score of weight 0 cannot receive a gradient.
    """
    return d_p - (p * d_p).sum(axis=axis, keepdims=True)


@MISTAKES.add(where=CHEAP)
def plus(p, d_p, axis=-1):
    """Your function adds the weighted sum instead of subtracting it.

    A gradient that is the same for every weight has no effect, because the weights always sum to 1. Yours would have
    one.
    """
    return p * (d_p + (p * d_p).sum(axis=axis, keepdims=True))


@MISTAKES.add(where=MAIN)
def roles_exchanged(p, d_p, axis=-1):
    """Your function swaps the weights and the gradient.

    The first argument is what the softmax returned, the second what came back from the loss.
    """
    return reference.softmax_backward(d_p, p, axis)


@MISTAKES.add(where=MAIN)
def softmax_again(p, d_p, axis=-1):
    """Your function applies the softmax to p.

    The argument p holds weights already: it is what the softmax returned.
    """
    return reference.softmax_backward(reference.softmax(p, axis), d_p, axis)


@MISTAKES.add(where=MAIN)
def normalised_again(p, d_p, axis=-1):
    """Your function divides p by its sum.

    The weights sum to 1 already, so at best nothing happens. But a query that may attend to nothing has only zeros
    for weights, and 0 / 0 is NaN. Use p as it is.
    """
    return reference.softmax_backward(p / p.sum(axis=axis, keepdims=True), d_p, axis)


@MISTAKES.add(where=CHEAP)
def always_last_axis(p, d_p, axis=-1):
    """Your function ignores `axis` and always sums along the last one.

    The sum has to run along the axis of the softmax.
    """
    return reference.softmax_backward(p, d_p)


@MISTAKES.add(where=CHEAP)
def always_first_axis(p, d_p, axis=-1):
    """Your function sums along axis 0.

    The sum has to run along the axis of the softmax, which is the last one unless the caller says otherwise.
    """
    return reference.softmax_backward(p, d_p, axis=0)


@MISTAKES.add(where=CHEAP)
def sum_of_everything(p, d_p, axis=-1):
    """Your function sums over the whole array.

    Each row of weights has a Jacobian of its own, so each has its own sum.
    """
    return p * (d_p - (p * d_p).sum())


@MISTAKES.add(where=CHEAP)
def axis_dropped(p, d_p, axis=-1):
    """The sum in your function has lost the axis that it ran along.

    An array of shape (2, 3) does not line up with one of shape (2, 3, 5). NumPy's reductions can keep the reduced axis
    with length 1.
    """
    return p * (d_p - (p * d_p).sum(axis=axis))


@MISTAKES.add(where=CHEAP)
def jacobian_of_one_vector(p, d_p, axis=-1):
    """Your function takes the memory of a whole Jacobian, and works only for a single vector.

    `np.diag` and `np.outer` know no leading axes, and for a long vector the matrix is enormous. Multiply the two terms
    by the gradient on paper first: no matrix is left.
    """
    return (np.diag(p) - np.outer(p, p)) @ d_p


@MISTAKES.add(where=CHEAP)
def one_vector_only(p, d_p, axis=-1):
    """Your function works only for a single vector.

    `p @ d_p` is the right sum for one vector. For arrays with more axes it is a matrix product.
    """
    return p * (d_p - p @ d_p)


@MISTAKES.add(where=MAIN)
def in_place(p, d_p, axis=-1):
    """Your function changes the gradient that it was given.

    `-=` writes into the caller's array. A plain subtraction makes a new one.
    """
    if d_p.dtype.kind != "f":
        d_p = d_p.astype(float)
    d_p -= (p * d_p).sum(axis=axis, keepdims=True)
    return p * d_p


@MISTAKES.add(where=CHEAP)
def opposite_sign(p, d_p, axis=-1):
    """Your function returns the gradient with the opposite sign.

    The average is subtracted from the gradient, not the gradient from the average.
    """
    return -reference.softmax_backward(p, d_p, axis)


@MISTAKES.add(where=CHEAP)
def mean_of_products(p, d_p, axis=-1):
    """Your function divides the weighted sum by n.

    The weights sum to 1 already, so the weighted sum is the average. Check: the result should sum to 0.
    """
    return p * (d_p - (p * d_p).mean(axis=axis, keepdims=True))


@MISTAKES.add(where=CHEAP)
def second_term_without_p(p, d_p, axis=-1):
    """Your function leaves the second term unweighted.

    The second term is p times a single number. The first one is weighted as it should be.
    """
    return p * d_p - (p * d_p).sum(axis=axis, keepdims=True)


@MISTAKES.add(where=CHEAP)
def weighted_twice(p, d_p, axis=-1):
    """Your function multiplies by p twice.

    Once is right: p times the gradient without its average.
    """
    return p * reference.softmax_backward(p, d_p, axis)


@MISTAKES.add(where=CHEAP)
def squares_of_p(p, d_p, axis=-1):
    """Your function sums the squares of p.

    The matrix of products of p stands before the gradient, so the gradient is in the sum: each entry times its weight.
    """
    return p * (d_p - (p * p).sum(axis=axis, keepdims=True))


@MISTAKES.add(where=CHEAP)
def axis_put_back_last(p, d_p, axis=-1):
    """Your function puts the axis of the sum back at the end, wherever it was.

    `[..., None]` always makes the last axis. With `keepdims=True` the sum keeps the axis in its own place.
    """
    return p * (d_p - (p * d_p).sum(axis=axis)[..., None])
