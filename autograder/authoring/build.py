"""Build the notebooks from their text sources.

solutions/NN_unit.py  ->  solutions/NN_unit/NN_unit.ipynb  ->  notebooks/NN_unit/NN_unit.ipynb
solutions/start.py    ->  notebooks/START_HERE.ipynb
solutions/NN_unit.py  ->  autograder/exercises/hints/NN_unit.json, for those who are stuck

The second arrow of a unit is nbgrader's own `generate_assignment`. A file that somebody has worked in
is never overwritten.
"""

import argparse
import datetime
import json
import logging
import sys
import tempfile
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path

import nbformat

from autograder.authoring.hint_source import hints_in
from autograder.authoring.placeholders import fill
from autograder.authoring.release import release
from autograder.authoring.stamp import is_edited
from autograder.authoring.unit_source import SourceError, read_page, read_unit
from autograder.course import course_root
from autograder.registry import course, course_units
from autograder.specification import Unit
from autograder.whole_file import write_atomically

START_PAGE = Path("notebooks", "START_HERE.ipynb")


class WorkInTheWay(Exception):
    """Files that would be overwritten hold somebody's work; nothing was written."""


def derive(root: Path, units: Mapping[str, Unit], only: Sequence[str] = ()) -> dict[Path, str]:
    """Derive every built file from the sources.

    Parameters
    ----------
    root : Path
        Folder of the course.
    units : dict
        Unit of each folder name, e.g. ``{"03_masking": Unit(...)}``.
    only : sequence of str
        Prefixes of the names of the wanted sources, e.g. ``["03"]``; all sources when empty.

    Returns
    -------
    dict
        Text of every derived file by its path relative to the course's folder.

    Raises
    ------
    SourceError
        If a source breaks the rules; the message begins with its path.
    """
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder).resolve()
        for source in _sources(root, units, only):
            name = source.stem
            target = START_PAGE if name == "start" else Path("solutions", name, f"{name}.ipynb")
            notebook, hints = _read(source, units)
            write_atomically(scratch / target, nbformat.writes(notebook) + "\n")
            if hints:
                text = json.dumps(hints, indent=1, ensure_ascii=False) + "\n"
                write_atomically(scratch / hints_folder() / f"{name}.json", text)
        if (scratch / "solutions").exists():
            release(scratch)
        built = [path for path in sorted(scratch.rglob("*")) if path.suffix in (".ipynb", ".json")]
        return {path.relative_to(scratch): _text(path) for path in built}


def hints_folder() -> Path:
    """Return the folder of the hints, in the package that specifies the exercises, seen from the course's folder."""
    return Path(*course().package.split("."), "hints")


def _sources(root, units, only):
    """Return the wanted source files; a source without a unit, or a unit without a source, is an error."""
    sources = {path.stem: path for path in sorted((root / "solutions").glob("*.py"))}
    known = [*units, "start"]
    for name in sources:
        if name not in known:
            raise SourceError(f"solutions/{name}.py: no such unit, expected one of {', '.join(known)}")
    wanted = [name for name in known if not only or name.startswith(tuple(only))]
    if not wanted:
        raise SourceError(f"nothing to build is named {', '.join(only)}, expected one of {', '.join(known)}")
    for name in wanted:
        if name not in sources:
            raise SourceError(f"solutions/{name}.py: missing")
    return [sources[name] for name in wanted]


def _read(source, units):
    """Return the notebook of a source, and the hints in it."""
    name = source.stem
    text = source.read_text(encoding="utf-8")
    try:
        if name == "start":
            return read_page(text, units.values()), {}
        unit = units[name]
        notebook = read_unit(fill(text, unit, units.values()), unit.exercises, unit.questions)
        return notebook, hints_in(notebook)
    except (ValueError, SyntaxError) as error:
        raise SourceError(f"solutions/{name}.py: {error}") from error


