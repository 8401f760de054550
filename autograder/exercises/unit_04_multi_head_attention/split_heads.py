"""Specification of `split_heads`."""

import numpy as np

from autograder.exercises.inputs import presupposed
from autograder.exercises.unit_04_multi_head_attention import calls, lookalikes
from autograder.exercises.unit_04_multi_head_attention.inputs import labelled, rearranged
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

COLUMNS = "From columns to heads"
RESHAPE = "Predict: what does a plain reshape do?"

EXERCISE = Exercise(
    reference=reference.split_heads,
    asks="give every head its own slice of columns, of all tokens, with the head axis just before the tokens.",
    returns=(Output("heads", "(..., n_heads, n, d / n_heads)"),),
    where=COLUMNS,
    calls=calls.SPLIT_HEADS,
    may_be_view=True,
    lookalike=lookalikes.SPLIT_HEADS,
)


@EXERCISE.claim(1.5)
def slices(call, rng):
    """head h holds its own slice of neighbouring columns, of every token"""
    call.agrees(labelled(4, 6), 2)  # by hand: head 0 has channels 0, 1, 2, head 1 has channels 3, 4, 5
    call.agrees(labelled(int(rng.choice([5, 7])), 12), int(rng.choice([3, 4])))
    call.agrees(rng.standard_normal((7, 20)), 4)


@EXERCISE.claim(0.5)
def one_head(call, rng):
    """one head holds everything, and as many heads as columns hold one column each"""
    n = int(rng.choice([3, 5]))
    call.agrees(labelled(n, 4), 1)
    call.agrees(rng.standard_normal((n, 4)), 4)


@EXERCISE.claim(1)
def leading_axes(call, rng):
    """works for any leading axes"""
    call.agrees(labelled(15, 8).reshape(3, 5, 8), 2)
    call.agrees(rng.standard_normal((2, 3, 5, 24)), 4)


@EXERCISE.claim(0.5, side=True)
def not_divisible(call, rng):
    """a width that is not divisible raises a ValueError that mentions both numbers"""
    width, n_heads = int(rng.choice([17, 19, 29])), int(rng.choice([3, 5, 6]))  # no digit of both
    call.refuses(rng.standard_normal((4, width)), n_heads, mentions=[width, n_heads])
    with presupposed():
        rearranged(call, (n_heads, 4, 4), labelled(4, 4 * n_heads), n_heads)


@EXERCISE.claim(0.5, side=True)
def inputs(call, rng):
    """moves all numbers and leaves its input alone"""
    X = rng.standard_normal((5, 12))
    call.leaves_inputs_alone(X, 3)
    with presupposed():
        rearranged(call, (3, 5, 4), X, 3)
    rearranged(call, (3, 5, 4), X.astype(np.float32), 3)


def _require_divisible(X, n_heads):
    """Raise the reference's own error, so that a mistake is wrong in its one respect only."""
    reference.split_heads(X, n_heads)


wrong = WrongAnswers(EXERCISE, globals())

wrong.at(RESHAPE)
wrong("plain-reshape",
      {"reshape(*lead, n, n_heads, d // n_heads).swapaxes(-2, -3)": "reshape(*lead, n_heads, n, d // n_heads)"}, """
    The array is reshaped straight into the final shape.
    The shape is right, but a reshape only walks through memory, row after row: the first head gets the first tokens,
    whole, and the last head the last ones. Look at the hundreds in the figure.""")

wrong.at(COLUMNS)
wrong("head-axis-not-moved", {".swapaxes(-2, -3)": ""}, """
    The columns are cut into heads, but the head axis stays after the token axis.
    Attention works on the last two axes, so for every head these have to be tokens and columns.""")

wrong("interleaved", {
    "X.reshape(*lead, n, n_heads, d // n_heads).swapaxes(-2, -3)":
        "np.moveaxis(X.reshape(*lead, n, d // n_heads, n_heads), -1, -3)",
}, """
    The heads take columns in turn.
    Neighbouring columns belong to the same head in this course. Taking every second or third column is another
    arrangement: it trains just as well, but weights made for one cannot be read by the other.""")

wrong("count-as-width", {"n_heads, d // n_heads)": "d // n_heads, n_heads)"}, """
    The number of heads is used as the width of a head.
    The number of heads is given, and the width of a head follows from it.""")

wrong.at()
wrong("heads-in-front-of-the-batch",
      {"X.reshape(*lead, n, n_heads, d // n_heads).swapaxes(-2, -3)": "np.stack(np.split(X, n_heads, axis=-1))"}, """
    The head axis stands in front of all other axes.
    For one sequence that is the same. With a batch, the leading axes come first and the head axis just before the
    tokens, or else batch and heads are mixed up when shapes are lined up later.""")

