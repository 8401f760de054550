"""Specification of `encode`."""

import numpy as np

from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_00_tokens_and_shapes.encode_mistakes import MISTAKES, RULES
from autograder.specification import Exercise, Output
from transformer_kit import reference

WORDS = ("i", "like", "cats", "write", "a", "poem", "tea", "rain", "you")
UNKNOWN_WORDS = ("dragons", "seven", "jazz", "volcano")

EXERCISE = Exercise(
    reference=reference.encode,
    asks="the id of every word of the text, in order, as an array of integers.",
    returns=(Output("token_ids", "(n,)"),),
    where=RULES,
    mistakes=MISTAKES,
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
