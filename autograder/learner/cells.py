"""What the cells of a notebook say about a function that is to be checked; silent where there is no notebook."""

import ast
import contextlib
import inspect
import linecache
import sys
import traceback
import types
from collections.abc import Callable
from difflib import get_close_matches
from types import FrameType
from typing import Any

from autograder.execution.substitution import names_called
from autograder.learner import failed
from autograder.learner.failed import DEFINED
from autograder.registry import find, names

RENAMED = "Your notebook has no `{name}`, but a function `{other}`. A check goes by the name: call it `{name}` again."
GONE = "The cell that defined `{name}` no longer does: what is left is an older version. Define `{name}` again."
NOT_RUN = "`{name}` is not defined yet. Run the cell with `def {name}` first, then this one."
HOMES: dict[str, str] = {}  # the id of the cell that defined a function last
SOURCES: dict[str, str] = {}  # what a cell held when it last ran, by its id


def broken(function: Callable[..., Any], name: str) -> str:
    """Return a sentence if only an older version of a function is left, after an error or under a new name.

    Parameters
    ----------
    function : callable
    name : str
        That of its exercise.

    Returns
    -------
    str
        Empty where all is well, and where the function is not from a cell.
    """
    with contextlib.suppress(Exception):  # a check must not fail for this
        shell = _shell()
        if shell and shell.user_ns.get(name) is function:
            sentences = (failed.told(each, shell.user_ns.get(each)) for each in [name, *_helpers(function)])
            if sentence := next(filter(None, sentences), ""):
                return sentence
            is_own = getattr(function, "__globals__", None) is shell.user_ns
            return GONE.format(name=name) if is_own and _is_gone(name) else ""
    return ""


def _helpers(function):
    """Return the names of the notebook's own functions that a function calls; exercises are judged by themselves."""
    called = names_called(function) if isinstance(function, types.FunctionType) else set()
    return sorted(called.difference(names()))


def asked_as(function: Callable[..., Any], frame: FrameType) -> str | None:
    """Return the name under which a function is checked, as a class is graded: the one that the notebook gives it.

    Parameters
    ----------
    function : callable
        A lambda, a partial and an object to be called have no other.
    frame : frame
        Of the cell that checks it.

    Returns
    -------
    str or None
        That of an exercise if the cell knows the function by one, else its own, or None.
    """
    own = getattr(function, "__name__", None)
    bound = [n for n in names() if frame.f_globals.get(n) is function]
    if len(bound) > 1:
        bound = [name for name in bound if _is_checked(name, frame.f_code, frame.f_lineno)] or bound
    return own if own in bound or not bound else bound[0]


def explain_missing_names() -> None:
    """Have IPython say what to do where `check(softmax)` finds no softmax; all other errors stay as they are."""
    shell = _shell()
    if shell:
        for notes in (HOMES, SOURCES):
            notes.clear()
        shell.events.register("pre_run_cell", _remember)
        failed.watch(shell)
    if shell and not shell.custom_exceptions:
        shell.set_custom_exc((NameError,), _show)


def _remember(info):
    """Note which functions a cell defines; a notebook's cells have ids, which they keep when they run again."""
    if info.cell_id:
        HOMES.update(dict.fromkeys(DEFINED.findall(info.raw_cell), info.cell_id))
        SOURCES[info.cell_id] = info.raw_cell


def _is_gone(name):
    """Return whether the cell that defined a function last has run since without it."""
    return name in HOMES and name not in DEFINED.findall(SOURCES[HOMES[name]])


def _show(shell, kind, error, trace, tb_offset=None):
    """Show an error as IPython does, with the words of the course where a check is what raised it."""
    with contextlib.suppress(Exception):
        frame, line = list(traceback.walk_tb(trace))[-1]
        if kind is NameError and frame.f_code.co_name == "<module>" and _is_checked(error.name, frame.f_code, line):
            error.args = (_missing(shell, error.name),)
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset)


def _shell():
    """Return the running IPython, or None."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def _is_checked(name, code, line):
    """Return whether a line of a cell is part of `check(name)`."""
    calls = ast.walk(ast.parse("".join(linecache.getlines(code.co_filename))))
    return any(
        isinstance(node, ast.Call)
        and node.lineno <= line <= node.end_lineno
        and ast.unparse(node.func).split(".")[-1] == "check"
        and _names(node.args) == [name]
        for node in calls
    )


def _names(arguments):
    return [argument.id for argument in arguments if isinstance(argument, ast.Name)]


def _missing(shell, name):
    """Say why there is no function of this name, and what to do."""
    try:
        find(name)
    except LookupError as unknown:
        return unknown.args[0]
    if sentence := failed.told(name, None):
        return sentence
    other = _renamed(shell, name)
    return RENAMED.format(name=name, other=other) if other else NOT_RUN.format(name=name)


def _renamed(shell, name):
    """Return the name of the notebook's function that is most likely meant, or None."""
    own = [f for f in shell.user_ns.values() if type(f) is types.FunctionType and f.__globals__ is shell.user_ns]
    own = {function.__name__: function for function in own if function.__name__ not in names()}
    wanted = list(find(name).signature.parameters)
    alike = [key for key, function in own.items() if list(inspect.signature(function).parameters) == wanted]
    near = get_close_matches(name, own, n=1) or [key for key in own if name in key]
    return next(iter([*near, *(alike if len(wanted) > 1 else ())]), None)
