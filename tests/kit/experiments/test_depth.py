"""The measurements in a deep stack: their gradients against finite differences in a random direction."""

import numpy as np
import pytest

from transformer_kit.experiments import depth
from transformer_kit.reference import encoder_layer, layer_norm, layer_norm_backward, position_wise_ffn

N_LAYERS, STEP = 3, 1e-5


def slope(loss, at, direction):
    """Central difference of a loss along a direction."""
    return (loss(at + STEP * direction) - loss(at - STEP * direction)) / (2 * STEP)


def test_attend_backward():
    X, (params,) = depth.random_stack(0, 1)
    d_output, direction = np.random.default_rng(1).standard_normal((2, *X.shape))
    gradient = depth.attend_backward(d_output, X, params)
    expected = slope(lambda X: (d_output * depth.attend(X, params)).sum(), X, direction)
    assert (gradient * direction).sum() == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("number", range(N_LAYERS))
def test_weight_gradients(norm_first, number, monkeypatch):
    """Moving the weights of one layer along their gradient changes the loss by the gradient's length."""
    monkeypatch.setattr(depth, "SEEDS", (4,))
    caught = []

    def spy(*args):
        result = depth_ffn_backward(*args)
        caught.append(result[1])
        return result

    depth_ffn_backward = depth.ffn_backward
    monkeypatch.setattr(depth, "ffn_backward", spy)
    lengths = depth.weight_gradients(encoder_layer, layer_norm, layer_norm_backward, norm_first, N_LAYERS)
    d_ffn, length = caught[::-1][number], lengths[number]
    X, stack = depth.random_stack(4, N_LAYERS)
    top = depth.top_gradient(4)

    def loss(distance):
        state = X
        for k, params in enumerate(stack):
            if k == number:
                moved = (w + distance * d / length for w, d in zip(params.ffn, d_ffn, strict=True))
                params = params._replace(ffn=type(params.ffn)(*moved))
            state = encoder_layer(state, params, depth.N_HEADS, norm_first=norm_first)
        if norm_first:
            state = layer_norm(state, np.ones(depth.D_MODEL), np.zeros(depth.D_MODEL))
        return (top * state).sum()

    assert slope(loss, 0.0, 1.0) == pytest.approx(length, rel=1e-4)


@pytest.mark.parametrize("residual", [False, True])
def test_without_norm(residual, monkeypatch):
    """The gradient's length at the input is the slope of the loss along it; the scale is that of the vectors."""
    monkeypatch.setattr(depth, "SEEDS", (4,))
    scales, gradients = depth.without_norm(residual, N_LAYERS)
    X, stack = depth.random_stack(4, N_LAYERS)

    def forward(X):
        for params in stack:
            X = residual * X + depth.attend(X, params)
            X = residual * X + position_wise_ffn(X, params.ffn)
        return X

    assert scales[-1] == pytest.approx(np.sqrt((forward(X) ** 2).mean()))
    top = depth.top_gradient(4)

    def loss(X):
        return (top * forward(X)).sum()

    # The root mean square of many slopes estimates the length of the gradient; every slope is one component of it.
    directions = np.random.default_rng(5).standard_normal((400, *X.shape))
    slopes = [slope(loss, X, direction) for direction in directions]
    assert np.sqrt(np.mean(np.square(slopes))) == pytest.approx(gradients[0], rel=0.15)


def test_what_the_notebook_says():
    """Alone, sub-layers fade; with residuals only they grow; pre-norm gradients fall, post-norm ones do not."""
    scales, gradients = depth.without_norm(residual=False)
    assert scales[-1] < 1e-3
    assert gradients[0] < 1e-3
    scales, gradients = depth.without_norm(residual=True)
    assert scales[-1] > 100
    assert gradients[0] > 1e5
    functions = encoder_layer, layer_norm, layer_norm_backward
    pre, post = (depth.weight_gradients(*functions, norm_first) for norm_first in (True, False))
    assert (np.diff(pre) < 0).all()
    assert pre[0] / pre[-1] > 3
    assert np.ptp(post) / post.mean() < 0.2
    assert post[-1] / pre[-1] > 2.5
    tops = [depth.weight_gradients(*functions, True, n_layers)[-1] for n_layers in (3, 12)]
    assert tops[0] / tops[1] == pytest.approx(2, rel=0.15)  # the root of four times as many layers
