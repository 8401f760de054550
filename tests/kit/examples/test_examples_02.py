"""The worked examples of unit 02: right numbers are right, printed wrong ones are wrong where the course says so."""

import numpy as np

from transformer_kit.examples.attention import CATS, POEM, WIDE_CATS
from transformer_kit.reference import scaled_dot_product_attention, softmax

HALF_OF_THE_LAST_DIGIT = 0.5000001e-6


def close(got, stored):
    return np.allclose(got, stored, rtol=0, atol=HALF_OF_THE_LAST_DIGIT)


def test_the_poem():
    Q, K, V = POEM.X @ POEM.W_Q, POEM.X @ POEM.W_K, POEM.X @ POEM.W_V
    assert close(Q, POEM.Q)
    assert close(K, POEM.K)
    assert close(V, POEM.V)
    assert close(Q @ K.T, POEM.products)
    assert close(Q @ K.T / np.sqrt(2), POEM.scores)
    output, weights = scaled_dot_product_attention(Q, K, V)
    assert close(weights, POEM.weights)
    assert close(output, POEM.output)


def test_i_like_cats():
    products = CATS.Q @ CATS.E.T
    assert close(products, CATS.products)
    assert close(products / 2, CATS.scores)
    output, weights = scaled_dot_product_attention(CATS.Q, CATS.E, CATS.E)
    assert close(weights, CATS.weights)
    assert close(output, CATS.output)


def test_the_printed_lines_are_those_that_were_published():
    lines = CATS.printed.splitlines()
    assert len(lines) == 6
    assert lines[2] == "1. Q Kᵀ          [[0.3, 0.7, 1.1], [0.26, 0.62, 0.98]]"
    assert lines[5].endswith("[0.65, 0.75, 0.85, 0.95]]")


def test_the_printed_products_are_scaled_already():
    misread = np.array([0.3, 0.3, 0.5, 0.7])  # one entry of the second query
    np.testing.assert_allclose(CATS.printed_products[0], CATS.products[0] / 2)
    np.testing.assert_allclose(CATS.printed_products[1], CATS.E @ misread / 2)
    np.testing.assert_allclose(CATS.printed_scores, CATS.printed_products / 2)


def test_the_printed_weights_follow_from_right_scores():
    np.testing.assert_array_equal(CATS.printed_weights[0], CATS.weights[0].round(1))
    assert np.abs(softmax(CATS.printed_scores) - CATS.printed_weights).max(axis=-1).min() > 0.02


def test_only_the_first_printed_row_follows_from_weights():
    product = CATS.printed_weights @ CATS.E
    np.testing.assert_allclose(product[0], CATS.printed_output[0])
    assert np.abs(product[1] - CATS.printed_output[1]).min() > 0.05


def test_no_weights_give_the_printed_wide_output():
    V, output = WIDE_CATS.V, WIDE_CATS.printed_output
    np.testing.assert_allclose(V[:, 1] - V[:, 0], 0.2)  # so every weighted average has it too
    assert (np.abs(output[:, 1] - output[:, 0] - 0.2) > 0.05).all()
    assert output[0, 0] <= V[:, 0].max()
    assert output[1, 1] > V[:, 1].max()


def test_printed_weights_fall_where_scores_rise():
    assert (np.diff(WIDE_CATS.printed_scores) > 0).all()
    assert (np.diff(WIDE_CATS.printed_weights) <= 0).all()
    rows = softmax(WIDE_CATS.printed_scores / np.sqrt(512))
    np.testing.assert_allclose(rows[0], rows[1])  # they differ by a constant only
