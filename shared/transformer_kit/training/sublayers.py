"""The sub-layers of a Transformer, forward and backward.

A forward function returns its output and what its backward function needs to know; a backward function returns the
gradients of the inputs and of the parameters. `functions` has those of the units as attributes, so that a learner's
own can train a model.
"""

import math

import numpy as np

from transformer_kit import reference
from transformer_kit.parameters import AttentionParams, LayerNormParams


class Dropout:
    """Sets entries to 0 at random and scales the others up, so that the mean stays the same (Srivastava et al. 2014).

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


def token_rows(X):
    """Return all token vectors as the rows of one matrix: (..., d) to (n_tokens, d)."""
    return X.reshape(-1, X.shape[-1])


def project(X, W):
    """Return ``X @ W`` for (..., d) and (d, k) as one large matrix product, which is faster than many small ones."""
    return (token_rows(X) @ W).reshape(*X.shape[:-1], W.shape[-1])


def attend(X_query, X_memory, params, n_heads, mask, functions=reference):
    """Multi-head attention.

    Parameters
    ----------
    X_query : ndarray of shape (B, n_queries, d_model)
    X_memory : ndarray of shape (B, n_keys, d_model)
    params : AttentionParams
    n_heads : int
    mask : ndarray of bool
        Broadcastable to (B, n_queries, n_keys).
    functions : object

    Returns
    -------
    output : ndarray of shape (B, n_queries, d_model)
    saved : tuple
    """
    Q = functions.split_heads(project(X_query, params.W_Q), n_heads)
    K, V = (functions.split_heads(project(X_memory, W), n_heads) for W in (params.W_K, params.W_V))
    heads, weights = functions.masked_attention(Q, K, V, mask[..., None, :, :])
    merged = functions.merge_heads(heads)
    return project(merged, params.W_O), (X_query, X_memory, Q, K, V, weights, merged)


def attend_backward(d_output, saved, params, n_heads, functions=reference):
    """Go back through `attend`.

    Parameters
    ----------
    d_output : ndarray of shape (B, n_queries, d_model)
    saved : tuple
    params : AttentionParams
    n_heads : int
    functions : object

    Returns
    -------
    dX_query : ndarray of shape (B, n_queries, d_model)
    dX_memory : ndarray of shape (B, n_keys, d_model)
    d_params : AttentionParams
    """
    X_query, X_memory, Q, K, V, weights, merged = saved
    d_heads = functions.split_heads(project(d_output, params.W_O.T), n_heads)
    dQ, dK, dV = map(functions.merge_heads, functions.attention_backward(d_heads, Q, K, V, weights))
    d_params = AttentionParams(
        W_Q=token_rows(X_query).T @ token_rows(dQ),
        W_K=token_rows(X_memory).T @ token_rows(dK),
        W_V=token_rows(X_memory).T @ token_rows(dV),
        W_O=token_rows(merged).T @ token_rows(d_output),
    )
    dX_memory = project(dK, params.W_K.T) + project(dV, params.W_V.T)
    return project(dQ, params.W_Q.T), dX_memory, d_params


def feed_forward(X, params, functions=reference):
    """Position-wise feed-forward network.

    Parameters
    ----------
    X : ndarray of shape (B, n, d_model)
    params : FeedForwardParams
    functions : object

    Returns
    -------
    ndarray of shape (B, n, d_model)
    """
    return functions.position_wise_ffn(token_rows(X), params).reshape(X.shape)


def feed_forward_backward(d_output, X, params, functions=reference):
    """Go back through `feed_forward`.

    Parameters
    ----------
    d_output, X : ndarray of shape (B, n, d_model)
    params : FeedForwardParams
    functions : object

    Returns
    -------
    dX : ndarray of shape (B, n, d_model)
    d_params : FeedForwardParams
    """
    dX, d_params = functions.ffn_backward(token_rows(d_output), token_rows(X), params)
    return dX.reshape(X.shape), d_params


def add_and_norm(X, sublayer_output, params, dropout, functions=reference):
    """Drop some of a sub-layer's output, add its input, and normalise: post-norm.

    Parameters
    ----------
    X, sublayer_output : ndarray of shape (B, n, d_model)
    params : LayerNormParams
    dropout : Dropout
    functions : object

    Returns
    -------
    output : ndarray of shape (B, n, d_model)
    saved : tuple
    """
    factors = dropout.factors(sublayer_output)
    total = X + sublayer_output * factors
    return functions.layer_norm(total, *params), (total, factors)


def add_and_norm_backward(d_output, saved, params, functions=reference):
    """Go back through `add_and_norm`.

    Parameters
    ----------
    d_output : ndarray of shape (B, n, d_model)
    saved : tuple
    params : LayerNormParams
    functions : object

    Returns
    -------
    dX, d_sublayer_output : ndarray of shape (B, n, d_model)
    d_params : LayerNormParams
    """
    total, factors = saved
    d_total, d_gamma, d_beta = functions.layer_norm_backward(d_output, total, params.gamma)
    return d_total, d_total * factors, LayerNormParams(d_gamma, d_beta)


def embed_with_positions(token_ids, E, dropout, functions=reference):
    """Look up embeddings, multiply them by the square root of d_model, and add the positions.

    Parameters
    ----------
    token_ids : ndarray of shape (B, n), int
    E : ndarray of shape (V, d_model)
    dropout : Dropout
    functions : object

    Returns
    -------
    X : ndarray of shape (B, n, d_model)
    saved : tuple
    """
    d_model = E.shape[-1]
    positions = functions.positional_encoding(token_ids.shape[-1], d_model).astype(E.dtype)
    X = functions.embed(token_ids, E) * math.sqrt(d_model) + positions
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
        The row of a token that occurs several times is a sum.
    """
    token_ids, factors = saved
    dE = np.zeros_like(E)
    np.add.at(dE, token_ids.ravel(), token_rows(dX * factors) * math.sqrt(E.shape[-1]))
    return dE
