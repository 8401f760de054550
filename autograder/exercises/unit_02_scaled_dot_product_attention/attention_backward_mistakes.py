"""The known mistakes of `attention_backward`."""

import math

from autograder.exercise import Mistake
from transformer_kit import reference

MAIN = "Exercise 2.6: attention_backward"
STEPS = "Backwards, line by line"
SCALE = "Why the square root of d_k"
GIVEN = "The weights that were used"


def _from(d_output, Q, K, V, weights, backward=reference.softmax_backward, divisor=None):
    """The right chain with one exchangeable link."""
    d_scores = backward(weights, d_output @ V.swapaxes(-1, -2))
    d_products = d_scores / (math.sqrt(Q.shape[-1]) if divisor is None else divisor)
    return d_products @ K, d_products.swapaxes(-1, -2) @ Q, weights.swapaxes(-1, -2) @ d_output


def _weights_recomputed(d_output, Q, K, V, weights):
    return _from(d_output, Q, K, V, reference.scaled_dot_product_attention(Q, K, V)[1])


def _weights_normalised(d_output, Q, K, V, weights):
    return _from(d_output, Q, K, V, weights / weights.sum(axis=-1, keepdims=True))


def _scale_forgotten(d_output, Q, K, V, weights):
    return _from(d_output, Q, K, V, weights, divisor=1)


def _divided_by_d_k(d_output, Q, K, V, weights):
    return _from(d_output, Q, K, V, weights, divisor=Q.shape[-1])


def _scale_multiplied(d_output, Q, K, V, weights):
    return _from(d_output, Q, K, V, weights, divisor=1 / math.sqrt(Q.shape[-1]))


def _root_of_512(d_output, Q, K, V, weights):
    return _from(d_output, Q, K, V, weights, divisor=math.sqrt(512))


def _root_of_d_v(d_output, Q, K, V, weights):
    return _from(d_output, Q, K, V, weights, divisor=math.sqrt(V.shape[-1]))


def _softmax_skipped(d_output, Q, K, V, weights):
    return _from(d_output, Q, K, V, weights, backward=lambda p, d_p: d_p)


def _diagonal_only(d_output, Q, K, V, weights):
    return _from(d_output, Q, K, V, weights, backward=lambda p, d_p: p * d_p)


def _sigmoid_rule(d_output, Q, K, V, weights):
    return _from(d_output, Q, K, V, weights, backward=lambda p, d_p: p * (1 - p) * d_p)


def _softmax_over_queries(d_output, Q, K, V, weights):
    return _from(d_output, Q, K, V, weights, backward=lambda p, d_p: reference.softmax_backward(p, d_p, axis=-2))


def _scale_missing_in_dK(d_output, Q, K, V, weights):
    dQ, dK, dV = _from(d_output, Q, K, V, weights)
    return dQ, dK * math.sqrt(Q.shape[-1]), dV


def _scale_missing_in_dQ(d_output, Q, K, V, weights):
    dQ, dK, dV = _from(d_output, Q, K, V, weights)
    return dQ * math.sqrt(Q.shape[-1]), dK, dV


def _values_first(d_output, Q, K, V, weights):
    return _from(d_output, Q, K, V, weights)[::-1]


def _keys_before_queries(d_output, Q, K, V, weights):
    dQ, dK, dV = _from(d_output, Q, K, V, weights)
    return dK, dQ, dV


def _weights_not_transposed(d_output, Q, K, V, weights):
    return *_from(d_output, Q, K, V, weights)[:2], weights @ d_output


def _values_not_transposed(d_output, Q, K, V, weights):
    return reference.softmax_backward(weights, d_output @ V)


def _transposes_everything(d_output, Q, K, V, weights):
    d_scores = reference.softmax_backward(weights, d_output @ V.T) / math.sqrt(Q.shape[-1])
    return d_scores @ K, d_scores.T @ Q, weights.T @ d_output


def _in_place(d_output, Q, K, V, weights):
    d_weights = d_output @ V.swapaxes(-1, -2)
    d_weights -= (weights * d_weights).sum(axis=-1, keepdims=True)
    dV = weights.swapaxes(-1, -2) @ d_output
    weights *= d_weights
    weights /= math.sqrt(Q.shape[-1])
    return weights @ K, weights.swapaxes(-1, -2) @ Q, dV


