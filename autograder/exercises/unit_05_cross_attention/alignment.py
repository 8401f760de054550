"""Specification of `alignment`."""

import numpy as np

from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_05_cross_attention import alignment_best_mistakes, alignment_mistakes, calls
from autograder.specification import Exercise, Output
from transformer_kit import reference

# By hand, with entries that are exact in binary: means (1/2, 1/4, 1/4) and (1/8, 1/8, 3/4).
BY_HAND = np.array([[[0.75, 0.25, 0.0], [0.25, 0.0, 0.75]], [[0.25, 0.25, 0.5], [0.0, 0.25, 0.75]]])

EXERCISE = Exercise(
    reference=reference.alignment,
    asks="where every target position looks (mean over the heads), and how undecided it is.",
    returns=(Output("best_source", "(..., n_target)"), Output("entropy", "(..., n_target)")),
    where=alignment_mistakes.SECTION,
    calls=calls.ALIGNMENT,
    mistakes=[*alignment_mistakes.MISTAKES, *alignment_best_mistakes.MISTAKES],
)


def _draw(rng, *shape):
    """Draw weights whose rows sum to 1."""
    return reference.softmax(1.5 * rng.standard_normal(shape))


def _heads_disagree(rng):
    """Draw three heads: two look at source token 0 a little more, the third almost wholly at token 2."""
    weights = np.array([[0.4, 0.3, 0.2, 0.1], [0.38, 0.32, 0.2, 0.1], [0.02, 0.03, 0.9, 0.05]])
    return np.stack([weights[:, rng.permutation(4)] for _ in range(5)], axis=1)  # (n_heads, n_target, n_source)


@EXERCISE.claim(0.5)
def best_source(call, rng):
    """best_source is the source position of the largest mean weight"""
    call.agrees_in(0, BY_HAND)
    call.agrees_in(0, _draw(rng, 3, 5, 7))
    call.agrees_in(0, _heads_disagree(rng))


@EXERCISE.claim(1)
def entropy(call, rng):
    """entropy is that of the mean weights, in nats"""
    call.agrees_in(1, BY_HAND[:, :1])
    call.agrees_in(1, _draw(rng, 3, 5, 7))


@EXERCISE.claim(1)
def zeros(call, rng):
    """a weight of 0 adds nothing to the entropy"""
    halves = np.array([[[1.0, 0.0, 0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0, 1.0, 0.0]]])
    call.agrees_in(1, halves)  # ln 2
    one_word = np.repeat(np.eye(4)[None, rng.permutation(4)[:3]], 2, axis=0)
    value = call(one_word)[1]
    fits = isinstance(value, np.ndarray) and value.shape == (3,)
    call.holds(
        fits and bool((np.abs(value) < 1e-6).all()),
        f"every target position looks at one source token only, so its entropy is 0; got {value}.",
    )


@EXERCISE.claim(0.5)
def ties(call, rng):
    """of equal weights the first one is the best"""
    tied = np.array([[[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]], [[0.25, 0.5, 0.25], [0.0, 0.5, 0.5]]])
    call.agrees_in(0, tied)  # 0 and 1
    order = rng.permutation(7)
    call.agrees_in(
        0, np.insert(np.array([[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]])[None, order % 2], rng.integers(4), 0.0, axis=-1)
    )
    call.agrees_in(0, np.full((2, 3, 4), 0.25))


@EXERCISE.claim(0.5, side=True)
def leading_axes(call, rng):
    """works for any leading axes and for float32"""
    call.agrees(_draw(rng, 3, 5, 7))
    agrees_here(call, _draw(rng, 2, 3, 4, 6))
    visible = np.arange(7) < rng.integers(2, 7, size=(3, 2, 1, 1, 1))  # a source with padding
    agrees_here(call, reference.masked_softmax(rng.standard_normal((3, 2, 4, 5, 7)), visible))
    agrees_here(call, _draw(rng, 3, 4, 6).astype(np.float32))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its input alone"""
    weights = reference.masked_softmax(rng.standard_normal((3, 5, 7)), np.arange(7) < rng.integers(2, 7))
    call.leaves_inputs_alone(weights)  # with zeros, as behind padding
    call.agrees_in(0, _draw(rng, 3, 5, 7))
