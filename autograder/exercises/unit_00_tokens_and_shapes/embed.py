"""Specification of `embed`."""

import numpy as np

from autograder.exercises.inputs import table_of
from autograder.exercises.unit_00_tokens_and_shapes import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

ROWS = "A table with one row per word"
RANGE = "Ids that have no row"

EXERCISE = Exercise(
    reference=reference.embed,
    asks="row number t of the table E for every token id t.",
    returns=(Output("vectors", "(..., n, d_model)"),),
    where=ROWS,
    calls=calls.EMBED,
    lookalike=lookalikes.EMBED,
)


def _ids(rng, end, shape):
    """Draw ids from 1 to `end` - 1, as the integers that NumPy indexes with: in a browser np.take refuses int64."""
    return rng.integers(1, end, shape, dtype=np.intp)


def _one_bad(call, rng, vocab_size, *bad_ids):
    """Require that a sentence with one bad id is refused, although the same sentence with a good one is not."""
    E, token_ids = rng.standard_normal((vocab_size, 4)), _ids(rng, vocab_size - 1, 5)
    for bad, place in zip((*bad_ids, *bad_ids), (2, 1, 0, 4), strict=True):
        with_bad = token_ids.copy()
        with_bad[place] = bad
        call.refuses(with_bad, E, mentions=[bad])
    call.refuses(np.array([bad_ids[0]]), E, mentions=bad_ids[:1])
    table_of(call, (5, 4), token_ids, E)


@EXERCISE.claim(0.5)
def rows(call, rng):
    """every token gets its row of the table, as in one_hot @ E"""
    E = rng.standard_normal((9, 4))
    call.agrees(np.array([2, 0]), np.array([[0.5, -1.0, 2.0], [4.0, 1.5, 0.0], [0.25, 3.0, -2.5]]))  # by hand
    token_ids = rng.choice(np.arange(1, 8), 5, replace=False)
    call.agrees(token_ids, E)
    call.leaves_inputs_alone(token_ids, E)
    call.agrees(token_ids, E.astype(np.float32))
    for ends in ([0, 700], [700, 999]):
        call.agrees(np.array(ends, dtype=np.intp), rng.standard_normal((1000, 3)))


@EXERCISE.claim(0.25)
def leading_axes(call, rng):
    """works for a batch and for any further leading axes"""
    E = rng.standard_normal((9, 5))
    call.agrees(_ids(rng, 8, (2, 3)), E)
    call.agrees(_ids(rng, 8, (2, 4, 3)), E)
    call.agrees(_ids(rng, 8, (1, 3, 1)), E)


@EXERCISE.claim(0.25, side=True)
def too_large(call, rng):
    """an id that is too large raises a ValueError that mentions it"""
    vocab_size = int(rng.integers(7, 10))
    _one_bad(call, rng, vocab_size, vocab_size, vocab_size + 20)


@EXERCISE.claim(0.25, side=True)
def negative(call, rng):
    """an id below 0 raises a ValueError that mentions it"""
    _one_bad(call, rng, int(rng.integers(7, 10)), -1, -3)
    vocab_size = int(rng.integers(4, 7))
    call.refuses(np.array([vocab_size, 1, -2]), rng.standard_normal((vocab_size, 3)), mentions=[])  # bad at both ends


wrong = WrongAnswers(EXERCISE, globals())


def _within_range(token_ids, E):
    """Raise the reference's own error, so that a mistake is wrong in its one respect only."""
    reference.embed(token_ids, E)


wrong.at(RANGE)
wrong("not-checked", "E[token_ids]", """
    An id without a row raises no ValueError.
    NumPy reads -1 as the last row: no error, and the vector of a wrong word. For an id that is too large its IndexError
    is about an axis and not about words. Check both ends yourself.""")

wrong("only-above", {"(token_ids < 0) | (token_ids >= vocab_size)": "token_ids >= vocab_size"}, """
    Only ids that are too large are refused.
    For NumPy an id of -1 means the last row: there is no error, and the token gets the vector of a wrong word.""")

wrong("only-below", {"(token_ids < 0) | (token_ids >= vocab_size)": "token_ids < 0"}, """
    Only ids below 0 are refused.
    There is an upper end as well: a table of V rows ends with row V - 1.""")

@wrong.function
def bad_at_both_ends(token_ids, E):
    """Ids are refused only if one is below 0 and another one is too large.
    Each of the two is reason enough. Join the two comparisons by `or`."""
    if np.any(token_ids < 0) and np.any(token_ids >= len(E)):
        raise ValueError(f"ids must be from 0 to {len(E) - 1}, got {np.min(token_ids)} and {np.max(token_ids)}")
    return E[token_ids]


@wrong.function
def only_the_first_is_checked(token_ids, E):
    """Only the first id is checked.
    A bad id may stand anywhere. Compare the whole array, and ask whether any entry is bad."""
    first = np.ravel(token_ids)[0]
    if first < 0 or first >= len(E):
        raise ValueError(f"id {first} has no row")
    return E[token_ids]


