"""Specification of `one_word_back`, an open task: what counts is where the words look."""

import numpy as np

from autograder.evaluation.trials import WrongResult
from autograder.execution.describe import describe, is_plain_array, number_text
from autograder.exercises.inputs import finite_array, require_size
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

MAX_WIDTH, MAX_SIZE = 8, 1_000_000
LEAST = 0.99  # of the weight, for the word before

EXERCISE = Exercise(
    reference=reference.one_word_back,
    asks="queries and keys with which every word gives nearly all its weight to the word before it.",
    returns=(Output("Q", "(n, d_k)"), Output("K", "(n, d_k)")),
    is_open=True,
)


def _queries_and_keys(call, n):
    """Call the function, and require queries and keys that attention can be tried on."""
    pair = call.results(n)
    for name, value in zip("QK", pair, strict=True):
        if not is_plain_array(value) or value.ndim != 2 or len(value) != n:
            raise WrongResult(f"{name}: expected an array of shape ({n}, d_k), got {describe(value)}.")
    d_k = pair[0].shape[1]
    if not 1 <= d_k <= MAX_WIDTH:
        raise WrongResult(f"for {n} words d_k is {d_k}. Whatever n is, d_k from 1 to {MAX_WIDTH} is allowed.")
    Q, K = (finite_array(call, value, (n, d_k), name).astype(float) for name, value in zip("QK", pair, strict=True))
    require_size((Q, K), MAX_SIZE)
    return Q, K


def _looks_back(call, n):
    """Require every word but the first to give nearly all its weight to the word before it."""
    Q, K = _queries_and_keys(call, n)
    weights = reference.scaled_dot_product_attention(Q, K, np.eye(n))[1]
    most = weights.argmax(axis=-1)[1:]
    astray = 1 + np.flatnonzero(most != np.arange(n - 1))
    before = weights[np.arange(1, n), np.arange(n - 1)]
    if astray.size:
        at = astray[0]
        looks = f"looks {_where(at - most[at - 1])}; for the word before, {before[at - 1]:.3g} is left"
        if np.isclose(before[at - 1], weights[at].max()):
            looks = f"gives the word before {before[at - 1]:.3g}, and others as much"
        raise WrongResult(
            f"at {astray.size} of {n - 1} positions the word before does not get more weight than all others. "
            f"Position {at} {looks}."
        )
    faint = 1 + np.flatnonzero(before < LEAST)
    if faint.size:
        least = int(before.argmin()) + 1
        raise WrongResult(
            f"every word looks one word back, but at {faint.size} of {n - 1} positions with a weight below {LEAST}; "
            f"the smallest is {number_text(before[least - 1], 3)}, at position {least}."
        )


def _where(back):
    if back == 0:
        return "at itself"
    return f"{abs(back)} {'word' if abs(back) == 1 else 'words'} {'back' if back > 0 else 'ahead'}"


@EXERCISE.claim(1)
def short(call, rng):
    """in short sentences every word looks one word back"""
    for n in (int(rng.integers(2, 5)), *rng.permutation(np.arange(9, 17))[:3].tolist()):
        _looks_back(call, n)


@EXERCISE.claim(1)
def long(call, rng):
    """in long sentences, too"""
    for n in rng.permutation(np.arange(40, 61))[:3].tolist():
        _looks_back(call, n)



def _clock(n, angle, length=40):
    """Return the hands of a clock that moves by an angle from word to word; the queries are one word behind."""
    position = np.arange(n)[:, None] * angle
    K = length * np.concatenate([np.cos(position), np.sin(position)], axis=-1)
    return np.roll(K, 1, axis=0), K


wrong = WrongAnswers(EXERCISE, globals())

wrong("one-ahead", {"(position - 1)": "(position + 1)"}, """
    Every word looks one word ahead.
    A row of Q belongs to the word that looks, and a row of K to the one that is looked at. Yours meet on the wrong
    side.""")

wrong("at-itself", {"(position - 1)": "position"}, """
    Every word looks at itself.
    Query and key of one position match best. The query of a word has to match the key of another one.""")

wrong("two-back", {"(position - 1)": "(position - 2)"}, """
    Every word looks two words back.
    The queries are moved by one position too many.""")

wrong("too-weak", {"10 * ": ""}, """
    Every word looks the right way, but shares its weight with the neighbours.
    The score of the word before is larger by less than 1, after the division. Softmax makes more of larger
    differences.""")

wrong("last-word", {"position**2], axis": "0 * position], axis"}, """
    The score only grows from key to key.
    So whoever looks looks at the end of the sentence. A largest score in the middle takes a second feature.""")

wrong("first-and-last", {"-np.ones(n)": "np.ones(n)"}, """
    The score is smallest where it should be largest.
    One of the two parts of the score has the wrong sign, so the ends of the sentence win.""")

wrong("exchanged", "one_word_back(n)[::-1]", """
    Queries and keys are returned in the other order.
    Then it is the keys that look back. Return Q first.""")

wrong("a-feature-for-each-word", "(100 * np.eye(n, k=-1), np.eye(n))", """
    Every word has a feature of its own.
    Then a query can point at any word, but d_k grows with the sentence. A few features have to do for all lengths.""")

wrong("clock-of-ten", "_clock(n, 2 * np.pi / 10)", """
    After ten words the positions begin anew.
    A clock with one hand cannot tell a word from the one that comes a whole turn later. They share the weight.""")

wrong("hands-too-short", "_clock(n, 2 * np.pi / (2 * n), 10)", """
    The directions of neighbours are nearly the same, so they share the weight.
    The longer the sentence, the closer the directions come. Then longer vectors are needed to tell them apart.""")

wrong("columns", "tuple(A.T for A in one_word_back(n))", """
    The words are columns.
    A row of Q and of K belongs to each word, so the shape is (n, d_k).""")

wrong("for-twelve", "tuple(A[:n] for A in one_word_back(12))", """
    There are rows for twelve words and no more.
    The length is an argument. What is right for one length has to be made for any.""")

wrong("infinite", {"10 * ": "np.inf * "}, """
    The queries are infinite.
    Infinity minus infinity is NaN. A difference of ten between scores is already enough for softmax.""")
