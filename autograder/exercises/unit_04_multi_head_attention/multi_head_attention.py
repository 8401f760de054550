"""Specification of `multi_head_attention`; its known mistakes are in multi_head_attention_mistakes.py."""

import numpy as np

from autograder.exercise import Claim, Exercise, Returned
from autograder.exercises.inputs import in_float32, random_mask
from autograder.exercises.unit_04_multi_head_attention.inputs import (
    attention_of,
    require_masked,
    require_mixed,
    sequences,
)
from autograder.exercises.unit_04_multi_head_attention.multi_head_attention_mistakes import MISTAKES, SECTION
from transformer_kit import reference
from transformer_kit.examples.heads import BY_HAND
from transformer_kit.parameters import AttentionParams, init_attention

H, D_MODEL = 3, 12
WEIGHTS = Returned("weights", "(..., n_heads, n_queries, n_keys)")


def _loop_over_heads(call, rng):
    call.agrees(BY_HAND.X_query, BY_HAND.X_memory, BY_HAND.params, BY_HAND.n_heads)
    call.agrees(*sequences(rng, 5, 7, D_MODEL), init_attention(rng, D_MODEL, H), H)


def _one_head(call, rng):
    call.agrees(*sequences(rng, 5, 7, 6), init_attention(rng, 6, 1), 1)


def _own_scale(call, rng):
    d_k, d_v = int(rng.choice([5, 7])), int(rng.choice([6, 8]))
    args = *sequences(rng, 4, 9, D_MODEL), init_attention(rng, D_MODEL, H, d_k, d_v), H
    _, weights = attention_of(call, ((4, D_MODEL), (H, 4, 9)), *args)
    _, expected = reference.multi_head_attention(*args)
    call.equals(weights, expected, WEIGHTS, args)


def _mixed(call, rng):
    X_query, X_memory = sequences(rng, 5, 7, D_MODEL)
    params = init_attention(rng, D_MODEL, H, 4, 6)
    shapes = (5, D_MODEL), (H, 5, 7)
    for more in ((), (random_mask(rng, 5, 7),)):
        output, weights = attention_of(call, shapes, X_query, X_memory, params, H, *more)
        require_mixed(call, output, weights, X_memory, params.W_V, params.W_O)


def _one_mask(call, rng):
    """As many sequences as heads: a mask that is lined up with the heads raises no error then."""
    args = *sequences(rng, 5, 7, D_MODEL, (H,)), init_attention(rng, D_MODEL, H), H
    shapes = (H, 5, D_MODEL), (H, H, 5, 7)
    _, plain = attention_of(call, shapes, *args)
    for mask in (random_mask(rng, 5, 7), random_mask(rng, H, 5, 7)):
        require_masked(call, attention_of(call, shapes, *args, mask)[1], plain, mask)


def _mask_per_sequence(call, rng):
    args = *sequences(rng, 5, 7, D_MODEL, (2,)), init_attention(rng, D_MODEL, H), H
    shapes = (2, 5, D_MODEL), (2, H, 5, 7)
    _, plain = attention_of(call, shapes, *args)
    for mask in (random_mask(rng, 2, 5, 7), random_mask(rng, 2, 1, 7)):
        require_masked(call, attention_of(call, shapes, *args, mask)[1], plain, mask)


def _nothing_visible(call, rng):
    mask = random_mask(rng, 5, 7)
    query = int(rng.integers(5))
    mask[query] = False
    args = *sequences(rng, 5, 7, D_MODEL), init_attention(rng, D_MODEL, H), H, mask
    output, weights = attention_of(call, ((5, D_MODEL), (H, 5, 7)), *args)
    nothing = np.all(weights[:, query] == 0) and np.all(output[query] == 0)
    found = f"query {query} may attend to nothing, but its weights begin {weights[0, query, :2].round(4)} "
    call.holds(nothing, f"{found}and its output begins {output[query, :2].round(4)}.")
    sums = np.delete(weights, query, axis=1).sum(axis=-1)
    call.holds(np.allclose(sums, 1), f"the weights of the other queries sum to {sums.flat[:3].round(4)}, not to 1.")


def _leading_axes(call, rng):
    params = init_attention(rng, D_MODEL, H)
    call.agrees(*sequences(rng, 5, 7, D_MODEL, (2,)), params, H)
    call.agrees(*sequences(rng, 8, 6, D_MODEL, (2, 5)), params, H)


def _inputs(call, rng):
    X_query, X_memory = sequences(rng, 5, 7, D_MODEL)
    params = init_attention(rng, D_MODEL, H)
    call.agrees(X_query, X_memory, params, H)
    call.leaves_inputs_alone(X_query, X_memory, params, H, random_mask(rng, 5, 7))
    call.agrees(X_query.astype(np.float32), X_memory.astype(np.float32), in_float32(params), H)
    whole = AttentionParams(*(rng.integers(-1, 2, W.shape) for W in params))
    call.agrees(rng.integers(-1, 2, X_query.shape), rng.integers(-1, 2, X_memory.shape), whole, H)


EXERCISE = Exercise(
    reference=reference.multi_head_attention,
    asks="let every head attend in its own projections, put the heads side by side and mix them with W_O.",
    returns=(Returned("output", "(..., n_queries, d_model)"), WEIGHTS),
    where=SECTION,
    claims=(
        Claim("equals attending head by head", 2, _loop_over_heads),
        Claim("with one head it is masked attention between the projections", 1, _one_head),
        Claim("every head's scores are divided by the root of its own d_k", 1, _own_scale),
        Claim("the output is what the weights make of the values, mixed by W_O", 1, _mixed),
        Claim("one mask hides the same keys from all heads", 0.5, _one_mask),
        Claim("every sequence of a batch keeps its own mask", 0.5, _mask_per_sequence),
        Claim("a query that may attend to nothing gets weights 0 and output 0", 0.5, _nothing_visible),
        Claim("works for any leading axes", 1, _leading_axes),
        Claim("leaves its inputs alone, and also takes whole numbers and float32", 0.5, _inputs),
    ),
    mistakes=MISTAKES,
)
