"""What is kept from training, and text in and out of the grammar."""

import re
from itertools import islice, product

import pytest

from transformer_kit import corpus
from transformer_kit.corpus.splits import related_pairs, split_of
from transformer_kit.corpus.verbs import TOWARDS, TRANSITIVE
from transformer_kit.corpus.words import NOUNS


def test_no_training_sentence_has_a_held_out_pair():
    """Found here without the grammar's help: by the written words."""
    forms = {noun.english: set(noun.forms) for noun in NOUNS}
    for verb in (*TRANSITIVE, *TOWARDS):
        forms.setdefault(verb.english[0], set()).update(verb.forms)
    forms |= {"like": {"like", "likes"}, "love": {"love", "loves"}}
    pairs = [(forms.get(a, {a}) | {a}, forms[b]) for a, b in corpus.held_out_pairs()]
    for one in corpus.load("training", 8000):
        words = set(one.english)
        assert not any(first & words and second & words for first, second in pairs), one


def test_splits_share_no_sentence():
    splits = {
        name: {one.english for one in corpus.load(name, 150)} for name in ("training", "development", "new", "held-out")
    }
    for a, b in product(splits, splits):
        assert a == b or not splits[a] & splits[b]
    assert {len(english) for name, english in splits.items() if name != "training"} == {150}


def test_held_out_sentences_relate_a_held_out_pair():
    for one in corpus.load("held-out", 300):
        assert corpus.has_held_out_pair(one.english)
        assert set(one.links) & corpus.held_out_pairs()
    assert {("like", "cat"), ("red", "car"), ("eat", "apple")} <= corpus.held_out_pairs() <= related_pairs()
    by_text = {corpus.english_text(one.english): split_of(one) for one in corpus.load("held-out", 300)}
    assert set(by_text.values()) == {"held-out"}


def test_sentences_with_incidental_held_out_pairs_are_excluded():
    """The cat likes milk: "like" and "cat", but nobody likes a cat."""
    merely = [
        one for one in islice(corpus.draws(1), 8000) if corpus.has_held_out_pair(one.english) and split_of(one) is None
    ]
    assert merely
    assert all(not set(one.links) & corpus.held_out_pairs() for one in merely)


@pytest.mark.exhaustive
def test_a_part_of_the_grammar():
    """It uses its words only, and all of them, and the splits are the same."""
    words = corpus.SMALL_WORDS
    sentences = corpus.load("training", 3000, words)
    assert set().union(*(one.english for one in sentences)) == words
    assert len({one.spanish for one in sentences}) > 2000
    assert {split_of(one) for one in corpus.load("held-out", 50, words)} == {"held-out"}
    assert not any(corpus.has_held_out_pair(one.english) for one in sentences)
    assert all(one.spanish in corpus.translations(one.english) for one in sentences[:100])


def test_an_unknown_split_is_refused():
    with pytest.raises(ValueError, match="training, development, new, held-out; got 'test'"):
        corpus.load("test", 3)


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("I like cats", "i like cats ."),
        ("  I   LIKE cats!!  ", "i like cats ."),
        ("I don't like cats.", "i do not like cats ."),
        ("She isn\u2019t tired", "she is not tired ."),
        ("Where's Ana's cat?", "where is ana 's cat ?"),
        ("is the cat black", "is the cat black ?"),
        ("María can't swim...", "maria can not swim ."),
        ("I'm hungry, Carlos' cat", "i am hungry carlos 's cat ."),
        ("the \"red\" car", "the red car ."),
        ("They're tired. We're not?!", "they are tired . we are not ?"),
        ("", ""),
        (" . ", ""),
        ("<unk>", "unk ."),
    ],
)  # fmt: skip
def test_normalising(typed, normal):
    assert corpus.normalise(typed) == normal


def test_text_and_words_and_back():
    for one in islice(corpus.draws(1), 2000):
        text = corpus.english_text(one.english)
        assert tuple(corpus.normalise(text).split()) == one.english
        spanish = corpus.spanish_text(one.spanish)
        assert re.fullmatch(r"¿?[A-ZÁÉÍÓÚ][\w ,¿]*[.?]", spanish)


def test_written_sentences():
    assert corpus.spanish_text(("¿", "te", "gusta", "María", "?")) == "¿Te gusta María?"
    assert corpus.english_text(("i", "see", "ana", "'s", "cat", "on", "sundays", ".")) == "I see Ana's cat on Sundays."
