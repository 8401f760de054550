"""Specification of `own_positions`, an open task: what counts is how alike the positions are."""

import numpy as np

from autograder.evaluation.trials import WrongResult
from autograder.execution.describe import describe, is_plain_array, number_text
from autograder.exercises.inputs import finite_array
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

MAX_WIDTH, MOST_ALIKE, LEAD = 8, 0.95, 0.1
OFF = 1e-3  # by which a length, or what must depend only on the distance, may be off

EXERCISE = Exercise(
    reference=reference.own_positions,
    asks="positions of length 1 in at most 8 columns, such that neighbours are the most alike.",
    returns=(Output("P", "(n, d)"),),
    is_open=True,
)


def _similarities(call, n):
    """Call the function, and return how alike two positions are at each distance from 0 to n - 1."""
    P = call(n)
    if not is_plain_array(P) or P.ndim != 2 or len(P) != n or not 1 <= P.shape[1] <= MAX_WIDTH:
        raise WrongResult(f"expected an array of shape ({n}, d), with d from 1 to {MAX_WIDTH}, got {describe(P)}.")
    P = finite_array(call, P, P.shape, "P").astype(float)
    lengths = np.linalg.norm(P, axis=1)
    if np.abs(lengths - 1).max() > OFF:
        at = int(np.abs(lengths - 1).argmax())
        raise WrongResult(f"every position must have length 1; position {at} has length {number_text(lengths[at])}.")
    S = P @ P.T
    return np.array([_at_distance(S, distance) for distance in range(n)])


def _at_distance(S, distance):
    """Require the same similarity for all pairs at a distance, and return it."""
    diagonal = np.diagonal(S, distance)
    low, high = int(diagonal.argmin()), int(diagonal.argmax())
    if diagonal[high] - diagonal[low] > OFF:
        raise WrongResult(
            f"the similarity of positions {low} and {low + distance} is {diagonal[low]:.3g}, and that of {high} and "
            f"{high + distance}, which are just as far apart, is {diagonal[high]:.3g}."
        )
    return diagonal.mean()


def _neighbours_are_closest(call, n):
    """Require neighbours to be told apart, and all others to be less alike than they are."""
    _, neighbours, *others = _similarities(call, n)
    if neighbours > MOST_ALIKE:
        raise WrongResult(
            f"with {n} positions, neighbours have the similarity {number_text(neighbours)}; above {MOST_ALIKE} they "
            "can hardly be told apart."
        )
    if neighbours - max(others) < LEAD:
        far = f"those {2 + int(np.argmax(others))} places apart have the similarity {max(others):.3g}"
        ahead = f"Neighbours must be ahead of all others by {LEAD}"
        raise WrongResult(f"with {n} positions, {far}, and neighbours {neighbours:.3g}. {ahead}.")


@EXERCISE.claim(1)
def short(call, rng):
    """among few positions, neighbours are the most alike, and can still be told apart"""
    for n in (3, int(rng.integers(8, 13)), int(rng.integers(40, 61))):
        _neighbours_are_closest(call, n)


@EXERCISE.claim(1)
def long(call, rng):
    """also among hundreds of positions"""
    for n in rng.permutation(np.arange(250, 301))[:2].tolist():
        _neighbours_are_closest(call, n)


def _clocks(n, angles):
    """Return the hands of clocks that move by these angles, all of one length."""
    hands = np.exp(1j * np.outer(np.arange(n), angles)) / np.sqrt(len(angles))
    return np.concatenate([hands.real, hands.imag], axis=1)


def _of_length_1(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


wrong = WrongAnswers(EXERCISE, globals())

wrong("the-papers", {", base=300.0": ""}, """
    The waves are those of the paper, and 8 columns hold only four of them.
    After 6 words the fast one has come round, and the slow ones have hardly moved.""")

wrong("waves-too-close", {"300.0": "10.0"}, """
    All waves are fast, so there are distances at which all of them have come round.
    None of these distances occurs in a short text. For 300 words at least one wave has to be slow.""")

wrong("base-100", {"300.0": "100.0"}, """
    In the longest texts some words far apart are nearly as alike as neighbours.
    Print the largest similarity beyond the neighbours, for 300 words and for several sets of waves.""")

wrong("not-divided", {"positional_encoding(n, 8, base=300.0) / 2": "positional_encoding(n, 8, base=300.0)"}, """
    The positions do not have length 1.
    Each pair of columns adds 1 to the squared length of a row.""")

wrong("one-slow-clock", "_clocks(n, [np.pi / n])", """
    One slow clock tells far from near, but hardly one word from the next.
    A second clock that moves faster can help where this one does not.""")

wrong("one-fast-clock", "_clocks(n, [1.0])", """
    One fast clock comes round again and again.
    Words that are a whole turn apart look alike. A second clock, slower than the first, can tell them apart.""")

wrong("two-clocks", "_clocks(n, [1.0, 0.1])", """
    Two clocks come round together too soon.
    Eight columns have room for four.""")

wrong("sines-only", "_clocks(n, [1.0, 0.2, 0.04, 0.01])[:, 4:] + 0.0", """
    There are sines, but no cosines.
    With sines alone the length changes, and every value comes twice in a turn.""")

wrong("drawn", "_of_length_1(np.random.default_rng(0).standard_normal((n, 8)))", """
    The positions are drawn at random.
    Most are unlike each other, but how alike two are depends on which two they are, not on their distance.""")

wrong("all-alike", "np.full((n, 4), 0.5)", """
    All positions are the same.
    Then no word can be told from any other.""")

wrong("one-column-each", "np.eye(n)", """
    Every position has a column of its own.
    Then all are equally unlike, and a text of 300 words takes 300 columns. At most 8 are allowed.""")

wrong("number-itself", "_of_length_1(np.stack([np.arange(n) + 1.0, np.ones(n)], axis=1))", """
    Positions far from the beginning point in nearly the same direction.
    The larger the number of the word, the less one more changes the direction. A turn by an angle is the same
    everywhere.""")

wrong("transposed", {"positional_encoding(n, 8, base=300.0) / 2": "positional_encoding(n, 8, base=300.0).T / 2"}, """
    The positions are the columns of the table.
    Each word should have a row.""")
