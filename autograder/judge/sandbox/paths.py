"""What a worker may read of the machine: its Python, the installed packages, the view, and nothing of the course.

Both layers use the same lists. Bubblewrap and containers show these paths only; Landlock allows them only.
"""

import os
import sys
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

import autograder
import transformer_kit
from autograder.registry import packages_of_courses

# Shared libraries, fonts and time zones, wherever distributions keep them.
SYSTEM = (
    *("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib"),
    *("/nix/store", "/gnu/store", "/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/usr/share/zoneinfo"),
    *("/etc/fonts", "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig", "/var/cache/fontconfig"),
)
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
WHOLE_SYSTEM = {Path("/"), Path("/usr"), Path("/usr/local")}


def readable(argv: Sequence[str]) -> list[Path]:
    """Return what a worker has to read, sorted, so that a folder comes before what lies in it.

    Parameters
    ----------
    argv : sequence of str
        The command: the interpreter first; later arguments that are folders, the view among them, are read as well.

    Returns
    -------
    list of Path
    """
    program = Path(argv[0])
    paths = {program, Path(os.path.realpath(program)), program.parent.parent / "pyvenv.cfg", Path(os.__file__).parent}
    paths |= {Path(sys.base_prefix), Path(os.path.realpath(sys.base_prefix))} - WHOLE_SYSTEM
    paths |= {Path(argument) for argument in argv[1:] if argument.startswith("/") and os.path.isdir(argument)}
    return sorted(path for path in paths | set(map(Path, SYSTEM)) if path.exists())


def hidden() -> list[Path]:
    """Return the folders of the course, which a worker must not see even where they lie in a folder that it reads."""
    packages = [Path(file).resolve().parent for file in (autograder.__file__, transformer_kit.__file__)]
    specs = filter(None, map(find_spec, packages_of_courses()))
    places = [place for spec in specs for place in spec.submodule_search_locations or filter(None, [spec.origin])]
    packages = list(dict.fromkeys([*packages, *(Path(place).resolve() for place in places)]))
    project = packages[0].parent
    return [*packages, project] if (project / "pyproject.toml").exists() else packages


def split(paths: Iterable[Path], without: Iterable[Path]) -> tuple[list[str], list[str]]:
    """Divide paths so that those without something can be allowed one by one.

    Parameters
    ----------
    paths : iterable of Path
    without : iterable of Path
        Folders to leave out where they lie in one of `paths`. A path that itself lies in one of them stays.

    Returns
    -------
    listed : list of str
        Folders that hold something which is left out: only their names may be read.
    read : list of str
        What may be read as a whole.
    """
    listed, read = set(), set()
    queue = {os.path.realpath(path) for path in paths}
    left_out = [os.path.realpath(folder) for folder in without]
    while queue:
        path = queue.pop()
        if any(_inside(folder, path) for folder in left_out):
            listed.add(path)
            entries = {os.path.realpath(entry.path) for entry in os.scandir(path)}
            queue |= {entry for entry in entries if not any(entry == f or _inside(entry, f) for f in left_out)}
        else:
            read.add(path)
    return sorted(listed), sorted(read)


def _inside(path, folder):
    """Return whether a path lies below a folder."""
    return path.startswith(folder.rstrip("/") + "/")