def differences(root: Path, derived: Mapping[Path, str], complete: bool = True) -> dict[Path, str]:
    """Compare the course's files with what they should be.

    Parameters
    ----------
    root : Path
    derived : dict
        As `derive` returns it.
    complete : bool
        Whether `derived` comes from all sources, so that a built file that is not in it is left over.

    Returns
    -------
    dict
        "missing", "stale", "edited" (by hand, after it was built) or "left over", by path.
    """
    found = {}
    for path, text in derived.items():
        if not (root / path).exists():
            found[path] = "missing"
        elif _text(root / path) != text:
            found[path] = "edited" if path.suffix == ".ipynb" and is_edited(root / path) else "stale"
    if complete:
        found |= {path: "left over" for path in _built(root) if path not in derived}
    return dict(sorted(found.items()))


def _built(root):
    """Return the units' files in the course that are as they were built."""
    units = [path for part in ("solutions", "notebooks") for path in (root / part).glob("*/*.ipynb")]
    notebooks = [path for path in units if path.stem == path.parent.name and not is_edited(path)]
    return [path.relative_to(root) for path in [*notebooks, *(root / hints_folder()).glob("*.json")]]


def build(root: Path, units: Mapping[str, Unit], only: Sequence[str] = (), replace: bool = False) -> dict[Path, str]:
    """Write what has changed, and return ``{path: what was done}``.

    Raises
    ------
    SourceError
        If a source breaks the rules.
    WorkInTheWay
        If a file to be written holds work and `replace` is false. Nothing is written then.
    """
    derived = derive(root, units, only)
    found = differences(root, derived, complete=not only)
    edited = [path.as_posix() for path, state in found.items() if state == "edited"]
    if edited and not replace:
        raise WorkInTheWay(
            "Nothing was built, because these notebooks were edited after they were built:\n  "
            + "\n  ".join(edited)
            + "\nCopy them elsewhere and restore them with git, or set them aside under a dated name with\n"
            "  python -m autograder.authoring.build --replace\n"
            "Lasting changes belong in the text sources, solutions/*.py."
        )
    return {path: _renew(root, path, state, derived.get(path)) for path, state in found.items()}


def _renew(root, path, state, text):
    """Bring one file up to date and return what was done."""
    target = root / path
    if state == "left over":
        target.unlink()
        if not any(target.parent.iterdir()):
            target.parent.rmdir()
        return "removed"
    kept = _set_aside(target) if state == "edited" else None
    write_atomically(target, text)
    return f"written (the old one is now {kept.relative_to(root).as_posix()})" if kept else "written"


def _set_aside(path):
    """Rename a file to a dated name outside its unit's folder, where nbgrader would take it for its own."""
    folder = path.parent if path.parent.name == "notebooks" else path.parent.parent
    name = f"{path.stem}-kept-{datetime.date.today()}"
    names = (f"{name}.ipynb" if number == 1 else f"{name}-{number}.ipynb" for number in count(1))
    return path.rename(next(folder / name for name in names if not (folder / name).exists()))


def _text(path):
    with path.open(encoding="utf-8", newline="") as file:  # line ends as they are
        return file.read()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m autograder.authoring.build", description=__doc__.split("\n")[0])
    parser.add_argument("only", nargs="*", metavar="unit", help="e.g. 03 or start; all when left out")
    parser.add_argument("--check", action="store_true", help="write nothing, list what is out of step")
    parser.add_argument("--replace", action="store_true", help="set edited notebooks aside and go on")
    options = parser.parse_args(arguments)
    logging.basicConfig(format="%(message)s")  # nbgrader logs what went wrong
    root = course_root()
    units = {unit.id: unit for unit in course_units()}
    try:
        if options.check:
            report = differences(root, derive(root, units, options.only), complete=not options.only)
        else:
            report = build(root, units, options.only, options.replace)
    except (SourceError, WorkInTheWay) as error:
        print(error, file=sys.stderr)
        return 1
    for path, state in report.items():
        print(f"{path.as_posix()}: {state}")
    if not report:
        print("All notebooks are in step with their sources.")
    elif options.check:
        print("Run `make build`.")
    return 1 if report and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
