"""Specification of `translate`."""

import numpy as np

from autograder.exercises.unit_09_transformer import calls, translate_logits_mistakes, translate_mistakes
from autograder.exercises.unit_09_transformer.inputs import sentences, small_model, trained
from autograder.exercises.unit_09_transformer.translate_logits_mistakes import (
    maximum_of_all_rows,
    raw_logits,
)
from autograder.exercises.unit_09_transformer.translate_mistakes import worst_of_the_beam
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.corpus import english_text
from transformer_kit.corpus.vocabulary import SPECIAL

BEAM = {"beam_width": 3, "alpha": 2.0}  # a penalty so strong that it matters
CONSONANTS = list("bcdfghjklmnpqrstvwxz")

EXERCISE = Exercise(
    reference=reference.translate,
    asks="the Spanish translation of an English sentence, by greedy search or with a beam.",
    returns=(Output("translation"),),
    where=translate_mistakes.DECODING,
    calls=calls.TRANSLATE,
    mistakes=[*translate_mistakes.MISTAKES, *translate_logits_mistakes.MISTAKES],
    may_go_wrong_inside=False,
)


def _greedily(sentence, model, **_):
    return reference.translate(sentence, model)


def _other_words(rng):
    """Return the trained model with its table of Spanish words in another order.

    It says what no grammar knows: who wants to know its words has to run it.
    """
    rows = trained().target_embedding
    order = [*range(len(SPECIAL)), *rng.permutation(np.arange(len(SPECIAL), len(rows)))]
    return trained()._replace(target_embedding=rows[order])


def _all_differ(text, rivals, sentence, model, options):
    texts = {text}
    for rival in rivals:
        other = rival(sentence, model, **options)
        if other in texts:
            return False
        texts.add(other)
    return True


def _varied(rng, *rivals, scale=1, **options):
    """Draw a small model and a sentence whose translation has several words; rivals make something else of it each.

    The logits are multiplied by `scale`.
    """
    while True:
        model = small_model(rng, n_layers=1, tied=False)
        model = model._replace(output_projection=scale * model.output_projection)
        sentence = " ".join(rng.choice(list("abcdefghi"), 5))
        text = reference.translate(sentence, model, **options)
        if len(set(text.lower().split())) > 1 and _all_differ(text, rivals, sentence, model, options):
            return sentence, model


@EXERCISE.claim(2.5)
def greedy(call, rng):
    """greedy: translates sentences as the trained model does"""
    for sentence in sentences(rng, 5):
        call.agrees(english_text(sentence.english), trained())
    call.agrees(english_text(sentence.english), _other_words(rng))


@EXERCISE.claim(1)
def small(call, rng):
    """greedy: says what small random models say"""
    for _ in range(2):
        call.agrees(*_varied(rng))


@EXERCISE.claim(0.5)
def longest(call, rng):
    """writes at most model.max_len tokens"""
    sentence = english_text(sentences(rng, 1)[0].english)
    for model, max_len in zip((trained(), _other_words(rng)), rng.permutation([2, 3, 4]), strict=False):
        call.agrees(sentence, model._replace(max_len=int(max_len)))


def _likes(sentence):
    """Return whether a beam finds a likelier translation than greedy search: "they" has two genders in Spanish."""
    return sentence.english[0] == "they" and sentence.english[1] in ("like", "love")


@EXERCISE.claim(1.5)
def beam(call, rng):
    """with a beam: finds the likelier translation"""
    for sentence, width in zip(sentences(rng, 2, _likes), (2, 4), strict=True):
        call.agrees(english_text(sentence.english), trained(), width)
    call.agrees(*_varied(rng, _greedily, beam_width=3), beam_width=3)


def _without_penalty(sentence, model, beam_width, **_):
    return reference.translate(sentence, model, beam_width)


@EXERCISE.claim(1)
def alpha(call, rng):
    """the length penalty alpha reaches the beam search"""
    call.agrees(*_varied(rng, worst_of_the_beam, raw_logits, _greedily, **BEAM), **BEAM)  # these look alike at times
    call.agrees(*_varied(rng, _without_penalty, **BEAM), **BEAM)


def _denies(sentence):
    """Return whether there is something to contract."""
    return ("do", "not") in zip(sentence.english, sentence.english[1:], strict=False)


@EXERCISE.claim(1)
def spelling(call, rng):
    """takes sentences as people type them"""
    negated, other = sentences(rng, 1, _denies)[0], sentences(rng, 1)[0]
    call.agrees(english_text(negated.english).replace(" do not", " don't").rstrip("."), trained())
    call.agrees(f"  {english_text(other.english).upper()} ", _other_words(rng))


@EXERCISE.claim(1, side=True)
def refuses(call, rng):
    """refuses an unknown word, a sentence that is too long, and one without words"""
    known = english_text(sentences(rng, 1)[0].english)
    unknown = "".join(rng.choice(CONSONANTS, 7))
    n_words = trained().longest_source + int(rng.integers(1, 9))
    call.refuses(f"I like {unknown}.", trained(), mentions=(unknown,))
    call.refuses(f"I like {'big ' * (n_words - 4)}cats.", trained(), mentions=(n_words,))
    for empty in ("", "  ..."):
        call.refuses(empty, trained(), mentions=())
    call.agrees(known, _other_words(rng))


@EXERCISE.claim(0.5)
def large_logits(call, rng):
    """logits in the thousands do no harm"""
    call.agrees(*_varied(rng, maximum_of_all_rows, scale=1000, beam_width=3), beam_width=3)
