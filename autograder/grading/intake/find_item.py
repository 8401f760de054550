"""A file among the submissions, wherever it lies, and the reason why one is not taken."""

from collections.abc import Callable
from dataclasses import dataclass

MIB = 1 << 20
MAX_FILE = 64 * MIB
ONCE_MORE = "Ask for the notebook once more."
ARCHIVE = "this kind of archive is not opened. Unpack it into a folder, or make a .zip of it."
OTHER_ARCHIVES = (".gz", ".tgz", ".tar", ".bz2", ".xz", ".7z", ".rar")
NOTEBOOK = (".ipynb", ".ipynb.txt", ".ipynb.json")  # the last two as some browsers save them
BY_THE_WAY = ("__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini")  # like names with a dot: nobody's work


class Refused(Exception):
    """Something that is not taken; the message says why and what to do."""


@dataclass(frozen=True)
class Item:
    """A file that was found.

    Attributes
    ----------
    path : tuple of str
        Folders and name below the folder of submissions; a zip counts as a folder.
    where : str
        The same for people.
    read : callable
        Returns the bytes, or raises `Refused`.
    modified : tuple
        When it was last changed, comparable within one folder or zip only.
    refused : str
        Why it is not taken, as a sentence of its own; then there is nothing to read.
    """

    path: tuple[str, ...]
    where: str
    read: Callable | None = None
    modified: tuple = ()
    refused: str = ""

    @property
    def is_notebook(self):
        return self.path[-1].lower().endswith(NOTEBOOK)

    @property
    def may_hold_work(self):
        """Whether it can be a notebook, or hold one: by its name, an archive, or a folder."""
        name = self.path[-1].lower()
        return self.is_notebook or name.endswith((".zip", *OTHER_ARCHIVES)) or "." not in name


def refused(path, why):
    """Return the item for what is not taken."""
    return Item(path, where(path), refused=f"{where(path)} was refused: {why}")


def where(path):
    """Return a path for people."""
    return shown("/".join(path))


def shown(text):
    """Return a text of unknown origin as it can be printed: short, and without control characters."""
    text = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in str(text))
    return text if len(text) <= 160 else f"{text[:90]}…{text[-60:]}"


def too_large(size):
    """Return why a file of this size is not taken."""
    return (
        f"it has {size // MIB} MiB, more than {MAX_FILE // MIB}. "
        "Let the outputs be cleared and the notebook be handed in again."
    )


def by_the_way(name):
    """Tell whether a file or folder belongs to a program, not to a student."""
    return name.startswith(".") or name in BY_THE_WAY
