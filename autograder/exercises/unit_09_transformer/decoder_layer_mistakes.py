"""The known mistakes of `decoder_layer` with its sub-layers, the memory and the masks."""

from autograder.exercises.unit_09_transformer.decoder_layer_variants import in_order, inverted, parts
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import (
    causal_mask,
    cross_attention,
    layer_norm,
    multi_head_attention,
)

ORDER = "Three sub-layers, each with its own norm"
MASKS = "Which mask goes where"
MEMORY = "The memory comes in from the side"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=ORDER)
def always_post_norm(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """norm_first is ignored: it is always post-norm.

    With norm_first=True all three sub-layers are arranged as in your `pre_norm`.
    """
    return reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, False, eps)


@MISTAKES.add(where=ORDER)
def always_pre_norm(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """norm_first is ignored: it is always pre-norm.

    The default is the order of the original paper, in which the norm comes last.
    """
    return reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, True, eps)


@MISTAKES.add(where=ORDER)
def order_inverted(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """Post-norm and pre-norm are swapped.

    norm_first=True is pre-norm: the norm comes before the sub-layer.
    """
    return reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, not norm_first, eps)


@MISTAKES.add(where=MEMORY)
def memory_normed(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """With norm_first=True the memory is normalised, too.

    The norm of this sub-layer belongs to the vectors of the target. The memory is an input from outside, the same
    for all layers, and comes in as the encoder left it.
    """
    if norm_first:
        memory = layer_norm(memory, *params.norm_2, eps)
    return reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, norm_first, eps)


