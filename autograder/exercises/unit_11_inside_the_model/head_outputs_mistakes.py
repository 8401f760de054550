"""The known mistakes of `head_outputs`."""

import numpy as np

from autograder.exercises.edited import edited
from autograder.specification import KnownMistakes
from transformer_kit import reference
from transformer_kit.reference import masked_attention, split_heads

SECTION = "Exercise 11.1: head_outputs"
SUM = "W_O as a sum"

MISTAKES = KnownMistakes()


def _heads(X_query, X_key, params, n_heads, mask=None, X_value=None, widened=lambda mask: mask[..., None, :, :]):
    """Return the blends of values, before W_O, (..., n_heads, n_queries, d_v); `widened` gives the mask an axis."""
    X_value = X_key if X_value is None else X_value
    pairs = (X_query, params.W_Q), (X_key, params.W_K), (X_value, params.W_V)
    Q, K, V = (split_heads(X @ W, n_heads) for X, W in pairs)
    return masked_attention(Q, K, V, None if mask is None else widened(mask))[0]


def _rows(params, n_heads):
    return np.stack(np.split(params.W_O, n_heads))


@MISTAKES.add(where=SUM)
def shared_equally(X_query, X_key, params, n_heads, mask=None):
    """Every head gets the same share of the whole output.

    The shares add up to the output, but they say nothing about the heads. Each head has rows of W_O of its own.
    """
    output, _ = reference.multi_head_attention(X_query, X_key, params, n_heads, mask)
    return np.repeat(output[..., None, :, :], n_heads, axis=-3) / n_heads


@MISTAKES.add(where=SUM)
def already_summed(X_query, X_key, params, n_heads, mask=None):
    """The outputs are summed over the heads.

    That is the output of multi-head attention, which you have already. Keep the axis of the heads.
    """
    return reference.multi_head_attention(X_query, X_key, params, n_heads, mask)[0]


@MISTAKES.add(where=SUM)
def without_W_O(X_query, X_key, params, n_heads, mask=None):
    """The blends of values are returned as they are, without W_O.

    They have the width of a head. What is added to the residual stream has gone through W_O, and has the width d_model.
    """
    return _heads(X_query, X_key, params, n_heads, mask)


