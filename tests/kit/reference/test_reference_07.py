"""The reference functions of unit 07 against slow loops, finite differences, cases by hand and the course's rules."""

import math

import numpy as np
import pytest

from tests.support.loops import loop_norm
from transformer_kit import reference
from transformer_kit.numerical import numerical_gradient
from transformer_kit.parameters import EncoderLayerParams, LayerNormParams, init_encoder_layer

RNG = np.random.default_rng(1607)
X = 2 * RNG.standard_normal((2, 3, 5)) + 0.5
GAMMA, BETA = 1 + 0.5 * RNG.standard_normal(5), RNG.standard_normal(5)
D_OUTPUT = RNG.standard_normal(X.shape)
D_MODEL, N_HEADS, D_FF = 12, 3, 20
TOKENS = RNG.standard_normal((2, 7, D_MODEL))
PARAMS = init_encoder_layer(RNG, D_MODEL, N_HEADS, D_FF, noise=0.3)
IS_TOKEN = np.array([[True] * 5 + [False] * 2, [True] * 6 + [False]])
MASK = reference.padding_mask(IS_TOKEN)
W = RNG.standard_normal((5, 5))


def sublayer(Z):
    return np.tanh(Z @ W)


@pytest.mark.parametrize("eps", [0.0, 1e-5, 0.1])
@pytest.mark.parametrize("shape", [(7,), (4, 7), (2, 3, 5), (2, 4, 3, 5)])
def test_layer_norm_is_the_slow_loop(shape, eps):
    rng = np.random.default_rng(len(shape))
    X, gamma, beta = rng.standard_normal(shape), rng.standard_normal(shape[-1]), rng.standard_normal(shape[-1])
    expected = loop_norm(X, gamma, beta, eps)
    np.testing.assert_allclose(reference.layer_norm(X, gamma, beta, eps), expected, rtol=1e-12, atol=1e-14)


def test_layer_norm_by_hand():
    """Mean 3, deviations 0, 4, -4, 0, mean square 8; with eps = 1 the divisor is 3."""
    result = reference.layer_norm(np.array([3.0, 7.0, -1.0, 3.0]), np.ones(4), np.zeros(4), eps=1.0)
    np.testing.assert_allclose(result, [0, 4 / 3, -4 / 3, 0], rtol=1e-15)


def test_a_constant_vector_becomes_beta():
    """Without a warning (warnings are errors here), also where the mean is not exact."""
    X = np.full((3, 5), 0.1)
    X[1] = 0.0
    np.testing.assert_allclose(reference.layer_norm(X, GAMMA, BETA), np.tile(BETA, (3, 1)), rtol=1e-12)


def test_shift_and_scale_of_a_token_cancel():
    plain = reference.layer_norm(X, GAMMA, BETA, eps=0.0)
    np.testing.assert_allclose(reference.layer_norm(40 * X - 7, GAMMA, BETA, eps=0.0), plain, rtol=1e-10)


def test_variance_after_the_norm():
    """It is var / (var + eps), a little below 1."""
    normed = reference.layer_norm(X, np.ones(5), np.zeros(5), eps=0.1)
    np.testing.assert_allclose(normed.var(axis=-1), X.var(axis=-1) / (X.var(axis=-1) + 0.1), rtol=1e-12)
    np.testing.assert_allclose(normed.mean(axis=-1), 0, atol=1e-14)


def test_post_norm_and_pre_norm_by_hand():
    """x = (1, 2, 3, 4); the sub-layer reverses and doubles."""
    x, one, zero = np.array([[1.0, 2.0, 3.0, 4.0]]), np.ones(4), np.zeros(4)

    def turned(Z):
        return 2 * Z[..., ::-1]

    slopes = np.array([-3.0, -1.0, 1.0, 3.0]) / math.sqrt(5)
    np.testing.assert_allclose(reference.post_norm(x, turned, one, zero, eps=0.0), [-slopes], rtol=1e-14)
    np.testing.assert_allclose(reference.pre_norm(x, turned, one, zero, eps=0.0), x - 2 * slopes, rtol=1e-14)


def test_post_norm_and_pre_norm_are_their_formulas():
    post = loop_norm(X + sublayer(X), GAMMA, BETA, 0.1)
    np.testing.assert_allclose(reference.post_norm(X, sublayer, GAMMA, BETA, 0.1), post, rtol=1e-12, atol=1e-14)
    pre = X + sublayer(loop_norm(X, GAMMA, BETA, 0.1))
    np.testing.assert_allclose(reference.pre_norm(X, sublayer, GAMMA, BETA, 0.1), pre, rtol=1e-12, atol=1e-14)


