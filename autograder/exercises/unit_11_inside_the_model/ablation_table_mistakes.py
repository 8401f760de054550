"""The known mistakes of `ablation_table`."""

import numpy as np

from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 11.3: ablation_table"
LOSS = "What is lost"
ASKED = "Ask once"

MISTAKES = KnownMistakes()


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


@MISTAKES.add(where=LOSS)
def scores_themselves(score, n_heads):
    """The table has the scores, not what is lost.

    Measure the whole model as well: the loss is its score minus the score without the heads.
    """
    return _scores(score, n_heads)


@MISTAKES.add(where=LOSS)
def sign(score, n_heads):
    """The sign is wrong: losses are negative.

    What is lost is the score of the whole model minus the score without the heads.
    """
    return -reference.ablation_table(score, n_heads)


@MISTAKES.add(where=LOSS)
def relative(score, n_heads):
    """The losses are divided by the score of the whole model.

    A share may be easier to read, but the task asks for the difference itself.
    """
    whole = score(())
    return (whole - _scores(score, n_heads)) / whole


@MISTAKES.add(where=LOSS)
def sums_of_singles(score, n_heads):
    """A pair is taken to lose what its two heads lose, added up.

    That is what you want to find out. Two heads can stand in for each other, and then the pair loses far more.
    """
    whole = score(())
    singles = [whole - score((i,)) for i in range(n_heads)]
    return _table(n_heads, lambda i, j: singles[i] if i == j else singles[i] + singles[j])


@MISTAKES.add(where=LOSS)
def beyond_the_singles(score, n_heads):
    """Off the diagonal is only what a pair loses beyond its two heads.

    That difference says whether two heads stand in for each other. The table has the whole loss.
    """
    table = reference.ablation_table(score, n_heads)
    singles = np.diagonal(table)
    return np.where(np.eye(n_heads, dtype=bool), table, table - singles[:, None] - singles)


@MISTAKES.add(where=LOSS)
def beyond_the_first(score, n_heads):
    """Off the diagonal is what the second head loses once the first one is silent.

    Every loss is counted from the whole model, so the table is symmetric.
    """
    table = reference.ablation_table(score, n_heads)
    return np.where(np.eye(n_heads, dtype=bool), table, table - np.diagonal(table)[:, None])


@MISTAKES.add(where=LOSS)
def diagonal_empty(score, n_heads):
    """The diagonal is 0.

    The diagonal is for what is lost without a single head.
    """
    whole = score(())
    table = np.zeros((n_heads, n_heads))
    for i in range(n_heads):
        for j in range(i):
            table[i, j] = table[j, i] = whole - score((j, i))
    return table


@MISTAKES.add(where=LOSS)
def singles_only(score, n_heads):
    """Only single heads are measured: the table is 0 off the diagonal.

    A head that is not missed by itself may be missed together with another. That is what pairs are for.
    """
    whole = score(())
    return np.diag([whole - score((i,)) for i in range(n_heads)])


@MISTAKES.add(where=LOSS)
def upper_triangle(score, n_heads):
    """The table is 0 below the diagonal.

    Heads i and j are the same pair as j and i. Write the loss to both places.
    """
    return np.triu(reference.ablation_table(score, n_heads))


@MISTAKES.add(where=LOSS)
def lower_triangle(score, n_heads):
    """The table is 0 above the diagonal.

    Heads i and j are the same pair as j and i. Write the loss to both places.
    """
    return np.tril(reference.ablation_table(score, n_heads))


@MISTAKES.add(where=LOSS)
def last_head_left_out(score, n_heads):
    """The last head is never silent.

    `range(n_heads)` ends with n_heads - 1 by itself.
    """
    table = np.zeros((n_heads, n_heads))
    table[: n_heads - 1, : n_heads - 1] = reference.ablation_table(score, n_heads - 1)
    return table


@MISTAKES.add(where=SECTION)
def others_silent(score, n_heads):
    """The heads named are the only ones that are kept.

    `score` takes the heads that are silent. Your function measures how well a head does alone.
    """
    whole = score(())
    return _table(n_heads, lambda i, j: whole - score(tuple(head for head in range(n_heads) if head not in (i, j))))


@MISTAKES.add(where=SECTION)
def numbers_for_tuples(score, n_heads):
    """`score` is called with a number, not with a tuple.

    A tuple of one entry is written with a comma: `(i,)`.
    """
    whole = score(())
    return _table(n_heads, lambda i, j: whole - (score(i) if i == j else score((i, j))))


@MISTAKES.add(where=ASKED)
def pairs_twice(score, n_heads):
    """Every pair is measured twice.

    Each call of `score` runs a model over many sentences. Heads i and j are the same pair as j and i.
    """
    whole = score(())
    return _table(n_heads, lambda i, j: whole - score(_heads(i, j)))


@MISTAKES.add(where=ASKED)
def whole_again_and_again(score, n_heads):
    """The whole model is measured anew for every entry.

    Its score is always the same. Measure it once, before the loops.
    """
    table = np.empty((n_heads, n_heads))
    for i in range(n_heads):
        table[i, i] = score(()) - score((i,))
        for j in range(i):
            table[i, j] = table[j, i] = score(()) - score((j, i))
    return table


@MISTAKES.add(where=ASKED)
def all_twice(score, n_heads):
    """Everything is measured anew for every entry of the table.

    Each call of `score` runs a model over many sentences. The whole model is measured once, and a pair fills two
    entries.
    """
    return _table(n_heads, lambda i, j: score(()) - score(_heads(i, j)))


@MISTAKES.add(where=SECTION)
def nested_lists(score, n_heads):
    """The table is a list of lists.

    The task asks for an array, so that you can calculate with it.
    """
    return reference.ablation_table(score, n_heads).tolist()


@MISTAKES.add(where=SECTION)
def same_head_twice(score, n_heads):
    """For the diagonal, `score` gets the same head twice.

    One head is a tuple of one: `(i,)`.
    """
    whole, table = score(()), np.empty((n_heads, n_heads))
    for i in range(n_heads):
        for j in range(i + 1):
            table[i, j] = table[j, i] = whole - score((j, i))
    return table


@MISTAKES.add(where=LOSS)
def gains_as_losses(score, n_heads):
    """Nothing in the table is negative.

    Without some heads a model does better. Then what is lost is less than 0, and the table should say so.
    """
    return np.abs(reference.ablation_table(score, n_heads))


@MISTAKES.add(where=LOSS)
def gains_left_out(score, n_heads):
    """What would be negative is 0.

    Without some heads a model does better. Then what is lost is less than 0, and the table should say so.
    """
    return np.maximum(reference.ablation_table(score, n_heads), 0)
