"""The known mistakes of `first_leak` with its search, with its result, and with how tokens are changed."""

import numpy as np

from autograder.exercises.unit_03_masking.first_leak_mistakes import MEANING, SECTION
from autograder.exercises.unit_03_masking.first_leak_variants import (
    first,
    later_plus,
    leaking,
)
from autograder.specification import KnownMistakes
from transformer_kit import reference

MISTAKES = KnownMistakes()


@MISTAKES.add(where=SECTION)
def only_position_0(attend, X, seed=0):
    """The search ends after the first position.

    A `return None` inside the loop ends the function at once. Only after the last position is it certain that
    nothing leaks.
    """
    return 0 if reference.first_leak(attend, X, seed) == 0 else None


@MISTAKES.add(where=SECTION)
def cut_off(attend, X, seed=0):
    """The later tokens are cut off instead of changed.

    `attend` takes a sequence of the full length: its mask does not fit a shorter one.
    """
    before = attend(X)
    for position in range(len(X) - 1):
        if np.abs(attend(X[: position + 1])[position] - before[position]).max() > 1e-9:
            return position
    return None


@MISTAKES.add(where=SECTION)
def minus_one(attend, X, seed=0):
    """-1 is returned when nothing leaks.

    -1 is a legal index in Python, the last position, so it cannot also mean “none”.
    """
    position = reference.first_leak(attend, X, seed)
    return -1 if position is None else position


@MISTAKES.add(where=SECTION)
def yes_or_no(attend, X, seed=0):
    """The answer is True or False.

    Say where it leaks: an index, or None.
    """
    return reference.first_leak(attend, X, seed) is not None


@MISTAKES.add(where=SECTION)
def restored(attend, X, seed=0):
    """The tokens of the caller are overwritten and restored later.

    In between, everything that shares memory with X changes with it, even an output that was kept for comparison.
    Change a copy.
    """
    given, rng = X.copy(), np.random.default_rng(seed)
    before = attend(X)
    for position in range(len(X) - 1):
        X[position + 1 :] += rng.standard_normal(X[position + 1 :].shape)
        after = attend(X)
        X[...] = given
        if np.abs(after[position] - before[position]).max() > 1e-9:
            return position
    return None


@MISTAKES.add(where=SECTION)
def in_place(attend, X, seed=0):
    """The tokens of the caller are overwritten.

    `X[...] += ...` changes the array that was given. Change a copy of it.
    """
    rng = np.random.default_rng(seed)
    before = attend(X)
    for position in range(len(X) - 1):
        X[position + 1 :] += rng.standard_normal(X[position + 1 :].shape)
        if np.abs(attend(X)[position] - before[position]).max() > 1e-9:
            return position
    return None


@MISTAKES.add(where=MEANING)
def changes_pile_up(attend, X, seed=0):
    """The changes of one position stay for the next.

    The copy is made once, before the loop. Then at position 1 its own token has been changed already. Begin every
    round with a new copy of X.
    """
    rng, before, changed = np.random.default_rng(seed), attend(X), X.copy()
    for position in range(len(X) - 1):
        changed[position + 1 :] += rng.standard_normal(changed[position + 1 :].shape)
        if np.abs(attend(changed)[position] - before[position]).max() > 1e-9:
            return position
    return None


@MISTAKES.add(where=MEANING)
def position_0_left_out(attend, X, seed=0):
    """The search begins at position 1.

    Positions count from 0, and the first one can leak like any other.
    """
    return first([position for position in leaking(attend, X, seed) if position])


@MISTAKES.add(where=MEANING)
def amounts_too_small(attend, X, seed=0):
    """The later tokens are changed by tiny amounts.

    A weak leak then moves the output by less than the bound. The amounts should be of order 1.
    """
    rng, before = np.random.default_rng(seed), attend(X)
    for position in range(len(X) - 1):
        changed = X.copy()
        changed[position + 1 :] += 1e-8 * rng.standard_normal(changed[position + 1 :].shape)
        if np.abs(attend(changed)[position] - before[position]).max() > 1e-9:
            return position
    return None


@MISTAKES.add(where=MEANING)
def same_amount(attend, X, seed=0):
    """Every later token is changed by the same amount.

    A layer norm subtracts the mean of a token, and a constant with it: a leak behind one goes unnoticed. Draw random
    amounts, one for every entry.
    """
    return later_plus(lambda later, rng: 1.0, attend, X, seed)


@MISTAKES.add(where=MEANING)
def one_amount_per_token(attend, X, seed=0):
    """All entries of a later token are changed by the same amount.

    A layer norm subtracts the mean of a token, and the amount with it: a leak behind one goes unnoticed. Draw an amount
    for every entry.
    """
    return later_plus(lambda later, rng: rng.standard_normal((len(later), 1)), attend, X, seed)


@MISTAKES.add(where=MEANING)
def one_row_for_all_tokens(attend, X, seed=0):
    """The same row of amounts is added to all later tokens.

    What depends on the difference of two of them stays as it was. Draw amounts for every token.
    """
    return later_plus(lambda later, rng: rng.standard_normal(later.shape[1]), attend, X, seed)


@MISTAKES.add(where=MEANING)
def amounts_that_sum_to_0(attend, X, seed=0):
    """The amounts of every later token sum to 0.

    What depends on the sum or the mean of a token stays as it was. Draw the amounts, and use them as they are.
    """

    def centred(later, rng):
        amounts = rng.standard_normal(later.shape)
        return amounts - amounts.mean(axis=-1, keepdims=True)

    return later_plus(centred, attend, X, seed)


@MISTAKES.add(where=MEANING)
def later_tokens_shuffled(attend, X, seed=0):
    """The later tokens are only put in another order.

    A sum or a mean of them stays the same, and a single later token stays where it is. Change the numbers.
    """
    rng, before = np.random.default_rng(seed), attend(X)
    for position in range(len(X) - 1):
        changed = X.copy()
        changed[position + 1 :] = rng.permutation(changed[position + 1 :])
        if np.abs(attend(changed)[position] - before[position]).max() > 1e-9:
            return position
    return None
