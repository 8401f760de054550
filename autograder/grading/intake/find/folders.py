"""The files in a folder of submissions. No link is followed, and no file is opened before its kind is known."""

import os
import stat
from functools import partial
from itertools import chain
from pathlib import Path

from autograder.grading.intake.find.item import (
    ARCHIVE,
    ASK_AGAIN,
    MAX_DEPTH,
    MAX_FILE,
    MIB,
    OTHER_ARCHIVES,
    Item,
    Refused,
    is_clutter,
    listed,
    refused,
    too_large,
    where,
)
from autograder.grading.intake.find.room import Rooms
from autograder.grading.intake.find.zips import members

MAX_ZIP = 4096 * MIB
MAX_FILES = 1_000_000  # of all
KINDS = {
    stat.S_IFLNK: "a link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def items(folder, units=()):
    """Yield the files in a folder and in its zips, and these folders and zips themselves, in the order of their names.

    Parameters
    ----------
    folder : path
        It may also be a single zip or notebook.
    units : sequence of str
        Ids.

    Yields
    ------
    Item
    """
    folder = Path(folder).absolute()
    root = () if folder.is_dir() else (folder.name,)
    rooms = Rooms(root, units)
    found = _file(folder, root, rooms) if root else _walk(folder, (), rooms)
    for number, item in enumerate(chain(found, rooms.full())):
        if number == MAX_FILES:
            why = f"there are more than {MAX_FILES} files, and the rest is left out. Grade the folder in parts."
            yield refused((folder.name,), why)
            return
        yield item


def _walk(folder, path, rooms):
    if len(path) > MAX_DEPTH:
        yield refused(path, f"it lies more than {MAX_DEPTH} folders deep. Move it up, or leave it out.")
        return
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: os.fsencode(entry.name))
    except OSError as error:
        yield refused(path or (folder.name,), f"it cannot be listed ({error.strerror}). Change its permissions.")
        return
    for entry in entries:
        below = (*path, entry.name)
        if is_clutter(entry.name):
            continue
        room = rooms.of(below)
        room.files -= 1
        if not room.is_left:
            continue
        if _is_folder(entry):
            yield listed(below)
            yield from _walk(entry.path, below, rooms)
        else:
            yield from _file(entry.path, below, rooms)


def _is_folder(entry):
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _file(place, path, rooms):
    """Yield a file, or what is in it if it is a zip."""
    name = path[-1].lower()
    try:
        status = os.lstat(place)
    except OSError as error:
        yield refused(path, f"it cannot be examined ({error.strerror}). {ASK_AGAIN}")
        return
    if not stat.S_ISREG(status.st_mode):
        yield refused(path, f"it is {KINDS.get(stat.S_IFMT(status.st_mode), 'not a file')}. {ASK_AGAIN}")
    elif name.endswith(".zip"):
        yield from members(path, partial(_open, place, MAX_ZIP), rooms)
    elif name.endswith(OTHER_ARCHIVES):
        yield refused(path, ARCHIVE)
    else:
        item = Item(path, where(path), partial(_read, place), (status.st_mtime_ns,), status.st_size)
        large = item.is_notebook and status.st_size > MAX_FILE
        yield refused(path, too_large(status.st_size)) if large else item


def _open(place, max_size):
    """Open a regular file of at most `max_size` bytes; neither follow a link nor wait for a pipe."""
    flags = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY", "O_CLOEXEC"))
    try:
        file = os.fdopen(os.open(place, flags), "rb")
    except OSError as error:
        raise Refused(f"it cannot be opened ({error.strerror}). Change its permissions.") from error
    status = os.fstat(file.fileno())
    if stat.S_ISREG(status.st_mode) and status.st_size <= max_size:
        return file
    file.close()
    raise Refused(too_large(status.st_size) if stat.S_ISREG(status.st_mode) else f"it is not a file. {ASK_AGAIN}")


def _read(place):
    with _open(place, MAX_FILE) as file:
        try:
            content = file.read(MAX_FILE + 1)
        except OSError as error:
            raise Refused(f"it cannot be read ({error.strerror}). {ASK_AGAIN}") from error
    if len(content) > MAX_FILE:
        raise Refused(too_large(len(content)))
    return content
