"""The released notebook of a unit: the form that every submission is put into."""

import shutil
from copy import deepcopy
from functools import lru_cache
from pathlib import Path

import nbformat

from autograder.authoring.stamp import is_edited
from autograder.course import CHECK
from autograder.decisions.reading import read_decisions
from autograder.judge.scratch import folder


class NoSkeleton(Exception):
    """The course does not hold the notebook of a unit; a fault of the installation, not of the submission."""


def skeleton(unit: str, root: str | Path) -> nbformat.NotebookNode:
    """Return the notebook of a unit as learners get it, derived anew where somebody has worked in their copy.

    Parameters
    ----------
    unit : str
        Its id.
    root : path
        Folder of the course.

    Raises
    ------
    NoSkeleton
    """
    decided = read_decisions(root).of(unit)
    notebook = _of_course(unit, root)
    for cell in filter(is_check, notebook.cells):
        name = cell.metadata.nbgrader.grade_id.removeprefix(CHECK)
        points = 0 if name in decided.without else decided.points.get(name)
        cell.metadata.nbgrader.points = cell.metadata.nbgrader.points if points is None else points
    return notebook


def is_check(cell: nbformat.NotebookNode) -> bool:
    """Return whether the judge grades what stands above a cell."""
    nbgrader = cell.metadata.get("nbgrader", {})
    return bool(nbgrader.get("grade")) and nbgrader.get("grade_id", "").startswith(CHECK)


def _of_course(unit, root):
    """Return the notebook with the points that the course gives."""
    paths = [Path(root, part, unit, f"{unit}.ipynb") for part in ("notebooks", "solutions")]
    return deepcopy(_released(*paths, *(path.is_file() and path.stat().st_mtime_ns for path in paths)))


@lru_cache(maxsize=64)
def _released(built, source, *changed):
    """Read or derive the released notebook; a new time in `changed` makes it read a changed file."""
    if built.is_file() and not is_edited(built):
        return nbformat.read(built, as_version=4)
    if not source.is_file():
        raise NoSkeleton(
            f"{source.parent.name}: there is neither the released nor the instructor's notebook. Run make."
        )
    from autograder.authoring.release import release  # nbgrader comes with it

    with folder() as scratch:
        scratch = scratch.resolve()
        copy = scratch / "solutions" / source.parent.name / source.name
        copy.parent.mkdir(parents=True)
        shutil.copyfile(source, copy)
        release(scratch)
        return nbformat.read(scratch / "notebooks" / source.parent.name / source.name, as_version=4)
