"""The known mistakes of `word_pieces` with words that are unknown or empty."""

import unicodedata
from functools import cache

from autograder.specification import KnownMistakes
from transformer_kit import reference

NOTHING = "When nothing fits"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=NOTHING)
def takes_cuts_back(word, vocabulary, unknown="[UNK]"):
    """Where the rest cannot be cut, a shorter piece is tried instead.

    A cut is final here. That keeps it fast, and it is what BERT was trained with: the word is unknown.
    """

    @cache
    def first(start):
        if start == len(word):
            return ()
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary and (rest := first(end)) is not None:
                return piece, *rest
        return None

    found = first(0)
    return [unknown] if found is None else list(found)


@MISTAKES.add(where=NOTHING)
def unknown_rest(word, vocabulary, unknown="[UNK]"):
    """The pieces found so far are kept, and only the rest is unknown.

    A half-known word would look like a word of its own. The whole word is replaced by one mark.
    """
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        end = next((e for e in range(len(word), start, -1) if mark + word[start:e] in vocabulary), None)
        if end is None:
            return [*pieces, unknown]
        pieces.append(mark + word[start:end])
        start = end
    return pieces


@MISTAKES.add(where=NOTHING)
def unknown_letters(word, vocabulary, unknown="[UNK]"):
    """A letter without a piece becomes unknown, and cutting goes on after it.

    One mark stands for the whole word, however much of it could be cut.
    """
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        end = next((e for e in range(len(word), start, -1) if mark + word[start:e] in vocabulary), None)
        pieces.append(unknown if end is None else mark + word[start:end])
        start = end or start + 1
    return pieces


@MISTAKES.add(where=NOTHING)
def skips_letters(word, vocabulary, unknown="[UNK]"):
    """A letter without a piece is left out.

    Then two different words have the same pieces, and nobody notices that something was not understood.
    """
    pieces = unknown_letters(word, vocabulary, None)
    return [piece for piece in pieces if piece is not None]


@MISTAKES.add(where=NOTHING)
def stops_there(word, vocabulary, unknown="[UNK]"):
    """Where no piece fits, the pieces so far are returned.

    They are not the word. Where it cannot be cut to its end, the result is the mark for unknown words.
    """
    pieces = unknown_rest(word, vocabulary, None)
    return [piece for piece in pieces if piece is not None]


@MISTAKES.add(where=NOTHING)
def nothing_for_unknown(word, vocabulary, unknown="[UNK]"):
    """An unknown word has no pieces at all.

    Then it vanishes from the sentence. The mark says that something stood there.
    """
    pieces = reference.word_pieces(word, vocabulary, unknown)
    return [] if pieces == [unknown] else pieces


@MISTAKES.add(where=NOTHING)
def bare_unknown(word, vocabulary, unknown="[UNK]"):
    """For an unknown word a string is returned, not a list.

    The result is a list of pieces, here of one. Joined to other lists, a string would fall apart into its letters.
    """
    pieces = reference.word_pieces(word, vocabulary, unknown)
    return unknown if pieces == [unknown] else pieces


@MISTAKES.add(where=NOTHING)
def fixed_mark(word, vocabulary, unknown="[UNK]"):
    """The mark for unknown words is always [UNK].

    Another vocabulary has another mark, which is why `unknown` is an argument.
    """
    return reference.word_pieces(word, vocabulary)


@MISTAKES.add(where=NOTHING)
def empty_is_unknown(word, vocabulary, unknown="[UNK]"):
    """An empty word is taken for an unknown one.

    There is nothing to cut, so there are no pieces.
    """
    return reference.word_pieces(word, vocabulary, unknown) if word else [unknown]


@MISTAKES.add(where=NOTHING)
def long_words_unknown(word, vocabulary, unknown="[UNK]"):
    """Long words are unknown, whatever the vocabulary has.

    BERT's own program gives up beyond 100 letters; this function does not. A word is unknown where no piece fits.
    """
    return [unknown] if len(word) > 100 else reference.word_pieces(word, vocabulary, unknown)


@MISTAKES.add(where=NOTHING)
def accents_taken_off(word, vocabulary, unknown="[UNK]"):
    """Letters lose their accents.

    Some programs do that before they cut words. This function cuts a word as it is written, and "á" is not "a".
    """
    plain = "".join(sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign))
    return reference.word_pieces(plain, vocabulary, unknown)
