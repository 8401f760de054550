"""One wrong result beside the right one, and what a pattern says about it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from autograder.execution.compare import is_plain_array
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

    got: object
    expected: object
    arguments: dict
    shape: str = ""

    @cached_property
    def are_arrays(self):
        return all(is_plain_array(a) and a.dtype.kind in "biuf" and a.size for a in (self.got, self.expected))

    @cached_property
    def are_alike(self):
        """Whether both are arrays of one shape and one kind."""
        return (
            self.are_arrays
            and self.got.shape == self.expected.shape
            and self.got.dtype.kind == self.expected.dtype.kind
        )

    @cached_property
    def are_numbers(self):
        """Whether both are arrays of floating-point numbers with infinities and NaN at the same places."""
        if not self.are_alike or self.got.dtype.kind != "f":
            return False
        strange = [np.where(np.isfinite(a), 0.0, a) for a in (self.got, self.expected)]
        return np.array_equal(*strange, equal_nan=True) and np.isfinite(self.expected).any()

    @cached_property
    def finite(self):
        """The finite numbers of both, as two arrays with one axis."""
        places = np.isfinite(self.expected)
        return self.got[places], self.expected[places]

    @cached_property
    def is_in_place(self):
        """Whether every number is nearly the right one, so that none has moved."""
        return close(self.got, self.expected)

    @cached_property
    def right(self):
        """Where the entries are right."""
        if self.expected.dtype.kind == "f":
            return are_close(self.got, self.expected, tolerance_for(*self.arguments.values(), self.expected))
        return self.got == self.expected


def named_arguments(arguments):
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


def close(one, other):
    """Return whether two arrays are equal up to rounding, measured by the largest number in the second."""
    if one.shape != other.shape:
        return False
    if "f" not in (one.dtype.kind, other.dtype.kind):
        return np.array_equal(one, other)
    digits = digits_of(one, other)
    return bool(np.allclose(one, other, rtol=digits, atol=digits * scale(other), equal_nan=True))


def digits_of(*arrays):
    """Return by how much numbers of the arrays' precision may differ, relative to their size."""
    return DIGITS[8 if all(a.dtype.itemsize >= 8 for a in arrays if a.dtype.kind == "f") else 4]


def scale(array):
    """Return the size of the largest finite number in an array."""
    return float(np.abs(array[np.isfinite(array)]).max(initial=0)) if array.dtype.kind == "f" else 1.0


def information(array):
    """Return how many different numbers are in an array; in one of booleans, how often the rarer one is there."""
    if array.dtype.kind == "b":
        return int(min(array.sum(), (~array).sum()))
    if array.dtype.kind != "f":
        return int(np.unique(array).size)
    numbers = array[np.isfinite(array)]
    return int(np.unique(np.round(numbers / (scale(array) or 1), 6)).size)


def broadcasts(array, shape):
    """Return whether an array can be broadcast to a shape."""
    pairs = zip(array.shape[::-1], shape[::-1], strict=False)
    return array.ndim <= len(shape) and all(size in (1, other) for size, other in pairs)


def slice_name(ndim, axis, count=1):
    """Name what an array consists of along an axis: rows, columns or entries."""
    if axis == ndim - 1 > 0:
        return "column" if count == 1 else "columns"
    if axis == ndim - 2:
        return "row" if count == 1 else "rows"
    name = "entry" if count == 1 else "entries"
    return name if ndim == 1 else f"{name} along axis {axis}"
