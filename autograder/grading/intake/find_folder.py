"""What lies in a folder of submissions. No link is followed, and no file is opened before its kind is known."""

import os
import stat
from functools import partial
from pathlib import Path

from autograder.grading.intake.find_item import (
    ARCHIVE,
    MAX_FILE,
    MIB,
    ONCE_MORE,
    OTHER_ARCHIVES,
    Item,
    Refused,
    by_the_way,
    refused,
    too_large,
    where,
)
from autograder.grading.intake.find_zip import members

MAX_ZIP = 4096 * MIB
MAX_FILES, DEEPEST = 200_000, 10
KINDS = {
    stat.S_IFLNK: "a link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def items(folder):
    """Yield what lies in a folder and in its zips, in the order of names.

    Parameters
    ----------
    folder : path
        It may be a single zip or notebook, too.

    Yields
    ------
    Item
    """
    folder = Path(folder).absolute()
    found = _walk(folder, ()) if folder.is_dir() else _file(folder, (folder.name,))
    for number, item in enumerate(found):
        if number == MAX_FILES:
            why = f"there are more than {MAX_FILES} files, and the rest is left out. Grade the folder in parts."
            yield refused((folder.name,), why)
            return
        yield item


def _walk(folder, path):
    if len(path) > DEEPEST:
        yield refused(path, f"it lies more than {DEEPEST} folders deep. Move it up, or leave it out.")
        return
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: os.fsencode(entry.name))
    except OSError as error:
        yield refused(path or (folder.name,), f"it cannot be listed ({error.strerror}). Change its permissions.")
        return
    for entry in entries:
        below = (*path, entry.name)
        if by_the_way(entry.name):
            continue
        if _is_folder(entry):
            yield from _walk(entry.path, below)
        else:
            yield from _file(entry.path, below)


def _is_folder(entry):
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _file(place, path):
    """Yield a file, or what is in it if it is a zip."""
    name = path[-1].lower()
    try:
        status = os.lstat(place)
    except OSError as error:
        yield refused(path, f"it cannot be looked at ({error.strerror}). {ONCE_MORE}")
        return
    if not stat.S_ISREG(status.st_mode):
        yield refused(path, f"it is {KINDS.get(stat.S_IFMT(status.st_mode), 'no file')}. {ONCE_MORE}")
    elif name.endswith(".zip"):
        yield from members(path, partial(_open, place, MAX_ZIP))
    elif name.endswith(OTHER_ARCHIVES):
        yield refused(path, ARCHIVE)
    else:
        item = Item(path, where(path), partial(_read, place), (status.st_mtime_ns,))
        large = item.is_notebook and status.st_size > MAX_FILE
        yield refused(path, too_large(status.st_size)) if large else item


def _open(place, most):
    """Open a regular file of at most so many bytes; neither follow a link nor wait for a pipe."""
    flags = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY", "O_CLOEXEC"))
    try:
        file = os.fdopen(os.open(place, flags), "rb")
    except OSError as error:
        raise Refused(f"it cannot be opened ({error.strerror}). Change its permissions.") from error
    status = os.fstat(file.fileno())
    if stat.S_ISREG(status.st_mode) and status.st_size <= most:
        return file
    file.close()
    raise Refused(too_large(status.st_size) if stat.S_ISREG(status.st_mode) else f"it is no file. {ONCE_MORE}")


def _read(place):
    with _open(place, MAX_FILE) as file:
        try:
            content = file.read(MAX_FILE + 1)
        except OSError as error:
            raise Refused(f"it cannot be read ({error.strerror}). {ONCE_MORE}") from error
    if len(content) > MAX_FILE:
        raise Refused(too_large(len(content)))
    return content
