"""The reference functions of unit 00 against PyTorch; skipped where PyTorch is not installed."""

import numpy as np
import pytest

from tests.support import needs
from transformer_kit import reference

torch = pytest.importorskip("torch", reason=needs.TORCH)

RNG = np.random.default_rng(2015)
TOKEN_IDS = RNG.integers(0, 11, (2, 3, 5))


def test_one_hot():
    expected = torch.nn.functional.one_hot(torch.from_numpy(TOKEN_IDS), 11)
    np.testing.assert_array_equal(reference.one_hot(TOKEN_IDS, 11), expected.numpy())


def test_embed():
    E = RNG.standard_normal((11, 4))
    expected = torch.nn.functional.embedding(torch.from_numpy(TOKEN_IDS), torch.from_numpy(E))
    np.testing.assert_array_equal(reference.embed(TOKEN_IDS, E), expected.numpy())


def test_pad_batch():
    sequences = [np.array(ids, dtype=np.int64) for ids in ([4, 9, 2], [9, 1, 9, 5, 8], [6])]
    tensors = [torch.from_numpy(ids) for ids in sequences]
    expected = torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True, padding_value=9)
    np.testing.assert_array_equal(reference.pad_batch(sequences, 9)[0], expected.numpy())


def test_linear():
    """PyTorch keeps its weights transposed."""
    X, W, b = RNG.standard_normal((2, 3, 5, 4)), RNG.standard_normal((4, 6)), RNG.standard_normal(6)
    expected = torch.nn.functional.linear(torch.from_numpy(X), torch.from_numpy(W.T), torch.from_numpy(b))
    np.testing.assert_allclose(reference.linear(X, W, b), expected.numpy(), rtol=1e-12, atol=1e-14)
