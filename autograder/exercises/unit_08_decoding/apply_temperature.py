"""Specification of `apply_temperature`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_08_decoding.apply_temperature_mistakes import LOGITS, MISTAKES
from transformer_kit import reference


def _values(call, rng):
    call.agrees(np.log([4.0, 9.0, 1.0]), 2.0)  # by hand: square roots 2, 3, 1, divided by their sum 6
    call.agrees(rng.standard_normal(5), 1.0)
    call.agrees(2 * rng.standard_normal(7), float(rng.uniform(0.3, 0.8)))
    call.agrees(rng.standard_normal(6).astype(np.float32), 1.5)
    call.agrees(np.array([12.5, 9.0, -np.inf, 11.0]), 0.01)  # a softmax that is not stable overflows here


def _zero(call, rng):
    call.agrees(rng.permutation(6) / 2.0, 0.0)
    call.agrees(np.array([1.5, 3.0, -2.0, 3.0]), 0.0)  # a tie
    call.agrees(np.array([[-np.inf, -1.0, 0.5], [2.0, -np.inf, 2.0]]), 0)


def _leading_axes(call, rng):
    logits = rng.standard_normal((2, 3, 5))
    call.agrees(rng.standard_normal((4, 5)), 1.7)
    call.agrees(rng.integers(-3, 4, (3, 6)), 2.0)
    call.agrees(logits, 0.7)
    call.leaves_inputs_alone(logits, 0.7)


def _negative(call, rng):
    logits, negative = rng.standard_normal(3), -float(rng.integers(1, 40)) / 8
    call.agrees(logits, -negative)
    call.refuses(logits, negative, mentions=[f"{negative:g}"])
    call.refuses(np.array([[0.0, 1.0]]), -2.0, mentions=[-2])


EXERCISE = Exercise(
    reference=reference.apply_temperature,
    asks="the probabilities of the logits after dividing them by the temperature; at 0 all on the largest.",
    returns=(Returned("probabilities", "(..., V)"),),
    where=LOGITS,
    claims=(
        Claim("equals the softmax of the divided logits, also at low temperatures", 0.5, _values),
        Claim("temperature 0 puts everything on the largest logit, the lowest id on ties", 0.5, _zero),
        Claim("works for any leading axes and leaves its inputs alone", 0.5, _leading_axes),
        Claim("a negative temperature raises a ValueError that mentions it", 0.5, _negative),
    ),
    mistakes=MISTAKES,
)
