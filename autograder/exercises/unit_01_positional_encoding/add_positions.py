"""Specification of `add_positions`."""

import numpy as np

from autograder.exercises.inputs import agrees_here
from autograder.exercises.unit_01_positional_encoding import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

SHAPES = "Which rows of the table"

EXERCISE = Exercise(
    reference=reference.add_positions,
    asks="add row p of the table to the token at position p, in every sequence of X.",
    returns=(Output("output", "(..., n, d_model)"),),
    where=SHAPES,
    calls=calls.ADD_POSITIONS,
    lookalike=lookalikes.ADD_POSITIONS,
)


@EXERCISE.claim(0.5)
def same_length(call, rng):
    """adds row p of the table to token p"""
    call.agrees(np.array([[0.5, 0.25, 2.0]]), np.array([[1.0, 2.0, -4.0]]))  # by hand: 1.5, 2.25, -2
    call.agrees(rng.standard_normal((5, 6)), rng.standard_normal((5, 6)))
    call.agrees(*(rng.standard_normal((3, 4)).astype(np.float32) for _ in range(2)))


@EXERCISE.claim(0.5)
def longer_table(call, rng):
    """of a longer table only the first n rows count"""
    call.agrees(rng.standard_normal((5, 6)), rng.standard_normal((int(rng.integers(8, 12)), 6)))
    call.agrees(rng.standard_normal((700, 2)), rng.standard_normal((900, 2)))


@EXERCISE.claim(0.5)
def leading_axes(call, rng):
    """works for any leading axes"""
    P = rng.standard_normal((9, 6))
    call.agrees(rng.standard_normal((3, 5, 6)), P)
    call.agrees(rng.standard_normal((2, 3, 7, 6)), P)
    call.agrees(rng.standard_normal((11, 5, 6)), P)  # more sequences than positions
    call.refuses(rng.standard_normal((2, 7, 6)), P[:4], mentions=[7, 4])  # few sequences, each too long
    call.refuses(rng.standard_normal((1, 7, 6)), P[:1], mentions=[7, 1])


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """leaves its inputs alone, and also takes whole numbers"""
    X, P = rng.standard_normal((5, 6)), rng.standard_normal((5, 6))
    call.leaves_inputs_alone(X, P)
    call.agrees(X, P)
    agrees_here(call, rng.integers(-9, 10, (5, 6)), P)


@EXERCISE.claim(0.5, side=True)
def too_long(call, rng):
    """more tokens than rows raise a ValueError that mentions both numbers"""
    n_max = int(rng.integers(3, 6))
    P = rng.standard_normal((n_max, 2))
    call.refuses(rng.standard_normal((7, 2)), P, mentions=[7, n_max])
    call.agrees(rng.standard_normal((n_max, 2)), P)


@EXERCISE.claim(0.25, side=True)
def one_row(call, rng):
    """a table of one row is not spread over several tokens"""
    n, P = int(rng.integers(5, 9)), rng.standard_normal((1, 4))
    call.refuses(rng.standard_normal((n, 4)), P, mentions=[n, 1])
    call.agrees(rng.standard_normal((1, 4)), P)


wrong = WrongAnswers(EXERCISE, globals())


def _require_room(X, P):
    """Raise the reference's own error, so that a mistake is wrong in its one respect only."""
    reference.add_positions(X, P)


wrong("whole-table", "X + P", """
    The whole table is added.
    The table is built once, for the longest sequence. A shorter sequence takes only as many rows as it has tokens.""")

wrong("no-length-check", "X + P[:X.shape[-2]]", """
    The length of the sequence is not compared with that of the table.
    A table of one row is stretched, so every token gets the vector of position 0 without an error. For other short
    tables NumPy's own error speaks of shapes. Compare the two lengths yourself.""")

wrong("first-axis", {"X.shape[-2]": "X.shape[0]"}, """
    The length of the sequence is taken from the first axis.
    With a batch the first axis counts sequences. Positions run along the second to last axis.""")

wrong("sequences-counted", {"X.shape[-2]": "X.shape[0]", "P[:n]": "P[: X.shape[-2]]"}, """
    The number of sequences is compared with the table.
    `len` of an array is the length of its first axis, which counts sequences as soon as there is a batch. A large batch
    of short sequences is then refused. Compare the number of tokens.""")

wrong("last-rows", {"P[:n]": "P[n_max - n :]"}, """
    The last rows of the table are used.
    The first token has position 0, whatever the length of the table.""")

