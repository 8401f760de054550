"""Specification of `linear`."""

import numpy as np

from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_00_tokens_and_shapes import lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

ROWS = "Tokens are rows"

EXERCISE = Exercise(
    reference=reference.linear,
    asks="every row of X times W, plus b.",
    returns=(Output("output", "(..., d_out)"),),
    where=ROWS,
    lookalike=lookalikes.LINEAR,
)


def _inputs(rng, *leading):
    """Draw X, W and b for five tokens; every size is different."""
    return rng.standard_normal((*leading, 5, 4)), rng.standard_normal((4, 6)), rng.standard_normal(6)


@EXERCISE.claim(0.5)
def product(call, rng):
    """multiplies every row of X by W"""
    W = np.array([[1.0, 0.0, 3.0], [2.0, -1.0, 0.5]])
    call.agrees(np.array([[2.0, 4.0]]), W, np.zeros(3))  # by hand: 10, -4, 8
    X, W, b = _inputs(rng)
    call.agrees(X, W, 0 * b)
    call.agrees(*(array.astype(np.float32) for array in (X, W, 0 * b)))


@EXERCISE.claim(0.5)
def bias(call, rng):
    """adds b to every token"""
    X, W, b = _inputs(rng)
    call.agrees(X, W, b)


@EXERCISE.claim(0.25)
def leading_axes(call, rng):
    """works for any leading axes, and for a single vector"""
    X, W, b = _inputs(rng, 2, 3)
    call.agrees(X, W, b)
    call.agrees(X[0], W, b)
    call.agrees(X[0, 0, 0], W, b)  # a single vector


@EXERCISE.claim(0.25, side=True)
def inputs_alone(call, rng):
    """leaves its inputs alone, and also takes whole numbers"""
    X, W, b = _inputs(rng)
    call.leaves_inputs_alone(X, W, b)
    call.agrees(X, W, 0 * b)
    agrees_here(call, rng.integers(-9, 10, X.shape), W, 0 * b)


wrong = WrongAnswers(EXERCISE, globals())

wrong("weights-on-the-left", "W @ X + b", """
    W is on the left of X.
    Books that write vectors as columns put W on the left. In this course tokens are rows, so the matrix stands on the
    right. When all sizes are equal, this slip gives wrong numbers without an error.""")

wrong("weights-turned", {"(W) + ": "(W.T) + "}, """
    W acts as if it were transposed.
    Some libraries store W as (d_out, d_in) and have to transpose it. Here W has shape (d_in, d_out) and fits as it
    is.""")

wrong("columns", "W.T @ X + b", """
    X is treated as if tokens were columns.
    With columns the transposed W stands on the left. In this course tokens are rows, so W stands on the right and stays
    as it is.""")

wrong("entry-by-entry", {"as_float(X) @ as_float(W)": "X * W"}, """
    X and W are multiplied entry by entry.
    For NumPy `*` multiplies entries in the same place. The matrix product has an operator of its own.""")

wrong.at()
wrong("no-bias", "X @ W", """
    The bias is left out.
    The product is right. There is a third argument.""")

wrong("bias-subtracted", "X @ W - b", """
    The bias is subtracted.
    The product is right, but b comes with the wrong sign.""")


@wrong.function
def bias_on_first_token(X, W, b):
    """The bias is added to the first token only.
    Every token is treated alike. Broadcasting lines shapes up from the right, so one b goes to all rows."""
    output = X @ W
    output.reshape(-1, len(b))[0] += b
    return output


wrong("bias-first", "(X + b) @ W", """
    The bias is added before the product.
    b has one entry per column of the *result*, so it cannot be added to X.""")

wrong.at(ROWS)
wrong("bias-down-the-rows", {"as_float(b)": "as_float(b[:, None])"}, """
    The bias runs down the rows.
    With an extra axis of length 1 at its end, b has one entry per *token*. It has one entry per output column.""")

wrong("flattened", {"(X) @ ": "(X.reshape(-1, len(W))) @ "}, """
    The leading axes are lost.
    All tokens are put into one long list. The result should have the leading axes of X; `@` keeps them by itself.""")


@wrong.function
def two_axes_only(X, W, b):
    """The function only works when X has exactly two axes.
    A loop over the first axis meets tokens in one sentence, but sentences in a batch. No loop is needed: `@` works on
    the last axes and keeps the others."""
    output = np.zeros((len(X), len(b)))
    for i in range(len(X)):
        output[i] = X[i] @ W + b
    return output


wrong("needs-rows", "np.stack([x @ W + b for x in X])", """
    A single vector is not accepted.
    A loop over the rows finds no rows in one vector of shape (d_in,). No loop is needed.""")

wrong.at()
wrong("activated", "np.maximum(X @ W + b, 0)", """
    Negative results are set to 0.
    That is an activation function (ReLU), which often follows a linear map. It is a step of its own.""")


@wrong.function
def fractions_cut(X, W, b):
    """The results are cut to whole numbers when X is whole.
    An array made with the dtype of X has no room for fractions when X holds integers."""
    output = np.zeros((*X.shape[:-1], len(b)), dtype=X.dtype)
    output[...] = X @ W + b
    return output


wrong.at(ROWS)
wrong("all-axes-reversed", {"as_float(X) @ as_float(W)": "(W.T @ X.T).T"}, """
    All axes of X are reversed, not the last two alone.
    For one sentence that is the same. But `.T` reverses *all* axes, the batch included. Tokens are rows already, so
    nothing has to be transposed.""")

wrong.at()
wrong("bias-in-weights", "X @ (W + b)", """
    The bias is added to the weights.
    Then every entry of X brings b along once more. Take the product first, and add b to the result.""")

wrong("sum-of-bias", {"as_float(b)": "as_float(b.sum())"}, """
    The sum of the bias is added to every entry.
    b has one entry per output column, and each belongs to its own column.""")

wrong("scaled", {"as_float(X) @ as_float(W)": "X @ W / np.sqrt(len(W))"}, """
    The product is divided by the square root of d_in.
    Attention does that to its scores. A linear map is the plain product, plus b.""")
