"""Functions that learners wrote for `cross_attention`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import masked_attention, merge_heads, multi_head_attention, split_heads


@wrong(
    "exchanges who asks and who answers: queries from the memory, keys and values from the decoder states",
    names={"roles-exchanged"},
    line="Q = reference.split_heads(memory @ params.W_Q, n_heads)",
)
def memory_asks(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(memory @ params.W_Q, n_heads)
    K, V = reference.project_memory(X_decoder, params, n_heads)
    mask = None
    if memory_is_token is not None:
        mask = reference.padding_mask(memory_is_token)[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "ignores memory_is_token: the padding of the source is not hidden",
    names={"mask-ignored"},
    line="heads, weights = reference.masked_attention(Q, K, V)",
)
def padding_visible(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
    K, V = reference.project_memory(memory, params, n_heads)
    heads, weights = reference.masked_attention(Q, K, V)
    output = reference.merge_heads(heads) @ params.W_O
    return output, weights


@wrong(
    "adds a causal mask, although the whole source may be seen",
    names={"causal"},
    line="mask = np.tril(np.ones((X_decoder.shape[-2], memory.shape[-2]), dtype=bool))",
)
def causal_too(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
    K, V = reference.project_memory(memory, params, n_heads)
    mask = np.tril(np.ones((X_decoder.shape[-2], memory.shape[-2]), dtype=bool))
    if memory_is_token is not None:
        mask = reference.combine_masks(mask, reference.padding_mask(memory_is_token)[..., None, :, :])
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "gives the padding mask only one new axis: the axis for the heads is missing, so the batch meets the heads",
    names={"no-axis-for-heads"},
    line="mask = reference.padding_mask(memory_is_token)",
)
def one_axis_missing(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
    K, V = reference.project_memory(memory, params, n_heads)
    mask = None
    if memory_is_token is not None:
        mask = reference.padding_mask(memory_is_token)
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "passes memory_is_token on as the mask without any new axis",
    names={"no-new-axes"},
    line="heads, weights = reference.masked_attention(Q, K, V, memory_is_token)",
)
def bare_is_token(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
    K = reference.split_heads(memory @ params.W_K, n_heads)
    V = reference.split_heads(memory @ params.W_V, n_heads)
    heads, weights = reference.masked_attention(Q, K, V, memory_is_token)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "inverts the padding mask: hides the tokens of the source and shows its padding",
    names={"inverted"},
    line="mask = ~memory_is_token[..., None, None, :]",
)
def tokens_hidden(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
    K, V = reference.project_memory(memory, params, n_heads)
    mask = None
    if memory_is_token is not None:
        mask = ~memory_is_token[..., None, None, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "inserts the two new axes of the padding mask after the first axis: wrong for a single sentence without a batch",
    names={"one-batch-axis"},
    line="mask = memory_is_token[:, None, None]",
)
def batch_taken_for_granted(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
    K, V = reference.project_memory(memory, params, n_heads)
    if memory_is_token is None:
        mask = None
    else:
        mask = memory_is_token[:, None, None]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "raises when memory_is_token is None, because it always makes a mask of it",
    names={"mask-needed"},
    line="mask = reference.padding_mask(memory_is_token)[..., None, :, :]",
)
def needs_padding(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
    K, V = reference.project_memory(memory, params, n_heads)
    mask = reference.padding_mask(memory_is_token)[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "forgets the multiplication by W_O",
    names={"no-output-projection"},
    line="return reference.merge_heads(heads), weights",
)
def without_W_O(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
    K, V = reference.project_memory(memory, params, n_heads)
    mask = None if memory_is_token is None else memory_is_token[..., None, None, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads), weights


@wrong(
    "makes the values from the decoder states instead of the memory",
    names={"values-from-decoder"},
    line="V = reference.split_heads(X_decoder @ params.W_V, n_heads)",
)
def values_from_target(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
    K = reference.split_heads(memory @ params.W_K, n_heads)
    V = reference.split_heads(X_decoder @ params.W_V, n_heads)
    mask = None if memory_is_token is None else memory_is_token[..., None, None, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "uses the decoder states as queries without projecting them with W_Q",
    names={"queries-not-projected"},
    line="Q = reference.split_heads(X_decoder, n_heads)",
)
def unprojected_queries(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder, n_heads)
    K, V = reference.project_memory(memory, params, n_heads)
    mask = None
    if memory_is_token is not None:
        mask = reference.padding_mask(memory_is_token)[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    output = reference.merge_heads(heads) @ params.W_O
    return output, weights


@wrong(
    "takes keys and values in the wrong order from project_memory",
    names={"keys-and-values-exchanged", "project_memory/results-exchanged"},
    line="V, K = reference.project_memory(memory, params, n_heads)",
)
def unpacked_backwards(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
    V, K = reference.project_memory(memory, params, n_heads)
    mask = None
    if memory_is_token is not None:
        mask = np.expand_dims(memory_is_token, (-3, -2))
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "returns weights and output in the wrong order",
    names={"results-exchanged"},
    line="return weights, reference.merge_heads(heads) @ params.W_O",
)
def weights_first(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
    K, V = reference.project_memory(memory, params, n_heads)
    mask = None
    if memory_is_token is not None:
        mask = memory_is_token[..., np.newaxis, np.newaxis, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return weights, reference.merge_heads(heads) @ params.W_O


@wrong("returns only the output, without the weights", line="return output")
def only_output(X_decoder, memory, params, n_heads, memory_is_token=None):
    mask = None if memory_is_token is None else reference.padding_mask(memory_is_token)
    output, weights = reference.multi_head_attention(X_decoder, memory, params, n_heads, mask)
    return output


@wrong(
    "returns the weights averaged over the heads instead of one map per head",
    names={"mean-weights"},
    line="return output, weights.mean(axis=-3)",
)
def one_map(X_decoder, memory, params, n_heads, memory_is_token=None):
    mask = None if memory_is_token is None else reference.padding_mask(memory_is_token)
    output, weights = reference.multi_head_attention(X_decoder, memory, params, n_heads, mask)
    return output, weights.mean(axis=-3)


@wrong(
    "hides the padding only after the softmax, by setting its weights to 0, so the rows of weights do not sum to 1",
    names={"weights-times-mask"},
    line="weights = weights * memory_is_token[..., None, None, :]",
)
def zeroes_the_weights(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
    K, V = reference.project_memory(memory, params, n_heads)
    _, weights = reference.masked_attention(Q, K, V)
    if memory_is_token is not None:
        weights = weights * memory_is_token[..., None, None, :]
    return reference.merge_heads(weights @ V) @ params.W_O, weights


@wrong(
    "sets the padding rows of the memory to 0 instead of hiding them, so padding still gets weight",
    names={"memory-zeroed"},
    line="memory = memory * memory_is_token[..., None]",
)
def memory_set_to_zero(X_decoder, memory, params, n_heads, memory_is_token=None):
    if memory_is_token is not None:
        memory = memory * memory_is_token[..., None]
    return reference.multi_head_attention(X_decoder, memory, params, n_heads)


@wrong(
    "writes zeros into the padding rows of the memory that it was given (changes its argument)",
    names={"memory-zeroed-in-place"},
    line="memory[~memory_is_token] = 0",
)
def writes_into_the_memory(X_decoder, memory, params, n_heads, memory_is_token=None):
    mask = None
    if memory_is_token is not None:
        memory[~memory_is_token] = 0
        mask = memory_is_token[..., None, None, :]
    Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
    K, V = reference.project_memory(memory, params, n_heads)
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@wrong(
    "attends with the full width as a single head: n_heads is not used",
    line="output, weights = reference.masked_attention(Q, K, V, mask)",
)
def single_head(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = X_decoder @ params.W_Q
    K, V = memory @ params.W_K, memory @ params.W_V
    mask = None if memory_is_token is None else reference.padding_mask(memory_is_token)
    output, weights = reference.masked_attention(Q, K, V, mask)
    return output @ params.W_O, weights


@wrong(
    "adds the decoder states to the output, which is not asked for here",
    names={"residual-added"},
    line="output = X_decoder + reference.merge_heads(heads) @ params.W_O",
)
def with_residual(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
    K, V = reference.project_memory(memory, params, n_heads)
    mask = None if memory_is_token is None else memory_is_token[..., None, None, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    output = X_decoder + reference.merge_heads(heads) @ params.W_O
    return output, weights


@wrong(
    "two: ignores the padding of the source, and merges the heads with a reshape alone without moving their axis",
    names={"mask-ignored", "not-merged"},
    line="heads, weights = reference.masked_attention(Q, K, V)",
)
def visible_and_reshaped(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
    K, V = reference.project_memory(memory, params, n_heads)
    heads, weights = reference.masked_attention(Q, K, V)
    merged = heads.reshape(*X_decoder.shape[:-1], -1)
    return merged @ params.W_O, weights


@wrong(
    "two: projects the queries with W_K instead of W_Q, and inverts the padding mask",
    names={"inverted"},
    line="Q = reference.split_heads(X_decoder @ params.W_K, n_heads)",
)
def wrong_matrix_and_inverted(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder @ params.W_K, n_heads)
    K, V = reference.project_memory(memory, params, n_heads)
    mask = None
    if memory_is_token is not None:
        mask = np.logical_not(memory_is_token)[..., None, None, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@right
def from_helpers(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
    K, V = reference.project_memory(memory, params, n_heads)
    mask = None
    if memory_is_token is not None:
        mask = reference.padding_mask(memory_is_token)[..., None, :, :]
    heads, weights = reference.masked_attention(Q, K, V, mask)
    return reference.merge_heads(heads) @ params.W_O, weights


@right
def unit_04_once_more(X_decoder, memory, params, n_heads, memory_is_token=None):
    mask = None if memory_is_token is None else reference.padding_mask(memory_is_token)
    return reference.multi_head_attention(X_decoder, memory, params, n_heads, mask)


@right
def head_by_head(X_decoder, memory, params, n_heads, memory_is_token=None):
    mask = memory_is_token
    if mask is not None:
        mask = mask[..., None, :]
    Q, K, V = X_decoder @ params.W_Q, memory @ params.W_K, memory @ params.W_V
    parts = zip(*(np.split(Y, n_heads, axis=-1) for Y in (Q, K, V)))
    found = [reference.masked_attention(q, k, v, mask) for q, k, v in parts]
    output = np.concatenate([context for context, _ in found], axis=-1) @ params.W_O
    return output, np.stack([weights for _, weights in found], axis=-3)


@right
def with_einsum(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = reference.split_heads(X_decoder @ params.W_Q, n_heads)
    K, V = reference.project_memory(memory, params, n_heads)
    scores = np.einsum("...htd,...hsd->...hts", Q, K) / np.sqrt(K.shape[-1])
    if memory_is_token is None:
        memory_is_token = np.ones(memory.shape[:-1], dtype=bool)
    weights = reference.masked_softmax(scores, np.expand_dims(memory_is_token, axis=(-2, -3)))
    W_O = params.W_O.reshape(n_heads, V.shape[-1], -1)
    return np.einsum("...hts,...hsv,hvm->...tm", weights, V, W_O), weights


@wrong("sets the padding of the memory to 0 instead of hiding it", names={"memory-zeroed"})
def zeroed_memory(X_decoder, memory, params, n_heads, memory_is_token=None):
    if memory_is_token is not None:
        memory = memory * memory_is_token[..., None]
    return multi_head_attention(X_decoder, memory, params, n_heads)


@wrong("cuts the padding out of the memory, so that the weights have fewer columns")
def cut_memory(X_decoder, memory, params, n_heads, memory_is_token=None):
    if memory_is_token is not None:
        memory = memory[memory_is_token]
    return multi_head_attention(X_decoder, memory, params, n_heads)


@wrong("projects the queries with W_K, and the keys with W_Q")
def matrices_exchanged(X_decoder, memory, params, n_heads, memory_is_token=None):
    mask = None if memory_is_token is None else memory_is_token[..., None, None, :]
    Q = split_heads(X_decoder @ params.W_K, n_heads)
    K = split_heads(memory @ params.W_Q, n_heads)
    V = split_heads(memory @ params.W_V, n_heads)
    heads, weights = masked_attention(Q, K, V, mask)
    return merge_heads(heads) @ params.W_O, weights


@wrong(
    "the padding gets its new axis in second place, which is wrong for a single sentence",
    names={"padding_mask/second-axis"},
    line="mask = memory_is_token[:, None]",
)
def padding_axis_second(X_decoder, memory, params, n_heads, memory_is_token=None):
    mask = None
    if memory_is_token is not None:
        mask = memory_is_token[:, None]
    return reference.multi_head_attention(X_decoder, memory, params, n_heads, mask)


@wrong(
    "gives the mask an axis for the heads, which `multi_head_attention` puts in as well",
    names={"axis-for-heads-too-many"},
    line="mask = memory_is_token[:, None, None, :]",
)
def mask_of_four_axes(X_decoder, memory, params, n_heads, memory_is_token=None):
    mask = None
    if memory_is_token is not None:
        mask = memory_is_token[:, None, None, :]
    return multi_head_attention(X_decoder, memory, params, n_heads, mask)


@wrong(
    "two mistakes: the roles are exchanged, and memory_is_token is passed on as the mask as it is",
    names={"is-token-as-mask", "roles-exchanged"},
)
def roles_and_raw_mask(X_decoder, memory, params, n_heads, memory_is_token=None):
    return multi_head_attention(memory, X_decoder, params, n_heads, memory_is_token)
