"""The reference against PyTorch's attention and its autograd; skipped where PyTorch is not installed."""

import numpy as np
import pytest

from tests.support import needs
from transformer_kit import reference

torch = pytest.importorskip("torch", reason=needs.TORCH)

RNG = np.random.default_rng(1706)
Q, K, V = (RNG.standard_normal(shape) for shape in ((2, 3, 5, 4), (2, 3, 7, 4), (2, 3, 7, 6)))
MASK = RNG.random((2, 1, 5, 7)) > 0.4
MASK[..., 0] = True  # PyTorch's gradients of a row in which nothing is visible are not defined
D_OUTPUT = RNG.standard_normal((2, 3, 5, 6))


@pytest.mark.parametrize("mask", [None, MASK, np.zeros_like(MASK)], ids=["no mask", "mask", "nothing visible"])
def test_forward(mask):
    """Outputs are those of torch.nn.functional.scaled_dot_product_attention, zeros for hidden rows included."""
    tensors = [torch.from_numpy(a) for a in (Q, K, V)]
    attn_mask = None if mask is None else torch.from_numpy(mask)
    expected = torch.nn.functional.scaled_dot_product_attention(*tensors, attn_mask=attn_mask)
    np.testing.assert_allclose(reference.masked_attention(Q, K, V, mask)[0], expected.numpy(), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("mask", [None, MASK], ids=["no mask", "mask"])
def test_attention_backward(mask):
    """Gradients are those of autograd."""
    tensors = [torch.from_numpy(a).requires_grad_() for a in (Q, K, V)]
    attn_mask = None if mask is None else torch.from_numpy(mask)
    output = torch.nn.functional.scaled_dot_product_attention(*tensors, attn_mask=attn_mask)
    output.backward(torch.from_numpy(D_OUTPUT))
    weights = reference.masked_attention(Q, K, V, mask)[1]
    gradients = reference.attention_backward(D_OUTPUT, Q, K, V, weights)
    for gradient, tensor in zip(gradients, tensors, strict=True):
        np.testing.assert_allclose(gradient, tensor.grad.numpy(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax_backward(axis):
    """Gradients through the softmax are those of autograd, along every axis."""
    x, d_p = RNG.standard_normal((2, 3, 5)), RNG.standard_normal((2, 3, 5))
    tensor = torch.from_numpy(x).requires_grad_()
    torch.softmax(tensor, dim=axis).backward(torch.from_numpy(d_p))
    result = reference.softmax_backward(reference.softmax(x, axis), d_p, axis)
    np.testing.assert_allclose(result, tensor.grad.numpy(), rtol=1e-9, atol=1e-12)


def test_softmax_jacobian():
    """The Jacobian is autograd's, with its divisor."""
    s = RNG.standard_normal(7)
    expected = torch.autograd.functional.jacobian(lambda z: torch.softmax(z / 2.5, dim=0), torch.from_numpy(s))
    np.testing.assert_allclose(reference.softmax_jacobian(s, 2.5), expected.numpy(), rtol=1e-9, atol=1e-12)
