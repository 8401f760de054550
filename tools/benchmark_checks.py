"""Time every check, of right and of wrong functions; print the slowest ten: `python -m tools.benchmark_checks`."""

import statistics
import time

from autograder import check
from autograder.feedback.html import as_html
from autograder.feedback.make_report import make_report
from autograder.registry import units
from tools.course import solution_functions
from tools.proof import verdict

REPEATS = 7
REPEATS_OF_MISTAKES = 3
SHOWN = 10


def milliseconds(action, repeats):
    """Return the median time of an action, once everything is imported and warm."""
    action()
    return statistics.median(_once(action) for _ in range(repeats))


def _once(action):
    start = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - start)


def measure():
    """Return ``[(milliseconds, unit, exercise), ...]`` of the solutions' functions, slowest first."""
    times = []
    for unit in units():
        for function in (solution_functions(unit.id)[e.name] for e in unit.exercises):
            time_ms = milliseconds(lambda function=function: check(function)._repr_html_(), REPEATS)
            times.append((time_ms, unit.id, function.__name__))
    return sorted(times, reverse=True)


def measure_mistakes():
    """Return ``[(milliseconds, unit, "exercise: mistake"), ...]`` of known mistakes, slowest first.

    All are timed once, and the slowest of them as often as it takes for a median.
    """

    def action(exercise, mistake):
        return lambda: as_html(make_report(verdict(exercise, mistake.function, 0)))

    mistakes = [(unit, e, mistake) for unit in units() for e in unit.exercises for mistake in e.mistakes]
    first = [_once(action(e, mistake)) for _, e, mistake in mistakes]
    slowest = sorted(range(len(mistakes)), key=first.__getitem__, reverse=True)[: 3 * SHOWN]
    times = []
    for unit, e, mistake in (mistakes[number] for number in slowest):
        time_ms = milliseconds(action(e, mistake), REPEATS_OF_MISTAKES)
        times.append((time_ms, unit.id, f"{e.name}: {mistake.id}"))
    return sorted(times, reverse=True)


def show(times):
    """Print the slowest rows of a table."""
    for time_ms, unit, name in times[:SHOWN]:
        print(f"{time_ms:8.1f}  {unit[:2]} {name}")


def main():
    """Print both tables."""
    print(f"Checks with their HTML report, in milliseconds; the slowest {SHOWN}.\n")
    print(f"Right functions (the solutions'), median of {REPEATS}:")
    show(measure())
    print(f"\nKnown mistakes, whose name has to be found as well, median of {REPEATS_OF_MISTAKES}:")
    show(measure_mistakes())


if __name__ == "__main__":
    main()
