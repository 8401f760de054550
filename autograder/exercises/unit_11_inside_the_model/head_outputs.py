"""Specification of `head_outputs`."""

import numpy as np

from autograder.exercises.inputs import in_float32, judged, random_mask
from autograder.exercises.unit_11_inside_the_model import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.parameters import init_attention
from transformer_kit.reference import masked_attention, split_heads

SUM = "W_O as a sum"

H, D_MODEL = 3, 12

RESULT = Output("outputs", "(..., n_heads, n_queries, d_model)")

EXERCISE = Exercise(
    reference=reference.head_outputs,
    asks="what every head adds to the output: its blend of values, through its own rows of W_O.",
    returns=(RESULT,),
    calls=calls.HEAD_OUTPUTS,
    lookalike=lookalikes.HEAD_OUTPUTS,
)


def _given(rng, leading=(), d_k=4, d_v=5):
    """Draw the vectors of queries and keys, and the parameters of three heads."""
    X_query, X_key = (rng.standard_normal((*leading, n, D_MODEL)) for n in (6, 7))
    return X_query, X_key, init_attention(rng, D_MODEL, H, d_k, d_v), H


@EXERCISE.claim(1)
def values(call, rng):
    """every head goes through its own rows of W_O"""
    call.agrees(*_given(rng))
    call.agrees(*_given(rng, d_k=5, d_v=2))
    call.agrees(*_given(rng, d_v=4))  # all projections as wide as the input: no wrong one ends in an error


@EXERCISE.claim(0.5)
def sums_up(call, rng):
    """summed over the heads, the outputs are that of multi-head attention"""
    given = _given(rng)
    outputs = call.array((H, 6, D_MODEL), *given)
    expected, _ = reference.multi_head_attention(*given)
    call.equals(outputs.sum(axis=0), expected, Output("the sum over the heads", "(n_queries, d_model)"), given)


@EXERCISE.claim(0.5)
def masked(call, rng):
    """a mask hides the same keys from all heads, whether there is one for all sequences or one for each"""
    call.agrees(*_given(rng), random_mask(rng, 6, 7))
    call.agrees(*_given(rng, (H,)), random_mask(rng, H, 6, 7))  # as many sequences as heads
    call.agrees(*_given(rng, (2,)), random_mask(rng, 2, 1, 7))
    call.agrees(*_given(rng), random_mask(rng, 6, 7) & (np.arange(6) != 2)[:, None])  # a query that sees nothing


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes"""
    call.agrees(*_given(rng, (2,)))
    call.agrees(*_given(rng, (2, 4)))


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone, and also takes float32"""
    given, mask = _given(rng), random_mask(rng, 6, 7)
    call.leaves_inputs_alone(*given, mask)
    call.agrees(*given)
    X_query, X_key, params, n_heads = given
    with judged():
        call.agrees(X_query.astype(np.float32), X_key.astype(np.float32), in_float32(params), n_heads)


wrong = WrongAnswers(EXERCISE, globals())


def _heads(X_query, X_key, params, n_heads, mask=None, X_value=None, widened=lambda mask: mask[..., None, :, :]):
    """Return the blends of values, before W_O, (..., n_heads, n_queries, d_v); `widened` gives the mask an axis."""
    X_value = X_key if X_value is None else X_value
    pairs = (X_query, params.W_Q), (X_key, params.W_K), (X_value, params.W_V)
    Q, K, V = (split_heads(X @ W, n_heads) for X, W in pairs)
    return masked_attention(Q, K, V, None if mask is None else widened(mask))[0]


def _rows(params, n_heads):
    return np.stack(np.split(params.W_O, n_heads))


wrong.at(SUM)


@wrong.function
def shared_equally(X_query, X_key, params, n_heads, mask=None):
    """Every head gets the same share of the whole output.
    The shares add up to the output, but they say nothing about the heads. Each head has rows of W_O of its own."""
    output, _ = reference.multi_head_attention(X_query, X_key, params, n_heads, mask)
    return np.repeat(output[..., None, :, :], n_heads, axis=-3) / n_heads


wrong("already-summed", "multi_head_attention(X_query, X_key, params, n_heads, mask)[0]", """
    The outputs are summed over the heads.
    That is the output of multi-head attention, which you have already. Keep the axis of the heads.""")

wrong("without-W-O", "_heads(X_query, X_key, params, n_heads, mask)", """
    The blends of values are returned as they are, without W_O.
    They have the width of a head. What is added to the residual stream has gone through W_O, and has the width
    d_model.""")

wrong("columns-of-W-O", {
    "np.stack(np.split(params.W_O, n_heads))":
        "np.stack(np.split(params.W_O, n_heads, axis=1))[:, : len(params.W_O) // n_heads]",
}, """
    The heads go through columns of W_O.
    The heads multiply the rows of W_O. Its columns are the features of the output.""")

