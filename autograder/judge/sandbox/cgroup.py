"""A cgroup for the workers of this process, where one may be made: it limits them as a whole.

Root may make one on a machine with systemd; so may a user in a folder that systemd delegates, such as a desktop
session's. Everywhere else each process is limited, and the report says so. Version 2 only: version 1 cannot be
delegated safely. Source: the kernel's documentation, admin-guide/cgroup-v2.
"""

import contextlib
import functools
import os
import subprocess
from pathlib import Path

ROOT, OWN = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
PREFIX = "transformer-course-"
JOIN = 'echo 0 > "$0/cgroup.procs" && exec "$@"'


def join(memory: int, processes: int) -> tuple[str, ...]:
    """Return the start of a command that lets the rest of it run in the cgroup.

    Parameters
    ----------
    memory, processes : int
        Bytes, and how many processes and threads, for all workers of this process together.

    Returns
    -------
    tuple of str
        Empty where no cgroup may be made.
    """
    return _made(memory, processes, os.getpid())


@functools.cache
def _made(memory, processes, process):
    """Make the cgroup of a process; return what `join` does."""
    folder = _delegated()
    if folder is None:
        return ()
    group = folder / f"{PREFIX}{process}"
    start = ("/bin/sh", "-c", JOIN, str(group))
    try:
        group.mkdir(exist_ok=True)
        (group / "memory.max").write_text(str(memory))
        (group / "pids.max").write_text(str(processes))
        if (group / "memory.swap.max").exists():
            (group / "memory.swap.max").write_text("0")
        subprocess.run([*start, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        with contextlib.suppress(OSError):
            group.rmdir()
        return ()
    return start


def limited(process: int) -> bool:
    """Return whether the memory of a process is limited by its cgroup."""
    with contextlib.suppress(OSError, StopIteration):
        group = ROOT / _path(Path(f"/proc/{process}/cgroup"))
        return (group / "memory.max").read_text().strip() != "max"
    return False


def _path(listing):
    """Return the path of a process's cgroup below the root, of version 2; StopIteration where there is none."""
    return next(line[3:] for line in listing.read_text().splitlines() if line.startswith("0::")).lstrip("/")


def _delegated():
    """Return the nearest folder that hands out both limits and may be written to; remove what is left over in it."""
    with contextlib.suppress(OSError, StopIteration):
        own = ROOT / _path(OWN)
        for folder in (own, *own.parents):
            if folder.is_relative_to(ROOT) and _hands_out(folder):
                _sweep(folder)
                return folder
    return None


def _hands_out(folder):
    """Return whether new cgroups in a folder get both limits, and this user may make them and enter them."""
    given = folder / "cgroup.subtree_control"
    controllers = set(given.read_text().split()) if given.exists() else set()
    return controllers >= {"memory", "pids"} and all(os.access(p, os.W_OK) for p in (folder, folder / "cgroup.procs"))


def _sweep(folder):
    """Remove the cgroups of processes that are gone."""
    for group in folder.glob(f"{PREFIX}*"):
        if not Path("/proc", group.name.removeprefix(PREFIX)).exists():
            with contextlib.suppress(OSError):  # still somebody in it
                group.rmdir()
