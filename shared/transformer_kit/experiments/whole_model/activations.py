"""Everything a Transformer computes on its way from token ids to logits, by name and in order."""

import math

import numpy as np

from transformer_kit import reference


def trace(source_ids, source_is_token, target_ids, model, functions=reference, parts=None):
    """Run encoder and decoder, and keep the result of every part.

    Parameters
    ----------
    source_ids : ndarray of shape (B, n_source), int
    source_is_token : ndarray of shape (B, n_source), bool
    target_ids : ndarray of shape (B, n_target), int
        Rows start with the start symbol.
    model : Model
    functions : object
        Has the functions of units 00 to 07 as attributes; of unit 05, `cross_attention`. With a learner's functions,
        the first part that differs from the reference's trace is where a mistake shows.
    parts : dict, optional
        Takes the results one by one, so that those before an error are not lost.

    Returns
    -------
    dict from str to ndarray
        Token vectors of shape (B, n, d_model); names that end in "weights" have attention weights, of shape
        (B, n_heads, n_queries, n_keys); the last one is "logits", of shape (B, n_target, V).
    """
    parts, f = {} if parts is None else parts, functions
    padding = f.padding_mask(source_is_token)
    X = parts["source"] = _vectors(source_ids, model.source_embedding, f)
    for i, params in enumerate(model.encoder):
        attended = f.multi_head_attention(X, X, params.attention, model.n_heads, padding)
        X = _attended(parts, f"encoder.{i}.attention", X, *attended)
        X = _normalise(parts, f"encoder.{i}.norm_1", X, params.norm_1, f)
        X = _feed_forward(parts, f"encoder.{i}.ffn", X, params.ffn, f)
        X = _normalise(parts, f"encoder.{i}.norm_2", X, params.norm_2, f)
    memory = X
    causal = f.causal_mask(np.shape(target_ids)[-1])
    X = parts["target"] = _vectors(target_ids, model.target_embedding, f)
    for i, params in enumerate(model.decoder):
        attended = f.multi_head_attention(X, X, params.self_attention, model.n_heads, causal)
        X = _attended(parts, f"decoder.{i}.self_attention", X, *attended)
        X = _normalise(parts, f"decoder.{i}.norm_1", X, params.norm_1, f)
        attended = f.cross_attention(X, memory, params.cross_attention, model.n_heads, source_is_token)
        X = _attended(parts, f"decoder.{i}.cross_attention", X, *attended)
        X = _normalise(parts, f"decoder.{i}.norm_2", X, params.norm_2, f)
        X = _feed_forward(parts, f"decoder.{i}.ffn", X, params.ffn, f)
        X = _normalise(parts, f"decoder.{i}.norm_3", X, params.norm_3, f)
    tied = model.output_projection is None
    parts["logits"] = X @ (model.target_embedding.T if tied else model.output_projection)
    return parts


def _vectors(token_ids, E, f):
    X = f.embed(token_ids, E) * math.sqrt(E.shape[-1])
    return f.add_positions(X, f.positional_encoding(np.shape(token_ids)[-1], E.shape[-1]).astype(X.dtype))


def _attended(parts, name, X, output, weights):
    """Keep output and weights, and return the sum with the input."""
    parts[name], parts[f"{name}.weights"] = output, weights
    return X + output


def _feed_forward(parts, name, X, params, f):
    parts[name] = f.position_wise_ffn(X, params)
    return X + parts[name]


def _normalise(parts, name, X, params, f):
    parts[name] = f.layer_norm(X, *params)
    return parts[name]
