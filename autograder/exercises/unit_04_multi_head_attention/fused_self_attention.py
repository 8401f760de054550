"""Specification of `fused_self_attention`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from autograder.exercises.inputs import random_mask
from autograder.exercises.unit_04_multi_head_attention import multi_head_attention_wrong as wrong
from autograder.exercises.unit_04_multi_head_attention.inputs import (
    attention_of,
    fused,
    require_masked,
    require_mixed,
    self_attention_inputs,
)
from transformer_kit import reference
from transformer_kit.examples.heads import BY_HAND
from transformer_kit.parameters import AttentionParams

H, D_MODEL = 3, 12


def _unfused(call, rng):
    call.agrees(BY_HAND.X_memory, *fused(BY_HAND.params), BY_HAND.n_heads)
    call.agrees(*self_attention_inputs(rng, 5, H, D_MODEL), H)


def _mixed(call, rng):
    X, W_QKV, W_O = self_attention_inputs(rng, 7, H, D_MODEL)
    output, weights = attention_of(call, ((7, D_MODEL), (H, 7, 7)), X, W_QKV, W_O, H)
    require_mixed(call, output, weights, X, W_QKV[:, -D_MODEL:], W_O)


def _masks(call, rng):
    args = *self_attention_inputs(rng, 5, H, D_MODEL, (H,)), H
    shapes = (H, 5, D_MODEL), (H, H, 5, 5)
    _, plain = attention_of(call, shapes, *args)
    for mask in (reference.causal_mask(5), random_mask(rng, H, 1, 5)):
        require_masked(call, attention_of(call, shapes, *args, mask)[1], plain, mask)


def _leading_axes(call, rng):
    call.agrees(*self_attention_inputs(rng, 5, H, D_MODEL, (2,)), H)
    call.agrees(*self_attention_inputs(rng, 7, 2, 10, (4, 6)), 2)


def _inputs(call, rng):
    args = self_attention_inputs(rng, 5, H, D_MODEL)
    call.agrees(*args, H)
    call.leaves_inputs_alone(*args, H, random_mask(rng, 5, 5))
    call.agrees(*(a.astype(np.float32) for a in args), H)
    call.agrees(*(rng.integers(-1, 2, a.shape) for a in args), H)


def _in_order(order, attend=wrong.attention):
    """Take the three blocks for Q, K and V from other places."""

    def fused_self_attention(X, W_QKV, W_O, n_heads, mask=None):
        blocks = np.split(W_QKV, 3, axis=-1)
        return attend(X, X, AttentionParams(*(blocks[i] for i in order), W_O), n_heads, mask)

    return fused_self_attention


def _block_per_head(X, W_QKV, W_O, n_heads, mask=None):
    heads = reference.split_heads(X @ W_QKV, n_heads)  # (..., n_heads, n, 3 d_k)
    return _finish(*np.split(heads, 3, axis=-1), W_O, mask)


def _in_turn(X, W_QKV, W_O, n_heads, mask=None):
    projected = X @ W_QKV
    Q, K, V = (reference.split_heads(projected[..., i::3], n_heads) for i in range(3))
    return _finish(Q, K, V, W_O, mask)


def _rows_cut(X, W_QKV, W_O, n_heads, mask=None):
    return wrong.attention(X, X, AttentionParams(*np.split(W_QKV, 3, axis=0), W_O), n_heads, mask)


def _tokens_cut(X, W_QKV, W_O, n_heads, mask=None):
    projected = X @ W_QKV
    Q, K, V = projected.reshape(3, *projected.shape[:-1], projected.shape[-1] // 3)
    return _finish(*(reference.split_heads(A, n_heads) for A in (Q, K, V)), W_O, mask)


def _scaled_by_fused_width(X, W_QKV, W_O, n_heads, mask=None):
    Q, K, V = (reference.split_heads(A, n_heads) for A in np.split(X @ W_QKV, 3, axis=-1))
    factor = np.sqrt(Q.shape[-1] / W_QKV.shape[-1])  # undoes the right divisor
    return _finish(Q * factor, K, V, W_O, mask)


def _finish(Q, K, V, W_O, mask):
    """Everything after the heads have been split, done right."""
    heads, weights = reference.masked_attention(Q, K, V, None if mask is None else mask[..., None, :, :])
    return reference.merge_heads(heads) @ W_O, weights


SECTION = "Exercise 4.5: fused_self_attention"
BLOCKS = "One matrix, three blocks"
SCALE = "Which root? The width of one head"
MASKS = "One mask for all heads"

EXERCISE = Exercise(
    reference=reference.fused_self_attention,
    asks="multi-head self-attention from one product with W_QKV, whose blocks of columns are Q, K and V in this order.",
    returns=(
        Returned("output", "(..., n, d_model)"),
        Returned("weights", "(..., n_heads, n, n)"),
    ),
    where=BLOCKS,
    claims=(
        Claim("equals multi-head attention with three separate matrices", 1, _unfused),
        Claim("the last block of W_QKV makes the values, and W_O mixes the heads", 0.5, _mixed),
        Claim("one mask hides the same keys from all heads", 0.5, _masks),
        Claim("works for any leading axes", 0.5, _leading_axes),
        Claim("leaves its inputs alone, and also takes whole numbers and float32", 0.5, _inputs),
    ),
    mistakes=(
        Mistake(
            "keys-first",
            "The blocks are taken in the order K, Q, V",
            _in_order((1, 0, 2)),
            "Queries and keys have changed places, so token i now asks what token j should have asked. The order is "
            "Q, K, V.",
            BLOCKS,
        ),
        Mistake(
            "values-first",
            "The blocks are taken in the order V, K, Q",
            _in_order((2, 1, 0)),
            "What should be found by the scores makes the scores, and the reverse. The order is Q, K, V.",
            BLOCKS,
        ),
        Mistake(
            "values-second",
            "The blocks are taken in the order Q, V, K",
            _in_order((0, 2, 1)),
            "Keys and values have changed places. The order is Q, K, V.",
            BLOCKS,
        ),
        Mistake(
            "block-per-head",
            "The product is cut into heads first, and every head into Q, K and V",
            _block_per_head,
            "Some models store their weights so. Here all queries come first, those of all heads, then all keys, then "
            "all values. Both orders have the same shape, so only the numbers tell.",
            BLOCKS,
        ),
        Mistake(
            "in-turn",
            "Q, K and V take columns in turn",
            _in_turn,
            "Neighbouring columns belong to the same block.",
            BLOCKS,
        ),
        Mistake(
            "rows-cut",
            "W_QKV is cut along its rows",
            _rows_cut,
            "Its rows belong to the columns of X. The blocks lie side by side.",
            BLOCKS,
        ),
        Mistake(
            "plain-reshape",
            "The product is reshaped into three parts without cutting its columns",
            _tokens_cut,
            "A reshape counts on through memory, row after row: the first part gets the first tokens, with their "
            "queries, keys and values. What has to be cut is the last axis.",
            "Predict: what does a plain reshape do?",
        ),
        Mistake(
            "scaled-by-d-model",
            "The scores are divided by the square root of d_model",
            _in_order((0, 1, 2), wrong.scaled_by_d_model),
            "The divisor belongs to the width of one head.",
            SCALE,
        ),
        Mistake(
            "scaled-by-fused-width",
            "The scores are divided by the square root of the width of the fused product",
            _scaled_by_fused_width,
            "The divisor belongs to the width of one head, not to what three blocks of all heads have together.",
            SCALE,
        ),
        Mistake(
            "no-output-matrix",
            "W_O is forgotten",
            _in_order((0, 1, 2), wrong.no_output_matrix),
            "Only the three projections are fused. The heads are mixed by W_O as before.",
            "Putting the heads together again",
        ),
        Mistake(
            "mask-ignored",
            "The mask is accepted but not passed on",
            _in_order((0, 1, 2), wrong.mask_ignored),
            "Every key stays visible. Follow the argument through your code to the softmax.",
            MASKS,
        ),
        Mistake(
            "mask-along-the-heads",
            "The batch axis of the mask is lined up with the heads",
            _in_order((0, 1, 2), wrong.mask_along_the_heads),
            "Shapes are lined up from the right, and the weights have a head axis that the mask has not.",
            MASKS,
        ),
    ),
)
