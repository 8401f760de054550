"""The known mistakes of `first_leak`."""

import numpy as np

from autograder.exercise import Mistake
from transformer_kit import reference

SECTION = "Exercise 3.7: first_leak"
MEANING = "What counts as a leak"


def _moved(attend, X, changed, position):
    return np.abs(attend(changed)[position] - attend(X)[position]).max() > 1e-9


def _changed_rows(X, rows, seed):
    changed = X.copy()
    changed[rows] += np.random.default_rng(seed).standard_normal(changed[rows].shape)
    return changed


def _leaking(attend, X, seed, rows=lambda p: slice(p + 1, None)):
    """Return all positions whose output moves when the tokens in `rows(position)` are changed."""
    return [p for p in range(len(X)) if _moved(attend, X, _changed_rows(X, rows(p), seed), p)]


def _first(positions):
    return positions[0] if positions else None


def _only_the_next(attend, X, seed=0):
    return _first(_leaking(attend, X, seed, lambda p: slice(p + 1, p + 2)))


def _only_the_last(attend, X, seed=0):
    return _first(_leaking(attend, X, seed, lambda p: slice(max(p + 1, len(X) - 1), None)))


def _itself_too(attend, X, seed=0):
    return _first(_leaking(attend, X, seed, lambda p: slice(p, None)))


def _earlier_tokens(attend, X, seed=0):
    return _first(_leaking(attend, X, seed, lambda p: slice(0, p)))


def _last_leak(attend, X, seed=0):
    return _first(_leaking(attend, X, seed)[::-1])


def _token_index(attend, X, seed=0):
    position = reference.first_leak(attend, X, seed)
    return None if position is None else position + 1


def _any_output(attend, X, seed=0):
    before = attend(X)
    for position in range(len(X) - 1):
        after = attend(_changed_rows(X, slice(position + 1, None), seed))
        if np.abs(after - before).max() > 1e-9:
            return position
    return None


def _loose(attend, X, seed=0):
    before = attend(X)
    for position in range(len(X) - 1):
        after = attend(_changed_rows(X, slice(position + 1, None), seed))
        if not np.allclose(after[position], before[position]):
            return position
    return None


def _exact(attend, X, seed=0):
    before = attend(X)
    for position in range(len(X) - 1):
        after = attend(_changed_rows(X, slice(position + 1, None), seed))
        if not np.array_equal(after[position], before[position]):
            return position
    return None


def _only_position_0(attend, X, seed=0):
    return 0 if reference.first_leak(attend, X, seed) == 0 else None


def _cut_off(attend, X, seed=0):
    before = attend(X)
    for position in range(len(X) - 1):
        if np.abs(attend(X[: position + 1])[position] - before[position]).max() > 1e-9:
            return position
    return None


def _minus_one(attend, X, seed=0):
    position = reference.first_leak(attend, X, seed)
    return -1 if position is None else position


def _yes_or_no(attend, X, seed=0):
    return reference.first_leak(attend, X, seed) is not None


def _in_place(attend, X, seed=0):
    rng = np.random.default_rng(seed)
    before = attend(X)
    for position in range(len(X) - 1):
        X[position + 1 :] += rng.standard_normal(X[position + 1 :].shape)
        if np.abs(attend(X)[position] - before[position]).max() > 1e-9:
            return position
    return None


def _judged_by(moved):
    """Return a search that changes the right tokens and judges the movement of one output in its own way."""

    def first_leak(attend, X, seed=0):
        before = attend(X)
        for position in range(len(X) - 1):
            after = attend(_changed_rows(X, slice(position + 1, None), seed))
            if moved(after[position] - before[position]):
                return position
        return None

    return first_leak


def _later_times(factor):
    """Return a search that multiplies the later tokens instead of adding to them."""

    def first_leak(attend, X, seed=0):
        for position in range(len(X) - 1):
            changed = X.copy()
            changed[position + 1 :] *= factor
            if _moved(attend, X, changed, position):
                return position
        return None

    return first_leak


def _restored(attend, X, seed=0):
    given, rng = X.copy(), np.random.default_rng(seed)
    before = attend(X)
    for position in range(len(X) - 1):
        X[position + 1 :] += rng.standard_normal(X[position + 1 :].shape)
        after = attend(X)
        X[...] = given
        if np.abs(after[position] - before[position]).max() > 1e-9:
            return position
    return None