wrong("first-rows-for-all", "_heads(X_query, X_key, params, n_heads, mask) @ _rows(params, n_heads)[0]", """
    All heads go through the rows of the first one.
    The heads stand side by side: the second one is multiplied by the second block of rows, and so on.""")

wrong("rows-interleaved", {
    "np.stack(np.split(params.W_O, n_heads))": "params.W_O.reshape(-1, n_heads, params.W_O.shape[-1]).swapaxes(0, 1)",
}, """
    Head h goes through the rows h, h + n_heads, h + 2 n_heads and so on of W_O.
    The heads stand side by side as whole blocks, so the rows of a head are neighbours.""")

wrong("rows-reversed", "_heads(X_query, X_key, params, n_heads, mask) @ _rows(params, n_heads)[::-1]", """
    The blocks of W_O are taken in the opposite order.
    The first head is the first slice of the columns of W_V, and so the first block of the rows of W_O.""")

wrong.at()
wrong("heads-behind-queries", "head_outputs(X_query, X_key, params, n_heads, mask).swapaxes(-2, -3)", """
    The axis of the heads comes after that of the queries.
    The heads come first, then the queries, as in the weights of multi-head attention.""")

wrong("heads-in-front", "np.moveaxis(head_outputs(X_query, X_key, params, n_heads, mask), -3, 0)", """
    The axis of the heads comes before all others.
    The sequences of the batch come first. The heads come right before the queries.""")

wrong("mask-ignored", "head_outputs(X_query, X_key, params, n_heads)", """
    The mask is not used.
    Every head then shows what it would add if it could see everything.""")

wrong("mask-inverted", "head_outputs(X_query, X_key, params, n_heads, None if mask is None else ~mask)", """
    The mask hides what may be seen.
    True means "may attend" everywhere in this course.""")

wrong("mask-along-heads", {"np.asarray(mask)[..., None, :, :]": "np.asarray(mask)"}, """
    The mask of a batch is used without an axis for the heads.
    Its first axis is then taken for that of the heads. Give it an axis of length 1 before the last two.""")

wrong("weights-too", {
    "heads, _ = masked": "heads, weights = masked",
    "return heads @ rows_of_heads": "return heads @ rows_of_heads, weights",
}, """
    The weights are returned as well.
    The task asks for the outputs alone; the weights are the second result of `multi_head_attention`.""")

wrong("keys-from-queries", "head_outputs(X_query, X_query, params, n_heads, mask)", """
    Keys and values are made from X_query.
    In self-attention both are the same array. Between a target and its source they are not.""")

wrong("no-scale", {"masked_attention(Q, K": "masked_attention(Q * Q.shape[-1] ** 0.5, K"}, """
    The scores are not divided by the root of d_k.
    Your attention of unit 03 does that. If you compute the scores yourself, you have to divide as well.""")

wrong.at(SUM)
wrong("residual-added", {"@ rows_of_heads": "@ rows_of_heads + np.asarray(X_query)[..., None, :, :]"}, """
    The input is added to every head's output.
    The residual connection is outside the attention, and there is one for all heads together.""")

wrong("mask-axis-second",
      "_heads(X_query, X_key, params, n_heads, mask, widened=lambda mask: mask[:, None]) @ _rows(params, n_heads)", """
    The mask always gets its axis for the heads in second place.
    `mask[:, None]` fits a mask per sequence. A mask for all sequences has no axis in front, and then the new axis comes
    between queries and keys. Count from the end.""")

wrong("mask-axis-first",
      "_heads(X_query, X_key, params, n_heads, mask, widened=lambda mask: mask[None]) @ _rows(params, n_heads)", """
    The mask gets its new axis in front of all others.
    In front of a mask per sequence, the new axis leaves the sequences where the weights count heads. It belongs third
    from the end.""")

wrong.at()
wrong("values-by-W_K", {"params[:3]": "(params.W_Q, params.W_K, params.W_K)"}, """
    The values are made with W_K.
    Queries, keys and values have a matrix each.""")

wrong("keys-by-W_Q", {"params[:3]": "(params.W_Q, params.W_Q, params.W_V)"}, """
    The keys are made with W_Q.
    Queries, keys and values have a matrix each.""")

wrong("queries-by-W_K", {"params[:3]": "(params.W_K, params.W_K, params.W_V)"}, """
    The queries are made with W_K.
    Queries, keys and values have a matrix each.""")

wrong("keys-and-values-exchanged", {"params[:3]": "(params.W_Q, params.W_V, params.W_K)"}, """
    The keys are used as values and the values as keys.
    Both may have the same shape, so nothing complains. A token is found by its key, and gives its value.""")

wrong("values-not-projected", {"params[:3]": "(params.W_Q, params.W_K, np.eye(X_key.shape[-1]))"}, """
    The values are X_key itself, without W_V.
    Queries, keys and values are each the input times a matrix of their own.""")

wrong.small("keys-by-W_Q queries-by-W_K no-scale", values)
