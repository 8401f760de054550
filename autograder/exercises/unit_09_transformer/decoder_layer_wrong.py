"""Wrong versions of `decoder_layer`, as arrangements of its three sub-layers."""

import numpy as np

from transformer_kit import reference
from transformer_kit.reference import gelu, layer_norm, multi_head_attention, position_wise_ffn, post_norm, pre_norm


def sublayers(memory, params, n_heads, self_mask, cross_mask, activation=reference.relu):
    """Return the three sub-layers as functions."""
    return (
        lambda Z: multi_head_attention(Z, Z, params.self_attention, n_heads, self_mask)[0],
        lambda Z: multi_head_attention(Z, memory, params.cross_attention, n_heads, cross_mask)[0],
        lambda Z: position_wise_ffn(Z, params.ffn, activation),
    )


def norms(params):
    """Return the parameters of the three norms."""
    return params.norm_1, params.norm_2, params.norm_3


def arranged(changed):
    """Make a decoder layer of a function that changes the sub-layers: ``changed(sub-layers, X, memory, ...)``.

    Parameters
    ----------
    changed : callable
        Takes the three sub-layers, X and the arguments of the layer by name; returns sub-layers in their order.
    """

    def layer(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
        given = sublayers(memory, params, n_heads, self_mask, cross_mask)
        around = pre_norm if norm_first else post_norm
        for sublayer, norm in changed(given, norms(params), X):
            X = around(X, sublayer, *norm, eps)
        return X

    return layer


def with_arguments(changed):
    """Make a decoder layer of a function that changes the arguments before the right layer gets them."""

    def layer(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
        given = {
            "X": X,
            "memory": memory,
            "params": params,
            "n_heads": n_heads,
            "self_mask": self_mask,
            "cross_mask": cross_mask,
            "norm_first": norm_first,
            "eps": eps,
        }
        return reference.decoder_layer(**given | changed(**given))

    return layer


def around_each(combine):
    """Make a decoder layer of another way to combine a sub-layer, its input and its norm."""

    def layer(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
        given = sublayers(memory, params, n_heads, self_mask, cross_mask)
        for sublayer, norm in zip(given, norms(params), strict=True):
            X = combine(X, sublayer, lambda Z, norm=norm: layer_norm(Z, *norm, eps), norm_first)
        return X

    return layer


def cross_attention_by(attend):
    """Make a decoder layer of another second sub-layer: ``attend(Z, X, memory, params, n_heads, cross_mask, norm)``."""

    def layer(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
        first, _, last = sublayers(memory, params, n_heads, self_mask, cross_mask)
        around = pre_norm if norm_first else post_norm
        X = around(X, first, *params.norm_1, eps)

        def second(Z):
            def norm(memory):
                return layer_norm(memory, *params.norm_2, eps) if norm_first else memory

            return attend(Z, memory, params.cross_attention, n_heads, cross_mask, norm)[0]

        return around(around(X, second, *params.norm_2, eps), last, *params.norm_3, eps)

    return layer


def keys_not_normed(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """Take the queries of the self-attention from the normed X, keys and values from X itself."""
    _, second, last = sublayers(memory, params, n_heads, self_mask, cross_mask)
    around = pre_norm if norm_first else post_norm

    def attend_to_self(Z):
        return multi_head_attention(Z, X, params.self_attention, n_heads, self_mask)[0]

    attended = around(X, attend_to_self, *params.norm_1, eps)
    return around(around(attended, second, *params.norm_2, eps), last, *params.norm_3, eps)


def with_gelu(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """Use GELU."""
    around = pre_norm if norm_first else post_norm
    given = sublayers(memory, params, n_heads, self_mask, cross_mask, gelu)
    for sublayer, norm in zip(given, norms(params), strict=True):
        X = around(X, sublayer, *norm, eps)
    return X


def tuple_added(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """Forget that attention returns its weights, too."""
    around = pre_norm if norm_first else post_norm
    return around(
        X, lambda Z: multi_head_attention(Z, Z, params.self_attention, n_heads, self_mask), *params.norm_1, eps
    )


def in_place(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """Write the result over the input."""
    X[...] = reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, norm_first, eps)
    return X


def extra_norm(X, memory, params, n_heads, self_mask=None, cross_mask=None, norm_first=False, eps=1e-5):
    """Norm the result of the pre-norm layer once more."""
    output = reference.decoder_layer(X, memory, params, n_heads, self_mask, cross_mask, norm_first, eps)
    return layer_norm(output, *params.norm_3, eps) if norm_first else output


def inverted(mask):
    """Return the opposite of a mask."""
    return None if mask is None else ~np.asarray(mask)
