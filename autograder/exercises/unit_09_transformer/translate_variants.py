"""A translation with exchangeable parts, for the known mistakes of `translate`."""

import numpy as np

from transformer_kit.corpus.sentences import prepare_sentence, written_sentence
from transformer_kit.corpus.vocabulary import BOS, EOS
from transformer_kit.reference import beam_search, decode_target, encode, encode_source, greedy_decode


def log_softmax(logits):
    """Return log-probabilities."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def decoded(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha):
    """Return the ids of the best translation."""
    if beam_width == 1:
        return greedy_decode(next_log_probs, bos_id, eos_id, max_len)
    return beam_search(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha)[0][1]


def translation(
    sentence,
    model,
    beam_width=1,
    alpha=0.0,
    *,
    prepared=prepare_sentence,
    source=lambda source_ids: source_ids,
    visible=lambda is_token: is_token,
    seen=lambda prefixes: prefixes,
    picked=lambda logits: logits[:, -1],
    normalised=log_softmax,
    ends=(BOS, EOS),
    limit=lambda source_ids, model: model.max_len,
    decode=decoded,
    written=written_sentence,
):
    """Translate with something changed; what is not given is right.

    Parameters
    ----------
    prepared : callable
        ``prepared(sentence, model)`` is the text that is encoded.
    source, visible : callable
        Change the ids of the source, of shape (n,), and where they are tokens, of shape (1, n).
    seen : callable
        The prefixes that the decoder gets.
    picked : callable
        Takes the logits of one position.
    normalised : callable
        Makes log-probabilities of them.
    ends : tuple of (int, int)
        Start and end symbol.
    limit : callable
        ``limit(source_ids, model)`` is the largest number of tokens.
    decode : callable
        ``decode(next_log_probs, bos_id, eos_id, beam_width, max_len, alpha)`` returns the ids.
    written : callable
        ``written(ids, model)`` is the result.
    """
    source_ids = source(encode(prepared(sentence, model), model.source_vocabulary))[None]
    is_token = visible(np.ones(source_ids.shape, dtype=bool))
    memory = encode_source(source_ids, is_token, model)

    def next_log_probs(prefixes):
        k = len(prefixes)
        given = np.repeat(memory, k, axis=0), np.repeat(is_token, k, axis=0)
        return normalised(picked(decode_target(seen(prefixes), *given, model)))

    ids = decode(next_log_probs, *ends, beam_width, limit(source_ids[0], model), alpha)
    return written(ids, model)
