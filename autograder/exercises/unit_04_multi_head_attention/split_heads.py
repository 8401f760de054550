"""Specification of `split_heads`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from autograder.exercises.unit_04_multi_head_attention.inputs import labelled, rearranged
from transformer_kit import reference


def _slices(call, rng):
    call.agrees(labelled(4, 6), 2)  # by hand: head 0 has channels 0, 1, 2, head 1 has channels 3, 4, 5
    call.agrees(labelled(int(rng.choice([5, 7])), 12), int(rng.choice([3, 4])))
    call.agrees(rng.standard_normal((7, 20)), 4)


def _one_head(call, rng):
    n = int(rng.choice([3, 5]))
    call.agrees(labelled(n, 4), 1)
    call.agrees(rng.standard_normal((n, 4)), 4)


def _leading_axes(call, rng):
    call.agrees(labelled(15, 8).reshape(3, 5, 8), 2)
    call.agrees(rng.standard_normal((2, 3, 5, 24)), 4)


def _not_divisible(call, rng):
    width, n_heads = int(rng.choice([13, 17, 19])), int(rng.choice([3, 5, 6]))
    rearranged(call, (n_heads, 4, 4), labelled(4, 4 * n_heads), n_heads)
    call.refuses(rng.standard_normal((4, width)), n_heads, mentions=[width, n_heads])


def _inputs(call, rng):
    X = rng.standard_normal((5, 12))
    rearranged(call, (3, 5, 4), X, 3)
    call.leaves_inputs_alone(X, 3)
    rearranged(call, (3, 5, 4), X.astype(np.float32), 3)


def _require_divisible(X, n_heads):
    """Raise the reference's own error, so that a mistake is wrong in its one respect only."""
    reference.split_heads(X, n_heads)


