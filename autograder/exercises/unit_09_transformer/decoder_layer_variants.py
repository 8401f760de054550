"""What the wrong versions of `decoder_layer` are made of: its three sub-layers, each with its norm."""

import numpy as np

from transformer_kit.reference import layer_norm, multi_head_attention, position_wise_ffn, relu


def parts(memory, params, n_heads, self_mask, cross_mask, eps, activation=relu):
    """Return the three sub-layers in their order, each with its norm, as functions of X."""
    sublayers = (
        lambda Z: multi_head_attention(Z, Z, params.self_attention, n_heads, self_mask)[0],
        lambda Z: multi_head_attention(Z, memory, params.cross_attention, n_heads, cross_mask)[0],
        lambda Z: position_wise_ffn(Z, params.ffn, activation),
    )
    norms = (lambda Z, norm=norm: layer_norm(Z, *norm, eps) for norm in (params.norm_1, params.norm_2, params.norm_3))
    return zip(sublayers, norms, strict=True)


def in_order(X, parts, norm_first):
    """Send X through pairs of a sub-layer and a norm, one after the other."""
    for sublayer, norm in parts:
        X = X + sublayer(norm(X)) if norm_first else norm(X + sublayer(X))
    return X


def inverted(mask):
    """Return the opposite of a mask."""
    return None if mask is None else ~np.asarray(mask)
