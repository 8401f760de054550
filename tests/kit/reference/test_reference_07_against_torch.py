"""The reference of unit 07 against PyTorch's norms and encoder layer; skipped where PyTorch is not installed."""

import numpy as np
import pytest

from tests.support import needs
from transformer_kit import reference
from transformer_kit.parameters import init_encoder_layer

torch = pytest.importorskip("torch", reason=needs.TORCH)

RNG = np.random.default_rng(1607)
X, D_OUTPUT = RNG.standard_normal((2, 2, 3, 5))
GAMMA, BETA = 1 + 0.5 * RNG.standard_normal(5), RNG.standard_normal(5)
CLOSE = {"rtol": 1e-9, "atol": 1e-11}


@pytest.mark.parametrize("eps", [1e-5, 0.1])
def test_layer_norm_and_its_gradients(eps):
    tensors = [torch.from_numpy(a.copy()).requires_grad_() for a in (X, GAMMA, BETA)]
    output = torch.nn.functional.layer_norm(tensors[0], (5,), tensors[1], tensors[2], eps)
    np.testing.assert_allclose(reference.layer_norm(X, GAMMA, BETA, eps), output.detach().numpy(), **CLOSE)
    output.backward(torch.from_numpy(D_OUTPUT))
    gradients = reference.layer_norm_backward(D_OUTPUT, X, GAMMA, eps)
    for gradient, tensor in zip(gradients, tensors, strict=True):
        np.testing.assert_allclose(gradient, tensor.grad.numpy(), **CLOSE)


@pytest.mark.parametrize("eps", [1e-5, 0.1])
def test_rms_norm(eps):
    expected = torch.nn.functional.rms_norm(torch.from_numpy(X), (5,), torch.from_numpy(GAMMA), eps)
    np.testing.assert_allclose(reference.rms_norm(X, GAMMA, eps), expected.numpy(), **CLOSE)


@pytest.mark.parametrize("norm_first", [False, True])
def test_encoder_layer(norm_first):
    """PyTorch's layer stores W.T, has biases in the attention (here 0), and hides keys where its mask is True."""
    params = init_encoder_layer(RNG, 12, 3, 20, noise=0.3)
    tokens, is_token = RNG.standard_normal((2, 7, 12)), np.arange(7) < [[5], [6]]
    layer = torch.nn.TransformerEncoderLayer(
        12, 3, 20, dropout=0.0, batch_first=True, norm_first=norm_first, dtype=torch.float64
    )
    state = {
        "self_attn.in_proj_weight": np.concatenate(params.attention[:3], axis=1).T,
        "self_attn.in_proj_bias": np.zeros(36),
        "self_attn.out_proj.weight": params.attention.W_O.T,
        "self_attn.out_proj.bias": np.zeros(12),
        "linear1.weight": params.ffn.W_1.T,
        "linear1.bias": params.ffn.b_1,
        "linear2.weight": params.ffn.W_2.T,
        "linear2.bias": params.ffn.b_2,
        "norm1.weight": params.norm_1.gamma,
        "norm1.bias": params.norm_1.beta,
        "norm2.weight": params.norm_2.gamma,
        "norm2.bias": params.norm_2.beta,
    }
    layer.load_state_dict({name: torch.from_numpy(np.ascontiguousarray(a)) for name, a in state.items()})
    expected = layer(torch.from_numpy(tokens), src_key_padding_mask=torch.from_numpy(~is_token)).detach().numpy()
    result = reference.encoder_layer(tokens, params, 3, reference.padding_mask(is_token), norm_first)
    np.testing.assert_allclose(result, expected, **CLOSE)
