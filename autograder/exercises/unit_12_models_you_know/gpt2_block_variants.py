"""What wrong versions of `gpt2_block` are made of."""

import math

import numpy as np

from transformer_kit.reference import biased_attention, layer_norm, position_wise_ffn

ROOT = math.sqrt(2 / math.pi)


def tanh_gelu(x, factor=ROOT, cubic=0.044715):
    """Return the GELU with tanh, or one with other numbers."""
    return 0.5 * x * (1 + np.tanh(factor * (x + cubic * x**3)))


def with_other(X, params, n_heads, mask=None, activation=tanh_gelu, eps=1e-5):
    """Apply a block with another activation or another eps."""
    normed = layer_norm(X, *params.norm_1, eps)
    X = X + biased_attention(normed, normed, params.attention, n_heads, mask)[0]
    return X + position_wise_ffn(layer_norm(X, *params.norm_2, eps), params.ffn, activation)


def attended(X, params, n_heads, mask):
    """Return what the attention adds to X."""
    normed = layer_norm(X, *params.norm_1)
    return biased_attention(normed, normed, params.attention, n_heads, mask)[0]


def transformed(X, params):
    """Return what the network adds to X."""
    return position_wise_ffn(layer_norm(X, *params.norm_2), params.ffn, tanh_gelu)
