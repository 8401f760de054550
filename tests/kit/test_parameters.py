"""Parameter containers and their initial values."""

import numpy as np
import pytest

from transformer_kit import parameters as P

D_MODEL, N_HEADS, D_FF = 12, 3, 20


def shapes(params):
    return [shapes(each) if isinstance(each, tuple) else each.shape for each in params]


@pytest.fixture
def rng():
    return np.random.default_rng(5)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ({}, [(12, 12), (12, 12), (12, 12), (12, 12)]),
        ({"d_k": 5}, [(12, 15), (12, 15), (12, 12), (12, 12)]),
        ({"d_v": 7}, [(12, 12), (12, 12), (12, 21), (21, 12)]),
        ({"d_k": 5, "d_v": 7}, [(12, 15), (12, 15), (12, 21), (21, 12)]),
    ],
)
def test_attention_shapes(rng, sizes, expected):
    assert shapes(P.init_attention(rng, D_MODEL, N_HEADS, **sizes)) == expected


def test_layer_shapes(rng):
    attention, norm = [(12, 12)] * 4, [(12,)] * 2
    ffn = [(12, 20), (20,), (20, 12), (12,)]
    assert shapes(P.init_encoder_layer(rng, D_MODEL, N_HEADS, D_FF)) == [attention, norm, ffn, norm]
    decoder = P.init_decoder_layer(rng, D_MODEL, N_HEADS, D_FF)
    assert shapes(decoder) == [attention, norm, attention, norm, ffn, norm]
    assert not np.array_equal(decoder.self_attention.W_Q, decoder.cross_attention.W_Q)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (P.AttentionParams, "W_Q W_K W_V W_O"),
        (P.BiasedAttentionParams, "W_Q W_K W_V W_O b_Q b_K b_V b_O"),
        (P.FeedForwardParams, "W_1 b_1 W_2 b_2"),
        (P.LayerNormParams, "gamma beta"),
        (P.EncoderLayerParams, "attention norm_1 ffn norm_2"),
        (P.DecoderLayerParams, "self_attention norm_1 cross_attention norm_2 ffn norm_3"),
    ],
)
def test_fields_of_the_contract(kind, fields):
    assert kind._fields == tuple(fields.split())


def test_biased_attention_has_a_bias_for_each_matrix():
    sizes = {"d_model": D_MODEL, "n_heads": N_HEADS, "d_k": 5, "d_v": 2}
    plain = P.init_attention(np.random.default_rng(1), **sizes)
    for noise in (0.0, 0.5):
        biased = P.init_biased_attention(np.random.default_rng(1), **sizes, noise=noise)
        assert all(np.array_equal(one, other) for one, other in zip(plain, biased[:4], strict=True))
        assert [b.shape for b in biased[4:]] == [(W.shape[1],) for W in plain]
        assert all(b.all() == bool(noise) == b.any() for b in biased[4:])


def test_weights_fill_the_glorot_interval(rng):
    W = P.init_feed_forward(rng, 300, 500).W_1
    bound = np.sqrt(6 / 800)
    assert np.abs(W).max() <= bound
    assert np.abs(W).max() > 0.99 * bound
    assert abs(W.var() / (2 / 800) - 1) < 0.02


def test_start_of_biases_and_norms(rng):
    ffn, norm = P.init_feed_forward(rng, D_MODEL, D_FF), P.init_layer_norm(rng, D_MODEL)
    assert not ffn.b_1.any()
    assert not ffn.b_2.any()
    assert (norm.gamma == 1).all()
    assert not norm.beta.any()


def test_noise_reaches_every_bias_and_norm(rng):
    layer = P.init_decoder_layer(rng, D_MODEL, N_HEADS, D_FF, noise=0.1)
    for values, start in [(layer.ffn.b_1, 0), (layer.ffn.b_2, 0)] + [
        pair for norm in (layer.norm_1, layer.norm_2, layer.norm_3) for pair in ((norm.gamma, 1), (norm.beta, 0))
    ]:
        assert (values != start).all()
        assert np.abs(values - start).max() < 0.5


def test_same_seed_same_numbers():
    first, again, other = (P.init_attention(np.random.default_rng(seed), 8, 2) for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first.W_Q, other.W_Q)
    assert first.W_Q.dtype == np.float64


@pytest.mark.parametrize(
    ("call", "numbers"),
    [
        (lambda rng: P.init_attention(rng, 10, 4), ["10", "4"]),
        (lambda rng: P.init_attention(rng, 10, 4, d_k=3), ["10", "4"]),
        (lambda rng: P.init_attention(rng, 10, 0), ["n_heads", "0"]),
        (lambda rng: P.init_attention(rng, 4, 2, d_k=-1), ["d_k", "-1"]),
        (lambda rng: P.init_attention(rng, 4, 2, d_v=0), ["d_v", "0"]),
        (lambda rng: P.init_feed_forward(rng, 4, -2), ["d_ff", "-2"]),
        (lambda rng: P.init_layer_norm(rng, 0), ["d_model", "0"]),
        (lambda rng: P.init_encoder_layer(rng, 6, 4, 8), ["6", "4"]),
    ],
)
def test_offending_numbers_are_named(rng, call, numbers):
    with pytest.raises(ValueError, match=".*".join(numbers)):
        call(rng)


def test_indivisible_width_is_allowed_with_both_sizes_given(rng):
    assert P.init_attention(rng, 10, 4, d_k=3, d_v=5).W_O.shape == (20, 10)
