"""Functions that learners wrote for `fused_self_attention`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit.reference import masked_attention, merge_heads, split_heads
from transformer_kit import reference
from transformer_kit.parameters import AttentionParams


@wrong(
    "takes the blocks in the order K, Q, V: keys and queries are exchanged",
    names={"keys-first"},
    line="K, Q, V = np.split(X @ W_QKV, 3, axis=-1)",
)
def keys_first(X, W_QKV, W_O, n_heads, mask=None):
    K, Q, V = np.split(X @ W_QKV, 3, axis=-1)
    Q, K, V = (reference.split_heads(Y, n_heads) for Y in (Q, K, V))
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ W_O, weights


@wrong(
    "takes the blocks in the order V, K, Q instead of Q, K, V",
    names={"values-first"},
    line="Q = reference.split_heads(P[..., 2 * d :], n_heads)",
)
def reversed_blocks(X, W_QKV, W_O, n_heads, mask=None):
    d = X.shape[-1]
    P = X @ W_QKV
    Q = reference.split_heads(P[..., 2 * d :], n_heads)
    K = reference.split_heads(P[..., d : 2 * d], n_heads)
    V = reference.split_heads(P[..., :d], n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ W_O, weights


@wrong(
    "splits the wide product into heads first and then into Q, K and V, as if those of head 0 stood together, then "
    "those of head 1 (the order of GPT-NeoX)",
    names={"block-per-head"},
    line="heads = reference.split_heads(X @ W_QKV, n_heads)",
)
def heads_before_blocks(X, W_QKV, W_O, n_heads, mask=None):
    heads = reference.split_heads(X @ W_QKV, n_heads)
    Q, K, V = np.split(heads, 3, axis=-1)
    if mask is not None:
        mask = mask[..., None, :, :]
    out, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(out) @ W_O, weights


@wrong(
    "cuts the product along its first axis (the tokens or the batch) instead of the columns",
    names={"rows-cut"},
    line="Q, K, V = np.split(QKV, 3)",
)
def cuts_the_first_axis(X, W_QKV, W_O, n_heads, mask=None):
    QKV = X @ W_QKV
    Q, K, V = np.split(QKV, 3)
    Q, K, V = (reference.split_heads(Y, n_heads) for Y in (Q, K, V))
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ W_O, weights


@wrong(
    "takes every third column for Q, K and V instead of three blocks of neighbouring columns",
    names={"in-turn"},
    line="Q, K, V = P[..., 0::3], P[..., 1::3], P[..., 2::3]",
)
def every_third_column(X, W_QKV, W_O, n_heads, mask=None):
    P = X @ W_QKV
    Q, K, V = P[..., 0::3], P[..., 1::3], P[..., 2::3]
    Q, K, V = [reference.split_heads(A, n_heads) for A in (Q, K, V)]
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ W_O, weights


@wrong("does not use the mask", names={"mask-ignored"}, line="heads, weights = reference.masked_attention(Q, K, V)")
def forgets_the_mask(X, W_QKV, W_O, n_heads, mask=None):
    Q, K, V = np.split(X @ W_QKV, 3, axis=-1)
    Q = reference.split_heads(Q, n_heads)
    K = reference.split_heads(K, n_heads)
    V = reference.split_heads(V, n_heads)
    heads, weights = reference.masked_attention(Q, K, V)
    return reference.merge_heads(heads) @ W_O, weights


@wrong(
    "forgets the multiplication by W_O", names={"no-output-matrix"}, line="return reference.merge_heads(heads), weights"
)
def without_W_O(X, W_QKV, W_O, n_heads, mask=None):
    Q, K, V = (reference.split_heads(Y, n_heads) for Y in np.split(X @ W_QKV, 3, axis=-1))
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads), weights


@wrong(
    "gives the mask no axis for the heads, so a mask per sequence meets the heads",
    names={"mask-along-the-heads"},
    line="heads, weights = reference.masked_attention(Q, K, V, mask)",
)
def mask_without_head_axis(X, W_QKV, W_O, n_heads, mask=None):
    Q, K, V = np.split(np.matmul(X, W_QKV), 3, axis=-1)
    Q, K, V = (reference.split_heads(Y, n_heads) for Y in (Q, K, V))
    heads, weights = reference.masked_attention(Q, K, V, mask)
    output = np.matmul(reference.merge_heads(heads), W_O)
    return output, weights


@wrong(
    "attends with the whole width instead of splitting into heads: a single map of weights, scaled by the root of "
    "d_model",
    names={"no-heads"},
    line="output, weights = reference.masked_attention(Q, K, V, mask)",
)
def no_heads(X, W_QKV, W_O, n_heads, mask=None):
    Q, K, V = np.split(X @ W_QKV, 3, axis=-1)
    output, weights = reference.masked_attention(Q, K, V, mask)
    return output @ W_O, weights


@wrong(
    "reads the width from axis 1, which is that of the tokens as soon as there is a leading axis",
    names={"width-from-axis-1"},
    line="d_model = X.shape[1]",
)
def width_from_axis_1(X, W_QKV, W_O, n_heads, mask=None):
    d_model = X.shape[1]
    QKV = X @ W_QKV
    Q = reference.split_heads(QKV[..., :d_model], n_heads)
    K = reference.split_heads(QKV[..., d_model : 2 * d_model], n_heads)
    V = reference.split_heads(QKV[..., 2 * d_model :], n_heads)
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ W_O, weights


@wrong(
    "cuts the product into as many blocks as heads instead of three",
    names={"block-per-head"},
    line="blocks = np.split(X @ W_QKV, n_heads, axis=-1)",
)
def as_many_blocks_as_heads(X, W_QKV, W_O, n_heads, mask=None):
    blocks = np.split(X @ W_QKV, n_heads, axis=-1)
    outputs, maps = [], []
    for block in blocks:
        Q, K, V = np.split(block, 3, axis=-1)
        head, w = reference.masked_attention(Q, K, V, mask)
        outputs.append(head)
        maps.append(w)
    return np.concatenate(outputs, axis=-1) @ W_O, np.stack(maps, axis=-3)


@wrong(
    "uses the block of the keys for the values, too",
    names={"values-from-keys"},
    line="Q, K, V = P[..., :d], P[..., d : 2 * d], P[..., d : 2 * d]",
)
def values_from_keys(X, W_QKV, W_O, n_heads, mask=None):
    d = W_O.shape[0]
    P = X @ W_QKV
    Q, K, V = P[..., :d], P[..., d : 2 * d], P[..., d : 2 * d]
    Q, K, V = map(lambda Y: reference.split_heads(Y, n_heads), (Q, K, V))
    mask = None if mask is None else mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ W_O, weights


@wrong(
    "makes the heads with a plain reshape instead of cutting the columns of every token, so tokens are mixed up",
    names={"heads-reshaped"},
    line="Q, K, V = (Y.reshape(*X.shape[:-2], n_heads, n, d // n_heads) for Y in np.split(X @ W_QKV, 3, axis=-1))",
)
def reshaped_heads(X, W_QKV, W_O, n_heads, mask=None):
    n, d = X.shape[-2:]
    Q, K, V = (Y.reshape(*X.shape[:-2], n_heads, n, d // n_heads) for Y in np.split(X @ W_QKV, 3, axis=-1))
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ W_O, weights


@wrong(
    "divides the scores by the root of d_model instead of that of the width of one head",
    names={"scaled-by-d-model"},
    line="scores = Q @ K.swapaxes(-1, -2) / np.sqrt(X.shape[-1])",
)
def root_of_d_model(X, W_QKV, W_O, n_heads, mask=None):
    Q, K, V = (reference.split_heads(Y, n_heads) for Y in np.split(X @ W_QKV, 3, axis=-1))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(X.shape[-1])
    if mask is not None:
        mask = mask[..., None, :, :]
    weights = reference.masked_softmax(scores, mask)
    return reference.merge_heads(weights @ V) @ W_O, weights


@wrong(
    "returns only the output, without the weights",
    names={"output-alone"},
    line="return reference.merge_heads(heads) @ W_O",
)
def only_output(X, W_QKV, W_O, n_heads, mask=None):
    Q, K, V = (reference.split_heads(Y, n_heads) for Y in np.split(X @ W_QKV, 3, axis=-1))
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ W_O


@wrong(
    "cuts the matrix into three along its rows instead of its columns",
    names={"rows-cut"},
    line="W_Q, W_K, W_V = np.split(W_QKV, 3, axis=0)",
)
def cuts_rows_of_the_matrix(X, W_QKV, W_O, n_heads, mask=None):
    W_Q, W_K, W_V = np.split(W_QKV, 3, axis=0)
    params = AttentionParams(W_Q, W_K, W_V, W_O)
    return reference.multi_head_attention(X, X, params, n_heads, mask)


@wrong(
    "reshapes the columns to (d, 3) instead of (3, d), so neighbouring columns go to Q, K and V in turn",
    names={"in-turn"},
    line="P = (X @ W_QKV).reshape(*X.shape[:-1], X.shape[-1], 3)",
)
def three_last(X, W_QKV, W_O, n_heads, mask=None):
    P = (X @ W_QKV).reshape(*X.shape[:-1], X.shape[-1], 3)
    Q, K, V = (reference.split_heads(P[..., i], n_heads) for i in range(3))
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ W_O, weights


@wrong(
    "two: takes the blocks in the order Q, V, K (keys and values exchanged), and does not use the mask",
    names={"values-second", "mask-ignored"},
    line="W_Q, W_V, W_K = np.split(W_QKV, 3, axis=-1)",
)
def exchanged_and_unmasked(X, W_QKV, W_O, n_heads, mask=None):
    W_Q, W_V, W_K = np.split(W_QKV, 3, axis=-1)
    params = AttentionParams(W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=W_O)
    return reference.multi_head_attention(X, X, params, n_heads)


@wrong(
    "two: merges the heads with a reshape alone, without moving the axis of the heads, and returns the weights first",
    line="output = heads.reshape(X.shape) @ W_O",
)
def reshaped_and_swapped(X, W_QKV, W_O, n_heads, mask=None):
    Q, K, V = (reference.split_heads(Y, n_heads) for Y in np.split(X @ W_QKV, 3, axis=-1))
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    output = heads.reshape(X.shape) @ W_O
    return weights, output


@right
def one_product(X, W_QKV, W_O, n_heads, mask=None):
    Q, K, V = (reference.split_heads(Y, n_heads) for Y in np.split(X @ W_QKV, 3, axis=-1))
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ W_O, weights


@right
def three_matrices(X, W_QKV, W_O, n_heads, mask=None):
    d = X.shape[-1]
    params = AttentionParams(W_QKV[:, :d], W_QKV[:, d : 2 * d], W_QKV[:, 2 * d :], W_O)
    return reference.multi_head_attention(X, X, params, n_heads, mask)


@right
def five_axes(X, W_QKV, W_O, n_heads, mask=None):
    *front, n, d = X.shape
    P = (X @ W_QKV).reshape(*front, n, 3, n_heads, d // n_heads)
    Q, K, V = np.moveaxis(P, (-3, -2), (0, -3))
    if mask is not None:
        mask = np.expand_dims(mask, axis=-3)
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return np.swapaxes(heads, -3, -2).reshape(*front, n, d) @ W_O, weights


@right
def head_by_head(X, W_QKV, W_O, n_heads, mask=None):
    d = X.shape[-1]
    w = d // n_heads
    P = X @ W_QKV
    output, maps = 0, []
    for h in range(n_heads):
        q, k, v = (P[..., b * d + h * w : b * d + (h + 1) * w] for b in range(3))
        head, weights = reference.masked_attention(q, k, v, mask)
        output = output + head @ W_O[h * w : (h + 1) * w]
        maps.append(weights)
    return output, np.stack(maps, axis=-3)


@wrong(
    "cuts axis 1 of the product, which is that of the tokens when there is a batch",
    names={"second-axis-cut"},
    line="Q, K, V = QKV[:, :d], QKV[:, d : 2 * d], QKV[:, 2 * d :]",
)
def slices_axis_1(X, W_QKV, W_O, n_heads, mask=None):
    d = W_O.shape[0]
    QKV = X @ W_QKV
    Q, K, V = QKV[:, :d], QKV[:, d : 2 * d], QKV[:, 2 * d :]
    Q, K, V = (split_heads(A, n_heads) for A in (Q, K, V))
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = masked_attention(Q, K, V, mask)
    return merge_heads(heads) @ W_O, weights


@wrong(
    "two mistakes: the blocks are taken in the order K, Q, V, and the mask is not passed on",
    names={"keys-first", "mask-ignored"},
)
def keys_first_and_no_mask(X, W_QKV, W_O, n_heads, mask=None):
    K, Q, V = np.split(X @ W_QKV, 3, axis=-1)
    Q, K, V = (split_heads(a, n_heads) for a in (Q, K, V))
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = masked_attention(Q, K, V)
    return merge_heads(heads) @ W_O, weights


@wrong(
    "cuts blocks that are as wide as one head", names={"blocks-as-wide-as-a-head"}, line="d = X.shape[-1] // n_heads"
)
def blocks_of_one_head(X, W_QKV, W_O, n_heads, mask=None):
    QKV = X @ W_QKV
    d = X.shape[-1] // n_heads
    Q, K, V = QKV[..., :d], QKV[..., d : 2 * d], QKV[..., 2 * d : 3 * d]
    Q, K, V = (split_heads(A, n_heads) for A in (Q, K, V))
    if mask is not None:
        mask = mask[..., None, :, :]
    heads, weights = masked_attention(Q, K, V, mask)
    return merge_heads(heads) @ W_O, weights
