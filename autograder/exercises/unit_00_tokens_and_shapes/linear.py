"""Specification of `linear`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from transformer_kit import reference


def _inputs(rng, *leading):
    """Draw X, W and b for five tokens; every size is different."""
    return rng.standard_normal((*leading, 5, 4)), rng.standard_normal((4, 6)), rng.standard_normal(6)


def _product(call, rng):
    W = np.array([[1.0, 0.0, 3.0], [2.0, -1.0, 0.5]])
    call.agrees(np.array([[2.0, 4.0]]), W, np.zeros(3))  # by hand: 10, -4, 8
    X, W, b = _inputs(rng)
    call.agrees(X, W, 0 * b)
    call.agrees(*(array.astype(np.float32) for array in (X, W, 0 * b)))


def _bias(call, rng):
    X, W, b = _inputs(rng)
    call.agrees(X, W, b)


def _leading_axes(call, rng):
    X, W, b = _inputs(rng, 2, 3)
    call.agrees(X, W, b)
    call.agrees(X[0], W, b)
    call.agrees(X[0, 0, 0], W, b)  # a single vector


def _inputs_alone(call, rng):
    X, W, b = _inputs(rng)
    call.agrees(rng.integers(-9, 10, X.shape), W, b)
    call.agrees(X, W, b)
    call.leaves_inputs_alone(X, W, b)


def _weights_on_the_left(X, W, b):
    return W @ X + b


def _weights_turned(X, W, b):
    return X @ W.T + b


def _columns(X, W, b):
    return W.T @ X + b


def _entry_by_entry(X, W, b):
    return X * W + b


def _no_bias(X, W, b):
    return X @ W


def _bias_subtracted(X, W, b):
    return X @ W - b


def _bias_on_first_token(X, W, b):
    output = X @ W
    output.reshape(-1, len(b))[0] += b
    return output


def _bias_first(X, W, b):
    return (X + b) @ W


def _bias_down_the_rows(X, W, b):
    return X @ W + b[:, None]


def _flattened(X, W, b):
    return X.reshape(-1, len(W)) @ W + b


def _two_axes_only(X, W, b):
    output = np.zeros((len(X), len(b)))
    for i in range(len(X)):
        output[i] = X[i] @ W + b
    return output


def _needs_rows(X, W, b):
    return np.stack([x @ W + b for x in X])


def _activated(X, W, b):
    return np.maximum(X @ W + b, 0)


def _truncated(X, W, b):
    output = np.zeros((*X.shape[:-1], len(b)), dtype=X.dtype)
    output[...] = X @ W + b
    return output


SECTION = "Exercise 0.5: linear"
ROWS = "Tokens are rows"

EXERCISE = Exercise(
    reference=reference.linear,
    asks="every row of X times W, plus b.",
    returns=(Returned("output", "(..., d_out)"),),
    where=ROWS,
    claims=(
        Claim("multiplies every row of X by W", 0.5, _product),
        Claim("adds b to every token", 0.5, _bias),
        Claim("works for any leading axes, and for a single vector", 0.5, _leading_axes),
        Claim("leaves its inputs alone, and also takes whole numbers", 0.5, _inputs_alone),
    ),
    mistakes=(
        Mistake(
            "weights-on-the-left",
            "W stands on the left of X",
            _weights_on_the_left,
            "Books that write vectors as columns put W on the left. In this course tokens are rows, so the matrix "
            "stands on the right. When all sizes are equal, this slip gives wrong numbers and no error.",
            ROWS,
        ),
        Mistake(
            "weights-turned",
            "W is transposed",
            _weights_turned,
            "Some libraries store W as (d_out, d_in) and have to transpose it. Here W has shape (d_in, d_out) and "
            "fits as it is.",
            ROWS,
        ),
        Mistake(
            "columns",
            "X is treated as if tokens were columns",
            _columns,
            "With columns the transposed W stands on the left. In this course tokens are rows, so W stands on the "
            "right and stays as it is.",
            ROWS,
        ),
        Mistake(
            "entry-by-entry",
            "X and W are multiplied entry by entry",
            _entry_by_entry,
            "For NumPy `*` multiplies entries at the same place. The matrix product has a sign of its own.",
            ROWS,
        ),
        Mistake(
            "no-bias",
            "The bias is left out",
            _no_bias,
            "The product is right. There is a third argument.",
            SECTION,
        ),
        Mistake(
            "bias-subtracted",
            "The bias is subtracted",
            _bias_subtracted,
            "The product is right, but b comes with the wrong sign.",
            SECTION,
        ),
        Mistake(
            "bias-on-first-token",
            "The bias is added to the first token only",
            _bias_on_first_token,
            "Every token is treated alike. Broadcasting lines shapes up from the right, so one b goes to all rows.",
            SECTION,
        ),
        Mistake(
            "bias-first",
            "The bias is added before the product",
            _bias_first,
            "b has one entry per column of the *result*, so it cannot be added to X.",
            SECTION,
        ),
        Mistake(
            "bias-down-the-rows",
            "The bias runs down the rows",
            _bias_down_the_rows,
            "With an axis of length 1 behind it, b has one entry per *token*. It has one entry per output column.",
            ROWS,
        ),
        Mistake(
            "flattened",
            "The leading axes are lost",
            _flattened,
            "All tokens are put into one long list. The result should have the leading axes of X; `@` keeps them by "
            "itself.",
            ROWS,
        ),
        Mistake(
            "two-axes-only",
            "X must have exactly two axes",
            _two_axes_only,
            "A loop over the first axis meets tokens in one sentence, but sentences in a batch. No loop is needed: "
            "`@` works on the last axes and keeps the others.",
            ROWS,
        ),
        Mistake(
            "needs-rows",
            "A single vector is not accepted",
            _needs_rows,
            "A loop over the rows finds no rows in one vector of shape (d_in,). No loop is needed.",
            ROWS,
        ),
        Mistake(
            "activated",
            "Negative results are set to 0",
            _activated,
            "That is an activation function (ReLU), which often follows a linear map. It is a step of its own.",
            SECTION,
        ),
        Mistake(
            "fractions-cut",
            "The results are cut to whole numbers when X is whole",
            _truncated,
            "An array made with the dtype of X has no room for fractions when X holds integers.",
            SECTION,
        ),
    ),
)
