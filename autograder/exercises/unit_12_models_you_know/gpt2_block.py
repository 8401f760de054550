"""Specification of `gpt2_block`."""

import math

import numpy as np

from autograder.exercises.inputs import in_float32, judged, random_mask
from autograder.exercises.unit_12_models_you_know import calls, lookalikes
from autograder.exercises.unit_12_models_you_know.inputs import D_MODEL, N_HEADS, biased_layer
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.reference import biased_attention, layer_norm, position_wise_ffn

NORM = "The norm first"
GELU = "Another GELU"

EXERCISE = Exercise(
    reference=reference.gpt2_block,
    asks="one layer of GPT-2: to X add attention to the normalised X, then add the network of the normalised sum.",
    returns=(Output("output", "(..., n, d_model)"),),
    calls=calls.GPT2_BLOCK,
    lookalike=lookalikes.GPT2_BLOCK,
)


def _vectors(rng, *leading, n=5):
    return rng.standard_normal((*leading, n, D_MODEL))


def _attention_alone(layer):
    """Return a layer whose network adds nothing."""
    return layer._replace(ffn=layer.ffn._replace(W_2=np.zeros_like(layer.ffn.W_2), b_2=np.zeros(D_MODEL)))


def _network_alone(layer):
    """Return a layer whose attention adds nothing."""
    silent = layer.attention._replace(W_O=np.zeros_like(layer.attention.W_O), b_O=np.zeros(D_MODEL))
    return layer._replace(attention=silent)


@EXERCISE.claim(1)
def attention_half(call, rng):
    """beside a network that gives 0: the attention sees the normalised vectors and is added to those that came in"""
    call.agrees(_vectors(rng), _attention_alone(biased_layer(rng)), N_HEADS)
    small = 0.02 * _vectors(rng, n=4)  # where eps matters
    call.agrees(small, _attention_alone(biased_layer(rng)), N_HEADS)


@EXERCISE.claim(1.5)
def network_half(call, rng):
    """beside an attention that gives 0: the network, with GELU, sees normalised vectors and is added to what came in"""
    call.agrees(_vectors(rng), _network_alone(biased_layer(rng)), N_HEADS)
    call.agrees(_vectors(rng, n=7), _network_alone(biased_layer(rng)), N_HEADS)


