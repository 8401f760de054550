"""The folder that a worker sees of the course: what functions need of the kit (`kit.py`), and the worker itself.

The folder is complete: it, Python's standard library and the installed packages are all that a worker needs. So a
sandbox binds these and nothing of the course. No reference module of the unit or of a later one is in it.
"""

import ast
import shutil
import sys
from collections import defaultdict
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import autograder
from autograder.execution.dependencies import needed
from autograder.judge import kit
from autograder.registry import course, names_before, units
from autograder.registry import names as all_names
from autograder.specification import Exercise, Unit

# The parts of autograder that a worker runs; everything else stays outside.
ROOMS = ("execution", "judge/wire", "judge/worker", "judge/sandbox/confine")
PACKAGES = ("numpy", "scipy", "matplotlib", "IPython")
STUBS = '''\
"""Stands in for the learner's tools while a notebook is graded; functions of earlier units are the reference's."""

from transformer_kit import reference


def check(function):
    return None


def load(*names, even_if_wrong=False):
    functions = tuple(getattr(reference, name) for name in names)
    return functions[0] if len(names) == 1 else functions


def predict(question, answer):
    return None


def progress(unit=""):
    return None


hint = solution = check
'''


def build(folder: Path | str, unit: Unit | None = None) -> Path:
    """Fill a folder for the workers of a unit.

    Parameters
    ----------
    folder : path
        Is created; must not exist yet.
    unit : Unit, optional
        What its functions need of the kit is there; without a unit, the whole kit is.

    Returns
    -------
    Path
        The folder.
    """
    folder = Path(folder)
    if unit:
        kit.write(folder / kit.KIT, unit)
    else:
        shutil.copytree(kit.ROOT, folder / kit.KIT, ignore=shutil.ignore_patterns("__pycache__"))
    own = Path(autograder.__file__).parent
    ours = folder / "autograder"
    for room in ROOMS:
        shutil.copytree(own / room, ours / room, ignore=shutil.ignore_patterns("__pycache__"))
    for package in ("judge", "judge/sandbox"):
        (ours / package / "__init__.py").touch()
    tools = [f"{name} = check\n" for name in course().tools]
    (ours / "__init__.py").write_text("".join([STUBS, *tools]), encoding="utf-8")
    return folder


def substitutes(unit: Unit, exercise: Exercise) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the functions that a worker gets, beside the view, for one exercise of a unit.

    They stand in for the learner's functions of earlier exercises.

    Parameters
    ----------
    unit : Unit
    exercise : Exercise

    Returns
    -------
    names : tuple of str
        The exercises that come before it in the course.
    sources : tuple of str
        The definitions of those that the view lacks, module by module, with the imports and private helpers that they
        need: the reference's in the same unit, and what a class has added to any. Nothing of the exercise itself or of
        a later one.
    """
    names = names_before(exercise)
    lacking = kit.hidden_modules(unit)
    before = defaultdict(list)
    for other in [other for each in units() for other in each.exercises][: len(names)]:
        module = other.reference.__module__
        if module in lacking or not module.startswith(f"{kit.KIT}."):
            before[module].append(other.name)
    return names, tuple(_source(sys.modules[module].__file__, tuple(its)) for module, its in before.items())


@cache
def _source(path, names):
    """Return the definitions of some exercises' functions in a file, without those of all others."""
    hidden = {*all_names()} - {*names}
    statements = ast.parse(Path(path).read_text(encoding="utf-8")).body
    shown = [statement for statement in statements if getattr(statement, "name", "") not in hidden]
    return "\n".join(map(_without_docstring, needed(shown, names)))


def _without_docstring(statement):
    if isinstance(statement, ast.FunctionDef) and ast.get_docstring(statement) and statement.body[1:]:
        statement.body = statement.body[1:]
    return ast.unparse(statement)


def packages() -> list[str]:
    """Return the folders that hold the installed packages; a sandbox has to show them as well."""
    specs = filter(None, map(find_spec, PACKAGES))
    return sorted({str(Path(spec.origin).parent.parent) for spec in specs if spec.origin})
