"""Specification of `adam_update`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.unit_10_training.adam_update_mistakes import MISTAKES, STEPS
from transformer_kit import reference

RETURNS = (Returned("param", "(...)"), Returned("m", "(...)"), Returned("v", "(...)"))


def _state(rng, *shape):
    """Draw a parameter, its gradient, and running means as they are in the middle of a training."""
    param, grad, m = rng.standard_normal((3, *shape))
    return param, grad, m, rng.random(shape) + 0.5


def _later(rng):
    return int(rng.integers(3, 9)), float(rng.uniform(0.1, 0.5))


def _mean(number):
    """Make the test that one of the two running means is right, whatever the parameter is."""

    def test(call, rng):
        call.agrees_in(number, *_state(rng, 6), *_later(rng))

    return test


def _first(call, rng):
    nothing = np.zeros(3)
    call.agrees_in(0, np.array([1.0, 2.0, 3.0]), np.array([0.5, -8.0, 1.0]), nothing, nothing, 1, 0.25)  # by hand
    param, grad, *_ = _state(rng, 7)
    call.agrees_in(0, param, grad * 10.0 ** rng.integers(-3, 4, 7), np.zeros(7), np.zeros(7), 1, _later(rng)[1])


def _corrected(call, rng):
    call.agrees_in(0, *_state(rng, 6), *_later(rng))
    call.agrees_in(0, *_state(rng, 6), int(rng.integers(20, 40)), 0.3)


def _numbers(call, rng):
    beta_1, beta_2 = float(rng.uniform(0.5, 0.7)), float(rng.uniform(0.75, 0.85))
    call.agrees(*_state(rng, 5), *_later(rng), beta_1, beta_2, 0.2)
    call.agrees(*_state(rng, 5), *_later(rng), eps=0.5, beta_2=beta_2)


def _inputs(call, rng):
    call.agrees(*_state(rng), *_later(rng))  # a single number
    call.agrees(*_state(rng, 2, 3, 4), *_later(rng))
    call.agrees(*(array.astype(np.float32) for array in _state(rng, 4)), *_later(rng))
    args = (*_state(rng, 3, 5), *_later(rng))
    call.agrees(*args)
    call.leaves_inputs_alone(*args)


EXERCISE = Exercise(
    reference=reference.adam_update,
    asks="one update of a parameter by Adam, with the new running means.",
    returns=RETURNS,
    where=STEPS,
    claims=(
        Claim("m is the running mean of the gradient", 0.5, _mean(1)),
        Claim("v is the running mean of its square", 0.5, _mean(2)),
        Claim("the first step goes by the learning rate, whatever the size of the gradient", 1, _first),
        Claim("later steps are corrected by their own number", 0.75, _corrected),
        Claim("takes both betas and eps as they are given; eps is added to the root", 0.75, _numbers),
        Claim("takes arrays of any shape and float32, and leaves its inputs alone", 0.5, _inputs),
    ),
    mistakes=MISTAKES,
)
