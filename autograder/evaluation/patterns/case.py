"""One wrong result beside the right one, and what a pattern says about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from autograder.execution.describe import is_plain_array
from autograder.execution.precision import are_close, tolerance_for

ENOUGH = 3  # entries that a pattern must rest on
DIGITS = {4: 3e-5, 8: 1e-7}  # by which numbers may differ, relative to the largest, by the bytes that they have
MAX_DEPTH = 3  # nested arguments that are looked into


@dataclass(frozen=True)
class Reading:
    """What a pattern says about one case.

    Readings of several cases belong together where their `key` is the same. `entries` is how many entries speak for
    it: the fewer, the more easily it is a coincidence.
    """

    key: object
    text: str
    entries: int


@dataclass(frozen=True)
class Case:
    """A wrong result, the right one, and the arguments of the call by their names.

    `shape` has the names of the result's axes, as in "(..., n, d)", where they are known.
    """

    got: Any
    expected: Any
    arguments: dict[str, Any]
    shape: str = ""

    @cached_property
    def are_arrays(self) -> bool:
        return all(is_plain_array(a) and a.dtype.kind in "biuf" and a.size for a in (self.got, self.expected))

    @cached_property
    def are_alike(self) -> bool:
        """Whether both are arrays of one shape and one kind."""
        return (
            self.are_arrays
            and self.got.shape == self.expected.shape
            and self.got.dtype.kind == self.expected.dtype.kind
        )

    @cached_property
    def are_numbers(self) -> bool:
        """Whether both are arrays of floating-point numbers with infinities and NaN at the same places."""
        if not self.are_alike or self.got.dtype.kind != "f":
            return False
        got, expected = (np.where(np.isfinite(a), 0.0, a) for a in (self.got, self.expected))
        return np.array_equal(got, expected, equal_nan=True) and bool(np.isfinite(self.expected).any())

    @cached_property
    def finite(self) -> tuple[np.ndarray, np.ndarray]:
        """The finite numbers of both, as two arrays with one axis."""
        places = np.isfinite(self.expected)
        return self.got[places], self.expected[places]

    @cached_property
    def is_in_place(self) -> bool:
        """Whether every number is nearly the right one, so that none has moved."""
        return close(self.got, self.expected)

    @cached_property
    def right(self) -> np.ndarray:
        """Where the entries are right."""
        if self.expected.dtype.kind == "f":
            tolerance = tolerance_for(*self.arguments.values(), self.expected)
            return np.asarray(are_close(self.got, self.expected, tolerance))
        return self.got == self.expected


def named_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments and what is inside of them by names such as ``params.W_Q`` and ``masks[0]``."""
    return dict(_named(arguments.items(), 0))


def _named(pairs, depth):
    for name, value in pairs:
        if hasattr(value, "_fields"):
            inside = [(f"{name}.{field}", entry) for field, entry in zip(value._fields, value, strict=True)]
        elif isinstance(value, tuple | list):
            inside = [(f"{name}[{i}]", entry) for i, entry in enumerate(value)]
        else:
            yield name, value
            continue
        if depth < MAX_DEPTH and len(inside) <= 20:
            yield from _named(inside, depth + 1)


def close(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether two arrays are equal up to rounding, measured by the largest number in the second."""
    if one.shape != other.shape:
        return False
    if "f" not in (one.dtype.kind, other.dtype.kind):
        return np.array_equal(one, other)
    digits = digits_of(one, other)
    return bool(np.allclose(one, other, rtol=digits, atol=digits * scale(other), equal_nan=True))


def digits_of(*arrays: np.ndarray) -> float:
    """Return by how much numbers of the arrays' precision may differ, relative to their size."""
    return DIGITS[8 if all(a.dtype.itemsize >= 8 for a in arrays if a.dtype.kind == "f") else 4]


def scale(array: np.ndarray) -> float:
    """Return the size of the largest finite number in an array."""
    return float(np.abs(array[np.isfinite(array)]).max(initial=0)) if array.dtype.kind == "f" else 1.0


def information(array: np.ndarray) -> int:
    """Return how many different numbers are in an array; in one of booleans, how often the rarer one is there."""
    if array.dtype.kind == "b":
        return int(min(array.sum(), (~array).sum()))
    if array.dtype.kind != "f":
        return int(np.unique(array).size)
    numbers = array[np.isfinite(array)]
    return int(np.unique(np.round(numbers / (scale(array) or 1), 6)).size)


def broadcasts(array: np.ndarray, shape: tuple[int, ...]) -> bool:
    """Return whether an array can be broadcast to a shape."""
    pairs = zip(array.shape[::-1], shape[::-1], strict=False)
    return array.ndim <= len(shape) and all(size in (1, other) for size, other in pairs)


def slice_name(ndim: int, axis: int, count: int = 1) -> str:
    """Name what an array consists of along an axis: rows, columns or entries."""
    if axis == ndim - 1 > 0:
        return "column" if count == 1 else "columns"
    if axis == ndim - 2:
        return "row" if count == 1 else "rows"
    name = "entry" if count == 1 else "entries"
    return name if ndim == 1 else f"{name} along axis {axis}"
