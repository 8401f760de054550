"""The known mistakes of `decoder_layer` in one of its sub-layers."""

from autograder.exercises.edited import edited
from autograder.exercises.unit_09_transformer.decoder_layer_mistakes import MASKS, ORDER
from autograder.exercises.unit_09_transformer.decoder_layer_variants import in_order, parts
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import causal_mask

MISTAKES = KnownMistakes()


def _without_residual(X, place, norm_first, parts):
    """Send X through the sub-layers, one of which does not add its input."""
    for number, (sublayer, norm) in enumerate(parts):
        output = sublayer(norm(X) if norm_first else X) + (0 if number == place else X)
        X = output if norm_first else norm(output)
    return X


@MISTAKES.add(where=ORDER)
def no_residual_of_self_attention(
    X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5
):
    """The input of the self-attention is not added to its output.

    Each of the three sub-layers has a residual connection, the first one included.
    """
    return _without_residual(X, 0, norm_first, parts(memory, params, n_heads, self_mask, cross_mask, eps))


@MISTAKES.add(where=ORDER)
def no_residual_of_cross_attention(
    X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5
):
    """The input of the attention to the source is not added to its output.

    What the target has collected so far would be lost: the output is made of the memory alone.
    """
    return _without_residual(X, 1, norm_first, parts(memory, params, n_heads, self_mask, cross_mask, eps))


@MISTAKES.add(where=ORDER)
def no_residual_of_ffn(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The input of the feed-forward network is not added to its output.

    Each of the three sub-layers has a residual connection, the network included.
    """
    return _without_residual(X, 2, norm_first, parts(memory, params, n_heads, self_mask, cross_mask, eps))


@MISTAKES.add(where=ORDER)
def inputs_added_twice(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The inputs of the sub-layers are added twice.

    `post_norm` and `pre_norm` add the input already. A sub-layer returns what it has made of it, and no more.
    """
    right = parts(memory, params, n_heads, self_mask, cross_mask, eps)
    return in_order(X, ((lambda Z, f=f: Z + f(Z), norm) for f, norm in right), norm_first)


@MISTAKES.add(where=ORDER)
def no_activation(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The feed-forward network has no ReLU.

    Without it two matrices are one, and the network can do no more than a single linear map.
    """
    linear = parts(memory, params, n_heads, self_mask, cross_mask, eps, activation=lambda Z: Z)
    return in_order(X, linear, norm_first)


@MISTAKES.add(where=ORDER)
def queries_not_normed(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """In pre-norm the attention to the source asks with vectors that are not normed.

    A sub-layer works with what it is given, not with an X from outside of it.
    """
    own, (cross, norm), ffn = parts(memory, params, n_heads, self_mask, cross_mask, eps)
    X = in_order(X, (own,), norm_first)
    X = X + cross(X) if norm_first else norm(X + cross(X))
    return in_order(X, (ffn,), norm_first)


@MISTAKES.add(where=MASKS)
def own_causal_mask(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """self_mask is replaced by a causal mask that the layer makes itself.

    The caller decides what is hidden. Use the mask that you are given, and none where it is None.
    """
    own = causal_mask(X.shape[-2])
    return reference.decoder_layer(X, memory, params, n_heads, own, cross_mask, norm_first, eps)


@MISTAKES.add(where=ORDER)
@edited(reference.decoder_layer, {"attend_to_source, *params.norm_2": "attend_to_source, *params.norm_1"})
def norm_1_for_both_attentions():
    """The attention to the source uses norm_1 again.

    Each of the three sub-layers has a norm of its own.
    """


@MISTAKES.add(where=ORDER)
@edited(reference.decoder_layer, {"params.ffn), *params.norm_3": "params.ffn), *params.norm_1"})
def norm_1_for_ffn():
    """The feed-forward network uses norm_1 again.

    Each of the three sub-layers has a norm of its own.
    """


@MISTAKES.add(where=ORDER)
@edited(reference.decoder_layer, {"Z, Z, params.self_attention": "Z, Z, params.cross_attention"})
def cross_attention_for_both():
    """Both attentions use the parameters of the attention to the source.

    All their matrices have the same shapes, so nothing fails. They are two attentions, learned separately.
    """


@MISTAKES.add(where=ORDER)
@edited(reference.decoder_layer, {"attend_to_self, *params.norm_1": "attend_to_self, *params.norm_2"})
def norm_2_for_both_attentions():
    """The self-attention uses norm_2.

    Each of the three sub-layers has a norm of its own, in their order.
    """


@MISTAKES.add(where=ORDER)
@edited(reference.decoder_layer, {"attend_to_self, *params.norm_1": "attend_to_self, *params.norm_3"})
def norm_3_for_self_attention():
    """The self-attention uses norm_3.

    Each of the three sub-layers has a norm of its own, in their order.
    """


@MISTAKES.add(where=ORDER)
@edited(reference.decoder_layer, {"attend_to_source, *params.norm_2": "attend_to_source, *params.norm_3"})
def norm_3_for_attention_to_source():
    """The attention to the source uses norm_3.

    Each of the three sub-layers has a norm of its own, in their order.
    """
