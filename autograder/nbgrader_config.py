"""The settings of nbgrader for this course.

`autograder/jupyter/nbgrader_config.py` is installed into the environment's `etc/jupyter` and calls
`configure`, so that every nbgrader command and JupyterLab find the course without further options.
Jupyter reads that folder after those of the machine, such as `/etc/jupyter`, and often after the user's, `~/.jupyter`;
what the machine's administrator or the user has said there holds all the same.
"""

import contextlib
import os
import sys
import warnings
from pathlib import Path

from jupyter_core.paths import SYSTEM_CONFIG_PATH, jupyter_config_dir
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.preprocessors import AssignLatePenalties, ClearOutput, ClearSolutions, Execute, SaveAutoGrades
from sqlalchemy.exc import SAWarning
from traitlets.config import Config, ConfigFileNotFound, JSONFileConfigLoader, PyFileConfigLoader

from autograder.course import CLASSROOM, CODE_STUB, course_root

# nbgrader copies what lies beside a submitted notebook into the folder where the notebook is run:
# a submitted numpy.py would be imported in place of NumPy
IMPORTABLE = ["*.py", "*.pyc", "*.pyd", "*.so", "*.zip"]
# The course's own steps, by name: they are imported only where they are taken.
STUB_ANSWERS, STAMP_RELEASE = "autograder.authoring.steps.StubAnswers", "autograder.authoring.steps.StampRelease"
REPAIR, JUDGE = "autograder.grading.steps.Repair", "autograder.grading.steps.Judge"
DONE_BY_JUDGE = (SaveAutoGrades, AssignLatePenalties)
EXCHANGE = "autograder.grading.exchange"
SANITIZE, MARKDOWN = "autograder.grading.sanitize.Sanitize", "autograder.grading.sanitize.markdown"
# Not empty while the files of machine and user are read, which may call `configure` themselves.
_being_read: list[bool] = []


def configure(c: Config, root: Path | str | None = None, stock: bool = False) -> None:
    """Fill nbgrader's configuration.

    Parameters
    ----------
    c : traitlets.config.Config
    root : path, optional
        Folder of the course. When left out, the one that the machine's or the user's configuration names, or
        `course_root()`; the rest of those configurations holds then, too.
    stock : bool
        Let nbgrader run submissions itself, with the rights of who calls it, in place of the judge and its sandbox.
        For submissions that are trusted, on a machine that has no sandbox.
    """
    said = Config() if root else said_elsewhere()
    root = Path(root or said.get("CourseDirectory", {}).get("root") or course_root()).resolve()
    _folders(c, root)
    _release(c)
    _grading(c, stock)
    _environment()
    c.merge(said)


def said_elsewhere() -> Config:
    """Return what nbgrader's configuration says for all users of this machine, overridden by the user's own.

    Returns
    -------
    traitlets.config.Config
    """
    config = Config()
    if _being_read:
        return config
    _being_read.append(True)
    try:
        for folder in reversed([jupyter_config_dir(), *SYSTEM_CONFIG_PATH]):
            for loader, kind in ((PyFileConfigLoader, "py"), (JSONFileConfigLoader, "json")):
                with contextlib.suppress(ConfigFileNotFound):
                    config.merge(loader(f"nbgrader_config.{kind}", folder).load_config())
    finally:
        _being_read.clear()
    return config


def settings(root: Path | str) -> Config:
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
    said = said_elsewhere()
    said.get("CourseDirectory", {}).pop("root", None)  # it is this course that is meant
    config.merge(said)
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
    if os.path.isdir(root / "solutions"):  # False, too, in a folder that learners may not enter
        with contextlib.suppress(OSError):  # in a read-only course nobody grades
            (root / CLASSROOM / "exchange").mkdir(parents=True, exist_ok=True)  # nbgrader makes neither
        c.Exchange.root = str(root / CLASSROOM / "exchange")
    c.CourseDirectory.db_url = f"sqlite:///{(root / CLASSROOM / 'gradebook.db').as_posix()}"
    c.CourseDirectory.ignore = [".ipynb_checkpoints", "__pycache__", "feedback", *IMPORTABLE]
    c.ExchangeFactory.release_assignment = f"{EXCHANGE}.ReleaseAssignment"
    c.ExchangeFactory.fetch_assignment = f"{EXCHANGE}.FetchAssignment"
    c.ExchangeFactory.release_feedback = f"{EXCHANGE}.ReleaseFeedback"
    c.ZipCollectApp.downloaded_directory = f"{CLASSROOM}/downloaded"
    # alice_01_positional_encoding.ipynb, as a learning platform hands it out
    c.FileNameCollectorPlugin.named_regexp = r".*/(?P<student_id>[^/]+?)_(?P<file_id>\d\d_\w+)\.ipynb"


def _release(c):
    c.ClearSolutions.code_stub = {"python": CODE_STUB}
    steps = list(GenerateAssignment.preprocessors.default())
    steps.insert(steps.index(ClearSolutions) + 1, STUB_ANSWERS)
    c.GenerateAssignment.preprocessors = [*steps, STAMP_RELEASE]


def _grading(c, stock):
    clean, grade = Autograde.sanitize_preprocessors.default(), Autograde.autograde_preprocessors.default()
    if not stock:
        clean = [REPAIR if step is ClearOutput else step for step in clean]
        grade = [JUDGE if step is Execute else step for step in grade if step not in DONE_BY_JUDGE]
    c.Autograde.sanitize_preprocessors, c.Autograde.autograde_preprocessors = clean, grade
    c.HTMLExporter.preprocessors = [SANITIZE]  # of formgrader's pages and of nbgrader's feedback
    c.HTMLExporter.filters = {"markdown2html": MARKDOWN}
    c.OverwriteCells.add_missing_cells = True  # a deleted check cell comes back
    c.Execute.timeout = 120  # seconds for a cell: a first failing check measures what known mistakes come to
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
