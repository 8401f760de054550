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


def without_positions(X, P):
    """Return the embeddings alone."""
    return X


def positions_transposed(X, P):
    """Add sines in the first half of the columns and cosines in the other."""
    return X + np.concatenate([P[:, 0::2], P[:, 1::2]], axis=1)


# How the input of the first layer goes wrong: the arguments of `embedded` as functions of ids and table.
INPUTS = {
    "no-scale": lambda ids, E: embedded(ids, E, scale=1),
    "scale-on-positions": lambda ids, E: embedded(ids, E, scale=1, combine=both_scaled(E)),
    "divided-by-root": lambda ids, E: embedded(ids, E, scale=E.shape[-1] ** -0.5),
    "times-d-model": lambda ids, E: embedded(ids, E, scale=E.shape[-1]),
    "root-of-length": lambda ids, E: embedded(ids, E, scale=ids.shape[-1] ** 0.5),
    "no-positions": lambda ids, E: embedded(ids, E, combine=without_positions),
    "positions-from-1": lambda ids, E: embedded(ids, E, first=1),
    "positions-scaled-only": lambda ids, E: embedded(ids, E, scale=1, combine=lambda X, P: X + P * E.shape[-1] ** 0.5),
}
