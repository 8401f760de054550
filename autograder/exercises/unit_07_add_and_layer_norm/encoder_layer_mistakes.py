"""The known mistakes of `encoder_layer`, as arrangements of the two sub-layers."""

from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import gelu, layer_norm, multi_head_attention, position_wise_ffn, post_norm, pre_norm

SECTION = "Exercise 7.4: encoder_layer"

MISTAKES = KnownMistakes()


def sublayers(params, n_heads, mask, activation=reference.relu):
    """Return the attention and the network of a layer, each as a function of one array."""
    return (
        lambda Z: multi_head_attention(Z, Z, params.attention, n_heads, mask)[0],
        lambda Z: position_wise_ffn(Z, params.ffn, activation),
    )


@MISTAKES.add(where=SECTION)
def mask_dropped(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The mask is accepted but not passed on.

    Nothing fails when a mask is lost: the padding simply takes part. Only attention can use the mask.
    """
    return reference.encoder_layer(X, params, n_heads, None, norm_first, eps)


@MISTAKES.add(where=SECTION)
def mask_inverted(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The mask is inverted on its way.

    True means “may attend”, here as in the attention. Pass it on as it is.
    """
    return reference.encoder_layer(X, params, n_heads, None if mask is None else ~mask, norm_first, eps)


@MISTAKES.add(where=SECTION)
def mask_in_one_branch(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """With norm_first=True the mask is lost.

    Code that is written twice has to be right twice. Can the choice between the two orders be made in one place?
    """
    return reference.encoder_layer(X, params, n_heads, None if norm_first else mask, norm_first, eps)


@MISTAKES.add(where=SECTION)
def mask_with_axis_for_heads(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The mask gets an axis for the heads on its way.

    Your attention adds that axis itself. Pass the mask on as it is.
    """
    wider = None if mask is None else mask[..., None, :, :]
    return reference.encoder_layer(X, params, n_heads, wider, norm_first, eps)


@MISTAKES.add(where=SECTION)
def mask_as_condition(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """One truth value is asked of the whole mask, as by `if mask`.

    An array of many entries is neither true nor false. Attention takes None as well as a mask: pass on what came.
    """
    return reference.encoder_layer(X, params, n_heads, mask if mask else None, norm_first, eps)


@MISTAKES.add(where=SECTION)
def always_post_norm(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """norm_first is ignored: it is always post-norm.

    With norm_first=True both sub-layers are to be arranged as in your `pre_norm`.
    """
    return reference.encoder_layer(X, params, n_heads, mask, False, eps)


@MISTAKES.add(where=SECTION)
def always_pre_norm(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """norm_first is ignored: it is always pre-norm.

    The default is the order of the original paper, in which the norm comes last.
    """
    return reference.encoder_layer(X, params, n_heads, mask, True, eps)


@MISTAKES.add(where=SECTION)
def order_inverted(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """norm_first means the opposite.

    norm_first=True is pre-norm: the norm comes before the sub-layer.
    """
    return reference.encoder_layer(X, params, n_heads, mask, not norm_first, eps)


@MISTAKES.add(where=SECTION)
def ffn_first(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The feed-forward network comes before attention.

    First the tokens gather what they need from each other, then each one works on it alone.
    """
    arrange = pre_norm if norm_first else post_norm
    attend, ffn = sublayers(params, n_heads, mask)
    return arrange(arrange(X, ffn, *params.norm_1, eps), attend, *params.norm_2, eps)


@MISTAKES.add(where=SECTION)
def side_by_side(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The feed-forward network gets the input of the layer, not what comes out of the first sub-layer.

    The two sub-layers follow each other: the second one takes what the first one has made.
    """
    arrange = pre_norm if norm_first else post_norm
    attend, ffn = sublayers(params, n_heads, mask)
    middle = arrange(X, attend, *params.norm_1, eps)
    return arrange(middle, lambda _: ffn(X), *params.norm_2, eps)


@MISTAKES.add(where=SECTION)
def one_norm_for_both(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """Both sub-layers use norm_1.

    Each sub-layer has a norm with its own gamma and beta. With their initial values, 1 and 0, nobody would notice.
    """
    return reference.encoder_layer(X, params._replace(norm_2=params.norm_1), n_heads, mask, norm_first, eps)


@MISTAKES.add(where=SECTION)
def norms_exchanged(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """norm_1 and norm_2 are swapped.

    norm_1 belongs to the attention, norm_2 to the feed-forward network, in both orders.
    """
    exchanged = params._replace(norm_1=params.norm_2, norm_2=params.norm_1)
    return reference.encoder_layer(X, exchanged, n_heads, mask, norm_first, eps)


@MISTAKES.add(where=SECTION)
def no_residual(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The inputs of the sub-layers are not added.

    Both sub-layers stand inside a residual connection. Your `post_norm` and `pre_norm` do the adding.
    """
    for sublayer, norm in zip(sublayers(params, n_heads, mask), (params.norm_1, params.norm_2), strict=True):
        X = sublayer(layer_norm(X, *norm, eps)) if norm_first else layer_norm(sublayer(X), *norm, eps)
    return X


@MISTAKES.add(where=SECTION)
def norm_before_adding(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """In post-norm the sub-layer's output is normalised before the sum.

    The sum first, then the norm: the order of Exercise 7.2.
    """
    for sublayer, norm in zip(sublayers(params, n_heads, mask), (params.norm_1, params.norm_2), strict=True):
        branch = sublayer(layer_norm(X, *norm, eps)) if norm_first else layer_norm(sublayer(X), *norm, eps)
        X = X + branch
    return X


@MISTAKES.add(where=SECTION)
def normed_residual(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """In pre-norm the normalised input is added instead of the input itself.

    The residual connection takes the input as it was before the norm: the order of Exercise 7.3.
    """
    for sublayer, norm in zip(sublayers(params, n_heads, mask), (params.norm_1, params.norm_2), strict=True):
        if norm_first:
            X = layer_norm(X, *norm, eps)
            X = X + sublayer(X)
        else:
            X = post_norm(X, sublayer, *norm, eps)
    return X


@MISTAKES.add(where=SECTION)
def keys_not_normed(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """In pre-norm only the queries are normalised; keys and values come from the raw input.

    Self-attention has one input. What the sub-layer is given is the source of queries, keys and values alike.
    """
    arrange = pre_norm if norm_first else post_norm
    attended = arrange(X, lambda Z: multi_head_attention(Z, X, params.attention, n_heads, mask)[0], *params.norm_1, eps)
    return arrange(attended, sublayers(params, n_heads, mask)[1], *params.norm_2, eps)


@MISTAKES.add(where=SECTION, id="gelu")
def with_gelu(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The feed-forward network uses GELU.

    Later models do. The layer of the original paper, and of this exercise, uses ReLU.
    """
    arrange = pre_norm if norm_first else post_norm
    attend, ffn = sublayers(params, n_heads, mask, gelu)
    return arrange(arrange(X, attend, *params.norm_1, eps), ffn, *params.norm_2, eps)


@MISTAKES.add(where=SECTION)
def no_ffn(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """There is no feed-forward network, or its result is not used.

    The layer has a second sub-layer, which holds two thirds of its weights.
    """
    arrange = pre_norm if norm_first else post_norm
    return arrange(X, sublayers(params, n_heads, mask)[0], *params.norm_1, eps)


@MISTAKES.add(where=SECTION)
def one_head(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """n_heads is not passed on: there is one head.

    The shapes fit for any number of heads that divides the width, so nothing fails. The numbers differ.
    """
    return reference.encoder_layer(X, params, 1, mask, norm_first, eps)


@MISTAKES.add(where=SECTION)
def eps_not_handed_on(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """eps is not passed on to the norms.

    It has to pass through both calls, otherwise each norm falls back on its default.
    """
    return reference.encoder_layer(X, params, n_heads, mask, norm_first)


@MISTAKES.add(where=SECTION)
def tuple_added(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The attention's whole result, output and weights, is added to X.

    Multi-head attention returns two things. A sub-layer returns one: the output.
    """
    arrange = pre_norm if norm_first else post_norm
    attended = arrange(X, lambda Z: multi_head_attention(Z, Z, params.attention, n_heads, mask), *params.norm_1, eps)
    return arrange(attended, sublayers(params, n_heads, mask)[1], *params.norm_2, eps)


@MISTAKES.add(where=SECTION)
def in_place(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The caller's tokens are overwritten.

    The input may be needed again, for a figure or for the gradients. Make a new array.
    """
    X[...] = reference.encoder_layer(X, params, n_heads, mask, norm_first, eps)
    return X
