"""The reference functions of unit 06 against PyTorch and its autograd; skipped where PyTorch is not installed."""

import numpy as np
import pytest

from tests.support import needs
from transformer_kit import reference
from transformer_kit.parameters import init_feed_forward

torch = pytest.importorskip("torch", reason=needs.TORCH)

RNG = np.random.default_rng(2016)
X, D_OUTPUT = RNG.standard_normal((2, 2, 3, 5, 4))
PARAMS = init_feed_forward(RNG, 4, 7, noise=0.5)
CLOSE = {"rtol": 1e-10, "atol": 1e-12}


def network(X, W_1, b_1, W_2, b_2, activation=torch.relu):
    """PyTorch keeps its weights transposed."""
    linear = torch.nn.functional.linear
    return linear(activation(linear(X, W_1.T, b_1)), W_2.T, b_2)


def test_activations():
    x = 3 * RNG.standard_normal((3, 5))
    tensor = torch.from_numpy(x)
    np.testing.assert_allclose(reference.relu(x), torch.relu(tensor).numpy(), **CLOSE)
    np.testing.assert_allclose(reference.gelu(x), torch.nn.functional.gelu(tensor).numpy(), **CLOSE)


@pytest.mark.parametrize(
    ("own", "theirs"),
    [(reference.relu, torch.relu), (reference.gelu, torch.nn.functional.gelu), (np.tanh, torch.tanh)],
    ids=["relu", "gelu", "tanh"],
)
def test_position_wise_ffn(own, theirs):
    expected = network(torch.from_numpy(X), *map(torch.from_numpy, PARAMS), activation=theirs)
    np.testing.assert_allclose(reference.position_wise_ffn(X, PARAMS, own), expected.numpy(), **CLOSE)


def test_position_wise_ffn_is_a_convolution():
    """The paper's other description, section 3.3: two convolutions with kernel size 1."""
    W_1, b_1, W_2, b_2 = map(torch.from_numpy, PARAMS)
    channels_first = torch.from_numpy(X[0]).swapaxes(-1, -2)
    conv = torch.nn.functional.conv1d
    output = conv(torch.relu(conv(channels_first, W_1.T[..., None], b_1)), W_2.T[..., None], b_2)
    np.testing.assert_allclose(reference.position_wise_ffn(X[0], PARAMS), output.swapaxes(-1, -2).numpy(), **CLOSE)


def test_ffn_backward():
    tensors = [torch.from_numpy(array.copy()).requires_grad_() for array in (X, *PARAMS)]
    network(*tensors).backward(torch.from_numpy(D_OUTPUT))
    dX, d_params = reference.ffn_backward(D_OUTPUT, X, PARAMS)
    for gradient, tensor in zip((dX, *d_params), tensors, strict=True):
        np.testing.assert_allclose(gradient, tensor.grad.numpy(), **CLOSE)


def test_ffn_backward_at_the_kink():
    """PyTorch, too, takes 0 for the derivative of ReLU at 0."""
    tensors = [torch.from_numpy(array.copy()).requires_grad_() for array in (0 * X, *PARAMS)]
    with torch.no_grad():
        tensors[2].zero_()  # b_1
    network(*tensors).backward(torch.from_numpy(D_OUTPUT))
    dX, d_params = reference.ffn_backward(D_OUTPUT, 0 * X, PARAMS._replace(b_1=np.zeros(7)))
    assert not dX.any()
    assert not tensors[0].grad.any()
    np.testing.assert_allclose(d_params.b_2, tensors[4].grad.numpy(), **CLOSE)


def test_swiglu():
    W_gate, W_up = RNG.standard_normal((2, 4, 7))
    gate, up = torch.from_numpy(X) @ torch.from_numpy(W_gate), torch.from_numpy(X) @ torch.from_numpy(W_up)
    expected = (torch.nn.functional.silu(gate) * up) @ torch.from_numpy(PARAMS.W_2)
    np.testing.assert_allclose(reference.swiglu(X, W_gate, W_up, PARAMS.W_2), expected.numpy(), **CLOSE)
