"""What the source of a cell binds, changes and uses, statement by statement; nothing is run."""

import ast
import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from autograder.grading.intake.read.bindings import FUNCTIONS, names_of

# the notebook's own commands: %magic, !shell, ?help, help?, and x = !shell
COMMAND = re.compile(r"^([ \t]*+)(?:[%!?].*|[\w.*]++\?{1,2}[ \t]*+|[\w,][\w, ]*+=[ \t]*+[%!].*)$", re.MULTILINE)
OTHER_LANGUAGE = re.compile(r"\s*+%%(?!capture|prun|time\b)")  # a cell magic whose cell is not Python run here
SCOPES = (*FUNCTIONS, ast.Lambda, ast.ClassDef)
ANYTHING = {"exec", "eval", "globals", "setattr"}  # a statement that calls one of these can use and bind any name


@dataclass(frozen=True)
class Statement:
    """One statement at the top of a cell."""

    node: ast.stmt
    first: int  # its lines, counted from 1
    last: int
    binds: frozenset[str]  # names that it gives a value
    changes: frozenset[str]  # names whose value it changes in place, as far as the source shows
    uses: frozenset[str]  # global names that it looks up, including later, in the functions that it defines

    def defines(self, name: str) -> bool:
        """Return whether it is a definition of a function of this name."""
        if isinstance(self.node, ast.Assign) and isinstance(self.node.value, ast.Lambda):
            return name in self.binds
        return isinstance(self.node, FUNCTIONS) and self.node.name == name

    @cached_property
    def is_stub(self) -> bool:
        """Whether it is a function whose body does nothing."""
        if not isinstance(self.node, FUNCTIONS):
            return False
        body = self.node.body[1:] if ast.get_docstring(self.node, clean=False) is not None else self.node.body
        return all(map(_is_placeholder, body))


@dataclass(frozen=True)
class Source:
    """The source of a cell, with the notebook's own commands taken out; `statements` is None where it is not Python."""

    text: str
    statements: tuple[Statement, ...] | None

    def bound(self, name: str) -> list[Statement]:
        """Return the statements that give this name a value."""
        return [statement for statement in self.statements or () if name in statement.binds]

    def only(self, kept: Iterable[Statement]) -> str:
        """Return the text of these statements alone: every other line is blank, and none moves."""
        stay = {number for statement in kept for number in range(statement.first, statement.last + 1)}
        lines = enumerate(self.text.split("\n"), 1)
        return "\n".join(line if number in stay else "" for number, line in lines).rstrip("\n")


def source_of(text: str) -> Source:
    """Read the source of a code cell."""
    if OTHER_LANGUAGE.match(text):
        return Source("", ())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of odd escapes and comparisons
        for variant in (text, COMMAND.sub(r"\1pass", text)):
            body = _parsed(variant)
            if body is not None:
                return Source(variant, tuple(map(_statement, body)))
    return Source(text, None)


known_source = lru_cache(maxsize=1024)(source_of)  # for the released sources, which every notebook repeats


def defined_in(text: str, name: str) -> bool:
    """Return whether a source that is not Python seems to define a function of this name."""
    return bool(re.search(rf"^(?:async[ \t]+)?def[ \t]+{re.escape(name)}[ \t]*\(", text, re.MULTILINE))


def _parsed(text):
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _statement(node):
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
    binds, uses = names_of(node)
    return Statement(node, first, node.end_lineno, binds, frozenset(_changed(node)), uses)


def _changed(node):
    """Yield the names of what is changed in place: x in `x[0] = 1`, `x.y = 1` and `x.append(1)`."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        assigned = isinstance(part, (ast.Attribute, ast.Subscript)) and not isinstance(part.ctx, ast.Load)
        called = isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)
        if assigned or called:
            changed = part
            while isinstance(changed, (ast.Attribute, ast.Subscript)) or changed is part:
                changed = changed.func if isinstance(changed, ast.Call) else changed.value
            if isinstance(changed, ast.Name):
                yield changed.id
        if not isinstance(part, SCOPES):
            waiting += ast.iter_child_nodes(part)


def _is_placeholder(statement):
    """Return whether a statement stands in for a body: `pass`, `...`, or the raise of the released stub."""
    if isinstance(statement, ast.Raise):
        raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Pass) or (constant and statement.value.value is ...)
