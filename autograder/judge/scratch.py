"""Temporary folders whose names say which process they belong to, so that the next one removes what a kill left."""

import contextlib
import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from autograder import file_errors

PREFIX = "judge-"  # and the number of the process
MIN_FREE = 4 << 20  # bytes, which the folder of a worker needs
ADVICE = f"Make room, or let TMPDIR name a folder on another disk. {file_errors.AGAIN}"


def make() -> Path:
    """Make a folder for this process, and remove those of processes that were killed.

    Returns
    -------
    Path
    """
    _remove_left_over_once()
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))


def why_full(text: str) -> str:
    """Say that there is no room for temporary folders, if the text of an error or the disk says so; else nothing."""
    with contextlib.suppress(OSError):
        folder = tempfile.gettempdir()
        if file_errors.is_full(text) or shutil.disk_usage(folder).free < MIN_FREE:
            return file_errors.full(folder, ADVICE)
    return ""


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Make a folder, and remove it after the block."""
    made = make()
    try:
        yield made
    finally:
        remove(made)


def remove(folder: Path) -> None:
    """Remove a folder and all that is in it."""
    with contextlib.suppress(RecursionError):  # a learner's folders may be nested a thousand deep
        shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        with contextlib.suppress(FileNotFoundError):  # there may be no such program
            subprocess.run(["rm", "-rf", "--", str(folder)], stderr=subprocess.DEVNULL)


def remove_left_over() -> None:
    """Remove the folders of this user's processes that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        pid = folder.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdigit() and not _is_alive(int(pid)) and _is_own(folder):
            remove(folder)


@functools.cache
def _remove_left_over_once():
    remove_left_over()


def _is_own(folder):
    with contextlib.suppress(OSError):  # another process removes it, too
        return folder.lstat().st_uid == os.geteuid()
    return False


def _is_alive(pid):
    try:
        os.kill(pid, 0)
    except PermissionError:  # it is another user's
        return True
    except ProcessLookupError:
        return False
    return True