wrong("rows-from-1", {"P[:n]": "P[1 : n + 1]"}, """
    The first token gets row 1.
    Positions count from 0, so the first token takes the first row of the table.""")

wrong("always-row-0", {"P[:n]": "P[0]"}, """
    Every token gets row 0.
    All tokens are then moved by the same vector, which says nothing about their order.""")

wrong.at()


@wrong.function
def in_place(X, P):
    """The token vectors are overwritten.
    An operator such as `+=` writes into the caller's array (and fails on whole numbers). Make a new array instead."""
    _require_room(X, P)
    X += P[: X.shape[-2]]
    return X


@wrong.function
def fractions_cut(X, P):
    """The sums are truncated to whole numbers when the token vectors are whole.
    An array made like X has the dtype of X, and integers have no room for fractions."""
    _require_room(X, P)
    output = np.zeros_like(X)
    output[...] = X + P[: X.shape[-2]]
    return output


wrong("scaled", "add_positions(X * np.sqrt(X.shape[-1]), P)", """
    The token vectors are multiplied by the square root of d_model first.
    The paper does that too, but as a step of its own (its section 3.4). This function only adds.""")

wrong("concatenated", {"X + P[:n]": "np.concatenate([X, np.broadcast_to(P[:n], X.shape)], axis=-1)"}, """
    The position vectors are appended to the token vectors.
    Adding keeps the width d_model, which every later layer relies on; appending doubles it.""")

wrong.at(SHAPES)
wrong("sequence-cut", "X[..., :min(X.shape[-2], P.shape[0]), :] + P[:min(X.shape[-2], P.shape[0])]", """
    A sequence that is too long is cut without an error.
    Tokens would be lost without anybody noticing. Say with a ValueError that the table is too short.""")

wrong("table-repeated", "X + P[np.arange(X.shape[-2]) % P.shape[0]]", """
    A table that is too short starts again from row 0.
    Two tokens would get the same position. Say with a ValueError that the table is too short.""")

wrong("second-axis", {"X.shape[-2]": "X.shape[1]"}, """
    The length of the sequence is taken from axis 1.
    That is the right axis for a batch, and the width for a single sequence. n is always the second to last axis, so
    count from the end.""")

wrong("two-axes-only", {"n, n_max = X.shape[-2], P.shape[0]": "(n, _), n_max = X.shape, P.shape[0]"}, """
    The function only works when X has exactly two axes.
    A line such as `n, d_model = X.shape` cannot unpack the shape of a batch. n is always the second to last axis, so
    count from the end.""")

wrong("exact-fit-refused", {"n > n_max": "n >= n_max"}, """
    A sequence that is exactly as long as the table is refused.
    A table of n rows has the positions 0 to n - 1, one for each of n tokens. Only more tokens than rows are too
    many.""")

wrong("numbers-not-mentioned", {
    "the sequence has {n} tokens, but the table has only {n_max} positions": "the sequence is longer than the table",
}, """
    The message does not mention both numbers.
    Its reader wants to know how many tokens there are, and how many there is room for. Put both into the message.""")

wrong.at()
wrong("multiplied", {"X + P": "X * P"}, """
    The tokens are multiplied by the positions.
    Position 0 has zeros in every second column: multiplied by it, half of the word would be gone. The vectors are
    added.""")

wrong.at(SHAPES)
wrong("rows-of-second-axis", {"P[:n]": "P[: X.shape[1]]"}, """
    The number of rows to add is taken from axis 1.
    That is the right axis for a batch, and the width for a single sequence. n is always the second to last axis, so
    count from the end.""")

wrong("second-axis-unchecked", "X + P[:X.shape[1]]", """
    The number of rows is taken from axis 1, and nothing is refused.
    That is the right axis for a batch, and the width for a single sequence: count from the end. And compare the length
    with that of the table.""")

wrong("second-axis-compared", {"X.shape[-2]": "X.shape[1]", "P[:n]": "P[: X.shape[-2]]"}, """
    Axis 1 is compared with the length of the table.
    That is the right axis for a batch, and the width for a single sequence. n is always the second to last axis.""")

wrong("width-compared", {"X.shape[-2]": "X.shape[-1]", "P[:n]": "P[: X.shape[-2]]"}, """
    The width of the vectors is compared with the number of rows of the table.
    Each row of the table is for one position: compare with the number of tokens.""")
