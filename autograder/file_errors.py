"""What went wrong with files and disks, in a sentence."""

import errno
import os
import shutil
from pathlib import Path

REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS)
FULL = (errno.ENOSPC, errno.EDQUOT)
NO_FOLDER = (errno.EEXIST, errno.ENOTDIR)
IN_WORDS = (*map(os.strerror, FULL), "disk is full", "is full (")  # SQLite's, and ours
NO_ROOM = "No usable temporary directory"  # as `tempfile` says it
AGAIN = "Then run the same command again: what is done stays done, and nothing is lost."


def sentence(error: OSError, folder: Path | str) -> str:
    """Return in a sentence why something could not be written into a folder.

    Parameters
    ----------
    error : OSError
    folder : path

    Returns
    -------
    str
    """
    if error.errno in REFUSED:
        return f"the folder {folder} may not be written to."
    if error.errno in FULL:
        return f"the disk that holds {folder} is full."
    if error.errno in NO_FOLDER:
        return f"{folder} has to be a folder, and a file of this name is in its place. Rename that file."
    return f"writing in {folder} failed: {error.strerror or error}."


def is_full(text: str) -> bool:
    """Return whether the text of an error, the system's or the gradebook's, says that a disk is full."""
    return any(words in text for words in IN_WORDS)


def full(folder: Path | str, advice: str = f"Make room. {AGAIN}") -> str:
    """Return in a sentence that the disk of a folder is full, how much is free there, and what to do."""
    there = next(place for place in (Path(folder), *Path(folder).absolute().parents) if place.exists())
    free = shutil.disk_usage(there).free / 1e6
    return f"the disk that holds {folder} is full ({free:.1f} MB are free). {advice}"


def told(error: BaseException) -> str:
    """Return an error as a sentence for whoever has given a command."""
    text = str(error)
    if not isinstance(error, OSError):
        return text
    if NO_ROOM in text:
        return f"no folder for temporary files can be written to. Make room, or let TMPDIR name another one. {AGAIN}"
    if error.errno in (errno.EISDIR, *NO_FOLDER) and error.filename:
        return _of_another_kind(error)
    folder = Path(error.filename).absolute().parent if error.filename else Path.cwd()
    return full(folder) if is_full(text) else text


def is_a_folder(path: Path | str) -> str:
    """Return in a sentence that a folder is in the place of a file, and what to do."""
    return f"{path} has to be a file, and is a folder. Rename the folder, and run the same command again."


def _of_another_kind(error):
    path = Path(error.filename2 or error.filename)  # where a draft was to replace a folder, the second one
    if error.errno == errno.EISDIR:
        return is_a_folder(path)
    file = next((place for place in (path, *path.parents) if place.is_file()), path)
    return f"{file} has to be a folder, and is a file. Rename the file, and run the same command again."
