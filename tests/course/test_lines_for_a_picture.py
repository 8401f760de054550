"""No cell of a notebook has more than three lines for a picture: what takes more has a name in the kit."""

import ast

import pytest

from autograder.registry import units
from tools.course import notebook

MAX_LINES = 3


def drawing_lines(source, names):
    """Return how many lines the calls of a cell take that draw: functions of `plots`, and those of given names."""
    return sum(call.end_lineno - call.lineno + 1 for call in _outermost(ast.parse(source), names))


def _outermost(tree, names):
    for node in ast.iter_child_nodes(tree):
        draws = isinstance(node, ast.Call) and ast.unparse(node.func).startswith("plots.")
        if draws or (isinstance(node, ast.Call) and ast.unparse(node.func) in names):
            yield node
        else:
            yield from _outermost(node, names)


def imported_pictures(cells):
    """Return the names that cells import from the kit's pictures."""
    nodes = (node for cell in cells for node in ast.walk(ast.parse(cell.source)))
    imports = (n for n in nodes if isinstance(n, ast.ImportFrom) and n.module.startswith("transformer_kit.pictures"))
    return {alias.asname or alias.name for node in imports for alias in node.names}


def test_the_lines_of_a_picture_are_counted():
    source = "x = 2\nplots.heatmap(\n    x,\n)\nfor _ in range(2):\n    display(ribbons(plots.colours(x),\n        x))"
    assert drawing_lines(source, set()) == 3 + 1
    assert drawing_lines(source, {"ribbons"}) == 3 + 2


@pytest.mark.parametrize("unit", units(), ids=lambda unit: unit.id)
def test_a_picture_takes_at_most_three_lines(unit):
    cells = [cell for cell in notebook(unit.id).cells if cell.cell_type == "code"]
    names = imported_pictures(cells)
    assert {c.id: n for c in cells if (n := drawing_lines(c.source, names)) > MAX_LINES} == {}
