"""Multi-head attentions as learners get them wrong: one function per known mistake."""

import numpy as np

from transformer_kit import reference
from transformer_kit.reference import masked_softmax


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
    """The right function, with parts that can be replaced by wrong ones."""
    Q = split(X_query @ params.W_Q, n_heads)
    K = split(X_memory @ params.W_K, n_heads)
    V = split(X_memory @ params.W_V, n_heads)
    heads, weights = attend(Q, K, V, _for_all_heads(mask))
    return merge(heads) @ params.W_O, weights


def _for_all_heads(mask):
    return None if mask is None else mask[..., None, :, :]


def _merged(X_query, X_memory, params, n_heads, mask):
    """The heads side by side, as they are before W_O, and their weights."""
    return attention(X_query, X_memory, params._replace(W_O=np.eye(len(params.W_O))), n_heads, mask)


def _divided_by(number):
    """Attention whose scores are divided by the square root of another number."""

    def attend(Q, K, V, mask):
        weights = masked_softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(number), mask)
        return weights @ V, weights

    return attend


def scaled_by_d_model(X_query, X_memory, params, n_heads, mask=None):
    attend = _divided_by(X_query.shape[-1])
    return attention(X_query, X_memory, params, n_heads, mask, attend=attend)


def scaled_by_all_heads(X_query, X_memory, params, n_heads, mask=None):
    attend = _divided_by(params.W_Q.shape[-1])
    return attention(X_query, X_memory, params, n_heads, mask, attend=attend)


def not_scaled(X_query, X_memory, params, n_heads, mask=None):
    return attention(X_query, X_memory, params, n_heads, mask, attend=_divided_by(1))


