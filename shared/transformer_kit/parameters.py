"""The parameters of a Transformer layer, by name, and their initial values.

Weights are drawn uniformly from ±sqrt(6 / (d_in + d_out)): Glorot and Bengio, "Understanding the difficulty of training
deep feedforward neural networks" (2010), equation 16, for the whole matrix of all heads. Biases and beta start at 0 and
gamma at 1. That hides a forgotten bias, so ``noise`` adds normal numbers of that standard deviation to them.
"""

from typing import NamedTuple

import numpy as np


class AttentionParams(NamedTuple):
    """Projections of multi-head attention; no biases, as in the paper. Heads are contiguous slices of columns.

    Attributes
    ----------
    W_Q, W_K : ndarray of shape (d_model, n_heads * d_k)
    W_V : ndarray of shape (d_model, n_heads * d_v)
    W_O : ndarray of shape (n_heads * d_v, d_model)
    """

    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray
    W_O: np.ndarray


class FeedForwardParams(NamedTuple):
    """The two linear maps of the position-wise feed-forward network.

    Attributes
    ----------
    W_1 : ndarray of shape (d_model, d_ff)
    b_1 : ndarray of shape (d_ff,)
    W_2 : ndarray of shape (d_ff, d_model)
    b_2 : ndarray of shape (d_model,)
    """

    W_1: np.ndarray
    b_1: np.ndarray
    W_2: np.ndarray
    b_2: np.ndarray


class LayerNormParams(NamedTuple):
    """Scale and shift of a layer normalisation.

    Attributes
    ----------
    gamma, beta : ndarray of shape (d_model,)
    """

    gamma: np.ndarray
    beta: np.ndarray


class EncoderLayerParams(NamedTuple):
    """One encoder layer, in the order of computation with the norm last.

    Attributes
    ----------
    attention : AttentionParams
    norm_1 : LayerNormParams
    ffn : FeedForwardParams
    norm_2 : LayerNormParams
    """

    attention: AttentionParams
    norm_1: LayerNormParams
    ffn: FeedForwardParams
    norm_2: LayerNormParams


class DecoderLayerParams(NamedTuple):
    """One decoder layer, in the order of computation with the norm last.

    Attributes
    ----------
    self_attention : AttentionParams
    norm_1 : LayerNormParams
    cross_attention : AttentionParams
    norm_2 : LayerNormParams
    ffn : FeedForwardParams
    norm_3 : LayerNormParams
    """

    self_attention: AttentionParams
    norm_1: LayerNormParams
    cross_attention: AttentionParams
    norm_2: LayerNormParams
    ffn: FeedForwardParams
    norm_3: LayerNormParams


def init_attention(rng, d_model, n_heads, d_k=None, d_v=None):
    """Draw the projections of multi-head attention.

    Parameters
    ----------
    rng : numpy.random.Generator
        From ``np.random.default_rng(seed)``.
    d_model, n_heads : int
    d_k, d_v : int, optional
        Width of the queries and keys, and of the values, of one head; each is ``d_model // n_heads`` by itself.

    Returns
    -------
    AttentionParams

    Raises
    ------
    ValueError
        If a size is not positive, or d_model is not divisible by n_heads where that is needed.
    """
    _require_positive(d_model=d_model, n_heads=n_heads)
    if None in (d_k, d_v) and d_model % n_heads:
        raise ValueError(
            f"d_model = {d_model} is not divisible by n_heads = {n_heads}: change one, or give d_k and d_v"
        )
    d_k = d_model // n_heads if d_k is None else d_k
    d_v = d_model // n_heads if d_v is None else d_v
    _require_positive(d_k=d_k, d_v=d_v)
    return AttentionParams(
        W_Q=_glorot(rng, d_model, n_heads * d_k),
        W_K=_glorot(rng, d_model, n_heads * d_k),
        W_V=_glorot(rng, d_model, n_heads * d_v),
        W_O=_glorot(rng, n_heads * d_v, d_model),
    )


def init_feed_forward(rng, d_model, d_ff, noise=0.0):
    """Draw the weights and biases of a feed-forward network.

    Parameters
    ----------
    rng : numpy.random.Generator
    d_model, d_ff : int
    noise : float
        Standard deviation of the biases.

    Returns
    -------
    FeedForwardParams

    Raises
    ------
    ValueError
        If a size is not positive.
    """
    _require_positive(d_model=d_model, d_ff=d_ff)
    return FeedForwardParams(
        W_1=_glorot(rng, d_model, d_ff),
        b_1=noise * rng.normal(size=d_ff),
        W_2=_glorot(rng, d_ff, d_model),
        b_2=noise * rng.normal(size=d_model),
    )


def init_layer_norm(rng, d_model, noise=0.0):
    """Give the scale 1 and shift 0 of a layer normalisation.

    Parameters
    ----------
    rng : numpy.random.Generator
    d_model : int
    noise : float
        Standard deviation of what is added to both.

    Returns
    -------
    LayerNormParams

    Raises
    ------
    ValueError
        If d_model is not positive.
    """
    _require_positive(d_model=d_model)
    return LayerNormParams(gamma=1.0 + noise * rng.normal(size=d_model), beta=noise * rng.normal(size=d_model))


def init_encoder_layer(rng, d_model, n_heads, d_ff, noise=0.0):
    """Draw the parameters of one encoder layer.

    Parameters
    ----------
    rng : numpy.random.Generator
    d_model, n_heads, d_ff : int
    noise : float
        Standard deviation of what is added to biases, gammas and betas.

    Returns
    -------
    EncoderLayerParams

    Raises
    ------
    ValueError
        If a size is not positive or d_model is not divisible by n_heads.
    """
    return EncoderLayerParams(
        attention=init_attention(rng, d_model, n_heads),
        norm_1=init_layer_norm(rng, d_model, noise),
        ffn=init_feed_forward(rng, d_model, d_ff, noise),
        norm_2=init_layer_norm(rng, d_model, noise),
    )


def init_decoder_layer(rng, d_model, n_heads, d_ff, noise=0.0):
    """Draw the parameters of one decoder layer; arguments and errors as in :func:`init_encoder_layer`.

    Returns
    -------
    DecoderLayerParams
    """
    return DecoderLayerParams(
        self_attention=init_attention(rng, d_model, n_heads),
        norm_1=init_layer_norm(rng, d_model, noise),
        cross_attention=init_attention(rng, d_model, n_heads),
        norm_2=init_layer_norm(rng, d_model, noise),
        ffn=init_feed_forward(rng, d_model, d_ff, noise),
        norm_3=init_layer_norm(rng, d_model, noise),
    )


def _glorot(rng, d_in, d_out):
    bound = np.sqrt(6.0 / (d_in + d_out))
    return rng.uniform(-bound, bound, size=(d_in, d_out))


def _require_positive(**sizes):
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} has to be at least 1, got {size}")
