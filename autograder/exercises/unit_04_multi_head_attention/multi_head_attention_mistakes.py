"""The known mistakes of `multi_head_attention` with the scale, with its heads and with W_O."""

import numpy as np

from autograder.exercises.unit_04_multi_head_attention.multi_head_attention_variants import (
    attention,
    divided_by,
    merged,
)
from autograder.specification import KnownMistakes
from transformer_kit import reference

SCALE = "Which root? The width of one head"
MIXING = "Putting the heads together again"
RESHAPE = "Predict: what does a plain reshape do?"
WAY_BACK = "The way back"

MISTAKES = KnownMistakes()


def _reshaped_back(heads):
    *lead, n_heads, n, d_v = heads.shape
    return heads.reshape(*lead, n, n_heads * d_v)


@MISTAKES.add(where=SCALE)
def scaled_by_d_model(X_query, X_memory, params, n_heads, mask=None):
    """The scores are divided by the square root of d_model.

    A head's dot products have as many terms as that head has columns. Divided by more, the scores of every head
    become too small and its weights too even; with one head nobody notices.
    """
    attend = divided_by(X_query.shape[-1])
    return attention(X_query, X_memory, params, n_heads, mask, attend=attend)


@MISTAKES.add(where=SCALE)
def scaled_by_all_heads(X_query, X_memory, params, n_heads, mask=None):
    """The scores are divided by the square root of the width of all heads together.

    The last axis of the queries is a head's own width only after the heads have been split.
    """
    attend = divided_by(params.W_Q.shape[-1])
    return attention(X_query, X_memory, params, n_heads, mask, attend=attend)


@MISTAKES.add(where=SCALE)
def not_scaled(X_query, X_memory, params, n_heads, mask=None):
    """The scores are not divided at all.

    Every head is scaled dot-product attention, with the divisor that belongs to it.
    """
    return attention(X_query, X_memory, params, n_heads, mask, attend=divided_by(1))


@MISTAKES.add(where=SCALE)
def scaled_twice(X_query, X_memory, params, n_heads, mask=None):
    """The scores are divided by d_k itself: a square root is missing, or they are scaled twice.

    The divisor is the square root of d_k, once; `masked_attention` and `attention_scores` divide by it themselves.
    """
    attend = divided_by((params.W_Q.shape[-1] // n_heads) ** 2)
    return attention(X_query, X_memory, params, n_heads, mask, attend=attend)


@MISTAKES.add(where=SCALE)
def scaled_by_keys(X_query, X_memory, params, n_heads, mask=None):
    """The scores are divided by the square root of the number of keys.

    How many terms a dot product has depends on the width of the head, not on the length of the sequence.
    """
    attend = divided_by(X_memory.shape[-2])
    return attention(X_query, X_memory, params, n_heads, mask, attend=attend)


@MISTAKES.add(where=MIXING)
def no_output_matrix(X_query, X_memory, params, n_heads, mask=None):
    """The heads are put side by side, but W_O is forgotten.

    The shape may be right by luck, but the heads are never mixed: each column of the output would belong to one
    head.
    """
    return merged(X_query, X_memory, params, n_heads, mask)


@MISTAKES.add(where=MIXING)
def output_matrix_transposed(X_query, X_memory, params, n_heads, mask=None):
    """W_O is transposed.

    Tokens are rows, so they stand on the left, and W_O has as many rows as the merged heads have columns. If W_O
    happens to be square, no error tells you.
    """
    return attention(X_query, X_memory, params._replace(W_O=params.W_O.T), n_heads, mask)


@MISTAKES.add(where=MIXING, id="first-rows-of-W_O-for-all")
def first_rows_of_W_O_for_all(X_query, X_memory, params, n_heads, mask=None):
    """Every head is multiplied by the same rows of W_O, those of head 0.

    Each head has its own block of rows in W_O, in the order of the heads.
    """
    side_by_side, weights = merged(X_query, X_memory, params, n_heads, mask)
    heads = reference.split_heads(side_by_side, n_heads)
    return (heads @ params.W_O[: heads.shape[-1]]).sum(axis=-3), weights


@MISTAKES.add(where=MIXING)
def heads_averaged(X_query, X_memory, params, n_heads, mask=None):
    """The contributions of the heads are averaged.

    Through their rows of W_O the heads add up. How much each of them counts is learned with W_O; nothing is divided by
    their number.
    """
    output, weights = attention(X_query, X_memory, params, n_heads, mask)
    return output / n_heads, weights


def _reshaped(X, n_heads):
    *lead, n, d = X.shape
    return X.reshape(*lead, n_heads, n, d // n_heads)


@MISTAKES.add(where=RESHAPE)
def plain_reshape(X_query, X_memory, params, n_heads, mask=None):
    """The projections are reshaped straight into heads, and straight back.

    Every head then gets some tokens whole instead of some columns of all tokens.
    """
    return attention(X_query, X_memory, params, n_heads, mask, split=_reshaped, merge=_reshaped_back)


@MISTAKES.add(where=WAY_BACK)
def merged_by_reshape(X_query, X_memory, params, n_heads, mask=None):
    """The heads are joined without moving the head axis back.

    The weights are right, but a row of the output then mixes several tokens of one head.
    """
    return attention(X_query, X_memory, params, n_heads, mask, merge=_reshaped_back)


def _in_turn(X, n_heads):
    return np.moveaxis(X.reshape(*X.shape[:-1], X.shape[-1] // n_heads, n_heads), -1, -3)


def _in_turn_back(heads):
    *lead, n_heads, n, d_v = heads.shape
    return np.moveaxis(heads, -3, -1).reshape(*lead, n, d_v * n_heads)


@MISTAKES.add(where="From columns to heads")
def interleaved(X_query, X_memory, params, n_heads, mask=None):
    """The heads take columns in turn.

    Neighbouring columns belong to the same head in this course.
    """
    return attention(X_query, X_memory, params, n_heads, mask, split=_in_turn, merge=_in_turn_back)