@wrong.function
def only_the_last_is_checked(token_ids, E):
    """Only the last id is checked.
    A bad id may stand anywhere. If you go through the ids in a loop, the comparison belongs into it."""
    last = np.ravel(token_ids)[-1]
    if last < 0 or last >= len(E):
        raise ValueError(f"id {last} has no row")
    return E[token_ids]


wrong("last-allowed", {">= vocab_size": "> vocab_size"}, """
    The id V itself passes the check.
    A table of V rows has the rows 0 to V - 1, so V is already one too many. Try your comparison with V = 1.""")

wrong("last-row-refused", {">= vocab_size": ">= vocab_size - 1"}, """
    The id of the last row, V - 1, is refused.
    A table of V rows has the rows 0 to V - 1, and all of them are words. Try your comparison with V = 1.""")


@wrong.function
def compared_with_width(token_ids, E):
    """The ids are compared with the number of columns.
    An id is the number of a row, and the table has the rows 0 to `len(E)` - 1. `E.shape[1]` is d_model, the length of a
    vector."""
    _within_range(token_ids, E)
    if np.max(token_ids) >= E.shape[1]:
        raise ValueError(f"id {np.max(token_ids)} is not below {E.shape[1]}")
    return E[token_ids]


wrong("first-row-refused", {"token_ids < 0": "token_ids <= 0"}, """
    The id 0 is refused.
    Ids count from 0, so 0 is a word like any other. What is refused lies *below* 0.""")

wrong("index-error", {"raise ValueError": "raise IndexError"}, """
    A bad id raises an IndexError.
    For NumPy the id is an index; for the caller of your function it is an argument with a bad value. That is what a
    ValueError says.""")

wrong("id-not-mentioned",
      {"token ids must be from 0 to {vocab_size - 1}; got {bad[0]}": "a token id has no row in the table"}, """
    The message does not say which id is bad.
    Among thousands of ids, "out of range" helps nobody. Put the bad id into the message.""")


@wrong.function
def all_must_be_bad(token_ids, E):
    """Ids are refused only if all of them are bad.
    One bad id is enough to give a word a wrong vector. Ask for `any`, not for `all`."""
    if np.all(token_ids < 0) or np.all(token_ids >= len(E)):
        raise ValueError(f"id {np.max(token_ids)} has no row")
    return E[token_ids]


@wrong.function
def asserted(token_ids, E):
    """A bad id raises an AssertionError.
    An `assert` is for what can never happen, and Python can switch it off. A wrong argument deserves a ValueError that
    says so."""
    assert np.min(token_ids) >= 0
    assert np.max(token_ids) < len(E)
    return E[token_ids]


wrong("clipped", "E[np.clip(token_ids, 0, len(E) - 1)]", """
    Bad ids are replaced by the nearest good one.
    The token would become another word without anybody noticing. Say with a ValueError that the id has no row.""")

wrong("wrapped", "E[token_ids % len(E)]", """
    Bad ids start again from row 0.
    The token would become another word without anybody noticing. Say with a ValueError that the id has no row.""")

wrong.at(ROWS)
wrong("columns-not-checked", "E[:, token_ids]", """
    Columns of the table are taken, and the ids are not checked.
    The table has one *row* per word. After a colon the ids select columns, and a column holds one entry of every
    word.""")

wrong("columns", {"as_float(E)[token_ids]": "E[:, token_ids % E.shape[1]]"}, """
    Columns of the table are taken, not rows.
    The table has one *row* per word. A column holds one entry of every word.""")

wrong("counted-from-1", {"as_float(E)[token_ids]": "E[token_ids - 1]"}, """
    Every token gets the row above its own.
    Ids count from 0, and so do rows. For the id 0 you even get the last row.""")

wrong("width-from-ids", {"as_float(E)[token_ids]": "np.eye(np.max(token_ids) + 1)[token_ids] @ E"}, """
    The one-hot rows are too short for the table.
    They are as wide as the largest id requires, but the product needs one column for every row of the table, used or
    not.""")

wrong("flattened", "embed(token_ids, E).reshape(-1, E.shape[1])", """
    The shape of the ids is lost.
    All tokens are put into one long list. The result should have the shape of the ids, with one axis more at the
    end.""")

wrong.at()
wrong("averaged", "embed(token_ids, E).mean(axis=-2)", """
    The vectors of a sequence are averaged.
    One vector per sequence has lost the order of the words, and attention would have nothing to choose from. Keep one
    vector per token.""")

wrong("scaled", "embed(token_ids, E) * np.sqrt(E.shape[1])", """
    The vectors are multiplied by the square root of d_model.
    The paper does that too, but as a step of its own (its section 3.4). This function only looks up.""")

wrong.at(ROWS)
wrong("transposed", "np.swapaxes(embed(token_ids, E), -1, -2)", """
    The vectors stand in columns.
    Tokens are rows in this course: the entries of one token's vector lie along the last axis.""")
