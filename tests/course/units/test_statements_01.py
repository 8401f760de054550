"""What notebook 01 says of the trained model without positions, and of its table of waves."""

from itertools import islice, pairwise

import numpy as np
import pytest

from tools.course import ROOT, notebook
from transformer_kit import corpus, reference, skip_if_unimplemented
from transformer_kit.examples import positions
from transformer_kit.examples.attention import WIDE_CATS
from transformer_kit.experiments.whole_model.one_change import count_right, counted_from
from transformer_kit.experiments.whole_model.word_order import translate_with, translate_without_order

YOURS = reference.positional_encoding, reference.add_positions


def test_without_positions_two_orders_are_one_sentence():
    houses = translate_without_order("The red house is big.", "The big house is red.")
    assert houses == ["La casa grande es roja."] * 2
    parents = translate_without_order("My mother sees my father.", "My father sees my mother.")
    assert parents == ["Mi madre ve a mi padre."] * 2


def test_with_positions_they_are_two():
    found = translate_with(*YOURS, "My father sees my mother.", "The red house is big.", "The fish eats the girl.")
    assert found == ["Mi padre ve a mi madre.", "La casa roja es grande.", "La niña come el pescado."]


def test_positions_come_from_the_functions_that_are_given():
    nowhere = translate_with(lambda n, d_model: np.zeros((n, d_model)), reference.add_positions, "I see you.")
    assert nowhere != translate_with(*YOURS, "I see you.") == ["Te veo."]


def test_where_a_sentence_begins_matters():
    found = [
        count_right(positional_encoding=counted_from(first, reference.positional_encoding)) for first in (0, 1, 3, 10)
    ]
    assert found == [39, 39, 32, 2]
    late = counted_from(10, reference.positional_encoding), reference.add_positions
    assert translate_with(*late, "Are intelligent cats black?") == ["¿Los gatos inteligentes son inteligentes?"]


def test_no_fish_eats_in_the_training_text():
    eating = {"eat", "eats", "ate", "eating"}
    sentences = [sentence.english for sentence in islice(corpus.draws(0), 20_000)]
    assert sum("fish" in words for words in sentences) > 20
    assert not any(a == "fish" and b in eating for words in sentences for a, b in pairwise(words))


def test_the_longest_wave():
    longest = 2 * np.pi / reference.angular_frequencies(512)[-1]
    assert longest == pytest.approx(60_611, abs=0.5)
    assert 1 - longest / (2 * np.pi * 10_000) == pytest.approx(0.035, abs=0.0005)


def test_shuffled_rows_have_two_orders():
    """The similarities of neighbours are the largest, so a chain of neighbours is unique up to its direction."""
    similarity = reference.position_similarity(reference.positional_encoding(10, 32))
    np.testing.assert_allclose(similarity, similarity[::-1, ::-1], atol=1e-12)
    distance = np.abs(np.subtract.outer(np.arange(10), np.arange(10)))
    assert similarity[distance == 1].min() > similarity[distance > 1].max()


def test_the_errata_of_units_01_and_02():
    text = (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")
    for row, sums in enumerate(positions.SUMS[:2]):
        assert f"| {row} | " in text
        assert f"| {', '.join(f'{number:.4f}' for number in sums)} |" in text
        for printed in positions.PRINTED_SUMS[row]:
            assert f"{printed:.4f}" in text
    weights = reference.softmax(WIDE_CATS.printed_scores / np.sqrt(512)).round(3)
    assert weights.tolist() == [[0.332, 0.333, 0.335]] * 2
    assert "0.332, 0.333, 0.335" in text


def test_shuffled_words_come_back_in_order(capsys):
    (source,) = (cell.source for cell in notebook("01_positional_encoding").cells if cell.source.startswith("shuffled"))
    exec(source, vars(reference) | {"np": np, "skip_if_unimplemented": skip_if_unimplemented})
    assert capsys.readouterr().out == "the waves still know where each and every word was\n"


def test_in_the_paper_neighbours_are_not_closest():
    """What the open task begins with: words 6 places apart are more alike in 8 columns of the paper's table."""
    similarity = reference.position_similarity(reference.positional_encoding(7, 8))[0]
    assert similarity[6] > similarity[1] > similarity[2:6].max()
