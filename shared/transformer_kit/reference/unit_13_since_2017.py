"""Unit 13: what a chat model of today has in place of parts of the paper."""

import numpy as np

from transformer_kit.parameters import KeysAndValues, empty_cache
from transformer_kit.reference.floats import as_float
from transformer_kit.reference.unit_00_tokens_and_shapes import embed
from transformer_kit.reference.unit_01_positional_encoding import angular_frequencies
from transformer_kit.reference.unit_03_masking import causal_mask, masked_attention
from transformer_kit.reference.unit_04_multi_head_attention import merge_heads, split_heads
from transformer_kit.reference.unit_06_feed_forward import swiglu
from transformer_kit.reference.unit_07_add_and_layer_norm import rms_norm


def rotate(X, positions, base=10000.0):
    """Turn every pair of neighbouring columns by an angle that grows with the position.

    Parameters
    ----------
    X : ndarray of shape (..., n, d)
        Queries or keys.
    positions : ndarray of shape (n,), int
    base : float
        See `angular_frequencies`.

    Returns
    -------
    ndarray of shape (..., n, d)

    Raises
    ------
    ValueError
        If d is odd.

    Notes
    -----
    Su et al. 2021, section 3.2.2. Columns 2i and 2i + 1 make a pair. Other code pairs i with i + d / 2.
    """
    X = as_float(X)
    angles = np.asarray(positions)[:, None] * angular_frequencies(X.shape[-1], base)  # (n, d / 2), in float64
    cos, sin = np.cos(angles).astype(X.dtype), np.sin(angles).astype(X.dtype)
    first, second = X[..., 0::2], X[..., 1::2]
    turned = np.empty_like(X)
    turned[..., 0::2] = first * cos - second * sin
    turned[..., 1::2] = first * sin + second * cos
    return turned


