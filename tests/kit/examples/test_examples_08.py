"""The toy models of unit 08 do what the text says of them, and the printed search is wrong where it says so."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from transformer_kit import reference
from transformer_kit.examples import toy_models
from transformer_kit.examples.printed_search import PRINTED_SEARCH
from transformer_kit.examples.toy_models import (
    BEAM_LOSES,
    BOS,
    EOS,
    GREEDY_LOSES,
    SENTENCES,
    SHORT_WINS,
    STEP_BY_STEP,
    WORDS,
    CountingModel,
    random_model,
    spell,
    write,
)
from transformer_kit.experiments import sampling

TABLES = {"GREEDY_LOSES": GREEDY_LOSES, "BEAM_LOSES": BEAM_LOSES, "SHORT_WINS": SHORT_WINS, "STEP": STEP_BY_STEP}
SIX_DECIMALS = {"rtol": 0, "atol": 5.1e-7}
ALL = 1000  # a beam that leaves nothing out


def best(model, beam_width, alpha=0.0):
    """Return the words of the best hypothesis, and its probability (alpha = 0) or score."""
    score, ids = reference.beam_search(model, BOS, EOS, beam_width, 6, alpha)[0]
    return spell(ids), round(float(np.exp(score)) if alpha == 0 else score, 4)


@pytest.mark.parametrize("model", TABLES.values(), ids=TABLES)
def test_tables_are_distributions_and_all_sentences_end(model):
    for row in (*model.table.values(), model.otherwise):
        assert_allclose(np.exp(row).sum(), 1.0)
    found = reference.beam_search(model, BOS, EOS, ALL, 6)
    assert all(ids[-1] == EOS for _, ids in found)
    assert_allclose(sum(np.exp(score) for score, _ in found), 1.0)


def test_greedy_loses():
    assert best(GREEDY_LOSES, 1) == ("a cat <eos>", 0.175)
    assert best(GREEDY_LOSES, 2) == best(GREEDY_LOSES, ALL) == ("the poem <eos>", 0.36)


def test_all_sentences_of_the_first_model_are_listed():
    found = reference.beam_search(GREEDY_LOSES, BOS, EOS, ALL, 6)
    assert sorted(spell(ids) for _, ids in found) == sorted(SENTENCES)


def test_a_product_that_floating_point_loses():
    assert 0.1**400 == 0
    assert round(400 * np.log(0.1)) == -921


def test_sampling_with_one_number_distorts_the_shares():
    """With one number for a whole sentence "a song" is never written; "a" takes 0.1 to 0.6, its "song" 0.75 to 1."""

    def proper(model, rng):
        return reference.sample_decode(model, BOS, EOS, 10, rng.random(10))

    def hurried(model, rng):
        return reference.sample_decode(model, BOS, EOS, 10, np.full(10, rng.random()))

    right, wrong = (sampling.shares_written(f, reference.sequence_log_prob).alt for f in (proper, hurried))
    assert all("a song 0.125, the poem 0.36" in text for text in (right, wrong))
    assert "a song 0.118" in right
    assert "a song 0," in wrong


def test_temperature_and_both_filters_share_a_slider():
    functions = reference.apply_temperature, reference.top_k_filter, reference.top_p_filter
    shown = {name: figure.alt for name, figure in sampling.choices(*functions).figures.items()}
    assert len(shown) == len(sampling.TEMPERATURES) + len(sampling.KEPT) + len(sampling.SHARES)
    assert shown["temperature 0"].count("after: poem 1, song 0, cat 0") == 2
    assert shown["top-k, k = 1"].count("after: poem 1, song 0, cat 0") == 2
    sure, many = shown["top-p, p = 0.9"].split("after: ")[1:]
    assert sure.startswith("poem 0.953, song 0.0474, cat 0,")
    assert many.rstrip().endswith("sea 0.0993, list 0.0736, the 0.")


def test_a_beam_of_two_is_worse_than_greedy():
    assert best(BEAM_LOSES, 1) == best(BEAM_LOSES, 3) == best(BEAM_LOSES, ALL) == ("a cat <eos>", 0.162)
    assert best(BEAM_LOSES, 2) == ("the song rhymes <eos>", 0.0728)


def test_short_sentences_win_without_a_penalty():
    assert best(SHORT_WINS, 2) == best(SHORT_WINS, ALL) == ("<eos>", 0.4)
    assert best(SHORT_WINS, 2, alpha=0.6) == ("the poem of cats <eos>", -0.6953)
    assert best(SHORT_WINS, 1) == ("the poem of cats <eos>", 0.3888)


def test_the_beam_step_by_step():
    found = reference.beam_search(STEP_BY_STEP, BOS, EOS, 2, 6)
    assert [(spell(ids), round(np.exp(score), 6)) for score, ids in found] == [("<eos>", 0.4), ("the poem <eos>", 0.25)]


def test_models_are_made_of_arrays_and_numbers():
    for model in (BEAM_LOSES, random_model(np.random.default_rng(1), 5)):
        prefixes = np.array([[BOS, 2], [BOS, 3]])
        copy = pickle.loads(pickle.dumps(model))
        assert_array_equal(copy(prefixes), model(prefixes))


def test_rows_are_independent_and_results_new():
    model = random_model(np.random.default_rng(2), 6)
    prefixes = np.array([[BOS, 2, 5], [BOS, 3, 5], [BOS, 2, 4]])
    together = model(prefixes)
    for row, prefix in zip(together, prefixes, strict=True):
        assert_array_equal(model(prefix[None])[0], row)
    assert_allclose(np.exp(together).sum(axis=1), 1.0)
    assert not np.allclose(together[0], together[1])
    BEAM_LOSES(np.array([[BOS]]))[...] = 0.0
    assert best(BEAM_LOSES, 1) == ("a cat <eos>", 0.162)


@pytest.mark.parametrize(
    ("prefixes", "message"),
    [
        ([BOS, 2], r"shape \(2,\)"),
        ([[float(BOS)]], "float64"),
        ([[2, 3]], "bos_id = 0"),
        (np.zeros((1, 0), dtype=int), "bos_id = 0"),
    ],
)
def test_models_explain_what_they_expect(prefixes, message):
    for model in (BEAM_LOSES, random_model(np.random.default_rng(3), 4)):
        with pytest.raises(ValueError, match=message):
            model(prefixes)


def test_equal_products_of_powers_of_two_tie_exactly():
    half, quarter, eighth = toy_models.log_probs([0.5, 0.25, 0.125])
    assert half + half == quarter
    assert half + quarter == quarter + half == eighth


def test_a_counting_model_counts():
    model = CountingModel(GREEDY_LOSES)
    reference.greedy_decode(model, BOS, EOS, 6)
    assert (model.passes, model.rows) == (3, 3)
    assert [spell(ids) for ids in model.prefixes] == ["(empty)", "a", "a cat"]


def test_writing_stops_at_end_or_limit():
    assert spell(write(GREEDY_LOSES, lambda log_probs: int(log_probs.argmax()))) == "a cat <eos>"
    assert write(GREEDY_LOSES, lambda log_probs: 2, max_len=4) == (2, 2, 2, 2)


def test_words_are_distinct():
    assert len(set(WORDS)) == len(WORDS)
    assert (WORDS[BOS], WORDS[EOS]) == ("<bos>", "<eos>")
    assert len(toy_models.SURE) == len(toy_models.OPEN) == len(toy_models.CHOICES)


# --- the printed search ---


def test_one_printed_row_does_not_sum_to_one():
    sums = PRINTED_SEARCH.probabilities.sum(axis=1)
    assert_allclose(sums[PRINTED_SEARCH.faulty_step], 1.01)
    assert_allclose(np.delete(sums, PRINTED_SEARCH.faulty_step), 1.0)
    assert_array_equal(PRINTED_SEARCH.probabilities.argmax(axis=1), PRINTED_SEARCH.path)


def test_right_numbers_of_the_printed_search():
    rows = PRINTED_SEARCH.probabilities
    on_path = rows[np.arange(5), PRINTED_SEARCH.path]
    assert_allclose(PRINTED_SEARCH.path_probability, on_path.prod(), **SIX_DECIMALS)
    repaired = rows[3] / rows[3].sum()
    assert_allclose(PRINTED_SEARCH.renormalised, repaired, **SIX_DECIMALS)
    assert_allclose(PRINTED_SEARCH.renormalised_path_probability, on_path.prod() / rows[3].sum(), **SIX_DECIMALS)
    second = np.sort(rows, axis=1)[:, -2]
    before = np.concatenate([[1.0], np.cumprod(on_path)[:-1]])
    assert_allclose(PRINTED_SEARCH.best_if_left, before * second, **SIX_DECIMALS)
    assert PRINTED_SEARCH.best_if_left.max() < PRINTED_SEARCH.renormalised_path_probability


def test_a_printed_row_shows_the_top_p_trap():
    row = np.sort(PRINTED_SEARCH.probabilities[1])[::-1]
    assert int((np.cumsum(row) < 0.8).sum()) + 1 == 3
    assert np.isclose(np.cumsum(row)[1], 0.8)
