"""The cells of a unit's source, each with the line that it begins in."""

import functools
import re
from typing import NamedTuple

import jupytext


class Cell(NamedTuple):
    """A cell: its line in the file, whether it is text, and what it says, with or without the answer."""

    line: int
    is_text: bool
    source: str

    @property
    def released(self):
        """The cell as learners get it, with one line in place of an answer."""
        return re.sub(r"### BEGIN SOLUTION.*?### END SOLUTION", "...", self.source, flags=re.S)


@functools.cache
def cells_of(source: str) -> list[Cell]:
    """Return the cells of a source in percent format."""
    marks = [number for number, line in enumerate(source.splitlines(), 1) if line.startswith("# %%")]
    cells = jupytext.reads(source, fmt="py:percent").cells
    return [Cell(line, cell.cell_type == "markdown", cell.source) for line, cell in zip(marks, cells, strict=True)]
