"""What files declare: the names that Python imports, and the packages that a project requires."""

import ast
import re


def imports(source):
    """Return what a file imports: top-level packages, and for autograder the names, too."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def requirements(entries):
    """Map package names to bounds, e.g. ``{"numpy": ">=2.1,<3"}``."""
    return dict(re.fullmatch(r"([\w.-]+)(.*)", entry).groups() for entry in entries)
