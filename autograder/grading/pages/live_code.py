"""What matters of a function's statements: those that its result depends on, in an order that nobody has chosen."""

import ast
import heapq
from collections import defaultdict
from collections.abc import Sequence, Set
from typing import Any

from autograder.execution.dependencies import bound

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
JUMPS = (ast.Break, ast.Continue)
ENDS = (ast.Return, ast.Raise, *JUMPS)
ROOTS = (ast.Return, ast.Raise, ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await)
IDLE = (ast.Pass, ast.Assert, ast.Delete)


def live(definition: ast.stmt, modules: Set[str] = frozenset()) -> set[int]:
    """Find the statements inside a definition that its result depends on, judging by names.

    Parameters
    ----------
    definition : ast.stmt
    modules : set of str
        Names of imported modules, which no call changes.

    Returns
    -------
    set of int
        The `id` of each; the statements that give values to names which nothing uses are not among them, nor are
        assertions, docstrings and what cannot be reached.
    """
    above = {}
    jumps = defaultdict(list)
    binders = defaultdict(list)
    found = set()
    waiting = []
    for statement, parent, loop in _inside(definition):
        above[id(statement)] = parent
        if isinstance(statement, JUMPS):
            jumps[id(loop)].append(statement)
        elif isinstance(definition, ast.ClassDef) or any(isinstance(node, ROOTS) for node in _own(statement)):
            waiting.append(statement)
        for name in _binds(statement, modules):
            binders[name].append(statement)
    while waiting:
        statement = waiting.pop()
        if statement is definition or id(statement) in found:
            continue
        found.add(id(statement))
        waiting += [above[id(statement)], *jumps[id(statement)]]
        for name in _uses(statement):
            waiting += binders.pop(name, ())
        if isinstance(statement, DEFINITIONS):
            found |= live(statement, modules)
    return found


def _inside(definition):
    """Yield the statements in a definition that can be reached, each with the one around it and its loop."""
    blocks = blocks_of(definition) if isinstance(definition, DEFINITIONS) else ()
    waiting = [(block, definition, None) for block in blocks]
    while waiting:
        block, parent, loop = waiting.pop()
        for statement in block:
            yield statement, parent, loop
            if not isinstance(statement, DEFINITIONS):
                around = statement if isinstance(statement, LOOPS) else loop
                waiting += [(inner, statement, around) for inner in blocks_of(statement)]
            if isinstance(statement, ENDS):
                break


def blocks_of(node: ast.AST) -> list[list[ast.stmt]]:
    """Return the lists of statements inside a node, without those that a constant condition rules out."""
    never = None
    if isinstance(node, (ast.If, ast.While)) and isinstance(node.test, ast.Constant) and not node.test.value:
        never = node.body
    parts = [node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())]
    blocks = [getattr(part, field, []) for part in parts for field in ("body", "orelse", "finalbody")]
    return [block for block in blocks if isinstance(block, list) and block is not never]


def _own(statement):
    """Yield the nodes of a statement without the statements inside it and without the insides of functions."""
    waiting = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*DEFINITIONS, ast.Lambda)):
            waiting += (part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.stmt))


def _binds(statement, modules):
    """Return the names that a statement itself, apart from those inside it, binds or changes."""
    if isinstance(statement, IDLE) or (isinstance(statement, ast.AnnAssign) and not statement.value):
        return set()
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Name):
        return bound(statement) - {statement.value.id}  # x = x
    if not any(blocks_of(statement)) or isinstance(statement, DEFINITIONS):
        return bound(statement, modules)
    parts = (part for part in ast.iter_child_nodes(statement) if not isinstance(part, ast.stmt))
    return set().union(*map(bound, parts))


def _uses(statement):
    """Yield the names that occur in a statement itself; in a definition, all of them."""
    for node in ast.walk(statement) if isinstance(statement, DEFINITIONS) else _own(statement):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Lambda):
            yield from (part.id for part in ast.walk(node) if isinstance(part, ast.Name))
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names


def ordered(statements: Sequence[ast.stmt], keys: Sequence[tuple[Any, ...]]) -> list[int]:
    """Put the statements of one block into an order that depends on nothing but what they do.

    Parameters
    ----------
    statements : sequence of ast.stmt
    keys : sequence of tuple
        Where two statements do not depend on each other, the one of the smaller key comes first.

    Returns
    -------
    list of int
        The numbers of the statements.
    """
    if len(statements) < 2:
        return list(range(len(statements)))
    after = defaultdict(set)
    before = _before(statements)
    for number, earlier in enumerate(before):
        for one in earlier:
            after[one].add(number)
    ready = [(keys[number], number) for number, earlier in enumerate(before) if not earlier]
    order = []
    heapq.heapify(ready)
    while ready:
        _, number = heapq.heappop(ready)
        order.append(number)
        for later in after[number]:
            before[later].discard(number)
            if not before[later]:
                heapq.heappush(ready, (keys[later], later))
    return order


def _before(statements):
    """Return for each statement the numbers of those that have to come before it."""
    found = []
    binder = {}
    users = defaultdict(set)
    fixed = None
    for number, statement in enumerate(statements):
        nodes = list(ast.walk(statement))
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        binds = bound(statement)
        earlier = {binder[name] for name in names | binds if name in binder}
        earlier |= set().union(*(users[name] for name in binds))
        found.append(earlier | {fixed} - {None})
        if not isinstance(statement, DEFINITIONS) and any(isinstance(node, (*ROOTS, *JUMPS)) for node in nodes):
            found[number] |= set(range(fixed or 0, number))  # nothing moves across it
            fixed = number
        binder |= dict.fromkeys(binds, number)
        users |= {name: set() for name in binds}
        for name in names - binds:
            users[name].add(number)
    return found