wrong("for-a-batch-only", {
    "reshape(*lead, n, n_heads, d // n_heads).swapaxes(-2, -3)":
        "reshape(X.shape[0], X.shape[1], n_heads, -1).transpose(0, 2, 1, 3)",
}, """
    The input is taken to have exactly three axes.
    There may be none, one or several leading axes. Count axes from the end.""")

wrong("for-one-sequence-only", {
    "*lead, n, d = X": "n, d = X",
    "reshape(*lead, n, n_heads, d // n_heads).swapaxes(-2, -3)": "reshape(n, n_heads, d // n_heads).transpose(1, 0, 2)",
}, """
    The input is taken to have exactly two axes.
    There may be leading axes in front of the tokens. Count axes from the end.""")

wrong.at(COLUMNS)
wrong("all-axes-reversed", {"swapaxes(-2, -3)": "T"}, """
    All axes are reversed.
    `.T` reverses the order of all axes. Only two of them have to change places.""")

wrong("wrong-two-axes-exchanged", {"swapaxes(-2, -3)": "swapaxes(-1, -3)"}, """
    Tokens and columns change places, not tokens and heads.
    After the reshape the last three axes are tokens, heads and columns. The first two of these have to be
    exchanged.""")

wrong("channels-before-tokens", {
    "reshape(*lead, n, n_heads, d // n_heads).swapaxes(-2, -3)":
        "swapaxes(-1, -2).reshape(*lead, n_heads, d // n_heads, n)",
}, """
    Every head is transposed: its rows are columns of X.
    Tokens stay rows: in every head the last axis runs along the numbers of one token.""")

wrong("tokens-shared-out", {
    "X.reshape(*lead, n, n_heads, d // n_heads).swapaxes(-2, -3)":
        "np.stack(np.array_split(X, n_heads, axis=-2), axis=-3)",
}, """
    The tokens are shared out among the heads, not the columns.
    Every head has to see every token. What is cut is the last axis.""")

wrong.at()
wrong("numpys-reshape-error", {"d % n_heads != 0": "False"}, """
    A width that is not divisible is left to NumPy's reshape.
    NumPy's message speaks of sizes and not of heads. Check first, and name the width and the number of heads
    yourself.""")

wrong("numpys-split-error", "np.stack(np.split(X, n_heads, axis=-1), axis=-3)", """
    A width that is not divisible is left to NumPy's split.
    NumPy's message does not say which width and how many heads. Check first, and name both.""")


@wrong.function
def asserted(X, n_heads):
    """A width that is not divisible ends in an AssertionError.
    An `assert` is for what can never happen, and Python can switch it off. A wrong argument is refused with a
    ValueError that says what is wrong with it."""
    *lead, n, d = X.shape
    assert d % n_heads == 0
    return X.reshape(*lead, n, n_heads, d // n_heads).swapaxes(-2, -3)


@wrong.function
def columns_lost(X, n_heads):
    """A width that is not divisible is accepted, and the last columns are lost.
    Columns that belong to no head would vanish without an error. Refuse such a width."""
    width = X.shape[-1] // n_heads
    return np.stack([X[..., h * width : (h + 1) * width] for h in range(n_heads)], axis=-3)


wrong("first-two-axes-exchanged", {"swapaxes(-2, -3)": "swapaxes(0, 1)"}, """
    The first two axes change places.
    For one sequence these are tokens and heads. With a batch they are the batch and the tokens. Count axes from the
    end.""")

wrong.at(COLUMNS)
wrong("last-two-axes-exchanged", {"swapaxes(-2, -3)": "swapaxes(-1, -2)"}, """
    Heads and columns change places, not heads and tokens.
    After the reshape the last three axes are tokens, heads and columns. The heads have to come before the tokens.""")

wrong.at()
wrong("heads-not-mentioned", {
    "the width {d} is not divisible by the number of heads, {n_heads}": "the width {d} cannot be shared out evenly",
}, """
    The message names the width, but not the number of heads.
    Whether the heads fit depends on both. Put both numbers into the message.""")

wrong.at(COLUMNS)
wrong("everything-for-every-head", {
    "X.reshape(*lead, n, n_heads, d // n_heads).swapaxes(-2, -3)": "np.repeat(X[..., None, :, :], n_heads, axis=-3)",
}, """
    Every head gets all columns.
    The columns are shared out: head h gets its own slice of them.""")

wrong("overlapping", {
    "X.reshape(*lead, n, n_heads, d // n_heads).swapaxes(-2, -3)":
        "np.stack([X[..., h : h + d // n_heads] for h in range(n_heads)], axis=-3)",
}, """
    The heads overlap: head h begins at column h.
    Each head has d_k columns of its own, so head h begins at column h * d_k.""")

wrong("as-wide-as-many", {
    "X.reshape(*lead, n, n_heads, d // n_heads).swapaxes(-2, -3)":
        "np.stack([X[..., h * n_heads : (h + 1) * n_heads] for h in range(n_heads)], axis=-3)",
}, """
    Every head has n_heads columns.
    There are n_heads heads, and each has d / n_heads columns.""")
