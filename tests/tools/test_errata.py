"""The page of errata has the numbers that programs compute, and what it says of the printed ones is so."""

import numpy as np
import pytest

from autograder.registry import units
from tools import errata
from tools.readme import filled
from transformer_kit import reference
from transformer_kit.examples import networks, norms
from transformer_kit.examples.attention import CATS, POEM, WIDE_CATS
from transformer_kit.examples.masks import FOUR_TOKENS
from transformer_kit.examples.printed_search import PRINTED_SEARCH

TEXT = errata.PAGE.read_text(encoding="utf-8")


def test_every_table_is_what_the_program_computes():
    assert filled(TEXT, errata.tables()) == TEXT


def test_a_wrong_number_would_be_found():
    assert "22026.5" in TEXT
    damaged = TEXT.replace("22026.5", "22062.5")
    assert filled(damaged, errata.tables()) == TEXT


@pytest.mark.parametrize("name", errata.tables())
def test_every_table_shows_an_error(name):
    """In each there is a step whose printed numbers are not the right ones."""
    rows = [line.strip("| ").split(" | ") for line in errata.tables()[name].splitlines()[2:]]
    assert any(printed != right for _, printed, right in rows)


def test_the_sections_are_units():
    numbers = [line.removeprefix("## Unit ") for line in TEXT.splitlines() if line.startswith("## ")]
    assert numbers == sorted(numbers)
    assert set(numbers) <= {unit.id[:2] for unit in units()}


def test_numbers_are_written_by_hand():
    assert errata.written(np.array([[0.5, -np.inf], [1.23456, -0.0]]), 2) == "0.5 hidden; 1.23 0"
    assert errata.written("as it is", 2) == "as it is"


def test_the_poems_misprints_are_single_digits():
    right = POEM.Q[2, 0], POEM.K[0, 1], POEM.K[1, 0]
    printed = errata.POEM_PRINTED.values()
    assert np.round(np.subtract(right, tuple(printed)), 2).tolist() == [1.0, 0.06, 0.2]


def test_what_the_wide_example_says():
    """Its weights fall where its scores rise, and its second output is larger than all values."""
    e = WIDE_CATS
    assert (np.diff(e.printed_scores) > 0).all()
    assert (np.diff(e.printed_weights) <= 0).all()
    assert np.allclose(e.printed_scores[1] - e.printed_scores[0], 0.3)
    assert (e.printed_output[1] >= e.V.max(axis=0)).all()
    assert (e.printed_output[1, 1:3] > e.V[:, 1:3].max(axis=0)).all()


def test_what_the_four_tokens_say():
    """Halving is right in the first row only, and the second token's weights follow from neither line."""
    halved = FOUR_TOKENS.printed_products / 2
    visible = np.isfinite(FOUR_TOKENS.printed_scores)
    same = np.isclose(halved, FOUR_TOKENS.printed_scores) | ~visible
    assert same.all(axis=1).tolist() == [True, False, False, False]
    weights = reference.softmax(FOUR_TOKENS.printed_scores[1, :2])
    assert np.abs(weights - FOUR_TOKENS.printed_second_weights).min() > 0.1


def test_two_mistakes_cancel():
    """The printed weights of "Me" are the right ones, rounded; a row of products is halved, another misread."""
    np.testing.assert_allclose(CATS.weights[0].round(1), CATS.printed_weights[0])
    np.testing.assert_allclose(CATS.printed_products[0], CATS.products[0] / 2)
    np.testing.assert_allclose(CATS.printed_products[1], np.array([0.3, 0.3, 0.5, 0.7]) @ CATS.E.T / 2)
    np.testing.assert_allclose(CATS.printed_scores, CATS.printed_products / 2)


def test_the_network_has_nothing_for_its_relu():
    assert networks.PRINTED.hidden.min() > 0
    assert networks.PRINTED.output.min() < 0 < networks.PRINTED.printed_output.min()


def test_numbers_in_the_prose():
    weights = reference.softmax(WIDE_CATS.printed_scores / np.sqrt(512)).round(3)
    assert weights.tolist() == [[0.332, 0.333, 0.335]] * 2
    assert "0.332, 0.333, 0.335 twice" in TEXT
    assert norms.REPAIRED.normalised.round(4).tolist() == [0, 1.4142, -1.4142, 0]
    np.testing.assert_allclose(norms.REPAIRED.x + norms.REPAIRED.sublayer, norms.REPAIRED.total)
    assert "0, 1.4142, −1.4142, 0" in TEXT  # noqa: RUF001
    e = PRINTED_SEARCH
    on_the_path = e.probabilities[np.arange(5), e.path]
    second = np.sort(e.probabilities, axis=1)[:, -2]
    at_most = np.concatenate([[1], on_the_path[:-1].cumprod()]) * second
    assert at_most.round(4).tolist() == [0.05, 0.08, 0.028, 0.0476, 0.0081]
    assert "0.05, 0.08, 0.028, 0.0476 or 0.0081" in TEXT
    assert round(float(e.probabilities[e.faulty_step].sum()), 2) == 1.01
