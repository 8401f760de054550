"""What notebook 02 says of the trained model and of random draws: after a new training a test fails, not the text."""

from itertools import islice, pairwise

import numpy as np
import pytest

from transformer_kit import corpus
from transformer_kit.experiments.whole_model.one_head import one_head
from transformer_kit.experiments.widths import _sizes_at, gradient_sizes, weights_at_width
from transformer_kit.pictures import looks
from transformer_kit.reference import (
    attention_backward,
    attention_scores,
    scaled_dot_product_attention,
    softmax,
    softmax_jacobian,
)

TABLE = "The table is red and it is big."


def percent(sentence, word="it"):
    """Return what a word gives to the words of its sentence, in per cent; of equal words the last one counts."""
    words, *arrays = one_head(sentence)
    weights = scaled_dot_product_attention(*arrays)[1][words.index(word)]
    return dict(zip(words, np.rint(100 * weights), strict=True))


def test_it_looks_at_the_table():
    assert percent(TABLE)["table"] == 95
    assert percent(TABLE, "red")["table"] >= 95


def test_and_it_never_occurs_in_training():
    """Sentences with it are many, but none goes on with and it."""
    sentences = [sentence.english for sentence in islice(corpus.draws(0), 20_000)]
    with_it = [words for words in sentences if "it" in words]
    assert len(with_it) > 1000
    assert not any(pair == ("and", "it") for words in with_it for pair in pairwise(words))


def test_it_looks_at_a_noun_even_as_dummy():
    late = percent("The table is red and it is late.")
    assert (late["table"], late["it"], late["late"]) == (96, 1, 1)


def test_it_shares_itself_out_between_two_candidates():
    assert [percent("The cat sees the dog and it is small.")[noun] for noun in ("cat", "dog")] == [43, 46]
    assert [percent("The dog sees the cat and it is small.")[noun] for noun in ("cat", "dog")] == [73, 19]


def test_a_query_learns_to_look_elsewhere():
    words, Q, K, V = one_head(TABLE)
    red, query, seen = words.index("red"), Q[[words.index("it")]], []
    for _ in range(31):
        output, weights = scaled_dot_product_attention(query, K, V)
        seen.append(weights[0])
        query = query - attention_backward(output - V[[red]], query, K, V, weights)[0]
    assert [words[seen[step].argmax()] for step in (0, 3, 5, 10, 30)] == ["table", "big", "and", "red", "red"]
    assert seen[30][red] == pytest.approx(0.88, abs=0.01)


def test_a_picture_of_a_typed_sentence():
    figure = looks(scaled_dot_product_attention, TABLE)
    assert "table 0.953" in figure.html
    assert "does not know the word 'wman'" in looks(scaled_dot_product_attention, "The wman sees it.").text
    assert looks(scaled_dot_product_attention, "The table is red.").text == "There is no “it” in “the table is red .”."
    without_scale = looks(lambda Q, K, V: scaled_dot_product_attention(2 * Q, K, V), TABLE)
    assert "(" in without_scale.html.partition("Where “it” looks")[2][:3]


def test_only_the_factor_makes_scaled_jacobians_smaller():
    """The scaled one is smaller in four of five draws; times C, it is so in about half of them."""
    for n in (8, 16, 32, 64):
        draws = np.sqrt(n) * np.random.default_rng(2017).standard_normal((400, n))
        plain, scaled = np.array([[softmax_jacobian(s, C).std() for C in (1, np.sqrt(n))] for s in draws]).T
        assert (plain > scaled).mean() >= 0.75
        assert (plain > np.sqrt(n) * scaled).mean() == pytest.approx(0.5, abs=0.06)


def test_without_scale_mean_and_median_gradients_diverge():
    """The mean climbs at every width, further than chance moves it; at 1,024 a tenth of the rows has 75 %."""
    sizes = gradient_sizes(attention_scores, softmax_jacobian)
    assert sizes["unscaled, mean"][[0, -1]] == pytest.approx((0.26, 1.64), abs=0.005)
    assert (np.diff(sizes["unscaled, mean"]) > 0).all()
    assert sizes["unscaled, median"][-1] == pytest.approx(0.0009, abs=0.00005)
    for name in ("mean", "median"):
        assert np.ptp(sizes[f"scaled, {name}"][1:]) < 0.1 * sizes[f"scaled, {name}"][-1]
    wide = np.sort(_sizes_at(1024, attention_scores, softmax_jacobian)[0])
    assert wide.std() / np.sqrt(len(wide)) == pytest.approx(0.07, abs=0.005)
    assert wide[-len(wide) // 10 :].sum() / wide.sum() == pytest.approx(0.75, abs=0.005)


def test_sizes_of_derivatives_are_those_of_the_products():
    """The entries of J @ keys themselves, at the smallest width, where a few rows are enough."""
    rng = np.random.default_rng(2017)
    queries, keys = (rng.standard_normal((300, n, 4)) for n in (1, 16))
    products = 2 * attention_scores(queries, keys)[:, 0]
    plain = [np.linalg.norm(softmax_jacobian(s) @ K) for s, K in zip(products, keys, strict=True)]
    np.testing.assert_allclose(_sizes_at(4, attention_scores, softmax_jacobian)[0, :300], plain)


def test_a_score_difference_sets_the_weight_ratio():
    gaps = [softmax(np.array([0.0, gap])) for gap in (1.0, 10.0)]
    assert [round(weights[1] / weights[0], 1) for weights in gaps] == [2.7, 22026.5]


def test_random_keys_of_growing_width():
    """The slider: without a scale one key has nearly everything from 16 on; by √512 all are alike when narrow.

    That is the one query drawn. Of most queries one key has as much from 64 on, of not even a third at 16.
    """
    weights = {d_k: weights_at_width(d_k, attention_scores, softmax) for d_k in (4, 16)}
    assert weights[16]["no scale"].max() > 0.95 > weights[4]["no scale"].max()
    assert weights[4]["by √512"].max() < 0.14
    rng = np.random.default_rng(0)
    queries, keys = (rng.standard_normal((2000, n, 64)) for n in (1, 8))
    largest = {d: softmax(queries[..., :d] @ keys[..., :d].swapaxes(-1, -2)).max(axis=(-2, -1)) for d in (16, 64)}
    assert (largest[16] > 0.9).mean() < 1 / 3
    assert np.median(largest[64]) > 0.95
