"""Functions that are wrong in the seventh digit or so: the reference with one small number added, or a number cut."""

import ast
import inspect

SMALL = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5)  # what is added to a divisor, under a root or in a logarithm
LEAST = 1e-4  # of a number that makes a difference in its seventh digit; what is smaller is an eps
OFF = (2e-7, 4e-7, 8e-7)  # by which a number is off, relative to its size


def slightly_wrong(function):
    """Yield what is nearly a function of the reference: its source with one edit, or that of one that it calls.

    Parameters
    ----------
    function : function
        Those that it calls are edited where they are of the same module.

    Yields
    ------
    what : str
        The function that is edited, and what an expression of it has become.
    function : function
        With the same name and signature.
    """
    yield from edited_functions(function, _edits)


def edited_functions(function, edits, names=dict):
    """Yield the functions that edits make of one of the reference, and what each is.

    Parameters
    ----------
    function : function
        Those that it calls are edited where they are of the same module.
    edits : callable
        Yields what may stand in the place of an expression, which it takes as a node.
    names : callable
        Returns what the edited source may use besides its own names; asked anew for each function.
    """
    module = inspect.getmodule(function)
    source = inspect.getsource(module)
    definitions = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    for name in _called(function.__name__, definitions):
        for node in _nodes(definitions[name], whole=name == function.__name__):
            for text in edits(node):
                space = {**vars(module), **names()}
                exec(compile(_edited(source, node, text), f"<{name}: {text}>", "exec"), space)
                yield f"{name}: {text}", space[function.__name__]


def _called(name, definitions):
    """Return the names of a function and of those of its module that it calls, directly or not."""
    found = [name]
    for each in found:
        names = {node.id for node in ast.walk(definitions[each]) if isinstance(node, ast.Name)}
        found += sorted(names & definitions.keys() - set(found))
    return found


def _nodes(definition, whole):
    """Yield the nodes of a definition, or of its body alone: whoever calls it hands over all arguments."""
    for part in [definition] if whole else definition.body:
        yield from ast.walk(part)


def _edits(node):
    """Yield what may stand in the place of an expression."""
    match node:
        case ast.BinOp(left, ast.Div(), right):
            yield from (f"(({ast.unparse(left)}) / ({ast.unparse(right)} + {small}))" for small in SMALL)
        case ast.Call(ast.Attribute(ast.Name(library), "sqrt" | "log" as name), [argument]):
            yield from (f"{library}.{name}({ast.unparse(argument)} + {small})" for small in SMALL)
            if library == "math":
                yield f"float(f'{{{ast.unparse(node)}:.6g}}')"
        case ast.BinOp(left, ast.Pow(), ast.Constant(0.5 | -0.5 as power)):
            yield from (f"(({ast.unparse(left)} + {small}) ** {power})" for small in SMALL)
        case ast.Constant(float(value)) if value and value > LEAST:
            yield from (f"({value} * {1 + off})" for off in OFF)
            if float(f"{value:.6g}") != value:
                yield f"{value:.6g}"
        case ast.Name("base", ast.Load()):
            yield from (f"(base * {1 + off})" for off in OFF)


def _edited(source, node, text):
    """Return a source in which other text stands in the place of an expression."""
    lines = source.encode().splitlines(keepends=True)
    start, end = (
        sum(map(len, lines[: line - 1])) + column
        for line, column in ((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset))
    )
    whole = source.encode()
    return (whole[:start] + text.encode() + whole[end:]).decode()
