"""What runs in a forked child: a learner's cells, and the calls of one function that the judge asks for."""

import __future__

import ast
import contextlib
import functools
import inspect
import json
import linecache
import re
import signal
import socket
import sys
import time
import types
from collections.abc import Sequence
from typing import Any

from autograder.execution.call import SECONDS_AFTER_TIMEOUT, SECONDS_PER_CALL, run
from autograder.execution.dependencies import needed
from autograder.execution.earlier import Earlier
from autograder.execution.outcome import LearnerError, Outcome
from autograder.execution.substitution import substituted
from autograder.judge.wire.protocol import Channel, Peer, pairs
from autograder.judge.wire.values import foreign_kind
from transformer_kit import parameters
from transformer_kit.time_limit import PATIENCE, TimeLimit, call_within, call_within_processor_time

NAMED = {name: kind for name, kind in vars(parameters).items() if isinstance(kind, type) and hasattr(kind, "_fields")}
MAX_TEXTS, MAX_TEXT, MAX_NAME = 50, 2000, 100
# A statement of a cell, all of them together, and what is left for each of the others after that.
SECONDS_PER_STATEMENT, SECONDS_PER_NOTEBOOK, SECONDS_AFTERWARDS = 1.0, 3.0, 0.1
FILE = re.compile(r"<cell (\d{1,6})>")
RUN = re.compile(r"^[ \t]*+%run\b.*", re.MULTILINE)  # what brings functions from elsewhere
TIMERS = {signal.SIGALRM, signal.SIGPROF}
FUTURE = __future__.annotations.compiler_flag  # the only feature of the future that is not yet the present


class Child:
    """Answers the judge: once about the cells, then about calls.

    Parameters
    ----------
    connection : socket
    """

    def __init__(self, connection: socket.socket) -> None:
        handlers = {"begin": self.begin, "call": self.call}
        self.peer = Conversation(Channel(connection), NAMED, handlers, _shortened, strict=False)
        self.substitution = contextlib.ExitStack()
        self.function: Any = None
        self.signature: inspect.Signature | None = None
        self.seconds = SECONDS_PER_CALL
        self.earlier = Earlier()

    def begin(self, value: Any) -> tuple[str, tuple[str, ...], int]:
        """Run the cells and find the function.

        Answer why there is none, or "", the names that are substituted, and the number of the cell that defines it.
        """
        cells, name, signature, earlier, sources, lean = value
        helpers = _helpers(earlier, sources)
        main = types.ModuleType("__main__")
        vars(main)["display"] = lambda *args, **kwargs: None
        sys.modules["__main__"] = main
        sources = json.loads(bytes(cells))
        wrong = run_cells(sources, vars(main), name if lean else None)
        self.function = vars(main).get(name)
        self.signature = _signature(signature)
        if not callable(self.function):
            wrong = wrong[-3:] + [f"left out: {line.strip()}" for line in RUN.findall("\n".join(sources))][:3]
            errors = f" ({'; '.join(wrong)})" if wrong else ""
            return f"the notebook does not define the function {name}{errors}"[:MAX_TEXT], (), 0
        for helper, right in helpers.items():
            vars(main).setdefault(helper, right)  # one that is not defined costs its own exercise only
        file = getattr(getattr(self.function, "__code__", None), "co_filename", "")
        number = FILE.fullmatch(str(file))
        names = self.substitution.enter_context(substituted(self.function, helpers))
        return "", names, int(number[1]) if number else 0

    def call(self, value: Any) -> tuple[Any, ...]:
        """Call the function once; answer with the fields of an Outcome."""
        args, kwargs = value
        task = functools.partial(run, self.function, args, pairs(kwargs), self.signature, None, earlier=self.earlier)
        try:
            outcome = call_within(self.seconds * PATIENCE, call_within_processor_time, self.seconds, task)
        except TimeLimit:
            outcome = Outcome("timeout")
        except KeyboardInterrupt:
            outcome = Outcome("raised", error=LearnerError("KeyboardInterrupt", ""))
        if outcome.status == "timeout":
            self.seconds = SECONDS_AFTER_TIMEOUT
        return fields(outcome)


