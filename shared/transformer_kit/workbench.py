"""The learner's own functions: where they are kept, and how they are had from there.

A check that passes keeps its function in a library, a folder with one Python file per unit (`autograder.bench` writes
them). A file of the library takes the functions of other files with `functions`.
"""

import contextlib
import io
import os
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from transformer_kit import reference
from transformer_kit.time_limit import TimeLimit, TimeWatch

VARIABLE = "MY_TRANSFORMER"  # of the environment: names the folder; empty for none
FOLDER = "my_transformer"
START_PAGE = "START_HERE.ipynb"
SECONDS_TO_IMPORT = 10.0  # the first import of a large part of SciPy alone may take two


@dataclass(frozen=True)
class Place:
    """The folder of the library, or None; `problem` says why there is none, where that is worth saying."""

    folder: Path | None
    problem: str = ""


@dataclass(frozen=True)
class Own:
    """A function of the library, or None; `problem` says why it is not to be had.

    `place` is the file, and where it is known the line.
    """

    function: Callable | None
    place: str
    problem: str = ""


def place():
    """Find the library that belongs to the current folder.

    Beside the units' folders: in the parent of a folder named like a unit, or in the folder of the start page. None
    while nbgrader runs a notebook, and for what an instructor works on: grading uses the reference.

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


def unit_of(name):
    """Return the name of the file, without its ending, that a function of the course belongs into."""
    return getattr(reference, name).__module__.rpartition(".")[2]


def own(name):
    """Look a function up in the library.

    Parameters
    ----------
    name : str
        Of a function of the course.

    Returns
    -------
    Own or None
        None when there is no library, no file for the unit, or no such function in it.
    """
    folder = place().folder
    return library(folder).find(name) if folder else None


def functions(*names):
    """Return functions of the library, and the reference in place of those that cannot be had; says nothing.

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
    unknown = [name for name in names if name not in reference.__all__]
    if unknown:
        raise LookupError(f"The course has no function named {', '.join(unknown)}.")
    found = tuple(_function(own(name)) or getattr(reference, name) for name in names)
    return found[0] if len(names) == 1 else found


def _function(found):
    return found.function if found else None


_latest = None  # the library that was imported last
_endless = set()  # files, with their contents, whose import was stopped: they are not tried again


def library(folder, anew=False):
    """Import a folder's files, unless they are what they were at the last time.

    While that goes on, a file that asks for functions gets those of the files before it.

    Parameters
    ----------
    folder : Path
    anew : bool
        Import them in any case.

    Returns
    -------
    Library
    """
    global _latest
    files = tuple((path, _content(path)) for path in sorted(folder.glob("unit_*.py"))) if folder.is_dir() else ()
    if anew or _latest is None or (_latest.folder, _latest.files) != (folder, files):
        _latest = Library(folder, files)
        _latest.import_all()
    return _latest


def _content(path):
    """Return the bytes of a file, or the error that reading it gives."""
    try:
        return path.read_bytes()
    except OSError as error:
        return error


class Library:
    """The functions in a folder; a file that cannot be imported takes none away but its own.

    Parameters
    ----------
    folder : Path
    files : tuple of (Path, bytes or OSError)
        In the order of the units.
    """

    def __init__(self, folder, files):
        self.folder, self.files = folder, files
        self.namespaces, self.problems = {}, {}  # by unit
        self.faults = {}  # by function
        self.checked = set()  # functions

    def import_all(self):
        """Import every file, in the order of the units, each within the time limit."""
        for path, content in self.files:
            try:
                if (path, content) in _endless:
                    raise TimeLimit
                self.namespaces[path.stem] = _run(path, content)
            except TimeLimit:
                _endless.add((path, content))
                self.problems[path.stem] = "", f"cannot be imported within {SECONDS_TO_IMPORT:g} seconds"
            except (Exception, SystemExit) as error:
                line = _line(error, str(path))
                self.problems[path.stem] = line, f"cannot be imported: {type(error).__name__}: {_words(error)}"

    def lend(self, name, fault):
        """Put the reference in the place of a function that is wrong, wherever other functions of the library call it.

        Parameters
        ----------
        name : str
        fault : str
            What is wrong with it.
        """
        found = self.find(name)
        self.faults[name] = Own(None, found.place, fault)
        for namespace in self.namespaces.values():
            if namespace.get(name) is found.function:
                namespace[name] = getattr(reference, name)

    def find(self, name):
        """Return what the library has of a function; None when it has nothing."""
        unit = unit_of(name)
        place = f"{self.folder.name}/{unit}.py"
        if name in self.faults:
            return self.faults[name]
        if unit in self.problems:
            line, problem = self.problems[unit]
            return Own(None, place + line, problem)
        function = self.namespaces.get(unit, {}).get(name)
        if not callable(function) or function is getattr(reference, name):  # lent, as in softmax = functions("softmax")
            return None
        code = getattr(function, "__code__", None)
        return Own(function, f"{place}, line {code.co_firstlineno}" if code else place)


def _run(path, content):
    """Run a file quietly and return what it defines."""
    if isinstance(content, OSError):
        raise content
    namespace = {"__name__": f"{path.parent.name}.{path.stem}", "__file__": str(path)}
    printed, watch = io.StringIO(), TimeWatch(SECONDS_TO_IMPORT)
    with warnings.catch_warnings(), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        warnings.simplefilter("ignore")
        try:
            watch.start()
            exec(compile(content, str(path), "exec", dont_inherit=True), namespace)
        finally:
            watch.stop()
    return namespace


def _line(error, file):
    """Return the line of a file that an error comes from, in words; nothing when it is not known."""
    lines, trace = [error.lineno] if isinstance(error, SyntaxError) else [], error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == file:
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return f", line {lines[-1]}" if lines and lines[-1] else ""


def _words(error):
    """Return the message of an error in one line; the learner's own errors may have any."""
    try:
        return " ".join(str(getattr(error, "msg", error)).split())[:200]
    except Exception:
        return "its message cannot be read"
