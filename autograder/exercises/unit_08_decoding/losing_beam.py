"""Specification of `losing_beam`, an open task: what counts is what two searches find with the probabilities."""

import math

import numpy as np

from autograder.evaluation.trials import WrongResult
from autograder.execution.describe import describe, is_plain_array, number_text
from autograder.exercises.inputs import finite_array
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference
from transformer_kit.examples.toy_models import BOS, EOS, LastTokenModel, log_probs

MAX_WORDS, MAX_LEN = 60, 12
MOST = 0.5  # of the probability that greedy search finds
ATOL = 1e-6  # by which a sum of probabilities may miss 1

EXERCISE = Exercise(
    reference=reference.losing_beam,
    asks="next-word probabilities with which a beam finds a sentence at most half as likely as greedy search does.",
    returns=(Output("P", "(V, V)"),),
    is_open=True,
)


def _probabilities(call, width):
    """Call the function, and require a table of probabilities."""
    P = call(width)
    fits = is_plain_array(P) and P.ndim == 2 and P.shape[0] == P.shape[1] and 2 <= len(P) <= MAX_WORDS
    if not fits:
        raise WrongResult(f"P: expected shape (V, V) with V from 2 to {MAX_WORDS}, got {describe(P)}.")
    P = finite_array(call, P, P.shape, "P").astype(float)
    if P.min() < 0:
        least = number_text(P.min(), 4)
        raise WrongResult(f"P: {int((P < 0).sum())} probabilities are negative; the smallest is {least}.")
    sums = P.sum(axis=1)
    sums[EOS] = 1  # nobody reads on
    wrong = np.flatnonzero(np.abs(sums - 1) > ATOL)
    if wrong.size:
        first = f"row {wrong[0]}, whose sum is {number_text(sums[wrong[0]], 4)}"
        raise WrongResult(f"P: {wrong.size} of {len(P)} rows do not sum to 1. The first is {first}.")
    return P


def _beam_loses(call, width):
    """Require the best that a beam finds to be at most half as likely as what greedy search finds."""
    model = LastTokenModel(log_probs(_probabilities(call, width)))
    greedy = reference.greedy_decode(model, BOS, EOS, MAX_LEN)
    likely = math.exp(reference.sequence_log_prob(model, BOS, greedy))
    score, ids = reference.beam_search(model, BOS, EOS, width, MAX_LEN)[0]
    share = math.exp(score) / likely
    if ids == greedy:
        same = f"{ids}, of probability {likely:.3g}"
        raise WrongResult(f"greedy search and the beam of width {width} find the same: {same}.")
    if share > MOST:
        raise WrongResult(
            f"greedy search finds {greedy}, of probability {likely:.3g}, and the beam of width {width} finds {ids}, "
            f"{share:.3g} times as likely. At most {MOST} times is asked for."
        )


@EXERCISE.claim(1)
def narrow(call, rng):
    """a narrow beam loses"""
    for width in rng.permutation([2, 3, 4])[:2].tolist():
        _beam_loses(call, width)


@EXERCISE.claim(1)
def wide(call, rng):
    """a wide beam loses, too"""
    for width in rng.permutation([5, 6, 7, 8])[:2].tolist():
        _beam_loses(call, width)


wrong = WrongAnswers(EXERCISE, globals())

wrong("a-place-left", "losing_beam(width - 1)", """
    The beam has room for one more, and what greedy search finds is kept.
    It is lost only if as many others as the beam is wide are likelier at some step.""")

wrong("nothing-dull", {"[np.ix_(after_3, dull)] = 1 / len(dull)": "[after_3, 1] = 1"}, """
    What the beam prefers stays likely to its end.
    Then the beam is right. It has to be led to where every way on is unlikely, without knowing that beforehand.""")

wrong("hardly-dull", {"2 * width, 10": "2 * width, 2"}, """
    The beam loses, but not by half.
    What it prefers has to become less likely than that, once the way of greedy search is lost.""")

wrong("few-after-the-first", {"2 * width, 10": "width, 10"}, """
    The way of greedy search stays the likeliest at every step.
    A beam always contains the likeliest. Greedy search has to pass through a step at which others are ahead.""")

wrong("other-first-word", {"0.55, 0.45": "0.45, 0.55"}, """
    Greedy search itself goes where the beam goes.
    It takes the likelier first word, whatever comes after. That one has to be the one that ends well.""")

wrong("for-two", "losing_beam(2)", """
    The table is made for a beam of width 2.
    A wider beam has room for what a narrow one drops. The width is an argument.""")

wrong("logarithms", {"return P": "return np.log(np.maximum(P, 1e-300))"}, """
    Logarithms are returned.
    The table holds the probabilities themselves, from 0 to 1.""")

wrong("columns", {"return P": "return P.T"}, """
    The table stands on its side.
    Row i has the probabilities of the words after word i, so it is the rows that sum to 1.""")

wrong("first-word-only", {"return P": "return P[0]"}, """
    Only the probabilities of the first word are returned.
    There is a row for every word that may come before.""")

wrong("far-too-many", {"2 * width, 10": "2 * width, 100"}, """
    There are more words than are allowed.
    Ten dull ways on are as good as a hundred here, and words may be used again.""")


@wrong.function
def greedy_loses(width):
    """It is greedy search that loses.
    That is the usual case: the likeliest first word leads to nothing. What is asked for is the other way round."""
    P = np.eye(3 + width)[np.full(3 + width, 1)]
    P[0, :4] = 0, 0, 0.6, 0.4
    P[2] = np.r_[0, 0, 0, np.full(width, 1 / width)]
    return P
