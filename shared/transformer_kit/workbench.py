"""Where the learner's own functions are kept, and how to get them from there.

A check that passes keeps its function in a library, a folder with one Python file per unit (`autograder.learner` writes
them, `transformer_kit.library` imports them). A file of the library takes the functions of other files with
`functions`.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from transformer_kit.library import import_library

VARIABLE = "MY_TRANSFORMER"  # environment variable: the path of the folder; empty for none
FOLDER = "my_transformer"
START_PAGE = "START_HERE.ipynb"


@dataclass(frozen=True)
class Place:
    """The folder of the library, or None; `problem` says why there is none, where that is worth saying."""

    folder: Path | None
    problem: str = ""


def place():
    """Find the library that belongs to the current folder.

    It lies beside the units' folders: in the parent of a folder named like a unit, or in the folder of the start page.
    There is none while nbgrader runs a notebook, nor in an instructor's folders: grading uses the reference.

    Returns
    -------
    Place
    """
    if "NBGRADER_EXECUTION" in os.environ:
        return Place(None)
    if VARIABLE in os.environ:
        return _named(os.environ[VARIABLE])
    try:
        here = Path.cwd()
    except FileNotFoundError:
        return Place(None, "the folder of this notebook is gone.")
    if (here / START_PAGE).exists():
        return Place(here / FOLDER)
    if re.fullmatch(r"\d\d_\w+", here.name):
        instructors = here.parent.name == "solutions" or here.parent.parent.name in ("submitted", "autograded")
        return Place(None if instructors else here.parent / FOLDER)
    if here.name == FOLDER:
        return Place(here)
    return Place(
        None,
        f"this notebook runs in {here}, which is no unit's folder such as 02_scaled_dot_product_attention. Put it back "
        f"there, or name a folder for your functions in the environment variable {VARIABLE}.",
    )


def _named(text):
    if text and not Path(text).is_absolute():
        return Place(None, f"the environment variable {VARIABLE} should hold an absolute path, got {text!r}.")
    return Place(Path(text) if text else None)


def own(name):
    """Look a function up in the library.

    Parameters
    ----------
    name : str
        Of a function of the course.

    Returns
    -------
    OwnFunction or None
        None when there is no library, no file for the unit, or no such function in it.
    """
    folder = place().folder
    from transformer_kit import reference  # late: whoever asks for the place alone can do without

    return import_library(folder, reference).find(name) if folder else None


def functions(*names):
    """Return functions of the library, or the course's own where they are missing or broken; print nothing.

    Parameters
    ----------
    *names : str
        Of functions of the course.

    Returns
    -------
    callable, or tuple of callable
        One function for one name, otherwise as many as there are names.

    Raises
    ------
    LookupError
        If the course has no function of such a name.
    """
    from transformer_kit import reference

    unknown = [name for name in names if name not in reference.__all__]
    if unknown:
        raise LookupError(f"The course has no function named {', '.join(unknown)}.")
    found = tuple(_function(own(name)) or getattr(reference, name) for name in names)
    return found[0] if len(names) == 1 else found


def _function(found):
    return found.function if found else None