def test_a_zero_sublayer():
    """Pre-norm is then the identity, to the last bit; post-norm is the norm of the input."""
    np.testing.assert_array_equal(reference.pre_norm(X, np.zeros_like, GAMMA, BETA), X)
    normed = reference.layer_norm(X, GAMMA, BETA)
    np.testing.assert_array_equal(reference.post_norm(X, np.zeros_like, GAMMA, BETA), normed)


def loop_encoder_layer(X, params, is_token, norm_first, eps):
    """One sentence, one head and one query at a time."""
    attention, norm_1, ffn, norm_2 = params
    output = np.zeros(X.shape)
    for b, tokens in enumerate(X):
        Z = loop_norm(tokens, *norm_1, eps) if norm_first else tokens
        attended = np.zeros(tokens.shape)
        width = D_MODEL // N_HEADS
        for head in range(N_HEADS):
            part = slice(head * width, (head + 1) * width)
            for i in range(len(tokens)):
                query = Z[i] @ attention.W_Q[:, part]
                keys = [j for j in range(len(tokens)) if is_token[b, j]]
                dots = [query @ (Z[j] @ attention.W_K[:, part]) / math.sqrt(width) for j in keys]
                total = sum(map(math.exp, dots))
                for j, dot in zip(keys, dots, strict=True):
                    value = Z[j] @ attention.W_V[:, part]
                    attended[i] += math.exp(dot) / total * value @ attention.W_O[part]
        middle = tokens + attended if norm_first else loop_norm(tokens + attended, *norm_1, eps)
        Z = loop_norm(middle, *norm_2, eps) if norm_first else middle
        hidden = np.array([[max(0.0, float(h)) for h in row] for row in Z @ ffn.W_1 + ffn.b_1])
        total = middle + hidden @ ffn.W_2 + ffn.b_2
        output[b] = total if norm_first else loop_norm(total, *norm_2, eps)
    return output


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("eps", [1e-5, 0.1])
def test_encoder_layer_is_the_slow_loop(norm_first, eps):
    expected = loop_encoder_layer(TOKENS, PARAMS, IS_TOKEN, norm_first, eps)
    result = reference.encoder_layer(TOKENS, PARAMS, N_HEADS, MASK, norm_first, eps)
    np.testing.assert_allclose(result, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("norm_first", [False, True])
def test_encoder_layer_takes_any_leading_axes(norm_first):
    whole = reference.encoder_layer(TOKENS[None], PARAMS, N_HEADS, MASK[None], norm_first)
    for b in range(2):
        alone = reference.encoder_layer(TOKENS[b], PARAMS, N_HEADS, MASK[b], norm_first)
        np.testing.assert_allclose(whole[0, b], alone, rtol=1e-12, atol=1e-14)


def test_a_silent_encoder_layer():
    silent = EncoderLayerParams(*(type(part)(*map(np.zeros_like, part)) for part in PARAMS))
    kept = silent._replace(norm_1=PARAMS.norm_1, norm_2=PARAMS.norm_2)
    np.testing.assert_array_equal(reference.encoder_layer(TOKENS, kept, N_HEADS, norm_first=True), TOKENS)
    twice = reference.layer_norm(reference.layer_norm(TOKENS, *PARAMS.norm_1), *PARAMS.norm_2)
    np.testing.assert_array_equal(reference.encoder_layer(TOKENS, kept, N_HEADS), twice)


@pytest.mark.parametrize("eps", [1e-5, 0.1])
@pytest.mark.parametrize("shape", [(5,), (3, 5), (2, 3, 5)])
def test_layer_norm_backward_agrees_with_finite_differences(shape, eps):
    rng = np.random.default_rng(len(shape))
    X, d_output = rng.standard_normal(shape), rng.standard_normal(shape)

    def loss(X, gamma, beta):
        return (d_output * reference.layer_norm(X, gamma, beta, eps)).sum()

    gradients = reference.layer_norm_backward(d_output, X, GAMMA, eps)
    slopes = (
        numerical_gradient(lambda X: loss(X, GAMMA, BETA), X),
        numerical_gradient(lambda gamma: loss(X, gamma, BETA), GAMMA),
        numerical_gradient(lambda beta: loss(X, GAMMA, beta), BETA),
    )
    for gradient, slope in zip(gradients, slopes, strict=True):
        np.testing.assert_allclose(gradient, slope, atol=1e-8)
        assert gradient.shape == slope.shape


def test_layer_norm_backward_by_hand():
    """x = (3, 7, -1, 3), the loss is the second output: dx = (-1, 1, 1, -1) / (4 sqrt 8)."""
    d_output, x = np.array([0.0, 1.0, 0.0, 0.0]), np.array([3.0, 7.0, -1.0, 3.0])
    dX, d_gamma, d_beta = reference.layer_norm_backward(d_output, x, np.ones(4), eps=0.0)
    np.testing.assert_allclose(dX, np.array([-1, 1, 1, -1]) / (4 * math.sqrt(8)), rtol=1e-14)
    np.testing.assert_allclose(d_gamma, [0, math.sqrt(2), 0, 0], rtol=1e-14)
    np.testing.assert_array_equal(d_beta, d_output)


def test_rms_norm():
    """By hand, against layer norm on centred tokens, and on zeros."""
    hand = reference.rms_norm(np.array([[3.0, 4.0, 0.0, 0.0]]), np.array([1.0, 1.0, 1.0, 5.0]), eps=0.0)
    np.testing.assert_allclose(hand, [[1.2, 1.6, 0, 0]], rtol=1e-15)
    centred = X - X.mean(axis=-1, keepdims=True)
    expected = reference.layer_norm(X, GAMMA, np.zeros(5), 0.1)
    np.testing.assert_allclose(reference.rms_norm(centred, GAMMA, 0.1), expected, rtol=1e-12)
    np.testing.assert_array_equal(reference.rms_norm(np.zeros((3, 5)), GAMMA), np.zeros((3, 5)))


def calls(X, gamma, beta, d_output):
    """Call every function but the encoder layer, and return all the arrays that come back."""
    return (
        reference.layer_norm(X, gamma, beta),
        reference.post_norm(X, np.abs, gamma, beta),
        reference.pre_norm(X, np.abs, gamma, beta),
        *reference.layer_norm_backward(d_output, X, gamma),
        reference.rms_norm(X, gamma),
    )


def test_precision_is_kept_and_whole_numbers_become_float64():
    low = calls(*(a.astype(np.float32) for a in (X, GAMMA, BETA, D_OUTPUT)))
    assert {result.dtype for result in low} == {np.dtype(np.float32)}
    for result, exact in zip(low, calls(X, GAMMA, BETA, D_OUTPUT), strict=True):
        np.testing.assert_allclose(result, exact, rtol=1e-4, atol=1e-4)
    whole = RNG.integers(-9, 10, X.shape)
    for result, expected in zip(
        calls(whole, GAMMA, BETA, D_OUTPUT), calls(whole * 1.0, GAMMA, BETA, D_OUTPUT), strict=True
    ):
        np.testing.assert_array_equal(result, expected, strict=True)
    params = EncoderLayerParams(*(type(part)(*(a.astype(np.float32) for a in part)) for part in PARAMS))
    assert isinstance(params.norm_1, LayerNormParams)
    for norm_first in (False, True):
        result = reference.encoder_layer(TOKENS.astype(np.float32), params, N_HEADS, MASK, norm_first)
        assert result.dtype == np.float32


@pytest.mark.parametrize("shape", [(5,), (2, 3, 5)])
def test_inputs_are_left_alone(shape):
    rng = np.random.default_rng(0)
    arrays = rng.standard_normal(shape), GAMMA.copy(), BETA.copy(), rng.standard_normal(shape)
    before = [a.copy() for a in arrays]
    results = calls(*arrays)
    for array, copy in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, copy)
        assert not any(np.may_share_memory(array, result) for result in results)


def test_fold_norm_by_hand():
    """The token (1, 3) is normed to (-1, 1): times (2, 5) and plus 1 that is (-1, 6), and times (1, 10) it is 59."""
    ones, zeros = np.ones(2), np.zeros(2)
    W, b = reference.fold_norm(np.array([2.0, 5.0]), ones, np.array([[1.0], [10.0]]), np.array([0.5]))
    np.testing.assert_array_equal(W, [[2], [50]])
    np.testing.assert_array_equal(b, [11.5])
    normed = reference.layer_norm(np.array([1.0, 3.0]), ones, zeros, eps=0.0)
    np.testing.assert_allclose(normed @ W + b, [59.5])
