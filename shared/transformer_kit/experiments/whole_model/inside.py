"""What unit 11 tries out: the gender of articles, and the states of a model between its layers."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from transformer_kit import corpus
from transformer_kit.corpus.text import spanish_text
from transformer_kit.corpus.vocabulary import BOS, ids_of
from transformer_kit.dictionary.definitions import states
from transformer_kit.experiments.whole_model.one_sentence import watched

SENTENCE = "the {} is big ."
NOUN = 1  # its place in the sentence
ARTICLES = ("el", "la")


class Articles(NamedTuple):
    """Sentences whose translation begins with an article, which has to agree with a noun that is not written yet.

    Attributes
    ----------
    nouns : list of str
        English; in "the ... is big ." each gives a sentence.
    source_ids : ndarray of shape (n_nouns, n_source), int
    is_token : ndarray of shape (n_nouns, n_source), bool
    right, wrong : ndarray of shape (n_nouns,), int
        The ids of the article of the noun's gender and of the other one.
    partners : ndarray of shape (n_nouns,), int
        For every noun the number of one that has the other gender.
    """

    nouns: list
    source_ids: np.ndarray
    is_token: np.ndarray
    right: np.ndarray
    wrong: np.ndarray
    partners: np.ndarray

    def logits(self, memory, model, decode_target):
        """Return the logits of the first Spanish word, of shape (n_nouns, V)."""
        start = np.full((len(self.nouns), 1), BOS)
        return decode_target(start, memory, self.is_token, model)[:, 0]

    def number_right(self, memory, model, decode_target):
        """Return how many sentences get the right article as their likeliest first word."""
        return int((self.logits(memory, model, decode_target).argmax(axis=-1) == self.right).sum())

    def number_turned(self, memory, model, decode_target):
        """Return how many sentences get the article of the other gender."""
        return int((self.logits(memory, model, decode_target).argmax(axis=-1) == self.wrong).sum())

    def exchanged(self, memory, place):
        """Return a memory in which the vectors at one place come from sentences with a noun of the other gender."""
        changed = memory.copy()
        changed[:, place] = memory[self.partners, place]
        return changed


def articles(model):
    """Collect all nouns of a model's vocabulary that the grammar allows in the sentence.

    Parameters
    ----------
    model : Model

    Returns
    -------
    Articles
    """
    found = {}
    for word in model.source_vocabulary:
        first = [spanish[0] for spanish in corpus.translations(SENTENCE.format(word).split())]
        if first and first[0] in ARTICLES:
            found[word] = ARTICLES.index(first[0])
    genders = np.array(list(found.values()))
    source_ids = np.array([ids_of(SENTENCE.format(noun).split(), model.source_vocabulary) for noun in found])
    article_ids = np.array([model.target_words.index(article) for article in ARTICLES])
    partners = np.empty(len(genders), dtype=int)
    for gender in (0, 1):
        own, other = np.flatnonzero(genders == gender), np.flatnonzero(genders != gender)
        partners[own] = np.resize(other, len(own))
    is_token = np.ones(source_ids.shape, dtype=bool)
    return Articles(list(found), source_ids, is_token, article_ids[genders], article_ids[1 - genders], partners)


def states_by_layer(token_ids, model, functions):
    """Run a text through a stack of layers, and keep the vectors on the way.

    Parameters
    ----------
    token_ids : ndarray of shape (n,), int
    model, functions
        As in `states`.

    Returns
    -------
    ndarray of shape (n_layers + 1, n, d_model)
        The first entry is the input of the first layer.
    """
    return np.stack(list(states(token_ids, model, functions)))


def spelled(ids, model, most=9):
    """Write pieces of a dictionary side by side; a dot stands for what is no word.

    Parameters
    ----------
    ids : sequence of int
    model : Dictionary
    most : int
        How many to write.

    Returns
    -------
    str
    """
    pieces = [model.pieces.decode([int(i)]).strip() for i in ids[:most]]
    return " ".join(f"{piece if piece.isalnum() else '·':<8}" for piece in pieces)


def translations_without(sentence, model, functions):
    """Translate a sentence with every set of heads of the last cross-attention silent.

    Parameters
    ----------
    sentence : str
    model : Model
    functions : object
        Has the functions that `trace` calls as attributes, and `without_heads`.

    Returns
    -------
    dict from tuple of int to str
        By the numbers of the silent heads; () has the translation of the whole model.
    """
    last, found = model.decoder[-1], {}
    for count in range(model.n_heads + 1):
        for heads in combinations(range(model.n_heads), count):
            attention = functions.without_heads(last.cross_attention, model.n_heads, heads)
            changed = model._replace(decoder=(*model.decoder[:-1], last._replace(cross_attention=attention)))
            found[heads] = spanish_text(watched(sentence, changed, functions).written[:-1])
    return found
