"""Which sentences a model may learn from, and which are held out.

Some pairs of words, such as "like" and "cat" or "red" and "car", are held out. No sentence with both words of such a
pair, in whatever roles, is ever shown in training; in a held-out sentence the two words are related. So to translate a
held-out sentence correctly is to translate a combination that was never seen.
"""

import zlib
from functools import cache
from itertools import islice, product

from transformer_kit.corpus.adjectives import ADJECTIVES
from transformer_kit.corpus.grammar import draws
from transformer_kit.corpus.phrase_book import phrase_book
from transformer_kit.corpus.phrases import adjectives_of, nouns_of
from transformer_kit.corpus.statements import LIKED, VERBS
from transformer_kit.corpus.verbs import INTRANSITIVE
from transformer_kit.corpus.words import NOUNS

SEED = 2017
ONE_IN = 16  # of the pairs of words that can be related, one in this many is held out
CHOSEN = frozenset({("like", "cat"), ("black", "cat"), ("eat", "apple"), ("red", "car")})
SPLITS = ("training", "development", "new", "held-out")


def related_pairs():
    """Return all pairs of English words that can be related: adjective and noun, verb and object.

    Returns
    -------
    set of (str, str)
    """
    described = {(adjective.english, noun.english) for noun in NOUNS for adjective in adjectives_of(noun.kind)}
    liked = set(product(("like", "love"), (noun.english for noun in LIKED)))
    with_objects = [verb for verb in VERBS if verb not in INTRANSITIVE]
    done = {(verb.english[0], noun.english) for verb in with_objects for noun in nouns_of(verb.kinds)}
    return described | liked | done


@cache
def held_out_pairs():
    """Return the pairs of words that are never seen together in training.

    Returns
    -------
    frozenset of (str, str)
    """
    return CHOSEN | {pair for pair in related_pairs() if _number(pair) % ONE_IN == 0}


def _number(words):
    """Return a number that depends on nothing but the words."""
    return zlib.crc32(" ".join(words).encode())


@cache
def _base_forms():
    """Map every form of a noun, verb or adjective to its base form: cats to cat, likes to like."""
    forms = {form: noun.english for noun in NOUNS for form in noun.forms}
    forms |= {form: verb.english[0] for verb in VERBS for form in verb.forms}
    forms |= {"like": "like", "likes": "like", "love": "love", "loves": "love"}
    return forms | {adjective.english: adjective.english for adjective in ADJECTIVES}


def has_held_out_pair(english):
    """Return whether a sentence contains both words of a held-out pair, in whatever form and role.

    Parameters
    ----------
    english : sequence of str

    Returns
    -------
    bool
    """
    words = {_base_forms()[word] for word in english if word in _base_forms()}
    return any(pair in held_out_pairs() for pair in product(words, words))


def split_of(sentence):
    """Return the split that a sentence belongs to.

    Parameters
    ----------
    sentence : Sentence

    Returns
    -------
    str or None
        "held-out" if the words of a held-out pair are related in it; None if they merely both occur, and for a
        sentence of the phrase book. Otherwise
        "new" or "development" for one in forty each, by a number made of its words, and "training" for all others.
    """
    if sentence.english in phrase_book():
        return None
    if has_held_out_pair(sentence.english):
        return "held-out" if held_out_pairs() & set(sentence.links) else None
    return {0: "new", 1: "development"}.get(_number(sentence.english) % 40, "training")


def load(split, count, words=None):
    """Return the first sentences of a split, always the same ones.

    Parameters
    ----------
    split : str
        One of `SPLITS`.
    count : int
    words : set of str, optional
        The English words and marks that may occur, such as `SMALL_WORDS`; all when left out.

    Returns
    -------
    list of Sentence
        Training sentences as they are drawn, so that common ones come several times, with different translations; in
        the other splits every English sentence comes once.

    Raises
    ------
    ValueError
        If there is no such split.
    """
    if split not in SPLITS:
        raise ValueError(f"split must be one of {', '.join(SPLITS)}; got {split!r}")
    fitting = (sentence for sentence in draws(SEED, words) if split_of(sentence) == split)
    if split == "training":
        return list(islice(fitting, count))
    found = {}
    while len(found) < count:
        sentence = next(fitting)
        found.setdefault(sentence.english, sentence)
    return list(found.values())
