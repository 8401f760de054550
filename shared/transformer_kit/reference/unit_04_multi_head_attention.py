"""Unit 04: multi-head attention (Vaswani et al. 2017, section 3.2.2)."""

import numpy as np

from transformer_kit.reference.floats import as_float
from transformer_kit.reference.unit_01_positional_encoding import shift_matrix
from transformer_kit.reference.unit_03_masking import masked_attention


def split_heads(X, n_heads):
    """Cut the last axis into one contiguous slice per head, and put the heads before the tokens.

    Parameters
    ----------
    X : ndarray of shape (..., n, d)
    n_heads : int

    Returns
    -------
    ndarray of shape (..., n_heads, n, d / n_heads)

    Raises
    ------
    ValueError
        If d is not divisible by `n_heads`.
    """
    X = np.asarray(X)
    *lead, n, d = X.shape
    if d % n_heads != 0:
        raise ValueError(f"the width {d} is not divisible by the number of heads, {n_heads}")
    return X.reshape(*lead, n, n_heads, d // n_heads).swapaxes(-2, -3)


def merge_heads(X):
    """Undo `split_heads`: put the heads of every token side by side again.

    Parameters
    ----------
    X : ndarray of shape (..., n_heads, n, d_v)

    Returns
    -------
    ndarray of shape (..., n, n_heads * d_v)
    """
    X = np.asarray(X)
    *lead, n_heads, n, d_v = X.shape
    return X.swapaxes(-2, -3).reshape(*lead, n, n_heads * d_v)


def multi_head_attention(X_query, X_memory, params, n_heads, mask=None):
    """Let every head attend in its own projection, and mix what they found.

    Parameters
    ----------
    X_query : ndarray of shape (..., n_queries, d_model)
        Where the queries come from.
    X_memory : ndarray of shape (..., n_keys, d_model)
        Where the keys and values come from.
    params : AttentionParams
    n_heads : int
    mask : ndarray of bool, optional
        At least two axes, broadcastable to (..., n_queries, n_keys); shared by all heads.

    Returns
    -------
    output : ndarray of shape (..., n_queries, d_model)
    weights : ndarray of shape (..., n_heads, n_queries, n_keys)

    Notes
    -----
    Vaswani et al. 2017, section 3.2.2.
    """
    X_query, X_memory = as_float(X_query), as_float(X_memory)
    Q, K, V = X_query @ params.W_Q, X_memory @ params.W_K, X_memory @ params.W_V
    return _attend_in_heads(Q, K, V, params.W_O, n_heads, mask)


def _attend_in_heads(Q, K, V, W_O, n_heads, mask):
    """Attend in every head by itself and mix the results; Q, K and V are those of all heads side by side."""
    Q, K, V = (split_heads(projected, n_heads) for projected in (Q, K, V))  # (..., n_heads, n, width of a head)
    if mask is not None:
        mask = np.asarray(mask)[..., None, :, :]  # (..., 1, n_queries, n_keys): one mask for all heads
    heads, weights = masked_attention(Q, K, V, mask)
    return merge_heads(heads) @ W_O, weights


def before_minus_after(d_word, d_position):
    """Return matrices of two heads that turn every word into the word before it minus the word after it.

    Parameters
    ----------
    d_word : int
        Columns of a token that hold the word; they come first.
    d_position : int
        Columns of a token that hold its position, as `positional_encoding` makes it.

    Returns
    -------
    W_Q, W_K : ndarray of shape (d_word + d_position, 2 * d_position)
    W_V : ndarray of shape (d_word + d_position, 2 * d_word)
    W_O : ndarray of shape (2 * d_word, d_word + d_position)

    Notes
    -----
    One right answer of many. Head 0 looks at the position before and head 1 at the one after; W_O adds what head 0
    found and subtracts what head 1 found. The first and the last word lack a neighbour and become something else.
    """
    columns = np.eye(d_word + d_position)
    word, position = columns[:, :d_word], columns[:, d_word:]  # projections that select
    before = position @ shift_matrix(-1, d_position).T
    after = position @ shift_matrix(1, d_position).T
    W_Q = 1000 * np.hstack([before, after])
    W_K = np.hstack([position, position])
    W_V = np.hstack([word, word])
    W_O = np.vstack([word.T, -word.T])
    return W_Q, W_K, W_V, W_O


def count_attention_parameters(d_model, n_heads, d_k=None, d_v=None):
    """Count the entries of W_Q, W_K, W_V and W_O (there are no biases).

    Parameters
    ----------
    d_model : int
    n_heads : int
    d_k, d_v : int, optional
        Widths per head; each is d_model // n_heads when left out.

    Returns
    -------
    int
    """
    d_k = d_model // n_heads if d_k is None else d_k
    d_v = d_model // n_heads if d_v is None else d_v
    return 2 * d_model * n_heads * d_k + 2 * d_model * n_heads * d_v  # W_Q and W_K, W_V and W_O


def fused_self_attention(X, W_QKV, W_O, n_heads, mask=None):
    """Multi-head self-attention whose three projections are one matrix product.

    Parameters
    ----------
    X : ndarray of shape (..., n, d_model)
    W_QKV : ndarray of shape (d_model, 3 * d_model)
        The columns of W_Q, then of W_K, then of W_V.
    W_O : ndarray of shape (d_model, d_model)
    n_heads : int
    mask : ndarray of bool, optional
        As in `multi_head_attention`.

    Returns
    -------
    output : ndarray of shape (..., n, d_model)
    weights : ndarray of shape (..., n_heads, n, n)
    """
    Q, K, V = np.split(as_float(X) @ W_QKV, 3, axis=-1)  # each (..., n, d_model)
    return _attend_in_heads(Q, K, V, W_O, n_heads, mask)
