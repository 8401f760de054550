"""Right functions of unit 05 in other styles than the reference's."""

import math

import numpy as np
from scipy.special import entr
from scipy.special import softmax as scipy_softmax
from scipy.stats import entropy as scipy_entropy


def context_by_loop(query, keys, values):
    d_k = len(query)
    scores = [sum(q * k for q, k in zip(query, key, strict=True)) / d_k**0.5 for key in keys]
    parts = [math.exp(score - max(scores)) for score in scores]
    weights = [part / sum(parts) for part in parts]
    context = np.zeros(values.shape[1])
    for weight, value in zip(weights, values, strict=True):
        context = context + weight * value
    return context, np.array(weights)


def context_by_einsum(query, keys, values):
    weights = scipy_softmax(np.einsum("k,nk->n", query, keys) / np.sqrt(query.shape[0]))
    return np.einsum("n,nv->v", weights, values), weights


def context_by_broadcasting(query, keys, values):
    scores = (keys * query).sum(axis=1) / np.sqrt(keys.shape[1])
    exponentials = np.exp(scores - scores.max())
    weights = exponentials / exponentials.sum()
    return (weights[:, None] * values).sum(axis=0), weights


def context_with_an_axis(query, keys, values):
    scores = query[None, :] @ keys.T / math.sqrt(keys.shape[-1])
    weights = scipy_softmax(scores, axis=-1)
    return (weights @ values)[0], weights[0]


def context_from_columns(query, keys, values):
    weights = scipy_softmax(np.dot(keys / np.sqrt(len(query)), query))
    return values.T @ weights, weights


def memory_by_loop(memory, params, n_heads):
    K, V = [], []
    for h in range(n_heads):
        d_k, d_v = params.W_K.shape[1] // n_heads, params.W_V.shape[1] // n_heads
        K.append(memory @ params.W_K[:, h * d_k : (h + 1) * d_k])
        V.append(memory @ params.W_V[:, h * d_v : (h + 1) * d_v])
    return np.stack(K, axis=-3), np.stack(V, axis=-3)


def memory_by_einsum(memory, params, n_heads):
    W_K, W_V = (W.reshape(len(W), n_heads, -1) for W in (params.W_K, params.W_V))
    return np.einsum("...nd,dhk->...hnk", memory, W_K), np.einsum("...nd,dhk->...hnk", memory, W_V)


def memory_by_reshape(memory, params, n_heads):
    def heads(X):
        return np.moveaxis(X.reshape(*X.shape[:-1], n_heads, X.shape[-1] // n_heads), -2, -3)

    return heads(np.matmul(memory, params.W_K)), heads(np.matmul(memory, params.W_V))


def memory_by_broadcasting(memory, params, n_heads):
    """One product per head, all heads in one call: (..., 1, n, d) @ (H, d, d_k)."""
    W_K, W_V = (np.stack(np.split(W, n_heads, axis=1)) for W in (params.W_K, params.W_V))
    return memory[..., None, :, :] @ W_K, memory[..., None, :, :] @ W_V


def memory_in_one_product(memory, params, n_heads):
    both = memory @ np.concatenate([params.W_K, params.W_V], axis=1)
    K, V = np.split(both, [params.W_K.shape[1]], axis=-1)
    return tuple(np.stack(np.split(X, n_heads, axis=-1), axis=-3) for X in (K, V))


def _split(X, n_heads):
    return np.stack(np.split(X, n_heads, axis=-1), axis=-3)


def _scores(X_decoder, memory, params, n_heads):
    Q, K = _split(X_decoder @ params.W_Q, n_heads), _split(memory @ params.W_K, n_heads)
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])


def _output(weights, memory, params, n_heads):
    heads = weights @ _split(memory @ params.W_V, n_heads)
    return np.concatenate([heads[..., h, :, :] for h in range(n_heads)], axis=-1) @ params.W_O


def cross_with_additive_mask(X_decoder, memory, params, n_heads, memory_is_token=None):
    scores = _scores(X_decoder, memory, params, n_heads)
    if memory_is_token is not None:
        scores = scores + np.where(memory_is_token, 0, -np.inf)[..., None, None, :]
    largest = scores.max(axis=-1, keepdims=True)
    largest[largest == -np.inf] = 0
    exponentials = np.exp(scores - largest)
    total = exponentials.sum(axis=-1, keepdims=True)
    weights = np.divide(exponentials, total, out=np.zeros_like(exponentials), where=total > 0)
    return _output(weights, memory, params, n_heads), weights


def cross_renormalised(X_decoder, memory, params, n_heads, memory_is_token=None):
    """Ordinary softmax, then hide and divide by what is left."""
    weights = scipy_softmax(_scores(X_decoder, memory, params, n_heads), axis=-1)
    if memory_is_token is not None:
        weights = weights * memory_is_token[..., np.newaxis, np.newaxis, :]
        total = weights.sum(axis=-1, keepdims=True)
        weights = weights / np.where(total > 0, total, 1)
    return _output(weights, memory, params, n_heads), weights


