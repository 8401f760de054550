"""Call a learner's function and describe how its result compares with what was expected."""

from copy import deepcopy

import numpy as np

from transformer_kit.plots.words import number
from transformer_kit.unimplemented import unwritten_function

SAME = "same numbers"


def attempt(function, args, pick, expected):
    """Call a learner's function with copies of the arguments; never raise because of what it does.

    Parameters
    ----------
    function : callable
        The learner's function.
    args : tuple
        Its arguments.
    pick : int, callable or None
        What to select from the result; see :func:`picked`.
    expected : ndarray, or tuple of them
        What the reference returns.

    Returns
    -------
    result : ndarray or None
        The selected part of the result; None when there is nothing that could be drawn beside the target.
    verdict : str
        "same numbers", the largest difference, or why there is nothing to draw.
    """
    try:
        result = function(*deepcopy(args))
        if isinstance(expected, tuple) and not (isinstance(result, tuple) and len(result) == len(expected)):
            return None, f"returns {_kind(result)} where a tuple of {len(expected)} results is expected"
        return compared(picked(result, pick), np.asarray(picked(expected, pick)))
    except NotImplementedError as error:
        name = unwritten_function(error)
        own = name in (None, function.__name__, attempt.__name__)
        return None, "not written yet" if own else f"waits for {name}, which is not written yet"
    except Exception as error:
        lines = str(error).splitlines() or [""]
        return None, f"raises {type(error).__name__}: {lines[0][:160]}".removesuffix(": ")


def picked(result, pick):
    """Select from a result: an item of a tuple, ``pick(result)``, or all of it when ``pick`` is None."""
    if pick is None:
        return result
    return pick(result) if callable(pick) else result[pick]


def compared(result, target):
    """Compare type, shape and numbers.

    Parameters
    ----------
    result : object
        Whatever the learner's function returned.
    target : ndarray
        What it should be.

    Returns
    -------
    result : ndarray or None
        None when the result is no array of the target's shape and kind.
    verdict : str
    """
    if result is None:
        return None, "returns None: is there a `return`?"
    try:
        array = np.asarray(result)
    except ValueError:
        array = np.asarray(None)  # a ragged list
    if array.dtype.kind not in "biuf":
        return None, f"returns {_kind(result)} where an array of numbers is expected"
    if array.shape != target.shape:
        return None, f"returns shape {array.shape} where {target.shape} is expected"
    if (array.dtype == bool) != (target.dtype == bool):
        return None, f"returns dtype {array.dtype} where {target.dtype} is expected"
    return array, _difference(array, target)


def differs(array, target):
    """Return which entries of two arrays of one shape are not the same numbers.

    Parameters
    ----------
    array, target : ndarray

    Returns
    -------
    ndarray of bool
    """
    tolerance = 1e-4 if np.float32 in (array.dtype, target.dtype) else 1e-6
    return ~np.isclose(array, target, rtol=tolerance, atol=1e-3 * tolerance)


def _difference(array, target):
    wrong = differs(array, target)
    if not wrong.any():
        return SAME
    if target.dtype == bool:
        first = tuple(np.argwhere(wrong)[0])
        return f"{wrong.sum()} of {wrong.size} entries differ, the first {_place(first)}"
    unlike = wrong & ~(np.isfinite(array) & np.isfinite(target))
    if unlike.any():
        first = tuple(np.argwhere(unlike)[0])
        return f"{number(array[first])} where {number(target[first])} is expected, {_place(first)}"
    gap = np.where(wrong, np.abs(np.where(wrong, array, 0.0) - np.where(wrong, target, 0.0)), 0.0)
    largest = np.unravel_index(gap.argmax(), gap.shape)
    return f"largest difference {number(gap[largest])} {_place(largest)}"


def _place(index):
    index = tuple(map(int, index))
    if len(index) == 2:
        return f"at row {index[0]}, column {index[1]}"
    return f"at index {index[0] if len(index) == 1 else index}" if index else "in the only number"


def _kind(result):
    if isinstance(result, tuple):
        return f"a tuple of {len(result)}"
    if isinstance(result, np.ndarray):
        return f"one array of dtype {result.dtype}"
    return "None" if result is None else f"a {type(result).__name__}"
