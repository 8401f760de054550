"""What a worker may read of the machine: its Python, the installed packages, the view, and nothing of the course.

Both layers use the same lists. Bubblewrap and containers show these paths only; Landlock allows them only.
"""

import os
import sys
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


def readable(argv):
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


def hidden():
    """Return the folders of the course, which a worker must not see even where they lie in a folder that it reads."""
    packages = [Path(module.__file__).resolve().parent for module in (autograder, transformer_kit)]
    specs = filter(None, map(find_spec, packages_of_courses()))
    locations = [location for spec in specs for location in spec.submodule_search_locations or [spec.origin]]
    packages = list(dict.fromkeys([*packages, *(Path(location).resolve() for location in locations)]))
    project = packages[0].parent
    return [*packages, project] if (project / "pyproject.toml").exists() else packages


def split(paths, without):
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
    without = [os.path.realpath(folder) for folder in without]
    while queue:
        path = queue.pop()
        if any(_inside(folder, path) for folder in without):
            listed.add(path)
            entries = {os.path.realpath(entry.path) for entry in os.scandir(path)}
            queue |= {entry for entry in entries if not any(entry == f or _inside(entry, f) for f in without)}
        else:
            read.add(path)
    return sorted(listed), sorted(read)


def _inside(path, folder):
    """Return whether a path lies below a folder."""
    return path.startswith(folder.rstrip("/") + "/")
