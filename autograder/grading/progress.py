"""A bar that shows how many submissions are graded, and how long the others will take."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


@contextmanager
def progress(total: int, hidden: bool = False) -> Iterator[Callable[[str, str], None]]:
    """Show a bar on stderr that tells how many submissions are graded.

    Parameters
    ----------
    total : int
        Number of submissions.
    hidden : bool

    Yields
    ------
    callable
        To be called with student and unit of every submission that is done.
    """
    columns = [TextColumn("{task.description:<24.24}", markup=False), BarColumn(), MofNCompleteColumn()]
    columns += [TextColumn("passed"), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn()]
    with Progress(*columns, console=Console(stderr=True), disable=hidden or not total) as bar:
        task = bar.add_task("starting", total=total)
        yield lambda student, unit: bar.update(task, advance=1, description=f"{unit[:2]} {student}")
