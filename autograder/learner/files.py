"""Write the learner's own files so that nothing is lost: one notebook at a time, and with copies of what was there."""

import contextlib
import datetime
import errno
import os
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from autograder.file_errors import sentence

try:
    from filelock import FileLock, Timeout
except ImportError:
    FileLock, Timeout = None, TimeoutError  # type: ignore[assignment,misc]  # stand in for classes
if sys.platform == "emscripten":  # a browser has no locks, and what filelock makes of that may outlive its kernel
    FileLock = None

EARLIER = "earlier"
SECONDS_TO_WAIT = 30  # another notebook may be importing a library that never ends, which is stopped after 10
NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP)  # of the file system, as often over a network


class CannotWrite(Exception):
    """One of the learner's own files could not be written; the message is a sentence for the learner."""


@contextlib.contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Make a folder, and keep other notebooks from writing there while the block runs.

    Raises
    ------
    CannotWrite
        If something in the block, or the folder itself, cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _lock(folder):
            yield
    except Timeout as error:
        raise CannotWrite(f"another program has been writing in {folder} for {SECONDS_TO_WAIT} seconds.") from error
    except OSError as error:
        raise CannotWrite(sentence(error, folder)) from error


@contextlib.contextmanager
def _lock(folder):
    with contextlib.ExitStack() as stack:
        if FileLock is not None:
            try:
                stack.enter_context(FileLock(folder / ".lock", timeout=SECONDS_TO_WAIT))
            except NotImplementedError:
                pass
            except OSError as error:
                if error.errno not in NO_LOCKS:
                    raise
        yield


def keep_copy(path: Path) -> Path:
    """Copy a file into the folder `earlier` beside it, under a dated name of its own; return the copy's path."""
    content = path.read_bytes()
    folder = path.parent / EARLIER
    folder.mkdir(exist_ok=True)
    targets = dated(folder, path.stem, path.suffix)
    while True:
        target = next(targets)
        with contextlib.suppress(FileExistsError), open(target, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # before the original is changed
            return target


def dated(folder: Path, stem: str, suffix: str) -> Iterator[Path]:
    """Yield paths that carry today's date and a growing number."""
    today = datetime.date.today()
    return (folder / f"{stem}-{today}-{number}{suffix}" for number in count(1))
