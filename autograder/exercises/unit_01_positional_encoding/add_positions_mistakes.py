"""The known mistakes of `add_positions`."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 1.3: add_positions"
SHAPES = "Which rows of the table"

MISTAKES = KnownMistakes()


def _require_room(X, P):
    """Raise the reference's own error, so that a mistake is wrong in its one respect only."""
    reference.add_positions(X, P)


@MISTAKES.add(where=SHAPES)
def whole_table(X, P):
    """The whole table is added.

    A table is made once, for the longest sequence. A shorter sequence takes only as many rows as it has tokens.
    """
    return X + P


@MISTAKES.add(where=SHAPES)
def no_length_check(X, P):
    """The length of the sequence is not compared with that of the table.

    A table of one row is stretched, so every token gets the vector of position 0 without an error. For other short
    tables NumPy's own error speaks of shapes. Compare the two lengths yourself.
    """
    return X + P[: X.shape[-2]]


@MISTAKES.add(where=SHAPES)
def first_axis(X, P):
    """The length of the sequence is taken from the first axis.

    With a batch the first axis counts sequences. Positions run along the second to last axis.
    """
    n, n_max = X.shape[0], P.shape[0]
    if n > n_max:
        raise ValueError(f"{n} tokens, but only {n_max} positions")
    return X + P[:n]


@MISTAKES.add(where=SHAPES)
def sequences_counted(X, P):
    """The number of sequences is compared with the table.

    `len` of an array is the length of its first axis, which counts sequences as soon as there is a batch. A large
    batch of short sequences is then refused. Compare the number of tokens.
    """
    n, n_max = len(X), len(P)
    if n > n_max:
        raise ValueError(f"{n} tokens, but only {n_max} positions")
    return X + P[: X.shape[-2]]


@MISTAKES.add(where=SHAPES)
def last_rows(X, P):
    """The last rows of the table are used.

    The first token has position 0, whatever the length of the table.
    """
    _require_room(X, P)
    return X + P[P.shape[0] - X.shape[-2] :]


@MISTAKES.add(where=SHAPES)
def rows_from_1(X, P):
    """The first token gets row 1.

    Positions count from 0, so the first token takes the first row of the table.
    """
    _require_room(X, P)
    return X + P[1 : X.shape[-2] + 1]


@MISTAKES.add(where=SHAPES)
def always_row_0(X, P):
    """Every token gets row 0.

    All tokens are then moved by the same vector, which says nothing about their order.
    """
    _require_room(X, P)
    return X + P[0]


@MISTAKES.add(where=SECTION)
def in_place(X, P):
    """The token vectors are overwritten.

    `X += ...` writes into the caller's array (and fails on whole numbers). Make a new array instead.
    """
    _require_room(X, P)
    X += P[: X.shape[-2]]
    return X


@MISTAKES.add(where=SECTION)
def fractions_cut(X, P):
    """The sums are truncated to whole numbers when the token vectors are whole.

    An array made like X has the dtype of X, and integers have no room for fractions.
    """
    _require_room(X, P)
    output = np.zeros_like(X)
    output[...] = X + P[: X.shape[-2]]
    return output


@MISTAKES.add(where=SECTION)
def scaled(X, P):
    """The token vectors are multiplied by the square root of d_model first.

    The paper does that too, but as a step of its own (its section 3.4). This function only adds.
    """
    return reference.add_positions(X * np.sqrt(X.shape[-1]), P)


@MISTAKES.add(where=SECTION)
def concatenated(X, P):
    """The position vectors are appended to the token vectors.

    Adding keeps the width d_model, which every later layer relies on; appending doubles it.
    """
    _require_room(X, P)
    rows = np.broadcast_to(P[: X.shape[-2]], X.shape)
    return np.concatenate([X, rows], axis=-1)


@MISTAKES.add(where=SHAPES)
def sequence_cut(X, P):
    """A sequence that is too long is cut without an error.

    Tokens would be lost without anybody noticing. Say with a ValueError that the table is too short.
    """
    n = min(X.shape[-2], P.shape[0])
    return X[..., :n, :] + P[:n]


@MISTAKES.add(where=SHAPES)
def table_repeated(X, P):
    """A table that is too short starts again from row 0.

    Two tokens would get the same position. Say with a ValueError that the table is too short.
    """
    return X + P[np.arange(X.shape[-2]) % P.shape[0]]


@MISTAKES.add(where=SHAPES)
def second_axis(X, P):
    """The length of the sequence is taken from axis 1.

    That is the right axis for a batch, and the width for a single sequence. n is always the second to last axis, so
    count from the end.
    """
    if X.shape[1] > len(P):
        raise ValueError(f"{X.shape[1]} tokens, but {len(P)} positions")
    return X + P[: X.shape[1]]


@MISTAKES.add(where=SHAPES)
def two_axes_only(X, P):
    """X must have exactly two axes.

    `n, d_model = X.shape` cannot unpack the shape of a batch. n is always the second to last axis, so count from the
    end.
    """
    n, _ = X.shape
    if n > len(P):
        raise ValueError(f"{n} tokens, but {len(P)} positions")
    return X + P[:n]


@MISTAKES.add(where=SHAPES)
def exact_fit_refused(X, P):
    """A sequence that is exactly as long as the table is refused.

    A table of n rows has the positions 0 to n - 1, one for each of n tokens. Only more tokens than rows are too many.
    """
    if X.shape[-2] >= len(P):
        raise ValueError(f"{X.shape[-2]} tokens, but {len(P)} positions")
    return X + P[: X.shape[-2]]


@MISTAKES.add(where=SHAPES)
def numbers_not_mentioned(X, P):
    """The message does not mention both numbers.

    Its reader wants to know how many tokens there are, and how many there is room for. Put both into the message.
    """
    if X.shape[-2] > len(P):
        raise ValueError("the sequence is longer than the table")
    return X + P[: X.shape[-2]]


@MISTAKES.add(where=SECTION)
def multiplied(X, P):
    """The tokens are multiplied by the positions.

    Position 0 has zeros in every second column: multiplied by it, half of the word would be gone. The vectors are
    added.
    """
    _require_room(X, P)
    return X * P[: X.shape[-2]]


@MISTAKES.add(where=SHAPES)
def rows_of_second_axis(X, P):
    """The number of rows to add is taken from axis 1.

    That is the right axis for a batch, and the width for a single sequence. n is always the second to last axis, so
    count from the end.
    """
    _require_room(X, P)
    return X + P[: X.shape[1]]


@MISTAKES.add(where=SHAPES)
def second_axis_unchecked(X, P):
    """The number of rows is taken from axis 1, and nothing is refused.

    That is the right axis for a batch, and the width for a single sequence: count from the end. And compare the length
    with that of the table.
    """
    return X + P[: X.shape[1]]


@MISTAKES.add(where=SHAPES)
def second_axis_compared(X, P):
    """Axis 1 is compared with the length of the table.

    That is the right axis for a batch, and the width for a single sequence. n is always the second to last axis.
    """
    if X.shape[1] > len(P):
        raise ValueError(f"{X.shape[1]} tokens, but {len(P)} positions")
    return X + P[: X.shape[-2]]


@MISTAKES.add(where=SHAPES)
def width_compared(X, P):
    """The width of the vectors is compared with the number of rows of the table.

    Each row of the table is for one position: compare with the number of tokens.
    """
    if X.shape[-1] > len(P):
        raise ValueError(f"{X.shape[-1]} tokens, but {len(P)} positions")
    return X + P[: X.shape[-2]]
