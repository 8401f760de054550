"""Run one call of a function in this process: on copies, quietly, within a time limit."""

import contextlib
import inspect
import io
import linecache
import traceback
import tracemalloc
import warnings

import numpy as np

from autograder.outcome import LearnerError, Outcome
from transformer_kit.time_limit import TimeLimit, TimeWatch

SECONDS_PER_CALL = 2.0
SECONDS_AFTER_TIMEOUT = 0.3
LONGEST_MESSAGE = 300  # characters of an error's text that are shown
DEEPEST = 6  # nested containers that are looked into


class LocalRunner:
    """Runs the calls of one function in this process; after one that never ended, the next get less time."""

    def __init__(self, function, signature):
        self.function = function
        self.signature = signature
        self.seconds = SECONDS_PER_CALL

    def __call__(self, args, kwargs, measure_memory=False):
        outcome = run(self.function, args, kwargs, self.signature, self.seconds, measure_memory)
        if outcome.status == "timeout":
            self.seconds = SECONDS_AFTER_TIMEOUT
        return outcome


def run(function, args, kwargs, signature=None, seconds=SECONDS_PER_CALL, measure_memory=False):
    """Call `function` on copies of the arguments and report what happened.

    Parameters
    ----------
    function : callable
    args : tuple
    kwargs : dict
    signature : inspect.Signature, optional
        Gives the names under which changed arguments are reported; the function's own when left out.
    seconds : float or None
        Time limit in seconds; None for a function that is trusted to end. Where threads cannot start (in a
        browser) there is none; a call that stays in compiled code is stopped when it comes back.
    measure_memory : bool
        Measure the peak of what NumPy and Python allocate during the call.

    Returns
    -------
    Outcome
    """
    given, given_kwargs = _copy(args), {key: _copy(value) for key, value in kwargs.items()}
    printed, peak = Printed(), None
    with warnings.catch_warnings(record=True) as caught, np.errstate(divide="warn", over="warn", invalid="warn"):
        warnings.simplefilter("always")
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            if measure_memory:
                tracemalloc.start()
            status, value, error = _attempt(function, given, given_kwargs, seconds)
            if measure_memory:
                peak = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()
    signature = signature or inspect.signature(function)
    before = _named_arrays(signature, args, kwargs)
    after = _named_arrays(signature, given, given_kwargs)
    return Outcome(
        status,
        value,
        error,
        changed=tuple(name for name in after if not _same(before[name], after[name])),
        shares=tuple(name for name in after if _shares_memory(value, after[name])),
        warnings=tuple(f"{w.category.__name__}: {w.message}" for w in caught),
        printed=printed.getvalue(),
        peak_bytes=peak,
    )


class Printed(io.StringIO):
    """Takes what a function prints; a function that closes its output does no harm."""

    def close(self):
        """Stay open."""


def _attempt(function, args, kwargs, seconds):
    """Return (status, value, error) of one call; only the learner's own interrupt passes through."""
    limit = TimeWatch(seconds)
    try:
        try:
            if seconds is not None:
                limit.start()
            return "returned", function(*args, **kwargs), None
        finally:
            limit.stop()
    except TimeLimit:
        limit.stop()  # once more: this one may have come just before the lifting
        return "timeout", None, None
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
        message = str(error)[:LONGEST_MESSAGE]
    except Exception:
        message = "its message cannot be read"
    if not own:
        return LearnerError(type(error).__name__, message)
    frame = own[-1]
    line = linecache.getline(frame.filename, frame.lineno).strip()[:LONGEST_MESSAGE]
    return LearnerError(type(error).__name__, message, frame.lineno, line)


def _copy(value):
    if isinstance(value, np.ndarray):
        return value.copy()
    if hasattr(value, "_fields"):  # a NamedTuple
        return type(value)(*map(_copy, value))
    if isinstance(value, tuple | list):
        return type(value)(_copy(v) for v in value)
    return dict(value) if isinstance(value, dict) else value


def _named_arrays(signature, args, kwargs):
    """Map parameter names to the arguments that are arrays or containers of arrays."""
    bound = signature.bind(*args, **kwargs).arguments
    return {name: value for name, value in bound.items() if any(True for _ in _arrays(value))}


def _arrays(value, depth=0):
    """Yield the arrays in a value, however deep (within reason: a list may contain itself)."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple | list) and depth < DEEPEST:
        for item in value:
            yield from _arrays(item, depth + 1)


def _same(one, other):
    pairs = zip(_arrays(one), _arrays(other), strict=False)
    return all(a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in pairs)


def _shares_memory(value, argument):
    try:
        return any(np.may_share_memory(_plain(v), _plain(a)) for v in _arrays(value) for a in _arrays(argument))
    except Exception:  # an object that does not want to be looked at
        return False


def _plain(array):
    """Return an array without the ideas that a subclass may have about comparing."""
    return np.ndarray.view(array, np.ndarray)
