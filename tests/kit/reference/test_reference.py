"""The reference functions against SciPy, against slow loops, and against the rules of every exercise."""

import inspect
import math
import re

import numpy as np
import pytest
from scipy import special

from transformer_kit import reference
from transformer_kit.numerical import numerical_gradient

RNG = np.random.default_rng(2017)
B, H, N_QUERIES, N_KEYS, D_K, D_V = 2, 3, 5, 7, 4, 6
Q = RNG.standard_normal((B, H, N_QUERIES, D_K))
K = RNG.standard_normal((B, H, N_KEYS, D_K))
V = RNG.standard_normal((B, H, N_KEYS, D_V))
MASK = RNG.random((B, 1, N_QUERIES, N_KEYS)) > 0.4
MASK[0, 0, 2] = False
MASK[1, 0, 3] = True


def test_softmax_is_scipys():
    """Along every axis, at any size of the numbers, with -inf."""
    x = RNG.standard_normal((2, 3, 5))
    for axis in (0, 1, -1):
        np.testing.assert_allclose(reference.softmax(x, axis), special.softmax(x, axis), rtol=1e-14)
    extreme = np.array([[1000.0, 999.0, -np.inf], [-1000.0, -1001.0, -1000.0]])
    np.testing.assert_allclose(reference.softmax(extreme), special.softmax(extreme, axis=-1), rtol=1e-13)


def loop_attention(Q, K, V, mask):
    """One query and one head at a time, in plain Python numbers."""
    output, weights = np.zeros((*Q.shape[:-1], V.shape[-1])), np.zeros((*Q.shape[:-1], K.shape[-2]))
    mask = np.broadcast_to(mask, weights.shape)
    for *lead, i in np.ndindex(*Q.shape[:-1]):
        lead = tuple(lead)
        visible = [j for j in range(K.shape[-2]) if mask[(*lead, i, j)]]
        dots = {j: sum(a * b for a, b in zip(Q[(*lead, i)], K[(*lead, j)], strict=True)) for j in visible}
        parts = {j: math.exp(dots[j] / math.sqrt(Q.shape[-1])) for j in visible}
        for j in visible:
            weights[(*lead, i, j)] = parts[j] / sum(parts.values())
            output[(*lead, i)] += weights[(*lead, i, j)] * V[(*lead, j)]
    return output, weights


