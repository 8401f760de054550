"""Specification of `softmax_backward`."""

import numpy as np

from autograder.exercises.inputs import judged
from autograder.exercises.unit_02_scaled_dot_product_attention import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

COUPLED = "Every weight depends on every score"
CHEAP = "Without building the matrix"

LONG = 4096

BYTES_ALLOWED = 100 * LONG * 8  # a hundred vectors; the Jacobian alone needs 4096

EXERCISE = Exercise(
    reference=reference.softmax_backward,
    asks="return the gradient with respect to the scores, given the gradient with respect to the weights, "
    "in memory that grows like n.",
    returns=(Output("d_scores", "the shape of p"),),
    calls=calls.SOFTMAX_BACKWARD,
    lookalike=lookalikes.SOFTMAX_BACKWARD,
)


def _inputs(rng, *shape, axis=-1):
    return reference.softmax(rng.standard_normal(shape), axis=axis), rng.standard_normal(shape)


@EXERCISE.claim(0.5)
def values(call, rng):
    """equals the Jacobian times the gradient"""
    call.agrees(np.array([1, 2, 5]) / 8, np.array([1.0, 0.0, 0.0]))  # by hand: 7, -2 and -5 64ths
    call.agrees(*_inputs(rng, 5))
    call.agrees(np.array([0.5, 0.0, 0.5]), np.array([3, -1, 2]))
    call.agrees(np.zeros(3), np.array([3.0, -1.0, 2.0]))  # the weights of a query that may attend to nothing


@EXERCISE.claim(0.5)
def any_axes(call, rng):
    """works for any leading axes and along any axis"""
    call.agrees(*_inputs(rng, 2, 3, 5))
    call.agrees(*_inputs(rng, 2, 3, 5, axis=1), axis=1)
    call.agrees(*_inputs(rng, 1, 3, 1, axis=1), axis=1)
    call.agrees(*_inputs(rng, 101, 307))  # nobody has the time to move one score after the other


@EXERCISE.claim(0.5, side=True)
def memory(call, rng):
    """never holds a Jacobian, seen at n = 4096"""
    call.agrees(*_inputs(rng, 37))
    with judged():
        peak = call.peak_bytes(*_inputs(rng, LONG))
    call.holds(
        peak <= BYTES_ALLOWED,
        f"for n = {LONG} the call needed more than {BYTES_ALLOWED / 1e6:.0f} MB; "
        f"one vector has {LONG * 8 / 1e6:.2f} MB, a Jacobian {LONG * LONG * 8 / 1e6:.0f} MB.",
    )


@EXERCISE.claim(0.5, side=True)
def leaves_inputs_alone(call, rng):
    """leaves its inputs alone"""
    p, d_p = _inputs(rng, 5)
    call.leaves_inputs_alone(p, d_p)
    call.agrees(p, d_p)


wrong = WrongAnswers(EXERCISE, globals())

wrong.at(CHEAP)


@wrong.function
def builds_jacobian(p, d_p, axis=-1):
    """Your function takes the memory of a whole Jacobian.
    The numbers are right. But a matrix of n squared entries is made, only to be summed away at once; multiply the two
    terms of the Jacobian by the gradient on paper first."""
    p, d_p = np.moveaxis(p, axis, -1), np.moveaxis(d_p, axis, -1)
    J = -p[..., :, None] * p[..., None, :]
    diagonal = np.arange(p.shape[-1])
    J[..., diagonal, diagonal] += p
    return np.moveaxis((J @ d_p[..., None])[..., 0], -1, axis)


wrong.at(COUPLED)
wrong("sigmoid-rule", "p * (1 - p) * d_p", """
    Your function uses the rule for the sigmoid, entry by entry.
    That is the diagonal of the Jacobian alone. What a score does to all the other weights is missing.""")

wrong("diagonal-only", {" - (p * d_p).sum(axis=axis, keepdims=True)": ""}, """
    Your function multiplies the gradient by the weights and stops there.
    The second term of the Jacobian is missing: the weights share a budget of 1.""")

wrong.at(CHEAP)
wrong("sum-without-weights", {"p * d_p": "d_p"}, """
    Your function subtracts the plain sum of the gradient.
    In the sum every gradient counts as much as its weight. Check: the result should sum to 0.""")

wrong("mean-of-gradient", {"(p * d_p).sum": "d_p.mean"}, """
    Your function subtracts the plain mean of the gradient.
    It is a mean, but a weighted one. Check: the result should sum to 0.""")

