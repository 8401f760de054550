"""GPT-2 on the functions of the course, from a folder with its public files; sizes are read from them."""

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np

from transformer_kit.parameters import (
    BiasedAttentionParams,
    EncoderLayerParams,
    FeedForwardParams,
    KeysAndValues,
    LayerNormParams,
)
from transformer_kit.public.byte_pieces import BytePieces, read_pieces
from transformer_kit.public.safetensors import read_safetensors
from transformer_kit.trained.model import ModelFileError

FILES = ("model.safetensors", "vocab.json", "merges.txt")
HEAD_WIDTH = 64  # in GPT-2 of any size
END = "<|endoftext|>"


class GPT2(NamedTuple):
    """A decoder without a source, with its pieces.

    Attributes
    ----------
    embedding : ndarray of shape (V, d_model)
        Also makes the logits, transposed.
    positions : ndarray of shape (n_positions, d_model)
        Learned; there are no more than these.
    blocks : tuple of EncoderLayerParams
        With BiasedAttentionParams; the norm comes first.
    norm : LayerNormParams
        After the last block.
    n_heads : int
    pieces : BytePieces
    """

    embedding: np.ndarray
    positions: np.ndarray
    blocks: tuple
    norm: LayerNormParams
    n_heads: int
    pieces: BytePieces


def load_gpt2(folder, n_heads=None):
    """Load a model.

    Parameters
    ----------
    folder : path
        With the three `FILES`.
    n_heads : int, optional
        As many as heads of width 64 fit into d_model, if left out.

    Returns
    -------
    GPT2
        In the precision of its file.

    Raises
    ------
    ModelFileError
        If a file is missing, is damaged or holds something else.
    """
    folder = Path(folder)
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise ModelFileError(f"there is no {' and no '.join(missing)} in {folder}")
    arrays, pieces = read_safetensors(folder / FILES[0]), read_pieces(folder)
    try:
        model = _model_of({name.removeprefix("transformer."): array for name, array in arrays.items()}, n_heads, pieces)
    except KeyError as error:
        raise ModelFileError(f"{folder / FILES[0]} is no GPT-2: it holds no array {error}") from error
    if max(pieces.ids.values()) >= len(model.embedding):
        raise ModelFileError(f"{folder} has pieces with ids beyond the {len(model.embedding)} rows of its embedding")
    return model


def _model_of(arrays, n_heads, pieces):
    """Put a model together; matrices are (d_in, d_out) in these files, as in the course."""
    n_blocks = len({name.split(".")[1] for name in arrays if name.startswith("h.")})

    def linear(name):
        return arrays[f"{name}.weight"], arrays[f"{name}.bias"]

    def block(name):
        W_QKV, b_QKV = linear(f"{name}.attn.c_attn")  # side by side, as in `fused_self_attention`
        W_O, b_O = linear(f"{name}.attn.c_proj")
        W, b = np.split(W_QKV, 3, axis=1), np.split(b_QKV, 3)
        ffn = FeedForwardParams(*linear(f"{name}.mlp.c_fc"), *linear(f"{name}.mlp.c_proj"))
        norms = [LayerNormParams(*linear(f"{name}.{norm}")) for norm in ("ln_1", "ln_2")]
        return EncoderLayerParams(BiasedAttentionParams(*W, W_O, *b, b_O), norms[0], ffn, norms[1])

    embedding = arrays["wte.weight"]
    blocks = tuple(block(f"h.{i}") for i in range(n_blocks))
    n_heads = n_heads or embedding.shape[1] // HEAD_WIDTH
    return GPT2(embedding, arrays["wpe.weight"], blocks, LayerNormParams(*linear("ln_f")), n_heads, pieces)


def gpt2_logits(token_ids, model, functions):
    """Predict the next piece at every position.

    Parameters
    ----------
    token_ids : ndarray of shape (B, n), int
    model : GPT2
    functions : object
        Has the functions of units 00 to 12 as attributes.

    Returns
    -------
    ndarray of shape (B, n, V)

    Raises
    ------
    ValueError
        If there are more tokens than positions.
    """
    X = functions.add_positions(functions.embed(token_ids, model.embedding), model.positions)
    mask = functions.causal_mask(token_ids.shape[1])
    for block in model.blocks:
        X = functions.gpt2_block(X, block, model.n_heads, mask)
    return functions.layer_norm(X, *model.norm) @ model.embedding.T


