"""Functions that a claim hands to the learner's: they take what their exercise declares of them, and nothing else.

Anybody's code may call such a function, and NumPy's own take more than numbers: with `where=False`, `out` or `dtype`
they give back memory that nothing was written to, of the process they run in. So a wrapper stands in front of each,
the same one in a notebook and in the judge's process.
"""

import inspect
import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.execution.compare import KINDS
from autograder.execution.describe import describe, is_plain_array
from autograder.execution.nested import leaves

MAX_NUMBERS = 4096  # in the arguments of one call, whose work may grow with their square
MAX_DEPTH = 8  # of lists in lists
MAX_ITEMSIZE = 8  # bytes; an extended number has unused ones, which hold whatever was there before


class Undeclared(Exception):
    """A claim hands over what its exercise does not declare: a fault of the specification, not of the learner's."""


@dataclass(frozen=True)
class Numbers:
    """Declares an argument: an array of real numbers, or such numbers in lists.

    `kinds` are the kinds of dtype, `axes` is the number of axes where it matters, and `name` the name under which the
    argument may be passed; without one it is passed by position only.
    """

    kinds: str = "iuf"
    axes: int | None = None
    name: str = ""

    def __str__(self):
        shape = "" if self.axes is None else f" with {self.axes} axes"
        return f"an array of {' or '.join(dict.fromkeys(KINDS[kind] for kind in self.kinds))}{shape}"

    def read(self, value: Any) -> np.ndarray:
        """Return an argument as a plain array; TypeError for anything that is not declared."""
        array = _stacked(value) if isinstance(value, tuple | list) else value
        if isinstance(array, np.generic | int | float):
            array = np.asarray(array)
        if not _holds_numbers(array):
            raise TypeError(f"expected {self}, got something else ({type(value).__name__})")
        if array.dtype.kind not in self.kinds or self.axes not in (None, array.ndim):
            raise TypeError(f"expected {self}, got {describe(array)}")
        return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


class Handed:
    """A function of a claim, as the learner's may call it.

    Parameters
    ----------
    name : str
        Of the argument as which it is handed over.
    function : callable
    declared : sequence of Numbers
        One for each of its arguments.
    """

    def __init__(self, name: str, function: Callable[..., Any], declared: Sequence[Numbers]) -> None:
        self.__name__ = name
        self.function = function
        self.declared = declared
        only, either = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [
            inspect.Parameter(each.name or f"array_{number}", either if each.name else only)
            for number, each in enumerate(declared, 1)
        ]
        self.signature = inspect.Signature(parameters)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Return what the function gives for these arguments, in a new array or as a view of one of them.

        Raises
        ------
        TypeError
            If they are not what is declared.
        ValueError
            If they are too many.
        """
        require_few((args, kwargs))
        try:
            values = self.signature.bind(*args, **kwargs).args
        except TypeError as error:
            raise TypeError(f"{self.__name__} is called as {self.__name__}{self.signature}: {error}") from None
        given = [each.read(value) for each, value in zip(self.declared, values, strict=True)]
        with np.errstate(all="ignore"):  # a warning from in here would not be the learner's
            result = self.function(*given)
        if not _holds_numbers(np.asarray(result)):
            raise TypeError(f"{self.__name__} has no numbers for {', '.join(map(describe, given))}")
        shared = isinstance(result, np.ndarray) and any(np.may_share_memory(result, array) for array in given)
        return result if shared or not isinstance(result, np.ndarray) else result.copy()


def handed_over(
    args: tuple[Any, ...], kwargs: dict[str, Any], parameters: Iterable[str], declared: Mapping[str, Sequence[Numbers]]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return arguments in which every function is wrapped; `declared` says by name what each of them takes.

    Parameters
    ----------
    args : tuple
    kwargs : dict
    parameters : iterable of str
        Names of the parameters that the arguments are for; the last may take several.
    declared : dict of str to sequence of Numbers

    Returns
    -------
    args : tuple
    kwargs : dict

    Raises
    ------
    Undeclared
        If there is a function of which nothing is declared.
    """
    *names, last = parameters
    named = zip(itertools.chain(names, itertools.repeat(last)), args, strict=False)
    return (
        tuple(_wrapped(name, value, declared) for name, value in named),
        {name: _wrapped(name, value, declared) for name, value in kwargs.items()},
    )


def _wrapped(name, value, declared):
    if not callable(value):
        return value
    if name not in declared:
        raise Undeclared(f"the argument {name} is a function, and the exercise does not declare what it takes")
    return Handed(name, value, declared[name])


def require_few(arguments: object) -> None:
    """Raise ValueError if there are too many numbers in the arguments of a function that was handed over."""
    if _count(arguments) > MAX_NUMBERS:
        raise ValueError(f"called with more than {MAX_NUMBERS} numbers, which no part of the exercise asks for")


def _count(value, depth=0):
    """Count the numbers in a value; an empty axis counts as one number long."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, tuple | list):
        return len(value) + sum(_count(item, depth + 1) for item in value) if depth < MAX_DEPTH else math.inf
    return math.prod(max(length, 1) for length in value.shape) if isinstance(value, np.ndarray) else 1


def _stacked(value):
    """Return numbers in lists as an array; None where they are none."""
    found = (np.asarray(leaf) if isinstance(leaf, np.generic | int | float) else leaf for leaf in leaves(value))
    if not all(map(_holds_numbers, found)):
        return None
    try:
        return np.array(value)
    except ValueError:  # rows of different lengths
        return None


def _holds_numbers(value):
    """Return whether a value is a plain array of numbers that every machine and every message can carry."""
    return is_plain_array(value) and value.dtype.kind in "biuf" and value.dtype.itemsize <= MAX_ITEMSIZE
