"""The reference functions of unit 11 against loops, cases by hand and the functions of earlier units."""

import numpy as np
import pytest

from transformer_kit import reference
from transformer_kit.parameters import AttentionParams, DecoderOnly, init_attention, init_encoder_layer

RNG = np.random.default_rng(1111)
H, D_MODEL = 3, 12
PARAMS = init_attention(RNG, D_MODEL, H, d_k=5, d_v=2)
X_QUERY, X_KEY = RNG.standard_normal((2, 4, D_MODEL)), RNG.standard_normal((2, 7, D_MODEL))
BY_HAND = AttentionParams(np.eye(2), np.eye(2), np.eye(2), np.array([[1.0, 0.0], [1.0, 1.0]]))


def weights_of(*shape):
    return reference.softmax(RNG.standard_normal(shape))


def test_next_token_logits_by_hand():
    two_tokens = DecoderOnly(np.array([[0.5, -0.5, 0.25, 0.0], [1, 0, 0, 0]]), (), 1)
    logits = reference.next_token_logits(np.array([[0, 1]]), two_tokens)
    np.testing.assert_allclose(logits, [[[0.625, 1], [1.1531, 2.8415]]], atol=5e-5)


def test_every_position_predicts_what_the_prefix_alone_does():
    """A causal model says the same of a prefix, whatever follows."""
    layers = tuple(init_encoder_layer(RNG, D_MODEL, H, 20, noise=0.3) for _ in range(2))
    model, ids = DecoderOnly(RNG.normal(scale=0.3, size=(9, D_MODEL)), layers, H), RNG.integers(0, 9, (2, 6))
    whole = reference.next_token_logits(ids, model)
    for n in range(1, 7):
        np.testing.assert_allclose(reference.next_token_logits(ids[:, :n], model)[:, -1], whole[:, n - 1], rtol=1e-10)
    assert whole.shape == (2, 6, 9)


def test_single_precision_stays():
    layers = (init_encoder_layer(RNG, D_MODEL, H, 20),)
    single = [type(p)(*(type(q)(*(a.astype(np.float32) for a in q)) for q in p)) for p in layers]
    model = DecoderOnly(RNG.standard_normal((9, D_MODEL)).astype(np.float32), tuple(single), H)
    assert reference.next_token_logits(np.array([[1, 2, 3]]), model).dtype == np.float32
    assert reference.attention_rollout(weights_of(2, 3, 4, 4).astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize("mask", [None, np.tri(4, 7, k=3, dtype=bool), RNG.random((2, 1, 7)) > 0.3])
def test_head_outputs_sum_to_the_output(mask):
    outputs = reference.head_outputs(X_QUERY, X_KEY, PARAMS, H, mask)
    expected, _ = reference.multi_head_attention(X_QUERY, X_KEY, PARAMS, H, mask)
    assert outputs.shape == (2, H, 4, D_MODEL)
    np.testing.assert_allclose(outputs.sum(axis=1), expected, rtol=1e-10, atol=1e-12)


def test_head_outputs_by_hand():
    outputs = reference.head_outputs(np.array([[1.0, 0.0]]), np.array([[3.0, 2.0]]), BY_HAND, 2)
    np.testing.assert_array_equal(outputs, [[[3, 0]], [[2, 2]]])


def test_silent_heads_add_nothing():
    before = reference.head_outputs(X_QUERY, X_KEY, PARAMS, H)
    for heads in ((), (0,), (2, 1), (0, 1, 2)):
        after = reference.head_outputs(X_QUERY, X_KEY, reference.without_heads(PARAMS, H, heads), H)
        for head in range(H):
            np.testing.assert_array_equal(after[:, head], 0 if head in heads else before[:, head])
    np.testing.assert_array_equal(reference.without_heads(BY_HAND, 2, (1,)).W_O, [[1, 0], [0, 0]])


def test_without_heads_makes_new_parameters():
    kept = PARAMS.W_O.copy()
    silent = reference.without_heads(PARAMS, H, (1,))
    np.testing.assert_array_equal(PARAMS.W_O, kept)
    assert not np.shares_memory(silent.W_O, PARAMS.W_O)


@pytest.mark.parametrize("head", [-1, 3, 17])
def test_heads_that_do_not_exist_are_refused(head):
    with pytest.raises(ValueError, match=f"no head {head}"):
        reference.without_heads(PARAMS, H, (0, head))


def test_logit_lens_by_hand_and_with_ties():
    table = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 1.0]])
    states = np.array([[[2.0, -1.0], [1.0, 3.0]], [[0.0, 0.0], [-1.0, -2.0]]])
    assert reference.logit_lens(states, table).tolist() == [[0, 2], [0, 0]]


def test_rollout_by_hand():
    weights = np.array([[[[0.5, 0.5], [0.0, 1.0]]], [[[1.0, 0.0], [0.5, 0.5]]]])
    np.testing.assert_allclose(reference.attention_rollout(weights), [[3 / 4, 1 / 4], [3 / 16, 13 / 16]])


def test_rollout_is_what_a_walk_down_comes_to():
    """From the top, half of the time stay, half of the time go where a random head looks."""
    weights, n = weights_of(3, 2, 4, 4), 4
    for top in range(n):
        share = np.eye(n)[top]
        for heads in weights[::-1]:
            share = sum(share[i] * (0.5 * np.eye(n)[i] + 0.5 * (heads[0, i] + heads[1, i]) / 2) for i in range(n))
        np.testing.assert_allclose(reference.attention_rollout(weights)[top], share, rtol=1e-12)


def test_ablation_table_by_hand():
    points, asked = {(): 10, (0,): 9, (1,): 10, (0, 1): 4}, []

    def score(heads):
        asked.append(heads)
        return points[heads]

    np.testing.assert_array_equal(reference.ablation_table(score, 2), [[1, 6], [6, 0]])
    assert sorted(asked) == sorted(points)
