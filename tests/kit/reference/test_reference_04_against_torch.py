"""Multi-head attention against PyTorch's; skipped where PyTorch is not installed."""

import numpy as np
import pytest

from tests.support import needs
from transformer_kit import reference
from transformer_kit.parameters import init_attention

torch = pytest.importorskip("torch", reason=needs.TORCH)

RNG = np.random.default_rng(2904)
B, H, N_QUERIES, N_KEYS, D_MODEL = 2, 3, 5, 7, 12
PARAMS = init_attention(RNG, D_MODEL, H)
X_QUERY = RNG.standard_normal((B, N_QUERIES, D_MODEL))
X_MEMORY = RNG.standard_normal((B, N_KEYS, D_MODEL))
MASK = RNG.random((B, N_QUERIES, N_KEYS)) > 0.4
MASK[..., 0] = True  # PyTorch's module gives NaN to a query that may attend to nothing


def their_module():
    """PyTorch keeps weights as (d_out, d_in), those of Q, K and V below each other."""
    module = torch.nn.MultiheadAttention(D_MODEL, H, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.from_numpy(np.concatenate(PARAMS[:3], axis=1).T))
        module.out_proj.weight.copy_(torch.from_numpy(PARAMS.W_O.T))
    return module


def theirs(X_query, X_memory, mask):
    query, memory = torch.from_numpy(X_query), torch.from_numpy(X_memory)
    # their masks say True = hidden, and have one copy per head, the heads of a sequence next to each other
    hidden = None if mask is None else torch.from_numpy(np.repeat(~mask, H, axis=0))
    results = their_module()(query, memory, memory, attn_mask=hidden, average_attn_weights=False)
    return [result.detach().numpy() for result in results]


@pytest.mark.parametrize("mask", [None, MASK], ids=["no mask", "mask"])
def test_multi_head_attention(mask):
    ours = reference.multi_head_attention(X_QUERY, X_MEMORY, PARAMS, H, mask)
    for one, other in zip(ours, theirs(X_QUERY, X_MEMORY, mask), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


def test_fused_self_attention():
    causal = np.tri(N_KEYS, dtype=bool)
    W_QKV = np.concatenate(PARAMS[:3], axis=1)
    ours = reference.fused_self_attention(X_MEMORY, W_QKV, PARAMS.W_O, H, causal)
    for one, other in zip(ours, theirs(X_MEMORY, X_MEMORY, np.stack([causal] * B)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


def test_count_attention_parameters():
    ours = reference.count_attention_parameters(D_MODEL, H)
    assert ours == sum(parameter.numel() for parameter in their_module().parameters())
