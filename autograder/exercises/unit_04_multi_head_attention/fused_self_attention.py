"""Specification of `fused_self_attention`."""

import numpy as np

from autograder.exercises.inputs import judged, random_mask
from autograder.exercises.unit_04_multi_head_attention import calls
from autograder.exercises.unit_04_multi_head_attention.fused_self_attention_mistakes import BLOCKS, MISTAKES
from autograder.exercises.unit_04_multi_head_attention.inputs import (
    attention_of,
    fused,
    require_masked,
    require_mixed,
    require_nothing,
    self_attention_inputs,
)
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.examples.heads import BY_HAND

H, D_MODEL = 3, 12

EXERCISE = Exercise(
    reference=reference.fused_self_attention,
    asks="multi-head self-attention from one product with W_QKV, whose blocks of columns are Q, K and V in this order.",
    returns=(
        Output("output", "(..., n, d_model)"),
        Output("weights", "(..., n_heads, n, n)"),
    ),
    where=BLOCKS,
    calls=calls.FUSED_SELF_ATTENTION,
    mistakes=MISTAKES,
)


def _require_right(call, rng, result):
    """Require one of the two results, whatever the other is."""
    call.agrees_in(result, BY_HAND.X_memory, *fused(BY_HAND.params), BY_HAND.n_heads)
    call.agrees_in(result, *self_attention_inputs(rng, 5, H, D_MODEL), H)


@EXERCISE.claim(0.5)
def output(call, rng):
    """the output is that of multi-head attention with three separate matrices"""
    _require_right(call, rng, 0)


@EXERCISE.claim(0.5)
def weights(call, rng):
    """the weights are those of multi-head attention, head by head"""
    _require_right(call, rng, 1)


@EXERCISE.claim(0.5)
def mixed(call, rng):
    """the last block of W_QKV makes the values, and W_O mixes the heads"""
    X, W_QKV, W_O = self_attention_inputs(rng, 7, H, D_MODEL)
    output, weights = attention_of(call, ((7, D_MODEL), (H, 7, 7)), X, W_QKV, W_O, H)
    require_mixed(call, output, weights, X, W_QKV[:, -D_MODEL:], W_O)


@EXERCISE.claim(0.5)
def masks(call, rng):
    """one mask hides the same keys from all heads, and a query that may attend to nothing gets 0"""
    args = *self_attention_inputs(rng, 5, H, D_MODEL, (H,)), H
    shapes = (H, 5, D_MODEL), (H, H, 5, 5)
    _, plain = attention_of(call, shapes, *args)
    for mask in (reference.causal_mask(5), random_mask(rng, H, 1, 5)):
        require_masked(call, attention_of(call, shapes, *args, mask)[1], plain, mask)
    mask = reference.causal_mask(5) & (np.arange(5) > 0)  # hides everything from query 0
    X, *others = args
    require_nothing(call, *attention_of(call, ((5, D_MODEL), (H, 5, 5)), X[0], *others, mask), 0)


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes"""
    call.agrees(*self_attention_inputs(rng, 5, H, D_MODEL, (2,)), H)
    call.agrees(*self_attention_inputs(rng, 7, 2, 10, (4, 6)), 2)
    call.agrees(*self_attention_inputs(rng, 1, 1, 6, (1, 3)), 1)


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone, and also takes whole numbers and float32"""
    args = self_attention_inputs(rng, 5, H, D_MODEL)
    call.leaves_inputs_alone(*args, H, random_mask(rng, 5, 5))
    call.agrees_in(0, *args, H)
    with judged():
        call.agrees_in(0, *(a.astype(np.float32) for a in args), H)
        call.agrees_in(0, *(rng.integers(-1, 2, a.shape) for a in args), H)
