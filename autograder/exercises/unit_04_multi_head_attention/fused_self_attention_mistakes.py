"""The known mistakes of `fused_self_attention`."""

import numpy as np

from autograder.exercises.edited import edited
from autograder.exercises.unit_04_multi_head_attention import multi_head_attention_mask_mistakes as wrongly_masked
from autograder.exercises.unit_04_multi_head_attention import multi_head_attention_mistakes as wrong
from autograder.exercises.unit_04_multi_head_attention.multi_head_attention_variants import attention
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.parameters import AttentionParams

BLOCKS = "One matrix, three blocks"
SCALE = "Which root? The width of one head"
MASKS = "One mask for all heads"

MISTAKES = KnownMistakes()


def _separate(W_QKV, W_O, order=(0, 1, 2)):
    """Return separate projections for Q, K and V; `order` says which block each of them takes."""
    blocks = np.split(W_QKV, 3, axis=-1)
    return AttentionParams(*(blocks[i] for i in order), W_O)


def _finish(Q, K, V, W_O, mask):
    """Everything after the heads have been split, done right."""
    heads, weights = reference.masked_attention(Q, K, V, None if mask is None else mask[..., None, :, :])
    return reference.merge_heads(heads) @ W_O, weights


@MISTAKES.add(where=BLOCKS)
def keys_first(X, W_QKV, W_O, n_heads, mask=None):
    """The blocks are taken in the order K, Q, V.

    Queries and keys have changed places, so token i now asks what token j should have asked. The order is Q, K, V.
    """
    return attention(X, X, _separate(W_QKV, W_O, (1, 0, 2)), n_heads, mask)


@MISTAKES.add(where=BLOCKS)
def values_first(X, W_QKV, W_O, n_heads, mask=None):
    """The blocks are taken in the order V, K, Q.

    What the scores should select now makes the scores, and vice versa. The order is Q, K, V.
    """
    return attention(X, X, _separate(W_QKV, W_O, (2, 1, 0)), n_heads, mask)


@MISTAKES.add(where=BLOCKS)
def values_second(X, W_QKV, W_O, n_heads, mask=None):
    """The blocks are taken in the order Q, V, K.

    Keys and values have changed places. The order is Q, K, V.
    """
    return attention(X, X, _separate(W_QKV, W_O, (0, 2, 1)), n_heads, mask)


@MISTAKES.add(where=BLOCKS)
def block_per_head(X, W_QKV, W_O, n_heads, mask=None):
    """The product is cut into heads first, and every head into Q, K and V.

    Some models store their weights this way. Here all queries come first, those of all heads, then all keys, then all
    values. Both orders have the same shape, so only the numbers tell.
    """
    heads = reference.split_heads(X @ W_QKV, n_heads)  # (..., n_heads, n, 3 d_k)
    return _finish(*np.split(heads, 3, axis=-1), W_O, mask)


@MISTAKES.add(where=BLOCKS)
def in_turn(X, W_QKV, W_O, n_heads, mask=None):
    """Q, K and V take columns in turn.

    Neighbouring columns belong to the same block.
    """
    projected = X @ W_QKV
    Q, K, V = (reference.split_heads(projected[..., i::3], n_heads) for i in range(3))
    return _finish(Q, K, V, W_O, mask)


@MISTAKES.add(where=BLOCKS)
def rows_cut(X, W_QKV, W_O, n_heads, mask=None):
    """Rows are cut, those of W_QKV or of the product.

    The blocks lie side by side, so it is the columns that have to be cut.
    """
    return attention(X, X, AttentionParams(*np.split(W_QKV, 3, axis=0), W_O), n_heads, mask)


