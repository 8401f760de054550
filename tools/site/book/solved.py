"""The instructor's notebooks with their outputs: run once, and again only when something has changed."""

import asyncio
import hashlib
import os
from concurrent.futures import ThreadPoolExecutor

import nbformat
from filelock import FileLock
from nbclient import NotebookClient
from traitlets.config import Config

from tools.kernels import connection

CACHE = ".site_cache"
RUN_BY = ("autograder", "shared")  # what the notebooks import
SECONDS_PER_CELL = 300
# No library of a learner; one thread for each kernel; nobody waits.
SILENT = {"MY_TRANSFORMER": "", "OPENBLAS_NUM_THREADS": "1", "TRANSFORMER_KIT_QUIET": "1"}


def solved(root, places, kept=None):
    """Return solved notebooks as they are after a run from top to bottom.

    Parameters
    ----------
    root : Path
        Folder of the course.
    places : list of Path
        Notebooks, in the order in which the longest comes last.
    kept : Path, optional
        Folder in which what was run is kept; `.site_cache` of the course when left out.

    Returns
    -------
    dict from Path to NotebookNode

    Raises
    ------
    RuntimeError
        If a cell of a notebook ends in an error.
    """
    engine = _digest(path.read_bytes() for folder in RUN_BY for path in _files(root / folder))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        solved = pool.map(lambda place: _solved(kept or root / CACHE, place, engine), places)
        return dict(zip(places, solved, strict=True))


def _files(folder):
    return sorted(p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts)


def _digest(contents):
    digest = hashlib.sha256()
    for content in contents:
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()


def _solved(folder, place, engine):
    kept = folder / f"{place.stem}-{_digest([place.read_bytes(), engine.encode()])[:16]}.ipynb"
    folder.mkdir(exist_ok=True)
    with FileLock(folder / f"{place.stem}.lock"):
        if not kept.exists():
            notebook = _run(place)
            for old in folder.glob(f"{place.stem}-*.ipynb"):
                old.unlink()
            nbformat.write(notebook, kept)
    return nbformat.read(kept, as_version=4)


def _run(place):
    notebook = nbformat.read(place, as_version=4)
    with connection() as chosen:
        client = NotebookClient(
            notebook,
            timeout=SECONDS_PER_CELL,
            kernel_name="python3",
            resources={"metadata": {"path": str(place.parent)}},
            extra_arguments=["--IPKernelApp.log_level=ERROR"],
            config=Config(KernelManager=chosen),
        )
        asyncio.run(client.async_execute(env=os.environ | SILENT))  # whose loop is closed, in this thread, too
    return notebook
