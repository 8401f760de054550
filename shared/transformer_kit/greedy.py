"""Greedy translation of many sentences at once, with a key-value cache."""

import numpy as np

from transformer_kit.cache import start_cache
from transformer_kit.reference import cached_decode_step, encode_source, pad_batch, project_memory
from transformer_kit.vocabulary import BOS, EOS, PAD


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
    """Translate one batch; sentences that are finished go on until all are, and what they say then is cut off."""
    cache = start_cache(encode_source(source_ids, is_token, model), model, project_memory)
    newest, written = np.full(len(source_ids), BOS), []
    ended = np.zeros(len(source_ids), dtype=bool)
    while len(written) < model.max_len and not ended.all():
        logits, cache = cached_decode_step(newest, cache, is_token, model)
        newest = logits.argmax(axis=-1)
        ended |= newest == EOS
        written.append(newest)
    return [_before_end(row) for row in np.stack(written, axis=1).tolist()]


def _before_end(token_ids):
    return token_ids[: token_ids.index(EOS)] if EOS in token_ids else token_ids
