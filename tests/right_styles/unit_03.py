"""Right implementations of the functions of unit 03, in other styles than the reference's."""

import math

import numpy as np
from scipy import special

from transformer_kit.reference import masked_softmax as reference_masked_softmax


def causal_by_positions(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    if n_keys < n_queries:
        raise ValueError(f"n_keys={n_keys} is smaller than n_queries={n_queries}")
    query_positions = np.arange(n_keys)[n_keys - n_queries :]
    return query_positions[:, None] >= np.arange(n_keys)


def causal_by_loops(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    earlier = n_keys - n_queries
    if earlier < 0:
        raise ValueError("cannot have " + str(n_keys) + " keys for " + str(n_queries) + " queries")
    return np.array([[key <= query + earlier for key in range(n_keys)] for query in range(n_queries)])


def causal_by_triu(n_queries, n_keys=None):
    n_keys = (n_keys, n_queries)[n_keys is None]
    if n_queries > n_keys:
        raise ValueError(f"{n_queries} > {n_keys}")
    return ~np.triu(np.ones((n_queries, n_keys)), k=n_keys - n_queries + 1).astype(bool)


def causal_last_rows(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    if n_keys < n_queries:
        raise ValueError(f"{n_queries} queries, {n_keys} keys")
    return np.tril(np.ones((n_keys, n_keys), dtype=bool))[-n_queries:]


def padding_by_expand_dims(is_token):
    return np.expand_dims(is_token, axis=-2)


def padding_by_reshape(is_token):
    return is_token.reshape(*is_token.shape[:-1], 1, is_token.shape[-1])


def padding_by_copy(is_token):
    return np.array(is_token == True)[..., np.newaxis, :]  # noqa: E712


def combine_by_loop(*masks):
    combined = None
    for mask in masks:
        if mask is not None:
            combined = mask.copy() if combined is None else combined & mask
    return combined


def combine_by_broadcasting(*masks):
    masks = [mask for mask in masks if mask is not None]
    if not masks:
        return None
    return np.logical_and.reduce(np.broadcast_arrays(*masks))


def combine_by_product(*masks):
    result = np.array(True)
    for mask in masks:
        if mask is None:
            continue
        result = result * mask
    return None if all(mask is None for mask in masks) else result


def combine_by_recursion(*masks):
    if not masks:
        return None
    rest = combine_by_recursion(*masks[1:])
    if masks[0] is None:
        return rest
    return np.array(masks[0]) if rest is None else np.minimum(masks[0], rest)


def additive_by_assignment(mask):
    M = np.zeros(mask.shape)
    M[~mask] = -np.inf
    return M


def additive_by_log(mask):
    with np.errstate(divide="ignore"):
        return np.log(mask.astype(np.float64))


def additive_by_full_like(mask):
    M = np.full_like(mask, -np.inf, dtype=float)
    M[mask] = 0
    return M


def additive_warning(mask):
    return np.log(mask, dtype=float)


def softmax_additive(scores, mask=None, axis=-1):
    scores = np.asarray(scores, dtype=float)
    if mask is not None:
        scores = scores + np.where(mask, 0, -np.inf)
    largest = scores.max(axis=axis, keepdims=True)
    largest[np.isinf(largest)] = 0
    exponentials = np.exp(scores - largest)
    total = exponentials.sum(axis=axis, keepdims=True)
    return np.divide(exponentials, total, out=np.zeros_like(exponentials), where=total > 0)


def softmax_renormalised(scores, mask=None, axis=-1):
    """Mask after the exponentials, which are shifted by the largest visible score."""
    scores = scores + 0.0
    mask = np.broadcast_to(True if mask is None else mask, scores.shape)
    largest = np.max(scores, axis=axis, keepdims=True, where=mask, initial=-1e30)
    exponentials = np.exp(np.minimum(scores - largest, 0.0)) * mask
    total = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / (total + (total == 0))


def softmax_hidden_exponentials_dropped(scores, mask=None, axis=-1):
    """Let the hidden exponentials overflow, then drop them."""
    mask = True if mask is None else mask
    largest = np.where(mask, scores, -np.inf).max(axis=axis, keepdims=True)
    exponentials = np.where(mask, np.exp(scores - largest), 0)
    total = exponentials.sum(axis=axis, keepdims=True)
    total[total == 0] = 1
    return exponentials / total


def softmax_scipy(scores, mask=None, axis=-1):
    if mask is None:
        return special.softmax(scores, axis=axis)
    mask = np.broadcast_to(mask, scores.shape)
    anything = mask.any(axis=axis, keepdims=True)
    weights = special.softmax(np.where(mask | ~anything, scores, -np.inf), axis=axis)
    return weights * mask


def softmax_lowest_number(scores, mask=None, axis=-1):
    """Fill with the lowest number that there is, and clean up afterwards."""
    scores = scores.astype(float)
    if mask is not None:
        scores = np.where(mask, scores, np.finfo(float).min)
    e = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    weights = e / np.sum(e, axis=axis, keepdims=True)
    return weights if mask is None else np.where(mask, weights, 0)


def softmax_nan_to_zero(scores, mask=None, axis=-1):
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(special.softmax(scores, axis=axis), nan=0.0)


def softmax_row_by_row(scores, mask=None, axis=-1):
    visible = np.broadcast_to(True if mask is None else mask, scores.shape)
    rows, visible = np.moveaxis(scores, axis, -1), np.moveaxis(visible, axis, -1)
    weights = np.zeros(rows.shape)
    for i in np.ndindex(rows.shape[:-1]):
        if visible[i].any():
            e = np.exp(rows[i][visible[i]] - rows[i][visible[i]].max())
            weights[i][visible[i]] = e / e.sum()
    return np.moveaxis(weights, -1, axis)


def attention_einsum(Q, K, V, mask=None):
    scores = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(Q.shape[-1])
    weights = reference_masked_softmax(scores, mask)
    return np.einsum("...qk,...kv->...qv", weights, V), weights


def attention_scaled_queries(Q, K, V, mask=None):
    weights = softmax_additive(np.matmul(Q / math.sqrt(K.shape[-1]), np.moveaxis(K, -1, -2)), mask)
    return np.matmul(weights, V), weights


def attention_renormalised(Q, K, V, mask=None):
    weights = softmax_renormalised(Q @ K.swapaxes(-2, -1) * Q.shape[-1] ** -0.5, mask)
    return weights @ V, weights


def attention_after_the_fact(Q, K, V, mask=None):
    """Sum the visible values weighted by exponentials, and divide at the very end."""
    scores = Q @ K.swapaxes(-2, -1) / np.sqrt(Q.shape[-1])
    visible = np.ones(scores.shape, dtype=bool) if mask is None else np.broadcast_to(mask, scores.shape)
    largest = np.where(visible, scores, -1e300).max(axis=-1, keepdims=True)
    exponentials = np.where(visible, np.exp(np.where(visible, scores - largest, 0.0)), 0.0)
    total = np.maximum(exponentials.sum(axis=-1, keepdims=True), 1e-300)
    return exponentials @ V / total, exponentials / total


def attention_by_loops(Q, K, V, mask=None):
    leading = Q.shape[:-2]
    shape = (*leading, Q.shape[-2], K.shape[-2])
    visible = np.broadcast_to(True if mask is None else mask, shape)
    output, weights = np.zeros((*shape[:-1], V.shape[-1])), np.zeros(shape)
    for i in np.ndindex(shape[:-1]):
        keys = np.flatnonzero(visible[i])
        if len(keys):
            s = np.array([Q[i] @ K[i[:-1]][k] for k in keys]) / math.sqrt(Q.shape[-1])
            e = np.exp(s - s.max())
            weights[i][keys] = e / e.sum()
            output[i] = sum(weights[i][k] * V[i[:-1]][k] for k in keys)
    return output, weights


def leak_one_token_at_a_time(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for position in range(len(X)):
        for token in range(position + 1, len(X)):
            changed = X.copy()
            changed[token] = rng.standard_normal(X.shape[1])
            if not np.allclose(attend(changed)[position], before[position], rtol=0, atol=1e-9):
                return position
    return None


def leak_amounts_where_later(attend, X, seed=0):
    amounts = np.random.default_rng(seed).uniform(-1, 1, X.shape)
    for position in range(X.shape[0] - 1):
        later = np.arange(len(X))[:, None] > position
        if np.any(np.abs(attend(X + later * amounts) - attend(X))[position] > 1e-9):
            return position


def leak_replaced(attend, X, seed=0):
    other = np.random.RandomState(seed).randn(*X.shape)
    n = len(X)
    moved = [
        np.max(np.abs(attend(np.concatenate([X[: p + 1], other[p + 1 :]]))[p] - attend(X)[p])) > 1e-9 for p in range(n)
    ]
    return int(np.argmax(moved)) if any(moved) else None


def leak_table(attend, X, seed=0):
    """Fill the whole table of (changed token, output) pairs, then read it off."""
    amounts = 1 + np.random.default_rng(seed).random(X.shape)
    rows = [X + amounts * np.eye(len(X))[:, [token]] for token in range(len(X))]
    moved = np.array([np.abs(attend(row) - attend(X)).max(axis=1) > 1e-9 for row in rows])
    positions = np.flatnonzero(np.tril(moved, k=-1).any(axis=0))
    return positions[0] if positions.size else None


STYLES = {
    "causal_mask": (causal_by_positions, causal_by_loops, causal_by_triu, causal_last_rows),
    "padding_mask": (padding_by_expand_dims, padding_by_reshape, padding_by_copy),
    "combine_masks": (combine_by_loop, combine_by_broadcasting, combine_by_product, combine_by_recursion),
    "additive_mask": (additive_by_assignment, additive_by_log, additive_by_full_like, additive_warning),
    "masked_softmax": (
        softmax_additive,
        softmax_renormalised,
        softmax_hidden_exponentials_dropped,
        softmax_scipy,
        softmax_lowest_number,
        softmax_nan_to_zero,
        softmax_row_by_row,
    ),
    "masked_attention": (
        attention_einsum,
        attention_scaled_queries,
        attention_renormalised,
        attention_after_the_fact,
        attention_by_loops,
    ),
    "first_leak": (leak_one_token_at_a_time, leak_amounts_where_later, leak_replaced, leak_table),
}
