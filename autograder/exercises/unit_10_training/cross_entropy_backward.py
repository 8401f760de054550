"""Specification of `cross_entropy_backward`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.inputs import require_slopes
from autograder.exercises.unit_10_training.cross_entropy_backward_mistakes import GRADIENT, MISTAKES
from autograder.exercises.unit_10_training.inputs import at_many_levels, far_apart, logits_and_targets, padded
from transformer_kit import reference


def _value(call, rng):
    call.agrees(np.log([[1.0, 2.0, 5.0], [1.0, 1.0, 2.0]]), np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]))  # by hand
    call.agrees(*logits_and_targets(rng, 5, epsilon=0.2))


def _padding(call, rng):
    logits, wanted = logits_and_targets(rng, 3, 6, epsilon=0.2)
    is_token = padded(rng, 2, 4, 5)
    call.agrees(logits, wanted, is_token)
    result = call(logits, wanted, is_token=is_token)
    call.holds(bool((result[~is_token] == 0).all()), "where the target is padding, the gradient should be exactly 0.")


def _leading_axes(call, rng):
    call.agrees(*logits_and_targets(rng, 2, 5))
    call.agrees(*logits_and_targets(rng, 2, 3, 4, epsilon=0.2))


def _differences(call, rng):
    logits, wanted = logits_and_targets(rng, 2, 4, n_classes=5, epsilon=0.3)
    is_token = padded(rng, 2, 3)
    value = call.array(logits.shape, logits, wanted, is_token, kinds="f")
    require_slopes(call, (value,), lambda logits: reference.cross_entropy(logits, wanted, is_token), (logits,))


def _large(call, rng):
    call.agrees_quietly(*at_many_levels(rng, 4))
    call.agrees_quietly(*far_apart(rng, 3))


def _inputs(call, rng):
    logits, wanted = logits_and_targets(rng, 2, 4, epsilon=0.2)
    is_token = padded(rng, 2, 3)
    call.agrees(logits.astype(np.float32), wanted.astype(np.float32), is_token)
    call.agrees(logits, wanted, is_token)
    call.leaves_inputs_alone(logits, wanted, is_token)


EXERCISE = Exercise(
    reference=reference.cross_entropy_backward,
    asks="the gradient of the mean cross-entropy with respect to the logits.",
    returns=(Returned("d_logits", "(..., n, V)"),),
    where=GRADIENT,
    claims=(
        Claim("is the gradient of the mean loss, also for smoothed targets", 1, _value),
        Claim("is 0 where the target is padding, which is not counted among the tokens either", 1, _padding),
        Claim("works for any leading axes", 0.5, _leading_axes),
        Claim("agrees with central differences", 0.5, _differences),
        Claim("logits from -1000 to 1000 do no harm", 0.5, _large),
        Claim("leaves its inputs alone, and also takes float32", 0.5, _inputs),
    ),
    mistakes=MISTAKES,
)
