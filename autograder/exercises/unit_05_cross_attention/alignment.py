"""Specification of `alignment`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_05_cross_attention.alignment_mistakes import MISTAKES, SECTION
from transformer_kit import reference

# By hand, with entries that are exact in binary: means (1/2, 1/4, 1/4) and (1/8, 1/8, 3/4).
BY_HAND = np.array([[[0.75, 0.25, 0.0], [0.25, 0.0, 0.75]], [[0.25, 0.25, 0.5], [0.0, 0.25, 0.75]]])


def _best_source(call, rng):
    call.agrees_in(0, BY_HAND)
    call.agrees_in(0, _draw(rng, 3, 5, 7))
    call.agrees_in(0, _heads_disagree(rng))


def _entropy(call, rng):
    call.agrees_in(1, BY_HAND[:, :1])
    call.agrees_in(1, _draw(rng, 3, 5, 7))


def _zeros(call, rng):
    halves = np.array([[[1.0, 0.0, 0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0, 1.0, 0.0]]])
    call.agrees_in(1, halves)  # ln 2
    one_word = np.repeat(np.eye(4)[None, rng.permutation(4)[:3]], 2, axis=0)
    value = call(one_word)[1]
    fits = isinstance(value, np.ndarray) and value.shape == (3,)
    call.holds(
        fits and bool((np.abs(value) < 1e-6).all()),
        f"every target position looks at one source token only, so its entropy is 0; got {value}.",
    )
    call.is_quiet(call.trials)


def _ties(call, rng):
    tied = np.array([[[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]], [[0.25, 0.5, 0.25], [0.0, 0.5, 0.5]]])
    call.agrees_in(0, tied)  # 0 and 1
    order = rng.permutation(7)
    call.agrees_in(
        0, np.insert(np.array([[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]])[None, order % 2], rng.integers(4), 0.0, axis=-1)
    )
    call.agrees_in(0, np.full((2, 3, 4), 0.25))


def _leading_axes(call, rng):
    call.agrees(_draw(rng, 2, 3, 4, 6))
    visible = np.arange(7) < rng.integers(2, 7, size=(3, 2, 1, 1, 1))  # a source with padding
    weights = reference.masked_softmax(rng.standard_normal((3, 2, 4, 5, 7)), visible)
    call.agrees(weights)
    call.leaves_inputs_alone(weights)
    call.agrees(_draw(rng, 3, 4, 6).astype(np.float32))


def _draw(rng, *shape):
    """Draw weights whose rows sum to 1."""
    return reference.softmax(1.5 * rng.standard_normal(shape))


def _heads_disagree(rng):
    """Draw three heads: two look at source token 0 a little more, the third almost wholly at token 2."""
    weights = np.array([[0.4, 0.3, 0.2, 0.1], [0.38, 0.32, 0.2, 0.1], [0.02, 0.03, 0.9, 0.05]])
    return np.stack([weights[:, rng.permutation(4)] for _ in range(5)], axis=1)  # (n_heads, n_target, n_source)


EXERCISE = Exercise(
    reference=reference.alignment,
    asks="where every target position looks (mean over the heads), and how undecided it is.",
    returns=(Returned("best_source", "(..., n_target)"), Returned("entropy", "(..., n_target)")),
    where=SECTION,
    claims=(
        Claim("best_source is the source position of the largest mean weight", 1, _best_source),
        Claim("entropy is that of the mean weights, in nats", 0.5, _entropy),
        Claim("a weight of 0 adds nothing to the entropy, without a warning", 0.5, _zeros),
        Claim("of equal weights the first one is the best", 0.5, _ties),
        Claim("works for any leading axes and for float32, and leaves its input alone", 0.5, _leading_axes),
    ),
    mistakes=MISTAKES,
)
