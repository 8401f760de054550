"""The grammar: all its sentences in English, with their Spanish translations and the probabilities of these.

`sentence` is a program that says the same thing in both languages and asks a `Choices` for every decision. It is run
with random decisions to draw sentences, and with all possible ones to find the translations of a given sentence.
"""

import random
from typing import NamedTuple

from transformer_kit.corpus.choices import DeadEndError, Draw, derivations
from transformer_kit.corpus.forms import NEEDED, WEIGHTS
from transformer_kit.corpus.morphology import contract


class Sentence(NamedTuple):
    """An English sentence and one of its translations.

    Attributes
    ----------
    english, spanish : tuple of str
        Words, punctuation marks among them.
    links : tuple of (str, str)
        Pairs of related English words: verb and object, adjective and noun.
    """

    english: tuple
    spanish: tuple
    links: tuple


def sentence(g):
    """Say one sentence in both languages.

    Parameters
    ----------
    g : Choices

    Returns
    -------
    english, spanish : tuple of str
    """
    form = g.pick(WEIGHTS, english=NEEDED.get)
    english, spanish = form(g)
    return english, contract(spanish)


def draws(seed, words=None):
    """Draw sentences forever, always the same ones for the same seed.

    Parameters
    ----------
    seed : int
    words : set of str, optional
        The English words and marks that may be used; all when left out.

    Yields
    ------
    Sentence
    """
    rng = random.Random(seed)
    while True:
        g = Draw(rng, words)
        try:
            english, spanish = sentence(g)
        except DeadEndError:
            continue
        if words is None or words.issuperset(english):
            yield Sentence(english, spanish, tuple(g.links))


def translations(english):
    """Find all translations of an English sentence.

    Parameters
    ----------
    english : sequence of str
        Words, as in `Sentence.english`.

    Returns
    -------
    dict from tuple of str to float
        The translations with their probabilities in the grammar, the likeliest first; empty for a sentence that the
        grammar does not generate.
    """
    found = {}
    for spanish, probability in derivations(sentence, tuple(english)):
        found[spanish] = found.get(spanish, 0.0) + probability
    total = sum(found.values())
    return {spanish: found[spanish] / total for spanish in sorted(found, key=found.get, reverse=True)}
