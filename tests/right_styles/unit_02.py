"""Unit 02 in other styles: loops, einsum, SciPy, np.matmul, list comprehensions, np.sqrt in place of math.sqrt."""

import math

import numpy as np
import scipy.special

from transformer_kit import reference


def softmax_scipy(x, axis=-1):
    return scipy.special.softmax(x, axis=axis)


def softmax_by_logarithms(x, axis=-1):
    return np.exp(x - scipy.special.logsumexp(x, axis=axis, keepdims=True))


def softmax_one_row_at_a_time(x, axis=-1):
    def one(row):
        e = np.exp(row - np.max(row))
        return e / e.sum()

    return np.apply_along_axis(one, axis, np.array(x, dtype=float))


def softmax_with_the_axis_moved(x, axis=-1):
    rows = np.moveaxis(np.asarray(x), axis, -1)
    e = np.exp(rows - rows.max(-1)[..., None])
    return np.moveaxis(e / e.sum(-1)[..., None], -1, axis)


def softmax_in_place_on_a_copy(x, axis=-1):
    x = np.array(x, dtype=np.float64)
    x -= np.expand_dims(np.amax(x, axis), axis)
    np.exp(x, out=x)
    x /= np.expand_dims(x.sum(axis), axis)
    return x


def scores_einsum(Q, K):
    return np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(K.shape[-1])


def scores_loops(Q, K):
    scores = np.zeros((*Q.shape[:-1], K.shape[-2]))
    for place in np.ndindex(scores.shape):
        *lead, i, j = place
        scores[place] = sum(q * k for q, k in zip(Q[*lead, i], K[*lead, j], strict=True)) / math.sqrt(Q.shape[-1])
    return scores


def scores_broadcast(Q, K):
    return (Q[..., :, None, :] * K[..., None, :, :]).sum(axis=-1) * Q.shape[-1] ** -0.5


def scores_scaled_queries_first(Q, K):
    axes = (*range(K.ndim - 2), K.ndim - 1, K.ndim - 2)
    return np.matmul(Q / np.sqrt(Q.shape[-1]), np.transpose(K, axes))


def scores_root_shared(Q, K):
    root = Q.shape[-1] ** 0.25
    return (Q / root) @ np.moveaxis(K / root, -1, -2)


def attention_einsum(Q, K, V):
    scores = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(Q.shape[-1])
    weights = scipy.special.softmax(scores, axis=-1)
    return np.einsum("...qk,...kv->...qv", weights, V), weights


def attention_query_by_query(Q, K, V):
    lead = Q.shape[:-2]
    output = np.empty((*Q.shape[:-1], V.shape[-1]))
    weights = np.empty((*Q.shape[:-1], K.shape[-2]))
    for place in np.ndindex(*lead):
        for i, q in enumerate(Q[place]):
            scores = K[place] @ q / math.sqrt(len(q))
            e = np.exp(scores - max(scores))
            weights[(*place, i)] = e / e.sum()
            output[(*place, i)] = (weights[(*place, i)][:, None] * V[place]).sum(axis=0)
    return output, weights


def attention_divided_last(Q, K, V):
    scores = np.matmul(Q, np.swapaxes(K, -2, -1)) / Q.shape[-1] ** 0.5
    e = np.exp(scores - np.amax(scores, axis=-1, keepdims=True))
    total = np.sum(e, axis=-1, keepdims=True)
    return np.matmul(e, V) / total, e / total


def attention_returned_as_a_list(Q, K, V):
    return list(reference.scaled_dot_product_attention(Q, K, V))


def jacobian_broadcast(s, C=1.0):
    p = scipy.special.softmax(np.asarray(s) / C)
    return p[:, None] * (np.eye(len(p)) - p[None, :]) / C


def jacobian_loops(s, C=1.0):
    n = len(s)
    p = scipy.special.softmax(np.array(s, dtype=float) / C)
    J = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            J[i, j] = p[i] * (1 - p[i]) if i == j else -p[i] * p[j]
    return J / C


def jacobian_of_columns(s, C=1.0):
    p = reference.softmax(s / C)[:, np.newaxis]
    return (np.diagflat(p) - p @ p.T) / C


def jacobian_comprehension(s, C=1.0):
    p = reference.softmax(s / C)
    return np.array([[a * ((i == j) - b) / C for j, b in enumerate(p)] for i, a in enumerate(p)])


def softmax_backward_einsum(p, d_p, axis=-1):
    p, d_p = np.moveaxis(p, axis, -1), np.moveaxis(d_p, axis, -1)
    return np.moveaxis(p * d_p - p * np.einsum("...n,...n->...", p, d_p)[..., None], -1, axis)


