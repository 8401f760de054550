"""What the claims of this unit share: inputs, the sub-layers that are handed over, and what both orders promise."""

import numpy as np

from autograder.exercises.inputs import agrees_here


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


def mixing_sublayer(rng, d):
    """Make a sub-layer in which the tokens of a sentence meet, and sentences have something of their own."""
    function = sublayer(rng, d)
    return lambda Z: function(Z - Z.mean(axis=-2, keepdims=True) + _numbered(Z.shape[:-2]))


def _numbered(shape):
    return np.arange(np.prod(shape, dtype=int)).reshape(*shape, 1, 1)


def exchange_and_double(Z):
    """Play a sub-layer whose result can be computed by hand."""
    return 2 * Z[..., [1, 0, 3, 2]]


def hands_eps_on(call, rng):
    """Test `post_norm` or `pre_norm` with values of eps that matter."""
    _agrees(call, rng)
    agrees_here(call, small(rng, 5, 7), sublayer(rng, 7), *scale_and_shift(rng, 7), 0.1)
    agrees_here(call, small(rng, 3, 6), sublayer(rng, 6), *scale_and_shift(rng, 6), eps=0.5)


def _agrees(call, rng):
    call.agrees(rng.standard_normal((5, 7)), sublayer(rng, 7), *scale_and_shift(rng, 7))


def takes_leading_axes(call, rng):
    """Test `post_norm` or `pre_norm` with sub-layers that must be given everything at once."""
    _agrees(call, rng)
    for shape in ((3, 5), (2, 3, 5), (2, 4, 3, 5)):
        agrees_here(call, rng.standard_normal(shape), mixing_sublayer(rng, 5), *scale_and_shift(rng, 5))


def leaves_inputs_alone(call, rng):
    """Test `post_norm` or `pre_norm` also with sub-layers that return the very array that they are given, or zeros."""
    X, gamma_and_beta = rng.standard_normal((3, 5)), scale_and_shift(rng, 5)
    for function in (sublayer(rng, 5), lambda Z: Z, lambda Z: np.zeros(Z.shape)):
        call.leaves_inputs_alone(X, function, *gamma_and_beta)
    call.agrees(X, sublayer(rng, 5), *gamma_and_beta)
