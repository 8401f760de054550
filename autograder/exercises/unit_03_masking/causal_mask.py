"""Specification of `causal_mask`."""

import numpy as np

from autograder.exercises.unit_03_masking import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

CONVENTION = "The convention of this course"
LAST_POSITIONS = "When there are more keys than queries"

EXERCISE = Exercise(
    reference=reference.causal_mask,
    asks="a boolean mask in which every position may attend to itself and to everything before it.",
    returns=(Output("mask", "(n_queries, n_keys)"),),
    calls=calls.CAUSAL_MASK,
    lookalike=lookalikes.CAUSAL_MASK,
)


@EXERCISE.claim(1.5)
def as_many_keys(call, rng):
    """every position sees itself and everything before it, nothing after it"""
    call.agrees(3)  # by hand: a lower triangle with its diagonal
    call.agrees(int(rng.integers(4, 8)))
    call.agrees(2, 2)
    call.agrees(300)


@EXERCISE.claim(1)
def more_keys(call, rng):
    """with more keys than queries, the queries are the last positions"""
    call.agrees(2, 5)  # by hand: 4 keys, then 5 keys are visible
    call.agrees(1, int(rng.integers(6, 9)))  # one new token after a cache sees everything
    call.agrees(3, n_keys=int(rng.integers(5, 9)))
    call.agrees(2, 1500)


@EXERCISE.claim(0.5, example=False, side=True)
def fewer_keys(call, rng):
    """fewer keys than queries raise a ValueError that mentions both numbers; every other call makes a new mask"""
    n_queries = int(rng.integers(14, 18))
    call.refuses(n_queries, 11, mentions=[n_queries, 11])
    call.refuses(13, 12, mentions=[13, 12])
    call.refuses(3, 0, mentions=[3, 0])
    call.agrees(4)
    call.leaves_inputs_alone(4)


def _require_keys(n_queries, n_keys):
    """Return both lengths, or raise the reference's own error."""
    reference.causal_mask(n_queries, n_keys)
    return n_queries, n_queries if n_keys is None else n_keys


wrong = WrongAnswers(EXERCISE, globals())

wrong("upper-triangle", {
    "np.tri(n_queries, n_keys, k=n_keys - n_queries, dtype=bool)":
        "np.triu(np.ones((n_queries, n_keys), dtype=bool), k=n_keys - n_queries)",
}, """
    The future is visible and the past is hidden.
    Rows are queries and columns are keys. What comes later than the query stands to the right of the diagonal.""")

wrong.at(CONVENTION)
wrong("inverted", "~causal_mask(n_queries, n_keys)", """
    True stands for hidden.
    In this course True means “may attend”. Some libraries mean the opposite.""")

wrong.at()
wrong("without-diagonal", {"k=n_keys - n_queries": "k=n_keys - n_queries - 1"}, """
    A position does not see itself.
    The first position would have nothing at all to attend to. A token's own vector is no secret to itself.""")

wrong("one-ahead", {"k=n_keys - n_queries": "k=n_keys - n_queries + 1"}, """
    Every position also sees the next one.
    The next token is exactly what a decoder has to predict, so the diagonal is the last thing that a query may see.""")

wrong.at(LAST_POSITIONS)
wrong("queries-first", "np.tri(*_require_keys(n_queries, n_keys), dtype=bool)", """
    With more keys than queries, the queries are taken for the first positions.
    The extra keys come from tokens that were processed earlier, so the queries stand at the end of the sequence.""")

wrong("starts-at-first-key", "np.tri(n_queries, n_queries if n_keys is None else n_keys, dtype=bool)", """
    The triangle starts at the first key, however many keys there are.
    The queries are the last positions: with more keys the diagonal moves to the right, and fewer keys than queries are
    an error.""")

wrong("offset-reversed", {"k=n_keys - n_queries": "k=n_queries - n_keys"}, """
    With more keys than queries, the diagonal is moved to the wrong side.
    More keys than queries means that every query sees more keys, not fewer. The last query sees all keys.""")

