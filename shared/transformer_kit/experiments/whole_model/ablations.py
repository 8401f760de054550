"""Take one part out of a trained model, and measure what becomes of its translations and of its numbers."""

from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from transformer_kit import corpus, reference
from transformer_kit.corpus.vocabulary import BOS, PAD, ids_of
from transformer_kit.experiments.whole_model.activations import trace
from transformer_kit.experiments.whole_model.greedy import greedy_by_parts, words_before_end
from transformer_kit.parameters.tree import named_arrays, with_arrays
from transformer_kit.progress import waited_for


def replaced(functions, **others):
    """Return a namespace of functions with some of them replaced.

    Parameters
    ----------
    functions : SimpleNamespace
    **others : callable

    Returns
    -------
    SimpleNamespace
    """
    return SimpleNamespace(**(vars(functions) | others))


def with_attention(functions, multi_head_attention):
    """Return functions whose attentions, that to the source included, all go through one function.

    Parameters
    ----------
    functions : SimpleNamespace
    multi_head_attention : callable
        The learner's function of unit 04.

    Returns
    -------
    SimpleNamespace
    """

    def cross_attention(X_decoder, memory, params, n_heads, memory_is_token):
        return multi_head_attention(X_decoder, memory, params, n_heads, functions.padding_mask(memory_is_token))

    return replaced(functions, multi_head_attention=multi_head_attention, cross_attention=cross_attention)


def without_head(model, attention, head):
    """Return a model in which one head is silent.

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


def rounded(model, bits, block=None):
    """Return a model whose matrices have been rounded.

    Parameters
    ----------
    model : Model
    bits : int
        At least 2: an entry of a matrix is one of 2**bits - 1 evenly spaced values, the largest as large as before.
        Vectors stay as they are.
    block : int, optional
        So many entries, side by side, have a scale of their own; the whole matrix has one when it is left out.

    Returns
    -------
    Model
    """

    def coarse(array):
        if array.ndim < 2:
            return array
        rows = array.reshape(-1, block or array.size)
        step = np.abs(rows).max(axis=1, keepdims=True) / (2 ** (bits - 1) - 1)
        step[step == 0] = 1
        return (np.round(rows / step) * step).reshape(array.shape).astype(array.dtype)

    return with_arrays(model, map(coarse, named_arrays(model).values()))


def shared_keys(model, n_groups):
    """Return a model whose heads share keys and values in groups: each group has the mean of its heads' matrices.

    Parameters
    ----------
    model : Model
    n_groups : int
        Divides the number of heads.

    Returns
    -------
    Model
    """

    def share(name, array):
        if not name.endswith((".W_K", ".W_V")):
            return array
        heads = array.reshape(len(array), n_groups, model.n_heads // n_groups, -1)
        mean = np.broadcast_to(heads.mean(axis=2, keepdims=True), heads.shape)
        return mean.reshape(array.shape).astype(array.dtype)

    return with_arrays(model, [share(name, array) for name, array in named_arrays(model).items()])


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
        sentences = waited_for(self.sentences, "collecting right translations, sentence")
        self._right = [corpus.translations(sentence.english) for sentence in sentences]
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
