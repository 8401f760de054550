"""The spelling of all that readers see."""

import pytest
from spellchecker import SpellChecker

from tests.support.spelling import FIELD, texts, unknown, words


@pytest.fixture(scope="module")
def speller():
    return SpellChecker()


@pytest.fixture(scope="module")
def field():
    return set(FIELD.read_text(encoding="utf-8").split())


def test_every_word_is_english_or_of_the_field(speller, field):
    found = {place: missing for place, text in texts().items() if (missing := unknown(text, speller, field))}
    assert found == {}, f"correct these words, or add them to {FIELD.name}"


def test_only_prose_is_spell_checked(speller, field):
    assert unknown("The atention of `qwrt`, $\\xyzq$, *hola* and the reader's softmax.", speller, field) == ["atention"]


def test_words_are_what_is_said():
    assert words("Don't read [this](that.md) <b>or</b> `code` of unit_02.py.") == {"don't", "read", "this", "or", "of"}


def test_the_list_of_the_field_is_in_order(field):
    lines = FIELD.read_text(encoding="utf-8").split()
    assert lines == sorted(set(lines))
