"""Specification of `encoder_layer`."""

from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_07_add_and_layer_norm import calls, lookalikes
from autograder.exercises.unit_07_add_and_layer_norm.inputs import (
    hides_padding,
    hides_the_future,
    masks_every_sentence,
    small,
)
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import init_encoder_layer

D_MODEL, N_HEADS, D_FF = 12, 3, 20

EXERCISE = Exercise(
    reference=reference.encoder_layer,
    asks="one layer of the encoder: self-attention, then the feed-forward network, each with its sum and its norm.",
    returns=(Output("output", "(..., n, d_model)"),),
    calls=calls.ENCODER_LAYER,
    lookalike=lookalikes.ENCODER_LAYER,
)


def _parameters(rng):
    """Draw a layer whose two norms differ and whose biases are not 0."""
    return init_encoder_layer(rng, D_MODEL, N_HEADS, D_FF, noise=0.3)


@EXERCISE.claim(1.5)
def post_norm_by_default(call, rng):
    """post-norm, the default: equals the two sub-layers in their order"""
    call.agrees(rng.standard_normal((5, D_MODEL)), _parameters(rng), N_HEADS)
    call.agrees(rng.standard_normal((7, D_MODEL)), _parameters(rng), N_HEADS, norm_first=False)


@EXERCISE.claim(1)
def pre_norm_where_asked(call, rng):
    """pre-norm, with norm_first=True: equals the two sub-layers in their order"""
    call.agrees(rng.standard_normal((5, D_MODEL)), _parameters(rng), N_HEADS, None, True)
    call.agrees(rng.standard_normal((7, D_MODEL)), _parameters(rng), N_HEADS, norm_first=True)


@EXERCISE.claim(1)
def mask(call, rng):
    """the mask reaches the attention: hidden tokens do not move visible ones"""
    X, params = rng.standard_normal((2, 5, D_MODEL)), _parameters(rng)
    for norm_first in (False, True):
        hides_padding(call, rng, X[0], params, N_HEADS, norm_first)
        hides_the_future(call, rng, X[0], params, N_HEADS, norm_first)
        masks_every_sentence(call, X, params, N_HEADS, norm_first)


@EXERCISE.claim(0.5, side=True)
def eps(call, rng):
    """passes eps to both norms"""
    X, params = small(rng, 5, D_MODEL), _parameters(rng)
    for norm_first in (False, True):
        call.agrees(X, params, N_HEADS, None, norm_first)
        agrees_here(call, X, params, N_HEADS, None, norm_first, 0.1)


@EXERCISE.claim(0.5, side=True)
def leading_axes(call, rng):
    """works for any leading axes"""
    params = _parameters(rng)
    call.agrees(rng.standard_normal((5, D_MODEL)), params, N_HEADS)
    agrees_here(call, rng.standard_normal((2, 5, D_MODEL)), params, N_HEADS)
    agrees_here(call, rng.standard_normal((2, 3, 4, D_MODEL)), params, N_HEADS)
    agrees_here(call, rng.standard_normal((1, 3, 1, D_MODEL)), params, N_HEADS)


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    X, params = rng.standard_normal((5, D_MODEL)), _parameters(rng)
    mask = reference.causal_mask(5)
    for norm_first in (False, True):
        call.leaves_inputs_alone(X, params, N_HEADS, mask, norm_first)
    call.agrees(X, params, N_HEADS)


wrong = WrongAnswers(EXERCISE, globals())

wrong("mask-dropped", "encoder_layer(X, params, n_heads, None, norm_first, eps)", """
    The mask is accepted but not passed on.
    Nothing fails when a mask is lost: the padding simply takes part. Only attention can use the mask.""")

wrong("mask-inverted", "encoder_layer(X, params, n_heads, None if mask is None else ~mask, norm_first, eps)", """
    The mask is inverted on its way.
    True means “may attend”, here as in the attention. Pass it on as it is.""")

