"""The decoder layer against PyTorch's; skipped where PyTorch is not installed. For the whole model, see training."""

import numpy as np
import pytest

from tests.support import needs
from transformer_kit import reference
from transformer_kit.parameters import init_decoder_layer

torch = pytest.importorskip("torch", reason=needs.TORCH)

RNG = np.random.default_rng(909)
D_MODEL, N_HEADS, D_FF = 12, 3, 20
PARAMS = init_decoder_layer(RNG, D_MODEL, N_HEADS, D_FF, noise=0.3)
X, MEMORY = RNG.standard_normal((2, 5, D_MODEL)), RNG.standard_normal((2, 7, D_MODEL))
IS_TOKEN = np.arange(7) < [[7], [4]]


def torch_state():
    """Return our parameters by PyTorch's names; it stores W.T, and has biases in the attention (here 0)."""
    state = {
        "linear1.weight": PARAMS.ffn.W_1.T,
        "linear1.bias": PARAMS.ffn.b_1,
        "linear2.weight": PARAMS.ffn.W_2.T,
        "linear2.bias": PARAMS.ffn.b_2,
    }
    for name, params in (("self_attn", PARAMS.self_attention), ("multihead_attn", PARAMS.cross_attention)):
        state[f"{name}.in_proj_weight"] = np.concatenate(params[:3], axis=1).T
        state[f"{name}.in_proj_bias"] = np.zeros(3 * D_MODEL)
        state[f"{name}.out_proj.weight"] = params.W_O.T
        state[f"{name}.out_proj.bias"] = np.zeros(D_MODEL)
    for i, params in enumerate((PARAMS.norm_1, PARAMS.norm_2, PARAMS.norm_3), start=1):
        state[f"norm{i}.weight"], state[f"norm{i}.bias"] = params
    return {name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in state.items()}


@pytest.mark.parametrize("norm_first", [False, True])
def test_decoder_layer(norm_first):
    layer = torch.nn.TransformerDecoderLayer(
        D_MODEL, N_HEADS, D_FF, dropout=0.0, batch_first=True, norm_first=norm_first, dtype=torch.float64
    )
    layer.load_state_dict(torch_state())
    expected = layer(
        torch.from_numpy(X),
        torch.from_numpy(MEMORY),
        tgt_mask=torch.from_numpy(~np.tri(5, dtype=bool)),
        memory_key_padding_mask=torch.from_numpy(~IS_TOKEN),
    )
    masks = reference.causal_mask(5), reference.padding_mask(IS_TOKEN)
    result = reference.decoder_layer(X, MEMORY, PARAMS, N_HEADS, *masks, norm_first)
    np.testing.assert_allclose(result, expected.detach().numpy(), rtol=1e-9, atol=1e-11)
