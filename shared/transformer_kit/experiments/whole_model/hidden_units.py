"""What the hidden units of a trained encoder answer to."""

import math
from collections import defaultdict
from typing import NamedTuple

import numpy as np

from transformer_kit import corpus
from transformer_kit.corpus.vocabulary import PAD
from transformer_kit.reference import (
    add_positions,
    embed,
    encoder_layer,
    layer_norm,
    multi_head_attention,
    pad_batch,
    padding_mask,
    positional_encoding,
    relu,
)

N_SENTENCES, TIMES = 600, 3  # a word that comes less often is left out


class Hidden(NamedTuple):
    """The hidden layer of one feed-forward network, for all words of many sentences.

    Attributes
    ----------
    words : list of str
    numbers : ndarray of shape (n_words, d_ff)
        After ReLU.
    """

    words: list
    numbers: np.ndarray


def hidden_layer(model, layer, n_sentences=N_SENTENCES):
    """Read new sentences, and keep the hidden layer of one layer of the encoder.

    Parameters
    ----------
    model : Model
    layer : int
        From 0 on.
    n_sentences : int

    Returns
    -------
    Hidden
    """
    sentences = [pair.english for pair in corpus.load("new", n_sentences)]
    ids = [[model.source_vocabulary[word] for word in sentence] for sentence in sentences]
    source_ids, is_token = pad_batch(ids, PAD)
    E, mask = model.source_embedding, padding_mask(is_token)
    P = positional_encoding(source_ids.shape[-1], E.shape[-1]).astype(E.dtype)
    X = add_positions(embed(source_ids, E) * math.sqrt(E.shape[-1]), P)
    for params in model.encoder[:layer]:
        X = encoder_layer(X, params, model.n_heads, mask)
    attention, norm_1, ffn, _ = model.encoder[layer]
    middle = layer_norm(X + multi_head_attention(X, X, attention, model.n_heads, mask)[0], *norm_1)
    numbers = relu(middle @ ffn.W_1 + ffn.b_1)
    return Hidden([word for sentence in sentences for word in sentence], numbers[is_token])


def answers(hidden, unit, most=6):
    """Return the words to which a unit answers most strongly, and the mean of its number there.

    Parameters
    ----------
    hidden : Hidden
    unit, most : int

    Returns
    -------
    dict from str to float
        The strongest first.
    """
    found = defaultdict(list)
    for word, number in zip(hidden.words, hidden.numbers[:, unit], strict=True):
        found[word].append(number)
    means = {word: float(np.mean(numbers)) for word, numbers in found.items() if len(numbers) >= TIMES}
    return dict(sorted(means.items(), key=lambda pair: -pair[1])[:most])
