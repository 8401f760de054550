"""How far a number may be from the right one: as far as the inputs' precision allows, and its own requires."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

DOUBLE, SINGLE = 8, 4  # bytes
SINGLE_EPS = float(np.finfo(np.float32).eps)
UNITS = 8  # in the last place of the largest number, by which sums and products in single precision may be off
ARITHMETIC = 1e-13  # of the largest argument, by which sums that cancel it may be off in double precision
MAX_DEPTH = 6  # nested containers that are looked into


@dataclass(frozen=True)
class Tolerance:
    """How far results of one call may be off; `given` are the arguments, which say how large its numbers are.

    A number may be off by ``atol + rtol * abs(number)``. Where there is a `share`, it may be off by no more than this
    share of the largest right number, and what `ARITHMETIC` takes from the largest argument.
    """

    rtol: float
    atol: float
    given: tuple = ()
    share: float = math.inf

    def in_precision(self, dtype: np.dtype, expected: np.ndarray) -> "Tolerance":
        """Return the tolerance for results in a lower precision, that of `dtype`."""
        size = max(map(_largest, (*self.given, expected)))
        most = FLOAT32_TOLERANCE.atol + FLOAT32_TOLERANCE.rtol * _largest(expected)
        single = min(most, UNITS * SINGLE_EPS * size)
        rounding = float(np.finfo(dtype).eps)
        return replace(self, rtol=max(self.rtol, rounding), atol=max(self.atol, single), share=math.inf)

    def are_close(self, got: np.ndarray, expected: np.ndarray) -> np.ndarray | np.bool:
        """Return where numbers agree; NaN agrees with NaN."""
        close = np.isclose(got, expected, self.rtol, self.atol, equal_nan=True)
        if self.share == math.inf:
            return close
        return close & np.isclose(got, expected, 0, self.slack(expected), equal_nan=True)

    def slack(self, expected: np.ndarray) -> float:
        """Return by how much formulas may differ that are all right in double precision."""
        return self.share * _largest(expected) + ARITHMETIC * max(map(_largest, self.given), default=0)


# Right functions that are written otherwise differ by less, also one that adds 1e-12 in the logarithm of an entropy.
# What differs by more is no rounding of float64, but float32 on the way, a small number added, or one that is cut off.
FLOAT64_TOLERANCE = Tolerance(rtol=1e-7, atol=1e-9, share=1e-11)
FLOAT32_TOLERANCE = Tolerance(rtol=1e-4, atol=1e-4)


def tolerance_for(*given: object) -> Tolerance:
    """Return the tolerance for a call with these arguments: loose where some float32 array is among them."""
    return replace(FLOAT32_TOLERANCE if itemsize(given) < DOUBLE else FLOAT64_TOLERANCE, given=given)


def tolerance_in_single(*given: object) -> Tolerance:
    """Return the tolerance for numbers that were rounded to float32 before: it asks for no digits beyond these."""
    return replace(tolerance_for(*given), share=math.inf)


def itemsize(value: object) -> int:
    """Return how many bytes the shortest floating-point number has in arrays and scalars of NumPy; at most 8."""
    sizes = (number.dtype.itemsize for number in _numbers(value) if number.dtype.kind == "f")
    return min(sizes, default=DOUBLE)


def rounded_like(expected: np.ndarray, got: np.ndarray) -> np.ndarray:
    """Return expected numbers as a result holds them: rounded where its precision is lower than theirs."""
    if expected.dtype.kind not in "fc" or expected.dtype.kind != got.dtype.kind:
        return expected
    with np.errstate(over="ignore"):  # what is too large becomes infinite
        return expected.astype(got.dtype) if got.dtype.itemsize < expected.dtype.itemsize else expected


def is_coarse(got: np.ndarray, expected: np.ndarray) -> bool:
    """Return whether numbers are rounded to half precision, whose three digits hide a mistake, where more are due."""
    is_half = got.dtype == np.float16 and expected.dtype.kind == "f" and expected.dtype != np.float16
    return is_half and not np.array_equal(got, expected, equal_nan=True)


def are_close(got: np.ndarray, expected: np.ndarray, tolerance: Tolerance) -> np.ndarray | np.bool:
    """Return where numbers agree; NaN agrees with NaN.

    A result of lower precision is compared with the expected numbers in that precision. So it is excused for what
    rounding and arithmetic in single precision do, and for nothing else.

    Parameters
    ----------
    got, expected : ndarray
        Of one shape.
    tolerance : Tolerance

    Returns
    -------
    ndarray of bool
    """
    rounded = rounded_like(expected, got)
    if rounded is not expected:
        tolerance = tolerance.in_precision(got.dtype, expected)
        got = got.astype(expected.dtype)
        expected = rounded
    return tolerance.are_close(got, expected)


def bound_for(bound: float, *results: object) -> float:
    """Return how far what a claim makes of results may be off: `bound`, or more where single precision does that."""
    return bound if itemsize(results) == DOUBLE else max(bound, UNITS * SINGLE_EPS * _largest(results))


def in_bytes(value: Any, size: int, depth: int = 0) -> Any:
    """Return a result in which floating-point numbers of more than `size` bytes are rounded to that."""
    kind = type(value)  # isinstance would ask the value, which may be anything
    if kind is float and size < DOUBLE:
        value = np.float64(value)
        kind = np.float64
    if kind is np.ndarray or issubclass(kind, np.generic):
        size *= 2 if value.dtype.kind == "c" else 1
        if value.dtype.kind not in "fc" or value.dtype.itemsize <= size:
            return value
        with np.errstate(over="ignore"):
            return value.astype(f"{value.dtype.kind}{size}")
    if depth < MAX_DEPTH and kind in (tuple, list):
        return kind(in_bytes(item, size, depth + 1) for item in value)
    if depth < MAX_DEPTH and issubclass(kind, tuple) and hasattr(kind, "_make"):
        return kind._make(in_bytes(item, size, depth + 1) for item in value)
    return value


def _largest(value):
    """Return the size of the largest finite number in arrays."""
    sizes = (np.abs(array[np.isfinite(array)]).max(initial=0) for array in _numbers(value))
    return float(max(sizes, default=0))


def _numbers(value, depth=0):
    """Yield the arrays and scalars of NumPy in a value that hold numbers."""
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufc":
        yield np.asarray(value)
    elif isinstance(value, (tuple, list)) and depth < MAX_DEPTH:
        for item in value:
            yield from _numbers(item, depth + 1)