wrong("always-square",
      {"np.tri(n_queries, n_keys, k=n_keys - n_queries, dtype=bool)": "np.tri(n_queries, dtype=bool)"}, """
    The number of keys is ignored.
    The mask needs one column for every key, including those that come before the first query.""")

wrong.at()
wrong("keys-as-rows", "causal_mask(n_queries, n_keys).T", """
    Rows and columns are exchanged.
    The mask has the shape of the scores: one row per query, one column per key.""")

wrong.at(CONVENTION)
wrong("ones-and-zeros", "causal_mask(n_queries, n_keys).astype(float)", """
    The mask holds the numbers 1 and 0.
    Masks are boolean here: `~` and `&` work on booleans, mean something else for integers, and fail on floats.""")

wrong("additive", "additive_mask(causal_mask(n_queries, n_keys))", """
    The mask holds 0 and minus infinity.
    That is the form that is added to the scores. It comes later, in an exercise of its own.""")

wrong.at()
wrong("everything-visible", "np.ones(_require_keys(n_queries, n_keys), dtype=bool)", """
    Nothing is hidden.
    A query at position p must not see keys at positions after p.""")

wrong.at(LAST_POSITIONS)
wrong("never-refuses", {"n_keys < n_queries": "False"}, """
    Fewer keys than queries are accepted.
    Then some query has no key at its own position, so the caller has made a mistake. Say so, with both numbers.""")

wrong("zero-taken-for-missing", "causal_mask(n_queries, n_keys or None)", """
    0 keys are treated as if the number had been left out.
    `or` and `if not` treat 0 like None. Only None stands for “as many keys as queries”; 0 keys are too few.""")


@wrong.function
def asserts(n_queries, n_keys=None):
    """Fewer keys than queries raise an AssertionError, not a ValueError.
    Assertions are for what cannot happen, and Python can be told to skip them. A wrong argument deserves a
    ValueError."""
    n_keys = n_queries if n_keys is None else n_keys
    assert n_keys >= n_queries, f"{n_queries} queries but only {n_keys} keys"
    return np.tri(n_queries, n_keys, k=n_keys - n_queries, dtype=bool)


@wrong.function
def equal_refused(n_queries, n_keys=None):
    """An equal number of keys and queries is refused.
    Then every query has its own key, and that is enough. Only having *fewer* keys makes no sense."""
    n_queries, keys = _require_keys(n_queries, n_keys)
    if n_keys is not None and keys <= n_queries:
        raise ValueError(f"{n_queries} queries, but {keys} keys")
    return reference.causal_mask(n_queries, n_keys)


wrong("numbers-not-mentioned", {
    "every query needs at least its own key: got {n_queries} queries but only {n_keys} keys":
        "there are fewer keys than queries",
}, """
    The message does not say how many queries and keys there are.
    "Too few keys" leaves the reader to count. Put both numbers into the message.""")

wrong.at()
wrong("last-row-missing", {
    "np.tri(n_queries, n_keys, k=n_keys - n_queries, dtype=bool)":
        "np.tri(n_queries, n_keys, k=n_keys - n_queries, dtype=bool) & (np.arange(n_queries) < n_queries - 1)[:, None]",
}, """
    The last query sees nothing.
    A loop that ends with `n_queries - 1` leaves the last row out. The last position sees everything before it.""")

wrong("upper-triangle-from-first-key", {
    "np.tri(n_queries, n_keys, k=n_keys - n_queries, dtype=bool)": "np.triu(np.ones((n_queries, n_keys), dtype=bool))",
}, """
    The future is visible and the past is hidden, and the diagonal starts at the first key.
    Rows are queries and columns are keys: what comes later than the query stands to the right of the diagonal. With
    more keys than queries, the diagonal ends at the last key.""")

wrong.at(CONVENTION)
wrong("inverted-from-first-key", {
    "np.tri(n_queries, n_keys, k=n_keys - n_queries, dtype=bool)":
        "np.triu(np.ones((n_queries, n_keys), dtype=bool), k=1)",
}, """
    True stands for hidden, and the diagonal starts at the first key.
    In this course True means “may attend”. With more keys than queries, the diagonal ends at the last key.""")

wrong.small("without-diagonal one-ahead inverted", as_many_keys, more_keys)
