"""The worked example of unit 07: every number is right, and two features show nothing."""

import numpy as np
from numpy.testing import assert_allclose

from transformer_kit.examples import norms
from transformer_kit.reference import layer_norm

SIX_DECIMALS = {"rtol": 0, "atol": 5.1e-7}


def normalised(X):
    return layer_norm(X, np.ones(X.shape[-1]), np.zeros(X.shape[-1]), eps=0.0)


def test_printed_and_repaired_numbers_are_right():
    for example in (norms.PRINTED, norms.REPAIRED):
        assert_allclose(example.total, example.x + example.sublayer, **SIX_DECIMALS)
        assert_allclose(example.normalised, normalised(example.total), **SIX_DECIMALS)
    assert np.array_equal(norms.REPAIRED.total[:2], norms.PRINTED.total)


def test_two_features_always_give_the_same():
    pairs = np.random.default_rng(0).standard_normal((50, 2))
    assert_allclose(np.abs(normalised(pairs)), 1, **SIX_DECIMALS)
    assert not np.isclose(np.abs(normalised(norms.REPAIRED.total)), 1).any()


def test_per_token_and_per_sentence():
    assert_allclose(norms.PER_TOKEN, normalised(norms.TOKENS), **SIX_DECIMALS)
    everything = normalised(norms.TOKENS.reshape(-1)).reshape(2, 4)
    assert_allclose(norms.PER_SENTENCE, everything, **SIX_DECIMALS)
