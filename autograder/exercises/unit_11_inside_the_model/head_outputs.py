"""Specification of `head_outputs`."""

import numpy as np

from autograder.exercises.inputs import in_float32, judged, random_mask
from autograder.exercises.unit_11_inside_the_model.head_outputs_mistakes import MISTAKES, SECTION
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import init_attention

H, D_MODEL = 3, 12
RESULT = Output("outputs", "(..., n_heads, n_queries, d_model)")

EXERCISE = Exercise(
    reference=reference.head_outputs,
    asks="what every head adds to the output: its blend of values, through its own rows of W_O.",
    returns=(RESULT,),
    where=SECTION,
    mistakes=MISTAKES,
)


def _given(rng, leading=(), d_k=4, d_v=5):
    """Draw the vectors of queries and keys, and the parameters of three heads."""
    X_query, X_key = (rng.standard_normal((*leading, n, D_MODEL)) for n in (6, 7))
    return X_query, X_key, init_attention(rng, D_MODEL, H, d_k, d_v), H


@EXERCISE.claim(1)
def values(call, rng):
    """every head goes through its own rows of W_O"""
    call.agrees(*_given(rng))
    call.agrees(*_given(rng, d_k=5, d_v=2))
    call.agrees(*_given(rng, d_v=4))  # all projections as wide as the input: no wrong one ends in an error


@EXERCISE.claim(0.5)
def sums_up(call, rng):
    """summed over the heads, the outputs are that of multi-head attention"""
    given = _given(rng)
    outputs = call.array((H, 6, D_MODEL), *given)
    expected, _ = reference.multi_head_attention(*given)
    call.equals(outputs.sum(axis=0), expected, Output("the sum over the heads", "(n_queries, d_model)"), given)


@EXERCISE.claim(0.5)
def masked(call, rng):
    """a mask hides the same keys from all heads, whether there is one for all sequences or one for each"""
    call.agrees(*_given(rng), random_mask(rng, 6, 7))
    call.agrees(*_given(rng, (H,)), random_mask(rng, H, 6, 7))  # as many sequences as heads
    call.agrees(*_given(rng, (2,)), random_mask(rng, 2, 1, 7))
    call.agrees(*_given(rng), random_mask(rng, 6, 7) & (np.arange(6) != 2)[:, None])  # a query that sees nothing


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes"""
    call.agrees(*_given(rng, (2,)))
    call.agrees(*_given(rng, (2, 4)))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone, and also takes float32"""
    given, mask = _given(rng), random_mask(rng, 6, 7)
    call.leaves_inputs_alone(*given, mask)
    call.agrees(*given)
    X_query, X_key, params, n_heads = given
    with judged():
        call.agrees(X_query.astype(np.float32), X_key.astype(np.float32), in_float32(params), n_heads)
