"""The settings of nbgrader for this course.

`autograder/jupyter/nbgrader_config.py` is installed into the environment's `etc/jupyter` and calls
`configure`, so that every nbgrader command and JupyterLab find the course without further options.
"""

import contextlib
import os
import sys
import warnings
from pathlib import Path

from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor
from sqlalchemy.exc import SAWarning

from autograder.stamp import stamp

CLASSROOM = "classroom"  # all that a class leaves behind; ignored by git
CODE_STUB = "raise NotImplementedError  # YOUR CODE HERE"
ANSWER_STUB = "answer = None  # your answer"
ANSWER_PREFIX = "answer-"  # of the grade ids of predict-then-run questions
# nbgrader copies what lies beside a submitted notebook into the folder where the notebook is run:
# a submitted numpy.py would be imported in place of NumPy
IMPORTABLE = ["*.py", "*.pyc", "*.pyd", "*.so", "*.zip"]


class StubAnswers(NbGraderPreprocessor):
    """Give the learner of a question `answer = None`; the stub of an exercise would stop the cell."""

    def preprocess_cell(self, cell, resources, cell_index):
        if cell.metadata.get("nbgrader", {}).get("grade_id", "").startswith(ANSWER_PREFIX):
            cell.source = cell.source.replace(CODE_STUB, ANSWER_STUB)
        return cell, resources


class StampRelease(NbGraderPreprocessor):
    """Mark the finished learner's notebook, so that a later build can tell whether it holds work."""

    def preprocess(self, nb, resources):
        stamp(nb)
        return nb, resources


def course_root():
    """Return the folder of the course.

    The nearest folder from the current one upwards that holds the course's start page; otherwise the
    folder that the package was installed from (editable); otherwise the current folder.
    """
    here = Path.cwd()
    for folder in [here, *here.parents, Path(__file__).resolve().parent.parent]:
        if (folder / "solutions" / "start.py").is_file():
            return folder
    return here


def configure(c, root=None):
    """Fill nbgrader's configuration.

    Parameters
    ----------
    c : traitlets.config.Config
    root : path, optional
        Folder of the course; `course_root()` when left out.
    """
    root = Path(root or course_root()).resolve()
    _folders(c, root)
    _release(c)
    _grading(c)
    _environment()


def _folders(c, root):
    c.CourseDirectory.root = str(root)
    c.CourseDirectory.course_id = "transformer-course"
    c.CourseDirectory.source_directory = "solutions"
    c.CourseDirectory.release_directory = "notebooks"
    for step in ("submitted", "autograded", "feedback", "solution", "source_with_tests"):
        c.CourseDirectory[f"{step}_directory"] = f"{CLASSROOM}/{step}"  # a slash on Windows, too
    if (root / "solutions").is_dir():
        with contextlib.suppress(OSError):  # in a read-only course nobody grades
            (root / CLASSROOM / "exchange").mkdir(parents=True, exist_ok=True)  # nbgrader makes neither
    c.CourseDirectory.db_url = f"sqlite:///{(root / CLASSROOM / 'gradebook.db').as_posix()}"
    c.CourseDirectory.ignore = [".ipynb_checkpoints", "__pycache__", "feedback", *IMPORTABLE]
    c.Exchange.root = str(root / CLASSROOM / "exchange")
    c.ZipCollectApp.downloaded_directory = f"{CLASSROOM}/downloaded"
    # alice_01_positional_encoding.ipynb, as a learning platform hands it out
    c.FileNameCollectorPlugin.named_regexp = r".*/(?P<student_id>[^/]+?)_(?P<file_id>\d\d_\w+)\.ipynb"


def _release(c):
    c.ClearSolutions.code_stub = {"python": CODE_STUB}
    steps = list(GenerateAssignment.preprocessors.default())
    steps.insert(steps.index(ClearSolutions) + 1, StubAnswers)
    c.GenerateAssignment.preprocessors = [*steps, StampRelease]


def _grading(c):
    c.OverwriteCells.add_missing_cells = True  # a deleted check cell comes back
    c.Execute.shutdown_kernel = "immediate"  # half a second per notebook
    c.Execute.extra_arguments = ["--IPKernelApp.log_level=ERROR"]  # its warning about TCP is no news here
    # raised by nbgrader's own queries, three times in every run
    warnings.filterwarnings("ignore", "Object of type .* not in session", category=SAWarning)


def _environment():
    """Let nbgrader find `alembic`, which it calls by name, and let kernels compute in one thread."""
    programs = str(Path(sys.executable).parent)
    if programs not in os.environ["PATH"].split(os.pathsep):
        os.environ["PATH"] = programs + os.pathsep + os.environ["PATH"]
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
