"""The known mistakes of `encoder_layer`, as arrangements of the two sub-layers."""

from autograder.exercise import Mistake
from transformer_kit import reference
from transformer_kit.reference import gelu, layer_norm, multi_head_attention, position_wise_ffn, post_norm, pre_norm

SECTION = "Exercise 7.4: encoder_layer"
PARTS = "Two sub-layers, each with its own norm"
WAY_OF_THE_MASK = "Where the mask goes"


def _sublayers(params, n_heads, mask, activation=reference.relu):
    return (
        lambda Z: multi_head_attention(Z, Z, params.attention, n_heads, mask)[0],
        lambda Z: position_wise_ffn(Z, params.ffn, activation),
    )


def _mask_dropped(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    return reference.encoder_layer(X, params, n_heads, None, norm_first, eps)


def _mask_inverted(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    return reference.encoder_layer(X, params, n_heads, None if mask is None else ~mask, norm_first, eps)


def _mask_in_one_branch(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    return reference.encoder_layer(X, params, n_heads, None if norm_first else mask, norm_first, eps)


def _always_post(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    return reference.encoder_layer(X, params, n_heads, mask, False, eps)


def _always_pre(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    return reference.encoder_layer(X, params, n_heads, mask, True, eps)


def _order_inverted(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    return reference.encoder_layer(X, params, n_heads, mask, not norm_first, eps)


def _ffn_first(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    arrange = pre_norm if norm_first else post_norm
    attend, ffn = _sublayers(params, n_heads, mask)
    return arrange(arrange(X, ffn, *params.norm_1, eps), attend, *params.norm_2, eps)


def _side_by_side(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    arrange = pre_norm if norm_first else post_norm
    attend, ffn = _sublayers(params, n_heads, mask)
    middle = arrange(X, attend, *params.norm_1, eps)
    return arrange(middle, lambda _: ffn(X), *params.norm_2, eps)


def _one_norm(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    return reference.encoder_layer(X, params._replace(norm_2=params.norm_1), n_heads, mask, norm_first, eps)


def _norms_exchanged(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    exchanged = params._replace(norm_1=params.norm_2, norm_2=params.norm_1)
    return reference.encoder_layer(X, exchanged, n_heads, mask, norm_first, eps)


def _no_residual(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    for sublayer, norm in zip(_sublayers(params, n_heads, mask), (params.norm_1, params.norm_2), strict=True):
        X = sublayer(layer_norm(X, *norm, eps)) if norm_first else layer_norm(sublayer(X), *norm, eps)
    return X


def _norm_before_adding(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    for sublayer, norm in zip(_sublayers(params, n_heads, mask), (params.norm_1, params.norm_2), strict=True):
        branch = sublayer(layer_norm(X, *norm, eps)) if norm_first else layer_norm(sublayer(X), *norm, eps)
        X = X + branch
    return X


def _normed_residual(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    for sublayer, norm in zip(_sublayers(params, n_heads, mask), (params.norm_1, params.norm_2), strict=True):
        if norm_first:
            X = layer_norm(X, *norm, eps)
            X = X + sublayer(X)
        else:
            X = post_norm(X, sublayer, *norm, eps)
    return X


def _keys_not_normed(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    arrange = pre_norm if norm_first else post_norm
    attended = arrange(X, lambda Z: multi_head_attention(Z, X, params.attention, n_heads, mask)[0], *params.norm_1, eps)
    return arrange(attended, _sublayers(params, n_heads, mask)[1], *params.norm_2, eps)


def _with_gelu(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    arrange = pre_norm if norm_first else post_norm
    attend, ffn = _sublayers(params, n_heads, mask, gelu)
    return arrange(arrange(X, attend, *params.norm_1, eps), ffn, *params.norm_2, eps)


def _no_ffn(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    arrange = pre_norm if norm_first else post_norm
    return arrange(X, _sublayers(params, n_heads, mask)[0], *params.norm_1, eps)


def _one_head(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    return reference.encoder_layer(X, params, 1, mask, norm_first, eps)


def _no_eps(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    return reference.encoder_layer(X, params, n_heads, mask, norm_first)


def _tuple_added(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    arrange = pre_norm if norm_first else post_norm
    attended = arrange(X, lambda Z: multi_head_attention(Z, Z, params.attention, n_heads, mask), *params.norm_1, eps)
    return arrange(attended, _sublayers(params, n_heads, mask)[1], *params.norm_2, eps)


def _in_place(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    X[...] = reference.encoder_layer(X, params, n_heads, mask, norm_first, eps)
    return X


MISTAKES = (
    Mistake(
        "mask-dropped",
        "The mask is accepted but not handed on",
        _mask_dropped,
        "Nothing fails when a mask is lost: the padding is attended to, silently. Only the attention can use it.",
        WAY_OF_THE_MASK,
    ),
    Mistake(
        "mask-inverted",
        "The mask is inverted on its way",
        _mask_inverted,
        "True means “may attend”, here as in the attention. Hand it on as it is.",
        WAY_OF_THE_MASK,
    ),
    Mistake(
        "mask-in-one-branch",
        "With norm_first=True the mask is lost",
        _mask_in_one_branch,
        "Code that is written twice has to be right twice. Can the choice between the two orders be made in one place?",
        WAY_OF_THE_MASK,
    ),
    Mistake(
        "always-post-norm",
        "norm_first is ignored: it is always post-norm",
        _always_post,
        "With norm_first=True both sub-layers are to be arranged as in your `pre_norm`.",
        PARTS,
    ),
    Mistake(
        "always-pre-norm",
        "norm_first is ignored: it is always pre-norm",
        _always_pre,
        "The default is the order of the original paper, in which the norm comes last.",
        PARTS,
    ),
    Mistake(
        "order-inverted",
        "norm_first means the opposite",
        _order_inverted,
        "norm_first=True is pre-norm: the norm comes before the sub-layer.",
        PARTS,
    ),
    Mistake(
        "ffn-first",
        "The feed-forward network comes before the attention",
        _ffn_first,
        "First the tokens gather what they need from each other, then each one works on it alone.",
        PARTS,
    ),
    Mistake(
        "side-by-side",
        "The feed-forward network gets the input of the layer, not what comes out of the first sub-layer",
        _side_by_side,
        "The two sub-layers follow each other: the second one takes what the first one has made.",
        PARTS,
    ),
    Mistake(
        "one-norm-for-both",
        "Both sub-layers use norm_1",
        _one_norm,
        "Each sub-layer has a norm with its own gamma and beta. With their initial values, 1 and 0, nobody would "
        "notice.",
        PARTS,
    ),
    Mistake(
        "norms-exchanged",
        "norm_1 and norm_2 have changed places",
        _norms_exchanged,
        "norm_1 belongs to the attention, norm_2 to the feed-forward network, in both orders.",
        PARTS,
    ),
    Mistake(
        "no-residual",
        "The inputs of the sub-layers are not added",
        _no_residual,
        "Both sub-layers stand inside a residual connection. Your two functions above do the adding.",
        PARTS,
    ),
    Mistake(
        "norm-before-adding",
        "In post-norm the sub-layer's output is normalised before the sum",
        _norm_before_adding,
        "The sum first, then the norm: the order of Exercise 7.2.",
        PARTS,
    ),
    Mistake(
        "normed-residual",
        "In pre-norm the normalised input is added instead of the input itself",
        _normed_residual,
        "The residual connection takes the input as it was before the norm: the order of Exercise 7.3.",
        PARTS,
    ),
    Mistake(
        "keys-not-normed",
        "In pre-norm only the queries are normalised; keys and values come from the raw input",
        _keys_not_normed,
        "Self-attention has one input. Whatever the sub-layer is given takes both roles.",
        PARTS,
    ),
    Mistake(
        "gelu",
        "The feed-forward network uses GELU",
        _with_gelu,
        "Later models do. The layer of the original paper, and of this exercise, uses ReLU.",
        PARTS,
    ),
    Mistake(
        "no-ffn",
        "There is no feed-forward network",
        _no_ffn,
        "The layer has a second sub-layer, which holds two thirds of its weights.",
        PARTS,
    ),
    Mistake(
        "one-head",
        "n_heads is not handed on: there is one head",
        _one_head,
        "The shapes fit for any number of heads that divides the width, so nothing fails. The numbers differ.",
        PARTS,
    ),
    Mistake(
        "eps-not-handed-on",
        "eps is not handed on to the norms",
        _no_eps,
        "It has to pass through both calls, otherwise each norm falls back on its default.",
        SECTION,
    ),
    Mistake(
        "tuple-added",
        "The attention's whole result, output and weights, is added to X",
        _tuple_added,
        "Multi-head attention returns two things. A sub-layer returns one: the output.",
        PARTS,
    ),
    Mistake(
        "in-place",
        "The tokens of the caller are overwritten",
        _in_place,
        "The input may be needed again, for a figure or for the gradients. Make a new array.",
        SECTION,
    ),
)
