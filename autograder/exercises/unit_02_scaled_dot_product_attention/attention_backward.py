"""Specification of `attention_backward`."""

import math

import numpy as np

from autograder.exercises.inputs import agrees_here, require_slopes
from autograder.exercises.unit_02_scaled_dot_product_attention import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

STEPS = "Backwards, line by line"
SCALE = "Why the square root of d_k"
GIVEN = "The weights that were used"

RETURNS = (
    Output("dQ", "(..., n_queries, d_k)"),
    Output("dK", "(..., n_keys, d_k)"),
    Output("dV", "(..., n_keys, d_v)"),
)

EXERCISE = Exercise(
    reference=reference.attention_backward,
    asks="return the gradients of a loss with respect to Q, K and V, given the one with respect to the output.",
    returns=RETURNS,
    calls=calls.ATTENTION_BACKWARD,
    lookalike=lookalikes.ATTENTION_BACKWARD,
)


def _inputs(rng, *leading, n_queries=3, d_k=7, d_v=4):
    """Draw d_output, Q, K, V with every size different, and the weights of the forward pass."""
    sizes = (n_queries, d_v), (n_queries, d_k), (5, d_k), (5, d_v)
    d_output, Q, K, V = (rng.standard_normal((*leading, *size)) for size in sizes)
    _, weights = reference.scaled_dot_product_attention(Q, K, V)
    return d_output, Q, K, V, weights


def _is_right(call, rng, number):
    """Require one gradient, also of vectors so long that nobody has the time to move one entry after the other."""
    call.agrees_in(number, *_inputs(rng))
    call.agrees_in(number, *_inputs(rng, d_k=6007, d_v=5003))


@EXERCISE.claim(0.5)
def d_queries(call, rng):
    """dQ is right"""
    _is_right(call, rng, 0)


@EXERCISE.claim(0.25)
def d_keys(call, rng):
    """dK is right"""
    _is_right(call, rng, 1)


@EXERCISE.claim(0.25)
def d_values(call, rng):
    """dV is right"""
    _is_right(call, rng, 2)