wrong("first-term-without-p", "d_p - p * (p * d_p).sum(axis=axis, keepdims=True)", """
    Your function leaves the first term unweighted.
    Both terms of the Jacobian carry the weight of the score's own row.""")

wrong("not-multiplied", {" p * ": " "}, """
    Your function centres the gradient but does not weight the result.
    A score of weight 0 cannot receive a gradient.""")

wrong("plus", {"d_p -": "d_p +"}, """
    Your function adds the weighted sum instead of subtracting it.
    A gradient that is the same for every weight has no effect, because the weights always sum to 1. Yours would have
    one.""")

wrong.at()
wrong("roles-exchanged", "softmax_backward(d_p, p, axis)", """
    Your function swaps the weights and the gradient.
    The first argument is what the softmax returned, the second what came back from the loss.""")

wrong("softmax-again", "softmax_backward(softmax(p, axis), d_p, axis)", """
    Your function applies the softmax to p.
    The argument p holds weights already: it is what the softmax returned.""")

wrong("normalised-again", "softmax_backward(p / p.sum(axis=axis, keepdims=True), d_p, axis)", """
    Your function divides p by its sum.
    The weights sum to 1 already, so at best nothing happens. But a query that may attend to nothing has only zeros for
    weights, and 0 / 0 is NaN. Use p as it is.""")

wrong.at(CHEAP)
wrong("always-last-axis", "softmax_backward(p, d_p)", """
    Your function ignores `axis` and always sums along the last one.
    The sum has to run along the axis of the softmax.""")

wrong("always-first-axis", "softmax_backward(p, d_p, axis=0)", """
    Your function sums along axis 0.
    The sum has to run along the axis of the softmax, which is the last one unless the caller says otherwise.""")

wrong("sum-of-everything", {"axis=axis, keepdims=True": ""}, """
    Your function sums over the whole array.
    Each row of weights has a Jacobian of its own, so each has its own sum.""")

wrong("axis-dropped", {", keepdims=True": ""}, """
    The sum in your function has lost the axis that it ran along.
    An array of shape (2, 3) does not line up with one of shape (2, 3, 5). NumPy's reductions can keep the reduced axis
    with length 1.""")

wrong("jacobian-of-one-vector", "(np.diag(p) - np.outer(p, p)) @ d_p", """
    Your function takes the memory of a whole Jacobian, and works only for a single vector.
    `np.diag` and `np.outer` know no leading axes, and for a long vector the matrix is enormous. Multiply the two terms
    by the gradient on paper first: no matrix is left.""")

wrong("one-vector-only", {"(p * d_p).sum(axis=axis, keepdims=True)": "p @ d_p"}, """
    Your function works only for a single vector.
    `p @ d_p` is the right sum for one vector. For arrays with more axes it is a matrix product.""")

wrong.at()


@wrong.function
def in_place(p, d_p, axis=-1):
    """Your function changes the gradient that it was given.
    An operator such as `-=` writes into the caller's array. A plain subtraction makes a new one."""
    if d_p.dtype.kind != "f":
        d_p = d_p.astype(float)
    d_p -= (p * d_p).sum(axis=axis, keepdims=True)
    return p * d_p


wrong.at(CHEAP)
wrong("opposite-sign", "-softmax_backward(p, d_p, axis)", """
    Your function returns the gradient with the opposite sign.
    The average is subtracted from the gradient, not the gradient from the average.""")

wrong("mean-of-products", {".sum": ".mean"}, """
    Your function divides the weighted sum by n.
    The weights sum to 1 already, so the weighted sum is the average. Check: the result should sum to 0.""")

wrong("second-term-without-p", "p * d_p - (p * d_p).sum(axis=axis, keepdims=True)", """
    Your function leaves the second term unweighted.
    The second term is p times a single number. The first one is weighted as it should be.""")

wrong("weighted-twice", "p * softmax_backward(p, d_p, axis)", """
    Your function multiplies by p twice.
    Once is right: p times the gradient without its average.""")

wrong("squares-of-p", {"d_p -": "d_p -", "* d_p": "* p"}, """
    Your function sums the squares of p.
    The matrix of products of p stands before the gradient, so the gradient is in the sum: each entry times its
    weight.""")

wrong("axis-put-back-last", {"(axis=axis, keepdims=True)": "(axis=axis)[..., None]"}, """
    Your function puts the axis of the sum back at the end, wherever it was.
    `[..., None]` always makes the last axis. With `keepdims=True` the sum keeps the axis in its own place.""")

wrong.small("opposite-sign plus", values, any_axes)
