"""Specification of `encode`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from autograder.exercises.inputs import table_of
from transformer_kit import reference

WORDS = ("i", "like", "cats", "write", "a", "poem", "tea", "rain", "you")
UNKNOWN_WORDS = ("dragons", "seven", "jazz", "volcano")


def _vocabulary(rng):
    """Give every word an id; neither the order of the words nor 0 means anything."""
    ids = rng.permutation(np.arange(2, 60))
    words = ["<unk>", *WORDS]
    return {words[place]: int(ids[place]) for place in rng.permutation(len(words))}


def _some(rng, words, n):
    return [str(word) for word in rng.choice(words, n, replace=False)]


def _known(call, rng):
    call.agrees("i like cats", {"i": 101, "like": 200, "cats": 300, "<unk>": 100})  # by hand
    words = _some(rng, WORDS, 5)
    call.agrees(" ".join([*words, words[1]]), _vocabulary(rng))


def _spelling(call, rng):
    one, two, three = _some(rng, WORDS, 3)
    call.agrees(f"{one.upper()} {two.capitalize()} {three}", _vocabulary(rng))
    call.agrees(f"  {one}  {two}\t{three}\n{one} ", _vocabulary(rng))


def _unknown(call, rng):
    (one, two), (new, newer) = _some(rng, WORDS, 2), _some(rng, UNKNOWN_WORDS, 2)
    call.agrees(f"{one} {new} {two} {newer} {new}", _vocabulary(rng))


def _empty(call, rng):
    table_of(call, (3,), " ".join(_some(rng, WORDS, 3)), _vocabulary(rng))
    call.agrees("", _vocabulary(rng))
    call.agrees(" \n", _vocabulary(rng))


def _ids(values):
    return np.array(list(values), dtype=np.int64)


def _looked_up(default):
    """Make the encoder that gives unknown words the id `default(vocabulary)`."""
    return lambda text, vocabulary: _ids(vocabulary.get(w, default(vocabulary)) for w in text.lower().split())


def _dropped(text, vocabulary):
    return _ids(vocabulary[word] for word in text.lower().split() if word in vocabulary)


def _key_error(text, vocabulary):
    return _ids(vocabulary[word] for word in text.lower().split())


def _none(text, vocabulary):
    ids = [vocabulary.get(word) for word in text.lower().split()]
    return np.array(ids) if ids else _ids(ids)


def _added(text, vocabulary):
    return _ids(vocabulary.setdefault(word, len(vocabulary)) for word in text.lower().split())


def _shifted(text, vocabulary):
    return reference.encode(text, vocabulary) + 1


def _renumbered(text, vocabulary):
    words = list(vocabulary)
    return _ids(words.index(word if word in words else "<unk>") for word in text.lower().split())


def _case_kept(text, vocabulary):
    return _ids(vocabulary.get(word, vocabulary["<unk>"]) for word in text.split())


def _single_spaces(text, vocabulary):
    return _ids(vocabulary.get(word, vocabulary["<unk>"]) for word in text.lower().split(" "))


def _characters(text, vocabulary):
    return _ids(vocabulary.get(character, vocabulary["<unk>"]) for character in text.lower())


def _each_once(text, vocabulary):
    return reference.encode(" ".join(dict.fromkeys(text.lower().split())), vocabulary)


def _empty_is_float(text, vocabulary):
    return np.array([vocabulary.get(word, vocabulary["<unk>"]) for word in text.lower().split()])


def _floats(text, vocabulary):
    return reference.encode(text, vocabulary).astype(float)


def _list(text, vocabulary):
    return [vocabulary.get(word, vocabulary["<unk>"]) for word in text.lower().split()]


SECTION = "Exercise 0.1: encode"
RULES = "Words in, ids out"

EXERCISE = Exercise(
    reference=reference.encode,
    asks="the id of every word of the text, in order, as an array of integers.",
    returns=(Returned("token_ids", "(n,)"),),
    where=RULES,
    claims=(
        Claim("turns every word into its id, in the order of the text", 0.5, _known),
        Claim("capital letters and the amount of white space make no difference", 0.5, _spelling),
        Claim("an unknown word gets the id of `<unk>`", 0.5, _unknown),
        Claim("an empty text gives an empty array of integers", 0.5, _empty),
    ),
    mistakes=(
        Mistake(
            "unknown-dropped",
            "Words that are not in the vocabulary are left out",
            _dropped,
            "A text of n words must give n ids. Whoever drops a word also moves all later words to another place.",
            RULES,
        ),
        Mistake(
            "unknown-key-error",
            "A word that is not in the vocabulary stops the function",
            _key_error,
            "Square brackets insist that the word is there. People write words that no list has foreseen; for those "
            "the vocabulary holds `<unk>`.",
            RULES,
        ),
        Mistake(
            "unknown-is-none",
            "A word that is not in the vocabulary becomes None",
            _none,
            "`get` with one argument answers None, and None is no id. It takes a second argument: what to answer "
            "when the word is missing.",
            RULES,
        ),
        Mistake(
            "unknown-is-zero",
            "A word that is not in the vocabulary gets the id 0",
            _looked_up(lambda vocabulary: 0),
            "Which id stands for unknown words is written in the vocabulary, under `<unk>`. It need not be 0.",
            RULES,
        ),
        Mistake(
            "unknown-is-minus-one",
            "A word that is not in the vocabulary gets the id -1",
            _looked_up(lambda vocabulary: -1),
            "As an index, -1 means the last row, so such a word would silently get the vector of another word. The "
            "vocabulary has an id for unknown words.",
            RULES,
        ),
        Mistake(
            "unknown-added",
            "Unknown words are added to the vocabulary",
            _added,
            "The table of word vectors has no row for a new id. The vocabulary is fixed before a model is trained.",
            RULES,
        ),
        Mistake(
            "shifted",
            "Every id is one too large",
            _shifted,
            "The vocabulary already says which id belongs to which word. There is nothing to add.",
            RULES,
        ),
        Mistake(
            "renumbered",
            "A word gets its place in the vocabulary, not its id",
            _renumbered,
            "The ids are the values of the dictionary. Often they happen to count the words, but they need not.",
            RULES,
        ),
        Mistake(
            "case-kept",
            "Words with capital letters are not found",
            _case_kept,
            "The vocabulary holds words in small letters, so `Cats` must become `cats` before it is looked up.",
            RULES,
        ),
        Mistake(
            "single-spaces",
            "The text is cut at every single space",
            _single_spaces,
            "Two spaces in a row then enclose an empty word, and a tab or a new line is no cut at all. Look up what "
            "`split` does when it is called without an argument.",
            RULES,
        ),
        Mistake(
            "characters",
            "Every character is looked up, not every word",
            _characters,
            "A loop over a string visits its characters. Cut the text into words first.",
            RULES,
        ),
        Mistake(
            "each-word-once",
            "A word that comes twice is listed once",
            _each_once,
            "A text is a sequence: what comes twice must be in it twice.",
            SECTION,
        ),
        Mistake(
            "floats",
            "The ids are floating-point numbers",
            _floats,
            "Ids will be used as indices, and NumPy accepts only integers there.",
            SECTION,
        ),
        Mistake(
            "empty-is-float",
            "The empty array has floating-point numbers",
            _empty_is_float,
            "From an empty list NumPy cannot guess what would have been in it, and it assumes floats. Tell it the "
            "`dtype`.",
            SECTION,
        ),
        Mistake(
            "list",
            "A list is returned, not an array",
            _list,
            "The functions that come next index with these ids and ask for their shape. Turn the list into an array.",
            SECTION,
        ),
    ),
)
