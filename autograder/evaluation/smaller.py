"""Less of what a call was given: shorter axes and shorter numbers, so that it can be read and copied."""

import itertools
import math
from typing import Any

import numpy as np

from autograder.execution.nested import leaves, mapped

MAX_SIZE = 16  # numbers among the arguments of an example, and among its results
MAX_AXIS_LENGTH = 3  # of an array that was cut
MAX_DIGITS = 6  # characters of a number among the arguments
LARGE = 1000  # numbers from here on are harder to follow than those near 1


def lengths_to_try(given: object) -> list[dict[int, int]]:
    """Return what the lengths of axes may become: few numbers first, but lengths of 1, which show little, last.

    Parameters
    ----------
    given : object
        The arguments of a call.

    Returns
    -------
    list of dict
        In each the new length of every length that becomes a smaller one; equal ones stay equal.
    """
    shapes = [leaf.shape for leaf in leaves(given) if isinstance(leaf, np.ndarray)]
    others = size_of(given) - sum(map(math.prod, shapes))
    old = sorted({length for shape in shapes for length in shape if length > 1})
    choices = []
    for new in itertools.product(*(range(1, min(length, MAX_AXIS_LENGTH) + 1) for length in old)):
        lengths = dict(zip(old, new, strict=True))
        size = others + sum(math.prod(lengths.get(length, length) for length in shape) for shape in shapes)
        if size <= MAX_SIZE:
            choices.append((new.count(1), size, new, lengths))
    return [lengths for *_, lengths in sorted(choices, key=lambda choice: choice[:3])]


def with_less(value: Any, lengths: dict[int, int]) -> Any:
    """Return a value with all its arrays cut to new lengths and rounded.

    Parameters
    ----------
    value : object
    lengths : dict
        One of those that `lengths_to_try` returns.
    """

    def less(leaf):
        if not isinstance(leaf, np.ndarray):
            return leaf
        return _less(leaf, leaf[tuple(slice(lengths.get(length, length)) for length in leaf.shape)])

    return mapped(less, value)


def near_one(value: Any) -> Any:
    """Return a value in which every array of large numbers is divided by a power of ten, and rounded.

    Parameters
    ----------
    value : object
        The arguments of a call.
    """
    return mapped(lambda leaf: _near_one(leaf) if has_large(leaf) else leaf, value)


def _near_one(array):
    """Return an array divided by a power of ten and rounded; as it is, where numbers that differ would not any more."""
    near = np.round(array / 10.0 ** _digits(array), 2)
    return near if np.unique(near).size == np.unique(array).size else array


def has_large(value: object) -> bool:
    """Return whether an array has numbers that are harder to follow than those near 1."""
    return any(isinstance(leaf, np.ndarray) and leaf.dtype == float and _digits(leaf) for leaf in leaves(value))


def _digits(array):
    """Return the power of ten below the largest finite number; 0 where that is not large."""
    largest = np.abs(array[np.isfinite(array)]).max(initial=0)
    return math.floor(math.log10(largest)) if largest >= LARGE else 0


def _less(array, part):
    """Return a part of an array with two decimals, or three digits; what sums to 1 along an axis still does so."""
    if array.dtype.kind != "f" or not part.size or (part.shape == array.shape and is_short(part)):
        return part
    finite = part[np.isfinite(part)]
    spread = np.ptp(finite) if finite.size else 0
    digits = 2 - int(math.log10(spread)) if spread >= 1000 else 2
    part = np.asarray(np.round(np.floor(part * 10.0**digits) / 10.0**digits, 2), dtype=array.dtype)
    for axis in range(array.ndim):
        if np.allclose(array.sum(axis), 1):
            first = np.moveaxis(part, axis, 0)
            first[-1] = np.round(1 - first[:-1].sum(0), 2)
    return part


def size_of(value: object) -> int:
    """Count the numbers in a value."""
    return sum(leaf.size if isinstance(leaf, np.ndarray) else 1 for leaf in leaves(value))


def is_short(value: object) -> bool:
    """Return whether there are few numbers in a value, and in its arrays no long ones."""
    arrays = (leaf for leaf in leaves(value) if isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f")
    numbers = (str(number) for array in arrays for number in array.flat)
    return size_of(value) <= MAX_SIZE and all(len(number) <= MAX_DIGITS for number in numbers)
