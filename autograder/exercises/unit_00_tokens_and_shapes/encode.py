"""Specification of `encode`."""

import re

import numpy as np

from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_00_tokens_and_shapes import lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

WORDS = ("i", "like", "cats", "write", "a", "poem", "tea", "rain", "you")
UNKNOWN_WORDS = ("dragons", "seven", "jazz", "volcano")
RULES = "Words in, ids out"

EXERCISE = Exercise(
    reference=reference.encode,
    asks="the id of every word of the text, in order, as an array of integers.",
    returns=(Output("token_ids", "(n,)"),),
    where=RULES,
    lookalike=lookalikes.ENCODE,
)


def _vocabulary(rng):
    """Give every word an id; neither the order of the words nor 0 means anything."""
    ids = rng.permutation(np.arange(2, 60))
    words = ["<unk>", *WORDS]
    return {words[place]: int(ids[place]) for place in rng.permutation(len(words))}


def _with_0(rng, word):
    """Give every word an id, and this one the id 0."""
    return {**_vocabulary(rng), word: 0}


def _some(rng, words, n):
    return [str(word) for word in rng.choice(words, n, replace=False)]


@EXERCISE.claim(0.5)
def known(call, rng):
    """turns every word into its id, in the order of the text"""
    call.agrees("i like cats", {"i": 101, "like": 200, "cats": 300, "<unk>": 100})  # by hand
    words = _some(rng, WORDS, 5)
    call.agrees(" ".join([*words, words[1]]), _vocabulary(rng))
    call.agrees(" ".join(words), _with_0(rng, words[2]))
    call.agrees(" ".join(words * 50), _vocabulary(rng))
    call.agrees(words[3], _vocabulary(rng))  # a single word


@EXERCISE.claim(0.5)
def spelling(call, rng):
    """capital letters and the amount of white space make no difference"""
    one, two, three = _some(rng, WORDS, 3)
    call.agrees(f"{one.upper()} {two.capitalize()} {three}", _vocabulary(rng))
    call.agrees(f"  {one}  {two}\t{three}\n{one} ", _vocabulary(rng))


@EXERCISE.claim(0.5)
def unknown(call, rng):
    """an unknown word gets the id of `<unk>`, and the vocabulary stays as it is"""
    (one, two), (new, newer) = _some(rng, WORDS, 2), _some(rng, UNKNOWN_WORDS, 2)
    text = f"{one} {new} {two} {newer} {new}"
    call.agrees(text, _vocabulary(rng))
    call.agrees(f"{one} {two}, {two}-{one}. {two}!", _vocabulary(rng))  # nothing but white space separates words
    call.agrees(f"{one}'{two} é{two} {one}ñ '{two}'", _vocabulary(rng))  # nor is a letter or a mark left out
    call.leaves_inputs_alone(text, _vocabulary(rng))


@EXERCISE.claim(0.5, side=True)
def empty(call, rng):
    """an empty text gives an empty array of integers"""
    call.agrees(" ".join(_some(rng, WORDS, 3)), _vocabulary(rng))
    agrees_here(call, "", _vocabulary(rng))
    agrees_here(call, " \n", _vocabulary(rng))


wrong = WrongAnswers(EXERCISE, globals())


def _ids(values):
    return np.array(list(values), dtype=np.int64)


wrong("unknown-dropped", "_ids(vocabulary[word] for word in text.lower().split() if word in vocabulary)", """
    Words that are not in the vocabulary are left out.
    A text of n words must give n ids. If one is dropped, all later words move to another place.""")

wrong("unknown-key-error", "_ids(vocabulary[word] for word in text.lower().split())", """
    A word that is not in the vocabulary stops the function.
    Square brackets insist that the word is there. People write words that no list has foreseen; for those the
    vocabulary holds `<unk>`.""")

wrong("unknown-is-its-name", {", unknown": ', "<unk>"'}, """
    A word that is not in the vocabulary becomes the text `<unk>`.
    What is wanted is its id: look `<unk>` up as well.""")


@wrong.function
def unknown_is_none(text, vocabulary):
    """A word that is not in the vocabulary becomes None.
    `get` with one argument returns None, and None is no id. It takes a second argument: what to return when the word is
    missing."""
    ids = [vocabulary.get(word) for word in text.lower().split()]
    return np.array(ids) if ids else _ids(ids)


wrong("unknown-is-zero", "_ids(vocabulary.get(word, 0) for word in text.lower().split())", """
    A word that is not in the vocabulary gets the id 0.
    Which id stands for unknown words is written in the vocabulary, under `<unk>`. It need not be 0.""")

