"""An attention that leaks, since its mask comes too late, and how much of a change gets through any attention."""

import numpy as np

from transformer_kit.reference import scaled_dot_product_attention


def mask_on_weights(Q, K, V, mask, renormalise=False):
    """Return attention whose mask comes too late: after the softmax.

    Parameters
    ----------
    Q : ndarray of shape (..., n_queries, d_k)
    K : ndarray of shape (..., n_keys, d_k)
    V : ndarray of shape (..., n_keys, d_v)
    mask : ndarray of bool
        Broadcastable to (..., n_queries, n_keys); True = may attend.
    renormalise : bool
        Divide what is left in every row by its sum. Without this the rows do not sum to 1.

    Returns
    -------
    output : ndarray of shape (..., n_queries, d_v)
    weights : ndarray of shape (..., n_queries, n_keys)
    """
    _, weights = scaled_dot_product_attention(Q, K, V)
    weights = weights * mask
    if renormalise:
        weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ V, weights


def random_attentions(masked_attention, causal_mask):
    """Return random tokens, and self-attentions of them that differ in their masks.

    Parameters
    ----------
    masked_attention : callable
    causal_mask : callable

    Returns
    -------
    X : ndarray of shape (5, 4)
    attends : dict from str to callable
        Each takes tokens of shape (n, 4) and returns outputs of the same shape.
    """
    rng = np.random.default_rng(5)
    X, projections = rng.standard_normal((5, 4)), rng.standard_normal((3, 4, 4)) / 2

    def attends(attention, mask_of, **options):
        return lambda X: attention(*(X @ W for W in projections), mask_of(len(X)), **options)[0]

    return X, {
        "no mask": attends(masked_attention, lambda n: None),
        "your causal_mask": attends(masked_attention, causal_mask),
        "one position too far": attends(masked_attention, lambda n: causal_mask(n + 1)[1:, :n]),
        "on the weights": attends(mask_on_weights, causal_mask),
        "renormalised": attends(mask_on_weights, causal_mask, renormalise=True),
    }


def leakage(attend, X, seed=0):
    """Change every token in turn, and measure how far each output moves.

    Parameters
    ----------
    attend : callable
        Takes an array of shape (n, d) and returns one of shape (n, d).
    X : ndarray of shape (n, d)
    seed : int
        Seed of the amounts, of order 1, by which tokens are changed.

    Returns
    -------
    ndarray of shape (n, n)
        Row: the output, the largest movement among its entries; column: the token that was changed.
    """
    amounts = np.random.default_rng(seed).standard_normal(X.shape)
    before = attend(X)
    one_changed = (X + amounts * one_token[:, None] for one_token in np.eye(len(X)))
    return np.array([np.abs(attend(changed) - before).max(axis=-1) for changed in one_changed]).T
