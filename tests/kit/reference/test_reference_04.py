"""Unit 04's reference functions against slow loops and cases to check by hand."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from transformer_kit import reference
from transformer_kit.parameters import AttentionParams, init_attention

B, H, N_QUERIES, N_KEYS, D_MODEL, D_K, D_V = 2, 3, 5, 7, 12, 4, 6
RNG = np.random.default_rng(3017)
X_QUERY = RNG.standard_normal((B, N_QUERIES, D_MODEL))
X_MEMORY = RNG.standard_normal((B, N_KEYS, D_MODEL))
PARAMS = init_attention(RNG, D_MODEL, H, D_K, D_V)
MASK = RNG.random((B, N_QUERIES, N_KEYS)) > 0.4
MASK[0, 2] = False
MASK[1, 3] = True


def labelled(n, d):
    """100 times the token plus the channel: the tensor that shows where every number went."""
    return 100 * np.arange(n)[:, None] + np.arange(d)


def loop_attention(X_query, X_memory, params, n_heads, mask=None):
    """One sequence, one head and one query at a time, in plain Python numbers."""
    W_Q, W_K, W_V, W_O = params
    d_k, d_v = W_Q.shape[1] // n_heads, W_V.shape[1] // n_heads
    n_queries, n_keys = len(X_query), len(X_memory)
    output, weights = np.zeros((n_queries, W_O.shape[1])), np.zeros((n_heads, n_queries, n_keys))
    for h, i in np.ndindex(n_heads, n_queries):
        visible = [j for j in range(n_keys) if mask is None or mask[i, j]]
        parts = {}
        for j in visible:
            query = [X_query[i] @ W_Q[:, h * d_k + c] for c in range(d_k)]
            key = [X_memory[j] @ W_K[:, h * d_k + c] for c in range(d_k)]
            parts[j] = math.exp(sum(a * b for a, b in zip(query, key, strict=True)) / math.sqrt(d_k))
        for j in visible:
            weights[h, i, j] = parts[j] / sum(parts.values())
            for c in range(d_v):  # head h speaks through its own rows of W_O
                output[i] += weights[h, i, j] * (X_memory[j] @ W_V[:, h * d_v + c]) * W_O[h * d_v + c]
    return output, weights


def test_split_heads_on_the_labelled_tensor():
    """By hand: every head gets its own columns, of all tokens."""
    heads = reference.split_heads(labelled(2, 6), 3)
    assert_array_equal(heads, [[[0, 1], [100, 101]], [[2, 3], [102, 103]], [[4, 5], [104, 105]]])


@pytest.mark.parametrize("n_heads", [1, 2, 3, 6])
@pytest.mark.parametrize("lead", [(), (5,), (2, 5)])
def test_split_heads_is_a_slice_per_head(lead, n_heads):
    X = RNG.standard_normal((*lead, 4, 6))
    heads = reference.split_heads(X, n_heads)
    width = 6 // n_heads
    assert heads.shape == (*lead, n_heads, 4, width)
    for h in range(n_heads):
        assert_array_equal(heads[..., h, :, :], X[..., h * width : (h + 1) * width])


@pytest.mark.parametrize(("width", "n_heads"), [(13, 3), (7, 2), (6, 12)])
def test_split_heads_refuses_an_indivisible_width(width, n_heads):
    with pytest.raises(ValueError, match=rf"{width}.*{n_heads}"):
        reference.split_heads(np.zeros((4, width)), n_heads)


@pytest.mark.parametrize("lead", [(), (5,), (2, 5)])
def test_merge_heads_concatenates_and_undoes_split_heads(lead):
    heads = RNG.standard_normal((*lead, 3, 4, 7))
    merged = reference.merge_heads(heads)
    assert_array_equal(merged, np.concatenate([heads[..., h, :, :] for h in range(3)], axis=-1))
    assert_array_equal(reference.split_heads(merged, 3), heads)


@pytest.mark.parametrize("mask", [None, MASK], ids=["no mask", "mask"])
def test_multi_head_attention_is_the_slow_loop(mask):
    output, weights = reference.multi_head_attention(X_QUERY, X_MEMORY, PARAMS, H, mask)
    assert output.shape == (B, N_QUERIES, D_MODEL)
    assert weights.shape == (B, H, N_QUERIES, N_KEYS)
    for b in range(B):
        own_mask = None if mask is None else mask[b]
        slow_output, slow_weights = loop_attention(X_QUERY[b], X_MEMORY[b], PARAMS, H, own_mask)
        assert_allclose(output[b], slow_output, rtol=1e-11, atol=1e-13)
        assert_allclose(weights[b], slow_weights, rtol=1e-11, atol=1e-13)


def test_one_head_is_masked_attention_through_the_projections():
    params = init_attention(RNG, D_MODEL, 1, 5, 8)
    output, weights = reference.multi_head_attention(X_QUERY, X_MEMORY, params, 1, MASK)
    Q, K, V = X_QUERY @ params.W_Q, X_MEMORY @ params.W_K, X_MEMORY @ params.W_V
    plain_output, plain_weights = reference.masked_attention(Q, K, V, MASK)
    assert_allclose(weights[:, 0], plain_weights, rtol=1e-12)
    assert_allclose(output, plain_output @ params.W_O, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("mask", [MASK[0], MASK, MASK[:, :1], MASK[0, :1]], ids=lambda mask: str(mask.shape))
def test_one_mask_serves_all_heads(mask):
    """Masks of two axes and more, with an axis of length 1 for all queries."""
    output, weights = reference.multi_head_attention(X_QUERY, X_MEMORY, PARAMS, H, mask)
    hidden = ~np.broadcast_to(mask, MASK.shape)
    for h in range(H):
        assert (weights[:, h][hidden] == 0).all()
    assert_allclose(weights.sum(axis=-1), np.broadcast_to(~hidden.all(axis=-1)[:, None], weights.shape[:-1]))
    assert_array_equal(output[hidden.all(axis=-1)], 0)


def test_heads_may_be_permuted_with_their_rows():
    def exchanged(W, width, axis):
        return np.take(W, np.r_[2 * width : 3 * width, :width, width : 2 * width], axis=axis)

    W_Q, W_K, W_V, W_O = PARAMS
    other = AttentionParams(
        exchanged(W_Q, D_K, 1), exchanged(W_K, D_K, 1), exchanged(W_V, D_V, 1), exchanged(W_O, D_V, 0)
    )
    output, weights = reference.multi_head_attention(X_QUERY, X_MEMORY, PARAMS, H)
    other_output, other_weights = reference.multi_head_attention(X_QUERY, X_MEMORY, other, H)
    assert_allclose(other_output, output, rtol=1e-11, atol=1e-13)
    assert_allclose(other_weights, weights[:, [2, 0, 1]], rtol=1e-12)


@pytest.mark.parametrize("args", [(12, 3), (512, 8), (12, 3, 5), (12, 3, None, 5), (12, 3, 2, 7)])
def test_count_is_the_number_of_entries(args):
    d_model, n_heads, *widths = args
    count = reference.count_attention_parameters(*args)
    assert type(count) is int
    assert count == sum(W.size for W in init_attention(RNG, d_model, n_heads, *widths))


def test_count_does_not_depend_on_n_heads():
    assert {reference.count_attention_parameters(512, n_heads) for n_heads in (1, 2, 8, 64, 512)} == {4 * 512**2}
    assert reference.count_attention_parameters(512, 8, 64, 64) == 1_048_576  # the base model of the paper


@pytest.mark.parametrize("mask", [None, MASK[:, :1], np.tri(N_KEYS, dtype=bool)], ids=["no mask", "padding", "causal"])
def test_fused_is_the_unfused(mask):
    params = init_attention(RNG, D_MODEL, H)
    W_QKV = np.concatenate(params[:3], axis=1)
    fused = reference.fused_self_attention(X_MEMORY, W_QKV, params.W_O, H, mask)
    unfused = reference.multi_head_attention(X_MEMORY, X_MEMORY, params, H, mask)
    for one, other in zip(fused, unfused, strict=True):
        assert_allclose(one, other, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_precision_is_kept_and_inputs_are_not_touched(dtype):
    def cast(a):
        return a.astype(dtype)

    params = init_attention(RNG, D_MODEL, H)
    small = AttentionParams(*map(cast, params))
    given = [cast(X_QUERY), cast(X_MEMORY), *small, MASK]
    before = [a.copy() for a in given]
    results = [
        reference.split_heads(given[0], H),
        reference.merge_heads(reference.split_heads(given[0], H)),
        *reference.multi_head_attention(given[0], given[1], small, H, MASK),
        *reference.fused_self_attention(given[1], np.concatenate(small[:3], axis=1), small.W_O, H, MASK[:, :1]),
    ]
    assert {result.dtype for result in results} == {np.dtype(dtype)}
    for a, b in zip(given, before, strict=True):
        assert_array_equal(a, b)


def test_whole_numbers_become_float64():
    params = AttentionParams(*(np.round(3 * W).astype(int) for W in init_attention(RNG, D_MODEL, H)))
    X = np.round(2 * X_MEMORY).astype(int)
    output, weights = reference.multi_head_attention(X, X, params, H)
    fused, _ = reference.fused_self_attention(X, np.concatenate(params[:3], axis=1), params.W_O, H)
    assert output.dtype == weights.dtype == fused.dtype == np.float64
    assert_allclose(fused, output)


def test_before_minus_after_by_hand():
    """Of the words 5, 7 and 11, each one number, the middle one becomes 5 - 11 = -6."""
    tokens = np.hstack([np.array([[5.0], [7.0], [11.0]]), reference.positional_encoding(3, 2)])
    params = AttentionParams(*reference.before_minus_after(1, 2))
    output, weights = reference.multi_head_attention(tokens, tokens, params, 2)
    assert_allclose(weights[:, 1], [[1, 0, 0], [0, 0, 1]], atol=1e-9)
    assert_allclose(output[1], [-6, 0, 0], atol=1e-9)
