"""Functions that learners wrote for `encoder_layer`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import multi_head_attention, position_wise_ffn, post_norm, pre_norm


@wrong(
    "forgets the mask: it is not handed to the attention",
    names={"mask-dropped"},
    line="return reference.multi_head_attention(Z, Z, params.attention, n_heads)[0]",
)
def no_mask(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    def attend(Z):
        return reference.multi_head_attention(Z, Z, params.attention, n_heads)[0]

    def ffn(Z):
        return reference.position_wise_ffn(Z, params.ffn)

    wrap = reference.pre_norm if norm_first else reference.post_norm
    Y = wrap(X, attend, *params.norm_1, eps)
    return wrap(Y, ffn, *params.norm_2, eps)


@wrong(
    "uses the first norm for both sub-layers",
    names={"one-norm-for-both"},
    line="return wrap(Y, ffn, *params.norm_1, eps)",
)
def first_norm_twice(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    attend = lambda Z: reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]
    ffn = lambda Z: reference.position_wise_ffn(Z, params.ffn)
    wrap = reference.pre_norm if norm_first else reference.post_norm
    Y = wrap(X, attend, *params.norm_1, eps)
    return wrap(Y, ffn, *params.norm_1, eps)


@wrong(
    "norm_first the wrong way round: True gives post-norm and False pre-norm",
    names={"order-inverted"},
    line="if not norm_first:",
)
def order_inverted(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    if not norm_first:
        wrap = reference.pre_norm
    else:
        wrap = reference.post_norm
    Y = wrap(X, lambda Z: reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0], *params.norm_1, eps)
    return wrap(Y, lambda Z: reference.position_wise_ffn(Z, params.ffn), *params.norm_2, eps)


@wrong(
    "the attention's sub-layer returns the tuple of output and weights instead of the output alone",
    names={"tuple-added"},
    line="return reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)",
)
def weights_not_dropped(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    def attend(Z):
        return reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)

    def ffn(Z):
        return reference.position_wise_ffn(Z, params.ffn)

    wrap = reference.pre_norm if norm_first else reference.post_norm
    Y = wrap(X, attend, params.norm_1.gamma, params.norm_1.beta, eps)
    return wrap(Y, ffn, params.norm_2.gamma, params.norm_2.beta, eps)


@wrong(
    "the feed-forward network's block gets X instead of the result of the attention's block",
    names={"second-block-from-input", "side-by-side"},
    line="out = wrap(X, ffn, *params.norm_2, eps)",
)
def second_block_from_input(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    attend = lambda Z: reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]
    ffn = lambda Z: reference.position_wise_ffn(Z, params.ffn)
    wrap = reference.pre_norm if norm_first else reference.post_norm
    Y = wrap(X, attend, *params.norm_1, eps)
    out = wrap(X, ffn, *params.norm_2, eps)
    return out


@wrong(
    "keys and values come from the outer X instead of the array that the sub-layer is given, wrong in pre-norm",
    names={"keys-not-normed"},
    line="out, weights = reference.multi_head_attention(Z, X, params.attention, n_heads, mask)",
)
def outer_variable_as_memory(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    def self_attention(Z):
        out, weights = reference.multi_head_attention(Z, X, params.attention, n_heads, mask)
        return out

    def network(Z):
        return reference.position_wise_ffn(Z, params.ffn)

    block = reference.pre_norm if norm_first else reference.post_norm
    X_1 = block(X, self_attention, *params.norm_1, eps)
    return block(X_1, network, *params.norm_2, eps)


@wrong(
    "eps is not handed to the two norms, so they always use 1e-5",
    names={"eps-not-handed-on"},
    line="Y = wrap(X, attend, *params.norm_1)",
)
def eps_not_passed(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    wrap = reference.pre_norm if norm_first else reference.post_norm
    attend = lambda Z: reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]
    ffn = lambda Z: reference.position_wise_ffn(Z, params.ffn)
    Y = wrap(X, attend, *params.norm_1)
    return wrap(Y, ffn, *params.norm_2)


@wrong(
    "the feed-forward network comes first and the attention second",
    names={"ffn-first"},
    line="Y = wrap(X, ffn, *params.norm_1, eps)",
)
def network_first(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    def attend(Z):
        return reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]

    def ffn(Z):
        return reference.position_wise_ffn(Z, params.ffn)

    wrap = reference.pre_norm if norm_first else reference.post_norm
    Y = wrap(X, ffn, *params.norm_1, eps)
    return wrap(Y, attend, *params.norm_2, eps)


@wrong(
    "ignores norm_first and always computes post-norm",
    names={"always-post-norm"},
    line="Y = reference.post_norm(X, attend, *params.norm_1, eps)",
)
def always_post_norm(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    attend = lambda Z: reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]
    ffn = lambda Z: reference.position_wise_ffn(Z, params.ffn)
    Y = reference.post_norm(X, attend, *params.norm_1, eps)
    return reference.post_norm(Y, ffn, *params.norm_2, eps)


@wrong("inverts the mask, so tokens attend to what is hidden", names={"mask-inverted"}, line="mask = ~mask")
def mask_inverted(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    if mask is not None:
        mask = ~mask
    attend = lambda Z: reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]
    ffn = lambda Z: reference.position_wise_ffn(Z, params.ffn)
    wrap = reference.pre_norm if norm_first else reference.post_norm
    Y = wrap(X, attend, *params.norm_1, eps)
    return wrap(Y, ffn, *params.norm_2, eps)


@wrong(
    "in post-norm the second residual adds X, the layer's input, instead of Y",
    names={"residual-from-input-in-post-norm"},
    line="return reference.layer_norm(X + F, *params.norm_2, eps)",
)
def residual_from_layer_input(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    if norm_first:
        N = reference.layer_norm(X, *params.norm_1, eps)
        Y = X + reference.multi_head_attention(N, N, params.attention, n_heads, mask)[0]
        return Y + reference.position_wise_ffn(reference.layer_norm(Y, *params.norm_2, eps), params.ffn)
    A, _ = reference.multi_head_attention(X, X, params.attention, n_heads, mask)
    Y = reference.layer_norm(X + A, *params.norm_1, eps)
    F = reference.position_wise_ffn(Y, params.ffn)
    return reference.layer_norm(X + F, *params.norm_2, eps)


@wrong(
    "always uses two heads, as in the example, and ignores n_heads",
    names={"always-two-heads"},
    line="return reference.multi_head_attention(Z, Z, params.attention, 2, mask)[0]",
)
def two_heads(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    def attend(Z):
        return reference.multi_head_attention(Z, Z, params.attention, 2, mask)[0]

    def ffn(Z):
        return reference.position_wise_ffn(Z, params.ffn)

    wrap = reference.pre_norm if norm_first else reference.post_norm
    return wrap(wrap(X, attend, *params.norm_1, eps), ffn, *params.norm_2, eps)


@wrong(
    "the first block follows norm_first, but the network's block is always post-norm",
    names={"second-block-post-norm"},
    line="return reference.post_norm(Y, ffn, *params.norm_2, eps)",
)
def second_block_always_post(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    attend = lambda Z: reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]
    ffn = lambda Z: reference.position_wise_ffn(Z, params.ffn)
    if norm_first:
        Y = reference.pre_norm(X, attend, *params.norm_1, eps)
    else:
        Y = reference.post_norm(X, attend, *params.norm_1, eps)
    return reference.post_norm(Y, ffn, *params.norm_2, eps)


@wrong(
    "two: the mask is forgotten, and the network's block uses the first norm again",
    names={"mask-dropped", "one-norm-for-both"},
    line="attend = lambda Z: reference.multi_head_attention(Z, Z, params.attention, n_heads)[0]",
)
def mask_and_norm(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    attend = lambda Z: reference.multi_head_attention(Z, Z, params.attention, n_heads)[0]
    ffn = lambda Z: reference.position_wise_ffn(Z, params.ffn)
    wrap = reference.pre_norm if norm_first else reference.post_norm
    Y = wrap(X, attend, *params.norm_1, eps)
    return wrap(Y, ffn, *params.norm_1, eps)


@wrong(
    "adds one more layer norm at the end of pre-norm, which belongs at the top of the stack only",
    names={"norm-at-the-end"},
    line="out = reference.layer_norm(out, *params.norm_2, eps)",
)
def final_norm_in_layer(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    attend = lambda Z: reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]
    ffn = lambda Z: reference.position_wise_ffn(Z, params.ffn)
    wrap = reference.pre_norm if norm_first else reference.post_norm
    out = wrap(X, attend, *params.norm_1, eps)
    out = wrap(out, ffn, *params.norm_2, eps)
    if norm_first:
        out = reference.layer_norm(out, *params.norm_2, eps)
    return out


@wrong(
    "hands the whole norm over as gamma and does not unpack it, so beta is missing and the call raises",
    names={"norm-not-unpacked"},
    line="Y = wrap(X, attend, params.norm_1, eps=eps)",
)
def norm_not_unpacked(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    attend = lambda Z: reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]
    ffn = lambda Z: reference.position_wise_ffn(Z, params.ffn)
    wrap = reference.pre_norm if norm_first else reference.post_norm
    Y = wrap(X, attend, params.norm_1, eps=eps)
    return wrap(Y, ffn, params.norm_2, eps=eps)


@wrong(
    "stops after the attention's block: the feed-forward network and its norm are missing",
    names={"no-ffn"},
    line="return wrap(X, attend, *params.norm_1, eps)",
)
def half_a_layer(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    attend = lambda Z: reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]
    wrap = reference.post_norm
    if norm_first:
        wrap = reference.pre_norm
    return wrap(X, attend, *params.norm_1, eps)


@wrong(
    "two: norm_first is the wrong way round, and eps is not handed to the norms",
    names={"eps-not-handed-on", "order-inverted"},
    line="wrap = reference.post_norm if norm_first else reference.pre_norm",
)
def inverted_and_eps(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    attend = lambda Z: reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]
    ffn = lambda Z: reference.position_wise_ffn(Z, params.ffn)
    wrap = reference.post_norm if norm_first else reference.pre_norm
    Y = wrap(X, attend, *params.norm_1)
    return wrap(Y, ffn, *params.norm_2)


@wrong(
    "swaps the two norms: norm_2 wraps the attention and norm_1 the network",
    names={"norms-exchanged"},
    line="Y = wrap(X, attend, *params.norm_2, eps)",
)
def norms_swapped(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    attend = lambda Z: reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]
    ffn = lambda Z: reference.position_wise_ffn(Z, params.ffn, activation=reference.relu)
    wrap = reference.pre_norm if norm_first else reference.post_norm
    Y = wrap(X, attend, *params.norm_2, eps)
    return wrap(Y, ffn, *params.norm_1, eps)


@right
def chosen_wrapper(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    def attend(Z):
        output, _ = reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)
        return output

    def network(Z):
        return reference.position_wise_ffn(Z, params.ffn)

    wrap = reference.pre_norm if norm_first else reference.post_norm
    Y = wrap(X, attend, *params.norm_1, eps)
    return wrap(Y, network, *params.norm_2, eps)


@right
def written_out(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    g1, b1 = params.norm_1
    g2, b2 = params.norm_2
    if norm_first:
        N = reference.layer_norm(X, g1, b1, eps)
        Y = X + reference.multi_head_attention(N, N, params.attention, n_heads, mask)[0]
        N = reference.layer_norm(Y, g2, b2, eps)
        return Y + reference.position_wise_ffn(N, params.ffn)
    Y = reference.layer_norm(X + reference.multi_head_attention(X, X, params.attention, n_heads, mask)[0], g1, b1, eps)
    return reference.layer_norm(Y + reference.position_wise_ffn(Y, params.ffn), g2, b2, eps)


@right
def loop_over_blocks(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    blocks = [
        (lambda Z: reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0], params.norm_1),
        (lambda Z: reference.position_wise_ffn(Z, params.ffn), params.norm_2),
    ]
    out = X
    for sublayer, norm in blocks:
        if norm_first:
            out = reference.pre_norm(out, sublayer, norm.gamma, norm.beta, eps)
        else:
            out = reference.post_norm(out, sublayer, norm.gamma, norm.beta, eps)
    return out


@wrong("takes keys and values from X as it came in, which pre-norm has not normalised", names={"keys-not-normed"})
def memory_from_outside(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    norm = pre_norm if norm_first else post_norm
    Y = norm(X, lambda Z: multi_head_attention(Z, X, params.attention, n_heads, mask)[0], *params.norm_1, eps)
    return norm(Y, lambda Z: position_wise_ffn(Z, params.ffn), *params.norm_2, eps)


@wrong(
    "takes pre-norm always: False is not None",
    names={"always-pre-norm"},
    line="norm = pre_norm if norm_first is not None else post_norm",
)
def false_is_not_none(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    norm = pre_norm if norm_first is not None else post_norm
    Y = norm(X, lambda Z: multi_head_attention(Z, Z, params.attention, n_heads, mask)[0], *params.norm_1, eps)
    return norm(Y, lambda Z: position_wise_ffn(Z, params.ffn), *params.norm_2, eps)


@wrong("adds the input once more, although the norms add it already", names={"inputs-added-twice"})
def added_twice(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    norm = pre_norm if norm_first else post_norm
    attend = lambda Z: Z + multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]
    Y = norm(X, attend, *params.norm_1, eps)
    return norm(Y, lambda Z: Z + position_wise_ffn(Z, params.ffn), *params.norm_2, eps)


@wrong(
    "in pre-norm the residuals add the normalised tokens instead of the tokens themselves",
    names={"normed-residual"},
)
def residual_of_normed(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    attend = lambda Z: reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]
    network = lambda Z: reference.position_wise_ffn(Z, params.ffn)
    if norm_first:
        Z = reference.layer_norm(X, *params.norm_1, eps)
        Y = Z + attend(Z)
        Z = reference.layer_norm(Y, *params.norm_2, eps)
        return Z + network(Z)
    Y = reference.post_norm(X, attend, *params.norm_1, eps)
    return reference.post_norm(Y, network, *params.norm_2, eps)


@wrong(
    "hands eps to the first norm only",
    names={"eps-for-the-first-norm-only"},
    line="return wrap(Y, network, *params.norm_2)",
)
def eps_to_the_first(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    def attend(Z):
        return multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]

    def network(Z):
        return position_wise_ffn(Z, params.ffn)

    wrap = pre_norm if norm_first else post_norm
    Y = wrap(X, attend, *params.norm_1, eps)
    return wrap(Y, network, *params.norm_2)


@wrong("in post-norm the sub-layers get normalised tokens as well", names={"post_norm/normed-twice"})
def norm_before_and_after(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    first = lambda Z: reference.layer_norm(Z, *params.norm_1, eps)
    second = lambda Z: reference.layer_norm(Z, *params.norm_2, eps)
    Z = first(X)
    Y = X + reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]
    if not norm_first:
        Y = first(Y)
    out = Y + reference.position_wise_ffn(second(Y), params.ffn)
    return out if norm_first else second(out)


@wrong(
    "the mask gets an axis in second place on its way, although the attention adds one itself",
    line="mask = mask[:, None]",
)
def mask_axis_second(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    if mask is not None:
        mask = mask[:, None]
    attend = lambda Z: reference.multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]
    wrap = reference.pre_norm if norm_first else reference.post_norm
    Y = wrap(X, attend, *params.norm_1, eps)
    return wrap(Y, lambda Z: reference.position_wise_ffn(Z, params.ffn), *params.norm_2, eps)
