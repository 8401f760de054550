"""What the source of a cell binds, changes and uses, statement by statement; nothing is run."""

import ast
import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from autograder.grading.intake.read.bindings import FUNCTIONS, names_of

# the notebook's own commands: %magic, !shell, ?help, help?, and x = !shell; a backslash goes on in the next line
REST = r"(?:.*\\\n)*+.*"
COMMAND = rf"^(?P<indent>[ \t]*+)(?:[%!?]{REST}|[\w.*]++\?{{1,2}}[ \t]*+|[\w,][\w, ]*+=[ \t]*+[%!]{REST})$"
LONG_TEXT = r"(?P<quotes>\"{3}|'{3})(?s:.)*?(?P=quotes)"  # in which a line may look like a command
COMMANDS = [re.compile(pattern, re.MULTILINE) for pattern in (f"{LONG_TEXT}|{COMMAND}", COMMAND)]
OTHER_LANGUAGE = re.compile(r"\s*+%%(?!capture|prun|time\b)")  # a cell magic whose cell is not Python run here
SCOPES = (*FUNCTIONS, ast.Lambda, ast.ClassDef)
# a statement that mentions one of these can use and bind any name
ANYTHING = {"exec", "eval", "globals", "setattr", "delattr", "__main__", "__builtins__"}
ALL_NAMES = {"modules", "__globals__", "f_globals"}  # attributes that lead to all names, as vars() does


@dataclass(frozen=True)
class Statement:
    """One statement at the top of a cell."""

    node: ast.stmt
    first: int  # its lines, counted from 1
    last: int
    binds: frozenset[str]  # names that it gives a value
    changes: frozenset[str]  # names whose value it changes in place, as far as the source shows
    uses: frozenset[str]  # global names that it looks up, including later, in the functions that it defines
    declared: frozenset[str] = frozenset()  # those of them that a function in it declares as global, and may bind
    sets: frozenset[str] = frozenset()  # names of what it gives an attribute or an item
    sees_all: bool = False  # whether it may use and bind any name

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
        lines = self.text.split("\n")
        rows = [""] * len(lines)
        for statement in sorted(kept, key=lambda statement: (statement.first, statement.node.col_offset)):
            own_lines = lines[statement.first - 1 : statement.last]
            following = own_lines[-1].encode()[statement.node.end_col_offset :].lstrip()
            if following.startswith(b";"):  # another one follows, perhaps over several lines
                own_lines[-1] = own_lines[-1].encode()[: statement.node.end_col_offset].decode()
            own_lines[0] = own_lines[0].encode()[statement.node.col_offset :].decode()
            for number, line in enumerate(own_lines, statement.first - 1):
                rows[number] += f"; {line}" if rows[number] else line
        return "\n".join(rows).rstrip("\n")


def source_of(text: str) -> Source:
    """Read the source of a code cell."""
    if OTHER_LANGUAGE.match(text):
        return Source("", ())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of odd escapes and comparisons
        for variant in (text, *(pattern.sub(passed, text) for pattern in COMMANDS)):
            body = _parsed(variant)
            if body is not None:
                return Source(variant, tuple(map(_statement, body)))
    return Source(text, None)


known_source = lru_cache(maxsize=1024)(source_of)  # for the released sources, which every notebook repeats


def passed(match: re.Match[str]) -> str:
    """Return `pass` in place of a command, on as many lines; a text as it is."""
    return match[0] if match["indent"] is None else f"{match['indent']}pass" + "\n" * match[0].count("\n")


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
    declared, sets = set(), set()
    sees_all = not ANYTHING.isdisjoint(uses)
    for part in ast.walk(node):
        if isinstance(part, ast.Global):
            declared.update(part.names)
        elif isinstance(part, ast.Call) and not part.args:
            sees_all |= getattr(part.func, "id", "") in ("vars", "locals")
        elif isinstance(part, (ast.Attribute, ast.Subscript)):
            sees_all |= getattr(part, "attr", "") in ALL_NAMES
            sets |= set() if isinstance(part.ctx, ast.Load) else {_root(part)} & uses
    changes = frozenset(_changed(node)) - {""}
    binding = binds, changes, uses | declared, frozenset(declared), frozenset(sets)
    return Statement(node, first, node.end_lineno, *binding, sees_all)


def _changed(node):
    """Yield the names of what is changed in place: x in `x[0] = 1`, `x.y = 1`, `x.append(1)` and `@x.register`."""
    decorators = getattr(node, "decorator_list", ())
    yield from (_root(decorator) for decorator in decorators if isinstance(decorator, ast.Attribute))
    waiting = [node]
    while waiting:
        part = waiting.pop()
        assigned = isinstance(part, (ast.Attribute, ast.Subscript)) and not isinstance(part.ctx, ast.Load)
        called = isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)
        if assigned or called:
            yield _root(part)
        if not isinstance(part, SCOPES):
            waiting += ast.iter_child_nodes(part)


def _root(part):
    """Return the name with which an expression such as x.y[0] or x.append(1) begins; empty where it is no name."""
    root = part
    while isinstance(root, (ast.Attribute, ast.Subscript)) or root is part:
        root = root.func if isinstance(root, ast.Call) else root.value
    return root.id if isinstance(root, ast.Name) else ""


def _is_placeholder(statement):
    """Return whether a statement stands in for a body: `pass`, `...`, or the raise of the released stub."""
    if isinstance(statement, ast.Raise):
        raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Pass) or (constant and statement.value.value is ...)
