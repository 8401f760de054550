"""What the reference has on its way to the result of one call, and how the values of another function compare."""

import types
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from autograder.evaluation.trials import Trial
from autograder.execution.call import attempt, copied
from autograder.execution.compare import compare, compare_one
from autograder.execution.outcome import LearnerError
from autograder.execution.precision import tolerance_for
from autograder.learner.locating.instrumented import Instrumented, kept
from autograder.registry import course
from autograder.specification import Exercise

RTOL = 1e-6
SECONDS = 0.3  # for a call
MIN_SIZE = 6  # of an array of integers or booleans: shorter ones are equal by chance
NEW, TURNED, UNSURE, RIGHT = range(4)


class RightPath:
    """The values of all expressions of the reference, and of the course's functions that it calls, in one call.

    Parameters
    ----------
    exercise : Exercise
    trial : Trial

    Attributes
    ----------
    result : object
        What the reference returns.
    status : str
        "returned", or how its call ended else.
    """

    def __init__(self, exercise: Exercise, trial: Trial) -> None:
        self.exercise, self.trial = exercise, trial
        self.tolerance = tolerance_for(*trial.args, *trial.kwargs.values())
        copies = _instrumented(exercise.reference)
        for copy in copies.values():
            copy.values.clear()
        self.status, self.result, _ = self.call(copies[exercise.name].function)
        self._noted = {name: (copy.sites, dict(copy.values)) for name, copy in copies.items()}
        self.passes = {
            (name, number): passes
            for name, copy in copies.items()
            for number, passes in copy.values.items()
            if copy.sites[number].kind != "Name" and all(is_number(leaf) for value in passes for leaf in leaves(value))
        }
        bound = exercise.signature.bind(*trial.args, **trial.kwargs)
        bound.apply_defaults()
        self._given = [leaf for leaf in leaves(entries(bound.arguments)) if is_number(leaf)]
        self._pool = [np.asarray(leaf) for leaf in (*self._given, *leaves(list(self.passes.values())))]
        self._tables: dict[tuple, np.ndarray] = {}

    def call(self, function: Callable[..., Any]) -> tuple[str, Any, LearnerError | None]:
        """Perform the call with another function; return its status, its value and the error."""
        args, kwargs = copied(self.trial.args), {key: copied(value) for key, value in self.trial.kwargs.items()}
        return attempt(function, args, kwargs, SECONDS)

    def right_results(self, value: Any) -> set[int | None]:
        """Return the numbers of those results that are the reference's; None: the only result, or all of them."""
        returns = self.exercise.returns
        if len(returns) == 1:
            return set() if compare(value, self.result, returns, self.tolerance) else {None}
        if not isinstance(value, tuple | list) or len(value) != len(returns):
            return set()
        pairs = enumerate(zip(value, self.result, returns, strict=True))
        right: set[int | None] = {number for number, three in pairs if compare_one(*three, self.tolerance) is None}
        return right | {None} if len(right) == len(returns) else right

    def is_given(self, value: Any) -> bool:
        """Return whether a value is an argument."""
        return any(np.array_equal(value, leaf) for leaf in self._given)

    def grade(self, passes: Sequence[Any]) -> int:
        """Say whether the values of an expression are on the right path.

        NEW: they are not; TURNED: in another arrangement; UNSURE: perhaps by chance; RIGHT: they are, or say nothing.
        """
        arrays = [np.asarray(leaf) for value in passes for leaf in leaves(value) if not is_trivial(leaf)]
        return min((self._grade_of(array, len(passes) > 1) for array in arrays), default=RIGHT)

    def _grade_of(self, array, is_part):
        flat = array.ravel().astype(float)
        is_bool = array.dtype.kind == "b"
        if self._is_row_of(self._table(array.shape, is_bool, is_part), flat):
            is_chance = array.size < MIN_SIZE if array.dtype.kind in "biu" else not array.ndim and array in (0, 1)
            return UNSURE if is_chance else RIGHT
        return TURNED if self._is_row_of(self._sorted(array.size, is_bool), np.sort(flat)) else NEW

    def _table(self, shape, is_bool, is_part):
        """Return what there is of a shape, a row for each; with `is_part` also as entries along leading axes."""
        return self._kept((shape, is_bool, is_part), int(np.prod(shape)), lambda array: _fits(array, shape, is_part))

    def _sorted(self, size, is_bool):
        return np.sort(self._kept((size, is_bool), size, lambda array: array.size == size))

    def _kept(self, key, size, fits):
        if key not in self._tables:
            pool = (array for array in self._pool if array.size and (array.dtype.kind == "b") == key[1] and fits(array))
            rows = [array.reshape(-1, size).astype(float) for array in pool]
            self._tables[key] = np.concatenate(rows) if rows else np.empty((0, size))
        return self._tables[key]

    def _is_row_of(self, table, row):
        close = np.isclose(table, row, max(self.tolerance.rtol, RTOL), self.tolerance.atol, equal_nan=True)
        return bool(close.all(axis=1).any())

    def made_from(self, passes: Sequence[Any]) -> Iterator[list[Any]]:
        """Yield, for every place where the reference has these values, what it makes them from."""
        for (name, number), others in self.passes.items():
            last = others[-len(passes) :]
            if _shapes(last) == _shapes(passes) and all(map(_are_equal, leaves(last), leaves(list(passes)))):
                sites, values = self._noted[name]
                yield [values[part.number] for part in sites if part.parent == number and part.number in values]

    def substitutes(self, passes: Sequence[Any], is_number: bool = False) -> dict[tuple[str, int, str], list[Any]]:
        """Return what may stand in for the values of an expression, by its place in the reference.

        Of the same kind of numbers, for as many passes; those of the same shape first. With `is_number` integers and
        floating-point numbers are of one kind.
        """
        count = len(passes)
        kinds = _kinds(passes, is_number)
        shapes = _shapes(passes)
        choices = []
        for key, others in self.passes.items():
            for form, stand_in in _forms(others, count):
                if _kinds(stand_in, is_number) == kinds:
                    choices.append((_shapes(stand_in) != shapes, (*key, form), stand_in))
        return {key: others for _, key, others in sorted(choices, key=lambda choice: choice[0])}


