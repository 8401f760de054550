"""The parameters of a decoder as they are built today: rotary positions, shared keys, gated networks, RMS norms."""

from typing import NamedTuple

import numpy as np

from transformer_kit.parameters.containers import AttentionParams, KeysAndValues


class GatedParams(NamedTuple):
    """The three maps of a gated network, in the order of `swiglu`; no biases.

    Attributes
    ----------
    W_gate, W_up : ndarray of shape (d_model, d_ff)
    W_down : ndarray of shape (d_ff, d_model)
    """

    W_gate: np.ndarray
    W_up: np.ndarray
    W_down: np.ndarray


class ModernBlockParams(NamedTuple):
    """One block of a modern decoder, in the order of computation.

    Attributes
    ----------
    norm_1 : ndarray of shape (d_model,)
        The gamma of an RMS norm, which has no beta.
    attention : AttentionParams
        W_K and W_V have n_kv_heads * d_k columns, fewer than W_Q where heads share them.
    norm_2 : ndarray of shape (d_model,)
    ffn : GatedParams
    """

    norm_1: np.ndarray
    attention: AttentionParams
    norm_2: np.ndarray
    ffn: GatedParams


class ModernDecoder(NamedTuple):
    """A stack of modern blocks, which continues a text.

    Attributes
    ----------
    embedding : ndarray of shape (V, d_model)
        Also makes the logits, transposed.
    blocks : tuple of ModernBlockParams
    norm : ndarray of shape (d_model,)
        The gamma of the RMS norm after the last block.
    n_heads, n_kv_heads : int
        Heads of queries, and heads of keys and values.
    base : float
        Of the rotary positions; see `angular_frequencies`.
    eps : float
        Of all RMS norms.
    """

    embedding: np.ndarray
    blocks: tuple
    norm: np.ndarray
    n_heads: int
    n_kv_heads: int
    base: float
    eps: float


def init_modern_block(rng, d_model, n_heads, n_kv_heads, d_ff, noise=0.0):
    """Draw the parameters of one block.

    Parameters
    ----------
    rng : numpy.random.Generator
    d_model, n_heads, n_kv_heads, d_ff : int
    noise : float
        Standard deviation of what is added to the gammas, which are 1.

    Returns
    -------
    ModernBlockParams

    Raises
    ------
    ValueError
        If d_model is not divisible by n_heads, or n_heads not by n_kv_heads.
    """
    if d_model % n_heads or n_heads % n_kv_heads:
        raise ValueError(
            f"d_model = {d_model} has to be divisible by n_heads = {n_heads}, and that by n_kv_heads = {n_kv_heads}"
        )
    width = d_model // n_heads * n_kv_heads

    def drawn(d_in, d_out):
        return rng.normal(scale=d_in**-0.5, size=(d_in, d_out))

    def gamma():
        return 1.0 + noise * rng.normal(size=d_model)

    return ModernBlockParams(
        norm_1=gamma(),
        attention=AttentionParams(
            drawn(d_model, d_model), drawn(d_model, width), drawn(d_model, width), drawn(d_model, d_model)
        ),
        norm_2=gamma(),
        ffn=GatedParams(drawn(d_model, d_ff), drawn(d_model, d_ff), drawn(d_ff, d_model)),
    )


def init_modern_decoder(rng, vocab_size, d_model, n_heads, n_kv_heads, d_ff, n_blocks, noise=0.0):
    """Draw the parameters of a whole decoder; arguments and errors as in `init_modern_block`.

    Returns
    -------
    ModernDecoder
        With base 10,000 and eps 1e-5.
    """
    blocks = tuple(init_modern_block(rng, d_model, n_heads, n_kv_heads, d_ff, noise) for _ in range(n_blocks))
    embedding = rng.normal(scale=d_model**-0.5, size=(vocab_size, d_model))
    norm = 1.0 + noise * rng.normal(size=d_model)
    return ModernDecoder(embedding, blocks, norm, n_heads, n_kv_heads, 10000.0, 1e-5)


def empty_cache(model):
    """Return the cache before the first token.

    Parameters
    ----------
    model : ModernDecoder

    Returns
    -------
    tuple of KeysAndValues
        One per block, for a single text: of shape (n_kv_heads, 0, d_k).
    """
    d_k = model.embedding.shape[1] // model.n_heads
    nothing = np.zeros((model.n_kv_heads, 0, d_k), model.embedding.dtype)
    return (KeysAndValues(nothing, nothing),) * len(model.blocks)
