"""The ladder of comparison: type, shape, kind of dtype, finiteness, values; the first rung that fails, in words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any, ClassVar, Protocol

import numpy as np

from autograder.execution.describe import cut_alike, describe, is_plain_array, texts_that_differ
from autograder.execution.precision import FLOAT64_TOLERANCE, Tolerance, are_close, is_coarse

COARSE = "{}: expected floating-point numbers such as {}, got float16, which is too coarse to tell right from wrong."
KINDS = {"b": "booleans", "i": "integers", "u": "integers", "f": "floating-point numbers", "c": "complex numbers"}


@dataclass(frozen=True)
class Difference:
    """Why a result is not what was expected: the failed rung, the words, and the arrays to diagnose."""

    rung: str
    text: str
    result: str = ""
    got: object = None
    expected: object = None
    index: tuple | None = None


class Returned(Protocol):
    """What is said of a result: an `Output` of `autograder.specification`."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def name(self) -> str: ...

    @property
    def shape(self) -> str: ...

    @property
    def may_be_none(self) -> bool: ...


def compare(
    got: Any, expected: Any, returns: Sequence[Returned], tolerance: Tolerance = FLOAT64_TOLERANCE
) -> Difference | None:
    """Compare what a function returned with what the reference returned.

    Parameters
    ----------
    got, expected : object
        Results; a tuple where `returns` has several entries.
    returns : sequence of Output
        Names and symbolic shapes of the results.
    tolerance : Tolerance

    Returns
    -------
    Difference or None
        The first difference, or None if there is none.
    """
    if len(returns) == 1:
        return compare_one(got, expected, returns[0], tolerance)
    names = ", ".join(r.name for r in returns)
    if not isinstance(got, tuple | list) or len(got) != len(returns):
        came = f"{len(got)} results" if isinstance(got, tuple | list) else describe(got)
        return Difference("type", f"expected {len(returns)} results in this order: {names}. Got {came}.", names, got)
    for one_got, one_expected, returned in zip(got, expected, returns, strict=True):
        difference = compare_one(one_got, one_expected, returned, tolerance)
        if difference:
            return difference
    return None


def compare_one(got: Any, expected: Any, returned: Returned, tolerance: Tolerance) -> Difference | None:
    """Compare one result; see `compare`."""
    if got is None and expected is not None and not returned.may_be_none:
        why = "Is a `return` missing, or indented into a branch or a loop?"
        return Difference("type", f"{returned.name}: the function returned None. {why}", returned.name)
    if isinstance(expected, np.ndarray):
        return _compare_arrays(got, expected, returned, tolerance)
    if hasattr(expected, "_fields"):  # a named tuple such as the gradients of all parameters
        parts = [replace(returned, name=f"{returned.name}.{field}", shape="") for field in expected._fields]
        return compare(got, expected, parts, tolerance)
    return _compare_plain(got, expected, returned, tolerance)


def _compare_plain(got, expected, returned, tolerance):
    """Compare numbers, None, strings, and tuples or lists of anything."""
    if isinstance(expected, tuple | list):
        return _compare_sequences(got, expected, returned, tolerance)
    number, got = got, _item(got)
    if isinstance(expected, float) and isinstance(got, int | float) and not isinstance(got, bool):
        if is_coarse(np.asarray(number), np.asarray(expected)):
            return Difference("dtype", COARSE.format(returned.name, "float64"), returned.name, got, expected)
        right = are_close(np.asarray(number), np.asarray(expected), tolerance)
    else:
        right = type(got) is type(expected) and got == expected
    if right:
        return None
    rung = "type" if isinstance(got, np.ndarray) else "values"
    texts = texts_that_differ(expected, got) if isinstance(got, float) and isinstance(expected, float) else ()
    right, wrong = (f"{text} (float)" for text in texts) if texts else map(describe, cut_alike(expected, got))
    return Difference(rung, f"{returned.name}: expected {right}, got {wrong}.", returned.name, got, expected)


def _item(value):
    """Return a number of NumPy as a plain one, and anything else as it is."""
    return value.item() if isinstance(value, np.generic | np.ndarray) and value.ndim == 0 else value


def _compare_sequences(got, expected, returned, tolerance):
    """Compare tuples and lists entry by entry, however deep; a list may stand for a tuple and the reverse."""
    difference = _first_difference(got, expected, returned, tolerance)
    if difference is None:
        return None
    if isinstance(got, tuple | list) and any(map(_holds_arrays, expected)):  # too much to be written out
        return difference
    name = returned.name
    whole = f"expected {describe(expected, 160)}, got {describe(got, 160)}."
    detail = f" {difference.text}" if isinstance(got, tuple | list) else ""
    return Difference(difference.rung, f"{name}: {whole}{detail}", name, got, expected)


def _holds_arrays(value):
    return any(map(_holds_arrays, value)) if isinstance(value, tuple | list) else isinstance(value, np.ndarray)


