"""Specification of `adam_update`."""

import numpy as np

from autograder.exercises.unit_10_training import (
    adam_update_means_mistakes,
    adam_update_mistakes,
    adam_update_slip_mistakes,
    calls,
)
from autograder.specification import Exercise, Output
from transformer_kit import reference

RETURNS = (Output("param", "(...)"), Output("m", "(...)"), Output("v", "(...)"))

EXERCISE = Exercise(
    reference=reference.adam_update,
    asks="one update of a parameter by Adam, with the new running means.",
    returns=RETURNS,
    where=adam_update_mistakes.STEPS,
    calls=calls.ADAM_UPDATE,
    mistakes=[
        *adam_update_mistakes.MISTAKES,
        *adam_update_means_mistakes.MISTAKES,
        *adam_update_slip_mistakes.MISTAKES,
    ],
)


def _state(rng, *shape):
    """Draw a parameter, its gradient, and running means as they are in the middle of a training."""
    param, grad, m = rng.standard_normal((3, *shape))
    return param, grad, m, rng.random(shape) + 0.5


def _later(rng):
    return int(rng.integers(3, 9)), float(rng.uniform(0.1, 0.5))


@EXERCISE.claim(0.5)
def mean_of_gradient(call, rng):
    """m is the running mean of the gradient"""
    param, grad, m, v = _state(rng, 6)
    call.agrees_in(1, param, 30 * grad, m, v, *_later(rng))  # large gradients are not cut


@EXERCISE.claim(0.5)
def mean_of_square(call, rng):
    """v is the running mean of its square"""
    call.agrees_in(2, *_state(rng, 6), *_later(rng))


@EXERCISE.claim(1)
def first(call, rng):
    """the first step goes by the learning rate, whatever the size of the gradient"""
    nothing = np.zeros(3)
    call.agrees_in(0, np.array([1.0, 2.0, 3.0]), np.array([0.5, -8.0, 0.0]), nothing, nothing, 1, 0.25)  # by hand
    param, grad, *_ = _state(rng, 7)
    grad *= 10.0 ** rng.permutation(np.arange(-3, 4))
    call.agrees_in(0, param, grad, np.zeros(7), np.zeros(7), 1, _later(rng)[1])


@EXERCISE.claim(0.75)
def corrected(call, rng):
    """later steps are corrected by their own number"""
    call.agrees_in(0, *_state(rng, 6), *_later(rng))
    call.agrees_in(0, *_state(rng, 6), int(rng.integers(20, 40)), 0.3)
    param, grad, m, v = _state(rng, 6)
    grad[2] = 0.0  # the mean of earlier gradients still moves it
    call.agrees_in(0, param, grad, m, v, int(rng.integers(120, 160)), 0.3)


@EXERCISE.claim(0.75)
def numbers(call, rng):
    """takes both betas and eps as they are given; eps is added to the root"""
    beta_1, beta_2 = float(rng.uniform(0.5, 0.7)), float(rng.uniform(0.75, 0.85))
    call.agrees(*_state(rng, 5), *_later(rng), beta_1, beta_2, 0.2)
    call.agrees(*_state(rng, 5), *_later(rng), eps=0.5, beta_2=beta_2)


@EXERCISE.claim(0.25)
def any_shape(call, rng):
    """takes arrays of any shape, and float32"""
    call.agrees(*_state(rng), *_later(rng))  # a single number
    call.agrees(*_state(rng, 2, 3, 4), *_later(rng))
    call.agrees(*_state(rng, 1, 3, 1), *_later(rng))
    call.agrees(*(array.astype(np.float32) for array in _state(rng, 4)), *_later(rng))


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    args = (*_state(rng, 5), *_later(rng))
    call.leaves_inputs_alone(*args)
    call.agrees_in(0, *args)
