"""Wrap the expressions of a function into calls that note what they come to."""

import ast
from dataclasses import dataclass
from typing import Any

NOTED = (
    *(ast.Name, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.Call, ast.Subscript, ast.Attribute),
    *(ast.ListComp, ast.Tuple, ast.List),
)
NOTE = "__note__"


@dataclass(frozen=True)
class Site:
    """An expression of a function, or what a ``return`` or ``+=`` leaves; `parent` is the number of its container."""

    number: int
    parent: int | None
    kind: str
    line: int
    code: str


@dataclass(frozen=True)
class Home:
    """Where a name gets a value: the line, the number of the value's site, and whether other names get theirs there."""

    line: int
    site: int | None
    is_shared: bool


class Noter(ast.NodeTransformer):
    """Wraps the expressions of a function into calls that note their values."""

    def __init__(self, source: str, first_line: int) -> None:
        self._lines, self._first_line = [line.encode() for line in source.splitlines()], first_line
        self.sites: list[Site] = []
        self.homes: dict[str, list[Home]] = {}
        self.inner: set[str] = set()
        self._open: list[int | None] = [None]
        self._depth = 0

    def function(self, definition: ast.FunctionDef) -> ast.FunctionDef:
        """Return the outermost definition, without what is evaluated only where it stands."""
        definition.decorator_list = []
        definition.returns = None
        arguments = definition.args
        arguments.defaults = [ast.Constant(None) for _ in arguments.defaults]
        arguments.kw_defaults = [default and ast.Constant(None) for default in arguments.kw_defaults]
        for argument in ast.walk(arguments):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        return self._with_body(definition)

    def _with_body(self, node):
        node.body = [statement for child in node.body for statement in _as_list(self.visit(child))]
        return node

    def visit(self, node: Any) -> Any:
        loads = isinstance(getattr(node, "ctx", None), ast.Load | None)
        if isinstance(node, NOTED) and loads:
            return self._noted(node, type(node).__name__, self._inside)
        return super().visit(node)

    def _noted(self, node, kind, inside):
        number = len(self.sites)
        kind = "MatMult" if isinstance(getattr(node, "op", None), ast.MatMult) else kind
        code = self._code(node)
        self.sites.append(Site(number, self._open[-1], kind, node.lineno, code))
        self._open.append(number)
        inner = inside(node)
        self._open.pop()
        return ast.copy_location(_call(number, inner), node)

    def _code(self, node):
        """Return the source of a node, which counts in bytes, on one line."""
        lines = self._lines[node.lineno - self._first_line : node.end_lineno - self._first_line + 1]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return b" ".join(line.strip() for line in lines).decode()

    def _inside(self, node):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                node.func.value = self.visit(node.func.value)
            node.args = [self.visit(argument) for argument in node.args]
            node.keywords = [self.visit(keyword) for keyword in node.keywords]
            return node
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: Any) -> Any:
        self.inner.add(node.name)
        self._depth += 1
        opened, self._open = self._open, [None]
        self._with_body(node)
        self._open = opened
        self._depth -= 1
        return node

    def visit_Lambda(self, node: Any) -> Any:
        opened, self._open = self._open, [None]
        node.body = self.visit(node.body)
        self._open = opened
        return node

    def visit_JoinedStr(self, node: Any) -> Any:
        return node

    def visit_Assign(self, node: Any) -> Any:
        number = len(self.sites)
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if node.value is not None:
            node.value = self.visit(node.value)
        if len(self.sites) == number:
            targets = [target for target in targets if not isinstance(target, ast.Subscript)]  # a constant for a part
        names = [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
        self.inner.update(names if isinstance(node.value, ast.Lambda) else ())
        home = Home(node.lineno, number if len(self.sites) > number else None, len(names) > 1)
        for name in names:
            self.homes.setdefault(name, []).append(home)
        return node

    visit_AnnAssign = visit_Assign

    def visit_Return(self, node: Any) -> Any:
        if node.value is not None:
            kind = "inner" if self._depth else "return"
            value = node.value

            def inside(_):
                return self.visit(value)

            node.value = self._noted(node, kind, inside)
        return node

    def visit_AugAssign(self, node: Any) -> Any:
        if not isinstance(node.target, ast.Name):
            node.value = self.visit(node.value)
            return node
        name = node.target.id
        holder = {}
        self.homes.setdefault(name, []).append(Home(node.lineno, len(self.sites), False))

        def inside(_):
            before = self.visit(ast.copy_location(ast.Name(name, ast.Load()), node.target))
            holder["before"] = ast.copy_location(ast.Expr(before), node)
            node.value = self.visit(node.value)
            return ast.copy_location(ast.Name(name, ast.Load()), node)

        after = self._noted(node, "aug", inside)
        return [holder["before"], node, ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], after), node)]


def _as_list(statements):
    return statements if isinstance(statements, list) else [statements]


def _call(number, inner):
    return ast.Call(ast.Name(NOTE, ast.Load()), [ast.Constant(number), inner], [])
