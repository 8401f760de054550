"""The settings of nbgrader for this course.

`autograder/jupyter/nbgrader_config.py` is installed into the environment's `etc/jupyter` and calls
`configure`, so that every nbgrader command and JupyterLab find the course without further options.
"""

import contextlib
import os
import sys
import warnings
from pathlib import Path

from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.preprocessors import ClearOutput, ClearSolutions, Execute, NbGraderPreprocessor, SaveAutoGrades
from sqlalchemy.exc import SAWarning
from traitlets.config import Config, ConfigFileNotFound, PyFileConfigLoader

from autograder.stamp import stamp

CLASSROOM = "classroom"  # all that a class leaves behind; ignored by git
CODE_STUB = "raise NotImplementedError  # YOUR CODE HERE"
ANSWER_STUB = "answer = None  # your answer"
ANSWER_PREFIX = "answer-"  # of the grade ids of predict-then-run questions
# nbgrader copies what lies beside a submitted notebook into the folder where the notebook is run:
# a submitted numpy.py would be imported in place of NumPy
IMPORTABLE = ["*.py", "*.pyc", "*.pyd", "*.so", "*.zip"]
# by name, so that the engine is imported only where something is graded
REPAIR, JUDGE = "autograder.grading.steps.Repair", "autograder.grading.steps.Judge"
DISARM, MARKDOWN = "autograder.grading.disarm.Disarm", "autograder.grading.disarm.markdown"


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


def configure(c, root=None, stock=False):
    """Fill nbgrader's configuration.

    Parameters
    ----------
    c : traitlets.config.Config
    root : path, optional
        Folder of the course; `course_root()` when left out.
    stock : bool
        Let nbgrader run submissions itself, with the rights of who calls it, in place of the judge and its sandbox.
        For submissions that are trusted, on a machine that has no sandbox.
    """
    root = Path(root or course_root()).resolve()
    _folders(c, root)
    _release(c)
    _grading(c, stock)
    _environment()


def settings(root):
    """Return nbgrader's configuration as its commands find it: the course's, then what the instructor has changed.

    Parameters
    ----------
    root : path
        Folder of the course; its `nbgrader_config.py`, if there is one, is the instructor's.

    Returns
    -------
    traitlets.config.Config
    """
    config = Config()
    configure(config, root)
    with contextlib.suppress(ConfigFileNotFound):
        config.merge(PyFileConfigLoader("nbgrader_config.py", str(root)).load_config())
    return config


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


def _grading(c, stock):
    clean, grade = Autograde.sanitize_preprocessors.default(), Autograde.autograde_preprocessors.default()
    if not stock:
        clean = [REPAIR if step is ClearOutput else step for step in clean]
        grade = [JUDGE if step is Execute else step for step in grade if step is not SaveAutoGrades]
    c.Autograde.sanitize_preprocessors, c.Autograde.autograde_preprocessors = clean, grade
    c.HTMLExporter.preprocessors = [DISARM]  # of formgrader's pages and of nbgrader's feedback
    c.HTMLExporter.filters = {"markdown2html": MARKDOWN}
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
