"""The functions of unit 08 that PyTorch has, too."""

import numpy as np
import pytest

from tests.support import needs
from transformer_kit.reference import apply_temperature, sample_token, top_k_filter

torch = pytest.importorskip("torch", reason=needs.TORCH)

rng = np.random.default_rng(80)


@pytest.mark.parametrize("temperature", [0.3, 1.0, 2.5])
def test_apply_temperature(temperature):
    logits = rng.standard_normal((2, 3, 7))
    expected = torch.softmax(torch.from_numpy(logits) / temperature, dim=-1)
    np.testing.assert_allclose(apply_temperature(logits, temperature), expected.numpy(), rtol=1e-12)


@pytest.mark.parametrize("k", [1, 3, 7])
def test_top_k_filter(k):
    logits = rng.standard_normal((2, 3, 7))
    values, ids = torch.topk(torch.from_numpy(logits), k, dim=-1)
    expected = torch.full(logits.shape, -torch.inf, dtype=torch.float64).scatter(-1, ids, values)
    np.testing.assert_array_equal(top_k_filter(logits, k), expected.numpy())


def test_sample_token():
    probs = rng.dirichlet(np.ones(6))
    cumulative = torch.cumsum(torch.from_numpy(probs), dim=0)
    for u in np.linspace(0.0, 0.999, 50):
        assert sample_token(probs, u) == torch.searchsorted(cumulative, torch.tensor(u), right=True).item()
