"""The names that a statement binds and looks up, by Python's rules of scope.

Nothing is compiled: a few hundred characters, such as `finally` inside `finally`, can compile to gigabytes.
"""

import ast
from dataclasses import dataclass, field

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
NAMESPACES = (*FUNCTIONS, ast.Lambda, ast.ClassDef, *COMPREHENSIONS)


@dataclass
class _Scope:
    """A namespace inside a statement, or, without an `outer` one, the statement itself in that of the notebook."""

    kind: type
    outer: "_Scope | None" = None
    binds: set[str] = field(default_factory=set)
    uses: set[str] = field(default_factory=set)
    declared: set[str] = field(default_factory=set)  # as global


def names_of(statement: ast.stmt) -> tuple[frozenset[str], frozenset[str]]:
    """Return which global names a statement at the top of a cell gives a value, and which it looks up.

    Returns
    -------
    binds : frozenset of str
        When it runs; not what its functions bind once they are called.
    uses : frozenset of str
        Also later, in the functions that it defines.
    """
    top = _Scope(ast.Module)
    scopes = [top]
    waiting: list[tuple[ast.AST, _Scope]] = [(statement, top)]
    outside: dict[int, _Scope] = {}  # of parts by identity, where it is another than their parent's
    while waiting:
        node, scope = waiting.pop()
        scope = outside.pop(id(node), scope)
        _note(node, scope)
        if isinstance(node, ast.NamedExpr):
            outside[id(node.target)] = _around_comprehensions(scope)
        if isinstance(node, NAMESPACES):
            outside |= {id(part): scope for part in _outside(node)}
            scope = _Scope(type(node), scope)
            scopes.append(scope)
        waiting += ((part, scope) for part in ast.iter_child_nodes(node))
    for scope in reversed(scopes[1:]):  # the inner ones first
        local = set() if scope.kind is ast.ClassDef else scope.binds - scope.declared
        if scope.outer:
            scope.outer.uses |= scope.uses - local - scope.declared
        top.uses |= scope.uses & scope.declared
    return frozenset(top.binds), frozenset(top.uses)


def _outside(node):
    """Return the parts of a node that do not belong to the namespace that it opens."""
    if isinstance(node, COMPREHENSIONS):
        return [node.generators[0].iter]
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    return [*getattr(node, "decorator_list", ()), *node.args.defaults, *filter(None, node.args.kw_defaults)]


def _around_comprehensions(scope):
    """Return the namespace in which a := binds its name."""
    while scope.kind in COMPREHENSIONS:
        scope = scope.outer
    return scope


def _note(node, scope):
    """Note the names that one node binds or looks up."""
    if isinstance(node, ast.Name):
        (scope.uses if isinstance(node.ctx, ast.Load) else scope.binds).add(node.id)
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        scope.uses.add(node.target.id)
    elif isinstance(node, ast.arg):
        scope.binds.add(node.arg)
    elif isinstance(node, ast.alias):
        scope.binds |= {node.asname or node.name.partition(".")[0]} - {"*"}
    elif isinstance(node, ast.Global):
        scope.declared.update(node.names)
    elif isinstance(node, ast.MatchMapping) and node.rest:
        scope.binds.add(node.rest)
    elif isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        scope.binds.add(node.name)
