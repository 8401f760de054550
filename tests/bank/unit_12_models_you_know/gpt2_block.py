"""Functions that learners wrote for `gpt2_block`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong
from transformer_kit.reference import (
    biased_attention,
    encoder_layer,
    gelu,
    layer_norm,
    position_wise_ffn,
    post_norm,
    pre_norm,
)


def _tanh(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


@wrong(
    "post_norm in the place of pre_norm",
    names={"norm-last"},
    line="X = post_norm(X, lambda Z: biased_attention(Z, Z, params.attention, n_heads, mask)[0], *params.norm_1)",
)
def with_post_norm(X, params, n_heads, mask=None):
    X = post_norm(X, lambda Z: biased_attention(Z, Z, params.attention, n_heads, mask)[0], *params.norm_1)
    return post_norm(X, lambda Z: position_wise_ffn(Z, params.ffn, _tanh), *params.norm_2)


@wrong(
    "two: encoder_layer has neither biases in the attention nor GELU in the network",
    names={"no-biases", "relu"},
)
def an_encoder_layer(X, params, n_heads, mask=None):
    return encoder_layer(X, params, n_heads, mask, norm_first=True)


@wrong(
    "the exact GELU of unit 06",
    names={"exact-gelu"},
    line="return pre_norm(X, lambda Z: position_wise_ffn(Z, params.ffn, gelu), *params.norm_2)",
)
def old_gelu(X, params, n_heads, mask=None):
    X = pre_norm(X, lambda Z: biased_attention(Z, Z, params.attention, n_heads, mask)[0], *params.norm_1)
    return pre_norm(X, lambda Z: position_wise_ffn(Z, params.ffn, gelu), *params.norm_2)


@wrong(
    "no activation is handed over, so the network has a ReLU",
    names={"relu"},
    line="return X + position_wise_ffn(layer_norm(X, *params.norm_2), params.ffn)",
)
def default_activation(X, params, n_heads, mask=None):
    Z = layer_norm(X, *params.norm_1)
    attended, _ = biased_attention(Z, Z, params.attention, n_heads, mask)
    X = X + attended
    return X + position_wise_ffn(layer_norm(X, *params.norm_2), params.ffn)


@wrong(
    "the network's output is added to the normed vectors, not to the sum",
    line="return Z + position_wise_ffn(Z, params.ffn, _tanh)",
)
def added_to_the_normed(X, params, n_heads, mask=None):
    Z = layer_norm(X, *params.norm_1)
    X = X + biased_attention(Z, Z, params.attention, n_heads, mask)[0]
    Z = layer_norm(X, *params.norm_2)
    return Z + position_wise_ffn(Z, params.ffn, _tanh)


@wrong(
    "the mask is not handed over",
    names={"mask-ignored"},
    line="X = X + biased_attention(Z, Z, params.attention, n_heads)[0]",
)
def mask_forgotten(X, params, n_heads, mask=None):
    Z = layer_norm(X, *params.norm_1)
    X = X + biased_attention(Z, Z, params.attention, n_heads)[0]
    return X + position_wise_ffn(layer_norm(X, *params.norm_2), params.ffn, _tanh)


@wrong(
    "2 / np.pi ** 0.5 is 2 divided by the root of pi",
    names={"root-of-pi-only"},
    line="inner = 2 / np.pi**0.5 * (h + 0.044715 * h**3)",
)
def precedence(X, params, n_heads, mask=None):
    Z = layer_norm(X, *params.norm_1)
    X = X + biased_attention(Z, Z, params.attention, n_heads, mask)[0]
    h = layer_norm(X, *params.norm_2) @ params.ffn.W_1 + params.ffn.b_1
    inner = 2 / np.pi**0.5 * (h + 0.044715 * h**3)
    return X + 0.5 * h * (1 + np.tanh(inner)) @ params.ffn.W_2 + params.ffn.b_2


@wrong(
    "the GELU comes after W_2",
    names={"gelu-at-the-end"},
    line="return X + _tanh(h @ params.ffn.W_2 + params.ffn.b_2)",
)
def gelu_at_the_end(X, params, n_heads, mask=None):
    Z = layer_norm(X, *params.norm_1)
    X = X + biased_attention(Z, Z, params.attention, n_heads, mask)[0]
    h = layer_norm(X, *params.norm_2) @ params.ffn.W_1 + params.ffn.b_1
    return X + _tanh(h @ params.ffn.W_2 + params.ffn.b_2)


@wrong(
    "the input is changed by +=",
    names={"in-place"},
    line="X += biased_attention(Z, Z, params.attention, n_heads, mask)[0]",
)
def plus_equals(X, params, n_heads, mask=None):
    Z = layer_norm(X, *params.norm_1)
    X += biased_attention(Z, Z, params.attention, n_heads, mask)[0]
    X += position_wise_ffn(layer_norm(X, *params.norm_2), params.ffn, _tanh)
    return X


@right
def step_by_step(X, params, n_heads, mask=None):
    attention, norm_1, ffn, norm_2 = params
    Z = layer_norm(X, norm_1.gamma, norm_1.beta, eps=1e-5)
    attended, weights = biased_attention(Z, Z, attention, n_heads, mask)
    middle = X + attended
    Z = layer_norm(middle, norm_2.gamma, norm_2.beta, eps=1e-5)
    h = Z @ ffn.W_1 + ffn.b_1
    h = 0.5 * h * (1 + np.tanh(0.7978845608028654 * (h + 0.044715 * h * h * h)))
    return middle + h @ ffn.W_2 + ffn.b_2


@wrong("takes the root of 2 and divides it by pi", names={"root-of-2-only"})
def root_of_two_only(X, params, n_heads, mask=None):
    def gelu_tanh(x):
        return 0.5 * x * (1 + np.tanh(np.sqrt(2) / np.pi * (x + 0.044715 * x**3)))

    X = pre_norm(X, lambda Z: biased_attention(Z, Z, params.attention, n_heads, mask)[0], *params.norm_1)
    return pre_norm(X, lambda Z: position_wise_ffn(Z, params.ffn, gelu_tanh), *params.norm_2)


@wrong("gives the network the vectors that came in", names={"side-by-side"})
def parallel(X, params, n_heads, mask=None):
    def gelu_tanh(x):
        return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))

    A = biased_attention(*[layer_norm(X, *params.norm_1)] * 2, params.attention, n_heads, mask)[0]
    F = position_wise_ffn(layer_norm(X, *params.norm_2), params.ffn, gelu_tanh)
    return X + A + F


@wrong("takes the square where the formula has the cube", names={"square-for-cube"})
def square_for_cube(X, params, n_heads, mask=None):
    def gelu_tanh(x):
        return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**2)))

    X = pre_norm(X, lambda Z: biased_attention(Z, Z, params.attention, n_heads, mask)[0], *params.norm_1)
    return pre_norm(X, lambda Z: position_wise_ffn(Z, params.ffn, gelu_tanh), *params.norm_2)
