"""Notebooks run from their first cell to their last, each in a kernel that no other program can come between."""

import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from nbclient import NotebookClient
from traitlets.config import Config

from tools.course import ROOT, notebook
from transformer_kit.progress import QUIET

SECONDS_PER_CELL = 120  # unit 10 trains a model, which takes 10 seconds on a machine that has nothing else to do


@contextmanager
def connection():
    """Yield the settings of a `KernelManager`: sockets that are files, where there are such.

    A port that was free when it was chosen may be taken before the kernel binds it, by another kernel or a browser.
    """
    if sys.platform == "win32":
        yield {}
        return
    with tempfile.TemporaryDirectory() as folder:
        yield {"transport": "ipc", "ip": str(Path(folder, "kernel"))}


def execute(nb, folder, **settings):
    """Run a notebook in a folder and return it with its outputs; errors are outputs, too.

    Parameters
    ----------
    nb : NotebookNode
        Changed in place.
    folder : path
        Where the kernel starts.
    **settings
        Passed on to the kernel's process, e.g. `env`.
    """
    settings["env"] = settings.get("env", os.environ) | {QUIET[1]: "1"}
    with connection() as chosen:
        client = NotebookClient(
            nb,
            timeout=SECONDS_PER_CELL,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
            allow_errors=True,
            extra_arguments=["--IPKernelApp.log_level=ERROR"],
            config=Config(KernelManager=chosen),
        )
        return client.execute(**settings)


def executed(unit_id, folder):
    """Run a built notebook where it lies and return it with its outputs."""
    return execute(notebook(unit_id, folder), ROOT / folder / unit_id)


def outputs(nb):
    """Return every output with the id of its cell."""
    return [(cell.id, output) for cell in nb.cells if cell.cell_type == "code" for output in cell.outputs]
