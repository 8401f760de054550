"""Specification of `ablation_table`."""

from collections import Counter

import numpy as np

from autograder.execution.handed import Numbers
from autograder.exercises.unit_11_inside_the_model import calls
from autograder.exercises.unit_11_inside_the_model.ablation_table_mistakes import MISTAKES, SECTION
from autograder.specification import Exercise, Output
from transformer_kit import reference

EXERCISE = Exercise(
    reference=reference.ablation_table,
    asks="what the score loses when each head is silent, and each pair of heads.",
    returns=(Output("table", "(n_heads, n_heads)"),),
    where=SECTION,
    calls=calls.ABLATION_TABLE,
    mistakes=MISTAKES,
    hands={"score": (Numbers(axes=1),)},
)


def _losses(rng, n_heads):
    """Draw how much is lost by every head and by every pair; without one of the heads, the model does better."""
    order = rng.permutation(n_heads)
    losses = rng.uniform(0.5, 3, (n_heads, n_heads)) * np.where(np.arange(n_heads) == order[-1], -1, 1)
    losses = losses + losses.T
    spare = order[: min(2, n_heads - 1)]
    losses[spare, spare] = losses[spare, spare[::-1]] = 0.0  # heads that nobody misses
    return losses


def _score(losses, whole, asked=None):
    """Return a score with these losses; `asked` takes the heads of every call."""

    def score(heads):
        silent = sorted(int(head) for head in heads)
        if asked is not None:
            asked.append(tuple(silent))
        if len(silent) > len(set(silent[:2])):  # three or more, or one that is named twice
            return whole - losses[np.ix_(silent, silent)].sum()
        return whole - (losses[silent[0], silent[-1]] if silent else 0.0)

    return score


def _drawn(rng, n_heads):
    return _score(_losses(rng, n_heads), rng.uniform(20, 30))


def _part(call, rng, n_heads, place, name):
    """Require the reference's entries in one part of the table."""
    score = _drawn(rng, n_heads)
    table = call.array((n_heads, n_heads), score, n_heads)
    call.equals(place(table), place(reference.ablation_table(score, n_heads)), Output(name), ())


@EXERCISE.claim(1.5)
def singles(call, rng):
    """the diagonal has what is lost without one head"""
    for n_heads in (4, 17):
        _part(call, rng, n_heads, lambda table: np.diagonal(table).copy(), "diagonal")


@EXERCISE.claim(1.5)
def pairs(call, rng):
    """off the diagonal, on both sides, is what is lost without two heads"""
    for n_heads in (4, 5):
        _part(call, rng, n_heads, lambda table: table[~np.eye(len(table), dtype=bool)], "off the diagonal")


def _times(call, rng, n_heads):
    """Return how often the function asks for which heads; require a table in which some loss stands."""
    asked, losses = [], _losses(rng, n_heads)
    table = call.array((n_heads, n_heads), _score(losses, rng.uniform(20, 30), asked), n_heads)
    times = Counter(asked)
    found = np.isclose(np.abs(table), losses)[losses > 0].any()
    call.holds(found, "no entry of the table is what a head or a pair loses.")
    return times


@EXERCISE.claim(0.5)
def whole_once(call, rng):
    """measures the whole model once"""
    times = _times(call, rng, int(rng.integers(4, 7)))[()]
    call.holds(times == 1, f"score(()) was called {times} times; the whole model needs to be measured once.")


@EXERCISE.claim(1)
def asked_once(call, rng):
    """asks once for every head and once for every pair, in whatever order its two heads are named"""
    n_heads = int(rng.integers(4, 7))
    times = _times(call, rng, n_heads)
    due = [(i,) for i in range(n_heads)] + [(i, j) for j in range(n_heads) for i in range(j)]
    wrong = [heads for heads in due if times[heads] != 1]
    first = f"the first of them, {wrong[0]}, was asked for {times[wrong[0]]} times" if wrong else ""
    call.holds(not wrong, f"{len(wrong)} of {len(due)} measurements were not made exactly once; {first}.")
    more = [heads for heads in times if heads and heads not in due]
    call.holds(not more, f"three or more heads were silent together: {more[:1]}.")


@EXERCISE.claim(0.5)
def few_heads(call, rng):
    """works for one head and for two, and every call makes a new table"""
    for n_heads in (2, 1):
        call.agrees(_drawn(rng, n_heads), n_heads)
    call.leaves_inputs_alone(_drawn(rng, 2), 2)