def scaled_twice(X_query, X_memory, params, n_heads, mask=None):
    attend = _divided_by((params.W_Q.shape[-1] // n_heads) ** 2)
    return attention(X_query, X_memory, params, n_heads, mask, attend=attend)


def scaled_by_keys(X_query, X_memory, params, n_heads, mask=None):
    attend = _divided_by(X_memory.shape[-2])
    return attention(X_query, X_memory, params, n_heads, mask, attend=attend)


def no_output_matrix(X_query, X_memory, params, n_heads, mask=None):
    return _merged(X_query, X_memory, params, n_heads, mask)


def output_matrix_transposed(X_query, X_memory, params, n_heads, mask=None):
    return attention(X_query, X_memory, params._replace(W_O=params.W_O.T), n_heads, mask)


def first_rows_for_all(X_query, X_memory, params, n_heads, mask=None):
    merged, weights = _merged(X_query, X_memory, params, n_heads, mask)
    heads = reference.split_heads(merged, n_heads)
    return (heads @ params.W_O[: heads.shape[-1]]).sum(axis=-3), weights


def heads_averaged(X_query, X_memory, params, n_heads, mask=None):
    output, weights = attention(X_query, X_memory, params, n_heads, mask)
    return output / n_heads, weights


def _reshaped(X, n_heads):
    *lead, n, d = X.shape
    return X.reshape(*lead, n_heads, n, d // n_heads)


def _reshaped_back(heads):
    *lead, n_heads, n, d_v = heads.shape
    return heads.reshape(*lead, n, n_heads * d_v)


def plain_reshape(X_query, X_memory, params, n_heads, mask=None):
    return attention(X_query, X_memory, params, n_heads, mask, split=_reshaped, merge=_reshaped_back)


def merged_by_reshape(X_query, X_memory, params, n_heads, mask=None):
    return attention(X_query, X_memory, params, n_heads, mask, merge=_reshaped_back)


def _in_turn(X, n_heads):
    return np.moveaxis(X.reshape(*X.shape[:-1], X.shape[-1] // n_heads, n_heads), -1, -3)


def _in_turn_back(heads):
    *lead, n_heads, n, d_v = heads.shape
    return np.moveaxis(heads, -3, -1).reshape(*lead, n, d_v * n_heads)


def interleaved(X_query, X_memory, params, n_heads, mask=None):
    return attention(X_query, X_memory, params, n_heads, mask, split=_in_turn, merge=_in_turn_back)


def input_split(X_query, X_memory, params, n_heads, mask=None):
    """Head h projects its own columns of X with its own block on the diagonal of each matrix."""

    def project(X, W):
        rows, columns = X.shape[-1] // n_heads, W.shape[-1] // n_heads
        blocks = [W[h * rows : (h + 1) * rows, h * columns : (h + 1) * columns] for h in range(n_heads)]
        return reference.split_heads(X, n_heads) @ np.array(blocks)

    Q, K, V = project(X_query, params.W_Q), project(X_memory, params.W_K), project(X_memory, params.W_V)
    heads, weights = reference.masked_attention(Q, K, V, _for_all_heads(mask))
    return reference.merge_heads(heads) @ params.W_O, weights


def memory_ignored(X_query, X_memory, params, n_heads, mask=None):
    return attention(X_query, X_query, params, n_heads, mask)


def roles_exchanged(X_query, X_memory, params, n_heads, mask=None):
    return attention(X_memory, X_query, params, n_heads, mask)


def keys_from_queries(X_query, X_memory, params, n_heads, mask=None):
    Q, K = (reference.split_heads(X_query @ W, n_heads) for W in params[:2])
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    heads, weights = reference.masked_attention(Q, K, V, _for_all_heads(mask))
    return reference.merge_heads(heads) @ params.W_O, weights


def values_by_W_K(X_query, X_memory, params, n_heads, mask=None):
    return attention(X_query, X_memory, params._replace(W_V=params.W_K), n_heads, mask)


def keys_by_W_Q(X_query, X_memory, params, n_heads, mask=None):
    return attention(X_query, X_memory, params._replace(W_K=params.W_Q), n_heads, mask)


def _softmax_along(axis):
    def attend(Q, K, V, mask):
        weights = masked_softmax(reference.attention_scores(Q, K), mask, axis=axis)
        return weights @ V, weights

    return attend


def sum_over_heads(X_query, X_memory, params, n_heads, mask=None):
    return attention(X_query, X_memory, params, n_heads, mask, attend=_softmax_along(-3))


def sum_over_queries(X_query, X_memory, params, n_heads, mask=None):
    return attention(X_query, X_memory, params, n_heads, mask, attend=_softmax_along(-2))


def weights_averaged(X_query, X_memory, params, n_heads, mask=None):
    output, weights = attention(X_query, X_memory, params, n_heads, mask)
    return output, weights.mean(axis=-3)


def head_axis_first(X_query, X_memory, params, n_heads, mask=None):
    output, weights = attention(X_query, X_memory, params, n_heads, mask)
    return output, np.moveaxis(weights, -3, 0)


def mask_ignored(X_query, X_memory, params, n_heads, mask=None):
    return attention(X_query, X_memory, params, n_heads)


def mask_inverted(X_query, X_memory, params, n_heads, mask=None):
    return attention(X_query, X_memory, params, n_heads, None if mask is None else ~mask)


def _attend_under(mask_of_scores):
    """Masked attention that is given the mask in the shape that `mask_of_scores` makes of it."""

    def attend(Q, K, V, mask):
        return reference.masked_attention(Q, K, V, None if mask is None else mask_of_scores(mask[..., 0, :, :], Q))

    return attend


def mask_along_the_heads(X_query, X_memory, params, n_heads, mask=None):
    attend = _attend_under(lambda mask, Q: mask)
    return attention(X_query, X_memory, params, n_heads, mask, attend=attend)


def _repeated(mask, Q):
    if mask.ndim == 2:
        return mask
    copies = np.tile(mask, (Q.shape[-3], 1, 1))  # all sequences, then all sequences again, ...
    return copies.reshape(*mask.shape[:-2], Q.shape[-3], *mask.shape[-2:])


def mask_repeated(X_query, X_memory, params, n_heads, mask=None):
    return attention(X_query, X_memory, params, n_heads, mask, attend=_attend_under(_repeated))


def _filled_with(number):
    def attend(Q, K, V, mask):
        scores = reference.attention_scores(Q, K)
        weights = reference.softmax(scores if mask is None else np.where(mask, scores, number))
        return weights @ V, weights

    return attend


def nan_where_nothing_is_visible(X_query, X_memory, params, n_heads, mask=None):
    return attention(X_query, X_memory, params, n_heads, mask, attend=_filled_with(-np.inf))


def average_where_nothing_is_visible(X_query, X_memory, params, n_heads, mask=None):
    return attention(X_query, X_memory, params, n_heads, mask, attend=_filled_with(-1e9))
