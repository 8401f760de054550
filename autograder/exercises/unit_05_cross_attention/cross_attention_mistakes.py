"""The known mistakes of `cross_attention` with its two roles and its mask."""

import numpy as np

from autograder.exercises.edited import edited
from autograder.exercises.unit_05_cross_attention.cross_attention_variants import attend, for_heads, projected
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import merge_heads, padding_mask, project_memory

ROLES = "Who asks and who answers"
HIDDEN = "What is hidden and what is not"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=ROLES)
def self_attention(X_decoder, memory, params, n_heads, memory_is_token=None):
    """Keys and values come from the decoder.

    The decoder then looks at itself and never learns what the source says. Keys and values belong to the side that
    is looked at.
    """
    return attend(X_decoder, X_decoder, params, n_heads, for_heads(memory_is_token))


@MISTAKES.add(where=ROLES)
def roles_exchanged(X_decoder, memory, params, n_heads, memory_is_token=None):
    """Queries come from the encoder, keys and values from the decoder.

    The result then has one row per source token. It is the translation that asks, so its positions are the rows.
    """
    return attend(memory, X_decoder, params, n_heads, for_heads(memory_is_token))


@MISTAKES.add(where=HIDDEN)
def causal(X_decoder, memory, params, n_heads, memory_is_token=None):
    """A causal mask is applied.

    The source is known from its first to its last word before the translation begins. It has no future to hide.
    """
    causal = np.tri(X_decoder.shape[-2], memory.shape[-2], dtype=bool)
    mask = reference.combine_masks(causal, for_heads(memory_is_token))
    return attend(X_decoder, memory, params, n_heads, mask)


@MISTAKES.add(where=HIDDEN)
def causal_and_refusing(X_decoder, memory, params, n_heads, memory_is_token=None):
    """A causal mask is applied.

    The source is known from its first to its last word before the translation begins. It has no future to hide, and
    it may well be shorter than the translation, which `causal_mask` refuses.
    """
    causal = reference.causal_mask(X_decoder.shape[-2], memory.shape[-2])
    mask = reference.combine_masks(causal, for_heads(memory_is_token))
    return attend(X_decoder, memory, params, n_heads, mask)


@MISTAKES.add(where=HIDDEN)
def is_token_as_mask(X_decoder, memory, params, n_heads, memory_is_token=None):
    """`memory_is_token` is passed on as the mask, just as it is.

    A mask has an axis for the queries. Without it, the sentences of a batch are lined up with the target positions,
    and one sentence alone has one axis too few. Your `padding_mask` of unit 03 adds it.
    """
    return reference.multi_head_attention(X_decoder, memory, params, n_heads, memory_is_token)


