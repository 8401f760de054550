"""Functions that learners wrote for `multi_head_attention`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import masked_attention, merge_heads, split_heads


@wrong(
    "makes the keys from X_query instead of X_memory",
    names={"keys-from-queries"},
    line="K = reference.split_heads(X_query @ params.W_K, n_heads)",
)
def keys_from_query(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(X_query @ params.W_K, n_heads)
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "makes queries, keys and values all from X_query and never looks at X_memory",
    names={"memory-ignored"},
    line="Q, K, V = (reference.split_heads(X_query @ W, n_heads) for W in params[:3])",
)
def self_attention_only(X_query, X_memory, params, n_heads, mask=None):
    Q, K, V = (reference.split_heads(X_query @ W, n_heads) for W in params[:3])
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    heads, weights = reference.masked_attention(Q, K, V, mask)
    output = reference.merge_heads(heads) @ params.W_O
    return output, weights


@wrong("forgets the multiplication by W_O", names={"no-output-matrix"}, line="output = reference.merge_heads(heads)")
def without_W_O(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(X_memory @ params.W_K, n_heads)
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[..., np.newaxis, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    output = reference.merge_heads(heads)
    return output, weights


@wrong(
    "projects the values with W_K instead of W_V",
    names={"values-by-W_K"},
    line="V = reference.split_heads(X_memory @ params.W_K, n_heads)",
)
def values_with_W_K(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(np.matmul(X_memory, params.W_K), n_heads)
    V = reference.split_heads(X_memory @ params.W_K, n_heads)
    mask = None if mask is None else mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "gives the mask no axis for the heads, so a mask per sequence meets the heads (an error, or nonsense)",
    names={"mask-along-the-heads"},
    line="heads, weights = reference.masked_attention(Q, K, V, mask)",
)
def mask_without_head_axis(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(X_memory @ params.W_K, n_heads)
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "puts the mask's axis for the heads at place 1 from the front: right for a mask per sequence, wrong for a mask "
    "of two axes",
    names={"mask-axis-second"},
    line="mask = mask[:, None]",
)
def axis_after_the_first(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(X_memory @ params.W_K, n_heads)
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[:, None]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "puts the mask's new axis in front of all its axes instead of third from the end, so the axis of the sequences "
    "of a mask meets the heads",
    names={"mask-along-the-heads", "mask-axis-first"},
    line="mask = mask[None]",
)
def axis_in_front(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(X_memory @ params.W_K, n_heads)
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[None]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    output = reference.merge_heads(heads) @ params.W_O
    return output, weights


@wrong(
    "divides the scores by the root of the width of all heads together instead of that of one head",
    names={"scaled-by-all-heads"},
    line="scores = Q @ K.swapaxes(-1, -2) / np.sqrt(params.W_Q.shape[-1])",
)
def root_of_all_heads(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(X_memory @ params.W_K, n_heads)
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(params.W_Q.shape[-1])
    if mask is not None:
        mask = mask[..., None, :, :]
    weights = reference.masked_softmax(scores, mask)
    return reference.merge_heads(weights @ V) @ params.W_O, weights


@wrong(
    "cuts the inputs into heads and projects each slice of the input alone, so a head does not see the whole token",
    names={"input-split"},
    line="x_q = X_query[..., h * d : (h + 1) * d]",
)
def cuts_the_input(X_query, X_memory, params, n_heads, mask=None):
    d = X_query.shape[-1] // n_heads
    k, v = params.W_K.shape[1] // n_heads, params.W_V.shape[1] // n_heads
    outs, maps = [], []
    for h in range(n_heads):
        x_q = X_query[..., h * d : (h + 1) * d]
        x_m = X_memory[..., h * d : (h + 1) * d]
        rows = slice(h * d, (h + 1) * d)
        Q = x_q @ params.W_Q[rows, h * k : (h + 1) * k]
        K = x_m @ params.W_K[rows, h * k : (h + 1) * k]
        V = x_m @ params.W_V[rows, h * v : (h + 1) * v]
        out, w = reference.masked_attention(Q, K, V, mask)
        outs.append(out)
        maps.append(w)
    return np.concatenate(outs, axis=-1) @ params.W_O, np.stack(maps, axis=-3)


@wrong(
    "makes the heads with a plain reshape, so a head gets parts of some tokens instead of columns of all tokens",
    names={"plain-reshape"},
    line="return Y.reshape(*Y.shape[:-2], n_heads, Y.shape[-2], Y.shape[-1] // n_heads)",
)
def reshapes_into_heads(X_query, X_memory, params, n_heads, mask=None):
    def heads_of(Y):
        return Y.reshape(*Y.shape[:-2], n_heads, Y.shape[-2], Y.shape[-1] // n_heads)

    Q, K, V = heads_of(X_query @ params.W_Q), heads_of(X_memory @ params.W_K), heads_of(X_memory @ params.W_V)
    if mask is not None:
        mask = mask[..., None, :, :]
    found, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(found) @ params.W_O, weights


@wrong(
    "merges the heads with a reshape alone, without moving the axis of the heads behind the tokens",
    names={"merged-by-reshape"},
    line="merged = heads.reshape(*X_query.shape[:-1], -1)",
)
def merges_by_reshape(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(X_memory @ params.W_K, n_heads)
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    merged = heads.reshape(*X_query.shape[:-1], -1)
    return merged @ params.W_O, weights


@wrong(
    "returns the weights averaged over the heads instead of one map per head",
    names={"weights-averaged"},
    line="return reference.merge_heads(heads) @ params.W_O, weights.mean(axis=-3)",
)
def mean_weights(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(X_memory @ params.W_K, n_heads)
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights.mean(axis=-3)


@wrong("returns weights and output in the wrong order", names={"results-exchanged"}, line="return weights, output")
def weights_first(X_query, X_memory, params, n_heads, mask=None):
    W_Q, W_K, W_V, W_O = params
    Q, K, V = [reference.split_heads(p, n_heads) for p in (X_query @ W_Q, X_memory @ W_K, X_memory @ W_V)]
    if mask is not None:
        mask = np.expand_dims(mask, axis=-3)
    heads, weights = reference.masked_attention(Q, K, V, mask)
    output = reference.merge_heads(heads) @ W_O
    return weights, output


@wrong(
    "multiplies by the transpose of W_O",
    names={"output-matrix-transposed"},
    line="output = reference.merge_heads(heads) @ params.W_O.T",
)
def transposed_W_O(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(X_memory @ params.W_K, n_heads)
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    output = reference.merge_heads(heads) @ params.W_O.T
    return output, weights


@wrong(
    "attends once with the full width instead of in heads, and repeats its one map for every head",
    names={"one-wide-head"},
    line="out, w = reference.masked_attention(Q, K, V, mask)",
)
def one_wide_head(X_query, X_memory, params, n_heads, mask=None):
    Q, K, V = X_query @ params.W_Q, X_memory @ params.W_K, X_memory @ params.W_V
    out, w = reference.masked_attention(Q, K, V, mask)
    weights = np.stack([w] * n_heads, axis=-3)
    return out @ params.W_O, weights


@wrong("does not use the mask", names={"mask-ignored"}, line="heads, weights = reference.masked_attention(Q, K, V)")
def forgets_the_mask(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(X_memory @ params.W_K, n_heads)
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    heads, weights = reference.masked_attention(Q, K, V)
    output = reference.merge_heads(heads) @ params.W_O
    return output, weights


@wrong("raises without a mask, because it indexes None", names={"mask-needed"}, line="mask = mask[..., None, :, :]")
def needs_a_mask(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(X_memory @ params.W_K, n_heads)
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "takes d_model // n_heads for the width of a head, so it fails when d_k or d_v is another width",
    names={"default-widths"},
    line="Q = (X_query @ params.W_Q).reshape(*X_query.shape[:-1], n_heads, d_k).swapaxes(-3, -2)",
)
def default_widths(X_query, X_memory, params, n_heads, mask=None):
    d_k = X_query.shape[-1] // n_heads
    Q = (X_query @ params.W_Q).reshape(*X_query.shape[:-1], n_heads, d_k).swapaxes(-3, -2)
    K = (X_memory @ params.W_K).reshape(*X_memory.shape[:-1], n_heads, d_k).swapaxes(-3, -2)
    V = (X_memory @ params.W_V).reshape(*X_memory.shape[:-1], n_heads, d_k).swapaxes(-3, -2)
    mask = mask if mask is None else mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "cuts the slices of W_V with the width of the queries and keys, which is wrong when d_v differs from d_k",
    line="V = X_memory @ params.W_V[:, h * d_k : (h + 1) * d_k]",
)
def slices_values_with_d_k(X_query, X_memory, params, n_heads, mask=None):
    d_k = params.W_Q.shape[1] // n_heads
    heads, weights = [], []
    for h in range(n_heads):
        Q = X_query @ params.W_Q[:, h * d_k : (h + 1) * d_k]
        K = X_memory @ params.W_K[:, h * d_k : (h + 1) * d_k]
        V = X_memory @ params.W_V[:, h * d_k : (h + 1) * d_k]
        head, w = reference.masked_attention(Q, K, V, mask)
        heads.append(head)
        weights.append(w)
    return np.concatenate(heads, axis=-1) @ params.W_O, np.stack(weights, axis=-3)


@wrong(
    "stacks the weights of the heads on the very first axis, in front of the batch",
    names={"head-axis-first"},
    line="return np.concatenate(heads, axis=-1) @ params.W_O, np.array(maps)",
)
def maps_in_front(X_query, X_memory, params, n_heads, mask=None):
    heads, maps = [], []
    columns = [np.split(W, n_heads, axis=1) for W in (params.W_Q, params.W_K, params.W_V)]
    for W_Q, W_K, W_V in zip(*columns):
        head, weights = reference.masked_attention(X_query @ W_Q, X_memory @ W_K, X_memory @ W_V, mask)
        heads.append(head)
        maps.append(weights)
    return np.concatenate(heads, axis=-1) @ params.W_O, np.array(maps)


@wrong(
    "divides by the root of d_k twice: scales the queries, and masked_attention scales again",
    names={"scaled-twice"},
    line="Q = Q / np.sqrt(Q.shape[-1])",
)
def scales_twice(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    Q = Q / np.sqrt(Q.shape[-1])
    K = reference.split_heads(X_memory @ params.W_K, n_heads)
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "two: the queries are made from X_memory and keys and values from X_query (exchanged), and W_O is forgotten",
    names={"roles-exchanged", "no-output-matrix"},
    line="Q = reference.split_heads(X_memory @ params.W_Q, n_heads)",
)
def exchanged_and_unmixed(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_memory @ params.W_Q, n_heads)
    K = reference.split_heads(X_query @ params.W_K, n_heads)
    V = reference.split_heads(X_query @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads), weights


@wrong(
    "two: the mask gets no axis for the heads, and the result is only the output without the weights",
    names={"mask-along-the-heads", "output-alone"},
    line="heads, weights = reference.masked_attention(Q, K, V, mask)",
)
def bare_mask_only_output(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(X_memory @ params.W_K, n_heads)
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O


@wrong(
    "half-finished: returns the heads as they are, neither merged nor multiplied by W_O", line="return heads, weights"
)
def heads_not_merged(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(X_memory @ params.W_K, n_heads)
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return heads, weights


@right
def all_heads_at_once(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(X_memory @ params.W_K, n_heads)
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@right
def one_head_after_the_other(X_query, X_memory, params, n_heads, mask=None):
    W_Qs, W_Ks, W_Vs = (np.split(W, n_heads, axis=1) for W in (params.W_Q, params.W_K, params.W_V))
    heads, maps = [], []
    for h in range(n_heads):
        head, w = reference.masked_attention(X_query @ W_Qs[h], X_memory @ W_Ks[h], X_memory @ W_Vs[h], mask)
        heads.append(head)
        maps.append(w)
    return np.concatenate(heads, axis=-1) @ params.W_O, np.stack(maps, axis=-3)


@right
def sum_of_contributions(X_query, X_memory, params, n_heads, mask=None):
    W_Q, W_K, W_V = (W.reshape(W.shape[0], n_heads, -1) for W in params[:3])
    W_O = params.W_O.reshape(n_heads, -1, params.W_O.shape[1])
    Q = np.einsum("...im,mhc->...hic", X_query, W_Q)
    K = np.einsum("...jm,mhc->...hjc", X_memory, W_K)
    V = np.einsum("...jm,mhc->...hjc", X_memory, W_V)
    scores = np.einsum("...ic,...jc->...ij", Q, K) / np.sqrt(Q.shape[-1])
    weights = reference.masked_softmax(scores, None if mask is None else np.expand_dims(mask, -3))
    return np.einsum("...hij,...hjc,hcm->...im", weights, V, W_O), weights


@right
def own_reshapes(X_query, X_memory, params, n_heads, mask=None):
    def project(X, W):
        Y = X @ W
        return np.moveaxis(Y.reshape(Y.shape[:-1] + (n_heads, Y.shape[-1] // n_heads)), -2, -3)

    visible = None if mask is None else mask[..., None, :, :]
    Q, K, V = project(X_query, params.W_Q), project(X_memory, params.W_K), project(X_memory, params.W_V)
    found, weights = reference.masked_attention(Q, K, V, visible)
    found = np.moveaxis(found, -3, -2)
    return found.reshape(*found.shape[:-2], -1) @ params.W_O, weights


@wrong("gives the heads rows of the matrices instead of columns")
def rows_for_heads(X_query, X_memory, params, n_heads, mask=None):
    size = X_query.shape[-1] // n_heads
    outputs, weights = [], []
    for h in range(n_heads):
        part = slice(h * size, (h + 1) * size)
        Q = X_query[..., part] @ params.W_Q[part]
        K = X_memory[..., part] @ params.W_K[part]
        V = X_memory @ params.W_V
        out, w = masked_attention(Q, K, split_heads(V, n_heads)[..., h, :, :], mask)
        outputs.append(out)
        weights.append(w)
    return np.concatenate(outputs, axis=-1) @ params.W_O, np.stack(weights, axis=-3)


@wrong("cuts the values as wide as the keys")
def values_as_wide_as_keys(X_query, X_memory, params, n_heads, mask=None):
    Q, K, V = X_query @ params.W_Q, X_memory @ params.W_K, X_memory @ params.W_V
    d_k = Q.shape[-1] // n_heads
    outputs, weights = [], []
    for h in range(n_heads):
        cut = slice(h * d_k, (h + 1) * d_k)
        out, w = masked_attention(Q[..., cut], K[..., cut], V[..., cut], mask)
        outputs.append(out)
        weights.append(w)
    return np.concatenate(outputs, axis=-1) @ params.W_O, np.stack(weights, axis=-3)


@wrong("adds the residual, which belongs to a later unit")
def residual_added(X_query, X_memory, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q, n_heads)
    K = split_heads(X_memory @ params.W_K, n_heads)
    V = split_heads(X_memory @ params.W_V, n_heads)
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    heads, weights = masked_attention(Q, K, V, mask)
    return X_query + merge_heads(heads) @ params.W_O, weights


@wrong(
    "the mask gets its axis for the heads in second place, which is wrong for a mask of two axes",
    names={"mask-axis-second"},
    line="mask = mask[:, None]",
)
def mask_axis_second(X_query, X_memory, params, n_heads, mask=None):
    Q = reference.split_heads(X_query @ params.W_Q, n_heads)
    K = reference.split_heads(X_memory @ params.W_K, n_heads)
    V = reference.split_heads(X_memory @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[:, None]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "two mistakes: the mask gets no axis for the heads, and W_O is left out",
    names={"mask-along-the-heads", "no-output-matrix"},
)
def mask_axis_and_W_O_missing(X_query, X_memory, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q, n_heads)
    K = split_heads(X_memory @ params.W_K, n_heads)
    V = split_heads(X_memory @ params.W_V, n_heads)
    if mask is not None:
        pass
    heads, weights = masked_attention(Q, K, V, mask)
    return merge_heads(heads), weights


@wrong("makes the keys with W_V", names={"keys-by-W_V"}, line="K = split_heads(X_memory @ params.W_V, n_heads)")
def keys_from_W_V(X_query, X_memory, params, n_heads, mask=None):
    Q = split_heads(X_query @ params.W_Q, n_heads)
    K = split_heads(X_memory @ params.W_V, n_heads)
    V = split_heads(X_memory @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = masked_attention(Q, K, V, mask)
    return merge_heads(heads) @ params.W_O, weights


@wrong(
    "takes X_query itself for the queries, without W_Q",
    names={"queries-not-projected"},
    line="Q = split_heads(X_query, n_heads)",
)
def raw_queries(X_query, X_memory, params, n_heads, mask=None):
    Q = split_heads(X_query, n_heads)
    K, V = split_heads(X_memory @ params.W_K, n_heads), split_heads(X_memory @ params.W_V, n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = masked_attention(Q, K, V, mask)
    return merge_heads(heads) @ params.W_O, weights