def _plain_reshape(X, n_heads):
    _require_divisible(X, n_heads)
    *lead, n, d = X.shape
    return X.reshape(*lead, n_heads, n, d // n_heads)


def _not_moved(X, n_heads):
    _require_divisible(X, n_heads)
    return X.reshape(*X.shape[:-1], n_heads, X.shape[-1] // n_heads)


def _interleaved(X, n_heads):
    _require_divisible(X, n_heads)
    return np.moveaxis(X.reshape(*X.shape[:-1], X.shape[-1] // n_heads, n_heads), -1, -3)


def _count_as_width(X, n_heads):
    _require_divisible(X, n_heads)
    return X.reshape(*X.shape[:-1], X.shape[-1] // n_heads, n_heads).swapaxes(-2, -3)


def _in_front(X, n_heads):
    _require_divisible(X, n_heads)
    return np.stack(np.split(X, n_heads, axis=-1))


def _for_a_batch_only(X, n_heads):
    _require_divisible(X, n_heads)
    return X.reshape(X.shape[0], X.shape[1], n_heads, -1).transpose(0, 2, 1, 3)


def _for_one_sequence_only(X, n_heads):
    _require_divisible(X, n_heads)
    n, d = X.shape
    return X.reshape(n, n_heads, d // n_heads).transpose(1, 0, 2)


def _all_axes_reversed(X, n_heads):
    _require_divisible(X, n_heads)
    return X.reshape(*X.shape[:-1], n_heads, X.shape[-1] // n_heads).T


def _channels_before_tokens(X, n_heads):
    _require_divisible(X, n_heads)
    *lead, n, d = X.shape
    return X.swapaxes(-1, -2).reshape(*lead, n_heads, d // n_heads, n)


def _tokens_shared_out(X, n_heads):
    _require_divisible(X, n_heads)
    return np.stack(np.array_split(X, n_heads, axis=-2), axis=-3)


def _numpys_reshape_error(X, n_heads):
    *lead, n, d = X.shape
    return X.reshape(*lead, n, n_heads, d // n_heads).swapaxes(-2, -3)


def _numpys_split_error(X, n_heads):
    return np.stack(np.split(X, n_heads, axis=-1), axis=-3)


def _asserted(X, n_heads):
    *lead, n, d = X.shape
    assert d % n_heads == 0
    return X.reshape(*lead, n, n_heads, d // n_heads).swapaxes(-2, -3)


def _columns_lost(X, n_heads):
    width = X.shape[-1] // n_heads
    return np.stack([X[..., h * width : (h + 1) * width] for h in range(n_heads)], axis=-3)


SECTION = "Exercise 4.1: split_heads"
COLUMNS = "From columns to heads"
RESHAPE = "Predict: what does a plain reshape do?"

EXERCISE = Exercise(
    reference=reference.split_heads,
    asks="give every head its own slice of columns, of all tokens, with the head axis just before the tokens.",
    returns=(Returned("heads", "(..., n_heads, n, d / n_heads)"),),
    where=COLUMNS,
    may_be_view=True,
    claims=(
        Claim("head h holds its own slice of neighbouring columns, of every token", 1.5, _slices),
        Claim("one head holds everything, and as many heads as columns hold one column each", 0.5, _one_head),
        Claim("works for any leading axes", 1, _leading_axes),
        Claim("a width that does not divide raises a ValueError that mentions both numbers", 0.5, _not_divisible),
        Claim("moves all numbers and leaves its input alone", 0.5, _inputs),
    ),
    mistakes=(
        Mistake(
            "plain-reshape",
            "The array is reshaped straight into the final shape",
            _plain_reshape,
            "The shape is right, but a reshape only counts on through memory, row after row: the first head gets the "
            "first tokens, whole, and the last head the last ones. Look at the hundreds in the figure.",
            RESHAPE,
        ),
        Mistake(
            "head-axis-not-moved",
            "The columns are cut into heads, but the head axis stays behind the token axis",
            _not_moved,
            "Attention works on the last two axes, so for every head these have to be tokens and columns.",
            COLUMNS,
        ),
        Mistake(
            "interleaved",
            "The heads take columns in turn",
            _interleaved,
            "Neighbouring columns belong to the same head in this course. Taking every second or third column is "
            "another arrangement: it trains as well, but weights made for one cannot be read by the other.",
            COLUMNS,
        ),
        Mistake(
            "count-as-width",
            "The number of heads is used as the width of a head",
            _count_as_width,
            "The number of heads is given, and the width of one head follows from it, not the other way round.",
            COLUMNS,
        ),
        Mistake(
            "heads-in-front-of-the-batch",
            "The head axis stands in front of all other axes",
            _in_front,
            "For one sequence that is the same. With a batch, the leading axes come first and the head axis just "
            "before the tokens, or else batch and heads are mixed up when shapes are lined up later.",
            SECTION,
        ),
        Mistake(
            "for-a-batch-only",
            "The input is taken to have exactly three axes",
            _for_a_batch_only,
            "There may be none, one or several leading axes. Count axes from the end.",
            SECTION,
        ),
        Mistake(
            "for-one-sequence-only",
            "The input is taken to have exactly two axes",
            _for_one_sequence_only,
            "There may be leading axes in front of the tokens. Count axes from the end.",
            SECTION,
        ),
        Mistake(
            "all-axes-reversed",
            "All axes are reversed",
            _all_axes_reversed,
            "`.T` turns the order of all axes round. Only two of them have to change places.",
            COLUMNS,
        ),
        Mistake(
            "channels-before-tokens",
            "Every head is transposed: its rows are columns of X",
            _channels_before_tokens,
            "Tokens stay rows. In every head the last axis is the one along which a token's numbers stand.",
            COLUMNS,
        ),
        Mistake(
            "tokens-shared-out",
            "The tokens are shared out among the heads, not the columns",
            _tokens_shared_out,
            "Every head has to see every token. What is cut is the last axis.",
            COLUMNS,
        ),
        Mistake(
            "numpys-reshape-error",
            "A width that does not divide is left to NumPy's reshape",
            _numpys_reshape_error,
            "NumPy's message speaks of sizes and not of heads. Check first, and name the width and the number of "
            "heads yourself.",
            SECTION,
        ),
        Mistake(
            "numpys-split-error",
            "A width that does not divide is left to NumPy's split",
            _numpys_split_error,
            "NumPy's message does not say which width and how many heads. Check first, and name both.",
            SECTION,
        ),
        Mistake(
            "asserted",
            "A width that does not divide ends in an AssertionError",
            _asserted,
            "An `assert` is for what can never happen, and Python can switch it off. A wrong argument is refused with "
            "a ValueError that says what is wrong with it.",
            SECTION,
        ),
        Mistake(
            "columns-lost",
            "A width that does not divide is accepted, and the last columns get lost",
            _columns_lost,
            "Columns that belong to no head would vanish without a word. Refuse such a width.",
            SECTION,
        ),
    ),
)
