"""Measure the outcomes of known mistakes before they are needed: `python -m autograder.evaluation.ahead`."""

import contextlib
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor

from autograder.evaluation.outcome_files import cache_folder
from autograder.evaluation.outcomes import as_json, file_name, helpers_of, is_kept, measured
from autograder.registry import find, units
from autograder.specification import Exercise

try:
    from filelock import FileLock, Timeout
except ImportError:  # in the browser, where nothing is measured ahead
    FileLock = Timeout = None  # type: ignore[assignment, misc]


def parts_of(exercises: Iterable[Exercise]) -> Iterator[tuple[Exercise, str]]:
    """Yield what is kept apart: each exercise with "" for its own mistakes, and with every function that it calls."""
    for exercise in exercises:
        yield from ((exercise, helper) for helper in ("", *helpers_of(exercise)))


def measure_ahead(exercises: Iterable[Exercise], say: Callable[[str], object] = print, jobs: int | None = None) -> None:
    """Measure on all cores what is not kept yet.

    Parameters
    ----------
    exercises : iterable of Exercise
    say : callable
        Takes a line on what is done, where there is something to do.
    jobs : int, optional
        How many processes; one for each core when left out.
    """
    missing = [(e.name, helper) for e, helper in parts_of(exercises) if not is_kept(e, helper)]
    if missing:
        names = list(dict.fromkeys(name for name, _ in missing))
        say(f"Measuring what the known mistakes of {len(names)} exercises come to; this is kept for the next time ...")
        with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
            list(pool.map(_measure, *zip(*missing, strict=True)))


def _measure(name, helper):
    measured(find(name), helper)


def texts() -> Iterator[tuple[str, str]]:
    """Yield the names and texts of all files that a course can ship, so that nothing is measured where it is used."""
    exercises = [exercise for unit in units() for exercise in unit.exercises]
    measure_ahead(exercises)
    for exercise, helper in parts_of(exercises):
        yield f"{file_name(exercise, helper)}.json", as_json(exercise, measured(exercise, helper))


def main() -> None:
    """Measure everything in the order of the course, and give way to all other processes; one process at a time."""
    with contextlib.suppress(AttributeError, OSError):  # not on Windows
        os.nice(19)
    folder = cache_folder()
    if folder is None:  # nothing can be kept
        return
    with contextlib.suppress(Timeout, OSError):  # another one is at it already, or nothing can be kept
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / ".lock", timeout=0):
            _measure_in_order()


def _measure_in_order():
    for exercise, helper in parts_of(exercise for unit in units() for exercise in unit.exercises):
        if not is_kept(exercise, helper):
            measured(exercise, helper)


if __name__ == "__main__":
    main()
