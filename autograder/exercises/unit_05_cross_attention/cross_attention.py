"""Specification of `cross_attention`."""

import math

import numpy as np

from autograder.execution.precision import bound_for
from autograder.exercises.inputs import agrees_here, in_float32
from autograder.exercises.unit_05_cross_attention import (
    calls,
    cross_attention_mistakes,
    cross_attention_projection_mistakes,
)
from autograder.exercises.unit_05_cross_attention.inputs import lengths_mask
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import AttentionParams, init_attention

N_TARGET, N_SOURCE = 4, 5  # of the claims that compare one call with another

EXERCISE = Exercise(
    reference=reference.cross_attention,
    asks="multi-head attention from every target position to the whole source, padding excepted.",
    returns=(
        Output("output", "(..., n_target, d_model)"),
        Output("weights", "(..., n_heads, n_target, n_source)"),
    ),
    where=cross_attention_projection_mistakes.SECTION,
    calls=calls.CROSS_ATTENTION,
    mistakes=[*cross_attention_mistakes.MISTAKES, *cross_attention_projection_mistakes.MISTAKES],
)


def _draw(rng, n_target=N_TARGET, n_source=N_SOURCE, leading=(), width=6, n_heads=2, d_k=None, d_v=None):
    """Draw decoder states, memory and parameters with scores of a standard deviation near 1."""
    X = rng.standard_normal((*leading, n_target, width))
    memory = rng.standard_normal((*leading, n_source, width))
    return X, memory, init_attention(rng, width, n_heads, d_k, d_v)


def _output(call, X, memory, params, *is_token):
    """Call the function and return its output, whatever the weights are; require numbers of its shape."""
    return call.is_array(call.results(X, memory, params, 2, *is_token)[0], X.shape, "f", "output")


def _changed(rng, A, rows):
    """Change some rows by amounts of order 1."""
    return np.where(rows[:, None], A + rng.choice([-1.0, 1.0], A.shape) + 0.1 * rng.standard_normal(A.shape), A)


def _rows_moved(call, output, *args):
    return np.abs(_output(call, *args) - output).max(axis=-1) > 1e-9


def _listed(moved):
    return ", ".join(str(i) for i in np.flatnonzero(moved))


def _agrees_in(call, rng, number):
    """Require that one of the two results is right, whatever the other one is."""
    memory = np.array([[0.0, 8.0], [math.log(3), 4.0]])  # by hand: weights 1/4 and 3/4 for a query of 1, else halves
    first, second = np.array([[1.0], [0.0]]), np.array([[0.0], [1.0]])
    params = AttentionParams(first, first, second, np.array([[1.0, -1.0]]))
    call.agrees_in(number, np.array([[1.0, 5.0], [0.0, 5.0], [0.0, -5.0]]), memory, params, 1)
    call.agrees_in(number, *_draw(rng), 2)
    call.agrees_in(number, *_draw(rng, 3, 7, width=7, n_heads=3, d_k=2, d_v=4), 3)


@EXERCISE.claim(0.5)
def output(call, rng):
    """output is right for one sentence without padding"""
    _agrees_in(call, rng, 0)


@EXERCISE.claim(0.5)
def weights(call, rng):
    """weights are right for one sentence without padding, one map per head"""
    _agrees_in(call, rng, 1)


@EXERCISE.claim(0.5)
def padding(call, rng):
    """no padding token of the source moves an output"""
    is_token = np.array([True, True, False, True, False])
    X, memory, params = _draw(rng)
    output = _output(call, X, memory, params, is_token)
    gap = np.abs(_output(call, X, _changed(rng, memory, ~is_token), params, is_token) - output).max()
    call.holds(gap <= 1e-12, f"changing padding tokens of the source moves the output by {gap:.6g}.")
    gap = np.abs(_output(call, X, memory[is_token], params) - output).max()
    same = gap < bound_for(1e-9, output)
    call.holds(same, f"without the padding tokens of the source the output is another one, by up to {gap:.6g}.")
    gap = np.abs(_output(call, X, _changed(rng, memory, is_token), params, is_token) - output).max()
    call.holds(gap > 1e-3, "changing the real source tokens does not move the output.")


def _low_scores():
    """Return decoder states, memory and parameters with the scores -2**34 and a little less, exact in binary."""
    first, second = np.array([[1.0], [0.0]]), np.array([[0.0], [1.0]])
    memory = np.column_stack([2.0**17 + 2.0**-17 * np.arange(N_SOURCE), np.arange(N_SOURCE)])
    return np.array([[-(2.0**17), 5.0]]), memory, AttentionParams(first, first, second, np.array([[1.0, -1.0]]))


@EXERCISE.claim(0.5)
def only_padding(call, rng):
    """padding gets the weight 0 however low the scores are, and where there is nothing else the output is 0"""
    call.agrees(*_low_scores(), 1, lengths_mask([3], N_SOURCE)[0])
    X, memory, params = _draw(rng)
    call.agrees(X, memory, params, 2, np.zeros(N_SOURCE, dtype=bool))
    call.agrees(*_draw(rng, 4, 6, (2,)), 2, lengths_mask([4, 0], 6))


@EXERCISE.claim(0.5, side=True)
def whole_source(call, rng):
    """is not causal: every target position sees the whole source"""
    X, memory, params = _draw(rng)
    output = _output(call, X, memory, params)
    call.holds(not _rows_moved(call, output, X, memory, params).any(), "the same call gives another output each time.")
    for place in (N_SOURCE - 1, 0):
        moved = _rows_moved(call, output, X, _changed(rng, memory, np.arange(N_SOURCE) == place), params)
        call.holds(
            bool(moved.all()),
            f"changing source token {place} moves the target positions {_listed(moved) or 'none'} only. Every target "
            "position may look at the whole source.",
        )
    call.agrees_in(0, X, memory, params, 2)


@EXERCISE.claim(0.5, side=True)
def targets_apart(call, rng):
    """target positions do not see one another"""
    X, memory, params = _draw(rng)
    output = _output(call, X, memory, params)
    for t in rng.permutation(N_TARGET):
        moved = _rows_moved(call, output, _changed(rng, X, np.arange(N_TARGET) == t), memory, params)
        call.holds(
            _listed(moved) == str(t),
            f"changing the decoder state of target position {t} moves the outputs of positions "
            f"{_listed(moved) or 'none'}; it must move {t} and no other.",
        )
    call.agrees_in(0, X, memory, params, 2)


@EXERCISE.claim(0.5, side=True)
def batches(call, rng):
    """works for any leading axes, with a mask for every sentence, for whole numbers and for float32"""
    call.agrees(*_draw(rng), 2)
    X, memory, params = _draw(rng, 4, 6, (3,))
    agrees_here(call, X, memory, params, 2)
    agrees_here(call, X, memory, params, 2, lengths_mask([6, 3, 5], 6))
    X, memory, params = _draw(rng, 4, 5, (2, 3))
    agrees_here(call, X, memory, params, 3, lengths_mask([5, 2, 4, 3, 1, 5], 5).reshape(2, 3, 5))
    X, memory, params = _draw(rng)
    agrees_here(call, rng.integers(-2, 3, X.shape), rng.integers(-2, 3, memory.shape), params, 2)
    is_token = lengths_mask([3], N_SOURCE)[0]
    agrees_here(call, X.astype(np.float32), memory.astype(np.float32), in_float32(params), 2, memory_is_token=is_token)


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone"""
    X, memory, params = _draw(rng)
    call.leaves_inputs_alone(X, memory, params, 2, lengths_mask([3], N_SOURCE)[0])
    call.agrees_in(0, X, memory, params, 2)
