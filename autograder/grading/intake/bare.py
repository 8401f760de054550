"""Code without what Python does not read, so that a comment changes nothing that is drawn from it."""

import ast
import hashlib
from collections.abc import Iterable


def bare_digest(sources: Iterable[str]) -> str:
    """Return a digest of some cells that stays when comments, docstrings or layout change.

    What others have written is parsed here, so call it in a process of its own. A cell that Python cannot read counts
    as it is.
    """
    digest = hashlib.sha256()
    for source in sources:
        digest.update(hashlib.sha256(_bare(source).encode(errors="replace")).digest())
    return digest.hexdigest()


def _bare(source):
    try:
        return ast.dump(without_texts(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source


def without_texts(tree: ast.AST) -> ast.AST:
    """Take docstrings and other texts that stand alone out of a tree, wherever they are, and return it."""
    for node in ast.walk(tree):
        for part in ("body", "orelse", "finalbody"):
            statements = getattr(node, part, None)
            if isinstance(statements, list) and any(map(_is_text, statements)):
                setattr(node, part, [one for one in statements if not _is_text(one)] or [ast.Pass()])
    return tree


def _is_text(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
