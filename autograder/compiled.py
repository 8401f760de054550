"""Code that is compiled from a text put together by the course; a learners' edition holds the texts, packed."""

import functools
import json
import linecache
import zlib
from collections.abc import Callable
from pathlib import Path
from types import CodeType

PACKED = "# Packed, so that nobody reads an answer in passing; see autograder/authoring/edition.py\n"  # first line
FILE = "texts.z"  # beside this file, in the learners' edition: it has no sources to put a text together from
_texts: dict[str, str] = {}  # all that was compiled here, by the file that it is said to stand in


def code_of(file: str, write: Callable[[], str]) -> CodeType:
    """Compile a text, and keep it for quotes and tracebacks; a learners' edition holds the text, and quotes nothing.

    Parameters
    ----------
    file : str
        The name of the file that the text is said to stand in, such as ``"<softmax, no-exponential>"``.
    write : callable
        Returns the text; not called where the edition has it.
    """
    held = _held().get(file)
    text = _texts[file] = write() if held is None else held
    if held is None:
        linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    return compile(text, file, "exec")


def packed_texts() -> bytes:
    """Return all texts that were compiled here, as the file of an edition."""
    return zlib.compress(json.dumps(_texts, sort_keys=True).encode(), level=9)


@functools.cache
def _held():
    path = Path(__file__).with_name(FILE)
    return json.loads(zlib.decompress(path.read_bytes())) if path.is_file() else {}
