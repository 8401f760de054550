"""Specification of `layer_norm`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_07_add_and_layer_norm.inputs import large, scale_and_shift, small
from autograder.exercises.unit_07_add_and_layer_norm.layer_norm_mistakes import MISTAKES, SECTION
from transformer_kit import reference


def _plain(d):
    """A gamma and a beta that change nothing."""
    return np.ones(d), np.zeros(d)


def _mean_and_variance(call, rng):
    call.agrees(np.array([[1000.0, 2000.0, 3000.0, 4000.0]]), *_plain(4))  # by hand: -1.34, -0.45, 0.45, 1.34
    d = int(rng.choice([7, 9, 11]))
    call.agrees(large(rng, 5, d) + 5e4, *_plain(d))


def _leading_axes(call, rng):
    call.agrees(large(rng, 2, 3, 5), *_plain(5))
    call.agrees(large(rng, 7), *_plain(7))
    call.agrees(large(rng, 2, 4, 3, 5), *_plain(5))


def _gamma_and_beta(call, rng):
    call.agrees(large(rng, 5, 7), *scale_and_shift(rng, 7))
    call.agrees(large(rng, 2, 3, 5), *scale_and_shift(rng, 5))


def _eps(call, rng):
    call.agrees(small(rng, 5, 7), *_plain(7), 0.1)
    call.agrees(0.003 * rng.standard_normal((3, 6)), *_plain(6))  # as small as the root of the default
    call.agrees(rng.standard_normal((4, 7)), *_plain(7), eps=0.5)


def _constant_row(call, rng):
    _, beta = scale_and_shift(rng, 6)
    rows = large(rng, 4, 6)
    rows[1], rows[2] = 0.0, float(rng.integers(2, 9))
    call.agrees_quietly(rows, np.ones(6), beta)


def _inputs(call, rng):
    X, (gamma, beta) = large(rng, 5, 7), _plain(7)
    call.agrees(rng.integers(-9000, 9000, (5, 7)), gamma, beta)
    call.agrees(*(array.astype(np.float32) for array in (X, gamma, beta)))
    call.agrees(X, gamma, beta)
    call.leaves_inputs_alone(X, gamma, beta)


EXERCISE = Exercise(
    reference=reference.layer_norm,
    asks="give every token vector mean 0 and variance 1 over its features, then scale by gamma and shift by beta.",
    returns=(Returned("output", "(..., d)"),),
    where=SECTION,
    claims=(
        Claim("every token vector gets mean 0 and population variance 1", 1.5, _mean_and_variance),
        Claim("every token by itself, whatever the leading axes", 1.5, _leading_axes),
        Claim("gamma and beta scale and shift every feature", 1, _gamma_and_beta),
        Claim("eps is added to the variance, inside the root", 1, _eps),
        Claim("a constant vector becomes beta, without a warning", 0.5, _constant_row),
        Claim("leaves its inputs alone, and also takes whole numbers and float32", 0.5, _inputs),
    ),
    mistakes=MISTAKES,
)