@EXERCISE.claim(1)
def whole(call, rng):
    """the attention comes first, then the network, with one mask for all heads"""
    call.agrees(_vectors(rng), biased_layer(rng), N_HEADS)
    call.agrees(_vectors(rng), biased_layer(rng), N_HEADS, random_mask(rng, 5, 5))
    call.agrees(_vectors(rng, n=6), biased_layer(rng), N_HEADS, np.tri(6, dtype=bool))
    call.agrees(_vectors(rng, 2), biased_layer(rng), N_HEADS, random_mask(rng, 2, 1, 5))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone; takes any leading axes, and float32"""
    X, layer = _vectors(rng), biased_layer(rng)
    call.leaves_inputs_alone(X, layer, N_HEADS, random_mask(rng, 5, 5))
    call.agrees(X, layer, N_HEADS)
    with judged():
        call.agrees(_vectors(rng, 2, 3), layer, N_HEADS)
        call.agrees(X.astype(np.float32), type(layer)(*map(in_float32, layer)), N_HEADS)


wrong = WrongAnswers(EXERCISE, globals())

# As they stand in the reference.
ATTENTION_BLOCK = "pre_norm(X, lambda Z: biased_attention(Z, Z, params.attention, n_heads, mask)[0], *params.norm_1)"
NETWORK_BLOCK = "pre_norm(X, lambda Z: position_wise_ffn(Z, params.ffn, _gelu_with_tanh), *params.norm_2)"
FACTOR = "math.sqrt(2 / math.pi)"

UNNORMED_NETWORK_BLOCK = "X + position_wise_ffn(X, params.ffn, _gelu_with_tanh)"

# In the sums, the normalised vectors take the place of X.
NORMED_RESIDUAL_OF_ATTENTION = {"n_heads, mask)[0]": "n_heads, mask)[0] + Z - X"}
NORMED_RESIDUAL_OF_NETWORK = {"_gelu_with_tanh), *": "_gelu_with_tanh) + Z - X, *"}


def tanh_gelu(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def attended(X, params, n_heads, mask):
    """Return what the attention adds to X."""
    normed = layer_norm(X, *params.norm_1)
    return biased_attention(normed, normed, params.attention, n_heads, mask)[0]


def transformed(X, params):
    """Return what the network adds to X."""
    return position_wise_ffn(layer_norm(X, *params.norm_2), params.ffn, tanh_gelu)


wrong.at(NORM)
wrong.everywhere("norm-last", {"pre_norm": "post_norm"}, """
    The norm comes after the sum, as in the paper.
    GPT-2 has pre-norm: the residual stream itself is never normalised.""")

wrong("normed-residual", NORMED_RESIDUAL_OF_ATTENTION | NORMED_RESIDUAL_OF_NETWORK, """
    The sub-layers are added to the normalised vectors.
    The norm is for the sub-layer only. What it adds goes to X as it came in.""")

wrong("no-residuals", "transformed(attended(X, params, n_heads, mask), params)", """
    Nothing is added: each sub-layer replaces what came in.
    There is a residual connection around the attention, and one around the network.""")

wrong("inputs-added-twice",
      {"lambda Z: biased": "lambda Z: Z + biased", "lambda Z: position": "lambda Z: Z + position"}, """
    The inputs of the sub-layers are added twice.
    `pre_norm` adds what came in already. A sub-layer returns what it made of the normalised vectors, and no more.""")

wrong("no-second-residual", "transformed(X + attended(X, params, n_heads, mask), params)", """
    The network's output is not added to what came in.
    There are two residual connections, one around each sub-layer.""")

wrong("no-first-residual", {
    ATTENTION_BLOCK: "biased_attention(*[layer_norm(X, *params.norm_1)] * 2, params.attention, n_heads, mask)[0]",
}, """
    The attention's output is not added to what came in.
    There are two residual connections, one around each sub-layer.""")

wrong("second-sum-from-the-beginning", "X + transformed(X + attended(X, params, n_heads, mask), params)", """
    The network's output is added to the X that came in at the beginning.
    Then what the attention has found is lost. It is added to the sum that the network was given.""")

wrong("side-by-side", "X + attended(X, params, n_heads, mask) + transformed(X, params)", """
    The network sees the same input as the attention, not the sum.
    The two sub-layers follow each other. Other models, such as GPT-J, have them side by side.""")

wrong("network-first", "X + transformed(X, params) + attended(X + transformed(X, params), params, n_heads, mask)", """
    The network comes before the attention.
    In every layer the attention comes first.""")

wrong("norms-exchanged",
      "gpt2_block(X, params._replace(norm_1=params.norm_2, norm_2=params.norm_1), n_heads, mask)", """
    The two norms are exchanged.
    norm_1 belongs to the attention, norm_2 to the network.""")

wrong("one-norm-for-both", {"*params.norm_2)": "*params.norm_1)"}, """
    norm_1 is used for both sub-layers.
    Each sub-layer has a norm of its own.""")

wrong("no-norms", {
    ATTENTION_BLOCK: "X + biased_attention(X, X, params.attention, n_heads, mask)[0]",
    NETWORK_BLOCK: UNNORMED_NETWORK_BLOCK,
}, """
    Nothing is normalised.
    Before each sub-layer there is a norm.""")

wrong("norm-of-queries-only", {"lambda Z: biased_attention(Z, Z,": "lambda Z, X=X: biased_attention(Z, X,"}, """
    The queries are made of normalised vectors, keys and values of those that came in.
    The attention sees nothing but normalised vectors: both of its arguments are normalised.""")

wrong("network-without-norm", {NETWORK_BLOCK: UNNORMED_NETWORK_BLOCK}, """
    The network sees vectors that are not normalised.
    The second norm comes before the network.""")

wrong("normed-at-the-end", "layer_norm(gpt2_block(X, params, n_heads, mask), *params.norm_2)", """
    The result is normalised once more.
    GPT-2 norms after its last layer, once. That norm does not belong to the layer.""")

wrong("tiny-eps", {"*params.norm_1": "*params.norm_1, 1e-12", "*params.norm_2": "*params.norm_2, 1e-12"}, """
    eps is 1e-12, as in BERT.
    GPT-2 was trained with 1e-5, like your norm of unit 07.""")

wrong("small-eps", {"*params.norm_1": "*params.norm_1, 1e-6", "*params.norm_2": "*params.norm_2, 1e-6"}, """
    eps is 1e-6.
    GPT-2 was trained with 1e-5.""")

wrong.at()
wrong("mask-ignored", "gpt2_block(X, params, n_heads)", """
    The mask is not used.
    Pass it on to the attention.""")

wrong("always-causal", "gpt2_block(X, params, n_heads, np.tri(X.shape[-2], dtype=bool))", """
    A causal mask is made inside, whatever mask is given.
    Whoever calls the layer says what may be seen. Without a mask everything may.""")


@wrong.function
def no_biases(X, params, n_heads, mask=None):
    """The attention has no biases.
    GPT-2 has biases in all four projections, which your `biased_attention` adds."""
    zeros = {name: np.zeros_like(getattr(params.attention, name)) for name in ("b_Q", "b_K", "b_V", "b_O")}
    return reference.gpt2_block(X, params._replace(attention=params.attention._replace(**zeros)), n_heads, mask)


wrong("weights-too",
      "(gpt2_block(X, params, n_heads, mask), biased_attention(X, X, params.attention, n_heads, mask)[1])", """
    The weights are returned as well.
    The result is the vectors alone, which the next layer takes.""")


@wrong.function
def in_place(X, params, n_heads, mask=None):
    """What the sub-layers bring is added to the array that was given.
    An operator such as `+=` writes into the caller's array. `X = X + ...` makes a new one."""
    X += attended(X, params, n_heads, mask)
    X += transformed(X, params)
    return X


