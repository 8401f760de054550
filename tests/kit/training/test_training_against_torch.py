"""Loss and gradients of the whole model against PyTorch's automatic differentiation; skipped without PyTorch."""

import numpy as np
import pytest

from tests.support import needs
from transformer_kit import reference
from transformer_kit.corpus.vocabulary import EOS, PAD, make_vocabulary
from transformer_kit.parameters import Sizes, init_model
from transformer_kit.parameters.tree import flatten, named_arrays, unflatten, with_arrays
from transformer_kit.training import loss_and_gradients, make_batch

torch = pytest.importorskip("torch", reason=needs.TORCH)
F = torch.nn.functional

SOURCE, TARGET = make_vocabulary(["abcdefg"]), make_vocabulary(["uvwxyz123"])
PAIRS = [([4, 7, 5, 9], [6, 4, EOS]), ([8, 4], [5, 9, 12, 7, EOS]), ([6, 6, 10], [8, 5, 4, EOS])]


class Heads(torch.nn.Module):
    """Multi-head attention as PyTorch's own function for it does it, heads and all."""

    def forward(self, query, memory, params, n_heads, visible):
        def split(X):
            return X.unflatten(-1, (n_heads, -1)).transpose(-2, -3)

        Q, K, V = split(query @ params.W_Q), split(memory @ params.W_K), split(memory @ params.W_V)
        heads = F.scaled_dot_product_attention(Q, K, V, attn_mask=visible[:, None])
        return heads.transpose(-2, -3).flatten(-2) @ params.W_O


def logits_of(model, batch):
    """The whole model once more, with PyTorch's functions."""
    attend, width = Heads(), model.source_embedding.shape[-1]

    def vectors(ids, E):
        positions = torch.from_numpy(reference.positional_encoding(ids.shape[1], width))
        return F.embedding(torch.from_numpy(ids), E) * width**0.5 + positions.to(E.dtype)

    def norm(X, params):
        return F.layer_norm(X, (width,), params.gamma, params.beta, 1e-5)

    def ffn(X, params):
        return F.linear(F.relu(F.linear(X, params.W_1.T, params.b_1)), params.W_2.T, params.b_2)

    encoder, decoder, cross = (
        torch.from_numpy(mask) for mask in (batch.encoder_mask, batch.decoder_mask, batch.cross_mask)
    )
    X = vectors(batch.source_ids, model.source_embedding)
    for p in model.encoder:
        X = norm(X + attend(X, X, p.attention, model.n_heads, encoder), p.norm_1)
        X = norm(X + ffn(X, p.ffn), p.norm_2)
    memory, X = X, vectors(batch.decoder_ids, model.target_embedding)
    for p in model.decoder:
        X = norm(X + attend(X, X, p.self_attention, model.n_heads, decoder), p.norm_1)
        X = norm(X + attend(X, memory, p.cross_attention, model.n_heads, cross), p.norm_2)
        X = norm(X + ffn(X, p.ffn), p.norm_3)
    return X @ (model.target_embedding.T if model.output_projection is None else model.output_projection)


def torch_loss_and_gradients(model, batch, epsilon):
    tensors = [torch.from_numpy(array.copy()).requires_grad_() for array in named_arrays(model).values()]
    # a tensor is no ndarray, so the tree is filled while it still has arrays
    logits = logits_of(with_arrays(model, tensors), batch)
    targets = torch.from_numpy(np.where(batch.target_is_token, batch.target_ids, PAD))
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PAD, label_smoothing=epsilon)
    loss.backward()
    return loss.item(), [tensor.grad.numpy() for tensor in tensors]


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("epsilon", [0.0, 0.1])
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float64, 1e-12), (np.float32, 2e-6)])
def test_loss_and_all_gradients(tied, epsilon, dtype, tolerance):
    model = init_model(np.random.default_rng(5), SOURCE, TARGET, Sizes(12, 3, 20, 2), tied, noise=0.3)
    model, batch = unflatten(model, flatten(model, dtype)), make_batch(PAIRS)
    loss, gradients = loss_and_gradients(model, batch, epsilon)
    expected_loss, expected = torch_loss_and_gradients(model, batch, epsilon)
    assert loss == pytest.approx(expected_loss, rel=tolerance)
    for (name, gradient), right in zip(named_arrays(gradients).items(), expected, strict=True):
        np.testing.assert_allclose(gradient, right, rtol=0, atol=tolerance, err_msg=name)


def test_learning_rate_and_adam():
    """Three updates of PyTorch's Adam with the paper's schedule."""
    rng = np.random.default_rng(6)
    param = rng.standard_normal((3, 4))
    tensor = torch.from_numpy(param.copy()).requires_grad_()
    optimizer = torch.optim.Adam([tensor], lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: reference.noam_learning_rate(step + 1, 16, 2))
    m = v = np.zeros_like(param)
    for step in (1, 2, 3):
        gradient = rng.standard_normal(param.shape)
        tensor.grad = torch.from_numpy(gradient)
        optimizer.step()
        schedule.step()
        param, m, v = reference.adam_update(param, gradient, m, v, step, reference.noam_learning_rate(step, 16, 2))
        np.testing.assert_allclose(param, tensor.detach().numpy(), rtol=1e-12)
