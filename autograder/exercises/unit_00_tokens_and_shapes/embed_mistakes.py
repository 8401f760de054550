"""The known mistakes of `embed`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

SECTION = "Exercise 0.3: embed"
ROWS = "A table with one row per word"
RANGE = "Ids that have no row"


def _within_range(token_ids, E):
    """Raise the reference's own error, so that a mistake is wrong in its one respect only."""
    reference.embed(token_ids, E)


def _not_checked(token_ids, E):
    return E[token_ids]


def _only_above(token_ids, E):
    if np.max(token_ids) >= len(E):
        raise ValueError(f"id {np.max(token_ids)} is not below {len(E)}")
    return E[token_ids]


def _only_below(token_ids, E):
    if np.min(token_ids) < 0:
        raise ValueError(f"id {np.min(token_ids)} is below 0")
    return E[token_ids]


def _last_allowed(token_ids, E):
    if np.min(token_ids) < 0 or np.max(token_ids) > len(E):
        raise ValueError(f"ids must be from 0 to {len(E)}, got {np.min(token_ids)} to {np.max(token_ids)}")
    return E[token_ids]


def _asserted(token_ids, E):
    assert np.min(token_ids) >= 0
    assert np.max(token_ids) < len(E)
    return E[token_ids]


def _clipped(token_ids, E):
    return E[np.clip(token_ids, 0, len(E) - 1)]


def _wrapped(token_ids, E):
    return E[token_ids % len(E)]


def _columns(token_ids, E):
    _within_range(token_ids, E)
    return E[:, token_ids % E.shape[1]]


def _columns_not_checked(token_ids, E):
    return E[:, token_ids]


def _counted_from_one(token_ids, E):
    _within_range(token_ids, E)
    return E[token_ids - 1]


def _width_from_ids(token_ids, E):
    _within_range(token_ids, E)
    return np.eye(np.max(token_ids) + 1)[token_ids] @ E


def _flattened(token_ids, E):
    return reference.embed(token_ids, E).reshape(-1, E.shape[1])


def _averaged(token_ids, E):
    return reference.embed(token_ids, E).mean(axis=-2)


def _scaled(token_ids, E):
    return reference.embed(token_ids, E) * np.sqrt(E.shape[1])


def _transposed(token_ids, E):
    return np.swapaxes(reference.embed(token_ids, E), -1, -2)


MISTAKES = (
    Mistake(
        "not-checked",
        "The ids are not checked",
        _not_checked,
        "NumPy reads -1 as the last row: no error, and the vector of a wrong word. For an id that is too large "
        "its IndexError speaks of an axis and not of words. Check both ends yourself.",
        RANGE,
    ),
    Mistake(
        "only-above",
        "Only ids that are too large are refused",
        _only_above,
        "An id below 0 is worse, because NumPy does not complain: -1 silently means the last row.",
        RANGE,
    ),
    Mistake(
        "only-below",
        "Only ids below 0 are refused",
        _only_below,
        "There is also an end above: a table of V rows ends with row V - 1.",
        RANGE,
    ),
    Mistake(
        "last-allowed",
        "The id V itself passes the check",
        _last_allowed,
        "A table of V rows has the rows 0 to V - 1, so V is already one too many. Try your comparison with V = 1.",
        RANGE,
    ),
    Mistake(
        "asserted",
        "A bad id raises an AssertionError",
        _asserted,
        "An `assert` is for what can never happen, and Python can switch it off. An argument that a caller got "
        "wrong deserves a ValueError that says so.",
        RANGE,
    ),
    Mistake(
        "clipped",
        "Bad ids are replaced by the nearest good one",
        _clipped,
        "The token would silently become another word. Say with a ValueError that the id has no row.",
        RANGE,
    ),
    Mistake(
        "wrapped",
        "Bad ids start again from row 0",
        _wrapped,
        "The token would silently become another word. Say with a ValueError that the id has no row.",
        RANGE,
    ),
    Mistake(
        "columns-not-checked",
        "Columns of the table are taken, and the ids are not checked",
        _columns_not_checked,
        "The table has one *row* per word. After a colon the ids select columns, and a column holds one entry "
        "of every word.",
        ROWS,
    ),
    Mistake(
        "columns",
        "Columns of the table are taken, not rows",
        _columns,
        "The table has one *row* per word. A column holds one entry of every word.",
        ROWS,
    ),
    Mistake(
        "counted-from-1",
        "Every token gets the row above its own",
        _counted_from_one,
        "Ids count from 0, and so do rows. For the id 0 you even get the last row.",
        ROWS,
    ),
    Mistake(
        "width-from-ids",
        "The one-hot rows are too short for the table",
        _width_from_ids,
        "They are as wide as the largest id requires, but the product needs one column for every row of the "
        "table, used or not.",
        ROWS,
    ),
    Mistake(
        "flattened",
        "The shape of the ids is lost",
        _flattened,
        "All tokens are put into one long list. The result should have the shape of the ids, with one axis more "
        "at the end.",
        ROWS,
    ),
    Mistake(
        "averaged",
        "The vectors of a sequence are averaged",
        _averaged,
        "One vector per sequence has lost the order of the words, and attention would have nothing to choose "
        "from. Keep one vector per token.",
        SECTION,
    ),
    Mistake(
        "scaled",
        "The vectors are multiplied by the square root of d_model",
        _scaled,
        "The paper does that too, but as a step of its own (its section 3.4). This function only looks up.",
        SECTION,
    ),
    Mistake(
        "transposed",
        "The vectors stand in columns",
        _transposed,
        "Tokens are rows in this course: the entries of one token's vector lie along the last axis.",
        ROWS,
    ),
)
