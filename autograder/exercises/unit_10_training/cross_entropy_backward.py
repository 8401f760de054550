"""Specification of `cross_entropy_backward`."""

import numpy as np

from autograder.exercises.inputs import require_slopes
from autograder.exercises.unit_10_training import calls
from autograder.exercises.unit_10_training.cross_entropy_backward_mistakes import GRADIENT, MISTAKES
from autograder.exercises.unit_10_training.inputs import (
    MANY_TOKENS,
    at_many_levels,
    far_apart,
    logits_and_targets,
    many,
    padded,
    with_a_sure_token,
)
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.cross_entropy_backward,
    asks="the gradient of the mean cross-entropy with respect to the logits.",
    returns=(Output("d_logits", "(..., n, V)"),),
    where=GRADIENT,
    calls=calls.CROSS_ENTROPY_BACKWARD,
    mistakes=MISTAKES,
)


@EXERCISE.claim(0.75)
def value(call, rng):
    """is the gradient of the mean loss, also for smoothed targets"""
    call.agrees(np.log([[1.0, 2.0, 5.0], [1.0, 1.0, 2.0]]), np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]))  # by hand
    call.agrees(*logits_and_targets(rng, 5, epsilon=0.2))
    call.agrees(*many(rng))


@EXERCISE.claim(0.75)
def padding(call, rng):
    """is 0 where the target is padding, which is not counted among the tokens either"""
    logits, wanted = logits_and_targets(rng, 3, 6, epsilon=0.2)
    is_token = padded(rng, 2, 4, 5)
    call.agrees(logits, wanted, is_token)
    result = call(logits, wanted, is_token=is_token)
    call.holds(bool((result[~is_token] == 0).all()), "where the target is padding, the gradient should be exactly 0.")
    call.agrees(*many(rng), rng.random(MANY_TOKENS) < 0.7)


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes"""
    call.agrees(*logits_and_targets(rng, 2, 5))
    call.agrees(*logits_and_targets(rng, 2, 3, 4, epsilon=0.2))
    call.agrees(*logits_and_targets(rng, 1, 3, 1, epsilon=0.2))


@EXERCISE.claim(0.25)
def differences(call, rng):
    """agrees with central differences"""
    logits, wanted = logits_and_targets(rng, 2, 4, n_classes=5, epsilon=0.3)
    is_token = padded(rng, 2, 3)
    value = call.array(logits.shape, logits, wanted, is_token, kinds="f")
    require_slopes(call, (value,), lambda logits: reference.cross_entropy(logits, wanted, is_token), (logits,))


@EXERCISE.claim(0.25)
def large(call, rng):
    """logits from -1000 to 1000 do no harm"""
    call.agrees_quietly(*at_many_levels(rng, 4))
    call.agrees_quietly(*far_apart(rng, 3))
    call.agrees_quietly(*with_a_sure_token(rng))


@EXERCISE.claim(0.25)
def single_precision(call, rng):
    """also takes float32"""
    logits, wanted = logits_and_targets(rng, 5, epsilon=0.2)
    call.agrees(logits.astype(np.float32), wanted.astype(np.float32))


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    logits, wanted = logits_and_targets(rng, 4)
    call.leaves_inputs_alone(logits, wanted, padded(rng, 3)[0])
    call.leaves_inputs_alone(logits, wanted)
    call.agrees(logits, wanted)