def share_heads(X, n_heads):
    """Give every head of the queries its head of the keys or values: neighbours share one.

    Parameters
    ----------
    X : ndarray of shape (..., n_kv_heads, n, d)
    n_heads : int

    Returns
    -------
    ndarray of shape (..., n_heads, n, d)

    Raises
    ------
    ValueError
        If n_heads is not divisible by n_kv_heads.

    Notes
    -----
    Ainslie et al. 2023, section 2.2.
    """
    X = np.asarray(X)
    n_kv_heads = X.shape[-3]
    if n_heads % n_kv_heads != 0:
        raise ValueError(f"{n_heads} heads cannot share {n_kv_heads} heads of keys and values evenly")
    return np.repeat(X, n_heads // n_kv_heads, axis=-3)


def grouped_attention(X, params, n_heads, n_kv_heads, base, cache):
    """Causal attention of new tokens to all so far, with rotary positions; several heads share keys and values.

    Parameters
    ----------
    X : ndarray of shape (..., n_new, d_model)
    params : AttentionParams
        W_K and W_V have n_kv_heads * d_k columns.
    n_heads, n_kv_heads : int
    base : float
    cache : KeysAndValues
        Of shape (..., n_kv_heads, n_before, d_k); the keys are turned already.

    Returns
    -------
    output : ndarray of shape (..., n_new, d_model)
    weights : ndarray of shape (..., n_heads, n_new, n_before + n_new)
    cache : KeysAndValues
        With the new tokens.

    Notes
    -----
    Ainslie et al. 2023, section 2.2; Su et al. 2021. The first token of a text has position 0.
    """
    X = as_float(X)
    n_before, n_new = cache.K.shape[-2], X.shape[-2]
    positions = np.arange(n_before, n_before + n_new)
    Q = rotate(split_heads(X @ params.W_Q, n_heads), positions, base)
    K = rotate(split_heads(X @ params.W_K, n_kv_heads), positions, base)
    V = split_heads(X @ params.W_V, n_kv_heads)
    K, V = np.concatenate([cache.K, K], axis=-2), np.concatenate([cache.V, V], axis=-2)
    mask = causal_mask(n_new, n_before + n_new)
    heads, weights = masked_attention(Q, share_heads(K, n_heads), share_heads(V, n_heads), mask)
    return merge_heads(heads) @ params.W_O, weights, KeysAndValues(K, V)


def modern_block(X, params, n_heads, n_kv_heads, base, eps, cache):
    """Apply one block: attention and gated network, each with an RMS norm before it and a residual around it.

    Parameters
    ----------
    X : ndarray of shape (..., n_new, d_model)
    params : ModernBlockParams
    n_heads, n_kv_heads : int
    base, eps : float
    cache : KeysAndValues

    Returns
    -------
    X : ndarray of shape (..., n_new, d_model)
    weights : ndarray of shape (..., n_heads, n_new, n_before + n_new)
    cache : KeysAndValues

    Notes
    -----
    Touvron et al. 2023, section 2.2.
    """
    normed = rms_norm(X, params.norm_1, eps)
    attended, weights, cache = grouped_attention(normed, params.attention, n_heads, n_kv_heads, base, cache)
    X = X + attended
    return X + swiglu(rms_norm(X, params.norm_2, eps), *params.ffn), weights, cache


def read_on(token_ids, model, cache):
    """Read the next tokens of a text, and predict the one that follows.

    Parameters
    ----------
    token_ids : ndarray of shape (n_new,), int
        A whole beginning, or the newest token alone.
    model : ModernDecoder
    cache : tuple of KeysAndValues
        One per block.

    Returns
    -------
    logits : ndarray of shape (V,)
    cache : tuple of KeysAndValues
        With the new tokens.
    """
    X, kept = embed(token_ids, model.embedding), []
    for params, old in zip(model.blocks, cache, strict=True):
        X, _, new = modern_block(X, params, model.n_heads, model.n_kv_heads, model.base, model.eps, old)
        kept.append(new)
    return rms_norm(X[-1], model.norm, model.eps) @ model.embedding.T, tuple(kept)


def write(prompt_ids, model, choose, end_ids, max_len):
    """Continue a text, token by token, until the model ends it.

    Parameters
    ----------
    prompt_ids : sequence of int
        At least one.
    model : ModernDecoder
    choose : callable
        Takes logits of shape (V,), and returns the id of the token that is to follow.
    end_ids : collection of int
        Any of these ends the text.
    max_len : int
        How many tokens at most.

    Returns
    -------
    tuple of int
        What was written, without the end.
    """
    written, new, cache = [], np.asarray(prompt_ids), empty_cache(model)
    while len(written) < max_len:
        logits, cache = read_on(new, model, cache)
        chosen = int(choose(logits))
        if chosen in end_ids:
            break
        written.append(chosen)
        new = np.array([chosen])
    return tuple(written)


def dequantised(scales, smallest, packed):
    """Restore numbers that were stored with 4 bits each, in blocks of 32.

    Parameters
    ----------
    scales, smallest : ndarray of shape (n_blocks,), float16
        The step between neighbouring levels of a block, and its lowest level.
    packed : ndarray of shape (n_blocks, 16), uint8
        The low halves of the bytes are the levels of numbers 0 to 15, the high halves those of 16 to 31.

    Returns
    -------
    ndarray of shape (n_blocks, 32), float32

    Notes
    -----
    The type Q4_1 of the format GGUF.
    """
    packed = np.asarray(packed)
    levels = np.concatenate([packed & 15, packed >> 4], axis=-1)
    return _column(scales) * levels + _column(smallest)


def _column(numbers):
    return np.asarray(numbers).astype(np.float32)[:, None]


def quantised(numbers):
    """Store numbers with 4 bits each, so that `dequantised` restores them as closely as possible.

    Parameters
    ----------
    numbers : ndarray of shape (n_blocks, 32)

    Returns
    -------
    scales, smallest : ndarray of shape (n_blocks,), float16
    packed : ndarray of shape (n_blocks, 16), uint8

    Notes
    -----
    One right answer of many. It begins with a ruler from the smallest to the largest number of each block. Then two
    steps take turns: the nearest level for each number, and a line fitted to the numbers over their levels, which is
    the next ruler.
    """
    numbers = np.asarray(numbers, dtype=float)
    smallest, spread = numbers.min(axis=1, keepdims=True), np.ptp(numbers, axis=1, keepdims=True)
    scales = np.where(spread > 0, spread, 1) / 15
    for _ in range(8):
        scales, smallest = _line_through(numbers, _nearest_levels(numbers, scales, smallest))
    levels = _nearest_levels(numbers, scales, smallest).astype(np.uint8)
    packed = levels[:, :16] | levels[:, 16:] << 4
    return scales[:, 0].astype(np.float16), smallest[:, 0].astype(np.float16), packed


def _nearest_levels(numbers, scales, smallest):
    return np.clip(np.rint((numbers - smallest) / scales), 0, 15)


def _line_through(numbers, levels):
    """Return slope and intercept of the least-squares line through each block's numbers over their levels."""
    middle = levels.mean(axis=1, keepdims=True)
    variance = ((levels - middle) ** 2).mean(axis=1, keepdims=True)
    products = ((levels - middle) * numbers).mean(axis=1, keepdims=True)
    slope = np.where(variance > 0, products / np.where(variance > 0, variance, 1), 1)
    return slope, numbers.mean(axis=1, keepdims=True) - slope * middle


def chat_prompt(turns, system):
    """Write a conversation as the model saw them in training, up to where it has to speak.

    Parameters
    ----------
    turns : list of (str, str)
        Who speaks, "user" or "assistant", and what.
    system : str
        What the model is told about itself.

    Returns
    -------
    str
    """
    told = [("system", system), *turns]
    return "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n" for role, text in told) + "<|im_start|>assistant\n"
