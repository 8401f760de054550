"""The known mistakes of `attention_backward`."""

import math

from autograder.exercises.edited import edited
from autograder.specification import KnownMistakes
from transformer_kit import reference

MAIN = "Exercise 2.6: attention_backward"
STEPS = "Backwards, line by line"
SCALE = "Why the square root of d_k"
GIVEN = "The weights that were used"

MISTAKES = KnownMistakes()


def _from(d_output, Q, K, V, weights, backward=reference.softmax_backward, divisor=None):
    """The right chain with one exchangeable link."""
    d_scores = backward(weights, d_output @ V.swapaxes(-1, -2))
    d_products = d_scores / (math.sqrt(Q.shape[-1]) if divisor is None else divisor)
    return d_products @ K, d_products.swapaxes(-1, -2) @ Q, weights.swapaxes(-1, -2) @ d_output


@MISTAKES.add(where=GIVEN)
def weights_recomputed(d_output, Q, K, V, weights):
    """Your function computes the weights again from Q and K.

    A mask may have changed them in the forward pass. The argument `weights` holds the ones that were used.
    """
    return _from(d_output, Q, K, V, reference.scaled_dot_product_attention(Q, K, V)[1])


@MISTAKES.add(where=GIVEN)
def weights_normalised(d_output, Q, K, V, weights):
    """Your function divides the weights by their sum.

    A query's weights sum to 1 already, so at best nothing happens. But a mask may have hidden every key from a
    query: then its weights are all 0, and 0 / 0 is NaN. Use the weights as they are.
    """
    return _from(d_output, Q, K, V, weights / weights.sum(axis=-1, keepdims=True))


@MISTAKES.add(where=STEPS)
def scale_forgotten(d_output, Q, K, V, weights):
    """Your function forgets the scale on the way back.

    The scores were divided in the forward pass, so their gradient is divided on the way back.
    """
    return _from(d_output, Q, K, V, weights, divisor=1)


@MISTAKES.add(where=STEPS)
def divided_by_d_k(d_output, Q, K, V, weights):
    """Your function divides by d_k itself: a square root is missing, or the scale is applied twice.

    A gradient passes the division once on its way to Q and once on its way to K, each time by the same number.
    """
    return _from(d_output, Q, K, V, weights, divisor=Q.shape[-1])


@MISTAKES.add(where=STEPS)
def scale_multiplied(d_output, Q, K, V, weights):
    """The gradients of Q and K come out multiplied by the square root of d_k, not divided by it.

    The derivative of a division by a constant is a division by the same constant. Dividing by `d_k ** -0.5` is
    multiplying by the root.
    """
    return _from(d_output, Q, K, V, weights, divisor=1 / math.sqrt(Q.shape[-1]))


@MISTAKES.add(where=SCALE)
def root_of_d_model_512(d_output, Q, K, V, weights):
    """Your function divides by the square root of d_model.

    d_model is the width of the whole model. The forward pass divided by another number, and the backward pass must
    use the same.
    """
    return _from(d_output, Q, K, V, weights, divisor=math.sqrt(512))


@MISTAKES.add(where=SCALE)
def root_of_d_v(d_output, Q, K, V, weights):
    """Your function divides by the square root of d_v, the width of the values.

    The values take no part in the scores. The backward pass must use the divisor of the forward pass.
    """
    return _from(d_output, Q, K, V, weights, divisor=math.sqrt(V.shape[-1]))


@MISTAKES.add(where=STEPS)
def softmax_skipped(d_output, Q, K, V, weights):
    """Your function mistakes the gradient of the weights for that of the scores.

    The softmax lies between the two, and its derivative is a link of the chain.
    """
    return _from(d_output, Q, K, V, weights, backward=lambda p, d_p: d_p)


@MISTAKES.add(where="Every weight depends on every score")
def diagonal_only(d_output, Q, K, V, weights):
    """Your function uses only the diagonal term of the softmax's Jacobian.

    The weights of a query share a budget of 1. The term that couples them is missing.
    """
    return _from(d_output, Q, K, V, weights, backward=lambda p, d_p: p * d_p)


@MISTAKES.add(where="Every weight depends on every score")
def sigmoid_rule(d_output, Q, K, V, weights):
    """Your function uses the rule for the sigmoid instead of the softmax's Jacobian.

    The weights of a query share a budget of 1. The term that couples them is missing.
    """
    return _from(d_output, Q, K, V, weights, backward=lambda p, d_p: p * (1 - p) * d_p)


@MISTAKES.add(where=STEPS)
def softmax_over_queries(d_output, Q, K, V, weights):
    """Your function goes back through a softmax over the queries.

    The forward pass took the softmax over the keys, the last axis of the weights.
    """
    return _from(d_output, Q, K, V, weights, backward=lambda p, d_p: reference.softmax_backward(p, d_p, axis=-2))


@MISTAKES.add(where=STEPS)
def scale_missing_in_dk(d_output, Q, K, V, weights):
    """Your function scales dQ and forgets to scale dK.

    Both gradients come from the same scores, so both carry the same factor.
    """
    dQ, dK, dV = _from(d_output, Q, K, V, weights)
    return dQ, dK * math.sqrt(Q.shape[-1]), dV


@MISTAKES.add(where=STEPS)
def scale_missing_in_dq(d_output, Q, K, V, weights):
    """Your function scales dK and forgets to scale dQ.

    Both gradients come from the same scores, so both carry the same factor.
    """
    dQ, dK, dV = _from(d_output, Q, K, V, weights)
    return dQ * math.sqrt(Q.shape[-1]), dK, dV


