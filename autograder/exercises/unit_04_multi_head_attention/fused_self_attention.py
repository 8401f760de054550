"""Specification of `fused_self_attention`."""

import numpy as np

from autograder.exercises.inputs import judged, random_mask
from autograder.exercises.unit_04_multi_head_attention import calls, lookalikes
from autograder.exercises.unit_04_multi_head_attention.inputs import (
    attention_of,
    fused,
    require_masked,
    require_mixed,
    require_nothing,
    self_attention_inputs,
)
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.examples.heads import BY_HAND

BLOCKS = "One matrix, three blocks"
SCALE = "Which root? The width of one head"
MASKS = "One mask for all heads"

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
    lookalike=lookalikes.FUSED_SELF_ATTENTION,
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


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its inputs alone, and also takes whole numbers and float32"""
    args = self_attention_inputs(rng, 5, H, D_MODEL)
    call.leaves_inputs_alone(*args, H, random_mask(rng, 5, 5))
    call.agrees_in(0, *args, H)
    with judged():
        call.agrees_in(0, *(a.astype(np.float32) for a in args), H)
        call.agrees_in(0, *(rng.integers(-1, 2, a.shape) for a in args), H)


wrong = WrongAnswers(EXERCISE, globals())

CUT = "np.split(as_float(X) @ W_QKV, 3, axis=-1)"  # as it stands in the reference

wrong("keys-first", {"Q, K, V = np.split": "K, Q, V = np.split"}, """
    The blocks are taken in the order K, Q, V.
    Queries and keys have changed places, so token i now asks what token j should have asked. The order is Q, K, V.""")

wrong("values-first", {"Q, K, V = np.split": "V, K, Q = np.split"}, """
    The blocks are taken in the order V, K, Q.
    What the scores should select now makes the scores, and vice versa. The order is Q, K, V.""")

wrong("values-second", {"Q, K, V = np.split": "Q, V, K = np.split"}, """
    The blocks are taken in the order Q, V, K.
    Keys and values have changed places. The order is Q, K, V.""")

wrong("block-per-head", {CUT: "map(merge_heads, np.split(split_heads(as_float(X) @ W_QKV, n_heads), 3, axis=-1))"}, """
    The product is cut into heads first, and every head into Q, K and V.
    Some models store their weights this way. Here all queries come first, those of all heads, then all keys, then all
    values. Both orders have the same shape, so only the numbers tell.""")

wrong("in-turn", {CUT: "((as_float(X) @ W_QKV)[..., i::3] for i in range(3))"}, """
    Q, K and V take columns in turn.
    Neighbouring columns belong to the same block.""")

wrong("rows-cut", {CUT: "(as_float(X) @ W for W in np.split(W_QKV, 3, axis=0))"}, """
    Rows are cut, those of W_QKV or of the product.
    The blocks lie side by side, so it is the columns that have to be cut.""")

wrong.at("Predict: what does a plain reshape do?")
wrong("plain-reshape",
      {CUT: "(as_float(X) @ W_QKV).reshape(3, *X.shape[:-1], W_QKV.shape[-1] // 3)"}, """
    The product is reshaped into three parts without cutting its columns.
    A reshape walks through memory, row after row: the first part gets the first tokens, with their queries, keys and
    values. What has to be cut is the last axis.""")

wrong.at(SCALE)
wrong("scaled-by-d-model", {"masked_attention(Q,": "masked_attention(Q * (Q.shape[-1] / W_O.shape[-1]) ** 0.5,"}, """
    The scores are divided by the square root of d_model.
    The divisor belongs to the width of one head.""")

wrong("scaled-by-fused-width", {"masked_attention(Q,": "masked_attention(Q / np.sqrt(3 * n_heads),"}, """
    The scores are divided by the square root of the width of the fused product.
    The divisor belongs to the width of one head, not to what three blocks of all heads have together.""")

wrong.at("Putting the heads together again")
wrong("no-output-matrix", {" @ W_O": ""}, """
    W_O is forgotten.
    Only the three projections are fused. The heads are mixed by W_O as before.""")

wrong.at(MASKS)
wrong("mask-ignored", {"masked_attention(Q, K, V, mask)": "masked_attention(Q, K, V)"}, """
    The mask is accepted but not passed on.
    Every key stays visible. Follow the argument through your code to the softmax.""")

wrong("mask-along-the-heads", {"np.asarray(mask)[..., None, :, :]": "np.asarray(mask)"}, """
    The batch axis of the mask is lined up with the heads.
    Shapes are lined up from the right, and the weights have a head axis that the mask lacks.""")

wrong("mask-tested-for-truth", {"if mask is not None": "if mask"}, """
    One truth value is asked of the whole mask, as by `if mask`.
    A mask holds many truth values, so NumPy refuses to make one of them. Test whether it `is not None`.""")

wrong("mask-axis-second", {"np.asarray(mask)[..., None, :, :]": "np.asarray(mask)[:, None]"}, """
    The mask always gets its axis for the heads in second place.
    `mask[:, None]` fits a mask per sequence. A mask for all sequences has no axis in front, and then the new axis comes
    between queries and keys. Count from the end.""")

wrong.at(BLOCKS)
wrong("values-from-keys", {"return _attend_in_heads(Q, K, V,": "return _attend_in_heads(Q, K, K,"}, """
    The second block is used twice, for the keys and for the values.
    There are three blocks. The values are the last one.""")

wrong("width-from-axis-1",
      {CUT: "np.split(as_float(X) @ W_QKV, (X.shape[1], 2 * X.shape[1]), axis=-1)"}, """
    The width is read from axis 1.
    For one sequence that is the width. With a batch it is the number of tokens. The width is always the last axis.""")

wrong("heads-reshaped", {
    "split_heads(projected, n_heads)": "projected.reshape(*projected.shape[:-2], n_heads, projected.shape[-2], -1)",
}, """
    The blocks are reshaped straight into heads, without moving an axis.
    A reshape walks through memory, so a head gets parts of some tokens. First cut the columns, then exchange two
    axes.""")

wrong.at()
wrong("output-alone", "fused_self_attention(X, W_QKV, W_O, n_heads, mask)[0]", """
    Only the output is returned.
    Return two results, with a comma between them: the output and the weights.""")

wrong("no-heads", {
    "split_heads(projected, n_heads)": "projected",
    "np.asarray(mask)[..., None, :, :]": "mask",
    "merge_heads(heads)": "heads",
}, """
    There are no heads.
    One attention over the whole width has one map of weights. Split the three blocks into heads, each with its own.""")

wrong.at(BLOCKS)
wrong("second-axis-cut", {
    f"Q, K, V = {CUT}":
        "A, d = as_float(X) @ W_QKV, len(W_O); Q, K, V = (A[:, i * d : (i + 1) * d] for i in range(3))",
}, """
    Axis 1 of the product is cut, which is right for one sequence only.
    With a batch, axis 1 counts the tokens. The blocks lie side by side along the last axis.""")

wrong("blocks-as-wide-as-a-head", {
    f"Q, K, V = {CUT}":
        "A, d = as_float(X) @ W_QKV, len(W_O) // n_heads; Q, K, V = (A[..., i * d : (i + 1) * d] for i in range(3))",
}, """
    The blocks are cut as wide as one head.
    Each block has the columns of all heads, d_model of them. Only then is it split into heads.""")