def _forms(others, count):
    """Yield the forms in which values of the reference may be used in `count` passes."""
    ndim = min(other.ndim if isinstance(other, np.ndarray) else 0 for other in others)
    if len(others) == count or count == 1:
        yield "as it is", others[-count:]
        if ndim > 1:
            yield "transposed", [other.swapaxes(-1, -2) for other in others[-count:]]
    elif len(others) == 1 and ndim and len(others[0]) == count:
        yield "row by row", list(others[0])


@cache
def _instrumented(function):
    """Return instrumented copies of a function of the course and of those that it calls, by name."""
    copies = {}
    home = course().reference

    def add(function):
        copies[function.__name__] = None
        used = {name: function.__globals__.get(name) for name in _names(function.__code__)}
        own = {n: f for n, f in used.items() if isinstance(f, types.FunctionType) and f.__module__.startswith(home)}
        for name, helper in own.items():
            if name not in copies:
                add(helper)
        copies[function.__name__] = Instrumented(
            function, {name: copies[name].function for name in own if copies[name]}
        )

    add(function)
    return copies


def _names(code):
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _fits(array, shape, is_part):
    more = array.ndim - len(shape)
    return array.shape == shape or (is_part and more > 0 and array.shape[more:] == shape)


def _kinds(passes, is_number=False):
    kinds = {np.asarray(leaf).dtype.kind for value in passes for leaf in leaves(value)}
    return {"i" if kind == "u" or (is_number and kind == "f") else kind for kind in kinds}


def _shapes(passes):
    return [np.shape(leaf) for value in passes for leaf in leaves(value)]


def _are_equal(first, second):
    return np.allclose(first, second, equal_nan=True)


def are_same_numbers(passes: Sequence[Any], others: Sequence[Any]) -> bool:
    """Return whether two values hold the same numbers, in whatever order."""
    first, second = (np.sort(np.concatenate([[], *map(np.ravel, leaves(tuple(value)))])) for value in (passes, others))
    return first.size == second.size and np.allclose(first, second, equal_nan=True)


def leaves(value: Any) -> Iterator[Any]:
    """Yield the arrays and numbers in tuples and lists; a list of numbers as an array."""
    if isinstance(value, list) and value and all(type(entry) in (int, float) for entry in value):
        yield np.array(value)
    elif isinstance(value, tuple | list):
        for entry in value:
            yield from leaves(entry)
    else:
        yield value


def entries(value: Any) -> Any:
    """Return copies of all arrays and numbers in containers, in lists."""
    if isinstance(value, tuple | list | dict):
        return [entries(entry) for entry in (value.values() if isinstance(value, dict) else value)]
    return kept(value)


def is_number(leaf: object) -> bool:
    """Return whether a value is a number or an array of real ones."""
    return isinstance(leaf, np.ndarray | np.generic | int | float) and np.asarray(leaf).dtype.kind in "biuf"


def is_trivial(leaf: Any) -> bool:
    """Return whether a value says nothing about the path: a single integer, an empty array, one full of 0 or of 1."""
    if not is_number(leaf) or not np.size(leaf):
        return True
    array = np.asarray(leaf)
    if not array.ndim:
        return array.dtype.kind != "f"
    return array.flat[0] in (0, 1) and bool((array == array.flat[0]).all())
