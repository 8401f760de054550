"""Specification of `cross_attention`."""

import math

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.inputs import in_float32
from autograder.exercises.unit_05_cross_attention.cross_attention_mistakes import MISTAKES, SECTION
from autograder.exercises.unit_05_cross_attention.inputs import lengths_mask, pair_of
from transformer_kit import reference
from transformer_kit.parameters import AttentionParams, init_attention

N_TARGET, N_SOURCE = 4, 5  # of the claims that compare one call with another


def _values(call, rng):
    memory = np.array([[0.0, 8.0], [math.log(3), 4.0]])  # by hand: weights 1/4 and 3/4 for a query of 1, else halves
    first, second = np.array([[1.0], [0.0]]), np.array([[0.0], [1.0]])
    params = AttentionParams(first, first, second, np.array([[1.0, -1.0]]))
    call.agrees(np.array([[1.0, 5.0], [0.0, 5.0], [0.0, -5.0]]), memory, params, 1)
    call.agrees(*_draw(rng), 2)
    call.agrees(*_draw(rng, 3, 7, width=7, n_heads=3, d_k=2, d_v=4), 3)


def _padding(call, rng):
    is_token = np.array([True, True, False, True, False])
    X, memory, params = _draw(rng)
    output, weights = _pair(call, X, memory, params, is_token)
    on_padding = np.abs(weights[..., ~is_token]).max()
    call.holds(on_padding == 0, f"a padding token of the source gets a weight of {on_padding:.6g}; it must get 0.")
    totals = weights.sum(axis=-1)
    call.holds(np.allclose(totals, 1), f"with padding in the source, a row of weights sums to {totals.flat[0]:.6g}.")
    moved = _moved(call, output, X, _changed(rng, memory, ~is_token), params, is_token)
    call.holds(moved <= 1e-12, f"changing padding tokens of the source moves the output by {moved:.6g}.")
    moved = _moved(call, output, X, _changed(rng, memory, is_token), params, is_token)
    call.holds(moved > 1e-3, "changing the real source tokens does not move the output.")


def _only_padding(call, rng):
    X, memory, params = _draw(rng)
    _pair(call, X, memory, params)
    call.agrees_quietly(X, memory, params, 2, np.zeros(N_SOURCE, dtype=bool))


def _whole_source(call, rng):
    X, memory, params = _draw(rng)
    output, weights = _pair(call, X, memory, params)
    totals = weights.sum(axis=-1)
    call.holds(np.allclose(totals, 1), f"a row of weights sums to {totals.flat[0]:.6g} over the source.")
    call.holds(bool((weights > 0).all()), "some weights are 0 although no source token is padding.")
    last = np.arange(N_SOURCE) == N_SOURCE - 1
    moved = _rows_moved(call, output, X, _changed(rng, memory, last), params)
    call.holds(
        bool(moved.all()),
        f"changing the last source token moves the target positions {_listed(moved)} only. Every target position may "
        "look at the whole source.",
    )


def _targets_apart(call, rng):
    X, memory, params = _draw(rng)
    output, _ = _pair(call, X, memory, params)
    t = int(rng.integers(N_TARGET))
    moved = _rows_moved(call, output, _changed(rng, X, np.arange(N_TARGET) == t), memory, params)
    call.holds(
        _listed(moved) == str(t),
        f"changing the decoder state of target position {t} moves the outputs of positions {_listed(moved) or 'none'}; "
        f"it must move {t} and no other.",
    )


def _batches(call, rng):
    X, memory, params = _draw(rng, 4, 6, (3,))
    call.agrees(X, memory, params, 2)
    call.agrees(X, memory, params, 2, lengths_mask([6, 3, 5], 6))
    X, memory, params = _draw(rng, 4, 5, (2, 3))
    call.agrees(X, memory, params, 3, lengths_mask([5, 2, 4, 3, 1, 5], 5).reshape(2, 3, 5))


def _inputs(call, rng):
    X, memory, params = _draw(rng)
    is_token = lengths_mask([3], N_SOURCE)[0]
    call.agrees(X, memory, params, 2, memory_is_token=is_token)
    call.leaves_inputs_alone(X, memory, params, 2, is_token)
    call.agrees(rng.integers(-2, 3, X.shape), rng.integers(-2, 3, memory.shape), params, 2)
    call.agrees(X.astype(np.float32), memory.astype(np.float32), in_float32(params), 2, is_token)


def _draw(rng, n_target=N_TARGET, n_source=N_SOURCE, leading=(), width=6, n_heads=2, d_k=None, d_v=None):
    """Draw decoder states, memory and parameters with scores of a standard deviation near 1."""
    X = rng.standard_normal((*leading, n_target, width))
    memory = rng.standard_normal((*leading, n_source, width))
    return X, memory, init_attention(rng, width, n_heads, d_k, d_v)


def _pair(call, X, memory, params, *is_token):
    return pair_of(call, (X.shape, (2, N_TARGET, N_SOURCE)), X, memory, params, 2, *is_token)


def _changed(rng, A, rows):
    """Change some rows by amounts of order 1."""
    return np.where(rows[:, None], A + rng.choice([-1.0, 1.0], A.shape) + 0.1 * rng.standard_normal(A.shape), A)


def _rows_moved(call, output, *args):
    return np.abs(_pair(call, *args)[0] - output).max(axis=-1) > 1e-9


def _moved(call, output, *args):
    return np.abs(_pair(call, *args)[0] - output).max()


def _listed(moved):
    return ", ".join(str(i) for i in np.flatnonzero(moved))


EXERCISE = Exercise(
    reference=reference.cross_attention,
    asks="multi-head attention from every target position to the whole source, padding excepted.",
    returns=(
        Returned("output", "(..., n_target, d_model)"),
        Returned("weights", "(..., n_heads, n_target, n_source)"),
    ),
    where=SECTION,
    claims=(
        Claim("gives output and weights of one sentence without padding", 1, _values),
        Claim("no padding token of the source moves an output", 1, _padding),
        Claim("a source of nothing but padding gives weights 0 and output 0", 0.5, _only_padding),
        Claim("is not causal: every target position sees the whole source", 1, _whole_source),
        Claim("target positions do not see one another", 1, _targets_apart),
        Claim("works for any leading axes, with a mask for every sentence", 1, _batches),
        Claim("leaves its inputs alone, and also takes whole numbers and float32", 0.5, _inputs),
    ),
    mistakes=MISTAKES,
)
