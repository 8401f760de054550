"""Unit 11: what happens inside a trained model, and which part of it is the cause of what."""

import math

import numpy as np

from transformer_kit.reference.floats import as_float
from transformer_kit.reference.unit_00_tokens_and_shapes import embed
from transformer_kit.reference.unit_01_positional_encoding import add_positions, positional_encoding
from transformer_kit.reference.unit_03_masking import causal_mask, masked_attention
from transformer_kit.reference.unit_04_multi_head_attention import split_heads
from transformer_kit.reference.unit_07_add_and_layer_norm import encoder_layer


def next_token_logits(token_ids, model):
    """Run a stack of layers without a source, which predicts for every position the token that comes next.

    Parameters
    ----------
    token_ids : ndarray of shape (B, n), int
    model : DecoderOnly
        Or any other model that has its three fields.

    Returns
    -------
    ndarray of shape (B, n, V)

    Notes
    -----
    Radford et al. 2018, "Improving language understanding by generative pre-training", section 3.1; the layers are
    those of Vaswani et al. 2017, post-norm.
    """
    E = model.embedding
    X = embed(token_ids, E) * math.sqrt(E.shape[-1])  # (B, n, d_model)
    n, d_model = X.shape[-2:]
    X = add_positions(X, positional_encoding(n, d_model).astype(X.dtype))
    mask = causal_mask(n)
    for params in model.layers:
        X = encoder_layer(X, params, model.n_heads, mask)
    return X @ E.T


def head_outputs(X_query, X_key, params, n_heads, mask=None):
    """Return what every head adds to the output of multi-head attention.

    Parameters
    ----------
    X_query : ndarray of shape (..., n_queries, d_model)
    X_key : ndarray of shape (..., n_keys, d_model)
        Where the keys and values come from.
    params : AttentionParams
    n_heads : int
    mask : ndarray of bool, optional
        Broadcastable to (..., n_queries, n_keys); shared by all heads.

    Returns
    -------
    ndarray of shape (..., n_heads, n_queries, d_model)
        Summed over the heads, the output of `multi_head_attention`.

    Notes
    -----
    Elhage et al. 2021, "A mathematical framework for Transformer circuits": attention heads are independent and
    additive.
    """
    X_query, X_key = as_float(X_query), as_float(X_key)
    Q, K, V = (split_heads(X @ W, n_heads) for X, W in zip((X_query, X_key, X_key), params[:3], strict=True))
    if mask is not None:
        mask = np.asarray(mask)[..., None, :, :]  # (..., 1, n_queries, n_keys): one mask for all heads
    heads, _ = masked_attention(Q, K, V, mask)  # (..., n_heads, n_queries, d_v)
    rows_of_heads = np.stack(np.split(params.W_O, n_heads))  # (n_heads, d_v, d_model)
    return heads @ rows_of_heads


def without_heads(params, n_heads, heads):
    """Silence some heads of an attention: their rows of W_O become 0.

    Parameters
    ----------
    params : AttentionParams
    n_heads : int
    heads : tuple of int
        The heads to silence; the first one is 0.

    Returns
    -------
    AttentionParams

    Raises
    ------
    ValueError
        If there is no such head.

    Notes
    -----
    Michel, Levy and Neubig 2019, "Are sixteen heads really better than one?", section 2.3.
    """
    W_O = params.W_O.copy()
    rows = np.split(W_O, n_heads)  # views: what is written to them is written to W_O
    for head in heads:
        if not 0 <= head < n_heads:
            raise ValueError(f"there is no head {head}: the {n_heads} heads are 0 to {n_heads - 1}")
        rows[head][:] = 0
    return params._replace(W_O=W_O)


def logit_lens(states, embedding):
    """Read every layer as if it were the last: the token that the model would say there.

    Parameters
    ----------
    states : ndarray of shape (n_layers, n, d_model)
        The vectors of all positions after each layer.
    embedding : ndarray of shape (V, d_model)
        The table that makes the logits.

    Returns
    -------
    ndarray of shape (n_layers, n), int
        Of equally likely tokens the one with the lowest id.

    Notes
    -----
    nostalgebraist 2020, "Interpreting GPT: the logit lens".
    """
    return np.argmax(states @ embedding.T, axis=-1)


def attention_rollout(weights):
    """Follow attention through all layers, down to the tokens.

    Parameters
    ----------
    weights : ndarray of shape (n_layers, n_heads, n, n)
        Self-attention weights; the first layer is the lowest.

    Returns
    -------
    ndarray of shape (n, n)
        Row i says how much of position i at the top comes from each token; rows sum to 1.

    Notes
    -----
    Abnar and Zuidema 2020, "Quantifying attention flow in Transformers", section 3: the residual connection is half
    of what a layer passes on.
    """
    eye = np.eye(weights.shape[-1], dtype=weights.dtype)
    rollout = eye
    for layer in weights.mean(axis=1):  # (n, n)
        rollout = (layer + eye) / 2 @ rollout
    return rollout


def ablation_table(score, n_heads):
    """Measure what is lost when each head is silenced, and each pair of heads.

    Parameters
    ----------
    score : callable
        Takes a tuple of the heads that are silent, and returns how well the model does without them.
    n_heads : int

    Returns
    -------
    ndarray of shape (n_heads, n_heads)
        What the score loses: on the diagonal by one head, off it by two. Symmetric.

    Notes
    -----
    Michel, Levy and Neubig 2019, "Are sixteen heads really better than one?", section 3.2, for single heads.
    """
    whole = score(())
    table = np.empty((n_heads, n_heads))
    for i in range(n_heads):
        table[i, i] = whole - score((i,))
        for j in range(i):
            table[i, j] = table[j, i] = whole - score((j, i))
    return table
