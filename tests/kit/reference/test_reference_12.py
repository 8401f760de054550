"""The reference functions of unit 12 against cases by hand, other algorithms and the functions of earlier units."""

from collections import Counter
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from transformer_kit import reference
from transformer_kit.parameters import (
    AttentionParams,
    BiasedAttentionParams,
    EncoderLayerParams,
    FeedForwardParams,
    LayerNormParams,
    init_biased_attention,
    init_encoder_layer,
)

RNG = np.random.default_rng(1212)
H, D_MODEL = 3, 12
PARAMS = init_biased_attention(RNG, D_MODEL, H, d_k=5, d_v=2, noise=0.5)
X_QUERY, X_KEY = RNG.standard_normal((2, 4, D_MODEL)), RNG.standard_normal((2, 7, D_MODEL))
LAYER = init_encoder_layer(RNG, D_MODEL, H, 20, noise=0.3)._replace(
    attention=init_biased_attention(RNG, D_MODEL, H, noise=0.5)
)


def in_single(params):
    return type(params)(*(p.astype(np.float32) if isinstance(p, np.ndarray) else in_single(p) for p in params))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("unaffable", ["un", "##aff", "##able"]),
        ("affable", ["affable"]),
        ("un", ["un"]),
        ("unfair", ["[UNK]"]),
        ("fun", ["[UNK]"]),
        ("unaffablea", ["un", "##aff", "##able", "##a"]),
        ("ununaff", ["[UNK]"]),
        ("", []),
    ],
)
def test_word_pieces_by_hand(word, expected):
    vocabulary = {"un": 0, "u": 1, "##aff": 2, "##a": 3, "##able": 4, "affable": 5}
    assert reference.word_pieces(word, vocabulary) == expected
    assert reference.word_pieces(word, vocabulary, "?") == (["?"] if expected == ["[UNK]"] else expected)


def test_no_cut_is_taken_back():
    assert reference.word_pieces("abc", {"ab": 0, "a": 1, "##bc": 2}) == ["[UNK]"]


def test_word_pieces_have_the_longest_first_piece():
    """Where every letter is a piece, so that no cut leads nowhere: of all ways the one with the longest first piece."""
    letters = "ab"
    for _ in range(200):
        word = "".join(RNG.choice(list(letters), 7))
        some = {word[i:j] for i in range(7) for j in range(i + 1, 8) if RNG.random() < 0.4}
        vocabulary = {mark + piece: 0 for piece in (*some, *letters) for mark in ("", "##")}

        @cache
        def ways(start, word=word, vocabulary=vocabulary):
            if start == len(word):
                return [()]
            cuts = ((end, "##" * bool(start) + word[start:end]) for end in range(len(word), start, -1))
            return [(piece, *rest) for end, piece in cuts if piece in vocabulary for rest in ways(end)]

        assert reference.word_pieces(word, vocabulary) == list(ways(0)[0])


@pytest.mark.parametrize(
    ("symbols", "ranks", "expected"),
    [
        ("lower", {("lo", "w"): 2, ("e", "r"): 0, ("l", "o"): 1}, ["low", "er"]),
        ("aaa", {("a", "a"): 0}, ["aa", "a"]),
        ("aaaa", {("a", "a"): 3, ("aa", "aa"): 7}, ["aaaa"]),
        ("abc", {("a", "b"): 1, ("b", "c"): 0}, ["a", "bc"]),
        ("", {("a", "b"): 1}, []),
        ("b", {("a", "b"): 1}, ["b"]),
        (["ba", "b"], {("a", "b"): 1}, ["ba", "b"]),
    ],
)
def test_byte_pair_merge_by_hand(symbols, ranks, expected):
    given = list(symbols)
    assert reference.byte_pair_merge(given, ranks) == expected
    assert given == list(symbols)


def test_byte_pair_merge_joins_one_pair_each_time():
    """The leftmost place of the lowest rank, one place at a time, comes to the same with pairs that were learned."""
    for _ in range(50):
        word, ranks = [str(letter) for letter in RNG.choice(list("abc"), 16)], {}
        for rank in range(8):
            number = Counter(pairwise(reference.byte_pair_merge(word, ranks)))
            ranks[max(sorted(number), key=number.get)] = rank
        expected = list(word)
        while places := [(ranks[pair], i) for i, pair in enumerate(pairwise(expected)) if pair in ranks]:
            _, i = min(places)
            expected[i : i + 2] = [expected[i] + expected[i + 1]]
        assert reference.byte_pair_merge(word, ranks) == expected
        assert len(expected) < len(word)


