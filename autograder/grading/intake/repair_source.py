"""What the source of a cell binds, changes and uses, statement by statement; nothing is run."""

import ast
import dis
import re
import types
import warnings
from dataclasses import dataclass
from functools import cached_property, lru_cache

# the notebook's own commands: %magic, !shell, ?help, help?, and x = !shell
COMMAND = re.compile(r"^([ \t]*)(?:[%!?].*|[\w.*]+\?{1,2}[ \t]*|[\w, ]+=[ \t]*[%!].*)$", re.MULTILINE)
OTHER_LANGUAGE = re.compile(r"\s*%%(?!capture|prun|time\b)")  # a cell magic whose cell is not Python run here
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.Lambda, ast.ClassDef)
ANYTHING = {"exec", "eval", "globals", "setattr"}  # what calls one of these can use and bind any name


@dataclass(frozen=True)
class Statement:
    """One statement at the top of a cell.

    Attributes
    ----------
    node : ast.stmt
    first, last : int
        Its lines, counted from 1.
    binds : set of str
        Names that it gives a value.
    changes : set of str
        Names whose value it changes in place, as far as that can be seen.
    uses : set of str
        Global names that it looks up, also later, in the functions that it defines.
    """

    node: ast.stmt
    first: int
    last: int
    binds: frozenset
    changes: frozenset
    uses: frozenset

    def defines(self, name):
        """Tell whether it is a definition of a function of this name."""
        if isinstance(self.node, ast.Assign) and isinstance(self.node.value, ast.Lambda):
            return name in self.binds
        return isinstance(self.node, FUNCTIONS) and self.node.name == name

    @cached_property
    def is_stub(self):
        """Whether it is a function without a body of its own."""
        if not isinstance(self.node, FUNCTIONS):
            return False
        body = self.node.body[1:] if ast.get_docstring(self.node, clean=False) is not None else self.node.body
        return all(map(_says_nothing, body))


@dataclass(frozen=True)
class Source:
    """The source of a cell, with the notebook's own commands taken out; `statements` is None where it is no Python."""

    text: str
    statements: tuple[Statement, ...] | None

    def bound(self, name):
        """Return the statements that give this name a value."""
        return [statement for statement in self.statements or () if name in statement.binds]

    def only(self, kept):
        """Return the text with nothing but these statements: every other line is blank, and none moves."""
        lines, stay = self.text.split("\n"), set()
        for statement in kept:
            stay.update(range(statement.first, statement.last + 1))
        return "\n".join(line if number in stay else "" for number, line in enumerate(lines, 1)).rstrip("\n")


def source_of(text):
    """Read the source of a code cell.

    Parameters
    ----------
    text : str

    Returns
    -------
    Source
    """
    if OTHER_LANGUAGE.match(text):
        return Source("", ())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of odd escapes and comparisons
        for variant in (text, COMMAND.sub(r"\1pass", text)):
            body = _parsed(variant)
            if body is not None:
                return Source(variant, tuple(_statements(body)))
    return Source(text, None)


known_source = lru_cache(maxsize=1024)(source_of)  # for the released sources, which everybody hands in again


def defined_in(text, name):
    """Tell whether a source that is no Python seems to define a function of this name."""
    return bool(re.search(rf"^(?:async[ \t]+)?def[ \t]+{re.escape(name)}[ \t]*\(", text, re.MULTILINE))


def _parsed(text):
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _statements(body):
    for node in body:
        try:
            yield _statement(node)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # such as a return outside of a function


def _statement(node):
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    code = compile(ast.Module([node], []), "<cell>", "exec", flags=flags, dont_inherit=True)
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
    names = (frozenset(found) for found in (_bound(code), _changed(node), _used(code)))
    return Statement(node, first, node.end_lineno, *names)


def _bound(code):
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("STORE_NAME", "DELETE_NAME", "STORE_GLOBAL"):
            yield instruction.argval


def _used(code):
    """Yield the names that are looked up among the globals, here and in the functions inside."""
    for instruction in dis.get_instructions(code):
        if instruction.opname.startswith("LOAD_") and re.search("NAME|GLOBAL", instruction.opname):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _used(constant)


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


def _says_nothing(statement):
    """Tell whether a statement is what stands in for a body: `pass`, `...`, or the raise of the released stub."""
    if isinstance(statement, ast.Raise):
        raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Pass) or (constant and statement.value.value is ...)