def softmax_backward_expanded(p, d_p, axis=-1):
    product = p * d_p
    return product - p * np.expand_dims(np.sum(product, axis=axis), axis)


def softmax_backward_row_by_row(p, d_p, axis=-1):
    p, d_p = np.moveaxis(p, axis, -1), np.moveaxis(d_p, axis, -1)
    result = np.empty(p.shape)
    for place in np.ndindex(p.shape[:-1]):
        result[place] = p[place] * (d_p[place] - np.dot(p[place], d_p[place]))
    return np.moveaxis(result, -1, axis)


def softmax_backward_one_jacobian_row_at_a_time(p, d_p, axis=-1):
    p, d_p = np.moveaxis(p, axis, -1), np.moveaxis(d_p, axis, -1)
    result = np.zeros(p.shape)
    for place in np.ndindex(p.shape):
        row = -p[place] * p[place[:-1]]
        row[place[-1]] += p[place]
        result[place] = row @ d_p[place[:-1]]
    return np.moveaxis(result, -1, axis)


def attention_backward_einsum(d_output, Q, K, V, weights):
    dV = np.einsum("...qk,...qv->...kv", weights, d_output)
    d_weights = np.einsum("...qv,...kv->...qk", d_output, V)
    d_scores = weights * (d_weights - (weights * d_weights).sum(-1, keepdims=True)) / np.sqrt(K.shape[-1])
    return np.einsum("...qk,...kd->...qd", d_scores, K), np.einsum("...qk,...qd->...kd", d_scores, Q), dV


def attention_backward_from_the_output(d_output, Q, K, V, weights):
    """The sum over the keys from the output, as memory-saving implementations do."""
    output = weights @ V
    d_scores = weights * (d_output @ np.swapaxes(V, -1, -2) - (d_output * output).sum(-1)[..., None])
    scale = Q.shape[-1] ** -0.5
    return d_scores @ (K * scale), np.swapaxes(d_scores, -1, -2) @ (Q * scale), np.swapaxes(weights, -1, -2) @ d_output


def attention_backward_with_jacobians(d_output, Q, K, V, weights):
    """A Jacobian for every query; the results in a list."""
    J = weights[..., :, None] * (np.eye(K.shape[-2]) - weights[..., None, :])
    d_weights = np.matmul(d_output, np.moveaxis(V, -2, -1))
    d_scores = (J @ d_weights[..., None])[..., 0] / np.sqrt(Q.shape[-1])
    dK, dV = np.moveaxis(d_scores, -2, -1) @ Q, np.moveaxis(weights, -2, -1) @ d_output
    return [np.matmul(d_scores, K), dK, dV]


def attention_backward_query_by_query(d_output, Q, K, V, weights):
    dQ, dK, dV = np.zeros(Q.shape), np.zeros(K.shape), np.zeros(V.shape)
    for *lead, i in np.ndindex(Q.shape[:-1]):
        place = tuple(lead)
        p, d_out = weights[(*place, i)], d_output[(*place, i)]
        d_scores = reference.softmax_backward(p, V[place] @ d_out) / math.sqrt(Q.shape[-1])
        dQ[(*place, i)] = d_scores @ K[place]
        dK[place] += np.outer(d_scores, Q[(*place, i)])
        dV[place] += np.outer(p, d_out)
    return dQ, dK, dV


STYLES = {
    "softmax": (
        softmax_scipy,
        softmax_by_logarithms,
        softmax_one_row_at_a_time,
        softmax_with_the_axis_moved,
        softmax_in_place_on_a_copy,
    ),
    "attention_scores": (
        scores_einsum,
        scores_loops,
        scores_broadcast,
        scores_scaled_queries_first,
        scores_root_shared,
    ),
    "scaled_dot_product_attention": (
        attention_einsum,
        attention_query_by_query,
        attention_divided_last,
        attention_returned_as_a_list,
    ),
    "softmax_jacobian": (jacobian_broadcast, jacobian_loops, jacobian_of_columns, jacobian_comprehension),
    "softmax_backward": (
        softmax_backward_einsum,
        softmax_backward_expanded,
        softmax_backward_row_by_row,
        softmax_backward_one_jacobian_row_at_a_time,
    ),
    "attention_backward": (
        attention_backward_einsum,
        attention_backward_from_the_output,
        attention_backward_with_jacobians,
        attention_backward_query_by_query,
    ),
}
