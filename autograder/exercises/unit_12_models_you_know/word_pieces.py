"""Specification of `word_pieces`."""

import unicodedata
from functools import cache

from autograder.exercises.inputs import telling
from autograder.exercises.unit_12_models_you_know import calls, lookalikes
from autograder.exercises.unit_12_models_you_know.inputs import numbered, words_of
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

LETTERS = "abcd"
LONGEST = "The longest piece first"
NOTHING = "When nothing fits"

EXERCISE = Exercise(
    reference=reference.word_pieces,
    asks="the pieces of the vocabulary that make up the word, each as long as possible.",
    returns=(Output("pieces"),),
    where=LONGEST,
    calls=calls.WORD_PIECES,
    lookalike=lookalikes.WORD_PIECES,
)


def _pieces_of(rng, word, lengths=(2, 3, 4), share=0.6):
    """Draw a part of all pieces that a word could be cut into, and take every single letter."""
    parts = [word[i : i + length] for length in lengths for i in range(len(word) - length + 1)]
    some = [mark + part for part in parts for mark in ("", "##") if rng.random() < share and part != word]
    return [*some, *(mark + letter for letter in LETTERS for mark in ("", "##"))]


def _word(rng, length):
    """Draw a word and a vocabulary that has pieces for it."""
    (word,) = words_of(rng, LETTERS, length)
    return word, numbered(rng, _pieces_of(rng, word))


@EXERCISE.claim(1)
def longest_first(call, rng):
    """takes the longest piece that fits, from the left, with ## inside the word"""
    call.agrees("unaffable", {"un": 3, "u": 1, "##aff": 2, "##able": 0, "##a": 4, "affable": 5})  # by hand
    for length in (5, 7, 8, 9, 11):
        call.agrees(*_word(rng, length))
    call.agrees(*telling(EXERCISE, lambda: _word(rng, 12), "fewest-pieces"))


@EXERCISE.claim(0.5)
def whole_words(call, rng):
    """a word of the vocabulary is a piece by itself, and so is a word of one letter"""
    for word in words_of(rng, LETTERS, 4, 6, 9):
        call.agrees(word, numbered(rng, [*_pieces_of(rng, word), word, f"##{word}"], zero=word))
    (long,) = words_of(rng, LETTERS, 14)
    call.agrees(long, numbered(rng, [*_pieces_of(rng, long, (2, 13)), long[:13]]))
    call.agrees(*telling(EXERCISE, lambda: _word(rng, 120), "marks-wherever", alike=["fewest-pieces"]))
    call.agrees(*_word(rng, 1))


@EXERCISE.claim(1)
def unknown_words(call, rng):
    """a word for which some place has no piece is unknown as a whole"""
    shown = "grown", "last-letter-alone", "two-letters-at-least"
    for length in (5, 7, 8):
        word, vocabulary = telling(EXERCISE, lambda n=length: _word(rng, n), *shown)
        place = int(rng.integers(1, len(word)))
        call.agrees(word[:place] + "x" + word[place:], vocabulary)
        call.agrees("x" + word, vocabulary)
        call.agrees(word + "x", vocabulary)
        call.agrees(word, vocabulary)
        for other in (word.capitalize(), word.replace(word[1], "á"), f"{word}.", f"{word[:2]}#{word[2:]}"):
            call.agrees(other, vocabulary)  # every sign counts as it is written
    for a, b, c in (rng.permutation(list(LETTERS))[:3].tolist() for _ in range(2)):
        call.agrees(a + b + c, numbered(rng, [a + b, a, f"##{b}{c}", f"##{a}", c]))  # the longest piece leads nowhere
        call.agrees(a + b + c, numbered(rng, [a + b, b, c, f"##{a}"]))  # the rest begins words only


