"""Functions that learners wrote for `biased_attention`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit.reference import linear, masked_attention, merge_heads, multi_head_attention, softmax, split_heads


@wrong(
    "b_O is forgotten",
    names={"no-bias-at-the-end"},
    line="return merge_heads(heads) @ params.W_O, weights",
)
def forgets_b_O(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q + params.b_Q, n_heads)
    K = split_heads(X_key @ params.W_K + params.b_K, n_heads)
    V = split_heads(X_key @ params.W_V + params.b_V, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = masked_attention(Q, K, V, mask)
    return merge_heads(heads) @ params.W_O, weights


@wrong(
    "the biases of queries, keys and values are all added to the output of multi-head attention",
    line="output, weights = multi_head_attention(X_query, X_key, params, n_heads, mask)",
)
def all_at_the_end(X_query, X_key, params, n_heads, mask=None):
    output, weights = multi_head_attention(X_query, X_key, params, n_heads, mask)
    return output + params.b_Q + params.b_K + params.b_V + params.b_O, weights


@wrong(
    "only the last bias is added, after multi-head attention",
    names={"only-at-the-end"},
    line="return output + params.b_O, weights",
)
def only_b_O(X_query, X_key, params, n_heads, mask=None):
    output, weights = multi_head_attention(X_query, X_key, params, n_heads, mask)
    return output + params.b_O, weights


@wrong(
    "the mask gets no axis for the heads",
    names={"mask-along-heads"},
    line="heads, weights = masked_attention(Q, K, V, mask)",
)
def mask_as_it_is(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(linear(X_query, params.W_Q, params.b_Q), n_heads)
    K = split_heads(linear(X_key, params.W_K, params.b_K), n_heads)
    V = split_heads(linear(X_key, params.W_V, params.b_V), n_heads)
    heads, weights = masked_attention(Q, K, V, mask)
    return linear(merge_heads(heads), params.W_O, params.b_O), weights


@wrong(
    "the keys get the queries as input",
    line="K = split_heads(linear(X_query, params.W_K, params.b_K), n_heads)",
)
def keys_of_the_queries(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(linear(X_query, params.W_Q, params.b_Q), n_heads)
    K = split_heads(linear(X_query, params.W_K, params.b_K), n_heads)
    V = split_heads(linear(X_key, params.W_V, params.b_V), n_heads)
    mask = None if mask is None else mask[..., None, :, :]
    heads, weights = masked_attention(Q, K, V, mask)
    return linear(merge_heads(heads), params.W_O, params.b_O), weights


@wrong(
    "the values get b_K",
    names={"values-with-the-bias-of-keys"},
    line="V = split_heads(X_key @ params.W_V + params.b_K, n_heads)",
)
def wrong_letter(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q + params.b_Q, n_heads)
    K = split_heads(X_key @ params.W_K + params.b_K, n_heads)
    V = split_heads(X_key @ params.W_V + params.b_K, n_heads)
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    heads, weights = masked_attention(Q, K, V, mask)
    return merge_heads(heads) @ params.W_O + params.b_O, weights


@wrong(
    "the scores are divided by the root of d_model instead of that of d_k",
    line="scores = Q @ K.swapaxes(-1, -2) / np.sqrt(X_query.shape[-1])",
)
def scaled_by_the_model(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q + params.b_Q, n_heads)
    K = split_heads(X_key @ params.W_K + params.b_K, n_heads)
    V = split_heads(X_key @ params.W_V + params.b_V, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(X_query.shape[-1])
    if mask is not None:
        scores = np.where(mask[..., None, :, :], scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ params.W_O + params.b_O, weights


@wrong(
    "the biases are added after splitting, where their shape does not fit the heads",
    names={"biases-after-the-split"},
    line="Q = split_heads(X_query @ params.W_Q, n_heads) + params.b_Q",
)
def added_after_splitting(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q, n_heads) + params.b_Q
    K = split_heads(X_key @ params.W_K, n_heads) + params.b_K
    V = split_heads(X_key @ params.W_V, n_heads) + params.b_V
    heads, weights = masked_attention(Q, K, V, mask)
    return merge_heads(heads) @ params.W_O + params.b_O, weights


@right
def without_b_K(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(linear(X_query, params.W_Q, params.b_Q), n_heads)
    K = split_heads(X_key @ params.W_K, n_heads)
    V = split_heads(linear(X_key, params.W_V, params.b_V), n_heads)
    mask = None if mask is None else mask[..., None, :, :]
    heads, weights = masked_attention(Q, K, V, mask)
    return linear(merge_heads(heads), params.W_O, params.b_O), weights


@right
def all_three_in_a_loop(X_query, X_key, params, n_heads, mask=None):
    projected = []
    for X, letter in ((X_query, "Q"), (X_key, "K"), (X_key, "V")):
        W, b = getattr(params, "W_" + letter), getattr(params, "b_" + letter)
        projected.append(split_heads(X @ W + b, n_heads))
    if mask is not None:
        mask = np.asarray(mask)[..., np.newaxis, :, :]
    heads, weights = masked_attention(*projected, mask)
    return merge_heads(heads) @ params.W_O + params.b_O, weights


@wrong("adds the output's bias before the product with W_O")
def bias_before_the_output(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q + params.b_Q, n_heads)
    K = split_heads(X_key @ params.W_K + params.b_K, n_heads)
    V = split_heads(X_key @ params.W_V + params.b_V, n_heads)
    heads, weights = masked_attention(Q, K, V, None if mask is None else np.expand_dims(mask, -3))
    return (merge_heads(heads) + params.b_O) @ params.W_O, weights


@wrong("adds the bias of the keys to the values", names={"values-with-the-bias-of-keys"})
def bias_of_keys(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(linear(X_query, params.W_Q, params.b_Q), n_heads)
    K = split_heads(linear(X_key, params.W_K, params.b_K), n_heads)
    V = split_heads(linear(X_key, params.W_V, params.b_K), n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = masked_attention(Q, K, V, mask)
    return linear(merge_heads(heads), params.W_O, params.b_O), weights


@wrong("adds the output's bias once for every head", names={"bias-for-every-head"})
def bias_for_every_head(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(linear(X_query, params.W_Q, params.b_Q), n_heads)
    K = split_heads(linear(X_key, params.W_K, params.b_K), n_heads)
    V = split_heads(linear(X_key, params.W_V, params.b_V), n_heads)
    heads, weights = masked_attention(Q, K, V, None if mask is None else mask[..., None, :, :])
    W_O = params.W_O.reshape(n_heads, -1, params.W_O.shape[-1])
    return (heads @ W_O + params.b_O).sum(axis=-3), weights


@wrong(
    "the mask gets its axis for the heads in second place, which is wrong for a mask of two axes",
    line="mask = mask[:, None]",
)
def mask_axis_second(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q + params.b_Q, n_heads)
    K = reference.split_heads(X_memory @ params.W_K + params.b_K, n_heads)
    V = reference.split_heads(X_memory @ params.W_V + params.b_V, n_heads)
    if mask is not None:
        mask = mask[:, None]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O + params.b_O, weights


@wrong(
    "adds the bias of the keys to the values",
    names={"values-with-the-bias-of-keys"},
    line="V = split_heads(X_key @ params.W_V + params.b_K, n_heads)",
)
def b_K_for_the_values(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q + params.b_Q, n_heads)
    K = split_heads(X_key @ params.W_K + params.b_K, n_heads)
    V = split_heads(X_key @ params.W_V + params.b_K, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = masked_attention(Q, K, V, mask)
    return merge_heads(heads) @ params.W_O + params.b_O, weights