def empty_cache(batch, model):
    """Return the cache before the first token, one entry per block.

    Parameters
    ----------
    batch : int
        How many texts there are.
    model : GPT2

    Returns
    -------
    tuple of KeysAndValues
    """
    d_model = model.embedding.shape[1]
    nothing = np.zeros((batch, model.n_heads, 0, d_model // model.n_heads), model.embedding.dtype)
    return (KeysAndValues(nothing, nothing),) * len(model.blocks)


def cached_logits(token_ids, cache, model, functions):
    """Read some more tokens of every text, with the keys and values of all earlier ones kept.

    Parameters
    ----------
    token_ids : ndarray of shape (B, n_new), int
        A whole beginning, or the newest token alone.
    cache : tuple of KeysAndValues
        At the beginning `empty_cache`.
    model : GPT2
    functions : object
        Has the functions of units 00 to 07 as attributes.

    Returns
    -------
    logits : ndarray of shape (B, V)
        For the piece that comes next.
    cache : tuple of KeysAndValues
        With the new tokens.

    Raises
    ------
    ValueError
        If there are more tokens than positions.
    """
    n_before, n_new = cache[0].K.shape[-2], token_ids.shape[1]
    X = functions.add_positions(functions.embed(token_ids, model.embedding), model.positions[n_before:])
    mask, kept = functions.causal_mask(n_new, n_before + n_new), []
    for block, old in zip(model.blocks, cache, strict=True):
        attended, new = _attend(functions.layer_norm(X, *block.norm_1), block.attention, old, mask, model, functions)
        X = X + attended
        X = X + functions.position_wise_ffn(functions.layer_norm(X, *block.norm_2), block.ffn, gelu_with_tanh)
        kept.append(new)
    return functions.layer_norm(X[:, -1], *model.norm) @ model.embedding.T, tuple(kept)


def _attend(X, params, old, mask, model, functions):
    """Let new tokens attend to all so far; also return the keys and values of all."""
    pairs = (params.W_Q, params.b_Q), (params.W_K, params.b_K), (params.W_V, params.b_V)
    Q, K, V = (functions.split_heads(functions.linear(X, W, b), model.n_heads) for W, b in pairs)
    new = KeysAndValues(np.concatenate([old.K, K], axis=-2), np.concatenate([old.V, V], axis=-2))
    heads, _ = functions.masked_attention(Q, *new, mask)
    return functions.linear(functions.merge_heads(heads), params.W_O, params.b_O), new


def gelu_with_tanh(x):
    """Return the approximation of GELU that GPT-2 was trained with.

    Parameters
    ----------
    x : ndarray of any shape

    Returns
    -------
    ndarray of the shape of `x`
    """
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def continued(text, model, functions, rng, n_pieces=40, temperature=0.8, top_p=0.9):
    """Continue a text, piece by piece.

    Parameters
    ----------
    text : str
        If empty, the model begins where one text ends and another begins.
    model : GPT2
    functions : object
        Has the functions of units 00 to 12 as attributes.
    rng : numpy.random.Generator
    n_pieces : int
        How many at most; it ends before where the model ends the text, or has no more positions.
    temperature, top_p : float
        For `apply_temperature` and `top_p_filter`; temperature 0 takes the likeliest piece.

    Returns
    -------
    str
        The continuation alone.
    """
    end = model.pieces.ids.get(END)
    ids = model.pieces.encode(text, functions.byte_pair_merge) or [end]
    cache, new, found = empty_cache(1, model), np.array([ids]), []
    for _ in range(min(n_pieces, len(model.positions) - len(ids))):
        logits, cache = cached_logits(new, cache, model, functions)
        filtered = functions.top_p_filter(logits[0], top_p)
        chosen = functions.sample_token(functions.apply_temperature(filtered, temperature), rng.random())
        if chosen == end:
            break
        found.append(chosen)
        new = np.array([[chosen]])
    return model.pieces.decode(found)
