"""The solutions as the instructor's notebooks have them, which learners may have got hold of."""

import re
from pathlib import Path

import nbformat

MARKS = re.compile(r"^\s*### (?:BEGIN|END) SOLUTION\n?", re.MULTILINE)


def official_sources(course: str | Path, unit: str) -> list[str]:
    """Return the sources of the solution cells in the instructor's notebook of a unit; none where it is not there.

    Parameters
    ----------
    course : path
        Folder of the course.
    unit : str
        Id.

    Returns
    -------
    list of str
    """
    path = Path(course, "solutions", unit, f"{unit}.ipynb")
    if not path.is_file():
        return []
    cells = nbformat.read(path, as_version=4).cells
    return [MARKS.sub("", cell.source) for cell in cells if cell.metadata.get("nbgrader", {}).get("solution")]
