"""Code that is compiled from a text put together by the course; a learners' edition holds the code in its place."""

import functools
import linecache
import marshal
from collections.abc import Callable
from pathlib import Path
from types import CodeType

FILE = "compiled.bin"  # beside this file, in the learners' edition: it has no sources to put a text together from
CODES: dict[str, CodeType] = {}  # all that was compiled here, by the file that it is said to stand in


def code_of(file: str, write: Callable[[], str]) -> CodeType:
    """Compile a text, and keep it for quotes and tracebacks; in a learners' edition, return the code that it holds.

    Parameters
    ----------
    file : str
        The name of the file that the text is said to stand in, such as ``"<softmax, no-exponential>"``.
    write : callable
        Returns the text; not called where the edition has the code.
    """
    code = _held().get(file) or _compiled(file, write())
    CODES[file] = code
    return code


def _compiled(file, source):
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    return compile(source, file, "exec")


@functools.cache
def _held():
    path = Path(__file__).with_name(FILE)
    return marshal.loads(path.read_bytes()) if path.is_file() else {}
