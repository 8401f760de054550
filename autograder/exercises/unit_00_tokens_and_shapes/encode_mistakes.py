"""The known mistakes of `encode`."""

import re

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 0.1: encode"
RULES = "Words in, ids out"

MISTAKES = KnownMistakes()


def _ids(values):
    return np.array(list(values), dtype=np.int64)


@MISTAKES.add(where=RULES)
def unknown_dropped(text, vocabulary):
    """Words that are not in the vocabulary are left out.

    A text of n words must give n ids. If one is dropped, all later words move to another place.
    """
    return _ids(vocabulary[word] for word in text.lower().split() if word in vocabulary)


@MISTAKES.add(where=RULES)
def unknown_key_error(text, vocabulary):
    """A word that is not in the vocabulary stops the function.

    Square brackets insist that the word is there. People write words that no list has foreseen; for those the
    vocabulary holds `<unk>`.
    """
    return _ids(vocabulary[word] for word in text.lower().split())


@MISTAKES.add(where=RULES)
def unknown_is_its_name(text, vocabulary):
    """A word that is not in the vocabulary becomes the text `<unk>`.

    What is wanted is its id: look `<unk>` up as well.
    """
    return np.array([vocabulary.get(word, "<unk>") for word in text.lower().split()], dtype=np.int64)


@MISTAKES.add(where=RULES)
def unknown_is_none(text, vocabulary):
    """A word that is not in the vocabulary becomes None.

    `get` with one argument returns None, and None is no id. It takes a second argument: what to return when the word is
    missing.
    """
    ids = [vocabulary.get(word) for word in text.lower().split()]
    return np.array(ids) if ids else _ids(ids)


@MISTAKES.add(where=RULES)
def unknown_is_zero(text, vocabulary):
    """A word that is not in the vocabulary gets the id 0.

    Which id stands for unknown words is written in the vocabulary, under `<unk>`. It need not be 0.
    """
    return _ids(vocabulary.get(word, 0) for word in text.lower().split())


@MISTAKES.add(where=RULES)
def unknown_is_minus_one(text, vocabulary):
    """A word that is not in the vocabulary gets the id -1.

    As an index, -1 means the last row, so such a word would get the vector of another word, without any warning. The
    vocabulary has an id for unknown words.
    """
    return _ids(vocabulary.get(word, -1) for word in text.lower().split())


@MISTAKES.add(where=RULES)
def unknown_added(text, vocabulary):
    """Unknown words are added to the vocabulary.

    The table of word vectors has no row for a new id. The vocabulary is fixed before a model is trained.
    """
    return _ids(vocabulary.setdefault(word, len(vocabulary)) for word in text.lower().split())


@MISTAKES.add(where=RULES)
def noted_as_unknown(text, vocabulary):
    """Unknown words are written into the vocabulary, with the id of `<unk>`.

    The ids are right, but the dictionary belongs to the caller, who now finds words in it that no table knows. `get`
    looks up without writing.
    """
    return _ids(vocabulary.setdefault(word, vocabulary["<unk>"]) for word in text.lower().split())


@MISTAKES.add(where=RULES)
def zero_taken_for_missing(text, vocabulary):
    """A word whose id is 0 counts as unknown.

    `or` and `if` treat 0 like nothing at all, but 0 is an id like any other. Ask whether the *word* is in the
    vocabulary.
    """
    return _ids(vocabulary.get(word) or vocabulary["<unk>"] for word in text.lower().split())


@MISTAKES.add(where=RULES)
def punctuation_removed(text, vocabulary):
    """Punctuation marks are cut off the words.

    A word is everything between two pieces of white space. With its comma, `cats,` is a different word from `cats`.
    Other rules are possible, but then the vocabulary would have to follow them, too.
    """
    return reference.encode(re.sub(r"[^\w\s]", " ", text), vocabulary)


