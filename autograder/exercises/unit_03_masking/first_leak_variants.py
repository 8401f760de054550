"""Parts of a search for leaks, for the known mistakes of `first_leak`."""

import numpy as np


def output_moves(attend, X, changed, position):
    """Tell whether the output of one position differs between two sequences."""
    return np.abs(attend(changed)[position] - attend(X)[position]).max() > 1e-9


def changed_rows(X, rows, seed):
    """Return a copy of X with random numbers added to some rows."""
    changed = X.copy()
    changed[rows] += np.random.default_rng(seed).standard_normal(changed[rows].shape)
    return changed


def leaking(attend, X, seed, rows=lambda p: slice(p + 1, None)):
    """Return all positions whose output moves when the tokens in `rows(position)` are changed."""
    return [p for p in range(len(X)) if output_moves(attend, X, changed_rows(X, rows(p), seed), p)]


def first(positions):
    """Return the first of these positions, or None."""
    return positions[0] if positions else None


def judged(attend, X, seed, moved):
    """Change the right tokens, and judge the movement of one output by a function."""
    before = attend(X)
    for position in range(len(X) - 1):
        after = attend(changed_rows(X, slice(position + 1, None), seed))
        if moved(after[position] - before[position]):
            return position
    return None


def later_times(factor, attend, X):
    """Multiply the later tokens instead of adding to them."""
    for position in range(len(X) - 1):
        changed = X.copy()
        changed[position + 1 :] *= factor
        if output_moves(attend, X, changed, position):
            return position
    return None


def later_plus(amounts, attend, X, seed):
    """Add the amounts that amounts(later, rng) gives for the later tokens."""
    rng, before = np.random.default_rng(seed), attend(X)
    for position in range(len(X) - 1):
        changed = X.copy()
        changed[position + 1 :] += amounts(changed[position + 1 :], rng)
        if np.abs(attend(changed)[position] - before[position]).max() > 1e-9:
            return position
    return None
