"""What is in a wheel, and what its modules import."""

import ast
import zipfile


def imported(source):
    """Return the top-level packages that a module or cell cannot do without, wherever in it they are imported."""
    tree, found = ast.parse(source), set()
    tries = [node for node in ast.walk(tree) if isinstance(node, ast.Try)]
    tries = [node for node in tries if any("ImportError" in ast.unparse(handler) for handler in node.handlers)]
    optional = {inner for node in tries for statement in node.body for inner in ast.walk(statement)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and node not in optional:
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node not in optional:
            found.add(node.module.split(".")[0])
    return found


def sources(wheel):
    """Return the modules of a wheel by their name."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist() if name.endswith(".py")}


def modules_of_the_course(source):
    """Return the modules of the course that a text imports, wherever in it."""
    nodes = list(ast.walk(ast.parse(source)))
    found = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    found |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return {name for name in found if name.split(".")[0] in ("autograder", "transformer_kit")}
