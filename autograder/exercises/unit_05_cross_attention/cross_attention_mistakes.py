"""The known mistakes of `cross_attention`."""

import math

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference
from transformer_kit.reference import masked_softmax, merge_heads, padding_mask, project_memory, split_heads

SECTION = "Exercise 5.3: cross_attention"
ROLES = "Who asks and who answers"
HIDDEN = "What is hidden and what is not"


def _projected(X_decoder, memory, params, n_heads):
    """Return Q, K and V of all heads."""
    return split_heads(X_decoder @ params.W_Q, n_heads), *project_memory(memory, params, n_heads)


def _attend(X_query, X_memory, params, n_heads, mask=None, axis=-1, divisor=None):
    """Return merged heads (before W_O) and weights; the mask is one for the scores of all heads."""
    Q, K, V = _projected(X_query, X_memory, params, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(divisor or Q.shape[-1])
    weights = masked_softmax(scores, mask, axis)
    return merge_heads(weights @ V), weights


def _for_heads(is_token):
    return None if is_token is None else padding_mask(is_token)[..., None, :, :]


def _mixed(attended, params):
    heads, weights = attended
    return heads @ params.W_O, weights


def _with(mask=_for_heads, **options):
    """Make the right function with another way to shape the mask or other options of `_attend`."""

    def cross_attention(X_decoder, memory, params, n_heads, memory_is_token=None):
        return _mixed(_attend(X_decoder, memory, params, n_heads, mask(memory_is_token), **options), params)

    return cross_attention


def _self_attention(X_decoder, memory, params, n_heads, memory_is_token=None):
    return _mixed(_attend(X_decoder, X_decoder, params, n_heads, _for_heads(memory_is_token)), params)


def _roles_exchanged(X_decoder, memory, params, n_heads, memory_is_token=None):
    return _mixed(_attend(memory, X_decoder, params, n_heads, _for_heads(memory_is_token)), params)


def _causal(X_decoder, memory, params, n_heads, memory_is_token=None):
    causal = np.tri(X_decoder.shape[-2], memory.shape[-2], dtype=bool)
    mask = reference.combine_masks(causal, _for_heads(memory_is_token))
    return _mixed(_attend(X_decoder, memory, params, n_heads, mask), params)


def _mask_ignored(X_decoder, memory, params, n_heads, memory_is_token=None):
    return reference.cross_attention(X_decoder, memory, params, n_heads)


def _inverted(X_decoder, memory, params, n_heads, memory_is_token=None):
    mask = None if memory_is_token is None else ~memory_is_token
    return reference.cross_attention(X_decoder, memory, params, n_heads, mask)


def _weights_times_mask(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q, K, V = _projected(X_decoder, memory, params, n_heads)
    _, weights = reference.scaled_dot_product_attention(Q, K, V)
    if memory_is_token is not None:
        weights = weights * _for_heads(memory_is_token)
    return merge_heads(weights @ V) @ params.W_O, weights


def _memory_zeroed(X_decoder, memory, params, n_heads, memory_is_token=None):
    if memory_is_token is not None:
        memory = memory * memory_is_token[..., None]
    return reference.cross_attention(X_decoder, memory, params, n_heads)


def _memory_zeroed_in_place(X_decoder, memory, params, n_heads, memory_is_token=None):
    if memory_is_token is not None:
        memory *= memory_is_token[..., None]
    return reference.cross_attention(X_decoder, memory, params, n_heads, memory_is_token)


def _padding_nan(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q, K, V = _projected(X_decoder, memory, params, n_heads)
    scores = reference.attention_scores(Q, K)
    if memory_is_token is not None:
        scores = np.where(_for_heads(memory_is_token), scores, -np.inf)
    weights = reference.softmax(scores)
    return merge_heads(weights @ V) @ params.W_O, weights


def _no_output_projection(X_decoder, memory, params, n_heads, memory_is_token=None):
    return _attend(X_decoder, memory, params, n_heads, _for_heads(memory_is_token))


def _not_merged(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q, K, V = _projected(X_decoder, memory, params, n_heads)
    heads, weights = reference.masked_attention(Q, K, V, _for_heads(memory_is_token))
    *lead, _, n_target, _ = heads.shape
    return heads.reshape(*lead, n_target, -1) @ params.W_O, weights


def _queries_not_projected(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q = split_heads(X_decoder, n_heads)
    K, V = project_memory(memory, params, n_heads)
    heads, weights = reference.masked_attention(Q, K, V, _for_heads(memory_is_token))
    return merge_heads(heads) @ params.W_O, weights


def _memory_not_projected(X_decoder, memory, params, n_heads, memory_is_token=None):
    Q, K = split_heads(X_decoder @ params.W_Q, n_heads), split_heads(memory, n_heads)
    heads, weights = reference.masked_attention(Q, K, K, _for_heads(memory_is_token))
    return merge_heads(heads) @ params.W_O, weights


def _values_with_W_K(X_decoder, memory, params, n_heads, memory_is_token=None):
    params = params._replace(W_V=params.W_K)
    return reference.cross_attention(X_decoder, memory, params, n_heads, memory_is_token)


def _scaled_by_d_model(X_decoder, memory, params, n_heads, memory_is_token=None):
    mask, d_model = _for_heads(memory_is_token), X_decoder.shape[-1]
    return _mixed(_attend(X_decoder, memory, params, n_heads, mask, divisor=d_model), params)


def _mean_weights(X_decoder, memory, params, n_heads, memory_is_token=None):
    output, weights = reference.cross_attention(X_decoder, memory, params, n_heads, memory_is_token)
    return output, weights.mean(axis=-3)


def _exchanged(X_decoder, memory, params, n_heads, memory_is_token=None):
    return reference.cross_attention(X_decoder, memory, params, n_heads, memory_is_token)[::-1]


def _residual_added(X_decoder, memory, params, n_heads, memory_is_token=None):
    output, weights = reference.cross_attention(X_decoder, memory, params, n_heads, memory_is_token)
    return X_decoder + output, weights


MISTAKES = (
    Mistake(
        "self-attention",
        "Keys and values come from the decoder",
        _self_attention,
        "The decoder then looks at itself and never learns what the source says. Keys and values belong to the "
        "side that is looked at.",
        ROLES,
    ),
    Mistake(
        "roles-exchanged",
        "Queries come from the encoder, keys and values from the decoder",
        _roles_exchanged,
        "The result then has one row per source token. It is the translation that asks, so its positions are the rows.",
        ROLES,
    ),
    Mistake(
        "causal",
        "A causal mask is applied",
        _causal,
        "The source is known from its first to its last word before the translation begins. There is no future "
        "in it that would have to be hidden.",
        HIDDEN,
    ),
    Mistake(
        "mask-ignored",
        "The padding of the source is accepted as an argument but not hidden",
        _mask_ignored,
        "Every padding token takes its share of the attention. Follow the argument through your code to the softmax.",
        HIDDEN,
    ),
    Mistake(
        "inverted",
        "The real source tokens are hidden and the padding is visible",
        _inverted,
        "In this course True means “may attend”, and `memory_is_token` is already True where there is a token.",
        HIDDEN,
    ),
    Mistake(
        "hides-queries",
        "The mask lies along the target positions",
        _with(lambda is_token: None if is_token is None else is_token[..., None, :, None]),
        "Source tokens are the keys, so their padding belongs to the last axis of the scores. With equal lengths "
        "NumPy would not even complain.",
        HIDDEN,
    ),
    Mistake(
        "no-axis-for-heads",
        "The mask has no axis for the heads",
        _with(lambda is_token: None if is_token is None else padding_mask(is_token)),
        "With a batch, NumPy then lines the sentences up with the heads. An axis of length 1 before the last two "
        "gives all heads the same mask.",
        HIDDEN,
    ),
    Mistake(
        "no-new-axes",
        "The mask has no axes for targets and heads",
        _with(lambda is_token: is_token),
        "One sentence alone works, but with a batch NumPy lines the sentences up with the target positions. Two "
        "axes of length 1 are missing.",
        HIDDEN,
    ),
    Mistake(
        "mask-needed",
        "A call without `memory_is_token` fails",
        _with(lambda is_token: padding_mask(is_token)[..., None, :, :]),
        "None means that nothing is padding, so there is nothing to hide.",
        HIDDEN,
    ),
    Mistake(
        "weights-times-mask",
        "The mask is put on the weights, after the softmax",
        _weights_times_mask,
        "Then the rest does not sum to 1, and the padding still acts through the sum below the fraction bar.",
        HIDDEN,
    ),
    Mistake(
        "memory-zeroed",
        "The padding tokens are replaced by zeros instead of being hidden",
        _memory_zeroed,
        "A token of zeros has the score 0, and exp(0) is 1, so it keeps a weight. What is masked is the score, "
        "not the token.",
        HIDDEN,
    ),
    Mistake(
        "memory-zeroed-in-place",
        "The padding tokens of the caller's memory are overwritten by zeros",
        _memory_zeroed_in_place,
        "All layers of the decoder read the same memory, so nobody may write into it. The mask does the hiding.",
        HIDDEN,
    ),
    Mistake(
        "padding-nan",
        "A source of nothing but padding gives NaN",
        _padding_nan,
        "The plain softmax of a row of minus infinities has no value. Your `masked_attention` of unit 03 knows "
        "what to do.",
        HIDDEN,
    ),
    Mistake(
        "no-output-projection",
        "The heads are not mixed by W_O",
        _no_output_projection,
        "Side by side the heads are n_heads · d_v wide and know nothing of one another. W_O mixes them and brings "
        "the result back to d_model.",
        SECTION,
    ),
    Mistake(
        "not-merged",
        "The heads are put side by side with a reshape alone",
        _not_merged,
        "A reshape keeps the order of the numbers in memory, so numbers of different target positions end up in "
        "one row. Your `merge_heads` of unit 04 moves the axis first.",
        SECTION,
    ),
    Mistake(
        "queries-not-projected",
        "The decoder states serve as queries without W_Q",
        _queries_not_projected,
        "A decoder state carries much more than its question to the source. W_Q is what picks the question out.",
        ROLES,
    ),
    Mistake(
        "memory-not-projected",
        "The memory itself serves as keys and values",
        _memory_not_projected,
        "Keys and values have the same source, but each is the memory times a learned matrix of its own.",
        ROLES,
    ),
    Mistake(
        "values-with-W-K",
        "The values are made with W_K, like the keys",
        _values_with_W_K,
        "What makes a token easy to find and what it has to say are two different things. The values have their "
        "own matrix.",
        ROLES,
    ),
    Mistake(
        "scaled-by-d-model",
        "The scores are divided by the square root of d_model",
        _scaled_by_d_model,
        "Each head multiplies vectors of width d_k, so that is the width which counts.",
        SECTION,
    ),
    Mistake(
        "not-scaled",
        "The scores are not divided by the square root of d_k",
        _with(divisor=1),
        "Nothing about the scale changes when the keys come from another sentence.",
        SECTION,
    ),
    Mistake(
        "over-targets",
        "The weights sum to 1 over the target positions",
        _with(axis=-2),
        "Every target position shares out its own attention among the source tokens. Two target positions may "
        "both take all of one word.",
        ROLES,
    ),
    Mistake(
        "over-heads",
        "The weights sum to 1 over the heads",
        _with(axis=-3),
        "Every head has a budget of its own, which it shares out among the source tokens.",
        SECTION,
    ),
    Mistake(
        "mean-weights",
        "The weights are averaged over the heads",
        _mean_weights,
        "Some libraries return them so, but asked for is one map per head. What the heads do differently would be "
        "lost.",
        SECTION,
    ),
    Mistake(
        "results-exchanged",
        "The weights come first and the output second",
        _exchanged,
        "The order is output, weights, as in units 02 to 04.",
        SECTION,
    ),
    Mistake(
        "residual-added",
        "The decoder states are added to the output",
        _residual_added,
        "That is what happens next, in Add & Norm, and unit 07 does it. Here only what was found in the source is "
        "returned.",
        SECTION,
    ),
)