@EXERCISE.claim(0.5)
def other_marks(call, rng):
    """uses the mark for unknown words that it is given; an empty word has no pieces; the vocabulary stays"""
    shown, never = ("grown", "last-letter-alone", "from-the-right"), ("fewest-pieces", "marks-wherever")
    word, vocabulary = telling(EXERCISE, lambda: _word(rng, 6), *shown, alike=never)
    other, _ = telling(EXERCISE, lambda: (*words_of(rng, LETTERS, 7), vocabulary), alike=never)
    call.agrees(f"{word}x", vocabulary, "<unk>")
    call.agrees(other, vocabulary, unknown="<?>")
    call.agrees("", vocabulary)
    call.leaves_inputs_alone(word, vocabulary)
    call.agrees(word, vocabulary)


wrong = WrongAnswers(EXERCISE, globals())

wrong("shortest-first", {"range(len(word), start, -1)": "range(start + 1, len(word) + 1)"}, """
    The shortest piece that fits is taken.
    Then nearly every word falls apart into letters. Begin with the whole rest of the word, and shorten it.""")


@wrong.function
def grown(word, vocabulary, unknown="[UNK]"):
    """A piece is lengthened letter by letter, for as long as it stands in the vocabulary.
    A long piece may be there although its beginnings are not. Begin with the whole rest of the word, and shorten it."""
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


wrong("no-marks", {'"##" if start else ""': '""'}, """
    Inside the word, pieces are looked up without ##.
    The vocabulary tells apart what begins a word and what continues one: "able" and "##able" are two pieces.""")

wrong("marks-not-returned", '[piece.removeprefix("##") for piece in word_pieces(word, vocabulary, unknown)]', """
    The pieces are returned without their ##.
    A piece of the result has to be found in the vocabulary, as it stands there.""")

wrong("mark-on-the-first", {'mark = "##" if start else ""': 'mark = "##"'}, """
    The first piece is looked up with ## too.
    The mark says that a piece continues a word. The first one begins it.""")

wrong("marks-wherever", {
    "in vocabulary)": "in vocabulary or word[start:end] in vocabulary)",
    "        pieces.append":
        "        if mark + word[start:end] not in vocabulary:\n            mark = ''\n        pieces.append",
}, """
    Inside the word, a piece counts with or without ##.
    A piece without ## begins a word. Inside one it does not fit, however long it is.""")


@wrong.function
def marks_behind(word, vocabulary, unknown="[UNK]"):
    """The ## is put after the first piece, not before those that follow.
    Before a piece it says that the piece continues a word: "un", "##able"."""
    pieces = reference.word_pieces(word, vocabulary, unknown)
    bare = [piece.removeprefix("##") for piece in pieces]
    return [f"{piece}##" for piece in bare[:-1]] + bare[-1:]


@wrong.function
def from_the_right(word, vocabulary, unknown="[UNK]"):
    """The word is cut from the right.
    The longest ending may leave a beginning other than the longest one. Begin on the left."""
    pieces, end = [], len(word)
    while end:
        start = next((s for s in range(end) if ("##" if s else "") + word[s:end] in vocabulary), None)
        if start is None:
            return [unknown]
        pieces.insert(0, ("##" if start else "") + word[start:end])
        end = start
    return pieces


@wrong.function
def fewest_pieces(word, vocabulary, unknown="[UNK]"):
    """Of all ways to cut the word, the one with the fewest pieces is taken.
    That is another rule. The longest piece comes first, even where it makes the rest longer."""

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


wrong("last-letter-alone", {"range(len(word), start, -1)": "range(max(len(word) - 1, start + 1), start, -1)"}, """
    No piece reaches to the end of the word: the search begins one letter too early.
    The first piece to try is the whole rest, `word[start:len(word)]`.""")

wrong("marks-counted", {"start = end": "start = end + len(mark)"}, """
    The ## counts as two letters of the word, which are skipped after the piece.
    The mark is written in front of a piece, but the word does not hold it. Go on where the piece ends in the word.""")

wrong("two-letters-at-least", {"range(len(word), start, -1)": "range(len(word), start + 1, -1)"}, """
    A piece of a single letter is never tried.
    A piece may be a single letter. Remember that a range stops before its end.""")

