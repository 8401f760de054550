"""`course lab`: JupyterLab on the start page, with the table of contents beside it."""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
from jupyterlab.commands import get_workspaces_dir
from jupyterlab.labapp import LabApp
from jupyterlab_server.workspaces_handler import WorkspacesManager
from nbformat.sign import NotebookNotary

from autograder.course import course_root

START_PAGE = "notebooks/START_HERE.ipynb"
WORKSPACE = "transformer-course"  # JupyterLab's name for an arrangement of panels; this one is the course's own
CONTENTS = "@jupyterlab/toc:plugin"
PANELS = {"left": {"collapsed": False, "visible": True, "current": CONTENTS, "widgets": ["filebrowser", CONTENTS]}}


def main(arguments: list[str]) -> None:
    """Run JupyterLab in the course's folder until it is stopped.

    Parameters
    ----------
    arguments : list of str
        For JupyterLab, such as ``["--no-browser", "--port", "8899"]``.
    """
    root = course_root()
    if not (root / START_PAGE).is_file():
        raise SystemExit(f"course lab: expected {START_PAGE} in {root}; go to the course's folder and try again")
    os.chdir(root)
    with contextlib.suppress(OSError):  # whoever may not write there gets JupyterLab's own arrangement
        arrange_panels()
    trust(root / "notebooks")
    measure_meanwhile()
    start = f"--LabApp.default_url=/lab/workspaces/{WORKSPACE}/tree/{START_PAGE}"
    LabApp.launch_instance([start, *own_programs_first(), *arguments])


def own_programs_first() -> list[str]:
    """Let JupyterLab's terminals find the programs of this environment, such as `course` and `pip`, before all others.

    Returns
    -------
    list of str
        For JupyterLab: no login shell, since the settings of one put the system's programs first.
    """
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    if os.name == "nt":
        return []
    return [f"--ServerApp.terminado_settings={{'shell_command': [{os.environ.get('SHELL') or 'sh'!r}]}}"]


def measure_meanwhile() -> None:
    """Let another process measure what the checks need to know of known mistakes, long before it is needed."""
    command = [sys.executable, "-P", "-m", "autograder.evaluation.ahead"]
    env, nowhere = os.environ | {"OPENBLAS_NUM_THREADS": "1"}, subprocess.DEVNULL
    with contextlib.suppress(OSError):
        subprocess.Popen(command, env=env, stdin=nowhere, stdout=nowhere, stderr=nowhere)


def arrange_panels() -> None:
    """Open the table of contents, once: how a learner has arranged the panels since then is kept."""
    workspaces = WorkspacesManager(get_workspaces_dir())
    try:
        arranged = workspaces.load(WORKSPACE)["data"]
    except ValueError:  # a damaged file
        arranged = None
    if not arranged:
        workspace = {"data": {"layout-restorer:data": PANELS}, "metadata": {"id": WORKSPACE}}
        workspaces.save(WORKSPACE, json.dumps(workspace))


def trust(folder: Path, notary: NotebookNotary | None = None) -> list[Path]:
    """Sign the notebooks of a folder that hold no output.

    Trust is about outputs: a trusted one may run scripts in the browser. Without any there is nothing that could, and
    Jupyter itself signs such a notebook when it is saved. Signed before that, it is trusted when it is first opened.
    A notebook that comes with outputs is left to Jupyter: it knows whether they were made here.

    Parameters
    ----------
    folder : Path
        With the course's notebooks, and a folder for each unit.
    notary : NotebookNotary, optional
        Who signs; the learner's own when left out.

    Returns
    -------
    list of Path
        The signed notebooks.
    """
    signed = []
    with notary or NotebookNotary() as signing:
        for path in sorted([*folder.glob("*.ipynb"), *folder.glob("*/*.ipynb")]):
            try:
                notebook = nbformat.read(path, as_version=4)
            except Exception:  # whatever is wrong with it, JupyterLab says so when it is opened
                continue
            if not any(cell.get("outputs") for cell in notebook.cells):
                signing.sign(notebook)
                signed.append(path)
    return signed
