"""Unit 03: masks (Vaswani et al. 2017, section 3.2.3). Boolean, True = may attend."""

from functools import reduce

import numpy as np

from transformer_kit.reference.floats import as_float
from transformer_kit.reference.unit_02_scaled_dot_product_attention import attention_scores


def causal_mask(n_queries, n_keys=None):
    """Return the mask that lets every position attend to itself and to what came before.

    Parameters
    ----------
    n_queries : int
    n_keys : int, optional
        Number of keys; as many as queries when left out. With more keys than queries the queries are the
        last positions of the sequence, as when earlier keys come from a cache.

    Returns
    -------
    ndarray of shape (n_queries, n_keys), bool

    Raises
    ------
    ValueError
        If there are fewer keys than queries.
    """
    n_keys = n_queries if n_keys is None else n_keys
    if n_keys < n_queries:
        raise ValueError(f"every query needs at least its own key: got {n_queries} queries but only {n_keys} keys")
    return np.tri(n_queries, n_keys, k=n_keys - n_queries, dtype=bool)


def padding_mask(is_token):
    """Return the mask that hides the padding among the keys from every query.

    Parameters
    ----------
    is_token : ndarray of shape (..., n_keys), bool
        False where the sequence was padded.

    Returns
    -------
    ndarray of shape (..., 1, n_keys), bool
    """
    return np.asarray(is_token, dtype=bool)[..., None, :]


def combine_masks(*masks):
    """Return the mask that allows only what every given mask allows.

    Parameters
    ----------
    *masks : ndarray of bool or None
        Masks that broadcast against each other; None allows everything.

    Returns
    -------
    ndarray of bool, or None
        None if no mask is left.
    """
    present = [np.array(mask, dtype=bool) for mask in masks if mask is not None]
    return reduce(np.logical_and, present) if present else None


def additive_mask(mask):
    """Return the mask in the form that is added to the scores.

    Parameters
    ----------
    mask : ndarray of any shape, bool

    Returns
    -------
    ndarray of the shape of `mask`, float64
        0 where the mask is True, -inf where it is False.
    """
    return np.where(mask, 0.0, -np.inf)


def masked_softmax(scores, mask=None, axis=-1):
    """Return the softmax over what the mask lets through, and exactly 0 elsewhere.

    Parameters
    ----------
    scores : ndarray of shape (..., n_queries, n_keys)
    mask : ndarray of bool, optional
        Broadcastable to the shape of `scores`.
    axis : int
        The axis that sums to 1.

    Returns
    -------
    ndarray of the shape of `scores`
        A row in which nothing is visible is all 0.
    """
    scores = as_float(scores)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    # where nothing is visible, the largest is -inf: a finite number keeps -inf - (-inf) away
    largest = np.maximum(scores.max(axis=axis, keepdims=True), np.finfo(scores.dtype).min)
    exponentials = np.exp(scores - largest)
    total = exponentials.sum(axis=axis, keepdims=True)  # 0 where nothing is visible, otherwise at least exp(0) = 1
    return exponentials / np.maximum(total, 1)


def masked_attention(Q, K, V, mask=None):
    """Return scaled dot-product attention in which a query sees only what the mask lets through.

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d_k)
    K : ndarray of shape (..., n_keys, d_k)
    V : ndarray of shape (..., n_keys, d_v)
    mask : ndarray of bool, optional
        Broadcastable to (..., n_queries, n_keys).

    Returns
    -------
    output : ndarray of shape (..., n_queries, d_v)
    weights : ndarray of shape (..., n_queries, n_keys)
        A query that may attend to nothing gets weights 0 and output 0.

    Notes
    -----
    Vaswani et al. 2017, sections 3.2.1 and 3.2.3.
    """
    weights = masked_softmax(attention_scores(Q, K), mask)
    return weights @ as_float(V), weights


def first_leak(attend, X, seed=0):
    """Return the first position whose output depends on a later token.

    Parameters
    ----------
    attend : callable
        Takes an array of shape (n, d) and returns one of shape (n, d).
    X : ndarray of shape (n, d)
    seed : int
        Seed of the amounts, of order 1, by which later tokens are changed.

    Returns
    -------
    int or None
        None if no output moves by more than 1e-9.
    """
    X = as_float(X)
    rng = np.random.default_rng(seed)
    before = attend(X)
    for position in range(len(X) - 1):
        changed = X.copy()
        changed[position + 1 :] += rng.standard_normal(changed[position + 1 :].shape)
        if np.abs(attend(changed)[position] - before[position]).max() > 1e-9:
            return position
    return None


def show_leak(mask, too_late=False):
    """Return two arrays of tokens that are alike up to a position whose output differs, as it never should.

    Parameters
    ----------
    mask : ndarray of shape (n, n), bool
        Of a self-attention that takes the tokens themselves as queries, keys and values. It should be causal.
    too_late : bool
        The mask is causal, but multiplies the weights after the softmax.

    Returns
    -------
    X, Y : ndarray of shape (n, d)

    Notes
    -----
    One right answer of many. All tokens are 1, and one that leaks becomes 10: so whoever sees it attends to nothing
    else, be it in the sum over the keys or, too late, in the sum below the fraction bar only.
    """
    seen = np.ones_like(mask) if too_late else mask
    leak = np.argwhere(np.triu(seen, k=1))[-1]
    X = np.ones((len(mask), 1))
    Y = X.copy()
    Y[leak[1]] = 10.0
    return X, Y