wrong("mask-in-one-branch", "encoder_layer(X, params, n_heads, None if norm_first else mask, norm_first, eps)", """
    With norm_first=True the mask is lost.
    Code that is written twice has to be right twice. Can the choice between the two orders be made in one place?""")

wrong("mask-with-axis-for-heads",
      "encoder_layer(X, params, n_heads, None if mask is None else mask[..., None, :, :], norm_first, eps)", """
    The mask gets an axis for the heads on its way.
    Your attention adds that axis itself. Pass the mask on as it is.""")

wrong("mask-as-condition", "encoder_layer(X, params, n_heads, mask if mask else None, norm_first, eps)", """
    One truth value is asked of the whole mask, as by `if mask`.
    An array of many entries is neither true nor false. Attention takes None as well as a mask: pass on what came.""")

wrong("always-post-norm", "encoder_layer(X, params, n_heads, mask, False, eps)", """
    norm_first is ignored: it is always post-norm.
    With norm_first=True both sub-layers are to be arranged as in your `pre_norm`.""")

wrong("always-pre-norm", "encoder_layer(X, params, n_heads, mask, True, eps)", """
    norm_first is ignored: it is always pre-norm.
    The default is the order of the original paper, in which the norm comes last.""")

wrong("order-inverted", "encoder_layer(X, params, n_heads, mask, not norm_first, eps)", """
    norm_first means the opposite.
    norm_first=True is pre-norm: the norm comes before the sub-layer.""")

# As they stand in the reference.
ATTENTION = "lambda Z: multi_head_attention(Z, Z, params.attention, n_heads, mask)[0]"
NETWORK = "lambda Z: position_wise_ffn(Z, params.ffn)"

wrong("ffn-first", {ATTENTION: NETWORK, NETWORK: ATTENTION}, """
    The feed-forward network comes before attention.
    First the tokens gather what they need from each other, then each one works on it alone.""")

wrong("side-by-side", {
    "X = add_and_norm(X, lambda Z: multi": "first, X = X, add_and_norm(X, lambda Z: multi",
    "lambda Z: position_wise_ffn(Z,": "lambda _: position_wise_ffn(first,",
}, """
    The feed-forward network gets the input of the layer, not what comes out of the first sub-layer.
    The two sub-layers follow each other: the second one takes what the first one has made.""")

wrong("one-norm-for-both",
      "encoder_layer(X, params._replace(norm_2=params.norm_1), n_heads, mask, norm_first, eps)", """
    Both sub-layers use norm_1.
    Each sub-layer has a norm with its own gamma and beta. With their initial values, 1 and 0, nobody would notice.""")

wrong("norms-exchanged", {"norm_1": "norm_2", "norm_2": "norm_1"}, """
    norm_1 and norm_2 are swapped.
    norm_1 belongs to the attention, norm_2 to the feed-forward network, in both orders.""")

wrong("no-residual", {
    "pre_norm if norm_first else post_norm":
        "(lambda X, f, *norm: f(layer_norm(X, *norm)) if norm_first else layer_norm(f(X), *norm))",
}, """
    The inputs of the sub-layers are not added.
    Both sub-layers stand inside a residual connection. Your `post_norm` and `pre_norm` do the adding.""")

wrong("norm-before-adding",
      {"else post_norm": "else (lambda X, sublayer, *norm: X + layer_norm(sublayer(X), *norm))"}, """
    In post-norm the sub-layer's output is normalised before the sum.
    The sum first, then the norm: the order of `post_norm`.""")

wrong("normed-residual", {"pre_norm if": "(lambda X, f, *norm: layer_norm(X, *norm) + f(layer_norm(X, *norm))) if"}, """
    In pre-norm the normalised input is added instead of the input itself.
    The residual connection takes the input as it was before the norm: the order of `pre_norm`.""")

wrong("keys-not-normed", {"Z, Z,": "Z, X,"}, """
    In pre-norm only the queries are normalised; keys and values come from the raw input.
    Self-attention has one input. What the sub-layer is given is the source of queries, keys and values alike.""")

