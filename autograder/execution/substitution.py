"""Judge a function by its own code: the reference stands in for the learner's functions of earlier exercises.

A notebook's check and a worker that grades both use this module; it needs the standard library only.
"""

import dis
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any


@contextmanager
def substituted(function: Callable[..., Any], helpers: Mapping[str, Callable[..., Any]]) -> Iterator[tuple[str, ...]]:
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
    for name, value in [*globals_.items()]:  # the same function under another name, as in attend = masked_attention
        if isinstance(value, types.FunctionType) and own.get(value.__name__) is value:
            own[name] = value
    right = {name: helpers[name if name in helpers else value.__name__] for name, value in own.items()}
    named = [getattr(default, "__name__", "") for default in defaults or ()]  # as in activation=relu
    used = (names_called(function) | set(named)) & set(own)
    globals_.update(right)
    if defaults:
        function.__defaults__ = tuple(right.get(n, d) for n, d in zip(named, defaults, strict=True))
    try:
        yield tuple(name for name in own if name in used and name in helpers)
    finally:
        globals_.update(own)
        function.__defaults__ = defaults


def names_called(function: types.FunctionType) -> set[str]:
    """Return the names of the functions that a function looks up, and of those that its helpers beside it look up.

    A function that was given another name has both; one of a module of the course, as in reference.softmax, is called.
    """
    globals_ = function.__globals__
    found: set[str] = set()
    waiting = [function]
    while waiting:
        helper = waiting.pop()
        code = helper.__code__
        names = _functions_looked_up(code, globals_) - found
        functions = [one for one in map(globals_.get, names) if isinstance(one, types.FunctionType)]
        found |= names | {one.__name__ for one in functions} | _taken_from_the_course(code, globals_)
        waiting += [one for one in functions if one.__globals__ is globals_]
    return found


def _taken_from_the_course(code, globals_):
    modules = [one for one in map(globals_.get, code.co_names) if isinstance(one, types.ModuleType)]
    ours = [module for module in modules if module.__name__.startswith("transformer_kit")]
    found = {name for name in code.co_names for module in ours if callable(getattr(module, name, None))}
    return found.union(*(_taken_from_the_course(one, globals_) for one in _inner(code)))


def _inner(code):
    return [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]


def _functions_looked_up(code, globals_):
    found = set().union(*(_functions_looked_up(one, globals_) for one in _inner(code)))
    names = {name for name in code.co_names if callable(globals_.get(name))}  # attributes of this name are among them
    if not names <= found:
        looked_up = (i for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME"))
        found |= {instruction.argval for instruction in looked_up} & names
    return found
