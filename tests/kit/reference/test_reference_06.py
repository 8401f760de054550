"""The reference functions of unit 06 against slow loops, SciPy and central differences."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import integrate, stats

from transformer_kit import reference
from transformer_kit.numerical import numerical_gradient
from transformer_kit.parameters import FeedForwardParams, init_feed_forward

D_MODEL, D_FF = 4, 7


def network(seed=0, d_model=D_MODEL, d_ff=D_FF):
    return init_feed_forward(np.random.default_rng(seed), d_model, d_ff, noise=0.5)


def tokens(*shape, seed=1):
    return np.random.default_rng(seed).standard_normal(shape)


def in_float32(params):
    return FeedForwardParams(*(p.astype(np.float32) for p in params))


def ffn_of_one_vector(x, params, activation):
    """Equation 2 of the paper, number by number."""
    W_1, b_1, W_2, b_2 = params
    hidden = [activation(sum(x[j] * W_1[j, i] for j in range(len(x))) + b_1[i]) for i in range(len(b_1))]
    return [sum(hidden[i] * W_2[i, k] for i in range(len(hidden))) + b_2[k] for k in range(len(b_2))]


def test_relu():
    assert_array_equal(reference.relu(np.array([-2.0, -0.5, 0.0, 0.5, 3.0])), [0.0, 0.0, 0.0, 0.5, 3.0])
    x = tokens(2, 3, 5)
    assert_array_equal(reference.relu(x).ravel(), [max(0.0, number) for number in x.ravel()])


def test_gelu_by_hand():
    """x times the probability of a smaller standard normal number: one half at 0, 0.8413 at 1."""
    assert_allclose(reference.gelu(np.array([0.0, 1.0, -1.0])), [0.0, 0.841344746, -0.158655254], atol=1e-9)


def test_gelu_agrees_with_scipy_and_the_integral():
    x = 2 * tokens(3, 5)
    assert_allclose(reference.gelu(x), x * stats.norm.cdf(x), atol=1e-12)
    for number in (-2.5, 0.3, 1.7):
        area, _ = integrate.quad(lambda t: math.exp(-t * t / 2) / math.sqrt(2 * math.pi), -12, number)
        assert reference.gelu(np.array(number)) == pytest.approx(number * area, abs=1e-9)


def test_gelu_of_large_numbers():
    assert_allclose(reference.gelu(np.array([-1000.0, -50.0, 50.0, 1000.0])), [0.0, 0.0, 50.0, 1000.0], atol=1e-12)


@pytest.mark.parametrize("activation", [reference.relu, reference.gelu, np.tanh])
def test_position_wise_ffn_against_a_loop(activation):
    X, params = tokens(2, 3, 5, D_MODEL), network()
    expected = [ffn_of_one_vector(x, params, activation) for x in X.reshape(-1, D_MODEL)]
    output = reference.position_wise_ffn(X, params, activation)
    assert_allclose(output, np.reshape(expected, X.shape), atol=1e-12, strict=True)


def test_position_wise_ffn_uses_relu_by_default():
    X, params = tokens(5, D_MODEL), network()
    expected = reference.position_wise_ffn(X, params, reference.relu)
    assert_array_equal(reference.position_wise_ffn(X, params), expected)


def test_position_wise_ffn_is_position_wise():
    X, params = tokens(5, D_MODEL), network()
    order = [3, 0, 4, 1, 2]
    output = reference.position_wise_ffn(X, params)
    assert_allclose(reference.position_wise_ffn(X[order], params), output[order], atol=1e-12)
    assert_allclose(reference.position_wise_ffn(X[2:3], params), output[2:3], atol=1e-12)


def test_collapse_linear_is_the_network_without_its_activation():
    X, params = tokens(2, 5, D_MODEL), network()
    W, b = reference.collapse_linear(params)
    assert (W.shape, b.shape) == ((D_MODEL, D_MODEL), (D_MODEL,))
    assert_allclose(X @ W + b, reference.position_wise_ffn(X, params, lambda hidden: hidden), atol=1e-12)


def test_collapse_linear_by_hand():
    params = FeedForwardParams(np.array([[1, 2, 0]]), np.array([1, 0, 2]), np.array([[3], [1], [4]]), np.array([5]))
    W, b = reference.collapse_linear(params)
    assert_array_equal(W, [[5.0]])
    assert_array_equal(b, [16.0])
    assert W.dtype == b.dtype == np.float64


@pytest.mark.parametrize("leading", [(), (2,), (2, 3)])
def test_ffn_backward_against_central_differences(leading):
    params, X, d_output = network(3, 3, 5), tokens(*leading, 2, 3, seed=7), tokens(*leading, 2, 3, seed=5)
    assert np.abs(X @ params.W_1 + params.b_1).min() > 1e-4  # no kink within a step

    def loss(X, *params):
        return (d_output * reference.position_wise_ffn(X, FeedForwardParams(*params))).sum()

    dX, d_params = reference.ffn_backward(d_output, X, params)
    assert isinstance(d_params, FeedForwardParams)
    given = [X, *params]
    for place, gradient in enumerate([dX, *d_params]):

        def of_one(value, place=place):
            return loss(*given[:place], value, *given[place + 1 :])

        assert_allclose(gradient, numerical_gradient(of_one, given[place]), atol=1e-7, strict=True)


def test_ffn_backward_at_the_kink():
    """Where the hidden layer is exactly 0 before the activation, nothing passes."""
    params = FeedForwardParams(np.array([[1.0, 1.0]]), np.array([0.0, -2.0]), np.array([[3.0], [4.0]]), np.array([0.0]))
    dX, d_params = reference.ffn_backward(np.array([[1.0], [1.0]]), np.array([[0.0], [2.0]]), params)
    assert_array_equal(dX, [[0.0], [3.0]])
    assert_array_equal(d_params.b_1, [1.0 * 3.0, 0.0])
    assert_array_equal(d_params.b_2, [2.0])


@pytest.mark.parametrize(("d_model", "d_ff"), [(512, 2048), (6, 10)])
def test_count_layer_parameters_counts_what_the_initialisers_make(d_model, d_ff):
    from transformer_kit.parameters import init_attention

    rng = np.random.default_rng(0)
    made = (init_attention(rng, d_model, 2), init_feed_forward(rng, d_model, d_ff))
    counts = reference.count_layer_parameters(d_model, d_ff)
    assert counts == tuple(sum(array.size for array in params) for params in made)
    assert all(type(count) is int for count in counts)


def test_two_thirds_of_the_base_model():
    attention, ffn = reference.count_layer_parameters(512, 2048)
    assert (attention, ffn) == (1_048_576, 2_099_712)
    assert ffn / (attention + ffn) == pytest.approx(2 / 3, abs=0.001)


def test_swiglu_against_a_loop():
    X = tokens(2, 5, D_MODEL)
    W_gate, W_up, W_down = (tokens(*size, seed=6) for size in ((D_MODEL, D_FF), (D_MODEL, D_FF), (D_FF, D_MODEL)))
    W_up = W_up[::-1]  # not the same as W_gate
    expected = np.zeros(X.shape)
    for place in np.ndindex(2, 5):
        for i in range(D_FF):
            gate, up = X[place] @ W_gate[:, i], X[place] @ W_up[:, i]
            expected[place] += gate / (1 + math.exp(-gate)) * up * W_down[i]
    assert_allclose(reference.swiglu(X, W_gate, W_up, W_down), expected, atol=1e-12)


def test_swiglu_by_hand_and_far_out():
    """SiLU is 0 at -1000 and the identity at 1000; ln 3 has the logistic sigmoid 3/4."""
    gate = np.array([[math.log(3)], [1000.0], [-1000.0]])
    one = np.ones((1, 1))
    assert_allclose(reference.swiglu(gate, one, one, one)[0], 0.75 * math.log(3) ** 2)
    assert_allclose(reference.swiglu(gate, one, one, one)[1:], [[1e6], [0.0]], atol=1e-12)


X32, P32 = tokens(2, 5, D_MODEL).astype(np.float32), in_float32(network())
CALLS = {
    "relu": (X32,),
    "gelu": (X32,),
    "position_wise_ffn": (X32, P32),
    "collapse_linear": (P32,),
    "ffn_backward": (X32, X32, P32),
    "swiglu": (X32, P32.W_1, P32.W_1, P32.W_2),
}


def arrays(value):
    return [value] if isinstance(value, np.ndarray) else [array for part in value for array in arrays(part)]


@pytest.mark.parametrize("name", CALLS)
def test_precision_is_kept_and_arguments_are_left_alone(name):
    args = CALLS[name]
    before = [array.copy() for array in arrays(args)]
    results = arrays(getattr(reference, name)(*args))
    assert {result.dtype for result in results} == {np.dtype(np.float32)}
    assert not any(np.may_share_memory(result, array) for result in results for array in arrays(args))
    for array, copy in zip(arrays(args), before, strict=True):
        assert_array_equal(array, copy)


@pytest.mark.parametrize("function", [reference.relu, reference.gelu])
def test_whole_numbers_become_float64(function):
    x = np.array([[-1, 0, 2]])
    assert_array_equal(function(x), function(x.astype(float)), strict=True)


def test_counting_network_by_hand():
    """The exclusive or of two bits, and whether three are all alike."""

    def said(n_bits, counts):
        rows = np.array(list(itertools.product((0, 1), repeat=n_bits)))
        return reference.position_wise_ffn(rows, reference.counting_network(n_bits, counts))[:, 0]

    assert_array_equal(said(2, (1,)), [0, 1, 1, 0])
    assert_array_equal(said(3, (3, 0)), [1, 0, 0, 0, 0, 0, 0, 1])
