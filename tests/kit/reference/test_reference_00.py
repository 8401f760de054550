"""The reference functions of unit 00 against slow loops, by hand, and against the rules of every exercise."""

import numpy as np
import pytest

from transformer_kit import reference

RNG = np.random.default_rng(2014)
VOCABULARY = {"cats": 7, "<unk>": 3, "i": 0, "like": 12}
TABLE = RNG.standard_normal((11, 4))
BATCH = RNG.integers(0, 11, (2, 3, 5))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I like cats", [0, 12, 7]),
        (" i  LIKE\tcats\ni ", [0, 12, 7, 0]),
        ("I like dragons", [0, 12, 3]),
        ("", []),
        (" \n ", []),
    ],
)
def test_encode(text, expected):
    np.testing.assert_array_equal(reference.encode(text, VOCABULARY), np.array(expected, dtype=np.int64), strict=True)


def test_encode_leaves_the_vocabulary_alone():
    before = dict(VOCABULARY)
    reference.encode("seven new words", VOCABULARY)
    assert before == VOCABULARY


@pytest.mark.parametrize("token_ids", [np.array(6), BATCH[0, 0], BATCH], ids=["one id", "sequence", "two axes more"])
def test_one_hot_is_the_slow_loop(token_ids):
    expected = np.zeros((*token_ids.shape, 11))
    for place in np.ndindex(*token_ids.shape):
        expected[(*place, int(token_ids[place]))] = 1.0
    np.testing.assert_array_equal(reference.one_hot(token_ids, 11), expected, strict=True)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("token_ids", [BATCH[0, 0], BATCH], ids=["sequence", "two axes more"])
def test_embed_is_one_hot_times_table(token_ids, dtype):
    E = TABLE.astype(dtype)
    expected = np.einsum("...v,vd->...d", reference.one_hot(token_ids, 11).astype(dtype), E)
    np.testing.assert_array_equal(reference.embed(token_ids, E), expected, strict=True)


@pytest.mark.parametrize("bad", [-1, -11, 11, 40])
def test_embed_refuses_ids_without_a_row(bad):
    token_ids = BATCH.copy()
    token_ids[1, 2, 3] = bad
    with pytest.raises(ValueError, match=rf"got {bad}$"):
        reference.embed(token_ids, TABLE)


def test_embed_returns_a_new_array():
    table = TABLE.copy()
    reference.embed(np.array([4]), table)[...] = 0
    np.testing.assert_array_equal(table, TABLE)


def test_pad_batch_by_hand():
    """The 0 in the second sequence is a token, the one behind the first sequence is padding."""
    token_ids, is_token = reference.pad_batch([[5, 8], [7, 0, 6]], 0)
    np.testing.assert_array_equal(token_ids, np.array([[5, 8, 0], [7, 0, 6]], dtype=np.int64), strict=True)
    np.testing.assert_array_equal(is_token, np.array([[True, True, False], [True, True, True]]), strict=True)


@pytest.mark.parametrize("kind", [list, tuple, lambda ids: np.array(ids, dtype=np.int64)])
def test_pad_batch_is_the_slow_loop(kind):
    """For lists, tuples and arrays; one sequence is empty."""
    sequences, pad_id = [[4, 9, 2], [], [9, 1, 9, 5, 8], [6]], 9
    token_ids, is_token = reference.pad_batch([kind(ids) for ids in sequences], pad_id)
    for i, j in np.ndindex(4, 5):
        here = j < len(sequences[i])
        assert is_token[i, j] == here
        assert token_ids[i, j] == (sequences[i][j] if here else pad_id)
    assert token_ids.dtype == np.int64
    assert is_token.dtype == bool


@pytest.mark.parametrize("shape", [(4,), (5, 4), (2, 3, 5, 4)])
def test_linear_is_the_slow_loop(shape):
    X, W, b = RNG.standard_normal(shape), RNG.standard_normal((4, 6)), RNG.standard_normal(6)
    expected = np.zeros((*shape[:-1], 6))
    for place in np.ndindex(*expected.shape):
        *token, column = place
        expected[place] = sum(X[(*token, i)] * W[i, column] for i in range(4)) + b[column]
    np.testing.assert_allclose(reference.linear(X, W, b), expected, rtol=1e-12, atol=1e-14, strict=True)


@pytest.mark.parametrize(("given", "returned"), [(np.float32, np.float32), (np.float64, np.float64), (int, np.float64)])
def test_linear_keeps_the_precision(given, returned):
    arrays = (np.ones((5, 4), dtype=given), np.ones((4, 6), dtype=given), np.ones(6, dtype=given))
    output = reference.linear(*arrays)
    assert output.dtype == returned
    np.testing.assert_array_equal(output, np.full((5, 6), 5, dtype=returned), strict=True)


def test_telling_sums_by_hand():
    """Up to 3 words make numbers to the base 4: twice word 3, once word 2 and once word 0 are 2 * 64 + 16 + 1."""
    E = reference.telling_sums(4, 3)
    np.testing.assert_array_equal(E, [[1], [4], [16], [64]])
    np.testing.assert_array_equal(E[[3, 0, 2, 3]].sum(axis=0), [145])
