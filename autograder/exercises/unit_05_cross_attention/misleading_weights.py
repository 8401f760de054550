"""Specification of `misleading_weights`, an open task: what counts is what the context does without a word."""

import numpy as np

from autograder.evaluation.trials import WrongResult
from autograder.execution.describe import describe, is_plain_array, number_text
from autograder.exercises.inputs import finite_array, require_size
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

MAX_WIDTH, MAX_SIZE = 64, 1_000_000
LEAST_WEIGHT, MOST_MOVED, LEAST_MOVED = 0.9, 0.01, 1
ROUNDING = 1e-9  # of a weight that is computed to be the least
NAMES = ("query", "keys", "values")

EXERCISE = Exercise(
    reference=reference.misleading_weights,
    asks="a query, keys and values that give one word nearly all the weight, while another one is needed.",
    returns=(Output("query", "(d_k,)"), Output("keys", "(n, d_k)"), Output("values", "(n, d_v)")),
    is_open=True,
)


def _parts(call, n, seen, needed):
    """Call the function, and require a query, keys and values that go together."""
    named = dict(zip(NAMES, call.results(n, seen, needed), strict=True))
    for name, value in named.items():
        if not is_plain_array(value) or value.ndim != 1 + (name != "query") or not 1 <= value.shape[-1] <= MAX_WIDTH:
            shape = {"query": "(d_k,)", "keys": f"({n}, d_k)", "values": f"({n}, d_v)"}[name]
            wanted = f"an array of shape {shape}, with a width from 1 to {MAX_WIDTH}"
            raise WrongResult(f"{name}: expected {wanted}, got {describe(value)}.")
    d_k, d_v = named["query"].shape[0], named["values"].shape[1]
    shapes = ((d_k,), (n, d_k), (n, d_v))
    parts = [
        finite_array(call, value, shape, name).astype(float)
        for (name, value), shape in zip(named.items(), shapes, strict=True)
    ]
    require_size(parts, MAX_SIZE)
    return parts


def _misleads(call, n, seen, needed):
    """Require the weight of one word, and what the context does without it and without another one."""
    query, keys, values = _parts(call, n, seen, needed)
    context, weights = reference.context_vector(query, keys, values)
    of_words = f"with {n} words, `seen` {seen} and `needed` {needed}"
    if weights[seen] < LEAST_WEIGHT * (1 - ROUNDING):
        most, is_elsewhere = int(weights.argmax()), weights.max() > 0.5 and weights.argmax() != seen
        rest = f"and word {most} gets most of it" if is_elsewhere else f"but should get at least {LEAST_WEIGHT}"
        raise WrongResult(f"{of_words}: word {seen} gets {weights[seen]:.3g} of the weight, {rest}.")

    def moved(word):
        others = np.arange(n) != word
        return np.abs(reference.context_vector(query, keys[others], values[others])[0] - context).max()

    without_seen, without_needed = moved(seen), moved(needed)
    if without_seen > MOST_MOVED or without_needed < LEAST_MOVED:
        raise WrongResult(
            f"{of_words}: word {seen} gets {weights[seen]:.3g} of the weight. Without it the context moves by "
            f"{number_text(without_seen, 3)}, and without word {needed} by {number_text(without_needed, 3)}; at most "
            f"{MOST_MOVED} and at least {LEAST_MOVED} were asked for."
        )


@EXERCISE.claim(1)
def three(call, rng):
    """with three words, the one that gets the weight is not needed, and another one is"""
    for seen, needed in rng.permutation([(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)])[:4].tolist():
        _misleads(call, 3, seen, needed)


@EXERCISE.claim(0.5)
def more(call, rng):
    """also with four to seven words"""
    for n in rng.permutation(np.arange(4, 8))[:3].tolist():
        _misleads(call, n, *rng.permutation(n)[:2].tolist())


@EXERCISE.claim(0.5)
def many(call, rng):
    """also with up to twelve words"""
    for n in rng.permutation(np.arange(9, 13))[:3].tolist():
        _misleads(call, n, *rng.permutation(n)[:2].tolist())


def _for_three(n, seen, needed):
    """Return what is right for three words and stays as it is for more."""
    query, keys, values = reference.misleading_weights(3, seen % 3, needed % 3)
    return query, np.resize(keys, (n, 1)), np.resize(values, (n, 1))


wrong = WrongAnswers(EXERCISE, globals())

wrong("not-balanced", {"values[other] = -100.0 * n": "values[other] = 0.0"}, """
    The word that is looked at is needed as well, although its value is 0.
    Without it the others get ten times the weight or more, and what they bring is no longer diluted. For nothing to
    change, they must bring together just what it brings.""")

wrong("nobody-needed", {
    "values[needed] = 100.0 * n": "values[needed] = 0.0",
    "values[other] = -100.0 * n": "values[other] = 0.0",
}, """
    All values are the same, so no word is needed.
    A word with little weight can still bring a lot: what arrives is weight times value.""")

wrong("too-small", {
    "values[needed] = 100.0 * n": "values[needed] = 1.0",
    "values[other] = -100.0 * n": "values[other] = -1.0",
}, """
    The word that is needed brings too little.
    It has a small weight, and its value does not make up for that.""")

wrong("value-of-seen", {"values[other] = -100.0 * n": "values[other], values[seen] = -100.0 * n, 5.0"}, """
    The word that is looked at brings something of its own.
    Without it the context is what the others bring together. That has to be the same as before.""")

wrong("not-enough-weight", {"np.log(20.0 * n)": "np.log(2.0 * n)"}, """
    The word that should be looked at gets too little of the weight.
    Its share is the exponential of its score, divided by the sum of all exponentials.""")

wrong("weight-of-three", {"np.log(20.0 * n)": "np.log(20.0)"}, """
    With many words, the one that should be looked at gets too little of the weight.
    Every further word adds to the sum of exponentials, so the score has to grow with the number of words.""")

wrong("equal-weights", {"keys[seen] = np.log(20.0 * n)": "keys[seen] = 0.0"}, """
    All words get the same weight.
    Nothing makes one key match the query better than the others.""")

wrong("roles-exchanged", "reference.misleading_weights(n, needed, seen)", """
    The two words have changed places.
    `seen` is the one that gets the weight, and `needed` the one that matters.""")

wrong("always-the-first", "reference.misleading_weights(n, 0, 1)", """
    The two words are always 0 and 1, whichever are asked for.
    The function is told which two: `seen` and `needed`.""")

wrong("other-may-be-seen", {"if word not in (seen, needed)": "if word != needed"}, """
    What the needed word brings is balanced by the word that is looked at.
    That word then brings nearly all of the context. Let a third word do it.""")

wrong("scores-as-weights", {"np.log(20.0 * n)": "20.0 * n"}, """
    The other words get practically no weight.
    Then nothing that they bring arrives, however large it is. A weight of 0.9 would leave something for them.""")

wrong("values-first", "tuple(reference.misleading_weights(n, seen, needed)[i] for i in (0, 2, 1))", """
    Keys and values are returned in the wrong order.
    The order is that in which `context_vector` takes them: query, keys, values.""")

wrong("for-three", "_for_three(n, seen, needed)", """
    What is right for three words is repeated for more.
    Then several words bring the same, and how much they bring together has changed.""")
