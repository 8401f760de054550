"""The worked examples of unit 03 and its leak meter."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from transformer_kit import reference
from transformer_kit.examples.attention import POEM
from transformer_kit.examples.masks import BATCH, FOUR_TOKENS, MASKED_POEM, POEM_MASK, TWO_TOKENS, UNIFORM
from transformer_kit.experiments.leaks import mask_on_weights
from transformer_kit.experiments.whole_model.ablations import replaced
from transformer_kit.experiments.whole_model.activations import trace
from transformer_kit.experiments.whole_model.greedy import greedy_by_parts, words_before_end
from transformer_kit.experiments.whole_model.one_change import count_right, cross_attention_to_padding, trial
from transformer_kit.experiments.whole_model.one_sentence import decoder_at_work
from transformer_kit.trained.model import load_model
from transformer_kit.trained.recorded import load_recording

SIX_DECIMALS = {"rtol": 0, "atol": 6e-7}


def test_two_tokens():
    e = TWO_TOKENS
    weights = reference.masked_softmax(e.scores, e.mask)
    assert_array_equal(e.mask, reference.causal_mask(2))
    assert_allclose(weights, e.weights, **SIX_DECIMALS)
    assert_allclose(weights @ e.V, e.output, **SIX_DECIMALS)
    assert_allclose(reference.softmax(e.scores), e.unmasked_weights, **SIX_DECIMALS)


def test_the_printed_second_row_contradicts_the_scores():
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


def test_renormalising_fails_where_the_visible_weights_underflow():
    Q, K, V = np.array([[1.0]]), np.array([[0.0], [1000.0]]), np.array([[3.0], [5.0]])
    mask = np.array([[True, False]])
    with np.errstate(invalid="ignore"):
        assert np.isnan(mask_on_weights(Q, K, V, mask, renormalise=True)[0]).all()
    assert_array_equal(reference.masked_attention(Q, K, V, mask)[0], [[3.0]])


def test_four_tokens():
    e, mask = FOUR_TOKENS, reference.causal_mask(4)
    P = e.X @ e.W.T
    assert_allclose(P, e.projections, **SIX_DECIMALS)
    for vectors, output, weights in (
        (P, e.output, e.weights),
        (e.printed_projections, e.output_of_printed, e.weights_of_printed),
    ):
        found = reference.masked_attention(vectors, vectors, vectors, mask)
        assert_allclose(found[0], output, **SIX_DECIMALS)
        assert_allclose(found[1], weights, **SIX_DECIMALS)


def test_what_is_wrong_with_the_printed_four_tokens():
    e = FOUR_TOKENS
    assert np.abs(e.printed_projections - e.projections).min() > 0.01  # more than rounding can do
    assert not np.allclose(e.printed_products, e.printed_products.T)
    assert e.printed_output[2, 1] < e.printed_projections[:3, 1].min()
    assert e.printed_output[3, 0] < e.printed_projections[:, 0].min()


def test_a_large_negative_number_that_vanishes():
    """What `all-hidden` says of a row in which everything is hidden, and of each number type."""
    scores = np.array([1.0, 2.0, 5.0])
    assert_allclose(reference.softmax(scores - 1e9), reference.softmax(scores), rtol=1e-6)
    assert_allclose(reference.softmax(np.full(3, -1e9)), np.full(3, 1 / 3))
    single = scores.astype(np.float32) + np.float32(-1e9)
    assert_allclose(reference.softmax(single), np.full(3, 1 / 3), rtol=1e-6)
    assert np.spacing(np.float32(1e9)) == 64
    with np.errstate(over="ignore"):
        assert np.isneginf(np.float16(-1e9))


def test_the_recorded_runs():
    """What the opening says: both losses, and that the better one belongs to the model that writes nothing."""
    runs = load_recording("leaking")
    assert runs.steps[-1] == 1000
    assert runs.development_loss[:, -1].round(3).tolist() == np.float32([0.287, 0.017]).tolist()
    assert (200 * runs.share_right[:, -1]).round().tolist() == [157, 0]
    assert (runs.written[1] == "").all()
    at_200 = runs.steps.tolist().index(200)
    assert runs.development_loss[1, at_200] < runs.development_loss[0, at_200] / 10
    assert runs.share_right[0, at_200] > 0.1


def one_too_far(n):
    return reference.causal_mask(n + 1)[1:, :n]


def test_an_off_by_one_mask_is_easily_found():
    assert count_right(causal_mask=one_too_far) == 31
    model = load_model(dtype=np.float64)
    found = [
        reference.first_leak(decoder, X)
        for X, decoder in (
            decoder_at_work("The red car is new.", model, m) for m in (reference.causal_mask, one_too_far)
        )
    ]
    assert found == [None, 0]


def places_of(name, functions):
    """Return the weights of a part of the trained model, and where English padding is among their keys."""
    source_ids, is_token = trial()._source
    return trace(source_ids, is_token, trial()._target, trial().model, functions)[f"{name}.weights"], ~is_token


def share_on_padding(name, functions, queries):
    """Return the mean weight that the padding gets from those queries that are words."""
    weights, is_padding = places_of(name, functions)
    shares = (weights * is_padding[:, None, None]).sum(axis=-1).mean(axis=1)  # (B, n_queries)
    return shares[queries].mean()


def test_the_padding_costs_more_where_the_decoder_looks():
    assert (~trial()._source[1]).mean() == pytest.approx(0.5, abs=0.02)
    assert count_right() == 39
    assert count_right(padding_mask=lambda is_token: None) == 32
    assert count_right(cross_attention=cross_attention_to_padding) == 4
    open_encoder = replaced(reference, padding_mask=lambda is_token: None)
    open_decoder = replaced(reference, cross_attention=cross_attention_to_padding)
    shares = [
        share_on_padding("encoder.1.attention", open_encoder, trial()._source[1]),
        share_on_padding("decoder.0.cross_attention", open_decoder, trial()._is_written),
        share_on_padding("decoder.1.cross_attention", open_decoder, trial()._is_written),
    ]
    assert_allclose(shares, 1 / 3, rtol=0, atol=0.04)


def spanish_of(functions):
    """Return for every sentence what the changed model writes, and what is right."""
    written = greedy_by_parts(*trial()._source, trial().model, functions)[:, 1:].tolist()
    return [
        (words_before_end(row, trial().model.target_words), right)
        for row, right in zip(written, trial()._right, strict=True)
    ]


def test_a_decoder_that_sees_padding_goes_on_writing():
    found = spanish_of(replaced(reference, cross_attention=cross_attention_to_padding))
    begun_well = [any(words[:4] == translation[:4] for translation in right) for words, right in found]
    longer = [len(words) > max(map(len, right)) for words, right in found]
    assert sum(begun_well) > 20
    assert sum(longer) > 20


def looking_back(is_token):
    return reference.padding_mask(is_token) & reference.causal_mask(is_token.shape[-1])


def test_an_encoder_that_may_not_look_ahead():
    assert count_right(padding_mask=looking_back) == 19
    found = [" ".join(words) for words, _ in spanish_of(replaced(reference, padding_mask=looking_back))]
    assert "¿ dónde están los pueblos grande ?" in found
    assert "a Marta le gusta correr a la biblioteca hermosa ." in found
    assert "¿ olvidan Laura y Elena maletas ?" in found


def test_the_decoder_at_work_matches_the_model():
    """With the right mask, what comes out of the last layer gives the words that the model writes."""
    model = load_model(dtype=np.float64)
    X, decoder = decoder_at_work("The red car is new.", model, reference.causal_mask)
    ids = (decoder(X) @ model.target_embedding.T).argmax(axis=-1)
    assert [model.target_words[i] for i in ids] == ["el", "coche", "rojo", "es", "nuevo", ".", "<eos>"]
