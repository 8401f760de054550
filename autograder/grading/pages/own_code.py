"""What a learner wrote in a submission: statements, and words, which are names of the learner's choice and comments.

What the released notebook gives is left out: imports, signatures, docstrings and stubs. So is what makes no difference:
statements on which no exercise's function depends, annotations, the order of what can be exchanged. In the statements,
every name of the learner's choice reads the same, so that renaming changes nothing.
"""

import ast
import io
import re
import tokenize
from collections import ChainMap, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.grading.pages.live_code import DEFINITIONS, blocks_of, live, ordered
from autograder.grading.pages.own_parts import defined, is_given, modules_of, parsed, parts_of, shortest
from autograder.specification import Exercise

CHOSEN = "a name of the learner's choice"
GIVEN_COMMENT = "YOUR CODE HERE"
MAX_QUOTE_LENGTH, MAX_WORD_LENGTH, MAX_WORDS = 90, 40, 2000
NOT_TOKENS = {"annotation", "returns", "type_params", "ctx"}


@dataclass(frozen=True)
class Statement:
    """One statement without the statements inside it.

    Attributes
    ----------
    where : str
        Name of the exercise that needs it first.
    key : tuple
        What it does: tokens for every node of its syntax tree.
    text : str
        Its first line as the learner wrote it.
    """

    where: str
    key: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class OwnCode:
    """The learner's own statements, and words with the exercise they belong to, in the order of the exercises.

    `is_whole` is False where some of the code was not read, because it is far too long or too deeply nested.
    """

    statements: tuple[Statement, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    is_whole: bool = True


def own_code(sources: Sequence[str], exercises: Sequence[Exercise]) -> OwnCode:
    """Return the statements and words of a submission that are the learner's own.

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
    short = shortest(sources)
    try:
        statements, words = _read([cell for source in short if (cell := parsed(source))], exercises)
    except RecursionError:
        return OwnCode(is_whole=False)
    return OwnCode(tuple(statements), tuple(dict.fromkeys(words))[:MAX_WORDS], len(short) == len(sources))


def _read(cells, exercises):
    """Return the statements of cells on which exercises depend, and the words in them."""
    order = {exercise.name: number for number, exercise in enumerate(exercises)}
    modules = modules_of(cells)
    parts = sorted(parts_of(cells, order, set(modules)), key=lambda part: order[part.where])
    helpers = set().union(*(defined(part.node) or _bound(part.node) for part in parts)) - set(order)
    known = modules | dict.fromkeys(helpers, CHOSEN)
    statements = defaultdict(list)
    places = defaultdict(dict)
    chosen = {("", name) for name in helpers}
    for part in parts:
        parameters = _parameters(part.node, exercises[order[part.where]]) if part.is_exercise else {}
        names = dict.fromkeys(_bound(part.node) - {part.where}, CHOSEN)
        chosen |= {(part.where, name) for name in names if name not in parameters}
        reader = _Reader(part, ChainMap(parameters, names, known), set(modules))
        statements[part.where].append((part.is_exercise, reader.statements()))
        places[id(part.cell)] |= dict.fromkeys(reader.numbers, part.where)
    for blocks in statements.values():  # helpers first, in an order that nobody has chosen
        blocks.sort(key=lambda block: (block[0], [statement.key for statement in block[1]]))
    words = [word for cell in cells for word in _words(cell, places[id(cell)], chosen)]
    words.sort(key=lambda word: order[word[0]])
    return [one for blocks in statements.values() for _, block in blocks for one in block], words


def _bound(definition):
    """Return the names that are given a value inside a definition, its own name included."""
    names = set()
    for node in ast.walk(definition):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, (*DEFINITIONS, ast.ExceptHandler)) and node.name:
            names.add(node.name)
    return names


def _parameters(definition, exercise):
    """Return how the parameters of an exercise's function read: as the exercise names them, in their order."""
    if not isinstance(definition, ast.FunctionDef):
        return {}
    arguments = definition.args
    written = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return dict(zip(written, exercise.signature.parameters, strict=False))


class _Reader:
    """Reads the statements of one part of the code.

    Parameters
    ----------
    part : Part
    names : mapping
        How names read.
    modules : set of str
    """

    def __init__(self, part, names, modules):
        self.part = part
        self.names = names
        self.live = live(part.node, modules)
        self.renamed = {CHOSEN, *names.values()}

    @property
    def numbers(self):
        """The numbers of the lines on which something happens, or nothing but a comment stands."""
        numbers = set(range(self.part.node.lineno, self.part.node.end_lineno + 1))
        for node in ast.walk(self.part.node):
            if isinstance(node, ast.stmt) and node is not self.part.node and id(node) not in self.live:
                numbers.difference_update(range(node.lineno, node.end_lineno + 1))
        return numbers

    def statements(self):
        """Return what the part does; of an exercise's function, what its body does."""
        found = self._with_inner(self.part.node)
        lines = self.part.cell.lines
        where = self.part.where
        texts = [lines[node.lineno - 1].strip()[:MAX_QUOTE_LENGTH] for node, _ in found]
        made = [Statement(where, tuple(tokens), text) for (_, tokens), text in zip(found, texts, strict=True)]
        is_function = self.part.is_exercise and isinstance(self.part.node, DEFINITIONS)
        return made[1:] if is_function else made  # without the signature

    def _with_inner(self, statement):
        """Return a statement and those inside it, each with its tokens."""
        found = [(statement, list(self._tokens(statement)))]
        for block in blocks_of(statement):
            kept = [inner for inner in block if id(inner) in self.live and not is_given(inner)]
            whole = [self._with_inner(inner) for inner in kept]
            keys = [self._key([token for _, tokens in one for token in tokens]) for one in whole]
            found += (one for number in ordered(kept, keys) for one in whole[number])
        return found

    def _key(self, tokens):
        """Return what decides the order: names only where nothing else does."""
        return [token for token in tokens if token not in self.renamed], tokens

    def _tokens(self, statement):
        """Yield the tokens of a statement without those inside it."""
        waiting = [statement]
        while waiting:
            node = waiting.pop()
            yield from _tokens(node, self.names)
            fields = [value for name, value in ast.iter_fields(node) if name not in NOT_TOKENS]
            parts = [part for value in fields for part in (value if isinstance(value, list) else [value])]
            waiting += (p for p in reversed(parts) if isinstance(p, ast.AST) and not isinstance(p, ast.stmt))


def _tokens(node, names):
    """Return the tokens of one node, without those of the nodes inside it."""
    kind = type(node).__name__
    if isinstance(node, ast.Name):
        return [names.get(node.id, node.id)]
    if isinstance(node, ast.Constant):
        whole = type(node.value) is int
        return [
            f"{type(node.value).__name__} {node.value:x}" if whole else f"{type(node.value).__name__} {node.value!r}"
        ]
    if isinstance(node, ast.Attribute):
        return [kind, node.attr]
    if isinstance(node, ast.keyword):
        return [kind, node.arg or "**"]
    return ["Assign" if isinstance(node, ast.AnnAssign) else kind]


def _words(cell, places, chosen):
    """Return the names and the words of comments in a cell's lines that have a place, each with its exercise.

    `chosen` holds the names that the learner chose, each with its exercise; with ``""`` those for every cell.
    """
    words = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(cell.source).readline):
            where = places.get(token.start[0])
            if where is None:
                continue
            if token.type == tokenize.COMMENT and GIVEN_COMMENT not in token.string:
                words += [(where, word[:MAX_WORD_LENGTH]) for word in re.findall(r"[^\W\d_]{3,}", token.string.lower())]
            elif token.type == tokenize.NAME and chosen & {(where, token.string), ("", token.string)}:
                words.append((where, token.string[:MAX_WORD_LENGTH]))
    except (tokenize.TokenError, SyntaxError):
        pass  # where Python's two parsers disagree, the words up to there
    return words