@MISTAKES.add(where=HIDDEN)
def mask_ignored(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The padding of the source is accepted as an argument but not hidden.

    Every padding token takes its share of the attention. Follow the argument through your code to the softmax.
    """
    return reference.cross_attention(X_decoder, memory, params, n_heads)


@MISTAKES.add(where=HIDDEN)
def inverted(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The real source tokens are hidden and the padding is visible.

    In this course True means “may attend”, and `memory_is_token` is already True where there is a token.
    """
    mask = None if memory_is_token is None else ~memory_is_token
    return reference.cross_attention(X_decoder, memory, params, n_heads, mask)


@MISTAKES.add(where=HIDDEN)
def hides_queries(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The mask lies along the target positions.

    Source tokens are the keys, so their padding belongs to the last axis of the scores. With equal lengths NumPy
    would not even complain.
    """
    mask = None if memory_is_token is None else memory_is_token[..., None, :, None]
    return attend(X_decoder, memory, params, n_heads, mask)


@MISTAKES.add(where=HIDDEN)
def no_axis_for_heads(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The mask has no axis for the heads.

    With a batch, NumPy then lines the sentences up with the heads. An axis of length 1 before the last two gives
    all heads the same mask.
    """
    mask = None if memory_is_token is None else padding_mask(memory_is_token)
    return attend(X_decoder, memory, params, n_heads, mask)


@MISTAKES.add(where=HIDDEN)
def no_new_axes(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The mask has no axes for targets and heads.

    One sentence alone works, but with a batch NumPy lines the sentences up with the target positions. Two axes of
    length 1 are missing.
    """
    return attend(X_decoder, memory, params, n_heads, memory_is_token)


@MISTAKES.add(where=HIDDEN)
def mask_needed(X_decoder, memory, params, n_heads, memory_is_token=None):
    """A call without `memory_is_token` fails.

    None means that nothing is padding, so there is nothing to hide.
    """
    mask = padding_mask(memory_is_token)[..., None, :, :]
    return attend(X_decoder, memory, params, n_heads, mask)


@MISTAKES.add(where=HIDDEN)
def weights_times_mask(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The mask is put on the weights, after the softmax.

    Then what is left does not sum to 1, and the padding still acts through the sum below the fraction bar.
    """
    Q, K, V = projected(X_decoder, memory, params, n_heads)
    _, weights = reference.scaled_dot_product_attention(Q, K, V)
    if memory_is_token is not None:
        weights = weights * for_heads(memory_is_token)
    return merge_heads(weights @ V) @ params.W_O, weights


@MISTAKES.add(where=HIDDEN)
def memory_zeroed(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The padding tokens are replaced by zeros instead of being hidden.

    A token of zeros has the score 0, and exp(0) is 1, so it keeps a weight. What is masked is the score, not the
    token.
    """
    if memory_is_token is not None:
        memory = memory * memory_is_token[..., None]
    return reference.cross_attention(X_decoder, memory, params, n_heads)


@MISTAKES.add(where=HIDDEN)
def memory_zeroed_in_place(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The padding tokens of the caller's memory are overwritten with zeros.

    All layers of the decoder read the same memory, so nobody may write into it. The mask does the hiding.
    """
    if memory_is_token is not None:
        memory *= memory_is_token[..., None]
    return reference.cross_attention(X_decoder, memory, params, n_heads, memory_is_token)


@MISTAKES.add(where=HIDDEN)
def padding_nan(X_decoder, memory, params, n_heads, memory_is_token=None):
    """A source of nothing but padding gives NaN.

    The plain softmax of a row of minus infinities has no value. Your `masked_attention` of unit 03 knows what to
    do.
    """
    Q, K, V = projected(X_decoder, memory, params, n_heads)
    scores = reference.attention_scores(Q, K)
    if memory_is_token is not None:
        scores = np.where(for_heads(memory_is_token), scores, -np.inf)
    weights = reference.softmax(scores)
    return merge_heads(weights @ V) @ params.W_O, weights


@MISTAKES.add(where=ROLES)
def values_from_decoder(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The values come from the decoder.

    The keys say where to look in the memory, and the values are what is found there: both belong to the source.
    """
    _, V = project_memory(X_decoder, params, n_heads)
    Q, K, _ = projected(X_decoder, memory, params, n_heads)
    heads, weights = reference.masked_attention(Q, K, V, for_heads(memory_is_token))
    return merge_heads(heads) @ params.W_O, weights


@MISTAKES.add(where=HIDDEN)
def one_batch_axis(X_decoder, memory, params, n_heads, memory_is_token=None):
    """The new axes of the mask come after its first axis.

    In a batch that is right. One sentence alone has no batch axis, and there may be two of them. Put the new axes just
    before the last one.
    """
    mask = None if memory_is_token is None else memory_is_token[:, None, None, ...]
    return attend(X_decoder, memory, params, n_heads, mask)


@MISTAKES.add(where=HIDDEN)
def mask_as_condition(X_decoder, memory, params, n_heads, memory_is_token=None):
    """One truth value is asked of the whole mask, as by `if mask`.

    An array of many entries is neither true nor false. To find out whether an argument was left out, test whether it
    `is not None`.
    """
    mask = for_heads(memory_is_token) if memory_is_token else None
    return attend(X_decoder, memory, params, n_heads, mask)


@MISTAKES.add(where=HIDDEN)
@edited(reference.cross_attention, {"padding_mask(memory_is_token)": "np.asarray(memory_is_token)[:, None, None, :]"})
def axis_for_heads_too_many():
    """The mask that is passed on has an axis for the heads already, and exactly one batch axis.

    `multi_head_attention` puts in the axis for the heads itself. The mask needs one new axis, for the targets.
    """
