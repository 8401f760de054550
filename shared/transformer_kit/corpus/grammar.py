"""The grammar: every sentence it says in English, with its Spanish translations and their probabilities.

`sentence` is a program that tells the same thing in both languages and asks a `Choices` for every decision. It is run
with random decisions to draw sentences, and in all possible ways to find the translations of a given one.
"""

import random
from typing import NamedTuple

from transformer_kit.corpus import being, questions, statements
from transformer_kit.corpus.choices import DeadEndError, Draw, all_ways
from transformer_kit.corpus.morphology import contract

FORMS = {
    statements.doing: 34,
    statements.liking: 16,
    being.describing: 15,
    being.naming: 2,
    being.locating: 6,
    being.existing: 4,
    being.feeling: 3,
    being.profession: 3,
    being.relation: 2,
    being.pointing: 3,
    questions.what: 4,
    questions.where_or_when: 3,
    questions.where_is: 3,
    questions.why: 2,
    questions.who_does: 3,
    questions.who_is: 1,
    questions.how_many: 2,
}
# English words one of which a form needs; the others can be said with almost any.
NEEDED = {
    statements.liking: ("like", "likes", "love", "loves"),
    being.existing: ("there",),
    being.pointing: ("this", "that", "these", "those"),
    questions.what: ("what",),
    questions.where_or_when: ("where", "when"),
    questions.where_is: ("where", "how"),
    questions.why: ("why",),
    questions.who_does: ("who",),
    questions.who_is: ("who",),
    questions.how_many: ("how",),
}
_BE = (being.describing, being.locating, being.feeling, being.profession, being.relation)
NEEDED |= dict.fromkeys(_BE, ("am", "is", "are"))


class Sentence(NamedTuple):
    """An English sentence and one of its translations.

    Attributes
    ----------
    english, spanish : tuple of str
        Words, punctuation marks among them.
    links : tuple of (str, str)
        Pairs of English words that stand in relation: verb and object, adjective and noun.
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
    form = g.pick(FORMS, english=NEEDED.get)
    english, spanish = form(g)
    return english, contract(spanish)


def draws(seed, words=None):
    """Draw sentences without end, always the same ones for the same seed.

    Parameters
    ----------
    seed : int
    words : set of str, optional
        The English words and marks that may be said; all when left out.

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
        grammar does not say.
    """
    found = {}
    for spanish, probability in all_ways(sentence, tuple(english)):
        found[spanish] = found.get(spanish, 0.0) + probability
    total = sum(found.values())
    return {spanish: found[spanish] / total for spanish in sorted(found, key=found.get, reverse=True)}