@MISTAKES.add(where=MAIN)
def values_first(d_output, Q, K, V, weights):
    """Your function returns dV, dK, dQ.

    They are computed in this order, but returned in the order of the arguments: Q, K, V.
    """
    return _from(d_output, Q, K, V, weights)[::-1]


@MISTAKES.add(where=MAIN)
def keys_before_queries(d_output, Q, K, V, weights):
    """Your function returns dK before dQ.

    A gradient has the shape of what it belongs to: the first result has that of Q.
    """
    dQ, dK, dV = _from(d_output, Q, K, V, weights)
    return dK, dQ, dV


@MISTAKES.add(where=STEPS)
def weights_not_transposed(d_output, Q, K, V, weights):
    """Your function does not exchange the axes of the weights on the way to dV.

    A value collects from all the queries that used it, so the sum runs over the queries. A matrix product sums over the
    columns of its first factor.
    """
    return *_from(d_output, Q, K, V, weights)[:2], weights @ d_output


@MISTAKES.add(where=STEPS)
def values_not_transposed(d_output, Q, K, V, weights):
    """The axes of V are in their old order on the way to the gradient of the weights.

    The gradient of one weight is a dot product of two rows: the query's row of the gradient and the key's row of V.
    """
    return reference.softmax_backward(weights, d_output @ V)


@MISTAKES.add(where=STEPS)
def transposes_everything(d_output, Q, K, V, weights):
    """Your function reverses all the axes.

    `.T` reverses every axis, the batch and the heads included. Only the last two axes have to change places.
    """
    d_scores = reference.softmax_backward(weights, d_output @ V.T) / math.sqrt(Q.shape[-1])
    return d_scores @ K, d_scores.T @ Q, weights.T @ d_output


@MISTAKES.add(where=GIVEN)
def in_place(d_output, Q, K, V, weights):
    """Your function overwrites the weights that it was given.

    The caller may still need them, for a picture or for another gradient. Make a new array.
    """
    d_weights = d_output @ V.swapaxes(-1, -2)
    d_weights -= (weights * d_weights).sum(axis=-1, keepdims=True)
    dV = weights.swapaxes(-1, -2) @ d_output
    weights *= d_weights
    weights /= math.sqrt(Q.shape[-1])
    return weights @ K, weights.swapaxes(-1, -2) @ Q, dV


@MISTAKES.add(where=STEPS)
def arguments_exchanged(d_output, Q, K, V, weights):
    """The weights and their gradient are exchanged on the way back through the softmax.

    `softmax_backward` takes first the weights, then the gradient with respect to them. Both have the same shape, so
    NumPy does not complain.
    """
    return _from(d_output, Q, K, V, weights, backward=lambda p, d_p: reference.softmax_backward(d_p, p))


@MISTAKES.add(where=STEPS)
def softmax_forwards(d_output, Q, K, V, weights):
    """Your function applies the softmax to the gradient.

    That is the forward pass. In the backward pass the gradient goes through `softmax_backward`, with the weights
    that were used.
    """
    return _from(d_output, Q, K, V, weights, backward=lambda p, d_p: reference.softmax(d_p))


@MISTAKES.add(where=STEPS)
def dv_scaled(d_output, Q, K, V, weights):
    """Your function also scales dV.

    The scale belongs to the scores, and the values take no part in them.
    """
    dQ, dK, dV = _from(d_output, Q, K, V, weights)
    return dQ, dK, dV / math.sqrt(Q.shape[-1])


@MISTAKES.add(where=STEPS)
def dv_from_gradient_of_weights(d_output, Q, K, V, weights):
    """Your function computes dV from the gradient of the weights.

    The rule for a product takes the other factor as it was in the forward pass: for dV these are the weights.
    """
    dQ, dK, _ = _from(d_output, Q, K, V, weights)
    return dQ, dK, (d_output @ V.swapaxes(-1, -2)).swapaxes(-1, -2) @ d_output


@MISTAKES.add(where=STEPS)
def queries_and_keys_exchanged(d_output, Q, K, V, weights):
    """Your function computes dQ from Q, and dK from K.

    The gradient of one factor of a product contains the *other* factor: dQ needs K, and dK needs Q.
    """
    d_scores = reference.softmax_backward(weights, d_output @ V.swapaxes(-1, -2)) / math.sqrt(Q.shape[-1])
    return d_scores @ Q, d_scores.swapaxes(-1, -2) @ K, weights.swapaxes(-1, -2) @ d_output


@MISTAKES.add(where=STEPS)
@edited(reference.attention_backward, {"d_products.swapaxes(-1, -2) @ Q": "d_products @ Q"})
def products_not_transposed():
    """Your function forgets to swap the last two axes of the scores' gradient for dK.

    A key collects from all the queries that used it, so the sum runs over the queries. A matrix product sums over the
    columns of its first factor.
    """


@MISTAKES.add(where=STEPS)
@edited(
    reference.attention_backward,
    {
        "weights.swapaxes(-1, -2) @": "weights.T @",
        "V.swapaxes(-1, -2)": "V.T",
        "d_products.swapaxes(-1, -2) @": "d_products.T @",
    },
)
def transposes_everything_for_dv_first():
    """Your function reverses all the axes.

    `.T` reverses every axis, the batch and the heads included. Only the last two axes have to change places.
    """
