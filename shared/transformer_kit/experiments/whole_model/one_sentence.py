"""Typed sentences on their way through a model: watched, translated word by word, as vectors."""

from typing import NamedTuple

import numpy as np

from transformer_kit import reference
from transformer_kit.corpus.sentences import prepare_sentence
from transformer_kit.corpus.vocabulary import BOS, EOS, PAD, ids_of, words_of
from transformer_kit.examples.toy_models import log_softmax
from transformer_kit.experiments.whole_model.activations import trace
from transformer_kit.experiments.whole_model.greedy import greedy_by_parts
from transformer_kit.reference import pad_batch


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


def watched(sentence, model, functions=reference):
    """Translate a sentence greedily, and keep everything that is computed on the way.

    Parameters
    ----------
    sentence : str
    model : Model
    functions : object
        Has the functions that `trace` calls as attributes; the course's own where it is left out.

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


def translated(sentence, model, encoder_layer):
    """Translate a sentence greedily, with the layers of the encoder handed over and all else by the course.

    Parameters
    ----------
    sentence : str
    model : Model
    encoder_layer : callable
        The function of unit 07.

    Returns
    -------
    str
    """
    _, source_ids, is_token = _prepared(sentence, model)
    X = trace(source_ids, is_token, np.array([[BOS]]), model, reference)["source"]
    for params in model.encoder:
        X = encoder_layer(X, params, model.n_heads, reference.padding_mask(is_token))

    def next_log_probs(prefixes):
        return log_softmax(reference.decode_target(prefixes, X, is_token, model)[:, -1])

    ids = reference.greedy_decode(next_log_probs, BOS, EOS, model.max_len)
    return " ".join(words_of([i for i in ids if i != EOS], model.target_words))


def decoder_at_work(sentence, model, causal_mask):
    """Take the decoder of a model out of a translation, as a function of the vectors that it reads.

    Parameters
    ----------
    sentence : str
    model : Model
    causal_mask : callable
        From the number of positions to the mask of the decoder's self-attention.

    Returns
    -------
    X : ndarray of shape (n_target, d_model)
        What the decoder reads while it translates: the vectors of "<bos>" and of the words that it has written.
    decoder : callable
        From such vectors to what comes out of the last layer, of the same shape.
    """
    X = watched(sentence, model, reference).parts["target"][0]
    _, source_ids, is_token = _prepared(sentence, model)
    memory = reference.encode_source(source_ids, is_token, model)[0]

    def decoder(X):
        mask = causal_mask(len(X))
        for params in model.decoder:
            X = reference.decoder_layer(X, memory, params, model.n_heads, mask)
        return X

    return X, decoder


def translator(sentence, model, encode_source, decode_target):
    """Return what the searches of unit 08 call: a function from prefixes of a translation to its next word.

    Parameters
    ----------
    sentence : str
    model : Model
    encode_source, decode_target : callable
        The functions of unit 09.

    Returns
    -------
    callable
        From prefixes, an int array of shape (k, t), to log-probabilities of the next word, of shape (k, V).
    """
    _, source_ids, is_token = _prepared(sentence, model)
    memory = encode_source(source_ids, is_token, model)

    def next_log_probs(prefixes):
        several = [np.repeat(one, len(prefixes), axis=0) for one in (memory, is_token)]
        return log_softmax(decode_target(prefixes, *several, model)[:, -1])

    return next_log_probs


def translator_by_parts(sentence, model, functions):
    """Return the same as `translator`, computed by the functions that `trace` calls.

    Parameters
    ----------
    sentence : str
    model : Model
    functions : object

    Returns
    -------
    callable
    """
    _, source_ids, is_token = _prepared(sentence, model)

    def next_log_probs(prefixes):
        several = [np.repeat(one, len(prefixes), axis=0) for one in (source_ids, is_token)]
        return log_softmax(trace(*several, prefixes, model, functions)["logits"][:, -1])

    return next_log_probs


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


def _prepared(sentence, model):
    words = prepare_sentence(sentence, model).split()
    source_ids = np.array([ids_of(words, model.source_vocabulary)])
    return words, source_ids, np.ones(source_ids.shape, dtype=bool)