wrong("whole-words-only", "[word] if word in vocabulary else [unknown] if word else []", """
    The word is looked up as a whole, and never cut.
    Then nearly every longer word is unknown. Where the whole is no piece, its longest beginning may be one.""")

wrong("id-0-missing",
      "word_pieces(word, {piece: number for piece, number in vocabulary.items() if number}, unknown)", """
    The piece with id 0 is taken for a missing one.
    `if vocabulary.get(piece)` is false for 0. Ask whether the piece is in the vocabulary.""")

wrong("ids", "[vocabulary.get(piece, piece) for piece in word_pieces(word, vocabulary, unknown)]", """
    The ids of the pieces are returned.
    The result is the pieces, as texts. The vocabulary turns them into ids later.""")

wrong("joined", '" ".join(word_pieces(word, vocabulary, unknown))', """
    The pieces are joined into one text.
    The result is a list with one entry for each piece.""")

wrong("lower-case", "word_pieces(word.lower(), vocabulary, unknown)", """
    The word is turned into lower case.
    Some vocabularies are in lower case, but this function cuts a word as it is written.""")

wrong("mark-returned-on-the-first",
      {"pieces.append(mark + word[start:end])": 'pieces.append("##" + word[start:end])'}, """
    The first piece is returned with ##, too.
    The mark says that a piece continues a word. The first one begins it, and stands in the vocabulary without a
    mark.""")

wrong.at(NOTHING)


@wrong.function
def takes_cuts_back(word, vocabulary, unknown="[UNK]"):
    """Where the rest cannot be cut, a shorter piece is tried instead.
    A cut is final here. That keeps it fast, and it is what BERT was trained with: the word is unknown."""

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


wrong("unknown-rest", {"return [unknown]": "return [*pieces, unknown]"}, """
    The pieces found so far are kept, and only the rest is unknown.
    A half-known word would look like a word of its own. The whole word is replaced by one mark.""")

GO_ON = "start += 1\n            continue"

wrong("unknown-letters", {"return [unknown]": f"pieces.append(unknown)\n            {GO_ON}"}, """
    A letter without a piece becomes unknown, and cutting goes on after it.
    One mark stands for the whole word, however much of it could be cut.""")

wrong("skips-letters", {"return [unknown]": GO_ON}, """
    A letter without a piece is left out.
    Then two different words have the same pieces, and nothing shows that a word was not understood.""")

wrong("stops-there", {"return [unknown]": "return pieces"}, """
    Where no piece fits, the pieces so far are returned.
    They are not the word. Where it cannot be cut to its end, the result is the mark for unknown words.""")

wrong("nothing-for-unknown", {"return [unknown]": "return []"}, """
    An unknown word has no pieces at all.
    Then it vanishes from the sentence. The mark says that something stood there.""")

wrong("bare-unknown", {"return [unknown]": "return unknown"}, """
    For an unknown word a string is returned, not a list.
    The result is a list of pieces, here of one. Joined to other lists, a string would fall apart into its letters.""")

wrong("fixed-mark", "word_pieces(word, vocabulary)", """
    The mark for unknown words is always [UNK].
    Another vocabulary has another mark, which is why `unknown` is an argument.""")

wrong("empty-is-unknown", "word_pieces(word, vocabulary, unknown) if word else [unknown]", """
    An empty word is taken for an unknown one.
    There is nothing to cut, so there are no pieces.""")

wrong("long-words-unknown", "[unknown] if len(word) > 100 else word_pieces(word, vocabulary, unknown)", """
    Long words are unknown, whatever the vocabulary has.
    BERT's own program gives up beyond 100 letters; this function does not. A word is unknown where no piece fits.""")


@wrong.function
def accents_taken_off(word, vocabulary, unknown="[UNK]"):
    """Letters lose their accents.
    Some programs do that before they cut words. This function cuts a word as it is written, and "á" is not "a"."""
    plain = "".join(sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign))
    return reference.word_pieces(plain, vocabulary, unknown)