wrong.at(GELU)
wrong("exact-gelu", {"params.ffn, _gelu_with_tanh": "params.ffn, gelu"}, """
    The network has the exact GELU.
    The two differ by less than 0.0005, which is enough to show. GPT-2 was trained with the one with tanh.""")

wrong("relu", {"params.ffn, _gelu_with_tanh": "params.ffn, relu"}, """
    The network has a ReLU.
    That is the default of your `position_wise_ffn`. Pass the GELU with tanh.""")

wrong("logistic-gelu",
      {f"0.5 * x * (1 + np.tanh({FACTOR} * (x + 0.044715 * x**3)))": "x / (1 + np.exp(-1.702 * x))"}, """
    The GELU is written with the logistic function of 1.702 x in place of tanh.
    That is another approximation, and a coarser one.""")

wrong("no-cube", {" + 0.044715 * x**3": ""}, """
    The cube of x is left out.
    The argument of tanh is x + 0.044715 x³, times a factor.""")

wrong("square-for-cube", {"x**3": "x**2"}, """
    The square of x takes the place of its cube.
    With the cube, tanh gets the opposite number for the opposite x.""")

wrong("factor-without-root", {FACTOR: "2 / math.pi"}, """
    The factor is 2/π, not its square root.
    The root of 2/π makes the slope at 0 right.""")

wrong("root-of-the-inverse", {FACTOR: "math.sqrt(math.pi / 2)"}, """
    The factor is the root of π/2, not of 2/π.
    Then the curve is too steep.""")

wrong("root-of-pi-only", {FACTOR: "2 / math.sqrt(math.pi)"}, """
    The factor is 2 divided by the root of π.
    `2 / np.pi**0.5` takes the root of π alone. The root is of the whole fraction: `(2 / np.pi) ** 0.5`.""")

wrong("root-of-2-only", {FACTOR: "math.sqrt(2) / math.pi"}, """
    The factor is the root of 2, divided by π.
    `np.sqrt(2) / np.pi` takes the root of 2 alone. The root is of the whole fraction: `np.sqrt(2 / np.pi)`.""")

wrong("gelu-at-the-end", {
    "position_wise_ffn(Z, params.ffn, _gelu_with_tanh)":
        "_gelu_with_tanh(position_wise_ffn(Z, params.ffn, lambda x: x))",
}, """
    The GELU comes after the second map of the network.
    It belongs between the two maps. Without anything between them they are one.""")

wrong("cube-outside", {"(x + 0.044715 * x**3)": "x + 0.044715 * x**3"}, """
    The factor multiplies x only, not the cube.
    The root of 2/π multiplies the whole sum.""")

wrong("not-halved", {"0.5 * x * (": "x * ("}, """
    The factor 0.5 is left out.
    1 + tanh lies between 0 and 2. Half of it is a share.""")

wrong("no-one", {"(1 + np.tanh(": "(np.tanh("}, """
    The 1 before tanh is left out.
    tanh lies between -1 and 1. Only with 1 added, and halved, is it a share.""")

wrong("brackets-forgotten", {"0.5 * x * (1 + np.tanh(": "0.5 * x * 1 + (np.tanh("}, """
    Only the 1 before tanh is multiplied by half of x, because the sum lacks its brackets.
    The factor belongs to the whole sum. Otherwise tanh is added as it is.""")

wrong("cube-of-the-product", {"0.044715 * x**3": "(0.044715 * x) ** 3"}, """
    The product of 0.044715 and x is cubed, not x alone.
    A power binds more tightly than a product: `0.044715 * x**3` needs no brackets around the product.""")

wrong.at(NORM)
wrong("normed-residual-of-network", NORMED_RESIDUAL_OF_NETWORK, """
    The network's output is added to the normalised vectors.
    The norm is for the sub-layer only. What it adds goes to the vectors as they were before the norm.""")

wrong("normed-residual-of-attention", NORMED_RESIDUAL_OF_ATTENTION, """
    The attention's output is added to the normalised vectors.
    The norm is for the sub-layer only. What it adds goes to the vectors as they were before the norm.""")

wrong("network-sees-the-first-norm",
      "X + attended(X, params, n_heads, mask) + transformed(X, params._replace(norm_2=params.norm_1))", """
    The network sees the same normalised vectors as the attention.
    The second norm, norm_2, is for the sum after the attention. The network should see what comes out of it.""")