@pytest.mark.parametrize("mask", [None, np.tri(4, 7, k=3, dtype=bool), RNG.random((2, 1, 7)) > 0.3])
def test_without_biases_it_is_multi_head_attention(mask):
    zeros = PARAMS._replace(**{name: np.zeros_like(getattr(PARAMS, name)) for name in ("b_Q", "b_K", "b_V", "b_O")})
    got = reference.biased_attention(X_QUERY, X_KEY, zeros, H, mask)
    expected = reference.multi_head_attention(X_QUERY, X_KEY, AttentionParams(*PARAMS[:4]), H, mask)
    for one, other in zip(got, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_a_bias_is_the_weight_of_ones():
    def with_one(X):
        return np.concatenate([X, np.ones((*X.shape[:-1], 1))], axis=-1)

    W = [np.vstack([getattr(PARAMS, f"W_{a}"), getattr(PARAMS, f"b_{a}")]) for a in "QKV"]
    larger = AttentionParams(*W, PARAMS.W_O)
    output, weights = reference.multi_head_attention(with_one(X_QUERY), with_one(X_KEY), larger, H)
    got = reference.biased_attention(X_QUERY, X_KEY, PARAMS, H)
    np.testing.assert_allclose(got[0], output + PARAMS.b_O, rtol=1e-10)
    np.testing.assert_allclose(got[1], weights, rtol=1e-10)


def test_biased_attention_by_hand():
    two, zero = np.eye(2), np.zeros(2)
    params = BiasedAttentionParams(two, two, two, two, zero, zero, np.array([1.0, 0]), np.array([0, 10.0]))
    output, weights = reference.biased_attention(np.array([[1.0, 0]]), np.array([[3.0, 2]]), params, 1)
    assert (output.tolist(), weights.tolist()) == ([[4, 12]], [[[1]]])


def test_the_bias_of_the_keys_does_nothing():
    """What unit 12 asks its readers to predict; the other three move the output."""
    whole = reference.biased_attention(X_QUERY, X_KEY, PARAMS, H)[0]
    for name in ("b_Q", "b_K", "b_V", "b_O"):
        without = PARAMS._replace(**{name: np.zeros_like(getattr(PARAMS, name))})
        moved = np.abs(reference.biased_attention(X_QUERY, X_KEY, without, H)[0] - whole).max()
        assert (moved < 1e-12) == (name == "b_K")


def test_gpt2_block_by_hand():
    two, zero = np.eye(2), np.zeros(2)
    silent = BiasedAttentionParams(two, two, two, 0 * two, zero, zero, zero, zero)
    norm = LayerNormParams(np.ones(2), zero)
    block = EncoderLayerParams(silent, norm, FeedForwardParams(two, zero, two, zero), norm)
    np.testing.assert_allclose(reference.gpt2_block(np.array([[1.0, -1]]), block, 1), [[1.8412, -1.1588]], atol=5e-5)


def test_gpt2_block_is_nearly_a_gelu_layer():
    """The two GELUs differ by less than 0.0005, as the notebook says."""
    x = np.linspace(-8, 8, 4001)
    gap = np.abs(reference.unit_12_models_you_know._gelu_with_tanh(x) - reference.gelu(x)).max()
    assert 0.0004 < gap < 0.0005
    X, mask = X_QUERY, np.tri(4, dtype=bool)
    normed = reference.layer_norm(X, *LAYER.norm_1)
    X = X + reference.biased_attention(normed, normed, LAYER.attention, H, mask)[0]
    X = X + reference.position_wise_ffn(reference.layer_norm(X, *LAYER.norm_2), LAYER.ffn, reference.gelu)
    np.testing.assert_allclose(reference.gpt2_block(X_QUERY, LAYER, H, mask), X, atol=2e-3)


def test_sentence_vector_by_hand():
    X = np.array([[3.0, 0.0], [0.0, 4.0], [9.0, 9.0]])
    np.testing.assert_allclose(reference.sentence_vector(X, np.array([True, True, False])), [0.6, 0.8])
    np.testing.assert_array_equal(reference.sentence_vector(X, np.zeros(3, bool)), [0, 0])


def test_sentence_vectors_are_those_of_each_sentence_alone():
    X, is_token = RNG.standard_normal((3, 2, 5, 4)), RNG.random((3, 2, 5)) < 0.6
    is_token[1, 0] = False
    got = reference.sentence_vector(X, is_token)
    for place in np.ndindex(3, 2):
        mean = X[place][is_token[place]].mean(axis=0) if is_token[place].any() else np.zeros(4)
        np.testing.assert_allclose(got[place], mean / (np.sqrt(mean @ mean) or 1), rtol=1e-12)


def test_single_precision_stays():
    X = X_QUERY.astype(np.float32)
    assert reference.sentence_vector(X, np.ones((2, 4), bool)).dtype == np.float32
    assert reference.gpt2_block(X, in_single(LAYER), H).dtype == np.float32
    assert reference.biased_attention(X, X, in_single(PARAMS), H)[0].dtype == np.float32