@EXERCISE.claim(0.25, side=True)
def weights_given(call, rng):
    """uses the weights given: agrees with central differences of a masked attention"""
    call.agrees(*_inputs(rng))
    # Central differences of a masked attention, whose weights are not those that Q and K alone would give.
    # The last query may attend to nothing: its weights are all 0.
    d_output, Q, K, V = (rng.standard_normal(size) for size in ((3, 5), (3, 6), (4, 6), (4, 5)))
    mask = np.array([[True, False, True, True], [True, True, False, False], [False] * 4])
    value = agrees_here(call, d_output, Q, K, V, reference.masked_attention(Q, K, V, mask)[1])

    def loss(Q, K, V):
        return (d_output * reference.masked_attention(Q, K, V, mask)[0]).sum()

    require_slopes(call, value, loss, (Q, K, V))


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes"""
    call.agrees(*_inputs(rng, 2, 6))
    d_output, Q, K, V = (rng.standard_normal((2, 5, width)) for width in (4, 7, 7, 4))  # as many queries as keys
    call.agrees(d_output, Q, K, V, reference.scaled_dot_product_attention(Q, K, V)[1])
    call.agrees(*_inputs(rng, 1, n_queries=1))


@EXERCISE.claim(0.25, side=True)
def leaves_inputs_alone(call, rng):
    """leaves its inputs alone"""
    args = _inputs(rng)
    call.leaves_inputs_alone(*args)
    call.agrees(*args)


wrong = WrongAnswers(EXERCISE, globals())

wrong.at(GIVEN)
wrong("weights-recomputed", {
    "map(as_float, (d_output, Q, K, V, weights))":
        "map(as_float, (d_output, Q, K, V, softmax(attention_scores(Q, K))))",
}, """
    Your function computes the weights again from Q and K.
    A mask may have changed them in the forward pass. The argument `weights` holds the ones that were used.""")

wrong("weights-normalised", {
    "map(as_float, (d_output, Q, K, V, weights))":
        "map(as_float, (d_output, Q, K, V, weights / weights.sum(axis=-1, keepdims=True)))",
}, """
    Your function divides the weights by their sum.
    A query's weights sum to 1 already, so at best nothing happens. But a mask may have hidden every key from a query:
    then its weights are all 0, and 0 / 0 is NaN. Use the weights as they are.""")

wrong.at(STEPS)
wrong("scale-forgotten", {" / math.sqrt(Q.shape[-1])": ""}, """
    Your function forgets the scale on the way back.
    The scores were divided in the forward pass, so their gradient is divided on the way back.""")

wrong("divided-by-d-k", {"math.sqrt(Q.shape[-1])": "Q.shape[-1]"}, """
    Your function divides by d_k itself: a square root is missing, or the scale is applied twice.
    A gradient passes the division once on its way to Q and once on its way to K, each time by the same number.""")

wrong("scale-multiplied", {"/ math.sqrt(Q.shape[-1])": "* math.sqrt(Q.shape[-1])"}, """
    The gradients of Q and K come out multiplied by the square root of d_k, not divided by it.
    The derivative of a division by a constant is a division by the same constant. Dividing by `d_k ** -0.5` is
    multiplying by the root.""")

wrong.at(SCALE)
wrong("root-of-d-model-512", {"math.sqrt(Q.shape[-1])": "math.sqrt(512)"}, """
    Your function divides by the square root of d_model.
    d_model is the width of the whole model. The forward pass divided by another number, and the backward pass must use
    the same.""")

wrong("root-of-d-v", {"math.sqrt(Q.shape[-1])": "math.sqrt(V.shape[-1])"}, """
    Your function divides by the square root of d_v, the width of the values.
    The values take no part in the scores. The backward pass must use the divisor of the forward pass.""")

wrong.at(STEPS)
wrong("softmax-skipped", {"softmax_backward(weights, d_weights)": "d_weights"}, """
    Your function mistakes the gradient of the weights for that of the scores.
    The softmax lies between the two, and its derivative is a link of the chain.""")

wrong.at("Every weight depends on every score")
wrong("diagonal-only", {"softmax_backward(weights, d_weights)": "weights * d_weights"}, """
    Your function uses only the diagonal term of the softmax's Jacobian.
    The weights of a query share a budget of 1. The term that couples them is missing.""")

wrong("sigmoid-rule", {"softmax_backward(weights, d_weights)": "weights * (1 - weights) * d_weights"}, """
    Your function uses the rule for the sigmoid instead of the softmax's Jacobian.
    The weights of a query share a budget of 1. The term that couples them is missing.""")

wrong.at(STEPS)
wrong("softmax-over-queries",
      {"softmax_backward(weights, d_weights)": "softmax_backward(weights, d_weights, axis=-2)"}, """
    Your function goes back through a softmax over the queries.
    The forward pass took the softmax over the keys, the last axis of the weights.""")

wrong("scale-missing-in-dk", {"@ Q, dV": "@ Q * math.sqrt(Q.shape[-1]), dV"}, """
    Your function scales dQ and forgets to scale dK.
    Both gradients come from the same scores, so both carry the same factor.""")

wrong("scale-missing-in-dq", {"d_products @ K": "d_products @ K * math.sqrt(Q.shape[-1])"}, """
    Your function scales dK and forgets to scale dQ.
    Both gradients come from the same scores, so both carry the same factor.""")

wrong.at()
wrong("values-first", {
    "return d_products @ K, d_products.swapaxes(-1, -2) @ Q, dV":
        "return dV, d_products.swapaxes(-1, -2) @ Q, d_products @ K",
}, """
    Your function returns dV, dK, dQ.
    They are computed in this order, but returned in the order of the arguments: Q, K, V.""")

wrong("keys-before-queries",
      {"d_products @ K, d_products.swapaxes(-1, -2) @ Q": "d_products.swapaxes(-1, -2) @ Q, d_products @ K"}, """
    Your function returns dK before dQ.
    A gradient has the shape of what it belongs to: the first result has that of Q.""")

wrong.at(STEPS)
wrong("weights-not-transposed", {"weights.swapaxes(-1, -2) @ d_output": "weights @ d_output"}, """
    Your function does not exchange the axes of the weights on the way to dV.
    A value collects from all the queries that used it, so the sum runs over the queries. A matrix product sums over the
    columns of its first factor.""")

wrong("values-not-transposed", {"V.swapaxes(-1, -2)": "V"}, """
    The axes of V are in their old order on the way to the gradient of the weights.
    The gradient of one weight is a dot product of two rows: the query's row of the gradient and the key's row of V.""")


@wrong.function
def transposes_everything(d_output, Q, K, V, weights):
    """Your function reverses all the axes.
    `.T` reverses every axis, the batch and the heads included. Only the last two axes have to change places."""
    d_scores = reference.softmax_backward(weights, d_output @ V.T) / math.sqrt(Q.shape[-1])
    return d_scores @ K, d_scores.T @ Q, weights.T @ d_output


wrong.at(GIVEN)


@wrong.function
def in_place(d_output, Q, K, V, weights):
    """Your function overwrites the weights that it was given.
    The caller may still need them, for a picture or for another gradient. Make a new array."""
    d_weights = d_output @ V.swapaxes(-1, -2)
    d_weights -= (weights * d_weights).sum(axis=-1, keepdims=True)
    dV = weights.swapaxes(-1, -2) @ d_output
    weights *= d_weights
    weights /= math.sqrt(Q.shape[-1])
    return weights @ K, weights.swapaxes(-1, -2) @ Q, dV


wrong.at(STEPS)
wrong("arguments-exchanged", {"softmax_backward(weights, d_weights)": "softmax_backward(d_weights, weights)"}, """
    The weights and their gradient are exchanged on the way back through the softmax.
    `softmax_backward` takes first the weights, then the gradient with respect to them. Both have the same shape, so
    NumPy does not complain.""")

wrong("softmax-forwards", {"softmax_backward(weights, d_weights)": "softmax(d_weights)"}, """
    Your function applies the softmax to the gradient.
    That is the forward pass. In the backward pass the gradient goes through `softmax_backward`, with the weights that
    were used.""")

wrong("dv-scaled", {"@ Q, dV": "@ Q, dV / math.sqrt(Q.shape[-1])"}, """
    Your function also scales dV.
    The scale belongs to the scores, and the values take no part in them.""")

wrong("dv-from-gradient-of-weights", {"@ Q, dV": "@ Q, d_weights.swapaxes(-1, -2) @ d_output"}, """
    Your function computes dV from the gradient of the weights.
    The rule for a product takes the other factor as it was in the forward pass: for dV these are the weights.""")

wrong("queries-and-keys-exchanged",
      {"d_products @ K": "d_products @ Q", "swapaxes(-1, -2) @ Q": "swapaxes(-1, -2) @ K"}, """
    Your function computes dQ from Q, and dK from K.
    The gradient of one factor of a product contains the *other* factor: dQ needs K, and dK needs Q.""")

wrong("products-not-transposed", {"d_products.swapaxes(-1, -2) @ Q": "d_products @ Q"}, """
    Your function forgets to swap the last two axes of the scores' gradient for dK.
    A key collects from all the queries that used it, so the sum runs over the queries. A matrix product sums over the
    columns of its first factor.""")

wrong("transposes-everything-for-dv-first", {
    "weights.swapaxes(-1, -2) @": "weights.T @",
    "V.swapaxes(-1, -2)": "V.T",
    "d_products.swapaxes(-1, -2) @": "d_products.T @",
}, """
    Your function reverses all the axes.
    `.T` reverses every axis, the batch and the heads included. Only the last two axes have to change places.""")