class Conversation(Peer):
    """A peer that no time limit cuts short in the middle of a frame."""

    def ask(self, op: str, value: object) -> Any:
        signal.pthread_sigmask(signal.SIG_BLOCK, TIMERS)
        try:
            return super().ask(op, value)
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, TIMERS)


def _helpers(names, sources):
    """Return the right functions of the earlier exercises; `sources` define those that the view lacks."""
    from transformer_kit import reference  # here, since the judge imports this module, too

    for source in sources:  # a later one may take from the reference what an earlier one has defined
        module = types.ModuleType("substitutes")
        exec(compile(source, "<substitutes>", "exec"), vars(module))
        for name in names:
            if name in vars(module):
                setattr(reference, name, getattr(module, name))
    return {name: getattr(reference, name) for name in names}


def run_cells(cells: Sequence[str], namespace: dict[str, Any], only: str | None = None) -> list[str]:
    """Run cells, one statement after the other, whatever fails.

    Parameters
    ----------
    cells : sequence of str
    namespace : dict
    only : str, optional
        Name of a function; what it does not need is left out.

    Returns
    -------
    list of str
        The errors.
    """
    statements, wrong = _statements(cells)
    if only:
        kept = set(map(id, needed([statement for statement, _ in statements], [only])))
        statements = [(statement, file) for statement, file in statements if id(statement) in kept]
    left = SECONDS_PER_NOTEBOOK
    flags = 0
    for statement, file in statements:
        start = time.monotonic()
        try:
            code = compile(ast.Module([statement], []), file, "exec", flags=flags, dont_inherit=True)
            flags |= code.co_flags & FUTURE
            call_within(max(min(left, SECONDS_PER_STATEMENT), SECONDS_AFTERWARDS), exec, code, namespace)
        except TimeLimit:
            wrong.append("a cell took too long and was stopped")
        except BaseException as error:
            wrong.append(_described(error))
        left -= time.monotonic() - start
    return wrong


def _statements(cells):
    """Return the statements of cells, each with the name of its file, and the errors of cells that are no Python."""
    statements = []
    wrong = []
    for number, source in enumerate(cells, 1):
        file = f"<cell {number}>"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        try:
            statements += [(statement, file) for statement in _parsed(source).body]
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            wrong.append(_described(error))
    return statements, wrong


def _parsed(source):
    """Parse a cell; the notebook's own commands (%, ! and ?) become `pass`."""
    try:
        return ast.parse(source)
    except SyntaxError:
        return ast.parse(re.sub(r"^([ \t]*+)([%!].*|.*\?)$", r"\1pass", source, flags=re.MULTILINE))


def _described(error):
    try:
        return f"{type(error).__name__}: {error}"[:MAX_TEXT]
    except Exception:
        return type(error).__name__


def _signature(described):
    """Make a signature of names, kinds and whether there is a default."""
    nothing = inspect.Parameter.empty
    return inspect.Signature(
        [inspect.Parameter(name, kind, default=None if optional else nothing) for name, kind, optional in described]
    )


def fields(outcome: Outcome) -> tuple[Any, ...]:
    """Turn an Outcome into the tuple of plain values that the judge expects."""
    error = outcome.error
    failure = None
    if error:
        bases = tuple(name[:MAX_NAME] for name in error.bases[:MAX_TEXTS])
        kind, message, line = error.type[:MAX_NAME], error.message[:MAX_TEXT], error.line[:MAX_TEXT]
        failure = kind, message, error.line_number, line, bases
    warnings = tuple(text[:MAX_TEXT] for text in outcome.warnings[:MAX_TEXTS])
    touched = outcome.changed, outcome.shares, outcome.earlier
    return outcome.status, outcome.value, failure, *touched, warnings, outcome.printed[:MAX_TEXT]


def _shortened(answer, reason):
    """Put a description in the place of a value that cannot be sent."""
    status, value, *more = answer
    return status, foreign_kind(type(value).__name__)(f"more than can be sent: {reason}"), *more
