"""Right functions of unit 04 in other styles than the reference's."""

import numpy as np
from scipy import special

from transformer_kit.parameters import AttentionParams
from transformer_kit.reference import masked_attention, masked_softmax


def _refuse(d, n_heads):
    if d % n_heads:
        raise ValueError(f"n_heads={n_heads} does not divide d={d}")


def split_by_slices(X, n_heads):
    _refuse(X.shape[-1], n_heads)
    width = X.shape[-1] // n_heads
    return np.stack([X[..., h * width : (h + 1) * width] for h in range(n_heads)], axis=-3)


def split_by_np_split(X, n_heads):
    _refuse(X.shape[-1], n_heads)
    return np.concatenate([part[..., None, :, :] for part in np.split(X, n_heads, axis=-1)], axis=-3)


def split_with_moveaxis(X, n_heads):
    d_k, rest = divmod(X.shape[-1], n_heads)
    if rest != 0:
        raise ValueError("cannot share %d columns among %d heads" % (X.shape[-1], n_heads))  # noqa: UP031
    return np.moveaxis(X.reshape(*X.shape[:-1], n_heads, d_k), -2, -3).copy()


def split_by_einsum(X, n_heads):
    _refuse(X.shape[-1], n_heads)
    return np.einsum("...nhk->...hnk", X.reshape(*X.shape[:-1], n_heads, -1))


def split_by_loops(X, n_heads):
    *lead, n, d = X.shape
    _refuse(d, n_heads)
    width = d // n_heads
    heads = np.zeros((*lead, n_heads, n, width))
    for h in range(n_heads):
        for i in range(n):
            for c in range(width):
                heads[..., h, i, c] = X[..., i, h * width + c]
    return heads


def merge_by_concatenating(X):
    return np.concatenate([X[..., h, :, :] for h in range(X.shape[-3])], axis=-1)


def merge_with_moveaxis(X):
    moved = np.moveaxis(X, -3, -2)
    return moved.reshape(*moved.shape[:-2], -1)


def merge_by_einsum(X):
    moved = np.einsum("...hnk->...nhk", X)
    return moved.reshape(*moved.shape[:-2], moved.shape[-2] * moved.shape[-1])


def merge_by_loops(X):
    *lead, n_heads, n, d_v = X.shape
    merged = np.empty((*lead, n, n_heads * d_v))
    for h in range(n_heads):
        merged[..., h * d_v : (h + 1) * d_v] = X[..., h, :, :]
    return merged


def attention_head_by_head(X_query, X_memory, params, n_heads, mask=None):
    """A loop over heads with slices of the matrices; the heads are added up through their rows of W_O."""
    d_k, d_v = params.W_Q.shape[1] // n_heads, params.W_V.shape[1] // n_heads
    output, weights = 0.0, []
    for h in range(n_heads):
        keys, values = slice(h * d_k, (h + 1) * d_k), slice(h * d_v, (h + 1) * d_v)
        Q, K = X_query @ params.W_Q[:, keys], X_memory @ params.W_K[:, keys]
        head, head_weights = masked_attention(Q, K, X_memory @ params.W_V[:, values], mask)
        output = output + head @ params.W_O[values]
        weights.append(head_weights)
    return output, np.stack(weights, axis=-3)


def attention_by_einsum(X_query, X_memory, params, n_heads, mask=None):
    """All projections as three-way arrays (d_model, n_heads, d_k), the mask as a fill value."""
    W_Q, W_K, W_V = (W.reshape(len(W), n_heads, -1) for W in params[:3])
    Q = np.einsum("...nd,dhk->...hnk", X_query, W_Q)
    K = np.einsum("...nd,dhk->...hnk", X_memory, W_K)
    V = np.einsum("...nd,dhk->...hnk", X_memory, W_V)
    scores = np.einsum("...qk,...nk->...qn", Q, K) / np.sqrt(Q.shape[-1])
    weights = masked_softmax(scores, None if mask is None else np.expand_dims(mask, -3))
    heads = np.einsum("...qn,...nk->...qk", weights, V)
    return np.einsum("...hqk,hkd->...qd", heads, params.W_O.reshape(n_heads, W_V.shape[-1], -1)), weights


def attention_with_additive_mask(X_query, X_memory, params, n_heads, mask=None):
    """The queries divided before the product, -inf added to the scores, rows of zeros put in afterwards."""

    def heads_of(X, W):
        projected = np.matmul(X, W)
        return np.swapaxes(projected.reshape(*projected.shape[:-1], n_heads, -1), -2, -3)

    Q, K, V = heads_of(X_query, params.W_Q), heads_of(X_memory, params.W_K), heads_of(X_memory, params.W_V)
    scores = (Q / Q.shape[-1] ** 0.5) @ np.swapaxes(K, -1, -2)
    if mask is None:
        weights = special.softmax(scores, axis=-1)
    else:
        shared = mask[..., np.newaxis, :, :]
        some = shared.any(axis=-1, keepdims=True)
        weights = special.softmax(scores + np.where(shared | ~some, 0.0, -np.inf), axis=-1) * some
    merged = np.concatenate(list(np.moveaxis(weights @ V, -3, 0)), axis=-1)
    return merged @ params.W_O, weights


