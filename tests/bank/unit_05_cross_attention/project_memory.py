"""Functions that learners wrote for `project_memory`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit.reference import split_heads
from transformer_kit import reference


@wrong("returns values and keys in the wrong order", names={"results-exchanged"}, line="return V, K")
def values_first(memory, params, n_heads):
    K = reference.split_heads(memory @ params.W_K, n_heads)
    V = reference.split_heads(memory @ params.W_V, n_heads)
    return V, K


@wrong(
    "makes the values with W_K instead of W_V",
    names={"values-with-W-K"},
    line="V = reference.split_heads(memory @ params.W_K, n_heads)",
)
def one_matrix_for_both(memory, params, n_heads):
    projected = memory @ params.W_K
    K = reference.split_heads(projected, n_heads)
    V = reference.split_heads(memory @ params.W_K, n_heads)
    return K, V


@wrong("projects the keys with W_Q instead of W_K", names={"keys-with-W-Q"}, line="K = memory @ params.W_Q")
def keys_with_W_Q(memory, params, n_heads):
    K = memory @ params.W_Q
    V = memory @ params.W_V
    return reference.split_heads(K, n_heads), reference.split_heads(V, n_heads)


@wrong("makes the values from the keys, not from the memory", names={"values-from-keys"}, line="V = K @ params.W_V")
def values_from_keys(memory, params, n_heads):
    K = memory @ params.W_K
    V = K @ params.W_V
    K = reference.split_heads(K, n_heads)
    V = reference.split_heads(V, n_heads)
    return K, V


@wrong("does not split into heads", names={"not-split"}, line="return K, V")
def no_heads(memory, params, n_heads):
    K = np.matmul(memory, params.W_K)
    V = np.matmul(memory, params.W_V)
    return K, V


@wrong(
    "cuts the memory into heads before it projects, so a head sees only its own columns of the memory",
    names={"memory-split"},
    line="heads = reference.split_heads(memory, n_heads)",
)
def cuts_the_memory(memory, params, n_heads):
    heads = reference.split_heads(memory, n_heads)
    d = heads.shape[-1]
    W_K = np.stack([W[h * d : (h + 1) * d] for h, W in enumerate(np.split(params.W_K, n_heads, axis=1))])
    W_V = np.stack([W[h * d : (h + 1) * d] for h, W in enumerate(np.split(params.W_V, n_heads, axis=1))])
    return heads @ W_K, heads @ W_V


@wrong(
    "makes the heads with a plain reshape, so a head gets parts of some tokens instead of columns of all tokens",
    names={"reshaped"},
    line="K = K.reshape(*K.shape[:-2], n_heads, n, -1)",
)
def plain_reshape(memory, params, n_heads):
    n = memory.shape[-2]
    K, V = memory @ params.W_K, memory @ params.W_V
    K = K.reshape(*K.shape[:-2], n_heads, n, -1)
    V = V.reshape(*V.shape[:-2], n_heads, n, -1)
    return K, V


@wrong(
    "cuts the rows into heads but leaves the axis of the heads behind the tokens: (..., n_source, n_heads, d_k)",
    names={"heads-not-moved"},
    line="K = (memory @ params.W_K).reshape(*memory.shape[:-1], n_heads, -1)",
)
def heads_behind_tokens(memory, params, n_heads):
    K = (memory @ params.W_K).reshape(*memory.shape[:-1], n_heads, -1)
    V = (memory @ params.W_V).reshape(*memory.shape[:-1], n_heads, -1)
    return K, V


@wrong(
    "takes d_model // n_heads for the width of a head, so it raises when d_k or d_v is another width",
    names={"width-of-model"},
    line="K = (memory @ params.W_K).reshape(*front, n, n_heads, width)",
)
def default_width(memory, params, n_heads):
    *front, n, d_model = memory.shape
    width = d_model // n_heads
    K = (memory @ params.W_K).reshape(*front, n, n_heads, width)
    V = (memory @ params.W_V).reshape(*front, n, n_heads, width)
    return K.swapaxes(-2, -3), V.swapaxes(-2, -3)


@wrong(
    "multiplies by the transposed matrices",
    names={"weights-transposed"},
    line="K = reference.split_heads(memory @ params.W_K.T, n_heads)",
)
def transposed_matrices(memory, params, n_heads):
    K = reference.split_heads(memory @ params.W_K.T, n_heads)
    V = reference.split_heads(memory @ params.W_V.T, n_heads)
    return K, V


@wrong(
    "gives a head every n_heads-th column instead of neighbouring columns",
    names={"interleaved"},
    line="K = np.stack([K[..., h::n_heads] for h in range(n_heads)], axis=-3)",
)
def every_other_column(memory, params, n_heads):
    K = memory @ params.W_K
    V = memory @ params.W_V
    K = np.stack([K[..., h::n_heads] for h in range(n_heads)], axis=-3)
    V = np.stack([V[..., h::n_heads] for h in range(n_heads)], axis=-3)
    return K, V


@wrong(
    "stacks the heads on the very first axis, so they stand in front of the batch instead of just before the tokens",
    names={"heads-first"},
    line="K = np.stack(np.split(memory @ params.W_K, n_heads, axis=-1))",
)
def heads_before_the_batch(memory, params, n_heads):
    K = np.stack(np.split(memory @ params.W_K, n_heads, axis=-1))
    V = np.stack(np.split(memory @ params.W_V, n_heads, axis=-1))
    return K, V


@wrong("multiplies the values by W_O, which takes no part here", line="V = memory @ params.W_V @ params.W_O")
def values_with_W_O(memory, params, n_heads):
    K = memory @ params.W_K
    V = memory @ params.W_V @ params.W_O
    return reference.split_heads(K, n_heads), reference.split_heads(V, n_heads)


@wrong(
    "works for a memory of two axes only: in a batch it takes the sentences for the tokens, and tokens are mixed",
    names={"two-axes-only"},
    line="K = K.reshape(n, n_heads, -1).transpose(1, 0, 2)",
)
def one_sentence_only(memory, params, n_heads):
    n = memory.shape[0]
    K = memory @ params.W_K
    V = memory @ params.W_V
    K = K.reshape(n, n_heads, -1).transpose(1, 0, 2)
    V = V.reshape(n, n_heads, -1).transpose(1, 0, 2)
    return K, V


@wrong(
    "divides the keys by the root of d_k, which belongs to the scores",
    names={"scaled"},
    line="K = K / np.sqrt(K.shape[-1])",
)
def scaled_keys(memory, params, n_heads):
    K = reference.split_heads(memory @ params.W_K, n_heads)
    V = reference.split_heads(memory @ params.W_V, n_heads)
    K = K / np.sqrt(K.shape[-1])
    return K, V


@wrong(
    "returns the memory itself, split into heads, as values: W_V is not used",
    names={"values-not-projected"},
    line="V = reference.split_heads(memory, n_heads)",
)
def values_are_the_memory(memory, params, n_heads):
    K = reference.split_heads(memory @ params.W_K, n_heads)
    V = reference.split_heads(memory, n_heads)
    return K, V


@wrong(
    "splits the values with the width of a key, which is wrong when d_v differs from d_k",
    names={"width-of-keys"},
    line="values.append(V[..., h * d_k : (h + 1) * d_k])",
)
def values_cut_with_d_k(memory, params, n_heads):
    K, V = memory @ params.W_K, memory @ params.W_V
    d_k = K.shape[-1] // n_heads
    keys, values = [], []
    for h in range(n_heads):
        keys.append(K[..., h * d_k : (h + 1) * d_k])
        values.append(V[..., h * d_k : (h + 1) * d_k])
    return np.stack(keys, axis=-3), np.stack(values, axis=-3)


@wrong(
    "two: exchanges the matrices (keys with W_V, values with W_K), and does not split into heads",
    names={"not-split", "results-exchanged"},
    line="K = memory @ params.W_V",
)
def exchanged_and_whole(memory, params, n_heads):
    K = memory @ params.W_V
    V = memory @ params.W_K
    return K, V


@wrong(
    "two: makes the keys with W_Q instead of W_K, and returns values and keys in the wrong order",
    names={"keys-with-W-Q", "results-exchanged"},
    line="W_K, W_V = params[0], params[2]",
)
def first_and_third(memory, params, n_heads):
    W_K, W_V = params[0], params[2]
    K, V = (reference.split_heads(memory @ W, n_heads) for W in (W_K, W_V))
    return V, K


@wrong(
    "exchanges the last two axes of the heads, so keys and values have the shape (..., n_heads, d_k, n_source)",
    names={"split_heads/channels-before-tokens", "tokens-last"},
    line="return K.swapaxes(-1, -2), V.swapaxes(-1, -2)",
)
def tokens_last(memory, params, n_heads):
    K = reference.split_heads(memory @ params.W_K, n_heads)
    V = reference.split_heads(memory @ params.W_V, n_heads)
    return K.swapaxes(-1, -2), V.swapaxes(-1, -2)


@wrong(
    "projects with random matrices that it draws itself instead of those in params",
    line="W_K = rng.standard_normal(params.W_K.shape)",
)
def own_matrices(memory, params, n_heads):
    rng = np.random.default_rng()
    W_K = rng.standard_normal(params.W_K.shape)
    W_V = rng.standard_normal(params.W_V.shape)
    K = reference.split_heads(memory @ W_K, n_heads)
    V = reference.split_heads(memory @ W_V, n_heads)
    return K, V


@right
def from_helpers(memory, params, n_heads):
    K = reference.split_heads(memory @ params.W_K, n_heads)
    V = reference.split_heads(memory @ params.W_V, n_heads)
    return K, V


@right
def slices_of_matrices(memory, params, n_heads):
    def heads(W):
        return np.stack([memory @ part for part in np.split(W, n_heads, axis=1)], axis=-3)

    return heads(params.W_K), heads(params.W_V)


@right
def with_einsum(memory, params, n_heads):
    d_model = memory.shape[-1]
    W_K = params.W_K.reshape(d_model, n_heads, -1)
    W_V = params.W_V.reshape(d_model, n_heads, -1)
    return np.einsum("...sm,mhk->...hsk", memory, W_K), np.einsum("...sm,mhv->...hsv", memory, W_V)


@right
def reshape_and_move(memory, params, n_heads):
    results = []
    for W in (params.W_K, params.W_V):
        Y = np.matmul(memory, W)
        Y = Y.reshape(Y.shape[:-1] + (n_heads, Y.shape[-1] // n_heads))
        results.append(np.moveaxis(Y, -2, -3))
    K, V = results
    return K, V


@wrong(
    "cuts the memory into heads before it is projected, and projects each with the same block",
    names={"memory-split-for-one-block"},
)
def one_block_for_all_heads(memory, params, n_heads):
    d = params.W_K.shape[1] // n_heads
    H = split_heads(memory, n_heads)
    return H @ params.W_K[:d, :d], H @ params.W_V[:d, :d]


@wrong(
    "cuts the memory into heads before it is projected, and projects each with the first rows and columns",
    names={"memory-split-for-first-columns"},
)
def first_block_of_own_width(memory, params, n_heads):
    H = split_heads(memory, n_heads)
    d = H.shape[-1]
    return H @ params.W_K[:d, : params.W_K.shape[1] // n_heads], H @ params.W_V[:d, : params.W_V.shape[1] // n_heads]
