"""Specification of `cross_entropy`."""

import numpy as np

from autograder.exercises.unit_10_training import calls, cross_entropy_mean_mistakes, cross_entropy_mistakes
from autograder.exercises.unit_10_training.inputs import (
    at_many_levels,
    far_apart,
    logits_and_targets,
    padded,
    with_a_sure_token,
)
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.cross_entropy,
    asks="how many nats per token the target costs on average, as one number.",
    returns=(Output("loss"),),
    where=cross_entropy_mistakes.LOSS,
    calls=calls.CROSS_ENTROPY,
    mistakes=[*cross_entropy_mistakes.MISTAKES, *cross_entropy_mean_mistakes.MISTAKES],
)


@EXERCISE.claim(1)
def value(call, rng):
    """is minus the log-probability of the right token, on average over the tokens"""
    call.agrees(np.log([[1.0, 2.0, 5.0]]), np.array([[0.0, 1.0, 0.0]]))  # by hand: log 4
    call.agrees(*logits_and_targets(rng, 5))


@EXERCISE.claim(0.75)
def smoothed(call, rng):
    """counts every word of the vocabulary by its share in the target"""
    call.agrees(*logits_and_targets(rng, 5, epsilon=0.3))
    wanted = rng.random((4, 6)) + 0.1
    call.agrees(rng.standard_normal((4, 6)), wanted / wanted.sum(axis=-1, keepdims=True))


@EXERCISE.claim(0.75)
def padding(call, rng):
    """leaves padding out, of the sum and of the number of tokens"""
    logits, wanted = logits_and_targets(rng, 3, 6, epsilon=0.2)
    is_token = padded(rng, 2, 4, 5)
    call.agrees(logits, wanted, is_token)
    call.agrees(np.where(is_token[..., None], logits, 50 * logits), wanted, is_token)
    call.agrees(*logits_and_targets(rng, 4), is_token=padded(rng, 3)[0])


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes"""
    call.agrees(*logits_and_targets(rng, 2, 5))
    call.agrees(*logits_and_targets(rng, 2, 3, 4, epsilon=0.2))


@EXERCISE.claim(0.5)
def large(call, rng):
    """logits from -1000 to 1000 do no harm"""
    call.agrees_quietly(*at_many_levels(rng, 4))
    call.agrees_quietly(*far_apart(rng, 3))
    call.agrees_quietly(*with_a_sure_token(rng))


@EXERCISE.claim(0.25)
def other_numbers(call, rng):
    """also takes whole numbers and float32"""
    logits, wanted = logits_and_targets(rng, 5, epsilon=0.2)
    call.agrees(logits.astype(np.float32), wanted.astype(np.float32))
    call.agrees(rng.integers(-3, 4, logits.shape), wanted)


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    logits, wanted = logits_and_targets(rng, 4)
    call.leaves_inputs_alone(logits, wanted, padded(rng, 3)[0])
    call.leaves_inputs_alone(logits, wanted)
    call.agrees(logits, wanted)