@MISTAKES.add(where="Predict: what does a plain reshape do?")
def plain_reshape(X, W_QKV, W_O, n_heads, mask=None):
    """The product is reshaped into three parts without cutting its columns.

    A reshape walks through memory, row after row: the first part gets the first tokens, with their queries, keys and
    values. What has to be cut is the last axis.
    """
    projected = X @ W_QKV
    Q, K, V = projected.reshape(3, *projected.shape[:-1], projected.shape[-1] // 3)
    return _finish(*(reference.split_heads(A, n_heads) for A in (Q, K, V)), W_O, mask)


@MISTAKES.add(where=SCALE)
def scaled_by_d_model(X, W_QKV, W_O, n_heads, mask=None):
    """The scores are divided by the square root of d_model.

    The divisor belongs to the width of one head.
    """
    return wrong.scaled_by_d_model(X, X, _separate(W_QKV, W_O), n_heads, mask)


@MISTAKES.add(where=SCALE)
def scaled_by_fused_width(X, W_QKV, W_O, n_heads, mask=None):
    """The scores are divided by the square root of the width of the fused product.

    The divisor belongs to the width of one head, not to what three blocks of all heads have together.
    """
    Q, K, V = (reference.split_heads(A, n_heads) for A in np.split(X @ W_QKV, 3, axis=-1))
    factor = np.sqrt(Q.shape[-1] / W_QKV.shape[-1])  # undoes the right divisor
    return _finish(Q * factor, K, V, W_O, mask)


@MISTAKES.add(where="Putting the heads together again")
def no_output_matrix(X, W_QKV, W_O, n_heads, mask=None):
    """W_O is forgotten.

    Only the three projections are fused. The heads are mixed by W_O as before.
    """
    return wrong.no_output_matrix(X, X, _separate(W_QKV, W_O), n_heads, mask)


@MISTAKES.add(where=MASKS)
def mask_ignored(X, W_QKV, W_O, n_heads, mask=None):
    """The mask is accepted but not passed on.

    Every key stays visible. Follow the argument through your code to the softmax.
    """
    return wrongly_masked.mask_ignored(X, X, _separate(W_QKV, W_O), n_heads, mask)


@MISTAKES.add(where=MASKS)
def mask_along_the_heads(X, W_QKV, W_O, n_heads, mask=None):
    """The batch axis of the mask is lined up with the heads.

    Shapes are lined up from the right, and the weights have a head axis that the mask lacks.
    """
    return wrongly_masked.mask_along_the_heads(X, X, _separate(W_QKV, W_O), n_heads, mask)


@MISTAKES.add(where=MASKS)
def mask_tested_for_truth(X, W_QKV, W_O, n_heads, mask=None):
    """One truth value is asked of the whole mask, as by `if mask`.

    A mask holds many truth values, so NumPy refuses to make one of them. Test whether it `is not None`.
    """
    return wrongly_masked.mask_tested_for_truth(X, X, _separate(W_QKV, W_O), n_heads, mask)


@MISTAKES.add(where=MASKS)
def mask_axis_second(X, W_QKV, W_O, n_heads, mask=None):
    """The mask always gets its axis for the heads in second place.

    `mask[:, None]` fits a mask per sequence. A mask for all sequences has no axis in front, and then the new axis comes
    between queries and keys. Count from the end.
    """
    return wrongly_masked.mask_axis_second(X, X, _separate(W_QKV, W_O), n_heads, mask)


@MISTAKES.add(where=BLOCKS)
def values_from_keys(X, W_QKV, W_O, n_heads, mask=None):
    """The second block is used twice, for the keys and for the values.

    There are three blocks. The values are the last one.
    """
    return attention(X, X, _separate(W_QKV, W_O, (0, 1, 1)), n_heads, mask)


@MISTAKES.add(where=BLOCKS)
def width_from_axis_1(X, W_QKV, W_O, n_heads, mask=None):
    """The width is read from axis 1.

    For one sequence that is the width. With a batch it is the number of tokens. The width is always the last axis.
    """
    d = X.shape[1]
    projected = X @ W_QKV
    blocks = projected[..., :d], projected[..., d : 2 * d], projected[..., 2 * d :]
    return _finish(*(reference.split_heads(A, n_heads) for A in blocks), W_O, mask)


@MISTAKES.add(where=BLOCKS)
def heads_reshaped(X, W_QKV, W_O, n_heads, mask=None):
    """The blocks are reshaped straight into heads, without moving an axis.

    A reshape walks through memory, so a head gets parts of some tokens. First cut the columns, then exchange two axes.
    """
    blocks = np.split(X @ W_QKV, 3, axis=-1)
    shape = (*X.shape[:-2], n_heads, X.shape[-2], len(W_O) // n_heads)
    return _finish(*(block.reshape(shape) for block in blocks), W_O, mask)


@MISTAKES.add(where="Exercise 4.5: fused_self_attention")
def output_alone(X, W_QKV, W_O, n_heads, mask=None):
    """Only the output is returned.

    Return two results, with a comma between them: the output and the weights.
    """
    return reference.fused_self_attention(X, W_QKV, W_O, n_heads, mask)[0]


@MISTAKES.add(where="Exercise 4.5: fused_self_attention")
def no_heads(X, W_QKV, W_O, n_heads, mask=None):
    """There are no heads.

    One attention over the whole width has one map of weights. Split the three blocks into heads, each with its own.
    """
    Q, K, V = np.split(X @ W_QKV, 3, axis=-1)
    output, weights = reference.masked_attention(Q, K, V, mask)
    return output @ W_O, weights


PRODUCT = "Q, K, V = np.split(as_float(X) @ W_QKV, 3, axis=-1)"
SLICES = "A, d = as_float(X) @ W_QKV, len(W_O); Q, K, V = (A[:, i * d : (i + 1) * d] for i in range(3))"


@MISTAKES.add(where=BLOCKS)
@edited(reference.fused_self_attention, {PRODUCT: SLICES})
def second_axis_cut():
    """Axis 1 of the product is cut, which is right for one sequence only.

    With a batch, axis 1 counts the tokens. The blocks lie side by side along the last axis.
    """


@MISTAKES.add(where=BLOCKS)
@edited(
    reference.fused_self_attention,
    {PRODUCT: SLICES.replace("len(W_O)", "len(W_O) // n_heads").replace("A[:,", "A[...,")},
)
def blocks_as_wide_as_a_head():
    """The blocks are cut as wide as one head.

    Each block has the columns of all heads, d_model of them. Only then is it split into heads.
    """
