"""Greedy translation of many sentences at once: with a key-value cache, or by a whole trace for every token."""

import numpy as np

from transformer_kit.corpus.vocabulary import BOS, EOS, PAD, words_of
from transformer_kit.experiments.whole_model.activations import trace
from transformer_kit.parameters.cache import start_cache
from transformer_kit.progress import waited_for
from transformer_kit.reference import cached_decode_step, encode_source, pad_batch, project_memory


def greedy_translations(sources, model, batch_size=250):
    """Translate sentences by taking the likeliest token again and again.

    Parameters
    ----------
    sources : sequence of list of int
        Ids of English sentences.
    model : Model
    batch_size : int

    Returns
    -------
    list of list of int
        Ids of Spanish words, without "<bos>" and "<eos>", in the order of `sources`.
    """
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))  # little padding
    found = {}
    for start in range(0, len(order), batch_size):
        chosen = order[start : start + batch_size]
        found |= zip(chosen, _translated(*pad_batch([sources[i] for i in chosen], PAD), model), strict=True)
    return [found[i] for i in range(len(sources))]


def _translated(source_ids, is_token, model):
    """Translate one batch until every sentence has ended; what comes after the end of a sentence is cut off."""
    cache = start_cache(encode_source(source_ids, is_token, model), model, project_memory)
    newest, written = np.full(len(source_ids), BOS), []
    ended = np.zeros(len(source_ids), dtype=bool)
    while len(written) < model.max_len and not ended.all():
        logits, cache = cached_decode_step(newest, cache, is_token, model)
        newest = logits.argmax(axis=-1)
        ended |= newest == EOS
        written.append(newest)
    return [_before_end(row) for row in np.stack(written, axis=1).tolist()]


def greedy_by_parts(source_ids, is_token, model, functions):
    """Translate several sentences greedily, with a whole `trace` for each token, until all have ended.

    Parameters
    ----------
    source_ids : ndarray of shape (B, n_source), int
    is_token : ndarray of shape (B, n_source), bool
    model : Model
    functions : object

    Returns
    -------
    ndarray of shape (B, n_target), int
        "<bos>" first; what comes after an "<eos>" means nothing.
    """
    written = np.full((len(source_ids), 1), BOS)
    for _ in waited_for(range(model.max_len), "translating, word"):
        logits = trace(source_ids, is_token, written, model, functions)["logits"][:, -1]
        written = np.column_stack([written, logits.argmax(axis=-1)])
        if (written == EOS).any(axis=1).all():
            break
    return written


def words_before_end(token_ids, words):
    """Return the words before the first "<eos>".

    Parameters
    ----------
    token_ids : list of int
    words : sequence of str

    Returns
    -------
    tuple of str
    """
    return tuple(words_of(_before_end(token_ids), words))


def _before_end(token_ids):
    return token_ids[: token_ids.index(EOS)] if EOS in token_ids else token_ids
