"""The bank: functions as learners write them, a text file for each exercise, and above each function the truth.

A file is Python. It begins with imports; then come functions, exactly as they were written, each below one comment:

``# wrong in line 4: divides by the sum of all entries [over-everything]``
    What is wrong with it. The number says which line of the function (``def`` is line 1) is the first that gives
    something wrong; it is left out where no single line does. In brackets stand the ids of all known mistakes that
    describe the function rightly, with commas between them; they are left out where none does.
``# right``
    A learner's function that deserves full points.
``# right, in another style``
    One of the course's own, written otherwise than the reference: it has to pass every test of the grading.
``# helper``
    What other functions of the file call.
"""

import ast
import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parent
STYLE = "right, in another style"
TRUTH = re.compile(
    rf"# (?:(?P<kind>right|{STYLE}|helper)"
    r"|wrong(?: in line (?P<line>\d+))?: (?P<label>.+?)(?: \[(?P<names>[\w/-]+(?:, [\w/-]+)*)\])?)"
)


@dataclass(frozen=True)
class Specimen:
    """A function with the truth about it.

    Attributes
    ----------
    function : callable
    kind : str
        ``"wrong"``, ``"right"``, ``"right, in another style"`` or ``"helper"``.
    label : str
        What is wrong with it; empty for a right one.
    names : frozenset of str
        Ids of the known mistakes that describe it rightly; empty where none does.
    line : int or None
        The number, in its source, of the first line that gives something wrong, where that is one line.
    """

    function: object
    kind: str
    label: str
    names: frozenset
    line: int | None


def specimens(name):
    """Return the functions that learners wrote for an exercise, wrong and right, in the order of its file."""
    return tuple(specimen for specimen in read(name) if specimen.kind in ("wrong", "right"))


def right_styles(name):
    """Return the course's own right functions for an exercise that are written otherwise than its reference."""
    return tuple(specimen.function for specimen in read(name) if specimen.kind == STYLE)


@cache
def read(name):
    """Read the file of an exercise.

    Parameters
    ----------
    name : str
        Of the exercise.

    Returns
    -------
    tuple of Specimen

    Raises
    ------
    FileNotFoundError
        If the exercise has no file.
    ValueError
        If something other than an import or a function stands in the file, or a function without its truth.
    """
    path = next(FOLDER.glob(f"*/{name}.txt"), None)
    if path is None:
        raise FileNotFoundError(f"{FOLDER}: no folder has a file {name}.txt with functions for this exercise")
    module = ModuleType(f"{__name__}.{name}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # there `inspect` looks for the module of a function
    return tuple(_specimens(path.read_text(encoding="utf-8"), module))


def _specimens(text, module):
    exec(compile(text, module.__file__, "exec"), vars(module))
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            continue
        first = min(part.lineno for part in (node, *getattr(node, "decorator_list", ())))
        truth = TRUTH.fullmatch(lines[first - 2])
        if not truth or not isinstance(node, ast.FunctionDef):
            raise ValueError(f"{module.__file__}, line {first}: expected a function below its truth, such as '# right'")
        names = frozenset(filter(None, (truth["names"] or "").split(", ")))
        line = int(truth["line"]) if truth["line"] else None
        if line and line > node.end_lineno - first + 1:
            raise ValueError(f"{module.__file__}, line {first - 1}: {node.name} has no line {line}")
        yield Specimen(vars(module)[node.name], truth["kind"] or "wrong", truth["label"] or "", names, line)
