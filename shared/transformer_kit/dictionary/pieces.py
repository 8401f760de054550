"""Byte-pair encoding: words in pieces that are learned from how often they occur (Sennrich, Haddow and Birch 2016).

The smallest pieces are the 256 bytes, so any text has an encoding. A text is cut into chunks first, and no piece
reaches over the end of a chunk: letters with the space before them, or one other mark.
"""

from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise

from transformer_kit.corpus.vocabulary import BOS, EOS, SPECIAL

KINDS = ("noun", "verb", "adjective", "adverb")
FIRST_BYTE = len(SPECIAL) + len(KINDS)  # the id of byte 0
FIRST_MERGE = FIRST_BYTE + 256


def chunks(text):
    """Cut a text into chunks.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of str
        They make up the text: ``" a tree, tall"`` is cut into ``" a"``, ``" tree"``, ``","``, ``" tall"``.
    """
    found = [""]
    for mark in text:
        if mark.isalpha() and (found[-1] == " " or found[-1][-1:].isalpha()):
            found[-1] += mark
        else:
            found.append(mark)
    return [chunk for chunk in found if chunk]


def learn_merges(texts, count):
    """Join the pair of neighbouring pieces that occurs most often to a new piece, again and again.

    Parameters
    ----------
    texts : iterable of str
    count : int
        How many pairs are joined.

    Returns
    -------
    list of (int, int)
        The first makes the piece `FIRST_MERGE`. Among pairs that are equally frequent the smallest comes first.
    """
    numbers = Counter(chunk for text in texts for chunk in chunks(text))
    words = [(_byte_ids(chunk), number) for chunk, number in sorted(numbers.items())]
    frequency, places = Counter(), defaultdict(set)
    for i, (ids, number) in enumerate(words):
        _count(ids, number, i, frequency, places)
    merges = []
    for new in range(FIRST_MERGE, FIRST_MERGE + count):
        most = max(frequency.values())
        pair = min(pair for pair, number in frequency.items() if number == most)
        merges.append(pair)
        for i in places.pop(pair):
            ids, number = words[i]
            _count(ids, -number, i, frequency, places)
            words[i] = joined(ids, pair, new), number
            _count(words[i][0], number, i, frequency, places)
        del frequency[pair]
    return merges


def _byte_ids(text):
    return [FIRST_BYTE + byte for byte in text.encode()]


def _count(ids, number, i, frequency, places):
    """Add the pairs of a word to the counts, or with a negative number take them away."""
    for pair in pairwise(ids):
        frequency[pair] += number
        places[pair].add(i)  # a word that has lost its pair is looked at in vain, and nothing happens


def joined(ids, pair, new):
    """Put a new piece in the place of every pair, from the left.

    Parameters
    ----------
    ids : list of int
    pair : tuple of (int, int)
    new : int

    Returns
    -------
    list of int
    """
    result = []
    for piece in ids:
        if result and (result[-1], piece) == pair:
            result[-1] = new
        else:
            result.append(piece)
    return result


class Pieces:
    """Encodes and decodes texts.

    Parameters
    ----------
    merges : sequence of (int, int)
        From `learn_merges`.

    Attributes
    ----------
    merges : list of (int, int)
    contents : list of bytes
        What every id stands for; nothing for those up to `FIRST_BYTE`.
    """

    def __init__(self, merges):
        self.merges = [tuple(pair) for pair in merges]
        self._ids = {pair: FIRST_MERGE + i for i, pair in enumerate(self.merges)}
        self.contents = [b""] * FIRST_BYTE + [bytes([byte]) for byte in range(256)]
        for left, right in self.merges:
            self.contents.append(self.contents[left] + self.contents[right])
        self._chunk_ids = cache(self._chunk_ids)

    def __len__(self):
        return len(self.contents)

    def encode(self, text):
        """Return the ids of a text.

        Parameters
        ----------
        text : str

        Returns
        -------
        list of int
        """
        return [piece for chunk in chunks(text) for piece in self._chunk_ids(chunk)]

    def _chunk_ids(self, chunk):
        """Join pairs in the order in which they were learned."""
        ids = _byte_ids(chunk)
        while known := self._ids.keys() & set(pairwise(ids)):
            pair = min(known, key=self._ids.get)
            ids = joined(ids, pair, self._ids[pair])
        return ids

    def decode(self, ids):
        """Return the text of some ids; bytes that are no character of UTF-8 become "�".

        Parameters
        ----------
        ids : iterable of int

        Returns
        -------
        str
        """
        return b"".join(self.contents[int(i)] for i in ids).decode(errors="replace")


def prompt_ids(word, kind, pieces):
    """Return what a definition of a word continues: "<bos>", the pieces of the word, and its kind.

    Parameters
    ----------
    word, kind : str
    pieces : Pieces

    Returns
    -------
    list of int
    """
    return [BOS, *pieces.encode(f" {word}"), len(SPECIAL) + KINDS.index(kind)]


def definition_ids(definition, pieces):
    """Return the ids of a definition; the last is "<eos>".

    Parameters
    ----------
    definition : str
    pieces : Pieces

    Returns
    -------
    list of int
    """
    return [*pieces.encode(f" {definition}"), EOS]
