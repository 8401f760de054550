"""Specification of `ablation_table`."""

from collections import Counter

import numpy as np

from autograder.execution.handed import Numbers
from autograder.exercises.unit_11_inside_the_model import calls, lookalikes
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

LOSS = "What is lost"
ASKED = "Ask once"

EXERCISE = Exercise(
    reference=reference.ablation_table,
    asks="what the score loses when each head is silent, and each pair of heads.",
    returns=(Output("table", "(n_heads, n_heads)"),),
    calls=calls.ABLATION_TABLE,
    hands={"score": (Numbers(axes=1),)},
    lookalike=lookalikes.ABLATION_TABLE,
)


def _losses(rng, n_heads):
    """Draw how much is lost by every head and by every pair; without one of the heads, the model does better."""
    order = rng.permutation(n_heads)
    losses = rng.uniform(0.25, 1.5, (n_heads, n_heads)) * np.where(np.arange(n_heads) == order[-1], -1, 1)
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


wrong = WrongAnswers(EXERCISE, globals())


def _table(n_heads, entry):
    """Make a table of its entries."""
    return np.array([[entry(i, j) for j in range(n_heads)] for i in range(n_heads)], dtype=float)


def _scores(score, n_heads):
    """Return the scores without every head and without every pair; each is asked for once."""
    table = np.empty((n_heads, n_heads))
    for i in range(n_heads):
        for j in range(i + 1):
            table[i, j] = table[j, i] = score(_heads(i, j))
    return table


def _heads(i, j):
    return (i,) if i == j else (min(i, j), max(i, j))


wrong.at(LOSS)
wrong("scores-themselves", "_scores(score, n_heads)", """
    The table has the scores, not what is lost.
    Measure the whole model as well: the loss is its score minus the score without the heads.""")

wrong("sign", "-ablation_table(score, n_heads)", """
    The sign is wrong: losses are negative.
    What is lost is the score of the whole model minus the score without the heads.""")

wrong("relative", "(score(()) - _scores(score, n_heads)) / score(())", """
    The losses are divided by the score of the whole model.
    A share may be easier to read, but the task asks for the difference itself.""")

wrong("sums-of-singles", {"whole - score((j, i))": "table[i, i] + table[j, j]"}, """
    A pair is taken to lose what its two heads lose, added up.
    That is what you want to find out. Two heads can stand in for each other, and then the pair loses far more.""")

wrong("beyond-the-singles", {
    "table[i, j] = table[j, i] = whole - score((j, i))":
        "table[i, j] = table[j, i] = whole - score((j, i)) - table[i, i] - table[j, j]",
}, """
    Off the diagonal, only the extra loss of a pair is returned.
    That difference says whether two heads stand in for each other. The table has the whole loss.""")

wrong("beyond-the-first",
      {"return table": "return np.where(np.eye(n_heads, dtype=bool), table, table - np.diagonal(table)[:, None])"}, """
    Off the diagonal is what the second head loses once the first one is silent.
    Every loss is counted from the whole model, so the table is symmetric.""")

wrong("diagonal-empty", {"whole - score((i,))": "0"}, """
    The diagonal is 0.
    The diagonal is for what is lost without a single head.""")

wrong("singles-only", {"whole - score((j, i))": "0"}, """
    Only single heads are measured: the table is 0 off the diagonal.
    A head that is not missed by itself may be missed together with another. That is what pairs are for.""")

wrong("upper-triangle", "np.triu(ablation_table(score, n_heads))", """
    The table is 0 below the diagonal.
    Heads i and j are the same pair as j and i. Write the loss to both places.""")

wrong("lower-triangle", "np.tril(ablation_table(score, n_heads))", """
    The table is 0 above the diagonal.
    Heads i and j are the same pair as j and i. Write the loss to both places.""")


@wrong.function
def last_head_left_out(score, n_heads):
    """The last head is never silent.
    `range(n_heads)` ends with n_heads - 1 by itself."""
    table = np.zeros((n_heads, n_heads))
    table[: n_heads - 1, : n_heads - 1] = reference.ablation_table(score, n_heads - 1)
    return table


wrong.at()


@wrong.function
def others_silent(score, n_heads):
    """The heads named are the only ones that are kept.
    `score` takes the heads that are silent. Your function measures how well a head does alone."""
    whole = score(())
    return _table(n_heads, lambda i, j: whole - score(tuple(head for head in range(n_heads) if head not in (i, j))))


wrong("numbers-for-tuples", "_table(n_heads, lambda i, j: score(()) - (score(i) if i == j else score((i, j))))", """
    `score` is called with a number, not with a tuple.
    A tuple of one entry is written with a comma: `(i,)`.""")

wrong.at(ASKED)


@wrong.function
def pairs_twice(score, n_heads):
    """Every pair is measured twice.
    Each call of `score` runs a model over many sentences. Heads i and j are the same pair as j and i."""
    whole = score(())
    return _table(n_heads, lambda i, j: whole - score(_heads(i, j)))


wrong("whole-again-and-again", {
    "whole - score((i,))": "score(()) - score((i,))",
    "whole - score((j, i))": "score(()) - score((j, i))",
    "    whole = score(())\n": "",
}, """
    The whole model is measured anew for every entry.
    Its score is always the same. Measure it once, before the loops.""")

wrong("all-twice", "_table(n_heads, lambda i, j: score(()) - score(_heads(i, j)))", """
    Everything is measured anew for every entry of the table.
    Each call of `score` runs a model over many sentences. The whole model is measured once, and a pair fills two
    entries.""")

wrong.at()
wrong("nested-lists", "ablation_table(score, n_heads).tolist()", """
    The table is a list of lists.
    The task asks for an array, so that you can calculate with it.""")

wrong("same-head-twice", {"whole - score((i,))": "whole - score((i, i))"}, """
    For the diagonal, `score` gets the same head twice.
    One head is a tuple of one: `(i,)`.""")

wrong.at(LOSS)
wrong("gains-as-losses", "np.abs(ablation_table(score, n_heads))", """
    Nothing in the table is negative.
    Without some heads a model does better. Then what is lost is less than 0, and the table should say so.""")

wrong("gains-left-out", "np.maximum(ablation_table(score, n_heads), 0)", """
    What would be negative is 0.
    Without some heads a model does better. Then what is lost is less than 0, and the table should say so.""")
