"""Cross-attention against PyTorch's multi-head attention; skipped where PyTorch is not installed."""

import numpy as np
import pytest

from tests.support import needs
from transformer_kit import reference
from transformer_kit.parameters import init_attention

torch = pytest.importorskip("torch", reason=needs.TORCH)

RNG = np.random.default_rng(2015)
B, H, N_TARGET, N_SOURCE, D_MODEL = 2, 3, 5, 7, 12
PARAMS = init_attention(RNG, D_MODEL, H)
X, MEMORY = (RNG.standard_normal((B, n, D_MODEL)) for n in (N_TARGET, N_SOURCE))
IS_TOKEN = np.arange(N_SOURCE) < np.array([[7], [4]])


def torch_attention():
    """Return torch's layer with our weights; it stores them as (d_out, d_in), Q, K and V on top of one another."""
    layer = torch.nn.MultiheadAttention(D_MODEL, H, bias=False, batch_first=True, dtype=torch.float64)
    stacked = np.concatenate([PARAMS.W_Q.T, PARAMS.W_K.T, PARAMS.W_V.T])
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.from_numpy(stacked))
        layer.out_proj.weight.copy_(torch.from_numpy(PARAMS.W_O.T))
    return layer


@pytest.mark.parametrize("is_token", [None, IS_TOKEN], ids=["no padding", "padding"])
def test_cross_attention(is_token):
    """Output and weights per head are PyTorch's, whose key_padding_mask is True where we say False."""
    x, memory = torch.from_numpy(X), torch.from_numpy(MEMORY)
    padding = None if is_token is None else torch.from_numpy(~is_token)
    with torch.no_grad():
        expected = torch_attention()(x, memory, memory, key_padding_mask=padding, average_attn_weights=False)
    for got, want in zip(reference.cross_attention(X, MEMORY, PARAMS, H, is_token), expected, strict=True):
        np.testing.assert_allclose(got, want.numpy(), rtol=1e-9, atol=1e-12)


def test_entropy_of_the_alignment():
    """The entropy is that of torch.distributions.Categorical."""
    _, weights = reference.cross_attention(X, MEMORY, PARAMS, H, IS_TOKEN)
    _, entropy = reference.alignment(weights)
    categorical = torch.distributions.Categorical(probs=torch.from_numpy(weights.mean(axis=1)))
    np.testing.assert_allclose(entropy, categorical.entropy().numpy(), rtol=1e-9, atol=1e-12)
