"""Hashes of all that decides a verdict: the specification of an exercise, and the engine with its surroundings.

The files are hashed as they are, so a changed claim changes the key of its exercise and of no other.
"""

import ast
import hashlib
import platform
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import scipy

import autograder
import transformer_kit
from autograder.own import files as own_files
from autograder.registry import course as installed_course
from autograder.registry import units
from autograder.specification import Exercise

ENGINE = (
    "specification.py",
    "registry.py",
    "own.py",
    "execution",
    "evaluation",
    "judge",
    "grading/verdicts",
    "grading/isolation",
)
WRITES = (".py", ".html", ".css")
# Parts of the kit that no verdict depends on.
SHOWN_ONLY = {"plots", "style.py", "whole_model", "public", "training", "recordings", "library.py", "workbench.py"}
CHECKSUMS = "SHA256SUMS"  # of the trained models, in place of these


def specification(exercise: Exercise) -> str:
    """Return the SHA-256 (hex) of the modules that specify an exercise, and of those of the course that they import.

    Parameters
    ----------
    exercise : Exercise

    Returns
    -------
    str
    """
    functions = [exercise.reference, *(claim.test for claim in exercise.claims)]
    return _specification(frozenset(function.__module__ for function in functions))


@cache
def _specification(modules):
    found = {}
    waiting = [*modules]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name], imported = _read(name)
            waiting += imported
    return _hash((name.encode(), found[name]) for name in sorted(found))


@cache
def _read(module):
    """Return the source of a module, and the names of those that it imports."""
    source = Path(find_spec(module).origin).read_bytes()
    return source, _imported(source)


def _imported(source):
    """Return the modules of the course's package that a module imports; packages count by their modules only.

    All imports of these modules stand at the top.
    """
    names = set()
    package = installed_course().package
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{package}."):
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return [name for name in names if _is_module(name)]


def _is_module(name):
    spec = find_spec(name) if find_spec(name.rpartition(".")[0]).submodule_search_locations else None
    return spec is not None and spec.submodule_search_locations is None


@cache
def engine() -> str:
    """Return the SHA-256 (hex) of what grades: engine, references, kit, trained models, and the versions below them."""
    parts = sorted((name.encode(), path.read_bytes()) for name, path in engine_files().items())
    return _hash([*parts, *((name.encode(), version.encode()) for name, version in versions().items())])


def engine_files() -> dict[str, Path]:
    """Return the paths of the files that grade, by their names."""
    own, kit = Path(autograder.__file__).parent, Path(transformer_kit.__file__).parent
    files = {path for part in ENGINE for path in (own / part).rglob("*.py")} | {own / part for part in ENGINE}
    of_kit = [*kit.rglob("*.py"), *kit.rglob(CHECKSUMS)]
    files |= {path for path in of_kit if not SHOWN_ONLY.intersection(path.relative_to(kit).parts)}
    names = {path: path.relative_to((own if path.is_relative_to(own) else kit).parent).as_posix() for path in files}
    return {name: path for path, name in names.items() if path.is_file()}


def versions() -> dict[str, str]:
    """Return the versions that results may depend on, by name."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {"python": python, "numpy": np.__version__, "scipy": scipy.__version__}


@cache
def course() -> str:
    """Return the SHA-256 (hex) of everything that decides what is written: while it stays, nothing has to be done."""
    parts = [(e.name.encode(), specification(e).encode()) for unit in units() for e in unit.exercises]
    own = Path(autograder.__file__).parent
    files = [*(own / "feedback").rglob("*"), *(own / "grading").rglob("*")]
    written = [(path.name.encode(), path.read_bytes()) for path in sorted(files) if path.suffix in WRITES]
    return _hash([(b"engine", engine().encode()), *parts, *written])


def added() -> str:
    """Return the SHA-256 (hex) of the exercises and claims that the class has added to the course."""
    return _hash((str(path.relative_to(path.parents[1])).encode(), path.read_bytes()) for path in own_files())


def _hash(parts):
    digest = hashlib.sha256()
    for part in parts:
        for piece in part:
            digest.update(len(piece).to_bytes(8, "big") + piece)
    return digest.hexdigest()
