"""A copy of the course that installs and judges alone; of a class it has what is decided, and nothing on a student."""

import json
import shutil
from pathlib import Path

from autograder.authoring.edition import FILES, LEFT_OUT, PACKAGES
from autograder.decisions.decided import Decisions
from autograder.decisions.here import for_learners
from autograder.decisions.reading import NAME as PLAN
from autograder.own import FOLDER as OWN

INSTALLED = (*PACKAGES, *FILES, "README.md", "pyproject.toml")
NOTEBOOKS = ("notebooks", "solutions")


def copy_course(source: Path, folder: Path) -> None:
    """Copy what is installed of the course into a new folder.

    Parameters
    ----------
    source : Path
        The repository of the course.
    folder : Path
        Must not exist.
    """
    for name in INSTALLED:
        _copy(source / name, folder / name)


def copy_class(root: Path, folder: Path, decisions: Decisions) -> None:
    """Copy the notebooks of a class beside the course, what it has added, and what it decides on units and claims."""
    for name in (*NOTEBOOKS, *([OWN] if (root / OWN).is_dir() else [])):
        _copy(root / name, folder / name)
    (folder / PLAN).write_text(for_learners(decisions) + _adjustments(decisions), encoding="utf-8")


def _copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=LEFT_OUT)
    else:
        shutil.copyfile(source, target)


def _adjustments(decisions):
    ones = [{"exercise": one.exercise, "claim": one.claim, "give": one.give} for one in decisions.adjustments]
    return "".join(
        "\n[[adjust]]\n" + "".join(f"{key} = {json.dumps(text)}\n" for key, text in one.items()) for one in ones
    )
