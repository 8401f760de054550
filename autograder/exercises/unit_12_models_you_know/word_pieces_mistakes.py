"""The known mistakes of `word_pieces` with which piece is next."""

from functools import cache

from autograder.exercises.edited import edited
from autograder.specification import KnownMistakes
from transformer_kit import reference

LONGEST = "The longest piece first"

MISTAKES = KnownMistakes()


def _cut(word, vocabulary, unknown, ends, mark="##"):
    """Cut a word; `ends(start)` says in which order the ends of a piece are tried."""
    pieces, start = [], 0
    while start < len(word):
        prefix = mark if start else ""
        end = next((end for end in ends(start) if prefix + word[start:end] in vocabulary), None)
        if end is None:
            return [unknown]
        pieces.append(prefix + word[start:end])
        start = end
    return pieces


def _from_the_long_end(word):
    return lambda start: range(len(word), start, -1)


@MISTAKES.add(where=LONGEST)
def shortest_first(word, vocabulary, unknown="[UNK]"):
    """The shortest piece that fits is taken.

    Then nearly every word falls apart into letters. Begin with the whole rest of the word, and shorten it.
    """
    return _cut(word, vocabulary, unknown, lambda start: range(start + 1, len(word) + 1))


@MISTAKES.add(where=LONGEST)
def grown(word, vocabulary, unknown="[UNK]"):
    """A piece is lengthened letter by letter, for as long as it stands in the vocabulary.

    A long piece may be there although its beginnings are not. Begin with the whole rest of the word, and shorten it.
    """
    pieces, start = [], 0
    while start < len(word):
        mark, end = "##" * (start > 0), start
        while end < len(word) and mark + word[start : end + 1] in vocabulary:
            end += 1
        if end == start:
            return [unknown]
        pieces.append(mark + word[start:end])
        start = end
    return pieces


@MISTAKES.add(where=LONGEST)
def no_marks(word, vocabulary, unknown="[UNK]"):
    """Inside the word, pieces are looked up without ##.

    The vocabulary tells apart what begins a word and what continues one: "able" and "##able" are two pieces.
    """
    return _cut(word, vocabulary, unknown, _from_the_long_end(word), mark="")


@MISTAKES.add(where=LONGEST)
def marks_not_returned(word, vocabulary, unknown="[UNK]"):
    """The pieces are returned without their ##.

    A piece of the result has to be found in the vocabulary, as it stands there.
    """
    return [piece.removeprefix("##") for piece in reference.word_pieces(word, vocabulary, unknown)]


@MISTAKES.add(where=LONGEST)
def mark_on_the_first(word, vocabulary, unknown="[UNK]"):
    """The first piece is looked up with ## too.

    The mark says that a piece continues a word. The first one begins it.
    """
    pieces = _cut(f" {word}", {**vocabulary, " ": 0}, unknown, lambda start: range(len(word) + 1, start, -1))
    return pieces[1:] if pieces != [unknown] else pieces


@MISTAKES.add(where=LONGEST)
def marks_wherever(word, vocabulary, unknown="[UNK]"):
    """Inside the word, a piece counts with or without ##.

    A piece without ## begins a word. Inside one it does not fit, however long it is.
    """
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            found = [
                mark + word[start:end] for mark in ("##", "")[start == 0 :] if mark + word[start:end] in vocabulary
            ]
            if found:
                pieces.append(found[0])
                start = end
                break
        else:
            return [unknown]
    return pieces


@MISTAKES.add(where=LONGEST)
def marks_behind(word, vocabulary, unknown="[UNK]"):
    """The ## is put after the first piece, not before those that follow.

    Before a piece it says that the piece continues a word: "un", "##able".
    """
    pieces = reference.word_pieces(word, vocabulary, unknown)
    bare = [piece.removeprefix("##") for piece in pieces]
    return [f"{piece}##" for piece in bare[:-1]] + bare[-1:]


