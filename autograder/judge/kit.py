"""What a worker sees of `transformer_kit`: what the functions of a unit need of it, and nothing else.

The list is short (`NEEDED`), and what its modules import comes along, name by name. Every other module is there, too,
so that a notebook's imports work; but whatever is taken from it says, as soon as it is used, that it is not there.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

import transformer_kit
from autograder.execution.dependencies import needed
from autograder.registry import course, units
from autograder.specification import Unit

KIT, ROOT = transformer_kit.__name__, Path(transformer_kit.__file__).parent
NEEDED = tuple(f"{KIT}.{name}" for name in ("parameters", "reference", "time_limit"))  # the last by the worker itself
WAITING = "skip_if_unimplemented"  # its blocks may hold what a function uses
PARTLY = "\n\nfrom autograder.judge.worker.absent import absent_from\n\n__getattr__ = absent_from(__name__)\n"
NOT_AT_ALL = """\
import sys

from autograder.judge.worker.absent import Absent

sys.modules[__name__] = Absent(__name__, **{name: value for name, value in globals().items() if name[:2] == "__"})
"""
EXPORTS = """

from autograder.judge.worker.absent import Absent

__all__ = [name for name in __all__ if not isinstance(globals()[name], Absent)]
"""


def write(folder: Path, unit: Unit) -> None:
    """Write the kit that the workers of a unit see.

    Parameters
    ----------
    folder : Path
        Is created.
    unit : Unit
        Its own reference functions and those of later units are not there.
    """
    whole, parts = needs(unit)
    for module, path in modules().items():
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        if module in parts:
            text = part_of(path, parts[module])
            if module != KIT:  # in which everything else is a module
                text += PARTLY
        elif module in whole:
            text = path.read_text(encoding="utf-8")
            if module == course().reference:
                text += EXPORTS
        else:
            text = NOT_AT_ALL
        target.write_text(text, encoding="utf-8")


def needs(unit: Unit) -> tuple[set[str], dict[str, set[str]]]:
    """Return what the functions of a unit need of the kit.

    Parameters
    ----------
    unit : Unit

    Returns
    -------
    whole : set of str
        Modules that are needed as they are.
    parts : dict from str to set of str
        Modules of which some names are needed.
    """
    paths = modules()
    own, *later = hidden_modules(unit)
    rooms = {module for module in paths if module.startswith(NEEDED)}
    waiting, parts = [(KIT, WAITING)], defaultdict[str, set[str]](set)
    for module in rooms - {*later}:
        waiting += imported(_statements(paths[module]))
    while waiting:
        module, name = waiting.pop()
        if module not in rooms and name not in parts[module]:
            parts[module].add(name)
            waiting += imported(needed(_statements(paths[module]), parts[module]), parts[module])
    return rooms - {own, *later}, dict(parts)


def part_of(path: Path, names: Iterable[str]) -> str:
    """Return the source of what some names of a module need."""
    return "\n".join(map(ast.unparse, needed(_statements(path), names)))


def modules() -> dict[str, Path]:
    """Return the files of the whole kit, by the names of their modules."""
    paths = {path: (KIT, *path.relative_to(ROOT).with_suffix("").parts) for path in sorted(ROOT.rglob("*.py"))}
    return {".".join(name).removesuffix(".__init__"): path for path, name in paths.items()}


@cache
def _statements(path):
    return ast.parse(path.read_text(encoding="utf-8")).body


def hidden_modules(unit: Unit) -> list[str]:
    """Return the names of the reference modules that a unit's workers must not have: its own, and all after it."""
    hidden = units()[units().index(unit) :]
    return list(dict.fromkeys(exercise.reference.__module__ for later in hidden for exercise in later.exercises))


def imported(statements: Sequence[ast.stmt], exported: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield what some statements import of the kit and use, or others import from them: modules and names."""
    nodes = [node for statement in statements for node in ast.walk(statement)]
    used = {*exported, *(node.id for node in nodes if isinstance(node, ast.Name))}
    for statement in statements:
        module = statement.module or "" if isinstance(statement, ast.ImportFrom) else ""
        if isinstance(statement, ast.ImportFrom) and module.split(".")[0] == KIT:
            yield from ((module, a.name) for a in statement.names if (a.asname or a.name) in used)
