"""What the learner's commands of `course` do; each returns the exit status."""

import argparse
import json
from pathlib import Path

from rich.console import Console
from rich.table import Table

from autograder.learner import files, progress
from autograder.learner.overview import survey
from autograder.learner.take_home.export import export
from autograder.learner.take_home.statements import CannotTakeHome
from autograder.learner.terminal.reset import reset
from autograder.registry import CourseNotFound, units
from transformer_kit import workbench


class NoCourse(Exception):
    """There is no learner's folder where one was looked for."""


EXPECTED = (CourseNotFound, NoCourse, CannotTakeHome, files.CannotWrite, OSError)


def show_progress(options: argparse.Namespace) -> int:
    """Print the progress as a table, or as JSON."""
    folder = learner_folder(options.folder)
    overview = progress.Overview(*survey(folder))
    if options.json:
        print(json.dumps(progress.as_json(overview), indent=1))
        return 0
    _print(overview)
    print(f"Kept in {folder}")
    return 0


def _print(overview):
    console = Console(highlight=False)
    for line in overview.lines:
        console.print(line, markup=False)
    table = Table()
    table.add_column("unit", no_wrap=True, max_width=30, overflow="ellipsis")
    is_dated = any(row.due for row in overview.units)
    for heading in ("points", *(["due"] if is_dated else []), "open", "mistakes overcome", "time left"):
        table.add_column(heading, no_wrap=heading not in ("mistakes overcome", "due"))
    for row in overview.units:
        points, due, _, overcome, left, *_ = progress.cells(row)
        still_open = f"{len(row.open)} of {len(row.unit.exercises)}"
        texts = points, *([due] if is_dated else []), still_open, overcome, left
        table.add_row(progress.title(row.unit), *texts, style="" if row.open else "green")
    console.print(table)
    for row in overview.units:
        if row.touched and (details := progress.details(row)):
            console.print(f"{row.unit.id[:2]} {details}", markup=False)


def reset_unit(options: argparse.Namespace) -> int:
    """Set a unit back, after a question unless `--yes` is given."""
    folder = learner_folder(options.folder)
    matching = [unit for unit in units() if options.unit and unit.id.startswith(options.unit.zfill(2))]
    if len(matching) != 1:
        numbers = ", ".join(unit.id[:2] for unit in units())
        raise NoCourse(f"expected the number of one unit, {numbers}; got {options.unit!r}.")
    if not options.yes and not _agreed(matching[0]):
        print("Nothing was changed.")
        return 1
    for sentence in reset(folder, matching[0]):
        print(sentence)
    return 0


def export_library(options: argparse.Namespace) -> int:
    """Write the library as one file."""
    export(learner_folder(options.folder), Path(options.file).absolute())
    return 0


def _agreed(unit):
    question = f"Set {unit.id} back to its beginning? Notebook, library file and progress are copied first. [y/N] "
    try:
        return input(question).strip().lower() in ("y", "yes")
    except EOFError:  # nobody is there to answer
        print()
        return False


def learner_folder(named: str | None = None) -> Path:
    """Return the folder of the library.

    Parameters
    ----------
    named : str, optional
        That folder, or the one that holds it, or the start page. Otherwise the one that belongs to the current
        folder, or to the course in or above it.

    Returns
    -------
    Path
        It need not exist.

    Raises
    ------
    NoCourse
        If there is neither.
    """
    if named:
        folder = Path(named).absolute()
        if folder.name == workbench.FOLDER or (folder / "progress.json").exists():
            return folder
        candidates = [folder, folder / "notebooks"]
    elif library := workbench.place().folder:
        return library
    else:
        here = Path.cwd()
        candidates = [path for above in (here, *here.parents) for path in (above, above / "notebooks")]
    for candidate in candidates:
        if any((candidate / name).exists() for name in (workbench.START_PAGE, workbench.FOLDER)):
            return candidate / workbench.FOLDER
    where = f"in {named}" if named else "in or above the current folder"
    raise NoCourse(f"there is no {workbench.START_PAGE} {where}. Name the folder of your notebooks with --folder.")
