"""Specification of `cross_entropy`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_10_training.cross_entropy_mistakes import LOSS, MISTAKES
from autograder.exercises.unit_10_training.inputs import at_many_levels, far_apart, logits_and_targets, padded
from transformer_kit import reference


def _value(call, rng):
    call.agrees(np.log([[1.0, 2.0, 5.0]]), np.array([[0.0, 1.0, 0.0]]))  # by hand: log 4
    call.agrees(*logits_and_targets(rng, 5))


def _smoothed(call, rng):
    call.agrees(*logits_and_targets(rng, 5, epsilon=0.3))
    wanted = rng.random((4, 6)) + 0.1
    call.agrees(rng.standard_normal((4, 6)), wanted / wanted.sum(axis=-1, keepdims=True))


def _padding(call, rng):
    logits, wanted = logits_and_targets(rng, 3, 6, epsilon=0.2)
    is_token = padded(rng, 2, 4, 5)
    call.agrees(logits, wanted, is_token)
    call.agrees(np.where(is_token[..., None], logits, 50 * logits), wanted, is_token)
    call.agrees(*logits_and_targets(rng, 4), is_token=padded(rng, 3)[0])


def _leading_axes(call, rng):
    call.agrees(*logits_and_targets(rng, 2, 5))
    call.agrees(*logits_and_targets(rng, 2, 3, 4, epsilon=0.2))


def _large(call, rng):
    call.agrees_quietly(*at_many_levels(rng, 4))
    call.agrees_quietly(*far_apart(rng, 3))


def _inputs(call, rng):
    logits, wanted = logits_and_targets(rng, 2, 4, epsilon=0.2)
    is_token = padded(rng, 2, 3)
    call.agrees(logits.astype(np.float32), wanted.astype(np.float32), is_token)
    call.agrees(rng.integers(-3, 4, (2, 4, 7)), wanted, is_token)
    call.agrees(logits, wanted, is_token)
    call.leaves_inputs_alone(logits, wanted, is_token)


EXERCISE = Exercise(
    reference=reference.cross_entropy,
    asks="how many nats per token the target costs on average, as one number.",
    returns=(Returned("loss"),),
    where=LOSS,
    claims=(
        Claim("is minus the log-probability of the right token, on average over the tokens", 1, _value),
        Claim("counts every word of the vocabulary by its share in the target", 0.75, _smoothed),
        Claim("leaves padding out, of the sum and of the number of tokens", 0.75, _padding),
        Claim("works for any leading axes", 0.5, _leading_axes),
        Claim("logits from -1000 to 1000 do no harm", 0.5, _large),
        Claim("leaves its inputs alone, and also takes whole numbers and float32", 0.5, _inputs),
    ),
    mistakes=MISTAKES,
)
