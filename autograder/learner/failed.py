"""Which functions the cells of a notebook should have defined anew, had not an error come first.

What a name stands for then is an older version, or nothing. It does not matter what the error was: one of syntax, one
in a line before the definition, in its decorators or its defaults, or one of a magic.
"""

import ast
import contextlib
import re
import sys
import traceback
import warnings
from typing import Any

DEFINED = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)
MEND = "Mend it, run it, and check again."
BROKEN = f"The newest cell that defines `{{name}}` has a syntax error and did not run. {MEND}"
STOPPED = f"The newest cell that defines `{{name}}` was stopped by an error before `def {{name}}` was done. {MEND}"
MAX_MESSAGE = 200  # characters of an error's text
# What the names of a running cell stood for when it began; and what a name stands for since a cell has failed to define
# it, with a sentence on that (an error itself would keep all that its frames hold).
BEGUN: dict[int, tuple] = {}
FAILED: dict[str, tuple] = {}


def watch(shell: Any) -> None:
    """Follow the cells of an IPython from now on."""
    BEGUN.clear()
    FAILED.clear()
    shell.events.register("pre_run_cell", lambda info: _quietly(_begin, shell, info))
    shell.events.register("post_run_cell", lambda result: _quietly(_end, shell, result))


def told(name: str, function: object) -> str:
    """Return a sentence if a name stands for this function, or for none (None), because a cell has failed; or ""."""
    left, sentence = FAILED.get(name, (None, ""))
    return sentence if left is function else ""


def _quietly(function, *args):
    with contextlib.suppress(Exception):  # no cell may fail for this
        function(*args)


def _begin(shell, info):
    before = {name: shell.user_ns.get(name) for name in _bound(shell, info.raw_cell)}
    BEGUN[id(info)] = before, getattr(sys, "last_value", None)


def _end(shell, result):
    """Note which names a cell has left as they were because of an error; %%time shows one, but does not raise it."""
    before, shown_before = BEGUN.pop(id(result.info), ({}, None))
    shown = getattr(sys, "last_value", None)
    error = result.error_before_exec or result.error_in_exec or (shown if shown is not shown_before else None)
    statements = _bound(shell, result.info.raw_cell)
    line = _line(shell, error)
    for name, old in before.items():
        now = shell.user_ns.get(name)
        places = statements[name]
        is_done = bool(places) and places[-1].end_lineno < line
        if error and not is_done and (now is old or len(places) > 1):
            FAILED[name] = now, _sentence(name, error)
        else:
            FAILED.pop(name, None)


def _bound(shell, source):
    """Return the names that a cell binds, each with its statements; of a cell that is no Python, those after `def`."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            statements = ast.parse("" if source.startswith("%%") else shell.transform_cell(source)).body
    except (SyntaxError, ValueError):  # ValueError: a null byte
        statements = []
    bindings = {} if statements else {name: [] for name in DEFINED.findall(source)}
    for statement in statements:
        for name in set(_bindings(statement)):
            bindings[name] = [*bindings.get(name, []), statement]
    return bindings


def _bindings(node):
    """Yield the names that a statement binds, but for those within functions and classes."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.alias):
        yield node.asname or node.name
    for child in ast.iter_child_nodes(node):
        yield from _bindings(child)


def _line(shell, error):
    """Return the line of a cell at which an error came up; 0 where the cell never began, or where a magic ran it."""
    for frame, line in traceback.walk_tb(error.__traceback__ if error else None):
        if frame.f_globals is shell.user_ns:
            return line
    return 0


def _sentence(name, error):
    """Say that a cell has not defined a function, and which error was in the way."""
    is_syntax = isinstance(error, SyntaxError)
    message = f"{error.msg}, line {error.lineno}" if is_syntax else str(error)
    message = " ".join(message.replace("`", "'").split())[:MAX_MESSAGE]
    kind = type(error).__name__ + (f": {message}" if message else "")
    return f"{(BROKEN if is_syntax else STOPPED).format(name=name)} ({kind})"
