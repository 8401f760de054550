"""The right functions of the first unit: attention."""

import math

import numpy as np


def softmax(x, axis=-1):
    """Return positive weights that sum to 1 along an axis."""
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention_scores(Q, K):
    """Return the scaled dot product of every query with every key."""
    return Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])


def scaled_dot_product_attention(Q, K, V):
    """Return the averages of the values, and their weights."""
    weights = softmax(attention_scores(Q, K))
    return weights @ V, weights


def softmax_jacobian(s):
    """Return how each weight of a vector of scores changes with each score."""
    p = softmax(s)
    return np.diag(p) - np.outer(p, p)


def softmax_backward(p, d_p, axis=-1):
    """Return the gradient of the scores, given the weights and their gradient."""
    return p * (d_p - (p * d_p).sum(axis=axis, keepdims=True))


def attention_backward(d_output, V, weights):
    """Return the gradients of the scores and of the values."""
    return softmax_backward(weights, d_output @ V.swapaxes(-1, -2)), weights.swapaxes(-1, -2) @ d_output
