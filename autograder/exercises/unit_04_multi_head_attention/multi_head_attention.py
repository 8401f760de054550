"""Specification of `multi_head_attention`."""

import numpy as np

from autograder.exercises.inputs import in_float32, judged, random_mask
from autograder.exercises.unit_04_multi_head_attention import (
    calls,
    multi_head_attention_mask_mistakes,
    multi_head_attention_mistakes,
    multi_head_attention_projection_mistakes,
)
from autograder.exercises.unit_04_multi_head_attention.inputs import (
    attention_of,
    require_masked,
    require_mixed,
    require_nothing,
    sequences,
)
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.examples.heads import BY_HAND
from transformer_kit.parameters import AttentionParams, init_attention

H, D_MODEL = 3, 12
WEIGHTS = Output("weights", "(..., n_heads, n_queries, n_keys)")

EXERCISE = Exercise(
    reference=reference.multi_head_attention,
    asks="let every head attend in its own projections, put the heads side by side and mix them with W_O.",
    returns=(Output("output", "(..., n_queries, d_model)"), WEIGHTS),
    where=multi_head_attention_projection_mistakes.SECTION,
    calls=calls.MULTI_HEAD_ATTENTION,
    mistakes=[
        *multi_head_attention_mistakes.MISTAKES,
        *multi_head_attention_projection_mistakes.MISTAKES,
        *multi_head_attention_mask_mistakes.MISTAKES,
    ],
)


def _require_right(call, rng, result):
    """Require one of the two results, whatever the other is."""
    call.agrees_in(result, BY_HAND.X_query, BY_HAND.X_memory, BY_HAND.params, BY_HAND.n_heads)
    call.agrees_in(result, *sequences(rng, 5, 7, D_MODEL), init_attention(rng, D_MODEL, H), H)


@EXERCISE.claim(1)
def output(call, rng):
    """the output equals attending head by head"""
    _require_right(call, rng, 0)


@EXERCISE.claim(1)
def weights(call, rng):
    """the weights are those of every head"""
    _require_right(call, rng, 1)
    call.agrees_in(1, *sequences(rng, 5, 7, 6), init_attention(rng, 6, 1), 1)


@EXERCISE.claim(1)
def one_head(call, rng):
    """with one head the output is that of masked attention on the projections"""
    call.agrees_in(0, *sequences(rng, 5, 7, 6), init_attention(rng, 6, 1), 1)


@EXERCISE.claim(1)
def own_scale(call, rng):
    """every head's scores are divided by the root of its own d_k"""
    d_k, d_v = int(rng.choice([5, 7])), int(rng.choice([6, 8]))
    args = *sequences(rng, 4, 9, D_MODEL), init_attention(rng, D_MODEL, H, d_k, d_v), H
    _, weights = attention_of(call, ((4, D_MODEL), (H, 4, 9)), *args)
    _, expected = reference.multi_head_attention(*args)
    call.equals(weights, expected, WEIGHTS, args)


@EXERCISE.claim(1)
def mixed(call, rng):
    """the output is what the weights make of the values, mixed by W_O"""
    X_query, X_memory = sequences(rng, 5, 7, D_MODEL)
    params = init_attention(rng, D_MODEL, H, 4, 6)
    shapes = (5, D_MODEL), (H, 5, 7)
    for more in ((), (random_mask(rng, 5, 7),)):
        output, weights = attention_of(call, shapes, X_query, X_memory, params, H, *more)
        require_mixed(call, output, weights, X_memory, params.W_V, params.W_O)


@EXERCISE.claim(0.5)
def one_mask(call, rng):
    """one mask hides the same keys from all heads"""
    # As many sequences as heads: a mask that is lined up with the heads raises no error then.
    args = *sequences(rng, 5, 7, D_MODEL, (H,)), init_attention(rng, D_MODEL, H), H
    shapes = (H, 5, D_MODEL), (H, H, 5, 7)
    _, plain = attention_of(call, shapes, *args)
    for mask in (random_mask(rng, 5, 7), random_mask(rng, H, 5, 7)):
        require_masked(call, attention_of(call, shapes, *args, mask)[1], plain, mask)


@EXERCISE.claim(0.5)
def mask_per_sequence(call, rng):
    """every sequence of a batch keeps its own mask"""
    args = *sequences(rng, 5, 7, D_MODEL, (2,)), init_attention(rng, D_MODEL, H), H
    shapes = (2, 5, D_MODEL), (2, H, 5, 7)
    _, plain = attention_of(call, shapes, *args)
    for mask in (random_mask(rng, 2, 5, 7), random_mask(rng, 2, 1, 7)):
        require_masked(call, attention_of(call, shapes, *args, mask)[1], plain, mask)


@EXERCISE.claim(0.5)
def nothing_visible(call, rng):
    """a query that may attend to nothing gets weights 0 and output 0"""
    mask = random_mask(rng, 5, 7)
    query = int(rng.integers(5))
    mask[query] = False
    args = *sequences(rng, 5, 7, D_MODEL), init_attention(rng, D_MODEL, H), H, mask
    require_nothing(call, *attention_of(call, ((5, D_MODEL), (H, 5, 7)), *args), query)


def _require_for_a_batch(call, rng, result):
    params = init_attention(rng, D_MODEL, H)
    call.agrees_in(result, *sequences(rng, 5, 7, D_MODEL, (2,)), params, H)
    call.agrees_in(result, *sequences(rng, 8, 6, D_MODEL, (2, 5)), params, H)


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes"""
    _require_for_a_batch(call, rng, 0)


@EXERCISE.claim(0.5)
def leading_axes_of_weights(call, rng):
    """in the weights, the leading axes stand in front of the heads"""
    _require_for_a_batch(call, rng, 1)


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone, and also takes whole numbers and float32"""
    X_query, X_memory = sequences(rng, 5, 7, D_MODEL)
    params = init_attention(rng, D_MODEL, H)
    call.leaves_inputs_alone(X_query, X_memory, params, H, random_mask(rng, 5, 7))
    call.leaves_inputs_alone(X_query, X_memory, params, H)
    call.agrees_in(0, X_query, X_memory, params, H)
    whole = AttentionParams(*(rng.integers(-1, 2, W.shape) for W in params))
    with judged():
        call.agrees_in(0, X_query.astype(np.float32), X_memory.astype(np.float32), in_float32(params), H)
        call.agrees_in(0, rng.integers(-1, 2, X_query.shape), rng.integers(-1, 2, X_memory.shape), whole, H)
