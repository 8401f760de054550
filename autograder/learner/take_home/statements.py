"""A module, statement by statement: what each one binds and uses, and its text under other names."""

import ast
import re
import symtable
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from autograder.execution.dependencies import bound

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)


class CannotTakeHome(Exception):
    """Something that cannot be written into one file; the message says what and why."""


class Module:
    """The statements of a source.

    Parameters
    ----------
    name : str
        As in ``transformer_kit.reference.unit_03_masking``, or the stem of a learner's file.
    text : str
        That parses as Python.

    Attributes
    ----------
    statements : list of Statement
    binders : dict from str to list of Statement
        Those that bind a name, in their order.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        lines = text.splitlines(keepends=True)
        nodes = ast.parse(text).body
        imported = {name for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for name in bound(node)}
        self.statements = [Statement(self, i, node, _lines_of(lines, node)) for i, node in enumerate(nodes)]
        self.binders: dict[str, list[Statement]] = defaultdict(list)
        for statement in self.statements:
            for bound_name in bound(statement.node, imported):
                self.binders[bound_name].append(statement)


@dataclass(frozen=True, eq=False)
class Statement:
    """A statement on the top level of a module.

    Attributes
    ----------
    module : Module
    number : int
        Its place in the module.
    node : ast.stmt
    text : str
        Its lines, with the comments right above.
    """

    module: Module = field(repr=False)
    number: int
    node: ast.stmt = field(repr=False)
    text: str

    @cached_property
    def uses(self) -> set[str]:
        """Names that are looked up, or bound, on the top level of the module."""
        return self._names(lambda symbol: symbol.is_global())

    @property
    def is_function(self) -> bool:
        """Whether it is the definition of a function."""
        return isinstance(self.node, FUNCTIONS)

    @property
    def uses_at_once(self) -> set[str]:
        """Those that are looked up while it runs; of a function, in decorators, defaults and annotations."""
        if not isinstance(self.node, FUNCTIONS):
            return self.uses
        arguments = self.node.args
        annotated = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        parts = [*self.node.decorator_list, *arguments.defaults, *arguments.kw_defaults, self.node.returns]
        parts += [argument.annotation for argument in annotated if argument]
        nodes = [node for part in parts if part for node in ast.walk(part)]
        return {node.id for node in nodes if isinstance(node, ast.Name)} & self.uses

    def renamed(self, names: Mapping[str, str]) -> str:
        """Return the text with other names for what is bound on the top level of modules.

        Parameters
        ----------
        names : mapping of str to str

        Raises
        ------
        CannotTakeHome
            If a name that changes is a local variable somewhere in the statement as well.
        """
        changed = {old: new for old, new in names.items() if old != new and old in self.uses}
        if not changed:
            return self.text
        local = self._names(lambda symbol: symbol.is_local() or symbol.is_parameter(), top=False)
        both = sorted(changed.keys() & local)
        if both:
            raise CannotTakeHome(f"{self.module.name} has {both[0]!r} as a local and as a global name: rename one")
        lines = [line.encode() for line in self.text.splitlines(keepends=True)]
        for row, column, old in sorted(self._places(changed), reverse=True):
            line, end = lines[row], column + len(old.encode())
            if line[column:end] != old.encode():  # an f-string, in which Python 3.11 does not say where a name stands
                raise CannotTakeHome(f"{self.module.name} has {old!r} in an f-string, and other modules have it, too")
            lines[row] = line[:column] + changed[old].encode() + line[end:]
        return b"".join(lines).decode()

    def _places(self, changed):
        """Yield row, column and name of every place in the text where one of some names stands."""
        for node in ast.walk(ast.parse(self.text)):
            if isinstance(node, ast.Name) and node.id in changed:
                yield node.lineno - 1, node.col_offset, node.id
            elif isinstance(node, ast.Global) and changed.keys() & set(node.names):
                raise CannotTakeHome(f"{self.module.name} changes {node.names[0]!r} with a global statement")
            elif isinstance(node, DEFINITIONS) and node.name in changed and not node.col_offset:
                row = self.text.splitlines()[node.lineno - 1]
                yield node.lineno - 1, re.match(r"(async\s+def|def|class)\s+", row).end(), node.name

    def _names(self, wanted, top=True):
        table = symtable.symtable(self.text, self.module.name, "exec")
        found = {symbol.get_name() for symbol in table.get_symbols()} if top else set()
        waiting = list(table.get_children())
        while waiting:
            table = waiting.pop()
            waiting += table.get_children()
            found |= {symbol.get_name() for symbol in table.get_symbols() if wanted(symbol)}
        return found


def _lines_of(lines, node):
    """Return the lines of a statement, with its decorators and the comments right above."""
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))]) - 1
    while first and lines[first - 1].startswith("#"):
        first -= 1
    return "".join(lines[first : node.end_lineno]).rstrip() + "\n"
