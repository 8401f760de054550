"""The worked examples of unit 03 and its leak meter."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from transformer_kit import reference
from transformer_kit.examples.attention import POEM
from transformer_kit.examples.masks import BATCH, MASKED_POEM, POEM_MASK, TWO_TOKENS, UNIFORM
from transformer_kit.leaks import leak_meter, leakage, mask_on_weights

SIX_DECIMALS = {"rtol": 0, "atol": 6e-7}


def test_two_tokens():
    e = TWO_TOKENS
    weights = reference.masked_softmax(e.scores, e.mask)
    assert_array_equal(e.mask, reference.causal_mask(2))
    assert_allclose(weights, e.weights, **SIX_DECIMALS)
    assert_allclose(weights @ e.V, e.output, **SIX_DECIMALS)
    assert_allclose(reference.softmax(e.scores), e.unmasked_weights, **SIX_DECIMALS)


def test_the_printed_second_row_does_not_follow_from_the_scores():
    e = TWO_TOKENS
    assert_allclose(e.printed_weights[0], e.weights[0])
    assert np.abs(e.printed_weights[1] - e.weights[1]).min() > 0.05  # more than rounding to one decimal can do
    assert_allclose(e.printed_weights @ e.V, e.printed_output)  # the printed output only inherits the error


def test_three_wrong_places_for_a_mask():
    e = TWO_TOKENS
    weights = reference.softmax(e.scores)
    assert_allclose(reference.softmax(e.scores * e.mask), e.weights_of_scores_times_mask, **SIX_DECIMALS)
    assert_allclose(weights * e.mask, e.weights_times_mask, **SIX_DECIMALS)
    assert_allclose(reference.softmax(np.where(e.mask, weights, -np.inf)), e.weights_of_masked_weights, **SIX_DECIMALS)
    for wrong in (e.weights_of_scores_times_mask, e.weights_times_mask, e.weights_of_masked_weights):
        assert np.abs(wrong - e.weights).max() > 0.02


def test_equal_scores():
    assert_allclose(reference.masked_softmax(UNIFORM.scores, reference.causal_mask(3)), UNIFORM.weights, **SIX_DECIMALS)


def test_masked_poem():
    output, weights = reference.masked_attention(POEM.Q, POEM.K, POEM.V, POEM_MASK)
    assert_allclose(weights, MASKED_POEM.weights, **SIX_DECIMALS)
    assert_allclose(output, MASKED_POEM.output, **SIX_DECIMALS)


def test_where_a_finite_mask_is_added_matters():
    products = POEM.Q @ POEM.K.T
    finite = np.where(POEM_MASK, 0.0, -10.0)
    infinite = reference.additive_mask(POEM_MASK)
    inside = reference.softmax((products + finite) / np.sqrt(2))
    outside = reference.softmax(products / np.sqrt(2) + finite)
    assert_allclose(inside[0], MASKED_POEM.inside, **SIX_DECIMALS)
    assert_allclose(outside[0], MASKED_POEM.outside, **SIX_DECIMALS)
    assert_array_equal((products + infinite) / np.sqrt(2), products / np.sqrt(2) + infinite)


def test_masks_of_the_batch():
    assert_array_equal(BATCH.causal, reference.causal_mask(5))
    assert_array_equal(BATCH.padding, reference.padding_mask(BATCH.is_token))
    assert_array_equal(np.array(BATCH.tokens) != "<pad>", BATCH.is_token)


def self_attention(attention, mask, **options):
    W_Q, W_K, W_V = np.random.default_rng(1).standard_normal((3, 4, 4)) / 2
    return lambda X: attention(X @ W_Q, X @ W_K, X @ W_V, mask, **options)[0]


@pytest.fixture
def tokens():
    return np.random.default_rng(2).standard_normal((5, 4))


def test_leakage_of_each_place_of_the_mask(tokens):
    mask = reference.causal_mask(5)
    hidden = np.tri(5, k=-1, dtype=bool)  # row: changed token, column: output that must not see it
    right = leakage(self_attention(reference.masked_attention, mask), tokens)
    assert right[hidden].max() < 1e-12
    assert right[~hidden].min() > 1e-3
    assert leakage(self_attention(mask_on_weights, mask), tokens)[hidden].min() > 1e-6
    assert leakage(self_attention(mask_on_weights, mask, renormalise=True), tokens)[hidden].max() < 1e-12


def test_renormalising_fails_where_the_visible_weights_underflow():
    Q, K, V = np.array([[1.0]]), np.array([[0.0], [1000.0]]), np.array([[3.0], [5.0]])
    mask = np.array([[True, False]])
    with np.errstate(invalid="ignore"):
        assert np.isnan(mask_on_weights(Q, K, V, mask, renormalise=True)[0]).all()
    assert_array_equal(reference.masked_attention(Q, K, V, mask)[0], [[3.0]])


def test_leak_meter_says_what_leaks(tokens):
    mask = reference.causal_mask(5)
    attends = {
        "before": self_attention(reference.masked_attention, mask),
        "after": self_attention(mask_on_weights, mask),
    }
    figure = leak_meter(attends, tokens, mask, labels="abcde", title="Leak meter", alt="Two places for a mask.")
    before, after = figure.alt.split("after: ")
    assert "Two places for a mask." in before
    assert "nothing leaks" in before
    assert "a leak of up to" in after
    moved = leakage(attends["after"], tokens)
    assert f"Changing e moves the output of a by {moved[4, 0]:.3g}, b by {moved[4, 1]:.3g}" in after
    assert "Changing a" not in after  # every output may see the first token


def test_leak_meter_with_padding(tokens):
    mask = np.broadcast_to(np.array([True, True, True, True, False]), (5, 5))
    attends = {
        "before": self_attention(reference.masked_attention, mask),
        "after": self_attention(mask_on_weights, mask),
    }
    figure = leak_meter(attends, tokens, mask)
    # Output 4 is left out: the padded token is its own query, which may always matter.
    first, second, *_ = figure.alt.splitlines()
    assert first == "before: nothing leaks."
    assert second == "Changing 4 moves the output of 0 by 0, 1 by 0, 2 by 0, 3 by 0."
    assert figure.png.startswith(b"\x89PNG")
