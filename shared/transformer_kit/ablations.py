"""Take one part out of a trained model, and measure what becomes of its translations and of its numbers."""

import math
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from transformer_kit import corpus, reference
from transformer_kit.activations import trace
from transformer_kit.leaks import mask_on_weights
from transformer_kit.trees import named_arrays, with_arrays
from transformer_kit.vocabulary import BOS, EOS, PAD, ids_of, words_of


def replaced(functions, **others):
    """Return a namespace of functions in which some are others.

    Parameters
    ----------
    functions : SimpleNamespace
    **others : callable

    Returns
    -------
    SimpleNamespace
    """
    return SimpleNamespace(**(vars(functions) | others))


def without_scale(multi_head_attention):
    """Return a multi-head attention whose scores are not divided by the root of d_k.

    Parameters
    ----------
    multi_head_attention : callable
        The function of unit 04. It goes on dividing; its queries are made as much longer.

    Returns
    -------
    callable
    """

    def unscaled(X_query, X_memory, params, n_heads, mask=None):
        root = params.W_Q.dtype.type(math.sqrt(params.W_Q.shape[-1] / n_heads))
        return multi_head_attention(X_query, X_memory, params._replace(W_Q=params.W_Q * root), n_heads, mask)

    return unscaled


def with_late_mask(split_heads, merge_heads):
    """Return a multi-head attention that multiplies the mask with the weights, after the softmax.

    Parameters
    ----------
    split_heads, merge_heads : callable
        The functions of unit 04.

    Returns
    -------
    callable
    """

    def late(X_query, X_memory, params, n_heads, mask):
        Q = split_heads(X_query @ params.W_Q, n_heads)
        K, V = (split_heads(X_memory @ W, n_heads) for W in (params.W_K, params.W_V))
        heads, weights = mask_on_weights(Q, K, V, mask[..., None, :, :])
        return merge_heads(heads) @ params.W_O, weights

    return late


def without_head(model, attention, head):
    """Return a model in which one head has nothing to say.

    Parameters
    ----------
    model : Model
    attention : str
        Where the head is, such as ``"decoder.1.cross_attention"``.
    head : int

    Returns
    -------
    Model
    """
    arrays = named_arrays(model)
    silent = arrays[f"{attention}.W_O"].copy()
    np.split(silent, model.n_heads)[head][:] = 0  # the rows that the head's output is multiplied by
    return with_arrays(model, (arrays | {f"{attention}.W_O": silent}).values())


class Effect(NamedTuple):
    """What a change does.

    Attributes
    ----------
    acceptable : float
        Share of the sentences whose greedy translation is one of the grammar's.
    largest_difference : float
        From the logits of the unchanged model, on the likeliest translations.
    """

    acceptable: float
    largest_difference: float


class Trial:
    """Held-out sentences to measure changes with.

    Parameters
    ----------
    model : Model
    count : int
        How many sentences.

    Attributes
    ----------
    sentences : list of Sentence
    """

    def __init__(self, model, count=40):
        self.model, self.sentences = model, corpus.load("held-out", count)
        self._right = [corpus.translations(sentence.english) for sentence in self.sentences]
        english = [ids_of(sentence.english, model.source_vocabulary) for sentence in self.sentences]
        ids = {word: i for i, word in enumerate(model.target_words)}
        likeliest = [[BOS, *ids_of(next(iter(right)), ids)] for right in self._right]
        self._source = reference.pad_batch(english, PAD)
        self._target, self._is_written = reference.pad_batch(likeliest, PAD)
        self._expected = self._logits(reference, model)

    def effect(self, functions, model=None):
        """Translate with other functions or with another model.

        Parameters
        ----------
        functions : object
            Has the functions that `trace` calls as attributes.
        model : Model, optional
            That of the trial if left out.

        Returns
        -------
        Effect
        """
        model = model or self.model
        found = self._translations(functions, model)
        acceptable = np.mean([words in right for words, right in zip(found, self._right, strict=True)])
        return Effect(float(acceptable), float(np.abs(self._logits(functions, model) - self._expected).max()))

    def _logits(self, functions, model):
        return trace(*self._source, self._target, model, functions)["logits"][self._is_written]

    def _translations(self, functions, model):
        """Translate greedily, all sentences at once, until each has ended."""
        written = np.full((len(self.sentences), 1), BOS)
        while written.shape[1] <= model.max_len and not (written == EOS).any(axis=1).all():
            logits = trace(*self._source, written, model, functions)["logits"][:, -1]
            written = np.column_stack([written, logits.argmax(axis=-1)])
        return [_words(row, model) for row in written[:, 1:].tolist()]


def _words(token_ids, model):
    end = token_ids.index(EOS) if EOS in token_ids else len(token_ids)
    return tuple(words_of(token_ids[:end], model.target_words))
