"""Specification of `word_pieces`."""

from autograder.exercises.unit_12_models_you_know import calls, word_pieces_mistakes, word_pieces_unknown_mistakes
from autograder.exercises.unit_12_models_you_know.inputs import numbered, words_of
from autograder.specification import Exercise, Output
from transformer_kit import reference

LETTERS = "abcd"

EXERCISE = Exercise(
    reference=reference.word_pieces,
    asks="the pieces of the vocabulary that make up the word, each as long as possible.",
    returns=(Output("pieces"),),
    where=word_pieces_mistakes.LONGEST,
    calls=calls.WORD_PIECES,
    mistakes=[*word_pieces_mistakes.MISTAKES, *word_pieces_unknown_mistakes.MISTAKES],
)


def _pieces_of(rng, word, lengths=(2, 3, 4), share=0.6):
    """Draw a part of all pieces that a word could be cut into, and take every single letter."""
    parts = [word[i : i + length] for length in lengths for i in range(len(word) - length + 1)]
    some = [mark + part for part in parts for mark in ("", "##") if rng.random() < share and part != word]
    return [*some, *(mark + letter for letter in LETTERS for mark in ("", "##"))]


@EXERCISE.claim(1)
def longest_first(call, rng):
    """takes the longest piece that fits, from the left, with ## inside the word"""
    call.agrees("unaffable", {"un": 3, "u": 1, "##aff": 2, "##able": 0, "##a": 4, "affable": 5})  # by hand
    for word in words_of(rng, LETTERS, 5, 7, 8, 9, 11, 12):
        call.agrees(word, numbered(rng, _pieces_of(rng, word)))


@EXERCISE.claim(0.5)
def whole_words(call, rng):
    """a word of the vocabulary is a piece by itself, and so is a word of one letter"""
    for word in words_of(rng, LETTERS, 4, 6, 9):
        call.agrees(word, numbered(rng, [*_pieces_of(rng, word), word, f"##{word}"]))
    long, longer = words_of(rng, LETTERS, 14, 120)
    call.agrees(long, numbered(rng, [*_pieces_of(rng, long, (2, 13)), long[:13]]))
    call.agrees(longer, numbered(rng, _pieces_of(rng, longer)))
    (letter,) = words_of(rng, LETTERS, 1)
    call.agrees(letter, numbered(rng, _pieces_of(rng, letter)))


@EXERCISE.claim(1)
def unknown_words(call, rng):
    """a word for which some place has no piece is unknown as a whole"""
    for word in words_of(rng, LETTERS, 5, 7, 8):
        vocabulary = numbered(rng, _pieces_of(rng, word))
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
    word, other = words_of(rng, LETTERS, 6, 7)
    vocabulary = numbered(rng, _pieces_of(rng, word))
    call.agrees(f"{word}x", vocabulary, "<unk>")
    call.agrees(other, vocabulary, unknown="<?>")
    call.agrees("", vocabulary)
    call.leaves_inputs_alone(word, vocabulary)
    call.agrees(word, vocabulary)
