"""The form of the options says nothing about which is right: who has not read the unit guesses no better than chance.

The bound: a way to guess may have so many hits, or more, in one of twenty courses whose right letters were drawn
blindly. Each way is held to it by itself, the most and the least of every feature of `tools/choices.py`, and so is a
guesser that learned from the other units which features go with the right option. Whoever writes a question and goes
beyond a bound has made it easier to guess: change its options, or their order.
"""

import re

import numpy as np
import pytest

from autograder.registry import units
from tools.choices import FEATURES, NUMBER, Asked, asked_in, chance_of_at_least, guessed, has_reason, learned, length

BOUND = 0.05
LONGER, MORE = 1.5, 8  # the longest option may have so many times the signs of the shortest, and so many more


@pytest.fixture(scope="module")
def groups():
    return [asked_in(unit) for unit in units()]


@pytest.fixture(scope="module")
def questions(groups):
    return [asked for group in groups for asked in group]


def given_away(groups):
    """Return the ways to guess that hit more often than the bound allows."""
    rows = [*guessed([asked for group in groups for asked in group]), learned(groups)]
    return [row.how for row in rows if row.at_least < BOUND]


def uneven_in_form(asked):
    """Return in which respects the options of a question differ in form."""
    lengths = [length(option) for option in asked.options]
    reasons = {has_reason(option) for option in asked.options}
    skeletons = {re.sub(rf"{NUMBER.pattern}|NaN", "0", option) for option in asked.options}
    numbered = {skeleton.startswith("0") for skeleton in skeletons}
    found = {
        "length": max(lengths) > LONGER * min(lengths) + MORE,
        "reasons": len(reasons) > 1,
        "numbers": len(numbered) > 1 or (numbered == {True} and len(skeletons) > 1),
    }
    return [respect for respect, is_uneven in found.items() if is_uneven]


def test_form_predicts_no_answer(groups):
    assert given_away(groups) == []


def test_options_have_one_form(questions):
    assert {asked.id: uneven_in_form(asked) for asked in questions if uneven_in_form(asked)} == {}


def test_no_option_is_offered_twice(questions):
    for asked in questions:
        assert len(set(asked.options)) == len(asked.options), asked.id


# --- the test can fail ---


def placed(right, *wrong, i):
    """Return a question with the right option in place i, as if by chance, in a group of its own."""
    options = list(wrong)
    place = i % (len(wrong) + 1)
    options.insert(place, right)
    return [Asked(str(i), "What happens?", tuple(options), place)]


@pytest.mark.parametrize(
    ("how", "right", "wrong"),
    [
        ("least: a reason", "It falls.", ("It rises: there is more of it.", "It stays, since nothing moves.")),
        ("most: length", "The third row is what the others are made of", ("The first row", "The second row")),
        ("least: length", "Two", ("One of them", "All that there are")),
        ("least: words for all", "Some fall.", ("All fall.", "They never fall.")),
        ("most: words that hedge", "Nearly twice", ("Twice", "Three times")),
        ("least: words for nothing", "It falls.", ("It does not fall.", "Nothing falls.")),
        ("most: size of its number", "65,000", ("10", "1,000")),
        ("most: digits of its number", "128", ("50", "300")),
        ("most: extremity of its number", "7", ("12", "15", "20")),
        ("least: extremity of its number", "15", ("12", "20")),
        ("most: words of the question", "What happens is good", ("Something good", "Something bad")),
        ("least: words of other options", "three", ("the same words", "the same words again")),
    ],
)
def test_a_set_that_gives_itself_away_fails(how, right, wrong):
    found = given_away([placed(right, *wrong, i=i) for i in range(12)])
    assert how in found
    assert "all features, weights from other units" in found


def test_one_letter_too_often_fails():
    groups = [[Asked(str(i), "Why?", ("one", "two", "six"), 0)] for i in range(12)]
    assert {"least: place", "most: the letter A"} <= set(given_away(groups))


def test_letters_by_turns_pass():
    assert given_away([placed("two", "one", "six", i=i) for i in range(12)]) == []


@pytest.mark.parametrize(
    ("options", "respects"),
    [
        (("about 5", "about 50", "about 500"), []),
        (("5", "50", "about 500"), ["numbers"]),
        (("5", "50", "none"), ["numbers"]),
        (("It rises.", "It falls: there is less of it."), ["length", "reasons"]),
        (("It rises.", "It falls."), []),
    ],
)
def test_uneven_forms_are_found(options, respects):
    assert uneven_in_form(Asked("made-up", "How many?", options, 0)) == respects


def test_chance_is_binomial():
    """By hand: three coins show two heads or more in half of all cases; a sure hit and a coin, two in half of them."""
    assert chance_of_at_least(2, [0.5] * 3) == pytest.approx(0.5)
    assert chance_of_at_least(2, [1.0, 0.5]) == pytest.approx(0.5)
    assert chance_of_at_least(0, []) == 1


def test_every_feature_is_one_number_for_each_option(questions):
    for asked in questions:
        for name, measure in FEATURES.items():
            assert np.shape(measure(asked)) == (len(asked.options),), name
