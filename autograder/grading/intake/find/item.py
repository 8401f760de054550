"""A file among the submissions, wherever it lies, and why it may be refused."""

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

MIB = 1 << 20
MAX_FILE = 64 * MIB
MAX_DEPTH = 10  # folders
FIRST_YEAR = 1980  # of the dates in zips: written where none is known
ASK_AGAIN = "Ask for the notebook again."
ARCHIVE = "this kind of archive is not opened. Unpack it into a folder, or make a .zip of it."
OTHER_ARCHIVES = (".gz", ".tgz", ".tar", ".bz2", ".xz", ".7z", ".rar")
NOTEBOOK = (".ipynb", ".ipynb.txt", ".ipynb.json")  # the last two as some browsers save them
LIKE_A_SENTENCE = re.compile(r"[.:;,!?…]\s|[“”]")
CLUTTER = ("__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini")  # like names with a dot: nobody's work


class Refused(Exception):
    """Something is not accepted; the message says why and what to do."""


@dataclass(frozen=True)
class Item:
    """A file that was found.

    Attributes
    ----------
    path : tuple of str
        Folders and name below the folder of submissions; a zip counts as a folder.
    where : str
        The same, for people to read.
    read : callable
        Returns the bytes, or raises `Refused`.
    modified : tuple
        When it was last changed, comparable within one folder or zip only.
    size : int
        How many bytes `read` returns at most.
    refused : str
        Why it is not accepted, as a sentence of its own; then there is nothing to read.
    is_folder : bool
        Whether it is a folder or zip, listed for itself, since an empty one leaves no other trace.
    """

    path: tuple[str, ...]
    where: str
    read: Callable | None = None
    modified: tuple = ()
    size: int = 0
    refused: str = ""
    is_folder: bool = False

    @property
    def is_notebook(self):
        return not self.is_folder and self.path[-1].lower().endswith(NOTEBOOK)

    @cached_property
    def dated(self):
        """The date that its zip says (ISO 8601 without a zone), comparable between zips; empty for any other file."""
        try:
            date = datetime.datetime(*self.modified)
        except (ValueError, TypeError, OverflowError):  # the date of no day, or of a file in a folder
            return ""
        return date.isoformat() if date.year > FIRST_YEAR else ""

    @property
    def parcel(self):
        """What somebody can have handed in as one piece: the outermost zip that it lies in, or the file alone."""
        depth = next((n for n, name in enumerate(self.path, 1) if name.lower().endswith(".zip")), len(self.path))
        return self.path[:depth]

    @property
    def may_hold_work(self):
        """Whether it can be a notebook, or hold one: by its name, an archive, or a folder."""
        name = self.path[-1].lower()
        return self.is_notebook or name.endswith((".zip", *OTHER_ARCHIVES)) or "." not in name


def refused(path, why):
    """Return the item for a file that is refused."""
    return Item(path, where(path), refused=f"{where(path)} was refused: {why}")


def listed(path):
    """Return the item for a folder or zip itself."""
    return Item(path, where(path), is_folder=True)


def where(path):
    """Return a path as people read it; in quotation marks where it could be read as a sentence of ours."""
    text = shown("/".join(path))
    return f"“{re.sub('[“”]', '…', text)}”" if LIKE_A_SENTENCE.search(text) else text


def shown(text):
    """Make a text of unknown origin printable: short, and without control characters."""
    text = str(text)
    text = text if len(text) <= 160 else f"{text[:90]}…{text[-60:]}"
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def too_large(size):
    """Return why a file of this size is refused."""
    return (
        f"it has {size // MIB} MiB, more than {MAX_FILE // MIB}. "
        "Have the outputs cleared and the notebook handed in again."
    )


def is_clutter(name):
    """Return whether a file or folder belongs to a program, not to a student."""
    return name.startswith(".") or name in CLUTTER
