"""The phrase book, which is never trained on, and the remark on sentences that the grammar does not generate."""

import re
from itertools import islice

import pytest

from transformer_kit import corpus
from transformer_kit.corpus.phrase_book import FILE, comparable, phrase_book
from transformer_kit.corpus.sentences import remark
from transformer_kit.corpus.splits import SPLITS, split_of
from transformer_kit.corpus.tables import rows


def test_three_hundred_sentences_with_their_translations():
    entries = rows(FILE.read_text(encoding="utf-8"))
    assert len(entries) == len(phrase_book()) == 300
    for english, spanish in entries:
        for way in spanish.split(" / "):
            assert re.fullmatch(r"¿?[A-ZÁÉÍÓÚÑ][\w ,¿]*[.?]", way), way
            assert way.endswith("?") == english.endswith("?"), english


def test_equivalent_ways_of_writing_are_one_translation():
    assert comparable("Hola, Ana.") == comparable("hola Ana.") != comparable("Hola, Juan.")


def test_the_phrase_book_is_in_no_split():
    book = phrase_book()
    drawn = [one for one in islice(corpus.draws(1), 3000) if one.english in book]
    assert len(drawn) > 20
    assert {split_of(one) for one in drawn} == {None}
    for split in SPLITS:
        assert not any(one.english in book for one in corpus.load(split, 200))


def test_the_grammar_has_most_of_the_phrase_book():
    found = {english: corpus.translations(english) for english in phrase_book()}
    inside = {english: ways for english, ways in found.items() if ways}
    assert len(inside) >= 270
    agreed = [
        english
        for english, ways in inside.items()
        if {comparable(corpus.spanish_text(w)) for w in ways} & phrase_book()[english]
    ]
    assert agreed == list(inside)


@pytest.mark.parametrize(
    ("sentence", "written"),
    [
        ("I like cats.", "Me gustan los gatos."),
        ("Good morning, Ana!", "Buenos días, Ana."),
        ("It's raining", "Está lloviendo."),
        ("we went to the beach", "Nosotros fuimos a la playa."),  # not the likeliest way to say it
    ],
)
def test_no_remark_on_what_the_grammar_says(sentence, written):
    assert remark(sentence, written) == ""


@pytest.mark.parametrize(
    ("sentence", "written", "right"),
    [
        ("I get up at seven", "Me levantamos a las siete.", "Me levanto a las siete."),
        ("We are going to the cinema.", "Vamos a el cine.", "Vamos al cine."),
        ("Go away!", "Mira.", "Vete."),
        ("Do you have children?", "¿Tienes niñas?", "¿Tienes hijos?"),
        ("What do you want to drink?", "¿Qué quieres beber usted?", "¿Qué quieres beber?"),
    ],
)
def test_a_wrong_translation_brings_a_right_one(sentence, written, right):
    assert remark(sentence, written) == f"This translation is wrong. A right one is: {right}"


@pytest.mark.parametrize("sentence", ["Cats like I.", "the cat the dog", "I like it when it is cold."])
def test_a_remark_on_what_it_does_not_say(sentence):
    assert remark(sentence, "Me gusta.").startswith("The model has never seen a sentence of this form")
