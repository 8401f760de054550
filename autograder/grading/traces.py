"""Where a name stands in files: also in zips, in Blackboard's tables, and in gradebooks that were set aside."""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from autograder.grading.verdicts.store import EXCHANGE, Store

MIN_LETTERS = 3  # of a name that is looked for: shorter ones stand in every text
MAX_BYTES = 64 << 20  # of a file, or of a member of a zip
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
SQLITE = b"SQLite format 3\0"
NOT_NAMED = ("grading.lock", "secret")


def mentions(text: str, names: Iterable[str]) -> bool:
    """Return whether one of several names stands in a text."""
    wanted = [re.escape(name) for name in names if len(name) >= MIN_LETTERS]
    return bool(wanted and re.search(rf"(?<![^\W_])(?:{'|'.join(wanted)})(?![^\W_])", text))


def is_named_in(path: Path, names: Iterable[str]) -> bool:
    """Return whether one of several names stands in a file, in its own name, or in what is packed in it."""
    names = list(names)
    return mentions(path.name, names) or _holds(path.read_bytes()[:MAX_BYTES], names)


def is_database(path: Path) -> bool:
    """Return whether a file is one of SQLite's, as nbgrader's gradebook is."""
    with path.open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE


def _holds(content, names):
    if content.startswith(SQLITE):  # where texts follow each other without anything between them
        return any(name.encode() in content for name in names if len(name) >= MIN_LETTERS)
    if content.startswith(b"PK\x03\x04"):
        return any(mentions(name, names) or _holds(inside, names) for name, inside in _members(content))
    encoding = "utf-16" if content.startswith(UTF_16) else "utf-8"
    return mentions(content.decode(encoding, errors="replace"), names)


def _members(content):
    """Yield the names of a zip's files with their contents, as far as they can be read."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in archive.infolist():
                inside = b""
                if not (member.is_dir() or member.flag_bits & 1):
                    with archive.open(member) as file:
                        inside = file.read(MAX_BYTES)
                yield member.filename, inside
    except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError, ValueError, RuntimeError):
        return


def still_named(store: Store, names: Iterable[str]) -> list[str]:
    """Return the files in which one of several names stands, as paths in the course's folder or whole ones.

    Looked at are all files of the class, but the exchange, which is nbgrader's; those beside them in the course's
    folder; and what the course has written elsewhere, as far as it is still there.
    """
    names = list(names)
    return [_where(store, path) for path in _files(store) if is_named_in(path, names)]


def _where(store, path):
    for folder in (store.folder, store.folder.parent):
        if path.is_relative_to(folder):
            return str(path.relative_to(folder))
    return str(path)


def _files(store: Store) -> Iterator[Path]:
    inside = (path for path in sorted(store.folder.rglob("*")) if path.relative_to(store.folder).parts[0] != EXCHANGE)
    beside = sorted(store.folder.parent.glob("*"))
    elsewhere = [path for path in map(Path, store.state.written()) if path not in beside]
    for path in (*inside, *beside, *elsewhere):
        if path.is_file() and not path.is_symlink() and path.name not in NOT_NAMED:
            yield path
