"""What is in a zip. Nothing is unpacked to the disk, and nothing is unpacked that would take too much room."""

import io
import stat
import zipfile
from functools import partial

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
    shown,
    too_large,
    where,
)

MAX_MEMBERS, MAX_LISTING, LONGEST_NAME = 20_000, 4 * MIB, 1000
MAX_UNPACKED = 4096 * MIB  # of all members; a notebook is unpacked only when it is read
MAX_RATIO = 200  # of unpacked to packed size, beyond the first MiB; a notebook reaches 10
IF_TRUSTED = "If you trust it, unpack it yourself."
LINK, FILE = stat.S_IFLNK, (0, stat.S_IFREG)  # some programs write no kind at all
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class _Listed:
    """A file for `zipfile`, which reads the list of the members in one piece: a list of reasonable size only."""

    def __init__(self, file):
        self.file = file

    def __getattr__(self, name):
        return getattr(self.file, name)

    def read(self, size=-1):
        if size > MAX_LISTING:
            raise zipfile.BadZipFile("the list of its members is too long")
        return self.file.read(size)


def members(path, opened, nested=False):
    """Yield what is in a zip.

    Parameters
    ----------
    path : tuple of str
        Of the zip.
    opened : callable
        Opens it for reading; may raise `Refused`.
    nested : bool
        Whether it lies in another zip: one more level is not opened.

    Yields
    ------
    Item
    """
    try:
        with opened() as file, zipfile.ZipFile(_Listed(file)) as archive:
            found = archive.infolist()
        _require_harmless(found)
    except Refused as why:
        yield refused(path, str(why))
    except Exception as error:  # whatever a damaged zip makes of the reader
        yield refused(path, f"it cannot be read as a zip ({shown(error)}). {ONCE_MORE}")
    else:
        for member in found:
            yield from _member(path, opened, member, nested)


def _require_harmless(found):
    if len(found) > MAX_MEMBERS:
        raise Refused(f"it has {len(found)} members, more than {MAX_MEMBERS}. {IF_TRUSTED}")
    total = sum(member.file_size for member in found)
    if total > MAX_UNPACKED:
        raise Refused(f"it would unpack to {total // MIB} MiB, more than {MAX_UNPACKED // MIB}. {IF_TRUSTED}")


def _member(archive, opened, member, nested):
    names = [name for name in member.filename.replace("\\", "/").split("/") if name != "."]
    path = (*archive, *filter(None, names))
    if member.is_dir() or any(by_the_way(name) for name in names if name != ".."):
        return
    why = _objection(member, names, nested)
    if why:
        yield refused(path, why)
    elif path[-1].lower().endswith(".zip"):
        yield from members(path, partial(_unpacked, opened, member), nested=True)
    else:
        yield Item(path, where(path), partial(_read, opened, member), tuple(member.date_time))


def _objection(member, names, nested):
    """Return why a member is not taken; empty for a harmless one."""
    name, kind = names[-1].lower(), stat.S_IFMT(member.external_attr >> 16)
    if len(member.filename) > LONGEST_NAME:
        return f"its name has more than {LONGEST_NAME} characters. {ONCE_MORE}"
    if ".." in names or not names[0] or ":" in names[0]:
        return f"its name leads out of the zip. {ONCE_MORE}"
    if kind not in FILE:
        return f"it is {'a link' if kind == LINK else 'no file'}. {ONCE_MORE}"
    if member.flag_bits & 1:
        return "it is encrypted. Ask for a zip without a password."
    if name.endswith(OTHER_ARCHIVES):
        return ARCHIVE
    if name.endswith(".zip") and nested:
        return "it is a zip in a zip in a zip. Unpack the outer ones."
    if member.file_size > MAX_RATIO * max(member.compress_size, MIB // MAX_RATIO):
        return f"it would unpack to {MAX_RATIO} times its size, as a zip bomb does. {IF_TRUSTED}"
    return too_large(member.file_size) if member.file_size > MAX_FILE else ""


def _read(opened, member):
    """Return the bytes of a member; `zipfile` returns no more of them than its zip has announced."""
    if member.compress_type not in PACKED:
        raise Refused("it is packed in an unusual way. Ask for an ordinary zip.")
    try:
        with opened() as file, zipfile.ZipFile(_Listed(file)) as archive, archive.open(member) as unpacked:
            return unpacked.read(MAX_FILE)  # a limit on what is unpacked at once, too
    except Refused:
        raise
    except Exception as error:  # whatever a damaged zip makes of the reader
        raise Refused(f"it cannot be unpacked ({shown(error)}). {ONCE_MORE}") from error


def _unpacked(opened, member):
    """Open a zip that lies in a zip."""
    return io.BytesIO(_read(opened, member))