def cross_by_heads(X_decoder, memory, params, n_heads, memory_is_token=None):
    """A sum over heads, each with its rows of W_O."""
    hidden = np.zeros(memory.shape[:-1], dtype=bool) if memory_is_token is None else ~memory_is_token
    d_k, d_v = params.W_Q.shape[1] // n_heads, params.W_V.shape[1] // n_heads
    output, maps = 0, []
    for h in range(n_heads):
        keys, values = slice(h * d_k, h * d_k + d_k), slice(h * d_v, h * d_v + d_v)
        Q, K = X_decoder @ params.W_Q[:, keys], memory @ params.W_K[:, keys]
        scores = np.einsum("...qd,...kd->...qk", Q, K) / d_k**0.5
        parts = np.exp(scores - scores.max(axis=-1, keepdims=True)) * ~hidden[..., None, :]
        weights = parts / np.maximum(parts.sum(axis=-1, keepdims=True), 1e-300)
        output = output + weights @ (memory @ params.W_V[:, values]) @ params.W_O[values]
        maps.append(weights)
    return output, np.stack(maps, axis=-3)


def cross_by_loops(X_decoder, memory, params, n_heads, memory_is_token=None):
    """One target position at a time, over the real source tokens only."""
    *lead, n_target, _ = X_decoder.shape
    is_token = np.ones(memory.shape[:-1], dtype=bool) if memory_is_token is None else memory_is_token
    weights = np.zeros((*lead, n_heads, n_target, memory.shape[-2]))
    output = np.zeros((*lead, n_target, params.W_O.shape[1]))
    for index in np.ndindex(*lead):
        real = is_token[index]
        if not real.any():
            continue
        scores = _scores(X_decoder[index], memory[index][real], params, n_heads)
        seen = scipy_softmax(scores, axis=-1)
        weights[index][..., real] = seen
        output[index] = _output(seen, memory[index][real], params, n_heads)
    return output, weights


def alignment_by_loop(weights):
    *lead, _, n_target, _ = weights.shape
    best, entropy = np.zeros((*lead, n_target), dtype=int), np.zeros((*lead, n_target))
    for *index, t in np.ndindex(*lead, n_target):
        index = tuple(index)
        row = weights[index][:, t].mean(axis=0)
        best[(*index, t)] = row.tolist().index(row.max())
        entropy[(*index, t)] = sum(-p * math.log(p) for p in row if p > 0)
    return best, entropy


def alignment_with_entr(weights):
    mean = np.mean(weights, axis=-3)
    return np.argmax(mean, axis=-1), entr(mean).sum(axis=-1)


def alignment_with_scipy_stats(weights):
    mean = weights.sum(axis=-3) / weights.shape[-3]
    return mean.argmax(-1), scipy_entropy(mean, axis=-1)


def alignment_with_a_tiny_number(weights):
    mean = np.einsum("...hts->...ts", weights) / weights.shape[-3]
    return mean.argmax(axis=-1).astype(np.int32), -np.sum(mean * np.log(mean + 1e-12), axis=-1)


def alignment_with_where(weights):
    mean = weights.mean(-3)
    logs = np.log(mean, out=np.zeros_like(mean), where=mean > 0)
    return np.argmax(mean, axis=-1), -np.einsum("...s,...s->...", mean, logs)


def alignment_with_nansum(weights):
    """NumPy warns about the logarithm of 0 on the way."""
    mean = weights.mean(axis=-3)
    return mean.argmax(axis=-1), -np.nansum(mean * np.log(mean), axis=-1)


def alignment_with_where_behind(weights):
    """NumPy warns about the logarithm of 0 on the way."""
    mean = weights.mean(axis=-3)
    return mean.argmax(axis=-1), -np.where(mean == 0, 0, mean * np.log(mean)).sum(axis=-1)


def masks_by_indexing(source_is_token, target_is_token):
    n = target_is_token.shape[1]
    encoder = source_is_token[:, None, :]
    return encoder, np.tril(np.ones((n, n), dtype=bool)) & target_is_token[:, None, :], encoder


def masks_by_loops(source_is_token, target_is_token):
    (B, n_source), n = source_is_token.shape, target_is_token.shape[1]
    decoder = np.zeros((B, n, n), dtype=bool)
    for b in range(B):
        for i in range(n):
            for j in range(i + 1):
                decoder[b, i, j] = target_is_token[b, j]
    source = source_is_token.copy().reshape(B, 1, n_source)
    return source, decoder, source.copy()


def masks_by_comparison(source_is_token, target_is_token):
    position = np.arange(target_is_token.shape[-1])
    future = position[None, :] > position[:, None]
    decoder = np.logical_and(~future, np.expand_dims(target_is_token, -2))
    return np.expand_dims(source_is_token, 1), decoder, np.expand_dims(source_is_token, 1)


def masks_by_multiplication(source_is_token, target_is_token):
    triangle = np.tri(target_is_token.shape[1])
    decoder = (triangle * target_is_token[:, np.newaxis, :]).astype(bool)
    source = np.stack([source_is_token], axis=1)
    return [source, decoder, source]


STYLES = {
    "context_vector": (
        context_by_loop,
        context_by_einsum,
        context_by_broadcasting,
        context_with_an_axis,
        context_from_columns,
    ),
    "project_memory": (
        memory_by_loop,
        memory_by_einsum,
        memory_by_reshape,
        memory_by_broadcasting,
        memory_in_one_product,
    ),
    "cross_attention": (cross_with_additive_mask, cross_renormalised, cross_by_heads, cross_by_loops),
    "alignment": (
        alignment_by_loop,
        alignment_with_entr,
        alignment_with_scipy_stats,
        alignment_with_a_tiny_number,
        alignment_with_where,
        alignment_with_nansum,
        alignment_with_where_behind,
    ),
    "translation_masks": (masks_by_indexing, masks_by_loops, masks_by_comparison, masks_by_multiplication),
}
