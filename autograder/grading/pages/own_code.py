"""What a learner wrote in a submission: statements, and words, which are names of the learner's choice and comments.

What the released notebook gives is left out: imports, signatures, docstrings and stubs. In the statements, every name
of the learner's choice reads the same, so that renaming changes nothing.
"""

import ast
import io
import re
import tokenize
import warnings
from collections import ChainMap
from dataclasses import dataclass
from functools import cached_property
from inspect import signature

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign)
CHOSEN = "a name of the learner's choice"
GIVEN_COMMENT = "YOUR CODE HERE"
LONGEST_CELL = 50_000  # characters; nobody writes more by hand
LONGEST_QUOTE = 90


@dataclass(frozen=True)
class Statement:
    """One statement without the statements inside it.

    Attributes
    ----------
    where : str
        Name of the exercise it belongs to; empty for what stands beside them.
    key : tuple
        What it does: tokens for every node of its syntax tree.
    text : str
        Its first line as the learner wrote it.
    """

    where: str
    key: tuple
    text: str


@dataclass(frozen=True)
class OwnCode:
    """The learner's own statements, and words with the exercise they belong to, in the order of the exercises."""

    statements: tuple[Statement, ...] = ()
    words: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class _Cell:
    source: str
    tree: ast.Module

    @property
    def definitions(self):
        return [node for node in self.tree.body if isinstance(node, DEFINITIONS)]

    @cached_property
    def lines(self):
        return re.split(r"\r\n|\r|\n", self.source)


def own_code(sources, exercises):
    """Read the learner's own code.

    Parameters
    ----------
    sources : sequence of str
        Cells; one that is not Python defines nothing and is left out.
    exercises : sequence of Exercise
        Of the unit.

    Returns
    -------
    OwnCode
    """
    order = {exercise.name: number for number, exercise in enumerate(exercises)}
    cells = [cell for source in sources if (cell := _read(source))]
    known = _known_everywhere(cells, order)
    chosen = {("", name) for name, token in known.items() if token is CHOSEN}
    statements, words = [], []
    for cell in cells:
        for node in cell.definitions:
            where = _name(node) if _name(node) in order else ""
            parameters = _parameters(node, exercises[order[where]]) if where else {}
            bound = dict.fromkeys(_bound(node) - {where}, CHOSEN)
            statements += _statements(cell, node, where, ChainMap(parameters, bound, known))
            chosen |= {(where, name) for name in bound if name not in parameters}
    for cell in cells:
        words += _words(cell, order, chosen)
    statements.sort(key=lambda statement: order.get(statement.where, len(order)))
    words.sort(key=lambda word: order.get(word[0], len(order)))
    return OwnCode(tuple(statements), tuple(dict.fromkeys(words)))


def _read(source):
    """Return a cell with its syntax tree; None for what is not Python, and for what nobody writes."""
    if len(source) > LONGEST_CELL:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes in strings
            return _Cell(source, ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _name(node):
    return getattr(node, "name", "")


def _known_everywhere(cells, order):
    """Return how names read in all cells: that of a module as the module's own, those of helpers as chosen."""
    modules, helpers = {"np": "numpy"}, set()
    for cell in cells:
        for node in ast.walk(cell.tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                modules |= {alias.asname: alias.name for alias in node.names if alias.asname}
        for node in cell.definitions:
            helpers |= {node.name} if _name(node) else _bound(node)
    return modules | dict.fromkeys(helpers - set(order), CHOSEN)


def _bound(definition):
    """Return the names that are given a value inside a definition, its own name included."""
    names = set()
    for node in ast.walk(definition):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, (*DEFINITIONS, ast.ExceptHandler)) and _name(node):
            names.add(node.name)
    return names


def _parameters(definition, exercise):
    """Return how the parameters of an exercise's function read: as the exercise names them, in their order."""
    if not isinstance(definition, ast.FunctionDef):
        return {}
    arguments = definition.args
    written = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return dict(zip(written, signature(exercise.reference).parameters, strict=False))


def _statements(cell, definition, where, names):
    """Return the statements of a definition; of an exercise's function, those of its body."""
    found, waiting = [], [(definition, None)]
    while waiting:
        node, tokens = waiting.pop()
        if isinstance(node, ast.stmt):
            tokens = []
            found.append((node, tokens))
        tokens += _tokens(node, names)
        waiting += [(child, tokens) for child in reversed(list(ast.iter_child_nodes(node))) if not _is_given(child)]
    if where:
        del found[0]  # the signature
    texts = [cell.lines[node.lineno - 1].strip()[:LONGEST_QUOTE] for node, _ in found]
    return [Statement(where, tuple(tokens), text) for (_, tokens), text in zip(found, texts, strict=True)]


def _is_given(node):
    """Tell whether a node says nothing about the learner: a docstring, the stub, an import."""
    if isinstance(node, ast.Raise):
        return isinstance(node.exc, ast.Name) and node.exc.id == "NotImplementedError"
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return docstring or isinstance(node, (ast.Import, ast.ImportFrom, ast.expr_context))


def _tokens(node, names):
    """Return the tokens of one node, without those of the nodes inside it."""
    kind = type(node).__name__
    if isinstance(node, ast.Name):
        return [names.get(node.id, node.id)]
    if isinstance(node, ast.Constant):
        return [(type(node.value).__name__, node.value)]
    if isinstance(node, ast.Attribute):
        return [kind, node.attr]
    if isinstance(node, ast.keyword):
        return [kind, node.arg]
    return [kind]


def _words(cell, order, chosen):
    """Return the names and the words of comments in a cell's definitions, each with its exercise.

    `chosen` holds the names that the learner chose, each with its exercise; with ``""`` those for every cell.
    """
    places, words = {}, []
    for node in cell.definitions:
        place = _name(node) if _name(node) in order else ""
        places |= dict.fromkeys(range(node.lineno, node.end_lineno + 1), place)
    try:
        for token in tokenize.generate_tokens(io.StringIO(cell.source).readline):
            where = places.get(token.start[0])
            if where is None:
                continue
            if token.type == tokenize.COMMENT and GIVEN_COMMENT not in token.string:
                words += [(where, word) for word in re.findall(r"[^\W\d_]{3,}", token.string.lower())]
            elif token.type == tokenize.NAME and chosen & {(where, token.string), ("", token.string)}:
                words.append((where, token.string))
    except (tokenize.TokenError, SyntaxError):
        pass  # where Python's two parsers disagree, the words up to there
    return words