wrong("gelu", {".ffn": ".ffn, gelu"}, """
    The feed-forward network uses GELU.
    Later models do. The layer of the original paper, and of this exercise, uses ReLU.""")

wrong("no-ffn", {f"add_and_norm(X, {NETWORK}, *params.norm_2, eps)": "X"}, """
    There is no feed-forward network, or its result is not used.
    The layer has a second sub-layer, which holds two thirds of its weights.""")

wrong("one-head", "encoder_layer(X, params, 1, mask, norm_first, eps)", """
    n_heads is not passed on: there is one head.
    The shapes fit for any number of heads that divides the width, so nothing fails. The numbers differ.""")

wrong("eps-not-handed-on", "encoder_layer(X, params, n_heads, mask, norm_first)", """
    eps is not passed on to the norms.
    It has to pass through both calls, otherwise each norm falls back on its default.""")

wrong("tuple-added", {"mask)[0]": "mask)"}, """
    The attention's whole result, output and weights, is added to X.
    Multi-head attention returns two things. A sub-layer returns one: the output.""")


@wrong.function
def in_place(X, params, n_heads, mask=None, norm_first=False, eps=1e-5):
    """The caller's tokens are overwritten.
    The input may be needed again, for a figure or for the gradients. Make a new array."""
    X[...] = reference.encoder_layer(X, params, n_heads, mask, norm_first, eps)
    return X


wrong("no-relu", {"params.ffn)": "params.ffn, lambda hidden: hidden)"}, """
    The feed-forward network has no activation.
    Without ReLU between them, its two maps are one. The loaded `position_wise_ffn` has it by default.""")

wrong("no-residual-around-attention", {"mask)[0]": "mask)[0] - X"}, """
    The input of the attention is not added to its output.
    Both sub-layers stand inside a residual connection, the attention as well as the network.""")

wrong("no-residual-around-ffn", {"params.ffn)": "params.ffn) - X"}, """
    The input of the feed-forward network is not added to its output.
    Both sub-layers stand inside a residual connection, the network as well as the attention.""")

wrong("attention-not-normed", {"lambda Z: multi_head_attention(Z, Z,": "lambda _, Z=X: multi_head_attention(Z, Z,"}, """
    In pre-norm the attention gets the tokens as they came in, not the normalised ones.
    Does your function of one array use its argument, or the X around it? A sub-layer works on what it is given.""")

wrong("inputs-added-twice",
      {"lambda Z: multi": "lambda Z: Z + multi", "lambda Z: position": "lambda Z: Z + position"}, """
    The inputs of the sub-layers are added twice.
    `post_norm` and `pre_norm` add the input already. A sub-layer returns what it has made of it, and no more.""")

wrong("second-norm-missing", {
    f"add_and_norm(X, {NETWORK}, *params.norm_2, eps)": "X + position_wise_ffn(X, params.ffn)",
}, """
    The block of the feed-forward network has no norm.
    Each of the two sub-layers has a norm of its own. `params.norm_2` is the one of the network.""")

wrong("second-block-from-input", {"    X = add_and_norm": "    add_and_norm"}, """
    The block of the feed-forward network starts from the input of the layer, so attention is lost.
    The two blocks follow each other: the second one takes what the first one has made.""")

wrong("residual-from-input-in-post-norm", {
    "    X = add_and_norm(": "    first, X = X, add_and_norm(",
    "params.ffn)": "params.ffn) + (0 if norm_first else first - X)",
}, """
    In post-norm the second sum adds the input of the layer.
    What is added to a sub-layer's output is the input of its own block: here, the result of the first block.""")

wrong("residual-from-input",
      {"    X = add_and_norm(": "    first, X = X, add_and_norm(", "params.ffn)": "params.ffn) + first - X"}, """
    The second sum adds the input of the layer.
    What is added to a sub-layer's output is the input of its own block: here, the result of the first block.""")

