"""Run one call of a function in this process: on copies, quietly, within a time limit."""

import contextlib
import inspect
import io
import linecache
import time
import traceback
import tracemalloc
import warnings
from collections.abc import Callable, Collection
from dataclasses import replace
from types import FunctionType
from typing import Any

import numpy as np

from autograder.execution.earlier import Earlier
from autograder.execution.outcome import NOT_TRIED, LearnerError, Outcome
from autograder.execution.precision import DOUBLE, in_bytes
from autograder.execution.substitution import names_called
from transformer_kit.time_limit import PATIENCE, TimeLimit, call_patiently

SECONDS_PER_CALL = 2.0
SECONDS_AFTER_TIMEOUT = 0.3
LATE = 3  # times its limit: what takes so long is compiled code, which no limit stops
MAX_MESSAGE_LENGTH = 300  # characters of an error's text that are shown
MAX_DEPTH = 6  # nested containers that are looked into


class LocalRunner:
    """Runs the calls of one function in this process.

    After a timeout, later calls get less time; after one that came back long after its limit, there are no later calls.
    """

    def __init__(self, function: Callable[..., Any], signature: inspect.Signature) -> None:
        self.function = function
        self.signature = signature
        self.seconds: float | None = SECONDS_PER_CALL
        self.earlier = Earlier()
        self.is_over = False

    @property
    def called(self) -> Collection[str]:
        """The names of the functions that the function calls."""
        return names_called(self.function) if isinstance(self.function, FunctionType) else ()

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any], measure_memory: bool = False) -> Outcome:
        if self.is_over:
            return Outcome(NOT_TRIED)
        begun = _clocks()
        outcome = run(self.function, args, kwargs, self.signature, self.seconds, measure_memory, self.earlier)
        if outcome.status == "timeout" and self.seconds:
            self.is_over = max(now - then for now, then in zip(_clocks(), begun, strict=True)) > LATE * self.seconds
            self.seconds = SECONDS_AFTER_TIMEOUT
        return replace(outcome, value=_out_of_reach(outcome.value), late=self.is_over)


def _clocks():
    """Return the time of the processor, and that on the wall as a limit counts it."""
    return time.process_time(), time.monotonic() / PATIENCE


def run(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    signature: inspect.Signature | None = None,
    seconds: float | None = SECONDS_PER_CALL,
    measure_memory: bool = False,
    earlier: Earlier | None = None,
) -> Outcome:
    """Call `function` on copies of the arguments and report what happened.

    Parameters
    ----------
    function : callable
    args : tuple
    kwargs : dict
    signature : inspect.Signature, optional
        Gives the names under which changed arguments are reported; the function's own when left out.
    seconds : float or None
        Time limit in seconds of the processor; None for a function that is trusted to end.
    measure_memory : bool
        Measure the peak of what NumPy and Python allocate during the call.
    earlier : Earlier, optional
        The results of earlier calls, which are looked at again.

    Returns
    -------
    Outcome
    """
    given, given_kwargs = copied(args), {key: copied(value) for key, value in kwargs.items()}
    printed = Printed()
    with warnings.catch_warnings(record=True) as caught, np.errstate(divide="warn", over="warn", invalid="warn"):
        warnings.simplefilter("always")
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            if measure_memory:
                tracemalloc.start()
            try:
                status, value, error = attempt(function, given, given_kwargs, seconds)
                peak = tracemalloc.get_traced_memory()[1] if measure_memory else None
            finally:  # also when the learner interrupts it: to trace on would slow the kernel down
                if measure_memory:
                    tracemalloc.stop()
    signature = signature or inspect.signature(function)
    before, after = (signature.bind(*a, **k).arguments for a, k in ((args, kwargs), (given, given_kwargs)))
    return Outcome(
        status,
        in_bytes(value, DOUBLE),  # no message carries more
        error,
        changed=tuple(name for name in after if not _same(before[name], after[name])),
        shares=tuple(name for name in after if _shares_memory(value, after[name])),
        earlier=earlier.look(value) if earlier and status == "returned" else (),
        warnings=tuple(f"{w.category.__name__}: {w.message}" for w in caught),
        printed=printed.getvalue(),
        peak_bytes=peak,
    )


class Printed(io.StringIO):
    """Captures what a function prints; a function that closes its output does no harm."""

    def close(self) -> None:
        """Stay open."""


def attempt(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], seconds: float | None
) -> tuple[str, Any, LearnerError | None]:
    """Return (status, value, error) of one call as it is; only the learner's own interrupt passes through."""
    try:
        return "returned", call_patiently(seconds, function, *args, **kwargs), None
    except TimeLimit as limit:
        return "timeout", None, _learner_error(limit, function) if seconds else None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        stub = isinstance(error, NotImplementedError) and _innermost_code(error) is getattr(function, "__code__", None)
        return "not written" if stub else "raised", None, _learner_error(error, function)


def _innermost_code(error):
    return list(traceback.walk_tb(error.__traceback__))[-1][0].f_code


def _learner_error(error, function):
    """Describe an exception and find the innermost line that belongs to the learner's own file or cell."""
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    own = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
    try:
        message = str(error)[:MAX_MESSAGE_LENGTH]
    except Exception:
        message = "its message cannot be read"
    kind, *bases = [one.__name__ for one in type(error).__mro__]
    if not own:
        return LearnerError(kind, message, bases=tuple(bases))
    frame = own[-1]
    line = linecache.getline(frame.filename, frame.lineno).strip()[:MAX_MESSAGE_LENGTH]
    return LearnerError(kind, message, frame.lineno, line, tuple(bases))


def copied(value: Any) -> Any:
    """Return an argument of which nothing is shared with the one given."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if hasattr(value, "_fields"):  # a NamedTuple
        return type(value)(*map(copied, value))
    if isinstance(value, tuple | list):
        return type(value)(copied(v) for v in value)
    return dict(value) if isinstance(value, dict) else value


def _out_of_reach(value, depth=0):
    """Return a result whose plain arrays, lists and tuples no later call can change, as if it had been sent."""
    kind = type(value)  # `isinstance` would ask the value itself, which may refuse
    if kind is np.ndarray:
        return value.copy(order="K")
    if depth < MAX_DEPTH and (kind in (tuple, list) or (issubclass(kind, tuple) and hasattr(kind, "_fields"))):
        items = [_out_of_reach(item, depth + 1) for item in value]
        return items if kind is list else tuple.__new__(kind, items)
    return value


def _arrays(value, depth=0):
    """Yield the arrays in a value, however deep (within reason: a list may contain itself)."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple | list) and depth < MAX_DEPTH:
        for item in value:
            yield from _arrays(item, depth + 1)


def _same(one, other):
    """Return whether an argument is still what it was, with all that its lists and dictionaries hold."""
    if one is other:
        return True
    if isinstance(one, np.ndarray):
        comparable = isinstance(other, np.ndarray) and one.shape == other.shape
        return comparable and np.array_equal(one, _plain(other), equal_nan=one.dtype.kind == "f")
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other


def _shares_memory(value, argument):
    try:
        given = [_plain(array) for array in _arrays(argument)]
        return any(np.may_share_memory(_plain(array), other) for array in _arrays(value) for other in given)
    except Exception:  # an object that refuses to be looked at
        return False


def _plain(array):
    """Return an array without what its subclass may make of comparing."""
    return np.ndarray.view(array, np.ndarray)
