"""Wrong functions made of right ones: each has one small change, and says on which of its lines."""

import ast
import copy
import inspect
import itertools
import linecache
import pickle
import re
import textwrap
import warnings
from dataclasses import dataclass

NUMBERS = itertools.count()  # of the files in which they seem to be
DROPPED = ("axis", "keepdims")
OTHER_OPERATOR = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.Gt: ast.Lt,
    ast.Lt: ast.Gt,
}
IDLE = re.compile(r"\s*(\w+) = \1")  # nobody writes such a line, and the next one would be at fault as much
NOT_SPREAD = (ast.Lambda, ast.IfExp, ast.BoolOp, ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.JoinedStr)


@dataclass(frozen=True)
class Mutant:
    """A wrong function: the kind of its change, and the number of the changed line, as it is now and as it was."""

    kind: str
    function: object
    line: int
    now: str
    before: str


def mutants(function, rng, is_spread=False):
    """Yield the mutants of a function that is written with ``def`` and has no closure, in the order of chance.

    Parameters
    ----------
    function : function
    rng : random.Random
    is_spread : bool
        Give every step a line and a name of its own first.

    Yields
    ------
    Mutant
    """
    tree = _tree(function)
    if is_spread:
        _spread(tree.body[0])
    right = ast.unparse(tree).split("\n")
    nodes = enumerate(list(ast.walk(tree.body[0])))
    changes = [(number, *other) for number, node in nodes for other in _others(node, tree.body[0])]
    for number, kind, other in rng.sample(changes, len(changes)):
        lines = ast.unparse(_with(tree, number, other)).split("\n")
        odd = [k for k, (one, two) in enumerate(zip(right, lines, strict=True)) if one != two]
        if len(odd) == 1 and not IDLE.fullmatch(lines[odd[0]]):
            made = compiled("\n".join(lines), function)
            yield Mutant(kind, made, odd[0] + 1, lines[odd[0]].strip(), right[odd[0]].strip())


def compiled(code, like):
    """Return the function that `code` defines, among the globals and with the defaults of another one.

    Parameters
    ----------
    code : str
        Of one definition, which begins on the first line.
    like : function
    """
    name = f"<mutant {next(NUMBERS)}>"
    linecache.cache[name] = len(code), None, code.splitlines(keepends=True), name
    made = dict(like.__globals__)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as of a number that is indexed
        exec(compile(code, name, "exec"), made)
    return made[like.__name__]


def _tree(function):
    """Return the definition alone, without what is said of it."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    definition.decorator_list = []
    if ast.get_docstring(definition) is not None:
        definition.body = definition.body[1:]
    return ast.parse(ast.unparse(tree))


def _with(tree, number, other):
    """Return a copy of a tree with another node in the place of one."""
    changed = pickle.loads(pickle.dumps(tree))  # several times faster than a deep copy
    old = list(ast.walk(changed.body[0]))[number]

    class Exchange(ast.NodeTransformer):
        def visit(self, node):
            return copy.deepcopy(other) if node is old else self.generic_visit(node)

    return ast.fix_missing_locations(Exchange().visit(changed))


def _others(node, definition):
    """Yield kinds of changes, and what each puts in the place of a node."""
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        for other in ast.walk(definition):
            if isinstance(other, ast.Assign) and other is not node and isinstance(other.targets[0], ast.Name):
                yield "copied line", ast.Assign(node.targets, other.value, lineno=0)
                yield "copied name", ast.Assign(node.targets, ast.Name(other.targets[0].id, ast.Load()), lineno=0)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in _variables(definition):
        yield from (("another name", ast.Name(name, ast.Load())) for name in _variables(definition) - {node.id})
    elif isinstance(node, ast.Attribute):
        fields = {n.attr for n in ast.walk(definition) if isinstance(n, ast.Attribute) and _is_like(n, node)}
        yield from (("another field", ast.Attribute(node.value, field, node.ctx)) for field in fields - {node.attr})
    elif isinstance(node, ast.BinOp):
        yield from (("dropped term", node.left), ("dropped term", node.right))
        if type(node.op) in OTHER_OPERATOR:
            yield "another sign", ast.BinOp(node.left, OTHER_OPERATOR[type(node.op)](), node.right)
            yield "exchanged", ast.BinOp(node.right, node.op, node.left)
    elif isinstance(node, ast.Call):
        yield from _other_calls(node)
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield "dropped index", node.value
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
        yield "dropped sign", node.operand
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and node.operand.value in (1, 2):
        yield "another axis", ast.Constant(1 - node.operand.value)


def _other_calls(node):
    for k, keyword in enumerate(node.keywords):
        if keyword.arg in DROPPED:
            yield f"dropped {keyword.arg}", ast.Call(node.func, node.args, node.keywords[:k] + node.keywords[k + 1 :])
    if node.args and not isinstance(node.args[0], ast.Starred):
        yield "dropped step", node.args[0]
    elif isinstance(node.func, ast.Attribute):
        yield "dropped step", node.func.value
    for k in range(len(node.args) - 1):
        args = [*node.args[:k], node.args[k + 1], node.args[k], *node.args[k + 2 :]]
        yield "exchanged arguments", ast.Call(node.func, args, node.keywords)


def _is_like(one, other):
    return isinstance(one.ctx, ast.Load) and ast.unparse(one.value) == ast.unparse(other.value)


def _variables(definition):
    """Return the names of parameters and of all that is assigned to."""
    stored = {n.id for n in ast.walk(definition) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored | {n.arg for n in ast.walk(definition) if isinstance(n, ast.arg)}


def _spread(definition):
    """Let every call and every operation have a line and a name of its own, in the order in which they are made."""
    count = 0

    class Spread(ast.NodeTransformer):
        def __init__(self):
            self.before = []

        def visit(self, node):
            if isinstance(node, NOT_SPREAD):
                return node
            self.generic_visit(node)
            return self.named(node) if isinstance(node, ast.BinOp | ast.Call) else node

        def named(self, node):
            nonlocal count
            count += 1
            name = f"step_{count}"
            self.before.append(ast.Assign([ast.Name(name, ast.Store())], node, lineno=0))
            return ast.Name(name, ast.Load())

    def spread(statements):
        done = []
        for statement in statements:
            spreader = Spread()
            if isinstance(statement, ast.Assign | ast.Return) and statement.value is not None:
                spreader.generic_visit(statement)
                value = statement.value
                is_last = isinstance(value, ast.Name) and spreader.before
                if is_last and spreader.before[-1].targets[0].id == value.id:
                    statement.value = spreader.before.pop().value
            for block in ("body", "orelse"):
                if not isinstance(statement, ast.FunctionDef) and isinstance(getattr(statement, block, None), list):
                    setattr(statement, block, spread(getattr(statement, block)))
            done += [*spreader.before, statement]
        return done

    definition.body = spread(definition.body)
    ast.fix_missing_locations(definition)
