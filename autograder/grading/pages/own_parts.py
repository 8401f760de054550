"""The statements of a submission on which its functions depend, each for the first exercise that needs it."""

import ast
import re
import warnings
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from autograder.execution.dependencies import bound
from autograder.grading.pages.live_code import DEFINITIONS, blocks_of

MAX_LENGTH = 30_000  # characters of a submission's code; nobody writes more by hand


@dataclass(frozen=True)
class Cell:
    """A cell that is Python."""

    source: str
    tree: ast.Module

    @cached_property
    def lines(self) -> list[str]:
        """Its lines, as Python counts them."""
        return re.split(r"\r\n|\r|\n", self.source)


@dataclass(frozen=True)
class Part:
    """A statement of a module that the exercise `where` needs."""

    cell: Cell
    node: ast.stmt
    where: str

    @property
    def is_exercise(self) -> bool:
        """Whether it gives the exercise's own name a value."""
        return self.where in defined(self.node)


def shortest(sources: Sequence[str]) -> list[str]:
    """Leave out the longest sources where all together are too long."""
    room = MAX_LENGTH
    kept = set()
    for number in sorted(range(len(sources)), key=lambda number: len(sources[number])):
        room -= len(sources[number])
        kept |= {number} if room >= 0 else set()
    return [source for number, source in enumerate(sources) if number in kept]


def parsed(source: str) -> Cell | None:
    """Return a cell with its syntax tree; None for what is not Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes in strings
            return Cell(source, ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def modules_of(cells: Iterable[Cell]) -> dict[str, str]:
    """Return how the names of imported modules read: as the modules' own."""
    nodes = [node for cell in cells for node in ast.walk(cell.tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return {"np": "numpy"} | {a.asname: a.name for node in nodes for a in node.names if a.asname}


def parts_of(cells: Iterable[Cell], order: Collection[str], modules: Set[str]) -> Iterator[Part]:
    """Find the statements that exercises need, each once, for the first exercise that needs it.

    Parameters
    ----------
    cells : iterable of Cell
    order : collection of str
        Names of the exercises.
    modules : set of str
        Names of imported modules, which no call changes.

    Yields
    ------
    Part
        Of several definitions of a name, only the last one and what changes it afterwards.
    """
    statements = [_Statement(cell, node, modules) for cell in cells for node in _at_the_top(cell.tree.body)]
    binders = defaultdict(list)
    taken = set()
    for number, statement in enumerate(statements):
        for name in statement.binds:
            binders[name].append(number)
    for exercise in order:
        known = set(order) - {exercise}
        waiting = [exercise]
        while waiting:
            name = waiting.pop()
            if name in known:
                continue
            known.add(name)
            for number in reversed(binders[name]):
                statement = statements[number]
                if number not in taken:
                    taken.add(number)
                    yield Part(statement.cell, statement.node, exercise)
                    waiting += statement.uses
                if name in statement.replaces:
                    break


class _Statement:
    """A statement of a module: the names that it binds or changes, those that it uses, and those that it binds anew."""

    def __init__(self, cell, node, modules):
        names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
        self.cell = cell
        self.node = node
        self.binds = bound(node, modules)
        self.uses = {name.id for name in names}
        looked_up = {name.id for name in names if isinstance(name.ctx, ast.Load)}
        self.replaces = defined(node) - (set() if isinstance(node, DEFINITIONS) else looked_up)


def _at_the_top(body):
    """Yield the statements of a module, also those below a condition and the like."""
    for node in body:
        if isinstance(node, (ast.If, ast.Try, ast.With)):
            for block in blocks_of(node):
                yield from _at_the_top(block)
        elif not is_given(node):
            yield node


def defined(node: ast.AST) -> set[str]:
    """Return the names that a definition or an assignment gives a value."""
    if isinstance(node, DEFINITIONS):
        return {node.name}
    return {target.id for target in getattr(node, "targets", ()) if isinstance(target, ast.Name)}


def is_given(node: ast.AST) -> bool:
    """Return whether a statement says nothing about the learner: the stub, an import."""
    if isinstance(node, ast.Raise):
        return isinstance(node.exc, ast.Name) and node.exc.id == "NotImplementedError"
    return isinstance(node, (ast.Import, ast.ImportFrom))
