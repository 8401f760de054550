"""The known mistakes of `first_leak` with which tokens are changed, and with how outputs are compared."""

import numpy as np

from autograder.exercises.edited import edited
from autograder.exercises.unit_03_masking.first_leak_variants import (
    changed_rows,
    first,
    judged,
    later_times,
    leaking,
)
from autograder.specification import KnownMistakes
from transformer_kit import reference

SECTION = "Exercise 3.7: first_leak"
MEANING = "What counts as a leak"

MISTAKES = KnownMistakes()


@MISTAKES.add(where=MEANING)
def only_the_next(attend, X, seed=0):
    """Only the next token is changed.

    A leak may come from any later token, also from one far away.
    """
    return first(leaking(attend, X, seed, lambda p: slice(p + 1, p + 2)))


@MISTAKES.add(where=MEANING)
def only_the_last(attend, X, seed=0):
    """Only the last token is changed.

    A leak may come from any later token, also from the very next one.
    """
    return first(leaking(attend, X, seed, lambda p: slice(max(p + 1, len(X) - 1), None)))


@MISTAKES.add(where=MEANING)
def itself_too(attend, X, seed=0):
    """The token at the position itself is changed too.

    Every output depends on its own token, and may. Only tokens after the position are of interest.
    """
    return first(leaking(attend, X, seed, lambda p: slice(p, None)))


@MISTAKES.add(where=MEANING)
def earlier_tokens(attend, X, seed=0):
    """The tokens before the position are changed.

    Looking back is allowed. A leak is information that comes from a later position.
    """
    return first(leaking(attend, X, seed, lambda p: slice(0, p)))


@MISTAKES.add(where=SECTION)
def last_leak(attend, X, seed=0):
    """The last leaking position is returned.

    Several positions may leak. The first one tells you most about the mask, and it lets you stop early.
    """
    return first(leaking(attend, X, seed)[::-1])


@MISTAKES.add(where=SECTION)
def token_index(attend, X, seed=0):
    """The index is one too high.

    The result is the position whose output moves, counted from 0, not the first token that was changed.
    """
    position = reference.first_leak(attend, X, seed)
    return None if position is None else position + 1


@MISTAKES.add(where=MEANING)
def any_output(attend, X, seed=0):
    """A position is reported although its own output has not moved.

    Compare the output of that one position before and after the change. The outputs after it are meant to move, and an
    output is not the token itself.
    """
    before = attend(X)
    for position in range(len(X) - 1):
        after = attend(changed_rows(X, slice(position + 1, None), seed))
        if np.abs(after - before).max() > 1e-9:
            return position
    return None


@MISTAKES.add(where=MEANING)
def loose_comparison(attend, X, seed=0):
    """Small movements go unnoticed.

    `np.allclose` allows a difference of a hundred-thousandth of the size. The bound here is 1e-9, in absolute
    terms.
    """
    before = attend(X)
    for position in range(len(X) - 1):
        after = attend(changed_rows(X, slice(position + 1, None), seed))
        if not np.allclose(after[position], before[position]):
            return position
    return None


@MISTAKES.add(where=MEANING)
def bound_too_large(attend, X, seed=0):
    """Movements that are small, but above the bound, go unnoticed.

    Your comparison lets through more than 1e-9. A weak leak is a leak: training finds it and makes use of it.
    """
    return judged(attend, X, seed, lambda movement: np.abs(movement).max() > 3e-7)


@MISTAKES.add(where=MEANING)
def sign_matters(attend, X, seed=0):
    """Movements downwards go unnoticed.

    An entry that falls has moved as well. What counts is the size of a movement, without its sign.
    """
    return judged(attend, X, seed, lambda movement: movement.max() > 1e-9)


@MISTAKES.add(where=MEANING)
def first_feature_only(attend, X, seed=0):
    """Only the first entry of an output is compared.

    An output is a whole row. A leak may sit in any of its entries, also in the last.
    """
    return judged(attend, X, seed, lambda movement: np.abs(movement[0]) > 1e-9)


@MISTAKES.add(where=MEANING)
def movements_cancel(attend, X, seed=0):
    """The movements of the entries are summed with their signs.

    One entry that rises and one that falls can cancel in a sum or a mean. Take the size of each movement first.
    """
    return judged(attend, X, seed, lambda movement: np.abs(movement.sum()) > 1e-9)


@MISTAKES.add(where=MEANING)
def later_tokens_set_to_0(attend, X, seed=0):
    """The later tokens are set to 0.

    A token that is 0 already is not changed by that. Add an amount to every token, so that all of them change.
    """
    return later_times(0, attend, X)


@MISTAKES.add(where=MEANING)
def later_tokens_negated(attend, X, seed=0):
    """The later tokens get the opposite sign.

    What depends on squares or sizes does not notice a sign, and a 0 has none. Add an amount to every token.
    """
    return later_times(-1, attend, X)


@MISTAKES.add(where=MEANING)
def exact_comparison(attend, X, seed=0):
    """Rounding noise is taken for a leak.

    Right code may move by the last binary digit, depending on how sums are ordered. The bound is 1e-9, not 0.
    """
    before = attend(X)
    for position in range(len(X) - 1):
        after = attend(changed_rows(X, slice(position + 1, None), seed))
        if not np.array_equal(after[position], before[position]):
            return position
    return None


MOVED = "np.abs(attend(changed)[position] - before[position]).max()"


@MISTAKES.add(where=MEANING)
@edited(reference.first_leak, {MOVED: "(attend(changed)[position] - before[position]).max()"})
def sign_matters_for_other_amounts():
    """Movements downwards go unnoticed.

    An entry that falls has moved as well. What counts is the size of a movement, without its sign.
    """


@MISTAKES.add(where=MEANING)
@edited(reference.first_leak, {MOVED: "(attend(changed)[position] - before[position]).sum()"})
def sum_of_movements():
    """The movements of the entries are summed with their signs, and a sum below 0 goes unnoticed.

    Entries that rise and entries that fall can cancel in a sum. Take the size of each movement first.
    """
