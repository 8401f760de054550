"""A decoding step with exchangeable parts, for the known mistakes of `cached_decode_step`."""

import numpy as np

from transformer_kit.reference import (
    embed,
    layer_norm,
    masked_attention,
    merge_heads,
    padding_mask,
    position_wise_ffn,
    positional_encoding,
    project_memory,
    scaled_dot_product_attention,
    split_heads,
)


def _extended(layer, K, V):
    """Put the new token's keys and values at the end."""
    return layer._replace(K=np.concatenate([layer.K, K], axis=-2), V=np.concatenate([layer.V, V], axis=-2))


def _matrix(model):
    return model.target_embedding.T if model.output_projection is None else model.output_projection


def step(
    token_ids,
    cache,
    source_is_token,
    model,
    *,
    position=lambda n_before: n_before,
    scale=None,
    own=None,
    kept=None,
    look=None,
    visible=lambda mask: mask,
    queries=lambda X, before: X,
    matrix=None,
    norms=("norm_1", "norm_2", "norm_3"),
    residual=lambda X, place: X,
    mixed=lambda heads, W_O: heads @ W_O,
):
    """Decode one step with something changed; what is not given is right.

    Parameters
    ----------
    position : callable
        Makes of the number of earlier tokens that of the new one; None for no position.
    scale : float, optional
        The factor of the embedding.
    own : callable, optional
        ``own(layer, K, V)``: the cache of a layer that the self-attention reads.
    kept : callable, optional
        ``kept(layer, extended)``: the cache of a layer that is returned.
    look : callable, optional
        ``look(layer, X, cross, n_heads)``: the keys and values of the source.
    visible : callable
        Changes the mask of the source.
    queries : callable
        ``queries(X, before)``: what the queries to the source are made of; `before` is the input of the layer.
    matrix : callable, optional
        The output matrix of a model.
    norms : tuple of str
    residual : callable
        ``residual(X, place)`` is added to the output of the sub-layer at this place, 0 to 2.
    mixed : callable
        Takes the merged heads and their W_O.
    """
    E, layers = model.target_embedding, []
    n_before, d_model = cache[0].K.shape[-2], E.shape[-1]
    X = embed(np.asarray(token_ids)[:, None], E) * (d_model**0.5 if scale is None else scale)
    if position(n_before) is not None:
        P = positional_encoding(position(n_before) + 1, d_model)[-1:]
        X = X + P.astype(X.dtype)
    mask = visible(padding_mask(source_is_token)[:, None])
    for params, layer in zip(model.decoder, cache, strict=True):
        mine, cross = params.self_attention, params.cross_attention
        K, V = project_memory(X, mine, model.n_heads)
        extended = _extended(layer, K, V)
        read = extended if own is None else own(layer, K, V)
        attended, _ = scaled_dot_product_attention(split_heads(X @ mine.W_Q, model.n_heads), read.K, read.V)
        before, X = X, layer_norm(residual(X, 0) + mixed(merge_heads(attended), mine.W_O), *getattr(params, norms[0]))
        K_source, V_source = (layer.K_source, layer.V_source) if look is None else look(layer, X, cross, model.n_heads)
        Q = split_heads(queries(X, before) @ cross.W_Q, model.n_heads)
        attended, _ = masked_attention(Q, K_source, V_source, mask)
        X = layer_norm(residual(X, 1) + mixed(merge_heads(attended), cross.W_O), *getattr(params, norms[1]))
        X = layer_norm(residual(X, 2) + position_wise_ffn(X, params.ffn), *getattr(params, norms[2]))
        layers.append(extended if kept is None else kept(layer, extended))
    output = (matrix or _matrix)(model)
    return (X @ output)[:, 0], tuple(layers)
