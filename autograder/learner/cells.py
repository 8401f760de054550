"""What the cells of a notebook say about a function that is to be checked; silent where there is no notebook."""

import ast
import contextlib
import inspect
import linecache
import re
import sys
import types
import warnings
from difflib import get_close_matches

from autograder.exercises import find, names

BROKEN = "The newest cell that defines `{name}` has a syntax error and did not run. Mend it, run it, and check again."
RENAMED = "Your notebook has no `{name}`, but a function `{other}`. A check goes by the name: call it `{name}` again."
STOPPED = (
    "The cell that defines `{name}` was stopped by an error before `def {name}`. Mend it, run it, and check again."
)
GONE = "The cell that defined `{name}` no longer does: what is left is an older version. Define `{name}` again."
NOT_RUN = "`{name}` is not defined yet. Run the cell with `def {name}` first, then this one."
HOMES, SOURCES = {}, {}  # the id of the cell that defined a function last, and what a cell held when it last ran


def broken(function):
    """Return a sentence if only an older version of a function is left, after a syntax error or under a new name.

    Parameters
    ----------
    function : callable

    Returns
    -------
    str
        Empty where all is well, and where the function is not from a cell.
    """
    with contextlib.suppress(Exception):  # a check must not fail for this
        shell = _shell()
        if shell and getattr(function, "__globals__", None) is shell.user_ns:
            name = function.__name__
            if _is_broken(_newest_cell(shell, name)):
                return BROKEN.format(name=name)
            return GONE.format(name=name) if _is_gone(name) else ""
    return ""


def explain_missing_names():
    """Have IPython say what to do where `check(softmax)` finds no softmax; all other errors stay as they are."""
    shell = _shell()
    if shell:
        shell.events.register("pre_run_cell", _remember)
    if shell and not shell.custom_exceptions:
        shell.set_custom_exc((NameError,), _show)


def _remember(info):
    """Note which functions a cell defines; a notebook's cells have ids, which they keep when they run again."""
    if info.cell_id:
        HOMES.update(dict.fromkeys(re.findall(r"^[ \t]*def[ \t]+(\w+)", info.raw_cell, re.MULTILINE), info.cell_id))
        SOURCES[info.cell_id] = info.raw_cell


def _is_gone(name):
    """Return whether the cell that defined a function last has run since without it."""
    return name in HOMES and not _beginning(name).search(SOURCES[HOMES[name]])


def _beginning(name):
    return re.compile(rf"^\s*def\s+{re.escape(name)}\b", re.MULTILINE)


def _show(shell, kind, error, traceback, tb_offset=None):
    """Show an error as IPython does, with the words of the course where a check is what raised it."""
    with contextlib.suppress(Exception):
        if kind is NameError and _is_checked(error.name, traceback):
            error.args = (_missing(shell, error.name),)
    shell.showtraceback((kind, error, traceback), tb_offset=tb_offset)


def _shell():
    """Return the running IPython, or None."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def _is_checked(name, traceback):
    """Return whether the cell that raised an error, and no function in it, contains `check(name)`."""
    while traceback.tb_next:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code
    calls = ast.walk(ast.parse("".join(linecache.getlines(code.co_filename)))) if code.co_name == "<module>" else ()
    return any(
        isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "check" and _names(node.args) == [name]
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
    if cell := _newest_cell(shell, name):
        return (BROKEN if _is_broken(cell) else STOPPED).format(name=name)
    other = _renamed(shell, name)
    return RENAMED.format(name=name, other=other) if other else NOT_RUN.format(name=name)


def _newest_cell(shell, name):
    """Return the source of the newest cell in which a function of this name begins, or ""."""
    return next(filter(_beginning(name).search, reversed(shell.history_manager.input_hist_parsed)), "")


def _is_broken(source):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except (SyntaxError, ValueError):  # ValueError: a null byte
        return True
    return False


def _renamed(shell, name):
    """Return the name of the notebook's function that is most likely meant, or None."""
    own = [f for f in shell.user_ns.values() if type(f) is types.FunctionType and f.__globals__ is shell.user_ns]
    own = {function.__name__: function for function in own if function.__name__ not in names()}
    wanted = list(find(name).signature.parameters)
    alike = [key for key, function in own.items() if list(inspect.signature(function).parameters) == wanted]
    near = get_close_matches(name, own, n=1) or [key for key in own if name in key]
    return next(iter([*near, *(alike if len(wanted) > 1 else ())]), None)
