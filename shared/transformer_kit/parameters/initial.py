"""Initial values of parameters.

Weights are drawn uniformly from ±sqrt(6 / (d_in + d_out)): Glorot and Bengio, "Understanding the difficulty of training
deep feedforward neural networks" (2010), equation 16, for the whole matrix of all heads. Biases and beta start at 0 and
gamma at 1. That hides a forgotten bias, so ``noise`` adds normal numbers of that standard deviation to them.
"""

from typing import NamedTuple

import numpy as np

from transformer_kit.parameters.containers import (
    AttentionParams,
    BiasedAttentionParams,
    DecoderLayerParams,
    EncoderLayerParams,
    FeedForwardParams,
    LayerNormParams,
    Model,
)


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


def init_biased_attention(rng, d_model, n_heads, d_k=None, d_v=None, noise=0.0):
    """Draw the projections of multi-head attention, and their biases; sizes and errors as in `init_attention`.

    Parameters
    ----------
    rng : numpy.random.Generator
    d_model, n_heads : int
    d_k, d_v : int, optional
    noise : float
        Standard deviation of the biases.

    Returns
    -------
    BiasedAttentionParams
    """
    projections = init_attention(rng, d_model, n_heads, d_k, d_v)
    return BiasedAttentionParams(*projections, *(noise * rng.normal(size=W.shape[1]) for W in projections))


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


class Sizes(NamedTuple):
    """The sizes of a Transformer; the values are those of the trained one."""

    d_model: int = 64
    n_heads: int = 4
    d_ff: int = 256
    n_layers: int = 2


SIZES = Sizes()


def init_model(rng, source_vocabulary, target_words, sizes=SIZES, tied=True, noise=0.0, lengths=(20, 20)):
    """Draw the parameters of a Transformer.

    Parameters
    ----------
    rng : numpy.random.Generator
    source_vocabulary : dict from str to int
        English words and their ids.
    target_words : sequence of str
        Spanish words in the order of their ids.
    sizes : Sizes
    tied : bool
        Whether the target's embedding makes the logits, too.
    noise : float
        Standard deviation of what is added to biases, gammas and betas.
    lengths : tuple of (int, int)
        `Model.longest_source` and `Model.max_len`.

    Returns
    -------
    Model

    Raises
    ------
    ValueError
        If a size is not positive or d_model is not divisible by n_heads.
    """
    d_model, n_heads, d_ff, n_layers = sizes
    layer = (rng, d_model, n_heads, d_ff, noise)

    def vectors(count):
        # times the root of d_model, they have entries of standard deviation 1, as the positions have entries up to 1
        return rng.normal(scale=d_model**-0.5, size=(count, d_model))

    return Model(
        source_embedding=vectors(len(source_vocabulary)),
        target_embedding=vectors(len(target_words)),
        encoder=tuple(init_encoder_layer(*layer) for _ in range(n_layers)),
        decoder=tuple(init_decoder_layer(*layer) for _ in range(n_layers)),
        output_projection=None if tied else vectors(len(target_words)).T.copy(),
        n_heads=n_heads,
        source_vocabulary=source_vocabulary,
        target_words=tuple(target_words),
        longest_source=lengths[0],
        max_len=lengths[1],
    )


def _glorot(rng, d_in, d_out):
    bound = np.sqrt(6.0 / (d_in + d_out))
    return rng.uniform(-bound, bound, size=(d_in, d_out))


def _require_positive(**sizes):
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} has to be at least 1, got {size}")
