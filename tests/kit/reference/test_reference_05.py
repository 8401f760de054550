"""The reference functions of unit 05 against slow loops, SciPy, and cases that can be checked by hand."""

import math

import numpy as np
import pytest
from scipy.stats import entropy as scipy_entropy

from transformer_kit import reference
from transformer_kit.parameters import AttentionParams, init_attention

RNG = np.random.default_rng(2014)
B, H, N_TARGET, N_SOURCE, D_MODEL, D_K, D_V = 2, 3, 5, 7, 8, 4, 6
PARAMS = init_attention(RNG, D_MODEL, H, D_K, D_V)
X = RNG.standard_normal((B, N_TARGET, D_MODEL))
MEMORY = RNG.standard_normal((B, N_SOURCE, D_MODEL))
IS_TOKEN = np.arange(N_SOURCE) < np.array([[7], [4]])


def loop_cross_attention(x, memory, is_token):
    """One sentence, one head, one target position and one source token at a time, in plain Python numbers."""
    weights = np.zeros((H, len(x), len(memory)))
    heads = np.zeros((len(x), H * D_V))
    for h, t in np.ndindex(H, len(x)):
        query = x[t] @ PARAMS.W_Q[:, h * D_K : (h + 1) * D_K]
        real = [s for s in range(len(memory)) if is_token[s]]
        keys = {s: memory[s] @ PARAMS.W_K[:, h * D_K : (h + 1) * D_K] for s in real}
        parts = {s: math.exp(sum(a * b for a, b in zip(query, keys[s], strict=True)) / math.sqrt(D_K)) for s in real}
        for s in real:
            weights[h, t, s] = parts[s] / sum(parts.values())
            value = memory[s] @ PARAMS.W_V[:, h * D_V : (h + 1) * D_V]
            heads[t, h * D_V : (h + 1) * D_V] += weights[h, t, s] * value
    return heads @ PARAMS.W_O, weights


def test_context_vector_by_hand():
    keys = np.array([[0, 7, 7, 7], [math.log(2), 7, 7, 7], [math.log(5), 7, 7, 7]])
    context, weights = reference.context_vector(np.array([2, 0, 0, 0]), keys, np.array([[8, 0], [0, 4], [8, -8]]))
    np.testing.assert_allclose(weights, [1 / 8, 2 / 8, 5 / 8])
    np.testing.assert_allclose(context, [6, -4])


def test_context_vectors_stacked_are_attention():
    Q, keys, values = (RNG.standard_normal(shape) for shape in ((5, 4), (7, 4), (7, 3)))
    pairs = [reference.context_vector(query, keys, values) for query in Q]
    output, weights = reference.scaled_dot_product_attention(Q, keys, values)
    np.testing.assert_allclose([context for context, _ in pairs], output, rtol=1e-13)
    np.testing.assert_allclose([row for _, row in pairs], weights, rtol=1e-13)


def test_context_vector_of_large_scores():
    context, weights = reference.context_vector(np.array([1000.0]), np.array([[1.0], [-1.0]]), np.array([[3.0], [5.0]]))
    np.testing.assert_array_equal(weights, [1, 0])
    np.testing.assert_array_equal(context, [3])


def test_project_memory_by_hand():
    params = AttentionParams(np.eye(2), np.diag([1, 3]), np.array([[0, 1], [1, 0]]), np.eye(2))
    K, V = reference.project_memory(np.array([[1, 2], [3, 4], [5, 6]]), params, 2)
    np.testing.assert_array_equal(K[..., 0], [[1, 3, 5], [6, 12, 18]])
    np.testing.assert_array_equal(V[..., 0], [[2, 4, 6], [1, 3, 5]])


def test_project_memory_head_by_head():
    K, V = reference.project_memory(MEMORY, PARAMS, H)
    assert K.shape == (B, H, N_SOURCE, D_K)
    assert V.shape == (B, H, N_SOURCE, D_V)
    for b, h, s in np.ndindex(B, H, N_SOURCE):
        np.testing.assert_allclose(K[b, h, s], (MEMORY[b, s] @ PARAMS.W_K)[h * D_K : (h + 1) * D_K], rtol=1e-12)
        np.testing.assert_allclose(V[b, h, s], (MEMORY[b, s] @ PARAMS.W_V)[h * D_V : (h + 1) * D_V], rtol=1e-12)


@pytest.mark.parametrize("is_token", [None, IS_TOKEN], ids=["no padding", "padding"])
def test_cross_attention_is_the_slow_loop(is_token):
    output, weights = reference.cross_attention(X, MEMORY, PARAMS, H, is_token)
    for b in range(B):
        visible = np.ones(N_SOURCE, dtype=bool) if is_token is None else is_token[b]
        slow_output, slow_weights = loop_cross_attention(X[b], MEMORY[b], visible)
        np.testing.assert_allclose(output[b], slow_output, rtol=1e-11, atol=1e-13)
        np.testing.assert_allclose(weights[b], slow_weights, rtol=1e-11, atol=1e-14)


def test_cross_attention_is_attention_with_two_inputs():
    mask = reference.padding_mask(IS_TOKEN)
    expected = reference.multi_head_attention(X, MEMORY, PARAMS, H, mask)
    for got, want in zip(reference.cross_attention(X, MEMORY, PARAMS, H, IS_TOKEN), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-13)


