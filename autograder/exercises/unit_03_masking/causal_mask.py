"""Specification of `causal_mask`."""

import numpy as np

from autograder.exercise import Claim, Exercise, Mistake, Returned
from transformer_kit import reference


def _as_many_keys(call, rng):
    call.agrees(3)  # by hand: a lower triangle with its diagonal
    call.agrees(int(rng.integers(4, 8)))
    call.agrees(2, 2)


def _more_keys(call, rng):
    call.agrees(2, 5)  # by hand: 4 keys, then 5 keys are visible
    call.agrees(1, int(rng.integers(6, 9)))  # one new token after a cache sees everything
    call.agrees(3, n_keys=int(rng.integers(5, 9)))


def _fewer_keys(call, rng):
    n_queries = int(rng.integers(14, 18))
    call.agrees(4)
    call.refuses(n_queries, 11, mentions=[n_queries, 11])
    call.refuses(13, 12, mentions=[13, 12])
    call.refuses(3, 0, mentions=[3, 0])


def _require_keys(n_queries, n_keys):
    """Return both lengths, or raise the reference's own error."""
    reference.causal_mask(n_queries, n_keys)
    return n_queries, n_queries if n_keys is None else n_keys


def _upper_triangle(n_queries, n_keys=None):
    n_queries, n_keys = _require_keys(n_queries, n_keys)
    return np.triu(np.ones((n_queries, n_keys), dtype=bool), k=n_keys - n_queries)


def _inverted(n_queries, n_keys=None):
    return ~reference.causal_mask(n_queries, n_keys)


def _without_diagonal(n_queries, n_keys=None):
    n_queries, n_keys = _require_keys(n_queries, n_keys)
    return np.tri(n_queries, n_keys, k=n_keys - n_queries - 1, dtype=bool)


def _one_ahead(n_queries, n_keys=None):
    n_queries, n_keys = _require_keys(n_queries, n_keys)
    return np.tri(n_queries, n_keys, k=n_keys - n_queries + 1, dtype=bool)


def _queries_first(n_queries, n_keys=None):
    return np.tri(*_require_keys(n_queries, n_keys), dtype=bool)


def _offset_the_wrong_way(n_queries, n_keys=None):
    n_queries, n_keys = _require_keys(n_queries, n_keys)
    return np.tri(n_queries, n_keys, k=n_queries - n_keys, dtype=bool)


def _always_square(n_queries, n_keys=None):
    n_queries, n_keys = _require_keys(n_queries, n_keys)
    return np.tri(n_queries, dtype=bool)


def _keys_as_rows(n_queries, n_keys=None):
    return reference.causal_mask(n_queries, n_keys).T


def _numbers(n_queries, n_keys=None):
    return reference.causal_mask(n_queries, n_keys).astype(float)


def _additive(n_queries, n_keys=None):
    return reference.additive_mask(reference.causal_mask(n_queries, n_keys))


def _everything_visible(n_queries, n_keys=None):
    return np.ones(_require_keys(n_queries, n_keys), dtype=bool)


def _never_refuses(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return np.tri(n_queries, n_keys, k=n_keys - n_queries, dtype=bool)


def _zero_missing(n_queries, n_keys=None):
    return reference.causal_mask(n_queries, n_keys or None)


def _asserts(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    assert n_keys >= n_queries, f"{n_queries} queries but only {n_keys} keys"
    return _never_refuses(n_queries, n_keys)


SECTION = "Exercise 3.1: causal_mask"
CONVENTION = "The convention of this course"
LAST_POSITIONS = "When there are more keys than queries"

EXERCISE = Exercise(
    reference=reference.causal_mask,
    asks="a boolean mask in which every position may attend to itself and to everything before it.",
    returns=(Returned("mask", "(n_queries, n_keys)"),),
    where=SECTION,
    claims=(
        Claim("every position sees itself and everything before it, nothing after it", 1.5, _as_many_keys),
        Claim("with more keys than queries, the queries are the last positions", 1, _more_keys),
        Claim("fewer keys than queries raise a ValueError that mentions both numbers", 0.5, _fewer_keys, example=False),
    ),
    mistakes=(
        Mistake(
            "upper-triangle",
            "The future is visible and the past is hidden",
            _upper_triangle,
            "Rows are queries and columns are keys. What comes later than the query stands to the right of the "
            "diagonal.",
            SECTION,
        ),
        Mistake(
            "inverted",
            "True stands for hidden",
            _inverted,
            "In this course True means “may attend”. Some libraries mean the opposite, which is why it has to be "
            "fixed once.",
            CONVENTION,
        ),
        Mistake(
            "without-diagonal",
            "A position does not see itself",
            _without_diagonal,
            "The first position would have nothing at all to attend to. A token's own vector is no secret to itself.",
            SECTION,
        ),
        Mistake(
            "one-ahead",
            "Every position also sees the next one",
            _one_ahead,
            "The next token is exactly what a decoder has to predict, so the diagonal is the last thing that a query "
            "may see.",
            SECTION,
        ),
        Mistake(
            "queries-first",
            "With more keys than queries, the queries are taken for the first positions",
            _queries_first,
            "The extra keys come from tokens that were processed before, so the queries stand at the end of the "
            "sequence.",
            LAST_POSITIONS,
        ),
        Mistake(
            "offset-reversed",
            "With more keys than queries, the diagonal is moved to the wrong side",
            _offset_the_wrong_way,
            "More keys than queries means that every query sees more, not less. The last query sees all keys.",
            LAST_POSITIONS,
        ),
        Mistake(
            "always-square",
            "The number of keys is ignored",
            _always_square,
            "The mask needs one column for every key, also for keys that were there before the first query.",
            LAST_POSITIONS,
        ),
        Mistake(
            "keys-as-rows",
            "Rows and columns are exchanged",
            _keys_as_rows,
            "The mask has the shape of the scores: one row per query, one column per key.",
            SECTION,
        ),
        Mistake(
            "ones-and-zeros",
            "The mask holds the numbers 1 and 0",
            _numbers,
            "Masks are boolean here: `~` and `&` work on booleans and do something else, or nothing, on floats.",
            CONVENTION,
        ),
        Mistake(
            "additive",
            "The mask holds 0 and minus infinity",
            _additive,
            "That is the form that is added to the scores. It comes later, in an exercise of its own.",
            CONVENTION,
        ),
        Mistake(
            "everything-visible",
            "Nothing is hidden",
            _everything_visible,
            "A query at position p must not see keys at positions after p.",
            SECTION,
        ),
        Mistake(
            "never-refuses",
            "Fewer keys than queries are accepted",
            _never_refuses,
            "Then some query has no key of its own position, which is always a mistake of the caller. "
            "Say so with both numbers.",
            LAST_POSITIONS,
        ),
        Mistake(
            "zero-taken-for-missing",
            "0 keys are taken for a number that was left out",
            _zero_missing,
            "`or` and `if not` treat 0 like None. Only None stands for “as many keys as queries”; 0 keys are too few.",
            LAST_POSITIONS,
        ),
        Mistake(
            "asserts",
            "The check of the arguments is an `assert`",
            _asserts,
            "Assertions are for what cannot happen, and Python can be told to skip them. "
            "A wrong argument deserves a ValueError.",
            LAST_POSITIONS,
        ),
    ),
)
