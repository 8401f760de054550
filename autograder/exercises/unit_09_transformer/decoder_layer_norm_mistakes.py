"""The known mistakes of `decoder_layer` with its norms, its residual connections and its numbers."""

from autograder.exercises.unit_09_transformer.decoder_layer_variants import in_order, parts
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import (
    gelu,
    layer_norm,
    multi_head_attention,
)

SECTION = "Exercise 9.1: decoder_layer"
ORDER = "Three sub-layers, each with its own norm"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=ORDER)
def one_norm_for_all(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """All three sub-layers use norm_1.

    Each sub-layer has a norm with its own gamma and beta. With their initial values, 1 and 0, nobody would notice.
    """
    params = params._replace(norm_2=params[1], norm_3=params[1])
    return reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, norm_first, eps)


@MISTAKES.add(where=ORDER)
def norms_1_and_2_exchanged(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """norm_1 and norm_2 are swapped.

    The norms are numbered in the order of the sub-layers.
    """
    params = params._replace(norm_1=params.norm_2, norm_2=params.norm_1)
    return reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, norm_first, eps)


@MISTAKES.add(where=ORDER)
def norms_2_and_3_exchanged(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """norm_2 and norm_3 are swapped.

    The norms are numbered in the order of the sub-layers.
    """
    params = params._replace(norm_2=params.norm_3, norm_3=params.norm_2)
    return reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, norm_first, eps)


@MISTAKES.add(where=ORDER)
def norm_2_for_ffn(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The feed-forward network uses norm_2 again.

    The encoder's layer has two norms, this one has three.
    """
    params = params._replace(norm_3=params.norm_2)
    return reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, norm_first, eps)


@MISTAKES.add(where=ORDER)
def one_attention_for_both(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """Both attentions use the parameters of the self-attention.

    All their matrices have the same shapes, so nothing fails. They are two attentions, learned separately.
    """
    params = params._replace(cross_attention=params.self_attention)
    return reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, norm_first, eps)


@MISTAKES.add(where=ORDER)
def attentions_exchanged(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The parameters of the two attentions are swapped.

    All their matrices have the same shapes, so nothing fails. Look at the names of the fields.
    """
    params = params._replace(self_attention=params.cross_attention, cross_attention=params.self_attention)
    return reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, norm_first, eps)


@MISTAKES.add(where=ORDER)
def no_residual(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The inputs of the sub-layers are not added.

    All three sub-layers have a residual connection. Your functions of unit 07 do the adding.
    """
    for sublayer, norm in parts(memory, params, n_heads, self_mask, cross_mask, eps):
        X = sublayer(norm(X)) if norm_first else norm(sublayer(X))
    return X


@MISTAKES.add(where=ORDER)
def norm_before_adding(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """In post-norm the sub-layer's output is normalised before the sum.

    First the sum, then the norm, as in `post_norm`.
    """
    for sublayer, norm in parts(memory, params, n_heads, self_mask, cross_mask, eps):
        X = X + (sublayer(norm(X)) if norm_first else norm(sublayer(X)))
    return X


@MISTAKES.add(where=ORDER)
def normed_residual(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """In pre-norm the normalised input is added instead of the input itself.

    The residual connection takes the input as it was before the norm, as in `pre_norm`.
    """
    for sublayer, norm in parts(memory, params, n_heads, self_mask, cross_mask, eps):
        X = norm(X) + sublayer(norm(X)) if norm_first else norm(X + sublayer(X))
    return X


@MISTAKES.add(where=ORDER)
def sublayers_not_normed(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """In pre-norm the sub-layers get the input itself, not the normalised one.

    A sub-layer has to use what it is given. In post-norm that is X itself, so there nobody notices.
    """
    for sublayer, norm in parts(memory, params, n_heads, self_mask, cross_mask, eps):
        X = X + sublayer(X) if norm_first else norm(X + sublayer(X))
    return X


@MISTAKES.add(where=ORDER)
def side_by_side(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """All sub-layers get the input of the layer, not the output of the one before.

    The three sub-layers follow each other: each takes the output of the one before.
    """
    side_by_side = [
        (lambda _, f=f: f(X), norm) for f, norm in parts(memory, params, n_heads, self_mask, cross_mask, eps)
    ]
    return in_order(X, side_by_side, norm_first)


@MISTAKES.add(where=ORDER)
def keys_not_normed(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """In pre-norm only the queries of the self-attention are normalised; keys and values come from the raw input.

    In self-attention queries, keys and values are all made from one array: what the sub-layer is given.
    """
    (_, norm), cross, ffn = parts(memory, params, n_heads, self_mask, cross_mask, eps)
    attends = (lambda Z: multi_head_attention(Z, X, params.self_attention, n_heads, self_mask)[0], norm)
    return in_order(X, (attends, cross, ffn), norm_first)


@MISTAKES.add(where=ORDER, id="gelu")
def with_gelu(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The feed-forward network uses GELU.

    Later models do. The layer of the original paper, and of this exercise, uses ReLU.
    """
    return in_order(X, parts(memory, params, n_heads, self_mask, cross_mask, eps, gelu), norm_first)


@MISTAKES.add(where=ORDER)
def one_head(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """n_heads is not passed on: there is one head.

    The shapes fit for any number of heads that divides the width, so nothing fails. The numbers differ.
    """
    return reference.decoder_layer(X, memory, params, 1, self_mask, cross_mask, norm_first, eps)


@MISTAKES.add(where=SECTION)
def eps_not_handed_on(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """eps is not passed to the norms.

    It has to pass through all three calls, otherwise each norm falls back on its default.
    """
    return reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, norm_first, 1e-5)


@MISTAKES.add(where=ORDER)
def tuple_added(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The attention's whole result, output and weights, is added to X.

    Multi-head attention returns two things. A sub-layer returns one: the output.
    """
    (_, norm), *_ = parts(memory, params, n_heads, self_mask, cross_mask, eps)
    attends = (lambda Z: multi_head_attention(Z, Z, params.self_attention, n_heads, self_mask), norm)
    return in_order(X, (attends,), norm_first)


@MISTAKES.add(where=ORDER)
def extra_norm(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """In pre-norm the result is normalised once more at the end of the layer.

    A pre-norm stack has one more norm at its very top, not in every layer.
    """
    output = reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, norm_first, eps)
    return layer_norm(output, *params.norm_3, eps) if norm_first else output


@MISTAKES.add(where=SECTION)
def in_place(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """The vectors of the caller are overwritten.

    The input may be needed again, for a figure or for the gradients. Make a new array.
    """
    X[...] = reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, norm_first, eps)
    return X
