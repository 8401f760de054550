"""Less of what a call was given: shorter axes and shorter numbers, so that it can be read and copied."""

import itertools
import math
from typing import Any

import numpy as np

from autograder.execution.nested import leaves

MAX_SIZE = 16  # numbers among the arguments of an example, and among its results
MAX_AXIS_LENGTH = 3  # of an array that was cut
MAX_DIGITS = 6  # characters of a number among the arguments


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
    if isinstance(value, np.ndarray):
        return _less(value, value[tuple(slice(lengths.get(length, length)) for length in value.shape)])
    if isinstance(value, dict):
        return {key: with_less(entry, lengths) for key, entry in value.items()}
    if isinstance(value, tuple | list):
        entries = (with_less(entry, lengths) for entry in value)
        return type(value)(*entries) if hasattr(value, "_fields") else type(value)(entries)
    return value


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
