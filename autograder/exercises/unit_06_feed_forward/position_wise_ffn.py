"""Specification of `position_wise_ffn`."""

import numpy as np

from autograder.execution.handed import Numbers
from autograder.execution.precision import bound_for
from autograder.exercises.inputs import agrees_here, in_float32
from autograder.exercises.unit_06_feed_forward import (
    calls,
    position_wise_ffn_mistakes,
    position_wise_ffn_parameter_mistakes,
)
from autograder.exercises.unit_06_feed_forward.inputs import BY_HAND, D_MODEL, network
from autograder.exercises.unit_06_feed_forward.position_wise_ffn_mistakes import SECTION
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.reference import relu

EXERCISE = Exercise(
    reference=reference.position_wise_ffn,
    asks="apply the same two linear maps, with the activation between them, to every position.",
    returns=(Output("output", "(..., n, d_model)"),),
    where=SECTION,
    calls=calls.POSITION_WISE_FFN,
    mistakes=[*position_wise_ffn_mistakes.MISTAKES, *position_wise_ffn_parameter_mistakes.MISTAKES],
    hands={"activation": (Numbers(),)},
)


@EXERCISE.claim(1.5)
def values(call, rng):
    """equals the definition with ReLU"""
    call.agrees(np.array([[0.25], [2.0], [-1.0]]), BY_HAND, relu)  # by hand: 10.25, 16, 7
    call.agrees(rng.standard_normal((5, D_MODEL)), network(rng), relu)


@EXERCISE.claim(0.5, side=True)
def default(call, rng):
    """uses ReLU when no activation is named"""
    X, params = rng.standard_normal((5, D_MODEL)), network(rng)
    call.agrees(X, params, relu)
    agrees_here(call, X, params)
    agrees_here(call, 100 * X, params)  # no bound above


@EXERCISE.claim(0.5, side=True)
def any_activation(call, rng):
    """uses the activation that it is given"""
    X, params = rng.standard_normal((5, D_MODEL)), network(rng)
    call.agrees(X, params, relu)
    agrees_here(call, X, params, np.tanh)
    agrees_here(call, X, params, activation=np.cos)  # not 0 at 0


def _table(call, X, params):
    return call.array(X.shape, X, params, relu, kinds="f")


@EXERCISE.claim(1)
def every_position_alone(call, rng):
    """treats every position alone, and all alike"""
    # Permute the positions, change one, and leave one alone in the sentence; the numbers need not be right.
    X, params = rng.standard_normal((5, D_MODEL)), network(rng)
    order, place = np.roll(np.arange(5), rng.integers(1, 5)), int(rng.integers(5))
    output = _table(call, X, params)
    call.holds(bool(np.abs(output - X).max() > 1e-3), "what came back is X itself.")
    moved, slack = _table(call, X[order], params), bound_for(1e-8, output)
    call.holds(
        np.allclose(moved, output[order], atol=slack),
        f"with the positions in the order {order.tolist()} the rows of the output are not the same rows in that order.",
    )
    changed = X.copy()
    changed[place] += rng.uniform(1, 3, D_MODEL)
    rows = np.flatnonzero(np.abs(_table(call, changed, params) - output).max(axis=-1) > 1e-9).tolist()
    call.holds(rows == [place], f"position {place} alone was changed, and the rows {rows} of the output moved.")
    alone = _table(call, X[[place]], params)
    call.holds(
        np.allclose(alone, output[[place]], atol=slack),
        f"position {place} gives other numbers when it is the only one in X.",
    )


@EXERCISE.claim(1, side=True)
def leading_axes(call, rng):
    """works for any leading axes, and also takes whole numbers"""
    call.agrees(rng.standard_normal((5, D_MODEL)), network(rng), relu)
    params = network(rng)
    agrees_here(call, rng.integers(-3, 4, (5, D_MODEL)), params, relu)
    agrees_here(call, rng.standard_normal((3, 5, D_MODEL)), params, relu)
    agrees_here(call, rng.standard_normal((2, 3, 6, D_MODEL)).astype(np.float32), in_float32(params), relu)


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    X, params = rng.standard_normal((5, D_MODEL)), network(rng)
    call.leaves_inputs_alone(X, params, relu)
    call.agrees(X, params, relu)
