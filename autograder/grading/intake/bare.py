"""Code without what Python does not read, so that a comment changes nothing that is drawn from it."""

import ast
import hashlib
from collections.abc import Iterable

SCOPES = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


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
        tree = ast.parse(source)
        for node in ast.walk(tree):
            if isinstance(node, SCOPES):
                node.body = [statement for statement in node.body if not _is_text(statement)]
        return ast.dump(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source


def _is_text(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
