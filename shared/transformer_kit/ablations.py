"""Take one part out of a trained model, and measure what becomes of its translations and of its numbers."""

import math
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from transformer_kit import corpus, reference
from transformer_kit.activations import trace
from transformer_kit.leaks import mask_on_weights
from transformer_kit.one_sentence import greedy_by_parts, words_before_end
from transformer_kit.trees import named_arrays, with_arrays
from transformer_kit.vocabulary import BOS, PAD, ids_of


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


def without_scale(functions):
    """Return functions of which no attention divides its scores by the root of d_k.

    Parameters
    ----------
    functions : SimpleNamespace
        Their attentions go on dividing; the queries are made as much longer.

    Returns
    -------
    SimpleNamespace
    """

    def unscaled(attend):
        def attend_unscaled(X_query, X_memory, params, n_heads, *mask):
            root = params.W_Q.dtype.type(math.sqrt(params.W_Q.shape[-1] / n_heads))
            return attend(X_query, X_memory, params._replace(W_Q=params.W_Q * root), n_heads, *mask)

        return attend_unscaled

    attentions = "multi_head_attention", "cross_attention"
    return replaced(functions, **{name: unscaled(getattr(functions, name)) for name in attentions})


def with_late_mask(functions):
    """Return functions whose self-attention multiplies the mask with the weights, after the softmax.

    Parameters
    ----------
    functions : SimpleNamespace

    Returns
    -------
    SimpleNamespace
    """

    def late(X_query, X_memory, params, n_heads, mask):
        Q = functions.split_heads(X_query @ params.W_Q, n_heads)
        K, V = (functions.split_heads(X_memory @ W, n_heads) for W in (params.W_K, params.W_V))
        heads, weights = mask_on_weights(Q, K, V, mask[..., None, :, :])
        return functions.merge_heads(heads) @ params.W_O, weights

    return replaced(functions, multi_head_attention=late)


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
        written = greedy_by_parts(*self._source, model, functions)[:, 1:].tolist()
        found = [words_before_end(row, model.target_words) for row in written]
        acceptable = np.mean([words in right for words, right in zip(found, self._right, strict=True)])
        return Effect(float(acceptable), float(np.abs(self._logits(functions, model) - self._expected).max()))

    def _logits(self, functions, model):
        return trace(*self._source, self._target, model, functions)["logits"][self._is_written]
