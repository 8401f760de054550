"""Functions that learners wrote for `head_outputs`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit.reference import masked_attention, merge_heads, multi_head_attention, project_memory, split_heads


@wrong(
    "the heads are merged and multiplied by all of W_O: that is the sum over the heads",
    names={"already-summed"},
    line="return merge_heads(heads) @ params.W_O",
)
def merged(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q, n_heads)
    K = split_heads(X_key @ params.W_K, n_heads)
    V = split_heads(X_key @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = masked_attention(Q, K, V, mask)
    return merge_heads(heads) @ params.W_O


@wrong(
    "W_O is left out",
    names={"without-W-O"},
    line="return heads",
)
def stops_before_W_O(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q, n_heads)
    K = split_heads(X_key @ params.W_K, n_heads)
    V = split_heads(X_key @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, _ = masked_attention(Q, K, V, mask)
    return heads


@wrong(
    "the mask is never used",
    names={"mask-ignored"},
    line="heads, _ = masked_attention(Q, K, V)",
)
def no_mask(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q, n_heads)
    K = split_heads(X_key @ params.W_K, n_heads)
    V = split_heads(X_key @ params.W_V, n_heads)
    heads, _ = masked_attention(Q, K, V)
    W_O = params.W_O.reshape(n_heads, -1, params.W_O.shape[-1])
    return heads @ W_O


@wrong(
    "the mask of a batch has no axis for the heads",
    names={"mask-along-heads"},
    line="heads, _ = masked_attention(Q, K, V, mask)",
)
def mask_as_it_is(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q, n_heads)
    K = split_heads(X_key @ params.W_K, n_heads)
    V = split_heads(X_key @ params.W_V, n_heads)
    heads, _ = masked_attention(Q, K, V, mask)
    W_O = params.W_O.reshape(n_heads, -1, params.W_O.shape[-1])
    return heads @ W_O


@wrong(
    "W_O is reshaped with the axes of heads and features exchanged, so a head gets every n_heads-th row",
    names={"rows-interleaved"},
    line="W_O = params.W_O.reshape(-1, n_heads, params.W_O.shape[-1]).transpose(1, 0, 2)",
)
def reshaped_the_wrong_way(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q, n_heads)
    K = split_heads(X_key @ params.W_K, n_heads)
    V = split_heads(X_key @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, _ = masked_attention(Q, K, V, mask)
    W_O = params.W_O.reshape(-1, n_heads, params.W_O.shape[-1]).transpose(1, 0, 2)
    return heads @ W_O


@wrong(
    "the whole output is divided by the number of heads, the same for each",
    names={"shared-equally"},
    line="return np.stack([output / n_heads] * n_heads, axis=-3)",
)
def equal_parts(X_query, X_key, params, n_heads, mask=None):
    output, _ = multi_head_attention(X_query, X_key, params, n_heads, mask)
    return np.stack([output / n_heads] * n_heads, axis=-3)


@wrong(
    "the heads are stacked on the first axis, before the batch",
    names={"heads-in-front"},
    line="return np.array(outputs)",
)
def a_list_of_heads(X_query, X_key, params, n_heads, mask=None):
    d_k, d_v = params.W_Q.shape[1] // n_heads, params.W_V.shape[1] // n_heads
    outputs = []
    for h in range(n_heads):
        ks, vs = slice(h * d_k, (h + 1) * d_k), slice(h * d_v, (h + 1) * d_v)
        Q, K, V = X_query @ params.W_Q[:, ks], X_key @ params.W_K[:, ks], X_key @ params.W_V[:, vs]
        outputs.append(masked_attention(Q, K, V, mask)[0] @ params.W_O[vs])
    return np.array(outputs)


@right
def heads_one_by_one(X_query, X_key, params, n_heads, mask=None):
    d_k, d_v = params.W_Q.shape[1] // n_heads, params.W_V.shape[1] // n_heads
    outputs = []
    for h in range(n_heads):
        ks, vs = slice(h * d_k, (h + 1) * d_k), slice(h * d_v, (h + 1) * d_v)
        Q, K, V = X_query @ params.W_Q[:, ks], X_key @ params.W_K[:, ks], X_key @ params.W_V[:, vs]
        outputs.append(masked_attention(Q, K, V, mask)[0] @ params.W_O[vs])
    return np.stack(outputs, axis=-3)


@wrong("gives the heads columns of W_O instead of rows")
def columns_of_the_output(X_query, X_key, params, n_heads, mask=None):
    output, _ = multi_head_attention(X_query, X_key, params, n_heads, mask)
    return split_heads(output, n_heads)


@wrong("divides what every head adds by the number of heads")
def shared_among_heads(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q, n_heads)
    K, V = project_memory(X_key, params, n_heads)
    heads, _ = masked_attention(Q, K, V, None if mask is None else np.expand_dims(mask, -3))
    W_O = params.W_O.reshape(n_heads, -1, params.W_O.shape[-1])
    return heads @ W_O / n_heads


@wrong("returns what the heads found, before W_O", names={"without-W-O"})
def before_the_output(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q, n_heads)
    K, V = project_memory(X_key, params, n_heads)
    heads, _ = masked_attention(Q, K, V, None if mask is None else np.expand_dims(mask, -3))
    return heads


@wrong(
    "the mask gets its axis for the heads in second place, which is wrong for a mask of two axes",
    names={"mask-axis-second"},
    line="mask = mask[:, None]",
)
def mask_axis_second(X_query, X_key, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(X_key @ params.W_K, n_heads)
    V = reference.split_heads(X_key @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[:, None]
    heads, _ = reference.masked_attention(Q, K, V, mask)
    return heads @ params.W_O.reshape(n_heads, -1, params.W_O.shape[-1])


@wrong("the mask gets its new axis in front of all others", names={"mask-axis-first"}, line="mask = mask[None]")
def mask_axis_first(X_query, X_key, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(X_key @ params.W_K, n_heads)
    V = reference.split_heads(X_key @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[None]
    heads, _ = reference.masked_attention(Q, K, V, mask)
    return heads @ params.W_O.reshape(n_heads, -1, params.W_O.shape[-1])


@wrong("makes the values with W_K", names={"values-by-W_K"}, line="V = split_heads(X_key @ params.W_K, n_heads)")
def values_from_W_K(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q, n_heads)
    K = split_heads(X_key @ params.W_K, n_heads)
    V = split_heads(X_key @ params.W_K, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, _ = masked_attention(Q, K, V, mask)
    blocks = params.W_O.reshape(n_heads, -1, params.W_O.shape[-1])
    return heads @ blocks


@wrong(
    "takes X_key itself for the values, without W_V",
    names={"values-not-projected"},
    line="V = split_heads(X_key, n_heads)",
)
def values_not_projected(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q, n_heads)
    K = split_heads(X_key @ params.W_K, n_heads)
    V = split_heads(X_key, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, _ = masked_attention(Q, K, V, mask)
    blocks = params.W_O.reshape(n_heads, -1, params.W_O.shape[-1])
    return heads @ blocks


@wrong(
    "makes the keys with W_V and the values with W_K",
    names={"keys-and-values-exchanged"},
    line="K = split_heads(X_key @ params.W_V, n_heads)",
)
def keys_and_values_crossed(X_query, X_key, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q, n_heads)
    K = split_heads(X_key @ params.W_V, n_heads)
    V = split_heads(X_key @ params.W_K, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, _ = masked_attention(Q, K, V, mask)
    blocks = params.W_O.reshape(n_heads, -1, params.W_O.shape[-1])
    return heads @ blocks
