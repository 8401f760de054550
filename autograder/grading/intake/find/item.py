"""A file among the submissions, wherever it lies, and why it may be refused."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from autograder.grading.intake.find.wording import escape_path, refusal

MIB = 1 << 20
MAX_FILE = 64 * MIB
MAX_DEPTH = 10  # folders
FIRST_YEAR = 1980  # of the dates in zips: written where none is known
ASK_AGAIN = "Ask for the notebook again."
ARCHIVE = "this kind of archive is not opened. Unpack it into a folder, or make a .zip of it."
OTHER_ARCHIVES = (".gz", ".tgz", ".tar", ".bz2", ".xz", ".7z", ".rar")
NOTEBOOK = (".ipynb", ".ipynb.txt", ".ipynb.json")  # the last two as some browsers save them
CLUTTER = ("__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini")  # nobody's work
CHECKPOINTS = ".ipynb_checkpoints"  # where Jupyter keeps a copy of each notebook
APPLE = "._"  # before the name of a file stands in that of one beside it, in which macOS keeps what it knows of it


class Refused(Exception):
    """Something is not accepted; the message says why and what to do."""


@dataclass(frozen=True)
class Item:
    """A file that was listed."""

    path: tuple[str, ...]  # folders and name below the folder of submissions; a zip counts as a folder
    read: Callable[[], bytes] = bytes  # returns the content, or raises `Refused`
    modified: tuple = ()  # when it was last changed, comparable within one folder or zip only
    size: int = 0  # how many bytes `read` returns at most
    refused: str = ""  # why it is not accepted, as a sentence of its own
    # whether it is a folder or zip, listed for itself, since an empty one leaves no other trace
    is_folder: bool = False
    # whether it begins with a dot, as programs call their own files, and is a notebook, or holds one
    is_hidden: bool = False

    @cached_property
    def where(self) -> str:
        """Its path, for people to read."""
        return escape_path(self.path)

    @property
    def name(self) -> str:
        """Its name in lower case."""
        return self.path[-1].lower()

    @property
    def is_notebook(self) -> bool:
        """Whether it is called like one."""
        return not self.is_folder and is_notebook(self.name)

    @property
    def may_hold_work(self) -> bool:
        """Whether it can be a notebook, or hold one: by its name, an archive, or a folder."""
        return self.is_notebook or self.name.endswith((".zip", *OTHER_ARCHIVES)) or "." not in self.name

    @cached_property
    def dated(self) -> str:
        """The date that its zip says (ISO 8601 without a zone), comparable between zips; empty for any other file."""
        try:
            date = datetime.datetime(*self.modified)
        except (ValueError, TypeError, OverflowError):  # the date of no day, or of a file in a folder
            return ""
        return date.isoformat() if date.year > FIRST_YEAR else ""


def folder_item(path: tuple[str, ...]) -> Item:
    """Return the item for a folder or zip itself."""
    return Item(path, is_folder=True)


def refused_item(path: tuple[str, ...], reason: str) -> Item:
    """Return the item for a file that is refused."""
    return Item(path, refused=refusal(path, reason))


def too_large(size: int) -> str:
    """Return why a file of this size is refused."""
    return (
        f"it has {size // MIB} MiB, more than {MAX_FILE // MIB}. "
        "Have the outputs cleared and the notebook handed in again."
    )


def hidden_item(path: tuple[str, ...]) -> Item:
    """Return the item for what begins with a dot and may be somebody's work."""
    return Item(path, is_hidden=True)


def is_notebook(name: str) -> bool:
    """Return whether a file is called like a notebook."""
    return name.lower().endswith(NOTEBOOK)


def is_clutter(name: str) -> bool:
    """Return whether a file or folder seems to belong to a program, not to a student."""
    return name.startswith(".") or name in CLUTTER