MISTAKES = (
    Mistake(
        "only-the-next",
        "Only the next token is changed",
        _only_the_next,
        "A leak may come from any later token, also from one far away.",
        MEANING,
    ),
    Mistake(
        "only-the-last",
        "Only the last token is changed",
        _only_the_last,
        "A leak may come from any later token, also from the very next one.",
        MEANING,
    ),
    Mistake(
        "itself-too",
        "The token at the position itself is changed too",
        _itself_too,
        "Every output depends on its own token, and may. Only tokens after the position are of interest.",
        MEANING,
    ),
    Mistake(
        "earlier-tokens",
        "The tokens before the position are changed",
        _earlier_tokens,
        "Looking back is allowed. A leak is information that comes from a later position.",
        MEANING,
    ),
    Mistake(
        "last-leak",
        "The last leaking position is returned",
        _last_leak,
        "Several positions may leak. The first one tells you most about the mask, and it lets you stop early.",
        SECTION,
    ),
    Mistake(
        "token-index",
        "The index is one too high",
        _token_index,
        "Asked for is the position whose output moves, counted from 0, not the first token that was changed.",
        SECTION,
    ),
    Mistake(
        "any-output",
        "All outputs are compared, not only the one at the position",
        _any_output,
        "When later tokens change, later outputs are meant to move. Look at the output of one position only.",
        MEANING,
    ),
    Mistake(
        "loose-comparison",
        "Small movements go unnoticed",
        _loose,
        "`np.allclose` allows a difference of a hundred-thousandth of the size. "
        "The bound here is 1e-9, in absolute terms.",
        MEANING,
    ),
    Mistake(
        "bound-too-large",
        "Movements that are small, but above the bound, go unnoticed",
        _judged_by(lambda movement: np.abs(movement).max() > 3e-7),
        "Your comparison lets more pass than 1e-9. A weak leak is a leak: training finds it and makes use of it.",
        MEANING,
    ),
    Mistake(
        "sign-matters",
        "Movements downwards go unnoticed",
        _judged_by(lambda movement: movement.max() > 1e-9),
        "An entry that falls has moved as well. What counts is the size of a movement, without its sign.",
        MEANING,
    ),
    Mistake(
        "first-feature-only",
        "Only the first entry of an output is compared",
        _judged_by(lambda movement: np.abs(movement[0]) > 1e-9),
        "An output is a whole row. A leak may sit in any of its entries, also in the last.",
        MEANING,
    ),
    Mistake(
        "movements-cancel",
        "The movements of the entries are summed with their signs",
        _judged_by(lambda movement: np.abs(movement.sum()) > 1e-9),
        "One entry that rises and one that falls can cancel in a sum or a mean. Take the size of each movement first.",
        MEANING,
    ),
    Mistake(
        "later-tokens-set-to-0",
        "The later tokens are set to 0",
        _later_times(0),
        "A token that is 0 already is not changed by that. Add an amount to every token, so that all of them change.",
        MEANING,
    ),
    Mistake(
        "later-tokens-negated",
        "The later tokens get the opposite sign",
        _later_times(-1),
        "What depends on squares or sizes does not notice a sign, and a 0 has none. Add an amount to every token.",
        MEANING,
    ),
    Mistake(
        "exact-comparison",
        "Rounding noise is taken for a leak",
        _exact,
        "Right code may move by the last binary digit, depending on how sums are ordered. The bound is 1e-9, not 0.",
        MEANING,
    ),
    Mistake(
        "only-position-0",
        "The search ends after the first position",
        _only_position_0,
        "A `return None` inside the loop ends the function at once. Only after the last position is it certain "
        "that nothing leaks.",
        SECTION,
    ),
    Mistake(
        "cut-off",
        "The later tokens are cut off instead of changed",
        _cut_off,
        "`attend` takes a sequence of the full length: its mask does not fit a shorter one.",
        SECTION,
    ),
    Mistake(
        "minus-one",
        "-1 is returned when nothing leaks",
        _minus_one,
        "-1 is a legal index in Python, the last position, so it cannot also mean “none”.",
        SECTION,
    ),
    Mistake(
        "yes-or-no",
        "The answer is True or False",
        _yes_or_no,
        "Asked for is where it leaks: an index, or None.",
        SECTION,
    ),
    Mistake(
        "restored",
        "The tokens of the caller are overwritten and restored later",
        _restored,
        "In between, everything that shares memory with X changes with it, even an output that was kept for "
        "comparison. Change a copy.",
        SECTION,
    ),
    Mistake(
        "in-place",
        "The tokens of the caller are overwritten",
        _in_place,
        "`X[...] += ...` changes the array that was given. Change a copy of it.",
        SECTION,
    ),
)
