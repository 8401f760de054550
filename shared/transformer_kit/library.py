"""Import the files of a learner's library, each within a time limit."""

import contextlib
import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass

from transformer_kit.time_limit import TimeLimit, call_within

SECONDS_TO_IMPORT = 10.0  # the first import of a large part of SciPy alone may take two

_latest = None  # the library that was imported last
_endless = set()  # files, with their contents, whose import was stopped: they are not tried again


@dataclass(frozen=True)
class OwnFunction:
    """A function of the library, or None; `problem` says why it is not available.

    `place` is the file, and the line where that is known.
    """

    function: Callable | None
    place: str
    problem: str = ""


def module_of(right):
    """Return the name of the module, of the reference and of a library, that holds a function of the course."""
    return right.__module__.rpartition(".")[2]


def import_library(folder, reference, again=False):
    """Import a folder's files, unless nothing has changed since the last time.

    While this goes on, a file that asks for functions gets those of the files before it.

    Parameters
    ----------
    folder : Path
    reference : module
        Has the right functions.
    again : bool
        Import them in any case.

    Returns
    -------
    Library
    """
    global _latest
    files = tuple((path, _content(path)) for path in sorted(folder.glob("unit_*.py"))) if folder.is_dir() else ()
    if again or _latest is None or (_latest.folder, _latest.files) != (folder, files):
        _latest = Library(folder, files, reference)
        _latest.import_all()
    return _latest


def _content(path):
    """Return the bytes of a file, or the error of reading it."""
    try:
        return path.read_bytes()
    except OSError as error:
        return error


class Library:
    """The functions in a folder; a file that cannot be imported costs only its own functions.

    Parameters
    ----------
    folder : Path
    files : tuple of (Path, bytes or OSError)
        In the order of the units.
    reference : module
        Has the right functions.
    """

    def __init__(self, folder, files, reference):
        self.folder, self.files, self.reference = folder, files, reference
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

    def substitute(self, name, fault):
        """Put the reference in place of a wrong function wherever other functions of the library call it.

        Parameters
        ----------
        name : str
        fault : str
            What is wrong with it.
        """
        found = self.find(name)
        self.faults[name] = OwnFunction(None, found.place, fault)
        for namespace in self.namespaces.values():
            if namespace.get(name) is found.function:
                namespace[name] = getattr(self.reference, name)

    def find(self, name):
        """Return what the library has of a function; None when it has nothing."""
        right = getattr(self.reference, name)
        unit = module_of(right)
        place = f"{self.folder.name}/{unit}.py"
        if name in self.faults:
            return self.faults[name]
        if unit in self.problems:
            line, problem = self.problems[unit]
            return OwnFunction(None, place + line, problem)
        function = self.namespaces.get(unit, {}).get(name)
        if not callable(function) or function is right:
            return None  # the reference stands there after softmax = functions("softmax")
        code = getattr(function, "__code__", None)
        return OwnFunction(function, f"{place}, line {code.co_firstlineno}" if code else place)


def _run(path, content):
    """Run a file quietly and return what it defines."""
    if isinstance(content, OSError):
        raise content
    namespace = {"__name__": f"{path.parent.name}.{path.stem}", "__file__": str(path)}
    printed = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        warnings.simplefilter("ignore")
        code = compile(content, str(path), "exec", dont_inherit=True)
        call_within(SECONDS_TO_IMPORT, exec, code, namespace)
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