wrong("unknown-is-minus-one", "_ids(vocabulary.get(word, -1) for word in text.lower().split())", """
    A word that is not in the vocabulary gets the id -1.
    As an index, -1 means the last row, so such a word would get the vector of another word, without any warning. The
    vocabulary has an id for unknown words.""")

wrong("unknown-added", "_ids(vocabulary.setdefault(word, len(vocabulary)) for word in text.lower().split())", """
    Unknown words are added to the vocabulary.
    The table of word vectors has no row for a new id. The vocabulary is fixed before a model is trained.""")

wrong("noted-as-unknown", '_ids(vocabulary.setdefault(word, vocabulary["<unk>"]) for word in text.lower().split())', """
    Unknown words are written into the vocabulary, with the id of `<unk>`.
    The ids are right, but the dictionary belongs to the caller, who now finds words in it that no table knows. `get`
    looks up without writing.""")

wrong("zero-taken-for-missing",
      '_ids(vocabulary.get(word) or vocabulary["<unk>"] for word in text.lower().split())', """
    A word whose id is 0 counts as unknown.
    `or` and `if` treat 0 like nothing at all, but 0 is an id like any other. Ask whether the *word* is in the
    vocabulary.""")


@wrong.function
def punctuation_removed(text, vocabulary):
    """Punctuation marks are cut off the words.
    A word is everything between two pieces of white space. With its comma, `cats,` is a different word from `cats`.
    Other rules are possible, but then the vocabulary would have to follow them, too."""
    return reference.encode(re.sub(r"[^\w\s]", " ", text), vocabulary)


@wrong.function
def spaces_only(text, vocabulary):
    """Only spaces separate words.
    So do tabs and new lines. Look up what `split` does when it is called without an argument."""
    words = (word for word in text.lower().split(" ") if word)
    return _ids(vocabulary.get(word, vocabulary["<unk>"]) for word in words)


wrong.at()
wrong("first-word-only", "encode(text, vocabulary)[:1]", """
    Only the first word gets an id.
    A `return` inside the loop ends the function in the first round. It belongs after the loop.""")

wrong.at(RULES)
wrong("shifted", "encode(text, vocabulary) + 1", """
    Every id is one too large.
    The vocabulary already says which id belongs to which word. There is nothing to add.""")


@wrong.function
def renumbered(text, vocabulary):
    """A word gets its place in the vocabulary, not its id.
    The ids are the values of the dictionary. Often they happen to count the words, but they need not."""
    words = list(vocabulary)
    return _ids(words.index(word if word in words else "<unk>") for word in text.lower().split())


wrong("case-kept", '_ids(vocabulary.get(word, vocabulary["<unk>"]) for word in text.split())', """
    Words with capital letters are not found.
    The vocabulary is in lower case, so `Cats` must become `cats` before it is looked up.""")

wrong("single-spaces", '_ids(vocabulary.get(word, vocabulary["<unk>"]) for word in text.lower().split(" "))', """
    The text is cut at every single space.
    Two spaces in a row then enclose an empty word, and at a tab or a new line nothing is cut. Look up what `split` does
    when it is called without an argument.""")

wrong("characters", '_ids(vocabulary.get(character, vocabulary["<unk>"]) for character in text.lower())', """
    Every character is looked up, not every word.
    A loop over a string visits its characters. Cut the text into words first.""")

wrong.at()
wrong("each-word-once", 'encode(" ".join(dict.fromkeys(text.lower().split())), vocabulary)', """
    A word that comes twice is listed once.
    A text is a sequence: what comes twice must be in it twice.""")

wrong("floats", "encode(text, vocabulary).astype(float)", """
    The ids are floating-point numbers.
    Ids will be used as indices, and NumPy accepts only integers there.""")

wrong("empty-is-float", {", dtype=np.int64": ""}, """
    The empty array has floating-point numbers.
    From an empty list NumPy cannot guess what would have been in it, and it assumes floats. Tell it the `dtype`.""")

wrong("list", '[vocabulary.get(word, vocabulary["<unk>"]) for word in text.lower().split()]', """
    A list is returned, not an array.
    The functions that follow index with these ids and ask for their shape. Turn the list into an array.""")

wrong.at(RULES)
wrong("ascii-only", 'encode(text.encode("ascii", "ignore").decode(), vocabulary)', """
    Letters with accents are left out.
    "él" and "l" are two words. Nothing but white space is taken from a text.""")


@wrong.function
def unknown_makes_texts(text, vocabulary):
    """A word that is not in the vocabulary becomes the text `<unk>`, and NumPy turns all the ids into texts.
    What is wanted is its id: look `<unk>` up as well."""
    ids = [vocabulary.get(word, "<unk>") for word in text.lower().split()]
    return np.array(ids) if ids else _ids(ids)
