"""Words that have no place in a classroom's dictionary.

Entries with any of them are left out of the data, and what the model writes is searched for them. The list is
stricter than that of a dictionary for adults would be: it costs little to lose an entry such as "virgin forest", and a
model that mixes the words for peoples and beliefs at random would sooner or later say something hurtful.
"""

from functools import cache

from transformer_kit.content import content

STEMS = tuple(content("dictionary/unfit.txt").decode("ascii").split())
"""Beginnings of words, or of several words in a row; "_" is the end of a word."""

PHRASES = tuple(f"_{stem}" for stem in STEMS if "_" in stem[:-1])


def is_unfit(text):
    """Return whether a word of a text begins like one of `STEMS`.

    Parameters
    ----------
    text : str

    Returns
    -------
    bool
    """
    words = "".join(letter if letter.isalpha() else " " for letter in text.lower()).split()
    joined = "_".join(["", *words, ""])
    return any(map(_begins_unfit, words)) or any(phrase in joined for phrase in PHRASES)


@cache
def _begins_unfit(word):
    return f"{word}_".startswith(STEMS)