wrong("second-block-post-norm", {"return add_and_norm(": "return post_norm("}, """
    norm_first reaches the first block only: the second one is always post-norm.
    Both blocks are arranged alike. Choose the arrangement once and use it twice.""")

wrong("norm-at-the-end", {
    "return add_and_norm(": "last = layer_norm if norm_first else lambda X, *_: X\n    return last(add_and_norm(",
    "*params.norm_2, eps)": "*params.norm_2, eps), *params.norm_2, eps)",
}, """
    In pre-norm there is one more norm at the end of the layer.
    That norm comes once, at the top of the whole stack. A layer ends with a sum.""")

wrong("always-two-heads", "encoder_layer(X, params, 2, mask, norm_first, eps)", """
    There are two heads, whatever n_heads says.
    Two is the number of the example. The shapes fit for any number that divides the width, so nothing fails.""")

wrong("norm-not-unpacked",
      {"*params.norm_1, eps": "params.norm_1, eps=eps", "*params.norm_2, eps": "params.norm_2, eps=eps"}, """
    The whole norm is passed in place of its gamma.
    A norm is a pair of gamma and beta. A star in front of it passes both, one after the other.""")

for place, other in (("first", "norm_2"), ("second", "norm_1")):
    wrong(f"eps-for-the-{place}-norm-only", {f"{other}, eps)": f"{other})"}, f"""
    eps is passed on to the {place} norm only.
    There are two norms, and each falls back on its default where it is given no eps.""")

wrong("second-norm-for-both", {"params.norm_1": "params.norm_2"}, """
    Both sub-layers use norm_2.
    Each sub-layer has its own norm with its own gamma and beta.""")

for order, asked in (("post", "not norm_first"), ("pre", "norm_first")):
    for part, words, code in (("attention", "attention", "mask)[0]"), ("ffn", "feed-forward network", "params.ffn)")):
        wrong(f"no-residual-around-{part}-in-{order}-norm", {code: f"{code} - (X if {asked} else 0)"}, f"""
        In {order}-norm the input of the {words} is not added to its output.
        Both orders have the same two sums: the attention's output plus its input, and the network's output plus its
        input.""")

    wrong(f"norms-exchanged-in-{order}-norm", {
        "*params.norm_1": f"*(params.norm_2 if {asked} else params.norm_1)",
        "*params.norm_2": f"*(params.norm_1 if {asked} else params.norm_2)",
    }, f"""
    In {order}-norm norm_1 and norm_2 are swapped.
    norm_1 belongs to the attention, norm_2 to the feed-forward network, in both orders.""")

    wrong(f"second-norm-missing-in-{order}-norm", {
        "return add_and_norm(": f"return (X + position_wise_ffn(X, params.ffn)) if {asked} else add_and_norm(",
    }, f"""
    In {order}-norm the block of the feed-forward network has no norm.
    Each of the two sub-layers has a norm of its own, in both orders. `params.norm_2` is the one of the network.""")

    wrong(f"gamma-and-beta-of-two-norms-in-{order}-norm", {
        "*params.norm_1": f"params.norm_1[0], params.norm_2[1] if {asked} else params.norm_1[1]",
    }, f"""
    In {order}-norm the attention's norm has gamma from norm_1 and beta from norm_2.
    A norm is a pair of gamma and beta, and both belong to the same sub-layer.""")

wrong("normed-residual-of-attention", {"mask)[0]": "mask)[0] + (Z - X if norm_first else 0)"}, """
    In pre-norm the attention's output is added to the normalised tokens.
    The residual connection takes the tokens as they were before the norm: the order of `pre_norm`.""")

wrong("normed-residual-of-ffn", {"params.ffn)": "params.ffn) + (Z - X if norm_first else 0)"}, """
    In pre-norm the network's output is added to its normalised input.
    The residual connection takes the input as it was before the norm: the order of `pre_norm`.""")