MISTAKES = (
    Mistake(
        "weights-recomputed",
        "Your function computes the weights again from Q and K",
        _weights_recomputed,
        "A mask may have changed them on the way forward. The argument `weights` holds the ones that were used.",
        GIVEN,
    ),
    Mistake(
        "weights-normalised",
        "Your function divides the weights by their sum",
        _weights_normalised,
        "A query's weights sum to 1 already, so at best nothing happens. But a mask may have hidden every key from a "
        "query: then its weights are all 0, and 0 / 0 is NaN. Use the weights as they are.",
        GIVEN,
    ),
    Mistake(
        "scale-forgotten",
        "Your function forgets the scale on the way back",
        _scale_forgotten,
        "The scores were divided on the way forward, so their gradient is divided on the way back.",
        STEPS,
    ),
    Mistake(
        "divided-by-d-k",
        "Your function divides by d_k itself: a square root is missing, or the scale is applied twice",
        _divided_by_d_k,
        "A gradient passes the division once on its way to Q and once on its way to K, each time by the same number.",
        STEPS,
    ),
    Mistake(
        "scale-multiplied",
        "Your function multiplies by the scale where it should divide",
        _scale_multiplied,
        "The derivative of a division by a constant is a division by the same constant.",
        STEPS,
    ),
    Mistake(
        "root-of-d-model-512",
        "Your function divides by the square root of d_model",
        _root_of_512,
        "d_model is the width of the whole model. The forward pass divided by another number, "
        "and the backward pass must use the same.",
        SCALE,
    ),
    Mistake(
        "root-of-d-v",
        "Your function divides by the square root of d_v, the width of the values",
        _root_of_d_v,
        "The values take no part in the scores. The backward pass must use the divisor of the forward pass.",
        SCALE,
    ),
    Mistake(
        "softmax-skipped",
        "Your function takes the gradient of the weights for that of the scores",
        _softmax_skipped,
        "The softmax lies between the two, and its derivative is a link of the chain.",
        STEPS,
    ),
    Mistake(
        "diagonal-only",
        "Your function uses only the diagonal term of the softmax's Jacobian",
        _diagonal_only,
        "The weights of a query share a budget of 1. The term that couples them is missing.",
        "Every weight depends on every score",
    ),
    Mistake(
        "sigmoid-rule",
        "Your function uses the rule for the sigmoid in place of the softmax's Jacobian",
        _sigmoid_rule,
        "The weights of a query share a budget of 1. The term that couples them is missing.",
        "Every weight depends on every score",
    ),
    Mistake(
        "softmax-over-queries",
        "Your function goes back through a softmax over the queries",
        _softmax_over_queries,
        "The forward pass took the softmax over the keys, the last axis of the weights.",
        STEPS,
    ),
    Mistake(
        "scale-missing-in-dk",
        "Your function scales dQ and forgets to scale dK",
        _scale_missing_in_dK,
        "Both gradients come from the same scores, so both carry the same factor.",
        STEPS,
    ),
    Mistake(
        "scale-missing-in-dq",
        "Your function scales dK and forgets to scale dQ",
        _scale_missing_in_dQ,
        "Both gradients come from the same scores, so both carry the same factor.",
        STEPS,
    ),
    Mistake(
        "values-first",
        "Your function returns dV, dK, dQ",
        _values_first,
        "They are computed in this order, but asked for in the order of the arguments: Q, K, V.",
        MAIN,
    ),
    Mistake(
        "keys-before-queries",
        "Your function returns dK before dQ",
        _keys_before_queries,
        "A gradient has the shape of what it belongs to: the first result has that of Q.",
        MAIN,
    ),
    Mistake(
        "weights-not-transposed",
        "Your function forgets to exchange two axes on the way to dK or dV",
        _weights_not_transposed,
        "A key and its value collect from all the queries that used them, so the sum runs over the queries. "
        "A matrix product sums over the columns of its first factor.",
        STEPS,
    ),
    Mistake(
        "values-not-transposed",
        "Your function multiplies the gradient of the output by V as it stands",
        _values_not_transposed,
        "The gradient of one weight is a dot product of two rows: the query's row of the gradient and the key's "
        "row of V.",
        STEPS,
    ),
    Mistake(
        "transposes-everything",
        "Your function turns round all the axes",
        _transposes_everything,
        "`.T` reverses every axis, the batch and the heads included. Only the last two axes have to change places.",
        STEPS,
    ),
    Mistake(
        "in-place",
        "Your function overwrites the weights that it was given",
        _in_place,
        "The caller may still need them, for a figure or for another gradient. Make a new array.",
        GIVEN,
    ),
)
