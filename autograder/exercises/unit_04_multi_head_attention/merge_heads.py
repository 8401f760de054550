"""Specification of `merge_heads`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from autograder.exercises.unit_04_multi_head_attention.inputs import rearranged
from transformer_kit import reference


def _side_by_side(call, rng):
    call.agrees(np.array([[[0.0, 1.0], [100.0, 101.0]], [[2.0, 3.0], [102.0, 103.0]]]))  # by hand: 0 1 2 3, ...
    call.agrees(rng.standard_normal((int(rng.choice([2, 4])), 5, 3)))


def _undoes_the_split(call, rng):
    n = int(rng.choice([5, 7]))
    X = rng.standard_normal((n, 12))
    for n_heads in (3, 4):
        merged = call(reference.split_heads(X, n_heads))
        right = isinstance(merged, np.ndarray) and merged.shape == X.shape and np.array_equal(merged, X)
        call.holds(right, f"a sequence of shape ({n}, 12), split into {n_heads} heads, does not come back as it was.")


def _leading_axes(call, rng):
    call.agrees(rng.standard_normal((2, 4, 5, 3)))
    call.agrees(rng.standard_normal((2, 3, 4, 7, 5)))


def _inputs(call, rng):
    X = rng.standard_normal((3, 5, 4))
    rearranged(call, (5, 12), X)
    call.leaves_inputs_alone(X)
    rearranged(call, (5, 12), X.astype(np.float32))


def _plain_reshape(X):
    *lead, n_heads, n, d_v = X.shape
    return X.reshape(*lead, n, n_heads * d_v)


def _wrong_pair(X):
    *lead, n_heads, n, d_v = X.shape
    return X.swapaxes(-1, -2).reshape(*lead, n, n_heads * d_v)


def _interleaved(X):
    *lead, n_heads, n, d_v = X.shape
    return np.moveaxis(X, -3, -1).reshape(*lead, n, d_v * n_heads)


def _below_each_other(X):
    *lead, n_heads, n, d_v = X.shape
    return X.reshape(*lead, n_heads * n, d_v)


def _added(X):
    return X.sum(axis=-3)


def _averaged(X):
    return X.mean(axis=-3)


def _not_joined(X):
    return X.swapaxes(-2, -3)


def _first_axis(X):
    return np.concatenate(list(X), axis=-1)


def _for_a_batch_only(X):
    moved = X.transpose(0, 2, 1, 3)
    return moved.reshape(moved.shape[0], moved.shape[1], -1)


def _leading_axes_lost(X):
    *_, n_heads, _, d_v = X.shape
    return X.swapaxes(-2, -3).reshape(-1, n_heads * d_v)


SECTION = "Exercise 4.2: merge_heads"
WAY_BACK = "The way back"

EXERCISE = Exercise(
    reference=reference.merge_heads,
    asks="put the heads of every token side by side again, head 0 first.",
    returns=(Returned("X", "(..., n, n_heads * d_v)"),),
    where=WAY_BACK,
    may_be_view=True,
    claims=(
        Claim("row i holds what all heads found for token i, head after head", 1.5, _side_by_side),
        Claim("gives back what `split_heads` has cut", 0.5, _undoes_the_split),
        Claim("works for any leading axes", 0.5, _leading_axes),
        Claim("moves all numbers and leaves its input alone", 0.5, _inputs),
    ),
    mistakes=(
        Mistake(
            "plain-reshape",
            "The heads are joined without moving the head axis back",
            _plain_reshape,
            "The shape is right, but the rows are filled from memory in the order in which they lie there: first all "
            "tokens of head 0, then those of head 1. A row then mixes several tokens of one head.",
            WAY_BACK,
        ),
        Mistake(
            "wrong-pair",
            "The last two axes are exchanged before the heads are joined",
            _wrong_pair,
            "The axes that `split_heads` has exchanged are those of the heads and the tokens.",
            WAY_BACK,
        ),
        Mistake(
            "interleaved",
            "The columns of the heads alternate",
            _interleaved,
            "A row should hold the whole of head 0, then the whole of head 1. W_O expects its rows in this order.",
            WAY_BACK,
        ),
        Mistake(
            "below-each-other",
            "The heads are put below each other",
            _below_each_other,
            "There are as many rows as tokens, before and after. What grows is the width.",
            WAY_BACK,
        ),
        Mistake(
            "added",
            "The heads are added up",
            _added,
            "A sum forgets which head said what. The heads are put side by side, and W_O decides how to mix them.",
            SECTION,
        ),
        Mistake(
            "averaged",
            "The heads are averaged",
            _averaged,
            "An average forgets which head said what: what several heads were made to avoid.",
            SECTION,
        ),
        Mistake(
            "not-joined",
            "The heads stand beside each other, but still on an axis of their own",
            _not_joined,
            "Two axes, heads and columns, have to become one.",
            WAY_BACK,
        ),
        Mistake(
            "first-axis-taken-for-the-heads",
            "The first axis is taken for the heads",
            _first_axis,
            "With a batch the first axis counts sequences. The heads are the third axis from the end.",
            SECTION,
        ),
        Mistake(
            "for-a-batch-only",
            "The input is taken to have exactly four axes",
            _for_a_batch_only,
            "There may be none, one or several leading axes. Count axes from the end.",
            SECTION,
        ),
        Mistake(
            "leading-axes-lost",
            "All sequences of a batch end up in one long sequence",
            _leading_axes_lost,
            "The leading axes stay as they are. Only the axes of heads and columns become one.",
            SECTION,
        ),
    ),
)
