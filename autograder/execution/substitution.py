"""Judge a function by its own code: the reference stands in for the learner's functions of earlier exercises.

A notebook's check and a worker that grades both use this module; it needs the standard library only.
"""

import dis
import types
from contextlib import contextmanager


@contextmanager
def substituted(function, helpers):
    """Let a function call the right helpers in place of the learner's own of the same names.

    So a wrong softmax costs nothing in the attention that calls it, directly or through another function. At the end
    everything is as it was.

    Parameters
    ----------
    function : callable
        The learner's; one that is not written in Python is left as it is.
    helpers : dict
        Names and functions of the earlier exercises.

    Yields
    ------
    tuple of str
        Names of the helpers that the function really calls.
    """
    if not isinstance(function, types.FunctionType):
        yield ()
        return
    globals_, defaults = function.__globals__, function.__defaults__
    own = {name: globals_[name] for name in helpers if name in globals_ and name != function.__name__}
    right = {name: helpers[name] for name in own}
    named = [getattr(default, "__name__", None) for default in defaults or ()]  # as in activation=relu
    used = (names_called(function) | set(named)) & set(own)
    globals_.update(right)
    if defaults:
        function.__defaults__ = tuple(right.get(n, d) for n, d in zip(named, defaults, strict=True))
    try:
        yield tuple(name for name in own if name in used)
    finally:
        globals_.update(own)
        function.__defaults__ = defaults


def names_called(function):
    """Return the names of the functions that a function looks up, and of those that its helpers beside it look up."""
    globals_, found, waiting = function.__globals__, set(), [function]
    while waiting:
        names = _functions_looked_up(waiting.pop().__code__, globals_) - found
        found |= names
        waiting += [
            h for h in map(globals_.get, names) if isinstance(h, types.FunctionType) and h.__globals__ is globals_
        ]
    return found


def _functions_looked_up(code, globals_):
    inner = (constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    found = set().union(*(_functions_looked_up(one, globals_) for one in inner))
    names = {name for name in code.co_names if callable(globals_.get(name))}  # attributes of this name are among them
    if not names <= found:
        looked_up = (i for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME"))
        found |= {instruction.argval for instruction in looked_up} & names
    return found