@pytest.mark.parametrize("mask", [None, MASK], ids=["no mask", "mask"])
def test_attention_is_the_slow_loop(mask):
    """Matrix form and loop agree, for leading axes, masks and rows in which nothing is visible."""
    output, weights = reference.masked_attention(Q, K, V, mask)
    slow_output, slow_weights = loop_attention(Q, K, V, True if mask is None else mask)
    np.testing.assert_allclose(output, slow_output, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(weights, slow_weights, rtol=1e-12, atol=1e-14)
    if mask is None:
        np.testing.assert_array_equal(reference.scaled_dot_product_attention(Q, K, V)[0], output)


def test_attention_by_hand():
    """One query [0, sqrt 2] in d_k = 2 meets the keys [1, 0] and [0, 1]: scores 0 and 1."""
    _, weights = reference.scaled_dot_product_attention(np.array([[0, math.sqrt(2)]]), np.eye(2), np.eye(2))
    np.testing.assert_allclose(weights, [[1 / (1 + math.e), math.e / (1 + math.e)]], rtol=1e-15)


def test_nothing_visible_gives_zero_without_a_warning():
    """A row that is hidden entirely has weights 0 and output 0; warnings are errors here."""
    output, weights = reference.masked_attention(Q, K, V, MASK)
    assert not weights[0, :, 2].any()
    assert not output[0, :, 2].any()
    assert np.isfinite(output).all()


def test_a_large_hidden_score_does_not_matter():
    """The maximum is taken over what is visible, so that visible weights never underflow."""
    scores, mask = np.array([[0.0, 1.0, 5000.0]]), np.array([[True, True, False]])
    np.testing.assert_allclose(reference.masked_softmax(scores, mask), [[*special.softmax([0.0, 1.0]), 0.0]])


def test_backward_functions_by_finite_differences():
    """Jacobian, softmax and attention gradients agree with central differences, masked rows included."""
    s = RNG.standard_normal(5)
    slopes = numerical_gradient(lambda z: reference.softmax(z / 1.7), s)
    np.testing.assert_allclose(reference.softmax_jacobian(s, 1.7), slopes, atol=1e-9)
    x, d_p = RNG.standard_normal((2, 3, 5)), RNG.standard_normal((2, 3, 5))
    for axis in (1, -1):
        numeric = numerical_gradient(lambda z, axis=axis: (reference.softmax(z, axis) * d_p).sum(), x)
        np.testing.assert_allclose(
            reference.softmax_backward(reference.softmax(x, axis), d_p, axis), numeric, atol=1e-9
        )
    d_output = RNG.standard_normal((B, H, N_QUERIES, D_V))
    gradients = reference.attention_backward(d_output, Q, K, V, reference.masked_attention(Q, K, V, MASK)[1])
    for position, gradient in enumerate(gradients):

        def loss(array, position=position):
            arrays = [Q, K, V]
            arrays[position] = array
            return (reference.masked_attention(*arrays, MASK)[0] * d_output).sum()

        np.testing.assert_allclose(gradient, numerical_gradient(loss, (Q, K, V)[position]), atol=1e-8)


def test_positions_by_hand():
    """The table for d_model = 4 has the well-known first rows, and moves by rotation."""
    P = reference.positional_encoding(3, 4)
    right = [[0, 1, 0, 1], [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)]]
    np.testing.assert_allclose(P[:2], right, rtol=1e-15)
    P = reference.positional_encoding(11, 6, base=100.0)
    for offset in (-3, 0, 4):
        R = reference.shift_matrix(offset, 6, base=100.0)
        p = np.arange(3, 7)
        np.testing.assert_allclose(P[p + offset], P[p] @ R.T, atol=1e-13)


@pytest.mark.parametrize(
    ("call", "numbers"),
    [
        (lambda: reference.angular_frequencies(7), ["7"]),
        (lambda: reference.positional_encoding(5, 9), ["9"]),
        (lambda: reference.shift_matrix(2, 11), ["11"]),
        (lambda: reference.add_positions(np.zeros((3, 13, 4)), np.zeros((5, 4))), ["13", "5"]),
        (lambda: reference.add_positions(np.zeros((3, 4)), np.zeros((1, 4))), ["3", "1"]),
        (lambda: reference.causal_mask(7, 5), ["7", "5"]),
    ],
)
def test_bad_arguments_are_refused_with_their_numbers(call, numbers):
    """Rule 11: a ValueError that contains the offending numbers."""
    with pytest.raises(ValueError, match=".*".join(numbers)):
        call()


def test_masks():
    """Causal, padding, combined and additive masks on small cases."""
    np.testing.assert_array_equal(reference.causal_mask(2, 4), [[1, 1, 1, 0], [1, 1, 1, 1]])
    is_token = np.array([[True, True, False], [True, False, False]])
    assert reference.padding_mask(is_token).shape == (2, 1, 3)
    both = reference.combine_masks(None, reference.causal_mask(3), reference.padding_mask(is_token))
    np.testing.assert_array_equal(both[0], [[1, 0, 0], [1, 1, 0], [1, 1, 0]])
    assert reference.combine_masks(None, None) is None
    np.testing.assert_array_equal(reference.additive_mask(both[1, 0]), [0, -np.inf, -np.inf])


@pytest.mark.parametrize("leaks", [0, 1, 3])
def test_first_leak_finds_the_position(leaks):
    """A window that looks one position ahead from some position on leaks there; a causal one nowhere."""

    def attend(X):
        return np.stack([X[: t + 1 + (t >= leaks)].mean(axis=0) for t in range(len(X))])

    X = RNG.standard_normal((5, 3))
    assert reference.first_leak(attend, X) == leaks
    assert reference.first_leak(lambda X: np.cumsum(X, axis=0), X) is None


