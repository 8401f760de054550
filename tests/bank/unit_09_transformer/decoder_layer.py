"""Functions that learners wrote for `decoder_layer`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit import reference
from transformer_kit.reference import multi_head_attention, position_wise_ffn, post_norm, pre_norm


@wrong(
    "with norm_first the memory is normed, too, before the attention to the source",
    names={"memory-normed"},
    line="memory = reference.layer_norm(memory, params.norm_2.gamma, params.norm_2.beta, eps)",
)
def norms_memory(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    norm = reference.pre_norm if norm_first else reference.post_norm
    if norm_first:
        memory = reference.layer_norm(memory, params.norm_2.gamma, params.norm_2.beta, eps)

    def look_back(x):
        return reference.multi_head_attention(x, x, params.self_attention, n_heads, self_mask)[0]

    def look_at_source(x):
        return reference.multi_head_attention(x, memory, params.cross_attention, n_heads, cross_mask)[0]

    def network(x):
        return reference.position_wise_ffn(x, params.ffn)

    X = norm(X, look_back, params.norm_1.gamma, params.norm_1.beta, eps)
    X = norm(X, look_at_source, params.norm_2.gamma, params.norm_2.beta, eps)
    return norm(X, network, params.norm_3.gamma, params.norm_3.beta, eps)


@wrong(
    "the attention to the source takes its queries from the memory and keys and values from the target",
    names={"queries-from-memory"},
    line="attended, _ = reference.multi_head_attention(memory, x, params.cross_attention, n_heads, cross_mask)",
)
def queries_from_memory(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    norm = reference.pre_norm if norm_first else reference.post_norm

    def first(x):
        attended, _ = reference.multi_head_attention(x, x, params.self_attention, n_heads, self_mask)
        return attended

    def second(x):
        attended, _ = reference.multi_head_attention(memory, x, params.cross_attention, n_heads, cross_mask)
        return attended

    def third(x):
        return reference.position_wise_ffn(x, params.ffn)

    X = norm(X, first, *params.norm_1, eps)
    X = norm(X, second, *params.norm_2, eps)
    X = norm(X, third, *params.norm_3, eps)
    return X


@wrong(
    "the second sub-layer works on the layer's input X instead of the first sub-layer's output, which is thrown away",
    names={"no-self-attention"},
    line="X2 = norm(X, cross, *params.norm_2, eps)",
)
def second_forgets_first(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    norm = reference.pre_norm if norm_first else reference.post_norm
    own = lambda x: reference.multi_head_attention(x, x, params.self_attention, n_heads, self_mask)[0]
    cross = lambda x: reference.multi_head_attention(x, memory, params.cross_attention, n_heads, cross_mask)[0]
    ffn = lambda x: reference.position_wise_ffn(x, params.ffn)
    X1 = norm(X, own, *params.norm_1, eps)
    X2 = norm(X, cross, *params.norm_2, eps)
    X3 = norm(X2, ffn, *params.norm_3, eps)
    return X3


@wrong(
    "the two masks are exchanged: cross_mask goes to the self-attention and self_mask to the attention to the source",
    names={"masks-exchanged"},
    line="X = norm(X, lambda x: mha(x, x, params.self_attention, n_heads, cross_mask)[0], *params.norm_1, eps)",
)
def masks_exchanged(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    mha = reference.multi_head_attention
    norm = reference.pre_norm if norm_first else reference.post_norm
    X = norm(X, lambda x: mha(x, x, params.self_attention, n_heads, cross_mask)[0], *params.norm_1, eps)
    X = norm(X, lambda x: mha(x, memory, params.cross_attention, n_heads, self_mask)[0], *params.norm_2, eps)
    return norm(X, lambda x: reference.position_wise_ffn(x, params.ffn), *params.norm_3, eps)


@wrong(
    "cross_mask is never used: the attention to the source sees the padding",
    names={"cross-mask-dropped"},
    line="out, weights = reference.multi_head_attention(x, memory, params.cross_attention, n_heads)",
)
def source_unmasked(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    def self_attend(x):
        out, weights = reference.multi_head_attention(x, x, params.self_attention, n_heads, self_mask)
        return out

    def cross_attend(x):
        out, weights = reference.multi_head_attention(x, memory, params.cross_attention, n_heads)
        return out

    def feed_forward(x):
        return reference.position_wise_ffn(x, params.ffn)

    add_norm = reference.post_norm
    if norm_first:
        add_norm = reference.pre_norm
    sublayers = [self_attend, cross_attend, feed_forward]
    norms = [params.norm_1, params.norm_2, params.norm_3]
    for sublayer, (gamma, beta) in zip(sublayers, norms):
        X = add_norm(X, sublayer, gamma, beta, eps)
    return X


@wrong(
    "the second and third sub-layers use the gamma and beta of norm_1 instead of their own",
    names={"one-norm-for-all"},
    line="X = norm(X, cross, gamma, beta, eps)",
)
def one_norm_for_all(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    norm = reference.pre_norm if norm_first else reference.post_norm
    gamma, beta = params.norm_1

    def own(x):
        return reference.multi_head_attention(x, x, params.self_attention, n_heads, self_mask)[0]

    def cross(x):
        return reference.multi_head_attention(x, memory, params.cross_attention, n_heads, cross_mask)[0]

    def ffn(x):
        return reference.position_wise_ffn(x, params.ffn)

    X = norm(X, own, gamma, beta, eps)
    X = norm(X, cross, gamma, beta, eps)
    X = norm(X, ffn, gamma, beta, eps)
    return X


@wrong(
    "the order of the sub-layers is wrong: the attention to the source comes before the self-attention",
    names={"source-first"},
    line="X = norm(X, attend_source, *params.norm_2, eps)",
)
def source_first(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    if norm_first:
        norm = reference.pre_norm
    else:
        norm = reference.post_norm

    def attend_source(Y):
        return reference.multi_head_attention(Y, memory, params.cross_attention, n_heads, cross_mask)[0]

    def attend_self(Y):
        return reference.multi_head_attention(Y, Y, params.self_attention, n_heads, self_mask)[0]

    X = norm(X, attend_source, *params.norm_2, eps)
    X = norm(X, attend_self, *params.norm_1, eps)
    X = norm(X, lambda Y: reference.position_wise_ffn(Y, params.ffn), *params.norm_3, eps)
    return X


@wrong(
    "eps is not handed on to the three norms, which always take their default",
    names={"eps-not-handed-on"},
    line="X = norm(X, own, g1, b1)",
)
def default_eps(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    g1, b1 = params.norm_1.gamma, params.norm_1.beta
    g2, b2 = params.norm_2.gamma, params.norm_2.beta
    g3, b3 = params.norm_3.gamma, params.norm_3.beta
    own = lambda x: reference.multi_head_attention(x, x, params.self_attention, n_heads, self_mask)[0]
    cross = lambda x: reference.multi_head_attention(x, memory, params.cross_attention, n_heads, cross_mask)[0]
    norm = reference.pre_norm if norm_first else reference.post_norm
    X = norm(X, own, g1, b1)
    X = norm(X, cross, g2, b2)
    return norm(X, lambda x: reference.position_wise_ffn(x, params.ffn), g3, b3)


@wrong(
    "norm_first is turned round: True gives post-norm and False gives pre-norm",
    names={"order-inverted"},
    line="norm = reference.post_norm if norm_first else reference.pre_norm",
)
def norm_first_reversed(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    norm = reference.post_norm if norm_first else reference.pre_norm
    X = norm(
        X,
        lambda x: reference.multi_head_attention(x, x, params.self_attention, n_heads, self_mask)[0],
        *params.norm_1,
        eps,
    )
    X = norm(
        X,
        lambda x: reference.multi_head_attention(x, memory, params.cross_attention, n_heads, cross_mask)[0],
        *params.norm_2,
        eps,
    )
    X = norm(X, lambda x: reference.position_wise_ffn(x, params.ffn), *params.norm_3, eps)
    return X


@wrong(
    "the attention to the source uses the parameters of the self-attention",
    names={"one-attention-for-both"},
    line="return reference.multi_head_attention(x, memory, attn, n_heads, cross_mask)[0]",
)
def same_weights_twice(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    attn = params.self_attention

    def sub1(x):
        return reference.multi_head_attention(x, x, attn, n_heads, self_mask)[0]

    def sub2(x):
        return reference.multi_head_attention(x, memory, attn, n_heads, cross_mask)[0]

    def sub3(x):
        return reference.position_wise_ffn(x, params.ffn)

    f = reference.pre_norm if norm_first else reference.post_norm
    X1 = f(X, sub1, params.norm_1.gamma, params.norm_1.beta, eps)
    X2 = f(X1, sub2, params.norm_2.gamma, params.norm_2.beta, eps)
    X3 = f(X2, sub3, params.norm_3.gamma, params.norm_3.beta, eps)
    return X3


@wrong(
    "post-norm leaves out the residual of the feed-forward network: only its output is normed",
    line="return reference.layer_norm(reference.position_wise_ffn(X, params.ffn), *params.norm_3, eps)",
)
def network_without_residual(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    def own(x):
        return reference.multi_head_attention(x, x, params.self_attention, n_heads, self_mask)[0]

    def cross(x):
        return reference.multi_head_attention(x, memory, params.cross_attention, n_heads, cross_mask)[0]

    if norm_first:
        X = X + own(reference.layer_norm(X, *params.norm_1, eps))
        X = X + cross(reference.layer_norm(X, *params.norm_2, eps))
        return X + reference.position_wise_ffn(reference.layer_norm(X, *params.norm_3, eps), params.ffn)
    X = reference.layer_norm(X + own(X), *params.norm_1, eps)
    X = reference.layer_norm(X + cross(X), *params.norm_2, eps)
    return reference.layer_norm(reference.position_wise_ffn(X, params.ffn), *params.norm_3, eps)


@wrong(
    "the sub-layers of attention return the pair of output and weights instead of the output alone, so the sum fails",
    names={"tuple-added"},
    line="return reference.multi_head_attention(x, x, params.self_attention, n_heads, self_mask)",
)
def keeps_the_pair(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    norm = reference.pre_norm if norm_first else reference.post_norm

    def masked_self(x):
        return reference.multi_head_attention(x, x, params.self_attention, n_heads, self_mask)

    def with_source(x):
        return reference.multi_head_attention(x, memory, params.cross_attention, n_heads, cross_mask)

    def network(x):
        return reference.position_wise_ffn(x, params.ffn)

    X = norm(X, masked_self, *params.norm_1, eps)
    X = norm(X, with_source, *params.norm_2, eps)
    return norm(X, network, *params.norm_3, eps)


@wrong(
    "the sub-layers ignore their argument and read the variable X, so with norm_first they get un-normed vectors",
    names={"sublayers-not-normed"},
    line="attended = reference.multi_head_attention(X, X, params.self_attention, n_heads, self_mask)[0]",
)
def outer_variable(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    norm = reference.pre_norm if norm_first else reference.post_norm

    def sublayer_1(x):
        attended = reference.multi_head_attention(X, X, params.self_attention, n_heads, self_mask)[0]
        return attended

    def sublayer_2(x):
        attended = reference.multi_head_attention(X, memory, params.cross_attention, n_heads, cross_mask)[0]
        return attended

    def sublayer_3(x):
        return reference.position_wise_ffn(X, params.ffn)

    X = norm(X, sublayer_1, *params.norm_1, eps)
    X = norm(X, sublayer_2, *params.norm_2, eps)
    X = norm(X, sublayer_3, *params.norm_3, eps)
    return X


@wrong(
    "the feed-forward network has GELU instead of ReLU",
    names={"gelu"},
    line="X = norm(X, lambda x: reference.position_wise_ffn(x, params.ffn, reference.gelu), *params.norm_3, eps)",
)
def with_gelu(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    norm = reference.pre_norm if norm_first else reference.post_norm
    attend = reference.multi_head_attention
    X = norm(X, lambda x: attend(x, x, params.self_attention, n_heads, self_mask)[0], *params.norm_1, eps)
    X = norm(X, lambda x: attend(x, memory, params.cross_attention, n_heads, cross_mask)[0], *params.norm_2, eps)
    X = norm(X, lambda x: reference.position_wise_ffn(x, params.ffn, reference.gelu), *params.norm_3, eps)
    return X


@wrong(
    "hides later words always, by a causal mask of its own, instead of using the self_mask that it was given",
    names={"always-causal", "own-causal-mask"},
    line="self_mask = reference.causal_mask(X.shape[-2])",
)
def always_causal(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    norm = reference.pre_norm if norm_first else reference.post_norm
    self_mask = reference.causal_mask(X.shape[-2])

    def a(x):
        return reference.multi_head_attention(x, x, params.self_attention, n_heads, self_mask)[0]

    def b(x):
        return reference.multi_head_attention(x, memory, params.cross_attention, n_heads, cross_mask)[0]

    X = norm(X, a, params.norm_1.gamma, params.norm_1.beta, eps)
    X = norm(X, b, params.norm_2.gamma, params.norm_2.beta, eps)
    return norm(X, lambda x: reference.position_wise_ffn(x, params.ffn), params.norm_3.gamma, params.norm_3.beta, eps)


@wrong(
    "calls cross_attention with the mask in the place of memory_is_token, which gives the mask one axis too many",
    names={"mask-for-tokens"},
    line="return reference.cross_attention(x, memory, params.cross_attention, n_heads, cross_mask)[0]",
)
def mask_as_is_token(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    norm = reference.pre_norm if norm_first else reference.post_norm

    def self_attention(x):
        return reference.multi_head_attention(x, x, params.self_attention, n_heads, self_mask)[0]

    def cross_attention(x):
        return reference.cross_attention(x, memory, params.cross_attention, n_heads, cross_mask)[0]

    def ffn(x):
        return reference.position_wise_ffn(x, params.ffn)

    X = norm(X, self_attention, *params.norm_1, eps)
    X = norm(X, cross_attention, *params.norm_2, eps)
    return norm(X, ffn, *params.norm_3, eps)


@wrong(
    "two: the attention to the source is missing, as in an encoder layer with two norms, and norm_first is ignored",
    names={"always-post-norm", "no-cross-attention"},
    line=None,
)
def encoder_layer_again(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    attended, _ = reference.multi_head_attention(X, X, params.self_attention, n_heads, self_mask)
    X = reference.layer_norm(X + attended, params.norm_1.gamma, params.norm_1.beta, eps)
    hidden = reference.position_wise_ffn(X, params.ffn)
    X = reference.layer_norm(X + hidden, params.norm_2.gamma, params.norm_2.beta, eps)
    return X


@wrong(
    "two: the self-attention gets no mask, and gamma and beta of all norms are exchanged",
    names={"self-mask-dropped"},
    line="return reference.multi_head_attention(x, x, params.self_attention, n_heads)[0]",
)
def unmasked_and_exchanged(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    norm = reference.pre_norm if norm_first else reference.post_norm

    def f1(x):
        return reference.multi_head_attention(x, x, params.self_attention, n_heads)[0]

    def f2(x):
        return reference.multi_head_attention(x, memory, params.cross_attention, n_heads, cross_mask)[0]

    def f3(x):
        return reference.position_wise_ffn(x, params.ffn)

    for f, p in ((f1, params.norm_1), (f2, params.norm_2), (f3, params.norm_3)):
        X = norm(X, f, p.beta, p.gamma, eps)
    return X


@wrong(
    "with norm_first the residual adds the normed vectors instead of those before the norm",
    names={"normed-residual"},
    line="return x + sub(x)",
)
def residual_after_norm(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    def add_and_norm(x, sub, p):
        if norm_first:
            x = reference.layer_norm(x, p.gamma, p.beta, eps)
            return x + sub(x)
        return reference.layer_norm(x + sub(x), p.gamma, p.beta, eps)

    def attend(x, kv, p, mask):
        return reference.multi_head_attention(x, kv, p, n_heads, mask)[0]

    X = add_and_norm(X, lambda x: attend(x, x, params.self_attention, self_mask), params.norm_1)
    X = add_and_norm(X, lambda x: attend(x, memory, params.cross_attention, cross_mask), params.norm_2)
    X = add_and_norm(X, lambda x: reference.position_wise_ffn(x, params.ffn), params.norm_3)
    return X


@wrong(
    "adds into X in place, so the caller's array is changed (pre-norm) instead of a new one being made",
    names={"in-place", "pre_norm/in-place"},
    line="X += attend(h, h, params.self_attention, n_heads, self_mask)[0]",
)
def changes_its_argument(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    attend = reference.multi_head_attention
    if norm_first:
        h = reference.layer_norm(X, *params.norm_1, eps)
        X += attend(h, h, params.self_attention, n_heads, self_mask)[0]
        h = reference.layer_norm(X, *params.norm_2, eps)
        X += attend(h, memory, params.cross_attention, n_heads, cross_mask)[0]
        h = reference.layer_norm(X, *params.norm_3, eps)
        X += reference.position_wise_ffn(h, params.ffn)
        return X
    Y = reference.layer_norm(X + attend(X, X, params.self_attention, n_heads, self_mask)[0], *params.norm_1, eps)
    Z = reference.layer_norm(Y + attend(Y, memory, params.cross_attention, n_heads, cross_mask)[0], *params.norm_2, eps)
    return reference.layer_norm(Z + reference.position_wise_ffn(Z, params.ffn), *params.norm_3, eps)


@right
def small_functions(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    norm = reference.pre_norm if norm_first else reference.post_norm

    def attend_self(x):
        return reference.multi_head_attention(x, x, params.self_attention, n_heads, self_mask)[0]

    def attend_source(x):
        return reference.multi_head_attention(x, memory, params.cross_attention, n_heads, cross_mask)[0]

    def network(x):
        return reference.position_wise_ffn(x, params.ffn)

    X = norm(X, attend_self, params.norm_1.gamma, params.norm_1.beta, eps)
    X = norm(X, attend_source, params.norm_2.gamma, params.norm_2.beta, eps)
    return norm(X, network, params.norm_3.gamma, params.norm_3.beta, eps)


@right
def written_out(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    ln, mha, ffn = reference.layer_norm, reference.multi_head_attention, reference.position_wise_ffn
    if not norm_first:
        a, _ = mha(X, X, params.self_attention, n_heads, self_mask)
        X1 = ln(X + a, *params.norm_1, eps)
        b, _ = mha(X1, memory, params.cross_attention, n_heads, cross_mask)
        X2 = ln(X1 + b, *params.norm_2, eps)
        return ln(X2 + ffn(X2, params.ffn), *params.norm_3, eps)
    h = ln(X, *params.norm_1, eps)
    X1 = X + mha(h, h, params.self_attention, n_heads, self_mask)[0]
    h = ln(X1, *params.norm_2, eps)
    X2 = X1 + mha(h, memory, params.cross_attention, n_heads, cross_mask)[0]
    h = ln(X2, *params.norm_3, eps)
    return X2 + ffn(h, params.ffn)


@right
def by_hand_with_einsum(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    def layer_norm(x, p):
        mean = x.mean(axis=-1, keepdims=True)
        var = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
        return (x - mean) / np.sqrt(var + eps) * p.gamma + p.beta

    def heads(x, W):
        projected = x @ W
        return projected.reshape(*projected.shape[:-1], n_heads, -1)

    def attend(x, source, p, mask):
        q, k, v = heads(x, p.W_Q), heads(source, p.W_K), heads(source, p.W_V)
        scores = np.einsum("...qhd,...khd->...hqk", q, k) / np.sqrt(q.shape[-1])
        if mask is None:
            mask = np.ones((1, 1), dtype=bool)
        mask = np.broadcast_to(np.expand_dims(mask, -3), scores.shape)
        top = np.where(mask, scores, -np.inf).max(axis=-1, keepdims=True)
        e = np.where(mask, np.exp(np.where(mask, scores - np.where(np.isfinite(top), top, 0), 0)), 0)
        total = e.sum(axis=-1, keepdims=True)
        weights = e / np.where(total > 0, total, 1)
        out = np.einsum("...hqk,...khd->...qhd", weights, v)
        return out.reshape(*out.shape[:-2], -1) @ p.W_O

    steps = [
        (params.norm_1, lambda x: attend(x, x, params.self_attention, self_mask)),
        (params.norm_2, lambda x: attend(x, memory, params.cross_attention, cross_mask)),
        (params.norm_3, lambda x: np.maximum(x @ params.ffn.W_1 + params.ffn.b_1, 0) @ params.ffn.W_2 + params.ffn.b_2),
    ]
    for p, f in steps:
        X = X + f(layer_norm(X, p)) if norm_first else layer_norm(X + f(X), p)
    return X


@right
def loop_over_sublayers(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    add_norm = [reference.post_norm, reference.pre_norm][bool(norm_first)]
    sublayers = (
        lambda h: reference.multi_head_attention(h, h, params.self_attention, n_heads, mask=self_mask)[0],
        lambda h: reference.multi_head_attention(h, memory, params.cross_attention, n_heads, mask=cross_mask)[0],
        lambda h: reference.position_wise_ffn(h, params.ffn),
    )
    for number, sublayer in enumerate(sublayers, start=1):
        norm = getattr(params, f"norm_{number}")
        X = add_norm(X, sublayer, norm.gamma, norm.beta, eps=eps)
    return X


@wrong(
    "gives every attention the memory as it is, and the last sub-layer the vectors from before the source was asked",
    names={"no-cross-attention"},
    line="return norm(Y, lambda Z: position_wise_ffn(Z, params.ffn), *params.norm_3, eps)",
)
def source_forgotten(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    norm = pre_norm if norm_first else post_norm
    Y = norm(X, lambda Z: multi_head_attention(Z, Z, params.self_attention, n_heads, self_mask)[0], *params.norm_1, eps)
    W = norm(
        Y,
        lambda Z: multi_head_attention(Z, memory, params.cross_attention, n_heads, cross_mask)[0],
        *params.norm_2,
        eps,
    )
    return norm(Y, lambda Z: position_wise_ffn(Z, params.ffn), *params.norm_3, eps)


@wrong(
    "asks the source with the vectors of the input instead of those that are normalised",
    names={"queries-not-normed"},
)
def queries_from_outside(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    norm = pre_norm if norm_first else post_norm
    X = norm(X, lambda Z: multi_head_attention(Z, Z, params.self_attention, n_heads, self_mask)[0], *params.norm_1, eps)
    X = norm(
        X,
        lambda Z: multi_head_attention(X, memory, params.cross_attention, n_heads, cross_mask)[0],
        *params.norm_2,
        eps,
    )
    return norm(X, lambda Z: position_wise_ffn(Z, params.ffn), *params.norm_3, eps)


@wrong("asks the source before itself", names={"source-first"})
def source_first_too(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    norm = pre_norm if norm_first else post_norm
    look = lambda Z: multi_head_attention(Z, memory, params.cross_attention, n_heads, cross_mask)[0]
    read = lambda Z: multi_head_attention(Z, Z, params.self_attention, n_heads, self_mask)[0]
    X = norm(X, look, *params.norm_2, eps)
    X = norm(X, read, *params.norm_1, eps)
    return norm(X, lambda Z: position_wise_ffn(Z, params.ffn), *params.norm_3, eps)


@wrong("uses norm_1 for the attention to the source, too", names={"norm-1-for-both-attentions"})
def norm_1_for_both_attentions(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    add_norm = pre_norm if norm_first else post_norm
    X = add_norm(
        X, lambda Z: multi_head_attention(Z, Z, params.self_attention, n_heads, self_mask)[0], *params.norm_1, eps
    )
    X = add_norm(
        X,
        lambda Z: multi_head_attention(Z, memory, params.cross_attention, n_heads, cross_mask)[0],
        *params.norm_1,
        eps,
    )
    return add_norm(X, lambda Z: position_wise_ffn(Z, params.ffn), *params.norm_3, eps)


@wrong("uses norm_1 for the feed-forward network, too", names={"norm-1-for-ffn"})
def network_with_norm_1(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    block = pre_norm if norm_first else post_norm
    X = block(
        X, lambda Z: multi_head_attention(Z, Z, params.self_attention, n_heads, self_mask)[0], *params.norm_1, eps
    )
    X = block(
        X,
        lambda Z: multi_head_attention(Z, memory, params.cross_attention, n_heads, cross_mask)[0],
        *params.norm_2,
        eps,
    )
    return block(X, lambda Z: position_wise_ffn(Z, params.ffn), *params.norm_1, eps)
