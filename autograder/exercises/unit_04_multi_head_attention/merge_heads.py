"""Specification of `merge_heads`."""

import numpy as np

from autograder.execution.precision import rounded_like
from autograder.exercises.inputs import presupposed
from autograder.exercises.unit_04_multi_head_attention import lookalikes
from autograder.exercises.unit_04_multi_head_attention.inputs import rearranged
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

WAY_BACK = "The way back"

EXERCISE = Exercise(
    reference=reference.merge_heads,
    asks="put the heads of every token side by side again, head 0 first.",
    returns=(Output("X", "(..., n, n_heads * d_v)"),),
    where=WAY_BACK,
    may_be_view=True,
    lookalike=lookalikes.MERGE_HEADS,
)


@EXERCISE.claim(1.5)
def side_by_side(call, rng):
    """row i holds what all heads found for token i, head after head"""
    call.agrees(np.array([[[0.0, 1.0], [100.0, 101.0]], [[2.0, 3.0], [102.0, 103.0]]]))  # by hand: 0 1 2 3, ...
    call.agrees(rng.standard_normal((int(rng.choice([2, 4])), 5, 3)))


@EXERCISE.claim(0.5)
def undoes_the_split(call, rng):
    """gives back what `split_heads` has cut"""
    n = int(rng.choice([5, 7]))
    X = rng.standard_normal((n, 12))
    for n_heads in (3, 4):
        merged = call(reference.split_heads(X, n_heads))
        right = isinstance(merged, np.ndarray) and np.array_equal(merged, rounded_like(X, merged))
        call.holds(right, f"a sequence of shape ({n}, 12), split into {n_heads} heads, does not come back as it was.")


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes"""
    call.agrees(rng.standard_normal((2, 4, 5, 3)))
    call.agrees(rng.standard_normal((2, 3, 4, 7, 5)))
    call.agrees(rng.standard_normal((1, 4, 1, 3)))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """moves all numbers and leaves its input alone"""
    X = rng.standard_normal((3, 5, 4))
    call.leaves_inputs_alone(X)
    with presupposed():
        rearranged(call, (5, 12), X)
    rearranged(call, (5, 12), X.astype(np.float32))


wrong = WrongAnswers(EXERCISE, globals())

wrong("plain-reshape", {"swapaxes(-2, -3).": ""}, """
    The heads are joined without moving the head axis back.
    The shape is right, but the rows are filled from memory in the order in which they lie there: first all tokens of
    head 0, then those of head 1. A row then mixes several tokens of one head.""")

wrong("wrong-pair", {"swapaxes(-2, -3)": "swapaxes(-1, -2)"}, """
    The last two axes are exchanged before the heads are joined.
    The axes that `split_heads` has exchanged are those of the heads and the tokens.""")

wrong("interleaved", {
    "X.swapaxes(-2, -3).reshape(*lead, n, n_heads * d_v)": "np.moveaxis(X, -3, -1).reshape(*lead, n, d_v * n_heads)",
}, """
    The columns of the heads alternate.
    A row should hold the whole of head 0, then the whole of head 1. W_O expects its rows in this order.""")

wrong("below-each-other", {"swapaxes(-2, -3).reshape(*lead, n, n_heads * d_v)": "reshape(*lead, n_heads * n, d_v)"}, """
    The heads are put one below the other.
    There are as many rows as tokens, before and after. What grows is the width.""")

wrong.at()
wrong("added", "X.sum(axis=-3)", """
    The heads are added up.
    A sum forgets which head said what. The heads are put side by side, and W_O decides how to mix them.""")

wrong("averaged", "X.mean(axis=-3)", """
    The heads are averaged.
    An average forgets which head said what, and that is what several heads are there to avoid.""")

wrong.at(WAY_BACK)
wrong("not-joined", "X.swapaxes(-2, -3)", """
    The heads stand beside each other, but still on an axis of their own.
    Two axes, heads and columns, have to become one.""")

wrong.at()
wrong("first-axis-taken-for-the-heads", "np.concatenate(list(X), axis=-1)", """
    The first axis is taken for the heads.
    With a batch the first axis counts sequences. The heads are the third axis from the end.""")

wrong("for-a-batch-only",
      "X.transpose(0, 2, 1, 3).reshape(X.transpose(0, 2, 1, 3).shape[0], X.transpose(0, 2, 1, 3).shape[1], -1)", """
    The input is taken to have exactly four axes.
    There may be none, one or several leading axes. Count axes from the end.""")

wrong("leading-axes-lost", {"reshape(*lead, n, n_heads * d_v)": "reshape(-1, n_heads * d_v)"}, """
    All sequences of a batch end up in one long sequence.
    The leading axes stay as they are. Only the axes of heads and columns become one.""")

wrong("for-one-sequence-only", {
    "*lead, n_heads, n, d_v": "n_heads, n, d_v",
    "swapaxes(-2, -3).reshape(*lead, n, n_heads * d_v)": "swapaxes(0, 1).reshape(n, n_heads * d_v)",
}, """
    The input is taken to have exactly three axes.
    `n_heads, n, d_v = X.shape` cannot unpack the shape of a batch. Count axes from the end.""")

wrong("first-two-axes-exchanged", {
    "(-2, -3).reshape(*lead, n, n_heads * d_v)":
        "(0, 1).reshape(*X.swapaxes(0, 1).shape[:-2], X.swapaxes(0, 1).shape[-2] * X.swapaxes(0, 1).shape[-1])",
}, """
    The first two axes change places.
    For one sequence these are heads and tokens. With a batch they are the batch and the heads. Count axes from the
    end.""")

wrong.at(WAY_BACK)
wrong("last-head-first", "merge_heads(np.asarray(X)[..., ::-1, :, :])", """
    The last head comes first.
    Row i begins with head 0. W_O, which comes next, has a row for every column, in this order.""")

wrong("all-axes-reversed", "X.T.swapaxes(0, 1).reshape(X.shape[-2], -1)", """
    All axes are reversed.
    `.T` reverses the order of all axes, so that the columns of the heads get mixed up. Only heads and tokens have to
    change places.""")

wrong("joined-along-axis-1", "np.concatenate(np.moveaxis(X, -3, 0), axis=1)", """
    The heads are joined along axis 1.
    That is the last axis of a head only if there are no leading axes. Count from the end.""")