def test_cross_attention_without_any_source_token():
    output, weights = reference.cross_attention(X, MEMORY, PARAMS, H, np.zeros((B, N_SOURCE), dtype=bool))
    assert not output.any()
    assert not weights.any()


def test_cross_attention_of_several_hypotheses_with_one_source():
    """A memory without the leading axes of the decoder states serves all of them."""
    output, _ = reference.cross_attention(X, MEMORY[0], PARAMS, H)
    np.testing.assert_allclose(output[1], reference.cross_attention(X[1], MEMORY[0], PARAMS, H)[0], rtol=1e-13)


def test_alignment_by_hand():
    best, entropy = reference.alignment(np.array([[[0.75, 0.25, 0.0]], [[0.25, 0.25, 0.5]]]))
    assert best.tolist() == [0]
    np.testing.assert_allclose(entropy, [1.5 * math.log(2)])


def test_alignment_is_scipys_entropy():
    weights = reference.softmax(RNG.standard_normal((B, H, N_TARGET, N_SOURCE)))
    weights[1, :, :, 5:] = 0
    weights /= weights.sum(axis=-1, keepdims=True)
    best, entropy = reference.alignment(weights)
    mean = weights.mean(axis=1)
    np.testing.assert_allclose(entropy, scipy_entropy(mean, axis=-1), rtol=1e-12)
    assert best.dtype == np.int64
    for b, t in np.ndindex(B, N_TARGET):
        assert best[b, t] == mean[b, t].tolist().index(max(mean[b, t]))


def test_alignment_of_ties_and_zeros():
    weights = np.array([[[0.25, 0.5, 0.25], [0, 0, 1]], [[0.25, 0.25, 0.5], [0, 0, 1]]])
    best, entropy = reference.alignment(weights)
    assert best.tolist() == [1, 2]
    assert entropy[1] == 0


def test_translation_masks_entry_by_entry():
    source, target = IS_TOKEN, np.array([[True, True, True], [False, True, True]])
    encoder, decoder, cross = reference.translation_masks(source, target)
    assert (encoder.shape, decoder.shape, cross.shape) == ((2, 1, 7), (2, 3, 3), (2, 1, 7))
    for b, i, j in np.ndindex(2, 3, 3):
        assert decoder[b, i, j] == (j <= i and target[b, j])
    np.testing.assert_array_equal(encoder[:, 0], source)
    np.testing.assert_array_equal(cross[:, 0], source)
    assert {mask.dtype for mask in (encoder, decoder, cross)} == {np.dtype(bool)}


def test_the_masks_fit_the_attentions():
    target_is_token = np.arange(N_TARGET) < np.array([[5], [3]])
    encoder, decoder, cross = reference.translation_masks(IS_TOKEN, target_is_token)
    _, weights = reference.multi_head_attention(MEMORY, MEMORY, PARAMS, H, encoder)
    assert not weights[1, ..., 4:].any()
    _, weights = reference.multi_head_attention(X, X, PARAMS, H, decoder)
    assert not np.triu(weights, 1).any()
    assert not weights[1, ..., 3:].any()
    by_mask = reference.multi_head_attention(X, MEMORY, PARAMS, H, cross)[0]
    np.testing.assert_allclose(by_mask, reference.cross_attention(X, MEMORY, PARAMS, H, IS_TOKEN)[0], rtol=1e-13)


def test_float32_stays_float32():
    x, memory = X.astype(np.float32), MEMORY.astype(np.float32)
    params = AttentionParams(*(W.astype(np.float32) for W in PARAMS))
    results = (
        *reference.context_vector(x[0, 0], memory[0], memory[0]),
        *reference.project_memory(memory, params, H),
        *reference.cross_attention(x, memory, params, H, IS_TOKEN),
        reference.alignment(reference.softmax(RNG.standard_normal((H, 4, 5)).astype(np.float32)))[1],
    )
    assert {result.dtype for result in results} == {np.dtype(np.float32)}


def test_inputs_are_left_alone():
    arguments = X.copy(), MEMORY.copy(), IS_TOKEN.copy()
    reference.cross_attention(X, MEMORY, PARAMS, H, IS_TOKEN)
    reference.translation_masks(IS_TOKEN, IS_TOKEN)
    for before, after in zip(arguments, (X, MEMORY, IS_TOKEN), strict=True):
        np.testing.assert_array_equal(before, after)


def test_misleading_weights_by_hand():
    """Of three words the second has 60 of 62 parts; the others bring 300 and -300, and without one of them 300 / 61."""
    query, keys, values = reference.misleading_weights(3, 1, 2)
    context, weights = reference.context_vector(query, keys, values)
    np.testing.assert_allclose(weights, [1 / 62, 60 / 62, 1 / 62])
    np.testing.assert_allclose(context, [0], atol=1e-12)
    np.testing.assert_allclose(reference.context_vector(query, keys[[0, 2]], values[[0, 2]])[0], [0], atol=1e-12)
    np.testing.assert_allclose(reference.context_vector(query, keys[:2], values[:2])[0], [-300 / 61])
