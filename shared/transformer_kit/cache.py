"""What a decoder keeps from step to step: keys and values, of its own tokens and of the source."""

from typing import NamedTuple

import numpy as np


class LayerCache(NamedTuple):
    """Keys and values of one layer of the decoder.

    Attributes
    ----------
    K : ndarray of shape (B, n_heads, n_before, d_k)
    V : ndarray of shape (B, n_heads, n_before, d_v)
        Of the target's tokens so far.
    K_source : ndarray of shape (B, n_heads, n_source, d_k)
    V_source : ndarray of shape (B, n_heads, n_source, d_v)
        Of the memory; the same at every step.
    """

    K: np.ndarray
    V: np.ndarray
    K_source: np.ndarray
    V_source: np.ndarray


def start_cache(memory, model, project_memory):
    """Return the cache before the first token.

    Parameters
    ----------
    memory : ndarray of shape (B, n_source, d_model)
    model : Model
    project_memory : callable
        The function of unit 05.

    Returns
    -------
    tuple of LayerCache
        One per layer of the decoder.
    """
    projected = [project_memory(memory, params.cross_attention, model.n_heads) for params in model.decoder]
    return tuple(LayerCache(K[..., :0, :], V[..., :0, :], K, V) for K, V in projected)