@MISTAKES.add(where=LONGEST)
def from_the_right(word, vocabulary, unknown="[UNK]"):
    """The word is cut from the right.

    The longest ending may leave a beginning other than the longest one. Begin on the left.
    """
    pieces, end = [], len(word)
    while end:
        start = next((s for s in range(end) if ("##" if s else "") + word[s:end] in vocabulary), None)
        if start is None:
            return [unknown]
        pieces.insert(0, ("##" if start else "") + word[start:end])
        end = start
    return pieces


@MISTAKES.add(where=LONGEST)
def fewest_pieces(word, vocabulary, unknown="[UNK]"):
    """Of all ways to cut the word, the one with the fewest pieces is taken.

    That is another rule. The longest piece comes first, even where it makes the rest longer.
    """

    @cache
    def best(start):
        if start == len(word):
            return ()
        ways = []
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            rest = best(end) if piece in vocabulary else None
            if rest is not None:
                ways.append((piece, *rest))
        return min(ways, key=len, default=None)

    found = best(0)
    return [unknown] if found is None else list(found)


@MISTAKES.add(where=LONGEST)
def last_letter_alone(word, vocabulary, unknown="[UNK]"):
    """No piece reaches to the end of the word: the search begins one letter too early.

    The first piece to try is the whole rest, `word[start:len(word)]`.
    """
    return _cut(word, vocabulary, unknown, lambda start: range(max(len(word) - 1, start + 1), start, -1))


@MISTAKES.add(where=LONGEST)
def marks_counted(word, vocabulary, unknown="[UNK]"):
    """The ## counts as two letters of the word, which are skipped after the piece.

    The mark is written in front of a piece, but the word does not hold it. Go on where the piece ends in the word.
    """
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        end = next((e for e in range(len(word), start, -1) if mark + word[start:e] in vocabulary), None)
        if end is None:
            return [unknown]
        pieces.append(mark + word[start:end])
        start = end + len(mark)
    return pieces


@MISTAKES.add(where=LONGEST)
def two_letters_at_least(word, vocabulary, unknown="[UNK]"):
    """A piece of a single letter is never tried.

    A piece may be a single letter. Remember that a range stops before its end.
    """
    return _cut(word, vocabulary, unknown, lambda start: range(len(word), start + 1, -1))


@MISTAKES.add(where=LONGEST)
def whole_words_only(word, vocabulary, unknown="[UNK]"):
    """The word is looked up as a whole, and never cut.

    Then nearly every longer word is unknown. Where the whole is no piece, its longest beginning may be one.
    """
    return [word] if word in vocabulary else [unknown] if word else []


@MISTAKES.add(where=LONGEST)
def id_0_missing(word, vocabulary, unknown="[UNK]"):
    """The piece with id 0 is taken for a missing one.

    `if vocabulary.get(piece)` is false for 0. Ask whether the piece is in the vocabulary.
    """
    return reference.word_pieces(word, {piece: number for piece, number in vocabulary.items() if number}, unknown)


@MISTAKES.add(where=LONGEST)
def ids(word, vocabulary, unknown="[UNK]"):
    """The ids of the pieces are returned.

    The result is the pieces, as texts. The vocabulary turns them into ids later.
    """
    return [vocabulary.get(piece, piece) for piece in reference.word_pieces(word, vocabulary, unknown)]


@MISTAKES.add(where=LONGEST)
def joined(word, vocabulary, unknown="[UNK]"):
    """The pieces are joined into one text.

    The result is a list with one entry for each piece.
    """
    return " ".join(reference.word_pieces(word, vocabulary, unknown))


@MISTAKES.add(where=LONGEST)
def lower_case(word, vocabulary, unknown="[UNK]"):
    """The word is turned into lower case.

    Some vocabularies are in lower case, but this function cuts a word as it is written.
    """
    return reference.word_pieces(word.lower(), vocabulary, unknown)


@MISTAKES.add(where=LONGEST)
@edited(reference.word_pieces, {"pieces.append(mark + word[start:end])": 'pieces.append("##" + word[start:end])'})
def mark_returned_on_the_first():
    """The first piece is returned with ##, too.

    The mark says that a piece continues a word. The first one begins it, and stands in the vocabulary without a mark.
    """
