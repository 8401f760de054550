"""Specification of `position_wise_ffn`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.inputs import in_float32
from autograder.exercises.unit_06_feed_forward.inputs import BY_HAND, D_MODEL, network
from autograder.exercises.unit_06_feed_forward.position_wise_ffn_mistakes import MISTAKES, SECTION
from transformer_kit import reference
from transformer_kit.reference import relu


def _values(call, rng):
    call.agrees(np.array([[0.25], [2.0], [-1.0]]), BY_HAND, relu)  # by hand: 10.25, 16, 7
    call.agrees(rng.standard_normal((5, D_MODEL)), network(rng), relu)


def _default(call, rng):
    call.agrees(rng.standard_normal((5, D_MODEL)), network(rng))


def _any_activation(call, rng):
    X, params = rng.standard_normal((5, D_MODEL)), network(rng)
    call.agrees(X, params, np.tanh)
    call.agrees(X, params, activation=np.cos)  # not 0 at 0


def _every_position_alone(call, rng):
    """Permute the positions, change one, and leave one alone in the sentence; the numbers need not be right."""
    X, params = rng.standard_normal((5, D_MODEL)), network(rng)
    order, place = np.roll(np.arange(5), rng.integers(1, 5)), int(rng.integers(5))
    output = _table(call, X, params)
    call.holds(bool(np.abs(output - X).max() > 1e-3), "what came back is X itself.")
    moved = _table(call, X[order], params)
    call.holds(
        np.allclose(moved, output[order]),
        f"with the positions in the order {order.tolist()} the rows of the output are not the same rows in that order.",
    )
    changed = X.copy()
    changed[place] += 3
    rows = np.flatnonzero(np.abs(_table(call, changed, params) - output).max(axis=-1) > 1e-9).tolist()
    call.holds(rows == [place], f"position {place} alone was changed, and the rows {rows} of the output moved.")
    alone = _table(call, X[[place]], params)
    call.holds(
        np.allclose(alone, output[[place]]), f"position {place} gives other numbers when it is the only one in X."
    )


def _table(call, X, params):
    return call.array(X.shape, X, params, relu, kinds="f")


def _leading_axes(call, rng):
    params = network(rng)
    call.agrees(rng.standard_normal((3, 5, D_MODEL)), params, relu)
    call.agrees(rng.standard_normal((2, 3, 6, D_MODEL)).astype(np.float32), in_float32(params), relu)


def _inputs(call, rng):
    X, params = rng.standard_normal((5, D_MODEL)), network(rng)
    call.agrees(rng.integers(-3, 4, (5, D_MODEL)), params, relu)
    call.agrees(X, params, relu)
    call.leaves_inputs_alone(X, params, relu)


EXERCISE = Exercise(
    reference=reference.position_wise_ffn,
    asks="apply the same two linear maps, with the activation between them, to every position.",
    returns=(Returned("output", "(..., n, d_model)"),),
    where=SECTION,
    claims=(
        Claim("equals the definition with ReLU", 1.5, _values),
        Claim("uses ReLU when no activation is named", 0.5, _default),
        Claim("uses the activation that it is given", 0.5, _any_activation),
        Claim("treats every position alone, and all alike", 1, _every_position_alone),
        Claim("works for any leading axes", 1, _leading_axes),
        Claim("leaves its inputs alone, and also takes whole numbers", 0.5, _inputs),
    ),
    mistakes=MISTAKES,
)
