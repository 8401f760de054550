"""The files in a zip. Nothing is unpacked to the disk, and nothing that would take too much room is unpacked at all."""

import io
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import BinaryIO

from autograder.grading.intake.find.item import (
    ARCHIVE,
    ASK_AGAIN,
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
from autograder.grading.intake.find.wording import printable

MAX_MEMBERS, MAX_LISTING, MAX_NAME_LENGTH = 20_000, 4 * MIB, 1000
MAX_UNPACKED = 4096 * MIB  # of all members; a notebook is unpacked only when it is read
MAX_RATIO = 200  # of unpacked to packed size, beyond the first MiB; a notebook reaches 10
MAX_LEVELS = 4  # of zips in zips
IF_TRUSTED = "If you trust it, unpack it yourself."
LINK, FILE = stat.S_IFLNK, (0, stat.S_IFREG)  # some programs write no kind at all
LOCAL_HEADER = struct.Struct("<4s22xHH")  # signature, length of the name, and of what else stands before the content
SIGNATURE = b"PK\x03\x04"


class _LimitedFile:
    """A file for `zipfile` that limits the list of the members, which is read in one piece."""

    def __init__(self, file, quota):
        self.file = file
        self.quota = quota

    def __getattr__(self, name):
        return getattr(self.file, name)

    def read(self, size=-1):
        self.quota.listings -= max(size, 0)
        if size > MAX_LISTING or not self.quota.is_left:
            raise zipfile.BadZipFile("the list of its members is too long")
        return self.file.read(size)


def members(
    path: tuple[str, ...], opened: Callable[[], BinaryIO], quotas: Quotas, level: int = 1
) -> Iterator[Item]:
    """Yield what is in a zip, and in the zips in it, as far as there is room, to a level of `MAX_LEVELS`.

    Parameters
    ----------
    path : tuple of str
        Of the zip.
    opened : callable
        Opens it for reading; may raise `Refused`.
    quotas : Quotas
    level : int
        How deep it lies: 2 for a zip in a zip.
    """
    try:
        with opened() as file, zipfile.ZipFile(_LimitedFile(file, quotas.of(path))) as archive:
            infos = archive.infolist()
        _require_harmless(infos)
    except Refused as refused:
        yield refused_item(path, str(refused))
    except Exception as error:  # on a damaged zip the reader may raise anything
        yield refused_item(path, f"it cannot be read as a zip ({printable(error)}). {ASK_AGAIN}")
    else:
        yield folder_item(path)
        for member in infos:
            yield from _member(path, opened, member, quotas, level)


def _require_harmless(infos):
    if len(infos) > MAX_MEMBERS:
        raise Refused(f"it has {len(infos)} members, more than {MAX_MEMBERS}. {IF_TRUSTED}")
    total = sum(member.file_size for member in infos)
    if total > MAX_UNPACKED:
        raise Refused(f"it would unpack to {total // MIB} MiB, more than {MAX_UNPACKED // MIB}. {IF_TRUSTED}")


def _member(archive, opened, member, quotas, level):
    names = [name for name in member.filename.replace("\\", "/").split("/") if name != "."]
    path = (*archive, *filter(None, names))
    hidden = next((depth for depth, name in enumerate(names, 1) if name != ".." and is_clutter(name)), 0)
    if not any(names) or (hidden and (names[hidden - 1] in CLUTTER or not is_notebook(names[-1]))):
        return
    quota = quotas.of(path)
    quota.files -= 1
    if not quota.is_left:
        return
    if hidden:
        if not _misnamed(member, names):
            yield hidden_item((*archive, *names[:hidden]))
        return
    if member.is_dir():
        if not _misnamed(member, names):
            yield folder_item(path)
        return
    reason = _objection(member, names, level)
    if reason:
        yield refused_item(path, reason)
    elif path[-1].lower().endswith(".zip"):
        quota.zips -= member.file_size
        if quota.is_left:
            yield from members(path, partial(_opened, opened, member), quotas, level + 1)
    else:
        yield Item(path, partial(_read, opened, member), tuple(member.date_time), member.file_size)


def _objection(member, names, level):
    """Return why a member is refused; empty for a harmless one."""
    name = names[-1].lower()
    kind = stat.S_IFMT(member.external_attr >> 16)
    if reason := _misnamed(member, names):
        return f"{reason}. {ASK_AGAIN}"
    if kind not in FILE:
        return f"it is {'a link' if kind == LINK else 'not a file'}. {ASK_AGAIN}"
    if member.flag_bits & 1:
        return f"it is encrypted. {ASK_AGAIN}"
    if name.endswith(OTHER_ARCHIVES):
        return ARCHIVE
    if name.endswith(".zip") and level == MAX_LEVELS:
        return f"it lies in {MAX_LEVELS} zips, one in the other. Unpack the outer ones."
    if member.file_size > MAX_RATIO * max(member.compress_size, MIB // MAX_RATIO):
        return f"it would unpack to {MAX_RATIO} times its size, as a zip bomb does. {IF_TRUSTED}"
    size = max(member.file_size, member.compress_size)
    return too_large(size) if size > MAX_FILE else ""


def _misnamed(member, names):
    """Return what is wrong with the name of a member; empty for a harmless one."""
    if len(member.filename) > MAX_NAME_LENGTH:
        return f"its name has more than {MAX_NAME_LENGTH} characters"
    if len(names) > MAX_DEPTH:
        return f"it lies more than {MAX_DEPTH} folders deep"
    return "its name leads out of the zip" if ".." in names or not names[0] or ":" in names[0] else ""


def _read(opened, member):
    """Return the bytes of a member; no more of them than the list of members announces."""
    try:
        with opened() as file:
            return _unpacked(file, member)
    except Refused:
        raise
    except Exception as error:  # the list of members may say anything of where it begins
        raise Refused(f"it cannot be unpacked ({printable(error)}). {ASK_AGAIN}") from error


def _unpacked(file, member):
    """Unpack a member where it stands: `zipfile` would read the whole list of members again for each of them."""
    file.seek(member.header_offset)
    signature, *lengths = LOCAL_HEADER.unpack(file.read(LOCAL_HEADER.size))
    if signature != SIGNATURE:
        raise ValueError("it is not where the list of members says")
    file.seek(sum(lengths), os.SEEK_CUR)
    content = file.read(member.compress_size)
    if member.compress_type == zipfile.ZIP_DEFLATED:
        content = zlib.decompressobj(-zlib.MAX_WBITS).decompress(content, member.file_size + 1)
    elif member.compress_type != zipfile.ZIP_STORED:
        raise Refused("it is packed in an unusual way. Ask for an ordinary zip.")
    if len(content) != member.file_size or zlib.crc32(content) != member.CRC:
        raise ValueError("its size or checksum is not what the list of members says")
    return content


@lru_cache(maxsize=MAX_LEVELS - 1)  # its members are read one by one, mostly in turn
def _unpacked_zip(opened, member):
    return _read(opened, member)


def _opened(opened, member):
    """Open a zip that lies in a zip."""
    return io.BytesIO(_unpacked_zip(opened, member))