@MISTAKES.add(where=ORDER)
def source_first(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The attention to the source comes before the self-attention.

    Before a word asks the source, it has to know what was written before it.
    """
    own, cross, ffn = parts(memory, params, n_heads, self_mask, cross_mask, eps)
    return in_order(X, (cross, own, ffn), norm_first)


@MISTAKES.add(where=ORDER)
def source_first_norms_kept(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The two attentions are swapped, and the norms are not.

    The self-attention comes first, then the attention to the source; norm_1 and norm_2 belong to them in this order.
    """
    own, cross, ffn = parts(memory, params, n_heads, self_mask, cross_mask, eps)
    return in_order(X, ((cross[0], own[1]), (own[0], cross[1]), ffn), norm_first)


@MISTAKES.add(where=ORDER)
def ffn_second(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The feed-forward network comes before the attention to the source.

    Both attentions collect first. Then the network works on what each position has collected.
    """
    own, cross, ffn = parts(memory, params, n_heads, self_mask, cross_mask, eps)
    return in_order(X, (own, ffn, cross), norm_first)


@MISTAKES.add(where=ORDER)
def no_cross_attention(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """There is no attention to the source, or its result is not used.

    Without it the decoder writes sentences that have nothing to do with the source. A layer of the encoder has two
    sub-layers; a layer of the decoder has three.
    """
    own, _, ffn = parts(memory, params, n_heads, self_mask, cross_mask, eps)
    return in_order(X, (own, ffn), norm_first)


@MISTAKES.add(where=ORDER)
def no_self_attention(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """There is no self-attention, or its result is not used.

    Then no position knows what was written before it.
    """
    _, cross, ffn = parts(memory, params, n_heads, self_mask, cross_mask, eps)
    return in_order(X, (cross, ffn), norm_first)


@MISTAKES.add(where=ORDER)
def no_ffn(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """There is no feed-forward network, or its result is not used.

    The third sub-layer is the same network as in the encoder.
    """
    own, cross, _ = parts(memory, params, n_heads, self_mask, cross_mask, eps)
    return in_order(X, (own, cross), norm_first)


@MISTAKES.add(where=MEMORY)
def keys_from_target(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The second attention takes keys and values from the target, not from the memory.

    Queries come from the decoder, keys and values from the encoder. As it is, the layer never reads the source.
    """
    own, (_, norm), ffn = parts(memory, params, n_heads, self_mask, cross_mask, eps)
    attends = (lambda Z: multi_head_attention(Z, Z, params.cross_attention, n_heads, cross_mask)[0], norm)
    return in_order(X, (own, attends, ffn), norm_first)


@MISTAKES.add(where=MEMORY)
def queries_from_memory(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The roles in the second attention are swapped: the memory asks, the target answers.

    Attention returns one row for each query, and the result has to have a row for each token of the target.
    """
    own, (_, norm), ffn = parts(memory, params, n_heads, self_mask, cross_mask, eps)
    attends = (lambda Z: multi_head_attention(memory, Z, params.cross_attention, n_heads, cross_mask)[0], norm)
    return in_order(X, (own, attends, ffn), norm_first)


@MISTAKES.add(where=MEMORY)
def self_attention_to_memory(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The first attention reads the memory, too.

    In the first sub-layer the target attends to itself, with parameters of its own.
    """
    own, cross, ffn = parts(memory, params, n_heads, self_mask, cross_mask, eps)
    return in_order(X, ((cross[0], own[1]), cross, ffn), norm_first)


@MISTAKES.add(where=MASKS)
def self_mask_dropped(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """self_mask is accepted but not passed on.

    Without the causal mask every position sees the words that it has to predict. In training that looks like
    success.
    """
    return reference.decoder_layer(X, memory, params, n_heads, None, cross_mask, norm_first, eps)


@MISTAKES.add(where=MASKS)
def cross_mask_dropped(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """cross_mask is accepted but not passed on.

    Without it the target attends to the padding of the source. With one sentence at a time nobody would notice.
    """
    return reference.decoder_layer(X, memory, params, n_heads, self_mask, None, norm_first, eps)


@MISTAKES.add(where=MASKS)
def masks_exchanged(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The two masks are swapped.

    self_mask has one column for every token of the target, cross_mask one for every token of the source.
    """
    return reference.decoder_layer(X, memory, params, n_heads, cross_mask, self_mask, norm_first, eps)


@MISTAKES.add(where=MASKS)
def mask_for_tokens(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The cross mask is taken for which tokens are real, as by `cross_attention` of unit 05.

    That function expects to be told which tokens are real, and makes the mask itself. Here the mask is ready:
    `multi_head_attention` takes it as it is.
    """
    own, (_, norm), ffn = parts(memory, params, n_heads, self_mask, cross_mask, eps)
    attends = (lambda Z: cross_attention(Z, memory, params.cross_attention, n_heads, cross_mask)[0], norm)
    return in_order(X, (own, attends, ffn), norm_first)


@MISTAKES.add(where=MASKS)
def self_mask_for_both(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """self_mask is used in both attentions.

    The source is known as a whole: nothing in it is later. Its own mask hides padding.
    """
    return reference.decoder_layer(X, memory, params, n_heads, self_mask, self_mask, norm_first, eps)


@MISTAKES.add(where=MASKS)
def cross_mask_for_both(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """cross_mask is used in both attentions.

    cross_mask has columns for the tokens of the source. In the self-attention the keys are those of the target.
    """
    return reference.decoder_layer(X, memory, params, n_heads, cross_mask, cross_mask, norm_first, eps)


@MISTAKES.add(where=MASKS)
def self_mask_inverted(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """self_mask is inverted on its way.

    True means “may attend”, here as everywhere in the course.
    """
    return reference.decoder_layer(X, memory, params, n_heads, inverted(self_mask), cross_mask, norm_first, eps)


@MISTAKES.add(where=MASKS)
def cross_mask_inverted(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """cross_mask is inverted on its way.

    True means “may attend”, here as everywhere in the course.
    """
    return reference.decoder_layer(X, memory, params, n_heads, self_mask, inverted(cross_mask), norm_first, eps)


@MISTAKES.add(where=MASKS)
def masks_lost_in_pre_norm(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """With norm_first=True both masks are lost.

    Code that is written twice has to be right twice. Can the choice between the two orders be made in one place?
    """
    if norm_first:
        self_mask = cross_mask = None
    return reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, norm_first, eps)


@MISTAKES.add(where=MASKS)
def always_causal(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The self-attention is causal even where no mask is given.

    The caller decides what is hidden; None means that nothing is.
    """
    self_mask = causal_mask(X.shape[-2]) if self_mask is None else self_mask
    return reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, norm_first, eps)
