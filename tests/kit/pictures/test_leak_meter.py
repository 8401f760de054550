"""The leak meter: which outputs move when one word changes, for masks at the right place and at wrong ones."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tests.support.pictures import data_of, groups
from transformer_kit import reference
from transformer_kit.experiments.leaks import leakage, mask_on_weights
from transformer_kit.pictures import leak_meter

TOKENS = np.random.default_rng(2).standard_normal((5, 3))
WORDS = ["hide", "<the>", "future", "of", "words"]
BEFORE = np.tri(5, dtype=bool)  # row: output, column: changed word that it may see


def self_attention(attention, mask, **options):
    W_Q, W_K, W_V = np.random.default_rng(1).standard_normal((3, 3, 3)) / 2
    return lambda X: attention(X @ W_Q, X @ W_K, X @ W_V, mask, **options)[0]


ATTENDS = {
    "right": self_attention(reference.masked_attention, BEFORE),
    "one too far": self_attention(reference.masked_attention, np.tri(5, k=1, dtype=bool)),
    "on the weights": self_attention(mask_on_weights, BEFORE),
}
PICTURE = leak_meter(ATTENDS, TOKENS, WORDS, choice=1, word=2)


def test_leakage_of_each_place_of_the_mask():
    right = leakage(ATTENDS["right"], TOKENS)
    assert right[~BEFORE].max() < 1e-12
    assert right[BEFORE].min() > 1e-3
    assert leakage(ATTENDS["on the weights"], TOKENS)[~BEFORE].min() > 1e-6
    renormalised = self_attention(mask_on_weights, BEFORE, renormalise=True)
    assert leakage(renormalised, TOKENS)[~BEFORE].max() < 1e-12


def test_leakage_by_hand():
    """Each output is the sum of the tokens so far: a change moves it, and all after it, by the amount itself."""
    amounts = np.random.default_rng(7).standard_normal((5, 3))
    found = leakage(lambda X: X.cumsum(axis=0), TOKENS, seed=7)
    np.testing.assert_allclose(found, np.where(BEFORE, np.abs(amounts).max(axis=1), 0), atol=1e-12)


def test_movement_is_blue_and_a_leak_orange():
    kinds = [[cell.get("class") for cell in row[:5]] for row in groups(PICTURE, "output")]
    assert [kind.split()[-1] == "lit" for kind in kinds[0]] == [False, False, True, False, False]
    is_leak = np.array([["leak" in kind for kind in row] for row in kinds])
    assert_array_equal(is_leak, np.eye(5, k=1, dtype=bool))
    assert_array_equal([["moved" in kind for kind in row] for row in kinds], BEFORE)


def test_the_bars_show_the_chosen_words_movements():
    moved = leakage(ATTENDS["one too far"], TOKENS)[:, 2]
    largest = max(leakage(attend, TOKENS).max() for attend in ATTENDS.values())
    widths = [float(bar.get("width")) for bar in groups(PICTURE, "bar")]
    np.testing.assert_allclose(widths, 130 * moved / largest, atol=0.9)  # the texts have two digits
    assert widths[0] == 0
    assert [text.text for text in groups(PICTURE, "amount")] == ["0", *(f"{number:.2g}" for number in moved[1:])]
    assert len(groups(PICTURE, "leaks")) == 2


def test_the_script_gets_every_choice():
    data = data_of(PICTURE)
    assert data["names"] == list(ATTENDS)
    moved = np.array(data["moved"], dtype=float)
    assert moved.shape == (3, 5, 5)
    expected = [leakage(attend, TOKENS) for attend in ATTENDS.values()]
    np.testing.assert_allclose(moved, expected, rtol=0.06, atol=1e-9)
    assert data["start"] == [1, 2]


def test_the_words_say_what_leaks():
    lines = PICTURE.words.splitlines()
    assert len(lines) == 15
    assert lines[4] == "right: “words” is changed. What moves: the outputs of “words”. Nothing leaks."
    assert lines[7] == (
        "one too far: “future” is changed. What moves: the outputs of “<the>”, “future”, “of”, “words”. "
        "A leak: “<the>” must not know “future” yet."
    )
    assert lines[14].endswith("A leak: “hide”, “<the>”, “future”, “of” must not know “words” yet.")


@pytest.mark.parametrize(("attend", "said"), [(np.zeros_like, "of no word. Nothing leaks."), (np.copy, "of “of”. N")])
def test_an_attention_that_hides_too_much(attend, said):
    assert said in leak_meter({"mine": attend}, TOKENS, WORDS).words
