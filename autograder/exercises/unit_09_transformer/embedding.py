"""What the wrong versions of `encode_source` and `decode_target` share: the input of the first layer."""

import numpy as np

from transformer_kit.reference import embed, positional_encoding


def embedded(token_ids, E, scale=None, combine=np.add, first=0):
    """Return embeddings and positions as some learners combine them.

    Parameters
    ----------
    token_ids : ndarray of shape (B, n), int
    E : ndarray of shape (V, d_model)
    scale : float, optional
        The factor of the embeddings; the root of d_model when left out.
    combine : callable
        Takes the scaled embeddings and the positions.
    first : int
        The number of the first position.
    """
    scale = E.shape[-1] ** 0.5 if scale is None else scale
    X = embed(token_ids, E) * scale
    n = X.shape[-2]
    return combine(X, positional_encoding(n + first, E.shape[-1])[first:].astype(X.dtype))


def both_scaled(E):
    """Return how the sum of both is scaled, where the embeddings are handed over unscaled."""
    return lambda X, P: (X + P) * E.shape[-1] ** 0.5


def with_short_table(X, P):
    """Add the first rows of a table of 100 positions, which has too few of them for long sequences."""
    return X + positional_encoding(100, X.shape[-1])[: X.shape[-2]].astype(X.dtype)


def without_positions(X, P):
    """Return the embeddings alone."""
    return X


def positions_transposed(X, P):
    """Add sines in the first half of the columns and cosines in the other."""
    return X + np.concatenate([P[:, 0::2], P[:, 1::2]], axis=1)
