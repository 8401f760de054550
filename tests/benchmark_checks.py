"""Time every check on the solution's function and print the slowest ten: `python -m tests.benchmark_checks`."""

import statistics
import time

from autograder import check
from autograder.exercises import units
from tests.course import solution_functions

REPEATS = 7


def milliseconds(function):
    """Return the median time of a check, once everything is imported and warm."""
    times = []
    for _ in range(REPEATS + 1):
        start = time.perf_counter()
        check(function)._repr_html_()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times[1:])


def measure():
    """Return ``[(milliseconds, unit, exercise), ...]``, slowest first."""
    times = []
    for unit in units():
        functions = solution_functions(unit.id)
        times += [(milliseconds(functions[e.name]), unit.id, e.name) for e in unit.exercises]
    return sorted(times, reverse=True)


def main():
    """Print the table."""
    print(f"Median of {REPEATS} checks with their HTML report, in milliseconds; the slowest ten:")
    for time_ms, unit, name in measure()[:10]:
        print(f"{time_ms:8.1f}  {unit[:2]} {name}")


if __name__ == "__main__":
    main()
