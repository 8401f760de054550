"""A modern decoder on single functions, any of which can be replaced by another one; and what it says."""

from itertools import islice
from typing import NamedTuple

import numpy as np

from transformer_kit.parameters import KeysAndValues, empty_cache

LEAVES = (  # what `read` calls
    "embed", "rotate", "share_heads", "causal_mask", "masked_attention", "split_heads", "merge_heads", "rms_norm",
    "swiglu",
)  # fmt: skip


class Seen(NamedTuple):
    """What was computed while tokens were read.

    Attributes
    ----------
    states : list of ndarray of shape (n_new, d_model)
        What goes into each block, and at the end what comes out of the last.
    weights : list of ndarray of shape (n_heads, n_new, n_before + n_new)
        One for each block.
    cache : tuple of KeysAndValues
    """

    states: list
    weights: list
    cache: tuple


def read(token_ids, decoder, functions, cache=None):
    """Read the next tokens of a text, as `read_on` does, block by block.

    Parameters
    ----------
    token_ids : ndarray of shape (n_new,), int
    decoder : ModernDecoder
    functions : object
        Has `LEAVES` as attributes; if it has `positions`, that says where new tokens stand.
    cache : tuple of KeysAndValues, optional
        Empty if left out.

    Returns
    -------
    Seen
    """
    X = functions.embed(np.asarray(token_ids), decoder.embedding)
    return through(X, decoder, functions, empty_cache(decoder) if cache is None else cache)


def through(X, decoder, functions, cache, start=0):
    """Run vectors through all blocks from one on; what is returned is as in `read`."""
    states, weights, kept = [X], [], []
    for params, old in islice(zip(decoder.blocks, cache, strict=True), start, None):
        attended, looks, new = _attend(
            functions.rms_norm(X, params.norm_1, decoder.eps), params, decoder, functions, old
        )
        X = X + attended
        X = X + functions.swiglu(functions.rms_norm(X, params.norm_2, decoder.eps), *params.ffn)
        states.append(X)
        weights.append(looks)
        kept.append(new)
    return Seen(states, weights, tuple(kept))


def _attend(X, params, decoder, functions, old):
    """Return what the attention adds, its weights, and the cache."""
    n_before, n_new = old.K.shape[-2], X.shape[-2]
    W_Q, W_K, W_V, W_O = params.attention
    positions = getattr(functions, "positions", _after)(n_before, n_new)
    Q = functions.rotate(functions.split_heads(X @ W_Q, decoder.n_heads), positions, decoder.base)
    K = functions.rotate(functions.split_heads(X @ W_K, decoder.n_kv_heads), positions, decoder.base)
    V = functions.split_heads(X @ W_V, decoder.n_kv_heads)
    new = KeysAndValues(np.concatenate([old.K, K], axis=-2), np.concatenate([old.V, V], axis=-2))
    shared = (functions.share_heads(A, decoder.n_heads) for A in new)
    heads, weights = functions.masked_attention(Q, *shared, functions.causal_mask(n_new, n_before + n_new))
    return functions.merge_heads(heads) @ W_O, weights, new


def _after(n_before, n_new):
    return np.arange(n_before, n_before + n_new)


def logits_of(X, decoder, functions):
    """Return logits of shape (..., V) for vectors as they come out of a block."""
    return functions.rms_norm(X, decoder.norm, decoder.eps) @ decoder.embedding.T


def loss_of(token_ids, decoder, functions, start=0):
    """Return the mean loss of a text in nats per token, of those after `start` that have one before them."""
    return loss_of_states(read(token_ids, decoder, functions).states[-1], token_ids, decoder, functions, start)


def loss_of_states(X, token_ids, decoder, functions, start=0):
    """Return the same where the text has been read."""
    logits = logits_of(X[start:-1], decoder, functions).astype(np.float64)
    logits -= logits.max(axis=-1, keepdims=True)
    chosen = logits[np.arange(len(logits)), np.asarray(token_ids)[start + 1 :]]
    return float((np.log(np.exp(logits).sum(axis=-1)) - chosen).mean())


def written(prompt_ids, decoder, functions, choose, end_ids, max_len):
    """Continue a text as `write` does, on functions any of which may have been replaced; returns a list of ids."""
    found, new, cache = [], prompt_ids, None
    while len(found) < max_len:
        seen = read(new, decoder, functions, cache)
        cache, chosen = seen.cache, int(choose(logits_of(seen.states[-1][-1], decoder, functions)))
        if chosen in end_ids:
            break
        found.append(chosen)
        new = [chosen]
    return found
