"""The parts of a Transformer, forwards and backwards.

A forward function returns its output and what its backward function needs to know; a backward function returns the
gradients of the inputs and of the parameters.
"""

import math

import numpy as np

from transformer_kit.parameters import AttentionParams, LayerNormParams
from transformer_kit.reference import (
    attention_backward,
    ffn_backward,
    layer_norm,
    layer_norm_backward,
    masked_attention,
    merge_heads,
    position_wise_ffn,
    positional_encoding,
    split_heads,
)


class Dropout:
    """Set entries to 0 at random, and scale the others up, so that the mean stays (Srivastava et al. 2014).

    Parameters
    ----------
    rate : float
        The share that is set to 0; with 0 nothing happens.
    rng : numpy.random.Generator
    """

    def __init__(self, rate=0.0, rng=None):
        self.rate, self.rng = rate, rng

    def factors(self, X):
        """Return what to multiply `X`, and later its gradient, by.

        Parameters
        ----------
        X : ndarray of any shape

        Returns
        -------
        ndarray of the shape of `X`, or 1
        """
        if self.rate == 0:
            return 1
        kept = self.rng.random(X.shape, dtype=np.float32) >= self.rate
        return kept * X.dtype.type(1 / (1 - self.rate))


NO_DROPOUT = Dropout()


def rows(X):
    """Return all token vectors below each other: (..., d) to (all, d)."""
    return X.reshape(-1, X.shape[-1])


def times(X, W):
    """Return ``X @ W`` for (..., d) and (d, k) as one large product, which is faster than many small ones."""
    return (rows(X) @ W).reshape(*X.shape[:-1], W.shape[-1])


def attend(X_query, X_memory, params, n_heads, mask):
    """Multi-head attention.

    Parameters
    ----------
    X_query : ndarray of shape (B, n_queries, d_model)
    X_memory : ndarray of shape (B, n_keys, d_model)
    params : AttentionParams
    n_heads : int
    mask : ndarray of bool
        Broadcastable to (B, n_queries, n_keys).

    Returns
    -------
    output : ndarray of shape (B, n_queries, d_model)
    saved : tuple
    """
    Q = split_heads(times(X_query, params.W_Q), n_heads)
    K, V = (split_heads(times(X_memory, W), n_heads) for W in (params.W_K, params.W_V))
    heads, weights = masked_attention(Q, K, V, mask[..., None, :, :])
    merged = merge_heads(heads)
    return times(merged, params.W_O), (X_query, X_memory, Q, K, V, weights, merged)


def attend_backward(d_output, saved, params, n_heads):
    """Go back through `attend`.

    Parameters
    ----------
    d_output : ndarray of shape (B, n_queries, d_model)
    saved : tuple
    params : AttentionParams
    n_heads : int

    Returns
    -------
    dX_query : ndarray of shape (B, n_queries, d_model)
    dX_memory : ndarray of shape (B, n_keys, d_model)
    d_params : AttentionParams
    """
    X_query, X_memory, Q, K, V, weights, merged = saved
    d_heads = split_heads(times(d_output, params.W_O.T), n_heads)
    dQ, dK, dV = map(merge_heads, attention_backward(d_heads, Q, K, V, weights))
    d_params = AttentionParams(
        W_Q=rows(X_query).T @ rows(dQ),
        W_K=rows(X_memory).T @ rows(dK),
        W_V=rows(X_memory).T @ rows(dV),
        W_O=rows(merged).T @ rows(d_output),
    )
    dX_memory = times(dK, params.W_K.T) + times(dV, params.W_V.T)
    return times(dQ, params.W_Q.T), dX_memory, d_params


def feed_forward(X, params):
    """Position-wise feed-forward network.

    Parameters
    ----------
    X : ndarray of shape (B, n, d_model)
    params : FeedForwardParams

    Returns
    -------
    ndarray of shape (B, n, d_model)
    """
    return position_wise_ffn(rows(X), params).reshape(X.shape)


def feed_forward_backward(d_output, X, params):
    """Go back through `feed_forward`.

    Parameters
    ----------
    d_output, X : ndarray of shape (B, n, d_model)
    params : FeedForwardParams

    Returns
    -------
    dX : ndarray of shape (B, n, d_model)
    d_params : FeedForwardParams
    """
    dX, d_params = ffn_backward(rows(d_output), rows(X), params)
    return dX.reshape(X.shape), d_params


def add_and_norm(X, sublayer_output, params, dropout):
    """Drop some of a sub-layer's output, add its input, and normalise: post-norm.

    Parameters
    ----------
    X, sublayer_output : ndarray of shape (B, n, d_model)
    params : LayerNormParams
    dropout : Dropout

    Returns
    -------
    output : ndarray of shape (B, n, d_model)
    saved : tuple
    """
    factors = dropout.factors(sublayer_output)
    total = X + sublayer_output * factors
    return layer_norm(total, *params), (total, factors)


def add_and_norm_backward(d_output, saved, params):
    """Go back through `add_and_norm`.

    Parameters
    ----------
    d_output : ndarray of shape (B, n, d_model)
    saved : tuple
    params : LayerNormParams

    Returns
    -------
    dX, d_sublayer_output : ndarray of shape (B, n, d_model)
    d_params : LayerNormParams
    """
    total, factors = saved
    d_total, d_gamma, d_beta = layer_norm_backward(d_output, total, params.gamma)
    return d_total, d_total * factors, LayerNormParams(d_gamma, d_beta)


def embed_with_positions(token_ids, E, dropout):
    """Look up embeddings, times the root of d_model, and add positions.

    Parameters
    ----------
    token_ids : ndarray of shape (B, n), int
    E : ndarray of shape (V, d_model)
    dropout : Dropout

    Returns
    -------
    X : ndarray of shape (B, n, d_model)
    saved : tuple
    """
    d_model = E.shape[-1]
    X = E[token_ids] * math.sqrt(d_model) + positional_encoding(token_ids.shape[-1], d_model).astype(E.dtype)
    factors = dropout.factors(X)
    return X * factors, (token_ids, factors)


def embed_backward(dX, saved, E):
    """Go back through `embed_with_positions`.

    Parameters
    ----------
    dX : ndarray of shape (B, n, d_model)
    saved : tuple
    E : ndarray of shape (V, d_model)

    Returns
    -------
    ndarray of shape (V, d_model)
        Rows of tokens that occur several times are sums.
    """
    token_ids, factors = saved
    dE = np.zeros_like(E)
    np.add.at(dE, token_ids.ravel(), rows(dX * factors) * math.sqrt(E.shape[-1]))
    return dE
