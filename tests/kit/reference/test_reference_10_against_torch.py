"""The functions of unit 10 that PyTorch has, too: loss, its gradient, label smoothing, Adam."""

import numpy as np
import pytest

from tests.support import needs
from transformer_kit import reference

torch = pytest.importorskip("torch", reason=needs.TORCH)

RNG = np.random.default_rng(1010)
LOGITS = RNG.standard_normal((3, 5, 7))
TARGET_IDS = RNG.integers(1, 7, (3, 5))
IS_TOKEN = np.arange(5) < np.array([[5], [2], [3]])


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.4])
def test_loss_and_gradient(epsilon):
    """PyTorch spreads the smoothed share over all classes, too, and its mean leaves the ignored tokens out."""
    wanted = reference.smooth_labels(TARGET_IDS, 7, epsilon)
    logits = torch.tensor(LOGITS.reshape(-1, 7), requires_grad=True)
    labels = torch.tensor(np.where(IS_TOKEN, TARGET_IDS, -100).ravel())
    loss = torch.nn.functional.cross_entropy(logits, labels, label_smoothing=epsilon)
    loss.backward()
    assert reference.cross_entropy(LOGITS, wanted, IS_TOKEN) == pytest.approx(loss.item(), rel=1e-12)
    gradient = reference.cross_entropy_backward(LOGITS, wanted, IS_TOKEN)
    np.testing.assert_allclose(gradient.reshape(-1, 7), logits.grad.numpy(), atol=1e-15)


def test_adam():
    """Twenty steps, with an eps that matters."""
    param, m, v = RNG.standard_normal((2, 3)), np.zeros((2, 3)), np.zeros((2, 3))
    other = torch.tensor(param, requires_grad=True)
    optimizer = torch.optim.Adam([other], lr=0.05, betas=(0.9, 0.98), eps=0.01)
    for step in range(1, 21):
        gradient = RNG.standard_normal((2, 3))
        param, m, v = reference.adam_update(param, gradient, m, v, step, 0.05, eps=0.01)
        other.grad = torch.tensor(gradient)
        optimizer.step()
    np.testing.assert_allclose(param, other.detach().numpy(), rtol=1e-12)
