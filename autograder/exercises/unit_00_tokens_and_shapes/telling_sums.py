"""Specification of `telling_sums`, an open task: what counts is which sentences have the same sum."""

from itertools import combinations_with_replacement

import numpy as np

from autograder.evaluation.trials import WrongResult
from autograder.execution.describe import describe, is_plain_array, number_text
from autograder.exercises.inputs import finite_array, require_size
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

MAX_WIDTH, MAX_SIZE, APART = 2, 1_000_000, 0.01
ROUNDING = 1e-6  # of sums that are computed to be just far enough apart

EXERCISE = Exercise(
    reference=reference.telling_sums,
    asks="a table of embeddings whose sum over a sentence tells which words are in it, and how often.",
    returns=(Output("E", "(n_words, d)"),),
    is_open=True,
)


def _table(call, n_words, longest):
    """Call the function, and require a table of at most two columns."""
    E = call(n_words, longest)
    if not is_plain_array(E) or E.ndim != 2 or len(E) != n_words or not 1 <= E.shape[1] <= MAX_WIDTH:
        raise WrongResult(f"expected an array of shape ({n_words}, d), with d = 1 or 2, got {describe(E)}.")
    E = finite_array(call, E, E.shape, "E").astype(float)
    require_size((E,), MAX_SIZE)
    return E


def _tells_words(call, n_words, longest):
    """Require the sums of all sentences with different words to differ."""
    E = _table(call, n_words, longest)
    lengths = range(1, longest + 1)
    sentences = [words for n in lengths for words in combinations_with_replacement(range(n_words), n)]
    sums = np.array([E[list(words)].sum(axis=0) for words in sentences])
    gaps = np.abs(sums[:, None] - sums).max(axis=-1)
    alike = np.argwhere(np.triu(gaps < APART * (1 - ROUNDING), k=1))
    if len(alike):
        one, other = (" ".join(map(str, sentences[sentence])) for sentence in alike[0])
        apart = number_text(gaps[tuple(alike[0])], 3)
        sizes = f"with {n_words} words and sentences of up to {longest}"
        raise WrongResult(f"{sizes}, the sums for the ids {one} and for the ids {other} differ by {apart}.")


@EXERCISE.claim(1)
def few(call, rng):
    """the sum tells which words a short sentence has, and how often"""
    _tells_words(call, 3, 2)
    _tells_words(call, int(rng.integers(4, 7)), int(rng.integers(3, 5)))


@EXERCISE.claim(1)
def more(call, rng):
    """also in longer sentences, and with more words"""
    _tells_words(call, int(rng.integers(6, 8)), int(rng.integers(4, 6)))
    _tells_words(call, 4, int(rng.integers(10, 13)))


def _on_a_circle(n_words):
    angles = 2 * np.pi * np.arange(n_words) / n_words
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


wrong = WrongAnswers(EXERCISE, globals())

wrong("base-too-small", {"longest + 1.0": "longest * 1.0"}, """
    A sentence full of one word has the same sum as the next word alone.
    Think of the digits of a number: how many ones can there be before there is a ten?""")

wrong("base-2", {"longest + 1.0": "2.0"}, """
    A word that occurs twice has the same sum as the next word once.
    Powers of two tell sentences apart only if no word occurs twice.""")

wrong("base-10", {"longest + 1.0": "10.0"}, """
    A word that occurs ten times has the same sum as the next word once.
    That can happen in a sentence of ten words or more.""")

wrong("ids", "np.arange(n_words)[:, None] * 1.0", """
    The number of a word is its id.
    Then 1 and 3 have the same sum as 2 and 2, and word 0 adds nothing.""")

wrong("ids-from-one", "np.arange(1.0, n_words + 1)[:, None]", """
    The numbers of the words are 1, 2, 3 and so on.
    Then others can stand in for words in the middle: 1 and 3 have the same sum as 2 and 2.""")

wrong("squares", "np.arange(1.0, n_words + 1)[:, None] ** 2", """
    The numbers of the words are squares.
    Sums of squares can coincide, too: four times 1 is the square of 2.""")

wrong("primes", "np.array([2.0, 3, 5, 7, 11, 13, 17])[:n_words, None]", """
    The numbers of the words are primes.
    A *product* of primes tells what it was made of. Their sum does not: 2 and 3 make 5.""")

wrong("one-hot", "np.eye(n_words)", """
    Each word has a column of its own.
    The sum of one-hot rows counts the words, so it tells everything. But at most two columns are allowed.""")

wrong("circle", "_on_a_circle(n_words)", """
    The words stand on a circle.
    Each has its own direction, but opposite directions cancel.""")

wrong("too-close", {"(longest + 1.0)": "0.001 * (longest + 1.0)"}, """
    Sums of different sentences are too close together.
    They have to differ by at least 0.01.""")

wrong("drawn", "np.random.default_rng(0).random((n_words, 1))", """
    The numbers of the words are drawn at random between 0 and 1.
    They are all different, but there are so many sentences that some sums nearly coincide.""")

wrong("shared-number", "(longest + 1.0) ** (np.arange(n_words)[:, None] // 2)", """
    Two words have the same number.
    Put one in place of the other, and the sum stays the same.""")

wrong("a-row", {"np.arange(n_words)[:, None]": "np.arange(n_words)[None, :]"}, """
    The words are the columns of the table.
    Each word should have a row.""")
