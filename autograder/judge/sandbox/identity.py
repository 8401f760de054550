"""Who a worker runs as: never root."""

import contextlib
import os
import tempfile
from pathlib import Path

# The ids that systemd gives to services for as long as they run: no files belong to them.
FIRST, LAST = 61184, 65519
PROCESSES = 48  # of a user with no others
MORE_PROCESSES = 256  # of a user with others


def unprivileged() -> int | None:
    """Return the user id for a new worker: None, to keep the own one, unless this process is root.

    Raises
    ------
    OSError
        When every id is taken.
    """
    if os.geteuid():
        return None
    taken = {owner for owner, _ in _processes()}
    count = LAST - FIRST + 1
    for number in range(os.getpid(), os.getpid() + count):  # so that workers of several processes get different ones
        if FIRST + number % count not in taken:
            return FIRST + number % count
    raise OSError(f"no user id between {FIRST} and {LAST} is free for a worker")


def processes(alone: bool) -> int:
    """Return how many processes a worker's user may have.

    Parameters
    ----------
    alone : bool
        Whether its processes are counted apart from all others: it is a new user, or in its own user namespace.
    """
    if alone:
        return PROCESSES
    return MORE_PROCESSES + sum(threads for owner, threads in _processes() if owner == os.getuid())


def admit(user: int | None, work: Path | str, view: Path | str) -> None:
    """Let a user into its folders: hand over the working folder, and open the way to it and to the view.

    The way is a folder that was made for this worker, below the one for temporary files, and is closed to others.
    """
    if user is None:
        return
    os.chown(work, user, user)
    for folder in {Path(work).parent, Path(view).parent}:
        if folder.parent == Path(tempfile.gettempdir()):
            os.chmod(folder, folder.stat().st_mode | 0o011)


def _processes():
    """Yield the owner and the number of threads of every process that can be seen."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            yield os.stat(f"/proc/{name}").st_uid, len(os.listdir(f"/proc/{name}/task"))
