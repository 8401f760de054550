"""What the claims of this unit share: inputs, the sub-layers that are handed over, and what both orders promise."""

import numpy as np


def large(rng, *shape):
    """Draw token vectors so long that an eps of 1e-5 does not matter, wherever it is added."""
    return 1e5 * rng.standard_normal(shape)


def small(rng, *shape):
    """Draw token vectors whose variance is about as large as an eps of 0.1."""
    return 0.4 * rng.standard_normal(shape)


def scale_and_shift(rng, d):
    """Draw gamma around 1 and beta around 0, both different for every feature."""
    return 1 + 0.5 * rng.standard_normal(d), rng.standard_normal(d)


def sublayer(rng, d):
    """Make a sub-layer: a pure function that returns a new array of the shape of its input."""
    W = rng.standard_normal((d, d)) / np.sqrt(d)
    return lambda Z: np.tanh(Z @ W) + 0.5


def exchange_and_double(Z):
    """Play a sub-layer whose result can be computed by hand."""
    return 2 * Z[..., [1, 0, 3, 2]]


def hands_eps_on(call, rng):
    """Test `post_norm` or `pre_norm` with values of eps that matter."""
    call.agrees(small(rng, 5, 7), sublayer(rng, 7), *scale_and_shift(rng, 7), 0.1)
    call.agrees(small(rng, 3, 6), sublayer(rng, 6), *scale_and_shift(rng, 6), eps=0.5)


def takes_leading_axes_and_leaves_inputs_alone(call, rng):
    """Test `post_norm` or `pre_norm` on a batch, and on two leading axes."""
    X, function, (gamma, beta) = rng.standard_normal((2, 3, 5)), sublayer(rng, 5), scale_and_shift(rng, 5)
    call.agrees(X, function, gamma, beta)
    call.leaves_inputs_alone(X, function, gamma, beta)
    call.agrees(rng.standard_normal((2, 4, 3, 5)), function, gamma, beta)
