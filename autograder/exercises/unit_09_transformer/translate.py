"""Specification of `translate`."""

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_09_transformer.inputs import sentences, small_model, trained
from autograder.exercises.unit_09_transformer.translate_mistakes import (
    DECODING,
    MISTAKES,
    raw_logits,
    worst_of_beam,
)
from transformer_kit import reference
from transformer_kit.corpus import english_text

BEAM = {"beam_width": 3, "alpha": 2.0}  # a penalty so strong that it matters
CONSONANTS = list("bcdfghjklmnpqrstvwxz")


def _likes(sentence):
    """Tell whether a beam finds a likelier translation than greedy search: "they" has two genders in Spanish."""
    return sentence.english[0] == "they" and sentence.english[1] in ("like", "love")


def _denies(sentence):
    """Tell whether there is something to contract."""
    return ("do", "not") in zip(sentence.english, sentence.english[1:], strict=False)


def _greedily(sentence, model, **_):
    return reference.translate(sentence, model)


def _without_penalty(sentence, model, beam_width, **_):
    return reference.translate(sentence, model, beam_width)


def _varied(rng, *rivals, **options):
    """Draw a small model and a sentence whose translation has several words; rivals make something else of it each."""
    while True:
        model = small_model(rng, n_layers=1, tied=False)
        sentence = " ".join(rng.choice(list("abcdefghi"), 5))
        text = reference.translate(sentence, model, **options)
        if len(set(text.lower().split())) > 1 and _all_differ(text, rivals, sentence, model, options):
            return sentence, model


def _all_differ(text, rivals, sentence, model, options):
    texts = {text}
    for rival in rivals:
        other = rival(sentence, model, **options)
        if other in texts:
            return False
        texts.add(other)
    return True


def _greedy(call, rng):
    for sentence in sentences(rng, 5):
        call.agrees(english_text(sentence.english), trained())


def _small(call, rng):
    for _ in range(2):
        call.agrees(*_varied(rng))


def _longest(call, rng):
    sentence = english_text(sentences(rng, 1)[0].english)
    for max_len in rng.permutation([2, 3, 4])[:2]:
        call.agrees(sentence, trained()._replace(max_len=int(max_len)))


def _beam(call, rng):
    for sentence in sentences(rng, 2, _likes):
        call.agrees(english_text(sentence.english), trained(), 2)
    call.agrees(*_varied(rng, _greedily, beam_width=3), beam_width=3)


def _alpha(call, rng):
    call.agrees(*_varied(rng, worst_of_beam, raw_logits, _greedily, **BEAM), **BEAM)  # these look alike at times
    call.agrees(*_varied(rng, _without_penalty, **BEAM), **BEAM)


def _spelling(call, rng):
    negated, other = sentences(rng, 1, _denies)[0], sentences(rng, 1)[0]
    call.agrees(english_text(negated.english).replace(" do not", " don't").rstrip("."), trained())
    call.agrees(f"  {english_text(other.english).upper()} ", trained())


def _refuses(call, rng):
    known = english_text(sentences(rng, 1)[0].english)
    unknown = "".join(rng.choice(CONSONANTS, 7))
    n_words = trained().longest_source + int(rng.integers(1, 9))
    call.agrees(known, trained())
    call.refuses(f"I like {unknown}.", trained(), mentions=(unknown,))
    call.refuses(f"I like {'big ' * (n_words - 4)}cats.", trained(), mentions=(n_words,))
    for empty in ("", "  ..."):
        call.refuses(empty, trained(), mentions=())


EXERCISE = Exercise(
    reference=reference.translate,
    asks="the Spanish translation of an English sentence, by greedy search or with a beam.",
    returns=(Returned("translation"),),
    where=DECODING,
    claims=(
        Claim("greedy: translates sentences as the trained model does", 2, _greedy),
        Claim("greedy: says what small random models say", 1, _small),
        Claim("writes at most model.max_len tokens", 0.5, _longest),
        Claim("with a beam: finds the likelier translation", 1.5, _beam),
        Claim("the length penalty alpha reaches the beam search", 1, _alpha),
        Claim("takes sentences as people type them", 1, _spelling),
        Claim("refuses an unknown word, a sentence that is too long, and one without words", 1, _refuses),
    ),
    mistakes=MISTAKES,
)