@MISTAKES.add(where=SUM)
def columns_of_W_O(X_query, X_key, params, n_heads, mask=None):
    """The heads go through columns of W_O.

    The heads multiply the rows of W_O. Its columns are the features of the output.
    """
    columns = np.stack(np.split(params.W_O, n_heads, axis=1))
    return _heads(X_query, X_key, params, n_heads, mask) @ columns[:, : params.W_O.shape[0] // n_heads]


@MISTAKES.add(where=SUM)
def first_rows_for_all(X_query, X_key, params, n_heads, mask=None):
    """All heads go through the rows of the first one.

    The heads stand side by side: the second one is multiplied by the second block of rows, and so on.
    """
    return _heads(X_query, X_key, params, n_heads, mask) @ _rows(params, n_heads)[0]


@MISTAKES.add(where=SUM)
def rows_interleaved(X_query, X_key, params, n_heads, mask=None):
    """Head h goes through the rows h, h + n_heads, h + 2 n_heads and so on of W_O.

    The heads stand side by side as whole blocks, so the rows of a head are neighbours.
    """
    interleaved = params.W_O.reshape(-1, n_heads, params.W_O.shape[-1]).swapaxes(0, 1)
    return _heads(X_query, X_key, params, n_heads, mask) @ interleaved


@MISTAKES.add(where=SUM)
def rows_reversed(X_query, X_key, params, n_heads, mask=None):
    """The blocks of W_O are taken in the opposite order.

    The first head is the first slice of the columns of W_V, and so the first block of the rows of W_O.
    """
    return _heads(X_query, X_key, params, n_heads, mask) @ _rows(params, n_heads)[::-1]


@MISTAKES.add(where=SECTION)
def heads_behind_queries(X_query, X_key, params, n_heads, mask=None):
    """The axis of the heads comes after that of the queries.

    The heads come first, then the queries, as in the weights of multi-head attention.
    """
    return reference.head_outputs(X_query, X_key, params, n_heads, mask).swapaxes(-2, -3)


@MISTAKES.add(where=SECTION)
def heads_in_front(X_query, X_key, params, n_heads, mask=None):
    """The axis of the heads comes before all others.

    The sequences of the batch come first. The heads come right before the queries.
    """
    return np.moveaxis(reference.head_outputs(X_query, X_key, params, n_heads, mask), -3, 0)


@MISTAKES.add(where=SECTION)
def mask_ignored(X_query, X_key, params, n_heads, mask=None):
    """The mask is not used.

    Every head then shows what it would add if it could see everything.
    """
    return reference.head_outputs(X_query, X_key, params, n_heads)


@MISTAKES.add(where=SECTION)
def mask_inverted(X_query, X_key, params, n_heads, mask=None):
    """The mask hides what may be seen.

    True means "may attend" everywhere in this course.
    """
    return reference.head_outputs(X_query, X_key, params, n_heads, None if mask is None else ~mask)


@MISTAKES.add(where=SECTION)
def mask_along_heads(X_query, X_key, params, n_heads, mask=None):
    """The mask of a batch is used without an axis for the heads.

    Its first axis is then taken for that of the heads. Give it an axis of length 1 before the last two.
    """
    Q, K, V = (split_heads(X @ W, n_heads) for X, W in zip((X_query, X_key, X_key), params[:3], strict=True))
    return masked_attention(Q, K, V, mask)[0] @ _rows(params, n_heads)


@MISTAKES.add(where=SECTION)
def weights_too(X_query, X_key, params, n_heads, mask=None):
    """The weights are returned as well.

    The task asks for the outputs alone; the weights are the second result of `multi_head_attention`.
    """
    weights = reference.multi_head_attention(X_query, X_key, params, n_heads, mask)[1]
    return reference.head_outputs(X_query, X_key, params, n_heads, mask), weights


@MISTAKES.add(where=SECTION)
def keys_from_queries(X_query, X_key, params, n_heads, mask=None):
    """Keys and values are made from X_query.

    In self-attention both are the same array. Between a target and its source they are not.
    """
    return reference.head_outputs(X_query, X_query, params, n_heads, mask)


@MISTAKES.add(where=SECTION)
def no_scale(X_query, X_key, params, n_heads, mask=None):
    """The scores are not divided by the root of d_k.

    Your attention of unit 03 does that. If you compute the scores yourself, you have to divide as well.
    """
    root = (params.W_Q.shape[-1] / n_heads) ** 0.5
    return reference.head_outputs(X_query, X_key, params._replace(W_Q=params.W_Q * root), n_heads, mask)


@MISTAKES.add(where=SUM)
def residual_added(X_query, X_key, params, n_heads, mask=None):
    """The input is added to every head's output.

    The residual connection is outside the attention, and there is one for all heads together.
    """
    return reference.head_outputs(X_query, X_key, params, n_heads, mask) + np.asarray(X_query)[..., None, :, :]


@MISTAKES.add(where=SUM)
def mask_axis_second(X_query, X_key, params, n_heads, mask=None):
    """The mask always gets its axis for the heads in second place.

    `mask[:, None]` fits a mask per sequence. A mask for all sequences has no axis in front, and then the new axis comes
    between queries and keys. Count from the end.
    """
    return _heads(X_query, X_key, params, n_heads, mask, widened=lambda mask: mask[:, None]) @ _rows(params, n_heads)


@MISTAKES.add(where=SUM)
def mask_axis_first(X_query, X_key, params, n_heads, mask=None):
    """The mask gets its new axis in front of all others.

    In front of a mask per sequence, the new axis leaves the sequences where the weights count heads. It belongs third
    from the end.
    """
    return _heads(X_query, X_key, params, n_heads, mask, widened=lambda mask: mask[None]) @ _rows(params, n_heads)


MATRICES = "params[:3]"


@MISTAKES.add(where=SECTION, id="values-by-W_K")
@edited(reference.head_outputs, {MATRICES: "(params.W_Q, params.W_K, params.W_K)"})
def values_by_W_K():
    """The values are made with W_K.

    Queries, keys and values have a matrix each.
    """


@MISTAKES.add(where=SECTION, id="keys-by-W_Q")
@edited(reference.head_outputs, {MATRICES: "(params.W_Q, params.W_Q, params.W_V)"})
def keys_by_W_Q():
    """The keys are made with W_Q.

    Queries, keys and values have a matrix each.
    """


@MISTAKES.add(where=SECTION, id="queries-by-W_K")
@edited(reference.head_outputs, {MATRICES: "(params.W_K, params.W_K, params.W_V)"})
def queries_by_W_K():
    """The queries are made with W_K.

    Queries, keys and values have a matrix each.
    """


@MISTAKES.add(where=SECTION)
@edited(reference.head_outputs, {MATRICES: "(params.W_Q, params.W_V, params.W_K)"})
def keys_and_values_exchanged():
    """The keys are used as values and the values as keys.

    Both may have the same shape, so nothing complains. A token is found by its key, and gives its value.
    """


@MISTAKES.add(where=SECTION)
@edited(reference.head_outputs, {MATRICES: "(params.W_Q, params.W_K, np.eye(X_key.shape[-1]))"})
def values_not_projected():
    """The values are X_key itself, without W_V.

    Queries, keys and values are each the input times a matrix of their own.
    """
