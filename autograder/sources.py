"""The texts of the course's own functions, and of their lookalikes: what each needs, from imports to helpers."""

import ast
import inspect
import io
import sys
import textwrap
import tokenize

from autograder.execution.dependencies import needed
from autograder.registry import find, names


def source_of(name: str) -> str:
    """Return the source of the course's function, with the imports and private helpers that it needs.

    Raises
    ------
    OSError
        Where there is no source.
    """
    text = "".join(inspect.findsource(find(name).reference)[0])
    others = set(names()) - {name}
    return _needed(text, name, lambda node: getattr(node, "name", "") not in others)


def lookalike_of(name: str) -> str:
    """Return the source of an exercise's lookalike as `source_of` does, without the text on what is wrong.

    Raises
    ------
    OSError
        Where there is no source.
    """
    exercise = find(name)
    function = exercise.wrong_version.function
    own_name = function.__code__.co_name
    is_edit, written_in = own_name == name, inspect.getsource(sys.modules[function.__module__])
    if function.__code__.co_filename.startswith("<"):  # a text of its own, with the private helpers that it edits
        source = "".join(inspect.findsource(function)[0])
    else:
        source = _undocumented(textwrap.dedent(inspect.getsource(function)))
    source = _uncommented(source).replace(f"def {own_name}(", f"def {name}(").replace("reference.", "")
    others = {*names(), *(getattr(node, "name", "") for node in ast.parse(source).body)}
    edited_in = inspect.getsource(sys.modules[exercise.reference.__module__])
    above = f"{edited_in}\n{_plain_functions(written_in)}" if is_edit else written_in

    def may_be_needed(node):
        """Leave out what the learner has: the functions of the exercises."""
        if node.lineno > above.count("\n"):
            return True
        return node.name not in others if _is_helper(node) else _is_import(node) and not others & _imported(node)

    return _needed(f"{above}\n{source}", name, may_be_needed)


def _plain_functions(source):
    """Return the functions of a module's text that have no decorator, which an edit may use."""
    nodes = (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and not node.decorator_list)
    return "\n\n\n".join(ast.get_source_segment(source, node) or "" for node in nodes)


def _uncommented(source):
    """Return a source without its comments: those of the right function may be untrue of a wrong one."""
    lines = source.splitlines(keepends=True)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = f"{lines[row - 1][:column].rstrip()}\n"
    return "".join(line for line, before in zip(lines, source.splitlines(), strict=True) if line.strip() or not before)


def _undocumented(source):
    """Return the source of a function without its decorators and its docstring."""
    (function,) = ast.parse(source).body
    lines = source.splitlines(keepends=True)
    docstring = function.body[0]
    return "".join(lines[function.lineno - 1 : docstring.lineno - 1] + lines[docstring.end_lineno :])


def _needed(text, name, may_be_needed):
    """Return the parts of a module's text that a function needs: its imports, and below them what it calls."""
    statements = [node for node in ast.parse(text).body if may_be_needed(node)]
    parts = [(node, ast.get_source_segment(text, node)) for node in needed(statements, [name])]
    imports = "".join(f"{source}\n" for node, source in parts if _is_import(node))
    rest = "".join(f"\n\n{source}\n" for node, source in parts if not _is_import(node))
    return (imports + rest).strip() + "\n"


def _is_helper(node):
    return isinstance(node, ast.FunctionDef) and (node.name.startswith("_") or not node.decorator_list)


def _imported(node):
    return {alias.name for alias in node.names}


def _is_import(node):
    return isinstance(node, ast.Import | ast.ImportFrom)