def float32_calls():
    """One call per numerical function, on float32 arrays."""
    q, k, v = (a.astype(np.float32) for a in (Q, K, V))
    weights = reference.scaled_dot_product_attention(q, k, v)[1]
    row, table = q[0, 0, 0], q[0, 0]
    return {
        "softmax": (q,),
        "attention_scores": (q, k),
        "scaled_dot_product_attention": (q, k, v),
        "softmax_jacobian": (row, 2.0),
        "softmax_backward": (weights, weights),
        "attention_backward": (v[..., :N_QUERIES, :], q, k, v, weights),
        "masked_softmax": (weights, MASK),
        "masked_attention": (q, k, v, MASK),
        "add_positions": (q, table),
        "position_similarity": (table,),
    }


@pytest.mark.parametrize("name", float32_calls())
def test_precision_is_kept_and_inputs_are_not_touched(name):
    """Rule 4: float32 in, float32 out; integers become float64; no argument changes or is returned."""
    args = float32_calls()[name]
    before = [np.copy(a) for a in args]
    results = getattr(reference, name)(*args)
    for result in results if isinstance(results, tuple) else (results,):
        assert result.dtype == np.float32
        assert not any(np.may_share_memory(result, a) for a in args if isinstance(a, np.ndarray))
    for a, b in zip(args, before, strict=True):
        np.testing.assert_array_equal(a, b)
    whole = [np.round(3 * a).astype(int) if getattr(a, "dtype", None) == np.float32 else a for a in args]
    results = getattr(reference, name)(*whole)
    assert (results[0] if isinstance(results, tuple) else results).dtype == np.float64


@pytest.mark.parametrize("name", reference.__all__)
def test_docstrings_name_every_parameter(name):
    """The documented parameters are those of the signature, in their order, and results have shapes."""
    function = getattr(reference, name)
    parts = re.split(r"\n(\w+)\n-{3,}\n", inspect.getdoc(function))
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    names = [
        n.strip().lstrip("*")
        for line in re.findall(r"^(\*?\w[\w, *]*) : ", sections["Parameters"], re.M)
        for n in line.split(",")
    ]
    assert names == list(inspect.signature(function).parameters)
    assert "Returns" in sections


def test_show_leak_by_hand():
    """Position 1 of four sees token 3: with a score of 10 for it, and of 1 for itself and the one before."""
    mask = reference.causal_mask(4)
    mask[1, 3] = True
    X, Y = reference.show_leak(mask)
    before, after = (reference.masked_attention(tokens, tokens, tokens, mask)[0].ravel() for tokens in (X, Y))
    np.testing.assert_array_equal(before, np.ones(4))
    np.testing.assert_allclose(after[:3], [1, (2 * math.e + 10 * math.exp(10)) / (2 * math.e + math.exp(10)), 1])


def test_one_word_back_by_hand():
    """Position 2 of four: keys 0 to 3 get the scores 0, 10, 0 and -30, over the square root of 2."""
    Q, K = reference.one_word_back(4)
    np.testing.assert_array_equal(Q[2] @ K.T, [0, 10, 0, -30])
    weights = reference.scaled_dot_product_attention(Q, K, np.eye(4))[1]
    np.testing.assert_array_equal(weights.argmax(axis=-1), [0, 0, 1, 2])


def test_own_positions_by_hand():
    """The frequencies are 300 to the power of 0, -1/4, -1/2 and -3/4; neighbours are alike by their mean cosine."""
    S = (P := reference.own_positions(300)) @ P.T
    alike = [np.diagonal(S, distance) for distance in range(300)]
    np.testing.assert_allclose(alike[0], np.ones(300))
    cosines = np.cos([1, 0.24028, 0.057735, 0.013873])
    np.testing.assert_allclose(alike[1], np.full(299, cosines.mean()), atol=1e-6)
    assert max(diagonal.max() for diagonal in alike[2:]) < cosines.mean() - 0.1
