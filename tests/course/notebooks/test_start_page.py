"""START_HERE: its first cell translates, and every unit can be reached from it."""

import nbformat

from autograder.registry import units
from tools.course import ROOT

CELLS = nbformat.read(ROOT / "notebooks" / "START_HERE.ipynb", as_version=4).cells
TEXT = "\n".join(cell.source for cell in CELLS if cell.cell_type == "markdown")


def test_the_first_cell_translates():
    first = next(cell.source for cell in CELLS if cell.cell_type == "code")
    *lines, last = first.splitlines()
    names = {}
    exec("\n".join(lines), names)
    card = eval(last, names)
    assert "Mi hermana quiere ir a la playa." in card.title
    assert card.words.startswith("This was computed by 24 functions of the course.")


def test_the_start_page_links_to_every_unit():
    for unit in units():
        assert f"[{unit.id[:2]} {unit.title}]({unit.id}/{unit.id}.ipynb)" in TEXT
    assert sum("progress()" in cell.source for cell in CELLS if cell.cell_type == "code") == 1
    assert "points |" not in TEXT
