"""Specification of `apply_temperature`."""

import numpy as np

from autograder.exercises.unit_08_decoding import calls
from autograder.exercises.unit_08_decoding.apply_temperature_mistakes import MISTAKES, SECTION
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.apply_temperature,
    asks="the probabilities of the logits after dividing them by the temperature; at 0 all on the largest.",
    returns=(Output("probabilities", "(..., V)"),),
    where=SECTION,
    calls=calls.APPLY_TEMPERATURE,
    mistakes=MISTAKES,
)


@EXERCISE.claim(0.5)
def values(call, rng):
    """equals the softmax of the divided logits, also at low temperatures"""
    call.agrees(np.log([4.0, 9.0, 1.0]), 2.0)  # by hand: square roots 2, 3, 1, divided by their sum 6
    call.agrees(rng.standard_normal(5), 1.0)
    call.agrees(2 * rng.standard_normal(7), float(rng.uniform(0.3, 0.8)))
    call.agrees(rng.standard_normal(6).astype(np.float32), 1.5)
    call.agrees(20 * rng.standard_normal(5), 40.0)
    call.agrees(np.array([12.5, 9.0, -np.inf, 12.49]), 0.01)  # a softmax that is not stable overflows here
    call.agrees(np.array([0.0, -800.0, -1600.0]), 400.0)  # what is nearly 0 at temperature 1 is not at this one


@EXERCISE.claim(0.5)
def zero(call, rng):
    """temperature 0 puts everything on the largest logit, the lowest id on ties"""
    call.agrees(rng.permutation(6) / 2.0, 0.0)
    call.agrees(np.array([1.5, 3.0, -2.0, 3.0]), 0.0)  # a tie
    call.agrees(np.array([[-np.inf, -1.0, -0.5], [2.0, -np.inf, 2.0]]), 0)


@EXERCISE.claim(0.25)
def leading_axes(call, rng):
    """works for any leading axes, and also takes whole numbers"""
    call.agrees(rng.standard_normal((4, 5)), 1.7)
    call.agrees(rng.integers(-3, 4, (3, 6)), 2.0)
    call.agrees(rng.standard_normal((2, 3, 5)), 0.7)
    call.agrees(rng.standard_normal((1, 3, 1)), 0.7)
    call.agrees(rng.standard_normal((2, 4)) + np.array([[-900.0], [900.0]]), 1.0)  # each row has its own maximum


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    logits = rng.standard_normal(5)
    for temperature in (0.75, 0.0):
        call.leaves_inputs_alone(logits, temperature)
    call.agrees(logits, 0.75)


@EXERCISE.claim(0.5, side=True)
def negative(call, rng):
    """a negative temperature raises a ValueError that mentions it"""
    logits, negative = rng.standard_normal(3), -float(rng.integers(1, 40)) / 8
    call.refuses(logits, negative, mentions=[f"{negative:g}"])
    call.refuses(logits, -2.0, mentions=[-2])
    call.agrees(logits, -negative)
