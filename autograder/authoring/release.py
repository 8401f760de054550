"""Derive the learners' notebooks from the instructor's ones: nbgrader's `generate_assignment`, without its database."""

from pathlib import Path

from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder.nbgrader_config import configure


def release(root: Path) -> None:
    """Derive every unit of a course folder.

    Parameters
    ----------
    root : Path
        Folder with ``solutions/unit/unit.ipynb``; gets ``notebooks/unit/unit.ipynb``.
    """
    config = Config()
    configure(config, root)
    config.GenerateAssignment.no_database = True
    config.SaveCells.enabled = False  # it writes into the database
    course = CourseDirectory(config=config)
    course.assignment_id = "*"
    GenerateAssignment(coursedir=course, config=config).start()
