"""Functions that learners wrote for `ablation_table`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong(
    "asks for every pair twice, and for the whole model once",
    names={"pairs-twice"},
)
def full_loops(score, n_heads):
    whole = score(())
    table = np.zeros((n_heads, n_heads))
    for i in range(n_heads):
        for j in range(n_heads):
            table[i, j] = whole - score((i,) if i == j else (i, j))
    return table


@wrong(
    "asks for the whole model and for every pair again and again",
    names={"all-twice"},
)
def everything_inside(score, n_heads):
    table = np.zeros((n_heads, n_heads))
    for i in range(n_heads):
        for j in range(n_heads):
            heads = (i,) if i == j else (i, j)
            table[i, j] = score(()) - score(heads)
    return table


@wrong(
    "fills one side of the diagonal only",
    names={"upper-triangle"},
    line="table[i, j] = whole - score((i, j))",
)
def half_a_table(score, n_heads):
    whole = score(())
    table = np.zeros((n_heads, n_heads))
    for i in range(n_heads):
        table[i, i] = whole - score((i,))
        for j in range(i + 1, n_heads):
            table[i, j] = whole - score((i, j))
    return table


@wrong(
    "the losses have the wrong sign",
    names={"sign"},
    line="table[i, i] = score((i,)) - whole",
)
def negative(score, n_heads):
    whole = score(())
    table = np.zeros((n_heads, n_heads))
    for i in range(n_heads):
        table[i, i] = score((i,)) - whole
        for j in range(i):
            table[i, j] = table[j, i] = score((i, j)) - whole
    return table


@wrong(
    "returns scores, not losses, and never measures the whole model",
    names={"scores-themselves"},
    line="table[i, i] = score((i,))",
)
def no_losses(score, n_heads):
    table = np.zeros((n_heads, n_heads))
    for i in range(n_heads):
        table[i, i] = score((i,))
        for j in range(i):
            table[i, j] = table[j, i] = score((i, j))
    return table


@wrong(
    "forgets the comma of a tuple with one entry, so score gets a number",
    names={"numbers-for-tuples"},
    line="table[i, i] = whole - score((i))",
)
def no_comma(score, n_heads):
    whole = score(())
    table = np.zeros((n_heads, n_heads))
    for i in range(n_heads):
        table[i, i] = whole - score((i))
        for j in range(i):
            table[i, j] = table[j, i] = whole - score((i, j))
    return table


@wrong(
    "adds up the losses of the two heads without ever silencing both",
    names={"sums-of-singles"},
    line="return singles[:, None] + singles - np.diag(singles)",
)
def added(score, n_heads):
    whole = score(())
    singles = np.array([whole - score((i,)) for i in range(n_heads)])
    return singles[:, None] + singles - np.diag(singles)


@right
def with_two_loops(score, n_heads):
    table = np.empty((n_heads, n_heads))
    base = score(())
    for i in range(n_heads):
        for j in range(i, n_heads):
            loss = base - score((i,) if i == j else (i, j))
            table[i][j] = loss
            table[j][i] = loss
    return table


@wrong(
    "asks for the diagonal with the same head twice",
    names={"same-head-twice"},
    line="table[i, j] = table[j, i] = whole - score((i, j))",
)
def same_head_twice(score, n_heads):
    whole = score(())
    table = np.zeros((n_heads, n_heads))
    for i in range(n_heads):
        for j in range(i, n_heads):
            table[i, j] = table[j, i] = whole - score((i, j))
    return table


@wrong(
    "off the diagonal it has what the second head costs once the first is gone",
    line="table[i, j] = table[j, i] = score((i,)) - score((i, j))",
)
def lost_on_top(score, n_heads):
    whole = score(())
    table = np.zeros((n_heads, n_heads))
    for i in range(n_heads):
        table[i, i] = whole - score((i,))
        for j in range(i):
            table[i, j] = table[j, i] = score((i,)) - score((i, j))
    return table


@wrong(
    "the table has whole numbers, so that fractions are cut off",
    line="table = np.zeros((n_heads, n_heads), dtype=int)",
)
def whole_numbers(score, n_heads):
    table = np.zeros((n_heads, n_heads), dtype=int)
    whole = score(())
    for i in range(n_heads):
        for j in range(i + 1):
            table[i, j] = table[j, i] = whole - score((i,) if i == j else (j, i))
    return table


@wrong("takes the size of a loss, so that a gain counts as a loss", names={"gains-as-losses"})
def sizes_of_losses(score, n_heads):
    whole = score(())
    table = np.zeros((n_heads, n_heads))
    for i in range(n_heads):
        for j in range(i, n_heads):
            heads = (i,) if i == j else (i, j)
            table[i, j] = table[j, i] = abs(whole - score(heads))
    return table


@wrong("writes 0 where the model does better without the heads", names={"gains-left-out"})
def no_gains(score, n_heads):
    whole = score(())
    table = np.zeros((n_heads, n_heads))
    for i in range(n_heads):
        for j in range(i, n_heads):
            heads = (i,) if i == j else (i, j)
            table[i, j] = table[j, i] = max(whole - score(heads), 0)
    return table
