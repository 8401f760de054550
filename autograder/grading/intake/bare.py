"""Code without what changes nothing in it: what a worker runs, and what the inputs of a class are drawn from.

So a comment draws no other inputs, and a function finds nothing in itself that might have been written there without
such a change: no docstring, no comment, no layout, not even the numbers of its lines.
"""

import ast
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

MAX_CELL, MAX_CELLS = 20_000, 60_000  # characters; beyond these, which nobody writes, a cell stays as it is


@dataclass(frozen=True)
class Bare:
    """A cell without comments, docstrings and layout."""

    text: str
    lines: tuple[int, ...]  # for each line of the text, the number of the one where it stood


def bare_of(sources: Sequence[str]) -> tuple[Bare, ...]:
    """Return cells without comments, docstrings and layout; one that Python cannot read stays as it is.

    What others have written is parsed here, so call it in a process of its own.
    """
    cells = []
    characters_left = MAX_CELLS
    for source in sources:
        fits = len(source) <= min(MAX_CELL, characters_left)
        characters_left -= len(source) if fits else 0
        cells.append((fits and _bare(source)) or Bare(source, tuple(range(1, source.count("\n") + 2))))
    return tuple(cells)


def _bare(source):
    try:
        tree = without_texts(ast.parse(source))
        text = ast.unparse(tree)
        reparsed = ast.parse(text)
        if ast.dump(reparsed) == ast.dump(tree):
            return Bare(text, _lines(tree, reparsed, text.count("\n") + 1))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None


def digest_of(sources: Sequence[str]) -> str:
    """Return a digest of what a worker runs."""
    digest = hashlib.sha256()
    for source in sources:
        digest.update(hashlib.sha256(source.encode(errors="surrogatepass")).digest())
    return digest.hexdigest()


def _lines(tree: ast.AST, reparsed: ast.AST, n_lines: int) -> tuple[int, ...]:
    """Return where the lines of a tree that was written anew stood; one that begins nothing goes with the one above."""
    original: dict[int, int] = {}
    for node, same_node in zip(ast.walk(tree), ast.walk(reparsed), strict=True):
        number = getattr(node, "lineno", 0)
        if number:
            line = getattr(same_node, "lineno", 0)
            original[line] = min(number, original.get(line, number))
    lines = [1]
    for number in range(1, n_lines + 1):
        lines.append(original.get(number, lines[-1]))
    return tuple(lines[1:])


def without_texts(tree: ast.AST) -> ast.AST:
    """Take docstrings and other texts that stand alone out of a tree, wherever they are, and return it."""
    for node in ast.walk(tree):
        for part in ("body", "orelse", "finalbody"):
            statements = getattr(node, part, None)
            if isinstance(statements, list) and any(map(_is_text, statements)):
                kept = [statement for statement in statements if not _is_text(statement)]
                setattr(node, part, kept or ([] if isinstance(node, ast.Module) else [ast.Pass()]))
    return tree


def _is_text(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
