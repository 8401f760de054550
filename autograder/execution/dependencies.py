"""Which statements of a module a function needs, judged by the names that they bind and use."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from typing import Any

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
EVERYTHING = "*"


def needed(statements: Sequence[ast.stmt], names: Iterable[str]) -> list[ast.stmt]:
    """Return the statements that define some names, and all those that they need in turn.

    Parameters
    ----------
    statements : sequence of ast.stmt
        Of one namespace.
    names : iterable of str

    Returns
    -------
    list of ast.stmt
        In their order.
    """
    imported = {name for statement in statements if _is_import(statement) for name in bound(statement)}
    binders = defaultdict(list)
    for number, statement in enumerate(statements):
        for name in bound(statement, imported):
            binders[name].append(number)
    chosen = set()
    waiting = [*names, EVERYTHING]
    while waiting:
        name = waiting.pop()
        for number in binders.pop(name, ()):
            if number not in chosen:
                chosen.add(number)
                waiting += (node.id for node in ast.walk(statements[number]) if isinstance(node, ast.Name))
    return [statements[number] for number in sorted(chosen)]


def bound(statement: ast.AST, imported: Set[str] = frozenset()) -> set[str]:
    """Return the names that a statement binds, or whose values it changes in place.

    A call such as ``cache.append(1)`` counts as a change, unless the name before the dot is an `imported` module.
    """
    found: set[str] = set()
    waiting: list[Any] = [statement]
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        found |= {_base(statement.value.func)} - imported if isinstance(statement.value.func, ast.Attribute) else set()
    while waiting:
        node = waiting.pop()
        if _is_import(node):
            found |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, SCOPES):
            found.add(getattr(node, "name", ""))
            continue
        elif isinstance(node, ast.ExceptHandler):
            found.add(node.name or "")
        elif isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            found.add(_base(node))
        waiting += ast.iter_child_nodes(node)
    return found


def _is_import(node):
    return isinstance(node, ast.Import | ast.ImportFrom)


def _base(node):
    """Return the name that an expression such as ``a.b[0]`` begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", "")
