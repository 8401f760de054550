"""The layer with the normalisation first, forward and backward."""

import numpy as np
import pytest

from transformer_kit import reference
from transformer_kit.numerical import numerical_gradient
from transformer_kit.parameters import init_encoder_layer
from transformer_kit.parameters.tree import flatten, named_arrays, unflatten
from transformer_kit.training import Dropout
from transformer_kit.training.pre_norm import pre_norm_layer, pre_norm_layer_backward
from transformer_kit.training.sublayers import NO_DROPOUT

N_HEADS = 3
RNG = np.random.default_rng(5)
PARAMS = init_encoder_layer(RNG, 6, N_HEADS, 7, noise=0.3)
X, WANTED = RNG.standard_normal((2, 2, 5, 6))
MASK = np.stack([np.tri(5, dtype=bool), np.arange(5) < np.array([[4]] * 5)])


def test_the_forward_pass_is_that_of_unit_07():
    output, _ = pre_norm_layer(X, PARAMS, N_HEADS, MASK, NO_DROPOUT)
    expected = [
        reference.encoder_layer(x, PARAMS, N_HEADS, mask, norm_first=True) for x, mask in zip(X, MASK, strict=True)
    ]
    np.testing.assert_allclose(output, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("rate", [0.0, 0.2])
def test_every_gradient_agrees_with_finite_differences(rate):
    """Of the input and of every parameter, with the same dropout each time."""

    def run(X, params):
        return pre_norm_layer(X, params, N_HEADS, MASK, Dropout(rate, np.random.default_rng(3)))

    _, saved = run(X, PARAMS)
    dX, d_params = pre_norm_layer_backward(WANTED, saved, PARAMS, N_HEADS)
    slopes = numerical_gradient(lambda X: (run(X, PARAMS)[0] * WANTED).sum(), X)
    np.testing.assert_allclose(dX, slopes, rtol=1e-5, atol=1e-7)
    slopes = numerical_gradient(lambda flat: (run(X, unflatten(PARAMS, flat))[0] * WANTED).sum(), flatten(PARAMS))
    np.testing.assert_allclose(flatten(d_params), slopes, rtol=1e-5, atol=1e-7)
    assert all(np.abs(gradient).max() > 1e-3 for gradient in named_arrays(d_params).values())


def test_single_precision_stays_single():
    params, single = unflatten(PARAMS, flatten(PARAMS, np.float32)), X.astype(np.float32)
    output, saved = pre_norm_layer(single, params, N_HEADS, MASK, Dropout(0.1, np.random.default_rng(0)))
    dX, d_params = pre_norm_layer_backward(output, saved, params, N_HEADS)
    assert {array.dtype for array in (output, dX, *named_arrays(d_params).values())} == {np.dtype(np.float32)}