def attention_that_repeats_the_mask(X_query, X_memory, params, n_heads, mask=None):
    """One sequence at a time, one copy of the mask per head."""
    n_queries, n_keys, d_model = X_query.shape[-2], X_memory.shape[-2], X_query.shape[-1]
    lead = X_query.shape[:-2]
    visible = np.ones((*lead, n_queries, n_keys), dtype=bool)
    if mask is not None:
        visible &= mask
    output = np.zeros((*lead, n_queries, d_model))
    weights = np.zeros((*lead, n_heads, n_queries, n_keys))
    for b in np.ndindex(*lead):
        Q, K, V = X_query[b] @ params.W_Q, X_memory[b] @ params.W_K, X_memory[b] @ params.W_V
        Q, K, V = (np.array(np.split(A, n_heads, axis=1)) for A in (Q, K, V))
        heads, weights[b] = masked_attention(Q, K, V, np.repeat(visible[b][None], n_heads, axis=0))
        output[b] = np.hstack(list(heads)) @ params.W_O
    return output, weights


def count_by_shapes(d_model, n_heads, d_k=None, d_v=None):
    d_k = d_model // n_heads if d_k is None else d_k
    d_v = d_model // n_heads if d_v is None else d_v
    shapes = [(d_model, n_heads * d_k)] * 2 + [(d_model, n_heads * d_v), (n_heads * d_v, d_model)]
    return sum(rows * columns for rows, columns in shapes)


def count_per_head(d_model, n_heads, d_k=None, d_v=None):
    share = d_model // n_heads
    return n_heads * 2 * d_model * ((share if d_k is None else d_k) + (share if d_v is None else d_v))


def count_by_numpy(d_model, n_heads, d_k=None, d_v=None):
    """A NumPy integer is an integer, too."""
    keys = n_heads * (d_k or d_model // n_heads)
    values = n_heads * (d_v or d_model // n_heads)
    return np.prod([2, d_model, keys + values], dtype=np.int64)


def fused_by_slices(X, W_QKV, W_O, n_heads, mask=None):
    d_model = X.shape[-1]
    projected = X @ W_QKV
    parts = (projected[..., i * d_model : (i + 1) * d_model] for i in range(3))
    heads = [np.stack(np.split(part, n_heads, axis=-1), axis=-3) for part in parts]
    found, weights = masked_attention(*heads, None if mask is None else mask[..., None, :, :])
    return np.concatenate([found[..., h, :, :] for h in range(n_heads)], axis=-1) @ W_O, weights


def fused_with_one_reshape(X, W_QKV, W_O, n_heads, mask=None):
    """Q, K and V, heads and columns cut in one reshape, then moved to the front together."""
    projected = (X @ W_QKV).reshape(*X.shape[:-1], 3, n_heads, -1)
    Q, K, V = np.moveaxis(projected.swapaxes(-4, -2), -3, 0)  # (3, ..., n_heads, n, d_k)
    heads, weights = masked_attention(Q, K, V, None if mask is None else np.expand_dims(mask, axis=-3))
    moved = heads.swapaxes(-2, -3)
    return moved.reshape(*moved.shape[:-2], -1) @ W_O, weights


def fused_through_the_unfused(X, W_QKV, W_O, n_heads, mask=None):
    params = AttentionParams(*np.hsplit(W_QKV, 3), W_O)
    return attention_head_by_head(X, X, params, n_heads, mask)


def fused_by_einsum(X, W_QKV, W_O, n_heads, mask=None):
    W = W_QKV.reshape(len(W_QKV), 3, n_heads, -1)
    Q, K, V = np.einsum("...nd,dphk->p...hnk", X, W)
    heads, weights = masked_attention(Q, K, V, None if mask is None else mask[..., None, :, :])
    return np.einsum("...hnk,hkd->...nd", heads, W_O.reshape(n_heads, -1, W_O.shape[-1])), weights


STYLES = {
    "split_heads": (split_by_slices, split_by_np_split, split_with_moveaxis, split_by_einsum, split_by_loops),
    "merge_heads": (merge_by_concatenating, merge_with_moveaxis, merge_by_einsum, merge_by_loops),
    "multi_head_attention": (
        attention_head_by_head,
        attention_by_einsum,
        attention_with_additive_mask,
        attention_that_repeats_the_mask,
    ),
    "count_attention_parameters": (count_by_shapes, count_per_head, count_by_numpy),
    "fused_self_attention": (
        fused_by_slices,
        fused_with_one_reshape,
        fused_through_the_unfused,
        fused_by_einsum,
    ),
}
