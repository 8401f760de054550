"""The files in a folder of submissions. No link is followed, and no file is opened before its kind is known."""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path

from autograder.grading.intake.find.item import (
    APPLE,
    ARCHIVE,
    ASK_AGAIN,
    CHECKPOINTS,
    CLUTTER,
    MAX_DEPTH,
    MAX_FILE,
    MIB,
    OTHER_ARCHIVES,
    Item,
    Refused,
    folder_item,
    hidden_item,
    is_clutter,
    is_notebook,
    refused_item,
    too_large,
)
from autograder.grading.intake.find.quotas import Quotas
from autograder.grading.intake.find.zips import members

MAX_ZIP = 4096 * MIB
MAX_FILES = 1_000_000  # of all
MAX_HIDDEN = 200  # folders in one that is hidden
KINDS = {
    stat.S_IFLNK: "a link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


Place = tuple[str, ...]


@dataclass(frozen=True)
class Listed:
    """All files that lie in a folder of submissions."""

    name: str  # of the folder, zip or notebook that the instructor has named
    is_folder: bool  # whether it is a folder
    units: tuple[str, ...]  # ids of the units of the course
    items: tuple[Item, ...]
    hidden: tuple[Place, ...] = ()  # paths of what begins with a dot, holds notebooks, and is no copy of others


def list_files(folder: str | Path, units: Sequence[str]) -> Listed:
    """List the files in a folder and in its zips; `units` are ids."""
    all_items = tuple(items(folder, units))
    listed = tuple(item for item in all_items if not item.is_hidden)
    notebooks = {item.path for item in listed if item.is_notebook}
    folders = {path[:depth] for path in notebooks for depth in range(len(path))}
    hidden = dict.fromkeys(item.path for item in all_items if item.is_hidden)
    alone = tuple(path for path in hidden if not _is_copy(path, notebooks, folders))
    return Listed(Path(folder).name, Path(folder).is_dir(), tuple(units), listed, alone)


def _is_copy(path, notebooks, folders):
    """Return whether a program has put something hidden beside a notebook."""
    *above, name = path
    if name == CHECKPOINTS:
        return tuple(above) in folders
    return name.startswith(APPLE) and (*above, name.removeprefix(APPLE)) in notebooks


def items(folder: str | Path, units: Sequence[str] = ()) -> Iterator[Item]:
    """Yield the files in a folder and in its zips, and these folders and zips themselves, in the order of their names.

    Parameters
    ----------
    folder : path
        It may also be a single zip or notebook.
    units : sequence of str
        Ids.
    """
    folder = Path(folder).absolute()
    root = () if folder.is_dir() else (folder.name,)
    quotas = Quotas(root, units)
    listed = _file(folder, root, quotas) if root else _walk(folder, (), quotas)
    for number, item in enumerate(chain(listed, quotas.exceeded())):
        if number == MAX_FILES:
            reason = f"there are more than {MAX_FILES} files, and the rest is left out. Grade the folder in parts."
            yield refused_item((folder.name,), reason)
            return
        yield item


def _walk(folder, path, quotas):
    if len(path) > MAX_DEPTH:
        yield refused_item(path, f"it lies more than {MAX_DEPTH} folders deep. Move it up, or leave it out.")
        return
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: os.fsencode(entry.name))
    except OSError as error:
        yield refused_item(path or (folder.name,), f"it cannot be listed ({error.strerror}). Change its permissions.")
        return
    for entry in entries:
        below = (*path, entry.name)
        if entry.name in CLUTTER:
            continue
        quota = quotas.of(below)
        quota.files -= 1
        if not quota.is_left:
            continue
        if is_clutter(entry.name):
            yield from [hidden_item(below)] if _holds_notebook(entry) else ()
        elif _is_folder(entry):
            yield folder_item(below)
            yield from _walk(entry.path, below, quotas)
        else:
            yield from _file(entry.path, below, quotas)


def _holds_notebook(entry):
    """Return whether something hidden is a notebook, or a folder in which one is soon found."""
    if not _is_folder(entry):
        return is_notebook(entry.name)
    looked_at = islice(os.walk(entry.path), MAX_HIDDEN)
    return any(is_notebook(name) for _, _, names in looked_at for name in names)


def _is_folder(entry):
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _file(file_path, path, quotas):
    """Yield a file, or what is in it if it is a zip."""
    name = path[-1].lower()
    try:
        status = os.lstat(file_path)
    except OSError as error:
        yield refused_item(path, f"it cannot be examined ({error.strerror}). {ASK_AGAIN}")
        return
    if not stat.S_ISREG(status.st_mode):
        yield refused_item(path, f"it is {KINDS.get(stat.S_IFMT(status.st_mode), 'not a file')}. {ASK_AGAIN}")
    elif name.endswith(".zip"):
        yield from members(path, partial(_open, file_path, MAX_ZIP), quotas)
    elif name.endswith(OTHER_ARCHIVES):
        yield refused_item(path, ARCHIVE)
    else:
        item = Item(path, partial(_read, file_path), (status.st_mtime_ns,), status.st_size)
        is_large = item.is_notebook and status.st_size > MAX_FILE
        yield refused_item(path, too_large(status.st_size)) if is_large else item


def _open(file_path, max_size):
    """Open a regular file of at most `max_size` bytes; neither follow a link nor wait for a pipe."""
    flags = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY", "O_CLOEXEC"))
    try:
        file = os.fdopen(os.open(file_path, flags), "rb")
    except OSError as error:
        raise Refused(f"it cannot be opened ({error.strerror}). Change its permissions.") from error
    status = os.fstat(file.fileno())
    if stat.S_ISREG(status.st_mode) and status.st_size <= max_size:
        return file
    file.close()
    raise Refused(too_large(status.st_size) if stat.S_ISREG(status.st_mode) else f"it is not a file. {ASK_AGAIN}")


def _read(file_path):
    with _open(file_path, MAX_FILE) as file:
        try:
            content = file.read(MAX_FILE + 1)
        except OSError as error:
            raise Refused(f"it cannot be read ({error.strerror}). {ASK_AGAIN}") from error
    if len(content) > MAX_FILE:
        raise Refused(too_large(len(content)))
    return content
