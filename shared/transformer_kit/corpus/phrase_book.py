"""A beginner's phrase book: sentences that people type, with right translations; nothing of it is trained on."""

from functools import cache
from pathlib import Path

from transformer_kit.corpus.tables import rows
from transformer_kit.corpus.text import normalise

FILE = Path(__file__).with_name("phrase_book.txt")


@cache
def phrase_book():
    """Return the phrase book.

    Returns
    -------
    dict from tuple of str to frozenset of str
        English words, as in `Sentence.english`, and all translations that were written down for them, as
        `comparable` writes them.
    """
    entries = [(english, spanish.split(" / ")) for english, spanish in rows(FILE.read_text(encoding="utf-8"))]
    return {tuple(normalise(english).split()): frozenset(map(comparable, ways)) for english, ways in entries}


def comparable(spanish):
    """Write a Spanish sentence without commas and in lower case, so that two ways of writing it are the same."""
    return spanish.replace(",", "").lower()
