"""Specification of `share_heads`."""

import numpy as np

from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_13_since_2017 import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

NEIGHBOURS = "Neighbours share"

EXERCISE = Exercise(
    reference=reference.share_heads,
    asks="as many heads of keys or values as there are heads of queries: each is used by several neighbours.",
    returns=(Output("shared", "(..., n_heads, n, d)"),),
    where=NEIGHBOURS,
    calls=calls.SHARE_HEADS,
    may_be_view=True,
    lookalike=lookalikes.SHARE_HEADS,
)


@EXERCISE.claim(1)
def neighbours(call, rng):
    """neighbouring heads share one"""
    call.agrees(np.array([[[3.0]], [[4.0]]]), 4)  # by hand: 3, 3, 4, 4
    call.agrees(rng.standard_normal((2, 5, 3)), 6)
    call.agrees(rng.standard_normal((3, 4, 7)), 6)


@EXERCISE.claim(0.5)
def extremes(call, rng):
    """as many heads as there are stay as they are, and a single head serves all"""
    call.agrees(rng.standard_normal((3, 5, 4)), 3)
    call.agrees(rng.standard_normal((1, 5, 4)), 7)


@EXERCISE.claim(0.25, side=True)
def uneven(call, rng):
    """heads that cannot be shared evenly raise a ValueError that mentions both numbers"""
    n_kv_heads = int(rng.integers(3, 9))
    n_heads = 5 * n_kv_heads - 1
    call.refuses(rng.standard_normal((n_kv_heads, 2, 3)), n_heads, mentions=[n_heads, n_kv_heads])
    call.agrees(rng.standard_normal((2, 4, 3)), 4)


@EXERCISE.claim(0.25, side=True)
def inputs(call, rng):
    """leaves its input alone; takes any leading axes, and float32"""
    X = rng.standard_normal((2, 5, 3))
    call.leaves_inputs_alone(X, 4)
    call.agrees(X, 4)
    agrees_here(call, rng.standard_normal((4, 2, 3, 5)), 6)
    agrees_here(call, rng.standard_normal((2, 3, 2, 4, 5)).astype(np.float32), 8)


wrong = WrongAnswers(EXERCISE, globals())


REPEATED = "np.repeat(X, n_heads // n_kv_heads, axis=-3)"  # in the reference


wrong.at(NEIGHBOURS)
wrong("tiled", {REPEATED: "np.concatenate([X] * (n_heads // n_kv_heads), axis=-3)"}, """
    The heads come one after another, again and again, as `np.tile` repeats them.
    With 2 heads for 4 queries the order is 0, 0, 1, 1, not 0, 1, 0, 1. The shapes are the same, and the model is
    lost.""")

wrong("tokens-repeated", {"axis=-3": "axis=-2"}, """
    The tokens are repeated, not the heads.
    The axis of the heads is the third from the end.""")

wrong("features-repeated", {"axis=-3": "axis=-1"}, """
    The features are repeated, not the heads.
    The axis of the heads is the third from the end.""")

wrong("first-axis", {"axis=-3": "axis=0"}, """
    The first axis is repeated.
    It is the axis of the heads only where nothing comes before it. Count from the end.""")

wrong("counted-from-the-front", {"X.shape[-3]": "X.shape[0]", "axis=-3": "axis=0"}, """
    The heads are looked for on the first axis.
    They are there only where nothing comes before them. Count from the end.""")

wrong("tokens-counted", {"X.shape[-3]": "X.shape[-2]"}, """
    The number of tokens is taken for the number of heads.
    The axis of the heads is the third from the end.""")

wrong("groups-apart", {REPEATED: "np.repeat(X[..., None, :, :], n_heads // n_kv_heads, axis=-3)"}, """
    There is one axis too many: copies of a head stand on an axis of their own.
    All heads stand on one axis, copies next to each other.""")

wrong("first-head-for-all", {REPEATED: "np.repeat(X[..., :1, :, :], n_heads, axis=-3)"}, """
    All heads get the first one.
    Several heads share one, but each of them is used.""")

wrong("mean-for-all", {REPEATED: "np.repeat(X.mean(axis=-3, keepdims=True), n_heads, axis=-3)"}, """
    All heads get the mean.
    Nothing is averaged: a head of keys is used as it is, by several heads of queries.""")

wrong("divided", "share_heads(X, n_heads) / (n_heads // X.shape[-3])", """
    What is shared is divided by the number of those that share it.
    Each head attends with whole keys and values.""")

wrong("repeated-n-heads-times", {"n_heads // n_kv_heads, axis": "n_heads, axis"}, """
    Every head is repeated n_heads times.
    The result has n_heads heads. How often is each of them needed for that?""")

wrong("tokens-mixed", {
    REPEATED: "np.repeat(X, n_heads // n_kv_heads, axis=-2).reshape(*X.shape[:-3], n_heads, *X.shape[-2:])",
}, """
    Tokens and heads are mixed.
    `reshape` cuts the numbers anew in the order in which they lie, so the head's tokens came from repeated tokens.
    Repeat along the axis of the heads.""")

wrong("last-heads-missing", "share_heads(X, n_heads)[..., : X.shape[-3], :, :]", """
    The result has only as many heads as X.
    It needs one for each head of the queries.""")

wrong("reversed", "share_heads(X, n_heads)[..., ::-1, :, :]", """
    The order of the heads is reversed.
    The first heads of the queries share the first head of the keys.""")

wrong("even-refused", {"n_heads % n_kv_heads": "n_kv_heads % n_heads"}, """
    Numbers of heads that can be shared evenly are refused.
    n_heads has to be a multiple of n_kv_heads, and is the larger of the two. Which of them divides the other?""")

wrong("uneven-cut-off",
      "np.repeat(X, -(-n_heads // X.shape[-3]), axis=-3)[..., :n_heads, :, :]", """
    A number of heads that cannot be shared evenly is accepted.
    Then some heads are shared by fewer than others, which no model was trained for. Raise a ValueError.""")
