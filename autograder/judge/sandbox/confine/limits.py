"""Limits of one process: memory, time, files, threads; and that it does not outlive its parent."""

import contextlib
import ctypes
import os
import signal
import sys

with contextlib.suppress(ImportError):  # on Windows, where no worker runs
    import resource

EXTRA_MEMORY = 1 << 30  # bytes beyond those that the warm server has mapped
FOLDER = 64 << 20  # bytes of a working folder, with all that is in it
LIMITS = {"CPU": 120, "FSIZE": 16 << 20, "NOFILE": 64, "CORE": 0, "MSGQUEUE": 0, "MEMLOCK": 0}
SET_DEATH_SIGNAL, SET_DUMPABLE, NO_NEW_PRIVILEGES = 1, 4, 38  # of prctl

if sys.platform != "win32":
    libc = ctypes.CDLL(None, use_errno=True)
else:
    libc = None


def apply(processes: int | None) -> None:
    """Set the limits of this process.

    Parameters
    ----------
    processes : int or None
        How many processes and threads its user may have. None: no limit of its own.
    """
    wanted = LIMITS | ({"NPROC": processes} if processes else {})
    with contextlib.suppress(FileNotFoundError), open("/proc/self/statm") as file:  # Linux only
        wanted["AS"] = int(file.read().split()[0]) * resource.getpagesize() + EXTRA_MEMORY
    for name, limit in wanted.items():
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            highest = resource.getrlimit(kind)[1]
            limit = limit if highest == resource.RLIM_INFINITY else min(limit, highest)
            resource.setrlimit(kind, (limit, limit))
    set_process(SET_DEATH_SIGNAL, signal.SIGKILL)


def set_process(option: int, value: int) -> None:
    """Set an attribute of this process, where there is prctl."""
    if sys.platform == "linux":
        check(libc.prctl(option, value, 0, 0, 0), f"prctl {option}")


def check(result: int, what: str) -> int:
    """Return a result of the kernel's, or raise OSError when it is an error.

    Parameters
    ----------
    result : int
        Negative for an error.
    what : str
        What was tried.
    """
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result