@MISTAKES.add(where=RULES)
def spaces_only(text, vocabulary):
    """Only spaces separate words.

    So do tabs and new lines. Look up what `split` does when it is called without an argument.
    """
    words = (word for word in text.lower().split(" ") if word)
    return _ids(vocabulary.get(word, vocabulary["<unk>"]) for word in words)


@MISTAKES.add(where=SECTION)
def first_word_only(text, vocabulary):
    """Only the first word gets an id.

    A `return` inside the loop ends the function in the first round. It belongs after the loop.
    """
    return reference.encode(text, vocabulary)[:1]


@MISTAKES.add(where=RULES)
def shifted(text, vocabulary):
    """Every id is one too large.

    The vocabulary already says which id belongs to which word. There is nothing to add.
    """
    return reference.encode(text, vocabulary) + 1


@MISTAKES.add(where=RULES)
def renumbered(text, vocabulary):
    """A word gets its place in the vocabulary, not its id.

    The ids are the values of the dictionary. Often they happen to count the words, but they need not.
    """
    words = list(vocabulary)
    return _ids(words.index(word if word in words else "<unk>") for word in text.lower().split())


@MISTAKES.add(where=RULES)
def case_kept(text, vocabulary):
    """Words with capital letters are not found.

    The vocabulary is in lower case, so `Cats` must become `cats` before it is looked up.
    """
    return _ids(vocabulary.get(word, vocabulary["<unk>"]) for word in text.split())


@MISTAKES.add(where=RULES)
def single_spaces(text, vocabulary):
    """The text is cut at every single space.

    Two spaces in a row then enclose an empty word, and at a tab or a new line nothing is cut. Look up what `split` does
    when it is called without an argument.
    """
    return _ids(vocabulary.get(word, vocabulary["<unk>"]) for word in text.lower().split(" "))


@MISTAKES.add(where=RULES)
def characters(text, vocabulary):
    """Every character is looked up, not every word.

    A loop over a string visits its characters. Cut the text into words first.
    """
    return _ids(vocabulary.get(character, vocabulary["<unk>"]) for character in text.lower())


@MISTAKES.add(where=SECTION)
def each_word_once(text, vocabulary):
    """A word that comes twice is listed once.

    A text is a sequence: what comes twice must be in it twice.
    """
    return reference.encode(" ".join(dict.fromkeys(text.lower().split())), vocabulary)


@MISTAKES.add(where=SECTION)
def floats(text, vocabulary):
    """The ids are floating-point numbers.

    Ids will be used as indices, and NumPy accepts only integers there.
    """
    return reference.encode(text, vocabulary).astype(float)


@MISTAKES.add(where=SECTION)
def empty_is_float(text, vocabulary):
    """The empty array has floating-point numbers.

    From an empty list NumPy cannot guess what would have been in it, and it assumes floats. Tell it the `dtype`.
    """
    return np.array([vocabulary.get(word, vocabulary["<unk>"]) for word in text.lower().split()])


@MISTAKES.add(where=SECTION, id="list")
def listed(text, vocabulary):
    """A list is returned, not an array.

    The functions that follow index with these ids and ask for their shape. Turn the list into an array.
    """
    return [vocabulary.get(word, vocabulary["<unk>"]) for word in text.lower().split()]


@MISTAKES.add(where=RULES)
def ascii_only(text, vocabulary):
    """Letters with accents are left out.

    "él" and "l" are two words. Nothing but white space is taken from a text.
    """
    return reference.encode(text.encode("ascii", "ignore").decode(), vocabulary)


@MISTAKES.add(where=RULES)
def unknown_makes_texts(text, vocabulary):
    """A word that is not in the vocabulary becomes the text `<unk>`, and NumPy turns all the ids into texts.

    What is wanted is its id: look `<unk>` up as well.
    """
    ids = [vocabulary.get(word, "<unk>") for word in text.lower().split()]
    return np.array(ids) if ids else _ids(ids)
