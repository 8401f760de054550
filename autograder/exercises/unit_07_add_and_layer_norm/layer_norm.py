"""Specification of `layer_norm`."""

import numpy as np

from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_07_add_and_layer_norm import calls, layer_norm_features_mistakes, layer_norm_mistakes
from autograder.exercises.unit_07_add_and_layer_norm.inputs import large, scale_and_shift, small
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.layer_norm,
    asks="give every token vector mean 0 and variance 1 over its features, then scale by gamma and shift by beta.",
    returns=(Output("output", "(..., d)"),),
    where=layer_norm_mistakes.SECTION,
    calls=calls.LAYER_NORM,
    mistakes=[*layer_norm_mistakes.MISTAKES, *layer_norm_features_mistakes.MISTAKES],
)


def _plain(d):
    """A gamma and a beta that change nothing."""
    return np.ones(d), np.zeros(d)


@EXERCISE.claim(1.5)
def mean_and_variance(call, rng):
    """every token vector gets mean 0 and population variance 1"""
    call.agrees(np.array([[1000.0, 2000.0, 3000.0, 4000.0]]), *_plain(4))  # by hand: -1.34, -0.45, 0.45, 1.34
    d = int(rng.choice([7, 9, 11]))
    call.agrees(large(rng, 5, d) + 5e4, *_plain(d))


@EXERCISE.claim(1.5, side=True)
def leading_axes(call, rng):
    """every token by itself, whatever the leading axes"""
    call.agrees(large(rng, 5, 7), *_plain(7))
    agrees_here(call, large(rng, 2, 3, 5), *_plain(5))
    agrees_here(call, large(rng, 7), *_plain(7))
    agrees_here(call, large(rng, 2, 4, 3, 5), *_plain(5))


@EXERCISE.claim(1, side=True)
def gamma_and_beta(call, rng):
    """gamma and beta scale and shift every feature"""
    call.agrees(large(rng, 5, 7), *_plain(7))
    agrees_here(call, large(rng, 5, 7), *scale_and_shift(rng, 7))
    agrees_here(call, large(rng, 3, 4), *scale_and_shift(rng, 4))


@EXERCISE.claim(1, side=True)
def eps(call, rng):
    """eps is added to the variance, inside the root"""
    call.agrees(large(rng, 5, 7), *_plain(7))
    agrees_here(call, small(rng, 5, 7), *_plain(7), 0.1)
    spread = np.array([[0.003], [0.001], [0.0001]])  # the root of the default, and less
    agrees_here(call, spread * rng.standard_normal((3, 6)), *_plain(6))
    agrees_here(call, rng.standard_normal((4, 7)), *_plain(7), eps=0.5)
    agrees_here(call, 0.001 * rng.standard_normal((4, 7)), *_plain(7), 0.0)


@EXERCISE.claim(0.5, side=True)
def unusual_tokens(call, rng):
    """a constant vector becomes beta; tokens far from 0, whole numbers and float32 are right, too"""
    call.agrees(large(rng, 5, 7), *_plain(7))
    rows = large(rng, 4, 6)
    rows[1], rows[2] = 0.0, float(rng.integers(2, 9))
    agrees_here(call, rows, np.ones(6), scale_and_shift(rng, 6)[1])
    agrees_here(call, large(rng, 3, 6) + 2e10, *_plain(6))
    agrees_here(call, rng.integers(-9000, 9000, (5, 7)), *_plain(7))
    agrees_here(call, *(array.astype(np.float32) for array in (large(rng, 5, 7), *_plain(7))))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    X, (gamma, beta) = large(rng, 5, 7), _plain(7)
    call.leaves_inputs_alone(X, gamma, beta)
    call.agrees(X, gamma, beta)
