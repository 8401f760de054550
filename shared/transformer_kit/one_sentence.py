"""One sentence on its way through a model, with functions that are handed in."""

import math
from typing import NamedTuple

import numpy as np

from transformer_kit.activations import trace
from transformer_kit.examples.toy_models import log_softmax
from transformer_kit.reference import pad_batch
from transformer_kit.sentences import prepare_sentence
from transformer_kit.vocabulary import BOS, EOS, PAD, ids_of, words_of


class Watched(NamedTuple):
    """What a model did with a sentence.

    Attributes
    ----------
    source : list of str
        English words and marks.
    read, written : list of str
        What the decoder read, "<bos>" first, and what it wrote, one place earlier, with "<eos>" at the end.
    parts : dict from str to ndarray
        As `trace` returns them, for a batch of one.
    """

    source: list
    read: list
    written: list
    parts: dict


def watched(sentence, model, functions):
    """Translate a sentence greedily, and keep all that was computed.

    Parameters
    ----------
    sentence : str
    model : Model
    functions : object
        Has the functions that `trace` calls as attributes.

    Returns
    -------
    Watched
    """
    source, source_ids, is_token = _prepared(sentence, model)
    ids = greedy_by_parts(source_ids, is_token, model, functions)[0]
    ids = ids[ids != EOS]
    parts = trace(source_ids, is_token, ids[None], model, functions)
    read = words_of(ids, model.target_words)
    return Watched(source, read, [*read[1:], "<eos>"], parts)


def greedy_by_parts(source_ids, is_token, model, functions):
    """Translate several sentences greedily, each step by a whole `trace`, until each has ended.

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
    while written.shape[1] <= model.max_len and not (written == EOS).any(axis=1).all():
        logits = trace(source_ids, is_token, written, model, functions)["logits"][:, -1]
        written = np.column_stack([written, logits.argmax(axis=-1)])
    return written


def translator(sentence, model, encode_source, decode_target):
    """Return what the searches of unit 08 ask: the log-probabilities of the next word of a translation.

    Parameters
    ----------
    sentence : str
    model : Model
    encode_source, decode_target : callable
        The functions of unit 09.

    Returns
    -------
    callable
        From prefixes, an int array of shape (k, t), to log-probabilities of shape (k, V).
    """
    _, source_ids, is_token = _prepared(sentence, model)
    memory = encode_source(source_ids, is_token, model)

    def next_log_probs(prefixes):
        several = [np.repeat(one, len(prefixes), axis=0) for one in (memory, is_token)]
        return log_softmax(decode_target(prefixes, *several, model)[:, -1])

    return next_log_probs


def writer(model, functions):
    """Return what the searches of unit 08 ask: the log-probabilities of the next word of a text.

    Parameters
    ----------
    model : LanguageModel
    functions : object
        Has the functions of units 00 to 07 as attributes.

    Returns
    -------
    callable
        From prefixes, an int array of shape (k, t), to log-probabilities of shape (k, V).
    """
    E, d_model = model.embedding, model.embedding.shape[-1]

    def next_log_probs(prefixes):
        n = prefixes.shape[1]
        X = functions.embed(prefixes, E) * math.sqrt(d_model)
        X = functions.add_positions(X, functions.positional_encoding(n, d_model).astype(E.dtype))
        for params in model.layers:
            X = functions.encoder_layer(X, params, model.n_heads, functions.causal_mask(n))
        return log_softmax(X[:, -1] @ E.T)

    return next_log_probs


def sampled(next_log_probs, choose, count, max_len, words):
    """Write several sentences word by word.

    Parameters
    ----------
    next_log_probs : callable
        From prefixes, an int array of shape (k, t), to log-probabilities of shape (k, V).
    choose : callable
        From the log-probabilities of one next word, of shape (V,), to an id.
    count, max_len : int
        How many sentences; the largest number of ids in one.
    words : sequence of str
        The word of every id.

    Returns
    -------
    list of tuple of str
        Without "<bos>" and "<eos>".
    """
    prefixes = np.full((count, 1), BOS)
    while prefixes.shape[1] <= max_len and not (prefixes == EOS).any(axis=1).all():
        chosen = [choose(log_probs) for log_probs in next_log_probs(prefixes)]
        prefixes = np.column_stack([prefixes, chosen])
    return [words_before_end(ids, words) for ids in prefixes[:, 1:].tolist()]


def sentence_vectors(sentences, model, read):
    """Return one vector for each sentence, the mean over its tokens.

    Parameters
    ----------
    sentences : sequence of str
    model : Model
    read : callable
        From ids of shape (B, n), and which of them are tokens, to vectors of shape (B, n, d_model).

    Returns
    -------
    ndarray of shape (n_sentences, d_model)
    """
    words = [prepare_sentence(sentence, model).split() for sentence in sentences]
    source_ids, is_token = pad_batch([ids_of(one, model.source_vocabulary) for one in words], PAD)
    X = read(source_ids, is_token)
    return (X * is_token[..., None]).sum(axis=1) / is_token.sum(axis=1, keepdims=True)


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
    end = token_ids.index(EOS) if EOS in token_ids else len(token_ids)
    return tuple(words_of(token_ids[:end], words))


def _prepared(sentence, model):
    words = prepare_sentence(sentence, model).split()
    source_ids = np.array([ids_of(words, model.source_vocabulary)])
    return words, source_ids, np.ones(source_ids.shape, dtype=bool)
