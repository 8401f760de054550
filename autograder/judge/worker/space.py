"""How much a child has written: its folder, and what it has removed and still holds.

Where the folder is a mount of its own, as in bubblewrap, that has a limit. Elsewhere the warm server looks while the
child runs, and ends one that has written too much.
"""

import contextlib
import os
import stat

from autograder.judge.sandbox.confine.limits import FOLDER, LIMITS

MAX_FILES = 20_000  # and folders
MAX_PATH = 3000  # bytes; the system follows none much longer
BLOCK = 512  # bytes, in which a file's size on the disk is counted


def is_limited() -> bool:
    """Return whether the working folder is a mount of its own."""
    return os.path.ismount(os.getcwd())


def is_too_much(pid: int, folder: str) -> bool:
    """Return whether a process has written more than its folder may hold: bytes, or files and folders."""
    try:
        return _in_folder(folder) + _held(pid, folder) > FOLDER
    except OSError:  # such as folders nested too deep: nobody can say how much is in them
        return True


def _in_folder(folder):
    """Return the bytes in a folder and all below it; infinite when there are too many, or too many files."""
    total = count = 0
    waiting = [folder]
    with contextlib.ExitStack() as opened:
        while waiting:
            inner = waiting.pop()
            for about, path in _entries(inner, opened):
                total += about.st_blocks * BLOCK
                count += 1
                if stat.S_ISDIR(about.st_mode):
                    waiting.append(path)
                if total > FOLDER or count > MAX_FILES:
                    return float("inf")
    return total


def _entries(path, opened):
    """Yield what is in a folder; a path that is too long to go on with is opened."""
    with contextlib.suppress(FileNotFoundError):  # the code at work has removed something meanwhile
        if len(os.fsencode(path)) > MAX_PATH:
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            opened.callback(os.close, descriptor)
            path = f"/proc/self/fd/{descriptor}"
        with os.scandir(path) as entries:
            for entry in entries:
                with contextlib.suppress(FileNotFoundError):
                    yield entry.stat(follow_symlinks=False), entry.path


def _held(pid, folder):
    """Return the bytes of removed files that a process has open; of those that it only maps, the most there can be."""
    total = 0
    inside = os.fsencode(folder)
    removed = b" (deleted)\n"
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has ended
        for number in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(FileNotFoundError):
                about = os.stat(f"/proc/{pid}/fd/{number}")
                total += about.st_blocks * BLOCK if stat.S_ISREG(about.st_mode) and not about.st_nlink else 0
        with open(f"/proc/{pid}/maps", "rb") as lines:
            mapped = {tuple(line.split()[3:5]) for line in lines if inside in line and line.endswith(removed)}
        total += len(mapped) * LIMITS["FSIZE"]
    return total
