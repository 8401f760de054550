"""Write a file whole or not at all: a reader finds the old content or the new one, even after a power cut."""

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

DRAFTS = ".*.part"  # the names of drafts, as a pattern for `glob`; a process that is killed leaves its draft behind


def write_atomically(path: Path, content: bytes | str) -> None:
    """Write a file.

    Parameters
    ----------
    path : Path
        Its folder is made where it is missing.
    content : bytes or str
        Text is encoded as UTF-8, and its line ends stay as they are.
    """
    with replacing(path) as draft, open(draft, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())  # before it replaces the old file


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Replace a file by a draft once the block has filled it; after an error the draft is removed.

    Parameters
    ----------
    path : Path
        Its folder is made where it is missing.

    Yields
    ------
    Path
        Of the draft, beside the file; nothing is there yet.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{secrets.token_hex(4)}.part")
    try:
        yield draft
        os.replace(draft, path)
    except BaseException as error:
        if isinstance(error, OSError) and error.errno and not error.filename:  # as when a disk is full
            error.filename = str(path)
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
