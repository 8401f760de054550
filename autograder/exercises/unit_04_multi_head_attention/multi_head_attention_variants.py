"""A multi-head attention with exchangeable parts, for the known mistakes of this unit."""

import numpy as np

from transformer_kit import reference


def for_all_heads(mask):
    """Give a mask an axis for the heads."""
    return None if mask is None else mask[..., None, :, :]


def attention(
    X_query,
    X_memory,
    params,
    n_heads,
    mask=None,
    *,
    split=reference.split_heads,
    attend=reference.masked_attention,
    merge=reference.merge_heads,
):
    """Attend rightly, with parts that can be replaced by wrong ones."""
    Q = split(X_query @ params.W_Q, n_heads)
    K = split(X_memory @ params.W_K, n_heads)
    V = split(X_memory @ params.W_V, n_heads)
    heads, weights = attend(Q, K, V, for_all_heads(mask))
    return merge(heads) @ params.W_O, weights


def merged(X_query, X_memory, params, n_heads, mask):
    """Return the heads side by side, as they are before W_O, and their weights."""
    return attention(X_query, X_memory, params._replace(W_O=np.eye(len(params.W_O))), n_heads, mask)


def divided_by(number):
    """Return an attention whose scores are divided by the square root of another number."""

    def attend(Q, K, V, mask):
        weights = reference.masked_softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(number), mask)
        return weights @ V, weights

    return attend