def _first_difference(got, expected, returned, tolerance):
    """Compare the entries of nested tuples and lists; the name says where the first difference is."""
    if not isinstance(expected, tuple | list):
        compare_entry = _compare_arrays if isinstance(expected, np.ndarray) else _compare_plain
        return compare_entry(got, expected, returned, tolerance)
    name = returned.name
    if not isinstance(got, tuple | list):
        kind = type(expected).__name__
        return Difference("type", f"{name}: expected a {kind}, got {describe(got)}.", name, got, expected)
    if len(got) != len(expected):
        count = f"{len(expected)} {'entry' if len(expected) == 1 else 'entries'}"
        text = f"{name}: there should be {count}, not {len(got)}."
        return Difference("shape", text, name, got, expected)
    entries = (replace(returned, name=entry, shape="") for entry in _entry_names(name, expected))
    differences = map(_first_difference, got, expected, entries, repeat(tolerance))
    return next(filter(None, differences), None)


def _entry_names(name, value):
    """Name the entries of a tuple or list: ``cache[0]``, and those of a named tuple: ``cache[0].K``."""
    fields = getattr(value, "_fields", None)
    return [f"{name}.{field}" for field in fields] if fields else [f"{name}[{i}]" for i in range(len(value))]


def _compare_arrays(got, expected, returned, tolerance):
    name = returned.name
    if isinstance(got, np.generic):
        got = np.asarray(got)
    if _holds_no_numbers(got):
        text = f"{name}: expected {_kind(expected)} (such as {expected.dtype}), got {describe(got)}."
        return Difference("dtype", text, name, got, expected)
    if not is_plain_array(got):
        return Difference("type", f"{name}: expected a plain NumPy array, got {describe(got)}.", name, got, expected)
    if got.shape != expected.shape:
        symbolic = f"{returned.shape} = " if returned.shape else ""
        kind = "" if symbolic.startswith("the shape") else "shape "
        text = f"{name}: expected {kind}{symbolic}{expected.shape}, got {got.shape}."
        return Difference("shape", text, name, got, expected)
    if _kind(got) != _kind(expected):
        text = f"{name}: expected {_kind(expected)} (such as {expected.dtype}), got {_kind(got)} ({got.dtype})."
        return Difference("dtype", text, name, got, expected)
    if is_coarse(got, expected):
        return Difference("dtype", COARSE.format(name, expected.dtype), name, got, expected)
    return _compare_numbers(got, expected, name, tolerance)


def _compare_numbers(got, expected, name, tolerance):
    if expected.dtype.kind in "fc":
        if not (np.isfinite(got).all() and np.isfinite(expected).all()):
            unlike = _nonfinite_code(got) != _nonfinite_code(expected)
            if unlike.any():
                are_finite = np.isfinite(got) & np.isfinite(expected)
                others = ~are_close(*(np.where(are_finite, a, 0) for a in (got, expected)), tolerance)
                return _at_first(unlike, "finite", got, expected, name, others)
        with np.errstate(invalid="ignore"):
            unlike = ~are_close(got, expected, tolerance)
    else:
        unlike = got != expected
    return _at_first(unlike, "values", got, expected, name) if unlike.any() else None


def _at_first(unlike, rung, got, expected, name, others=False):
    """Describe a difference by the first entry that is unlike; `others` differ as well."""
    index = tuple(int(i) for i in np.argwhere(unlike)[0])
    count = int((unlike | others).sum())
    size = unlike.size
    differ = "differs" if count == 1 else "differ"
    share = "every entry differs" if count == size else f"{count} of {size} entries {differ}"
    first = "namely" if count == 1 else "one of them" if rung == "finite" else "the first"
    one, other = texts_that_differ(got[index], expected[index])
    text = (
        f"{name}: shape {got.shape} and dtype {got.dtype} are right, but {share}; {first} at index {list(index)}: "
        f"got {one}, expected {other}."
    )
    return Difference(rung, text, name, got, expected, index)


def _holds_no_numbers(value):
    """Return whether a value is an array of texts, dates or the like, or what stands for one: a worker sends none."""
    if is_plain_array(value):
        return value.dtype.kind not in "biufcO"
    return hasattr(type(value), "stands_for") and str(value).startswith("an array of shape (")


def _kind(array):
    return KINDS.get(array.dtype.kind, f"dtype {array.dtype}")


def _nonfinite_code(array):
    """0 where finite, 1 for NaN, 2 for +inf, 3 for -inf."""
    return np.isnan(array) * 1 + np.isposinf(array) * 2 + np.isneginf(array) * 3


def alike(one: Any, other: Any, tolerance: Tolerance = FLOAT64_TOLERANCE) -> bool:
    """Return whether two results, right or wrong ones, are of the same kind and equal up to rounding.

    Where `one` has fewer digits than `other`, these decide.
    """
    numbers = one, other
    one, other = map(_item, numbers)
    if is_plain_array(one) and is_plain_array(other):
        if one.shape != other.shape or _kind(one) != _kind(other):
            return False
        close = one.dtype.kind in "fc" and other.dtype.kind in "fc"
        return bool(are_close(one, other, tolerance).all()) if close else np.array_equal(one, other)
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(alike(a, b, tolerance) for a, b in zip(one, other, strict=True))
    if isinstance(one, float) and isinstance(other, float):
        return bool(are_close(np.asarray(numbers[0]), np.asarray(numbers[1]), tolerance))
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return False
    if hasattr(type(one), "stands_for"):  # a description of what a worker's function returned
        return one.stands_for(other)
    return type(one) is type(other) and bool(one == other)
