"""Sentences of different lengths in one batch, and a program that forgets a mask there."""

import numpy as np

from transformer_kit.corpus.sentences import prepare_sentence
from transformer_kit.corpus.text import spanish_text
from transformer_kit.corpus.vocabulary import EOS, PAD, ids_of
from transformer_kit.experiments.whole_model.ablations import replaced
from transformer_kit.experiments.whole_model.activations import trace
from transformer_kit.experiments.whole_model.greedy import greedy_by_parts, words_before_end
from transformer_kit.reference import pad_batch


def forgetful(functions):
    """Return functions one of whose attentions never hears of padding.

    Parameters
    ----------
    functions : SimpleNamespace

    Returns
    -------
    SimpleNamespace
    """

    def cross_attention(X_decoder, memory, params, n_heads, memory_is_token=None):
        return functions.cross_attention(X_decoder, memory, params, n_heads)

    return replaced(functions, cross_attention=cross_attention)


def translated_together(sentences, model, functions):
    """Translate several sentences greedily in one batch.

    Parameters
    ----------
    sentences : sequence of str
    model : Model
    functions : object
        Has the functions that `trace` calls as attributes.

    Returns
    -------
    list of str
    """
    written = greedy_by_parts(*_padded(sentences, model), model, functions)[:, 1:].tolist()
    return [spanish_text(words_before_end(row, model.target_words)) for row in written]


def weight_where_hidden(sentences, model, functions, translation_masks):
    """Measure how much attention goes where three masks forbid it, while sentences are translated in one batch.

    Parameters
    ----------
    sentences : sequence of str
    model : Model
    functions : object
        Has the functions that `trace` calls as attributes.
    translation_masks : callable
        The learner's function of unit 05.

    Returns
    -------
    dict from str to float
        For each attention of the model, the largest share of its weight that one query gives to hidden keys. What the
        padding of the target asks for does not count.
    """
    source_ids, is_token = _padded(sentences, model)
    target_ids = greedy_by_parts(source_ids, is_token, model, functions)
    target_is_token = np.cumsum(target_ids == EOS, axis=1) == 0
    parts = trace(source_ids, is_token, target_ids, model, functions)
    encoder, decoder, cross = translation_masks(is_token, target_is_token)
    found = {}
    for name in (name for name in parts if name.endswith("weights")):
        mask = encoder if name.startswith("encoder") else cross if "cross" in name else decoder
        asks = is_token if name.startswith("encoder") else target_is_token
        hidden = (parts[name] * ~mask[:, None]).sum(axis=-1) * asks[:, None]
        found[name.removesuffix(".weights")] = float(hidden.max())
    return found


def _padded(sentences, model):
    """Return ids of English sentences and which of them are tokens, as `pad_batch` does."""
    words = (prepare_sentence(sentence, model).split() for sentence in sentences)
    return pad_batch([ids_of(one, model.source_vocabulary) for one in words], PAD)
