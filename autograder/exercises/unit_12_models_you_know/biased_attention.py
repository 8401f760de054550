"""Specification of `biased_attention`."""

import numpy as np

from autograder.exercises.inputs import in_float32, judged, random_mask
from autograder.exercises.unit_12_models_you_know.biased_attention_mistakes import MISTAKES, SECTION
from autograder.exercises.unit_12_models_you_know.biased_attention_slip_mistakes import MISTAKES as SLIPS
from autograder.exercises.unit_12_models_you_know.inputs import D_MODEL, N_HEADS
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import init_biased_attention

EXERCISE = Exercise(
    reference=reference.biased_attention,
    asks="multi-head attention in which each of the four projections has a bias.",
    returns=(Output("output", "(..., n_queries, d_model)"), Output("weights", "(..., n_heads, n_queries, n_keys)")),
    where=SECTION,
    mistakes=[*MISTAKES, *SLIPS],
)


def _given(rng, leading=(), d_k=4, d_v=5, noise=0.7):
    """Draw the vectors of queries and keys, and the parameters of three heads."""
    X_query, X_key = (rng.standard_normal((*leading, n, D_MODEL)) for n in (6, 7))
    return X_query, X_key, init_biased_attention(rng, D_MODEL, N_HEADS, d_k, d_v, noise), N_HEADS


@EXERCISE.claim(0.5)
def without_biases(call, rng):
    """with biases of 0 it is multi-head attention"""
    call.agrees(*_given(rng, noise=0.0))
    call.agrees(*_given(rng, noise=0.0, d_k=5, d_v=2), random_mask(rng, 6, 7))


@EXERCISE.claim(1.5)
def values(call, rng):
    """every projection has its bias"""
    call.agrees(*_given(rng))
    call.agrees(*_given(rng, d_k=5, d_v=2))
    call.agrees(*_given(rng, d_v=4))  # all projections as wide as the input: no wrong one ends in an error
    X_query, X_key, params, n_heads = _given(rng)
    for name in ("b_Q", "b_V", "b_O"):
        others = {b: np.zeros_like(getattr(params, b)) for b in ("b_Q", "b_V", "b_O") if b != name}
        call.agrees(X_query, X_key, params._replace(**others), n_heads)


@EXERCISE.claim(1)
def masked(call, rng):
    """a mask hides the same keys from all heads, whether there is one for all sequences or one for each"""
    call.agrees(*_given(rng), random_mask(rng, 6, 7))
    call.agrees(*_given(rng, (N_HEADS,)), random_mask(rng, N_HEADS, 6, 7))  # as many sequences as heads
    call.agrees(*_given(rng, (2,)), random_mask(rng, 2, 1, 7))


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
