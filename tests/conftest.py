"""What holds for every test: one BLAS thread, figures without a screen, no library; and a worker where it is needed."""

import os
import zlib
from pathlib import Path

for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"  # before NumPy is imported
os.environ["MY_TRANSFORMER"] = ""  # no learner's library, also in the kernels that a test starts
os.environ["AUTOGRADER_CACHE"] = str(Path(__file__).parent.parent / ".pytest_cache" / "autograder")

from collections import Counter  # noqa: E402

import matplotlib  # noqa: E402
import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

pytest.register_assert_rewrite("tests.support")  # before anything of it is imported

from tests.support import needs  # noqa: E402

matplotlib.use("Agg")
QUIET = {"deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("suite", derandomize=True, max_examples=80, **QUIET)
settings.register_profile("long", max_examples=10_000, print_blob=True, **QUIET)  # --hypothesis-profile=long
settings.load_profile("suite")


def pytest_addoption(parser):
    parser.addoption("--whole", action="store_true", help="try all where a part is tried: it takes hours")


@pytest.fixture(scope="session")
def part_of(pytestconfig):
    """Return a function that takes about `count` of many things, evenly spread; with `--whole`, it takes all."""

    def chosen(things, count):
        things = list(things)
        return things if pytestconfig.getoption("whole") else things[:: -(-len(things) // count) or 1]

    return chosen


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items, config):
    """Keep the tests of a file in one process, where they share its fixtures, unless they name another group.

    The longest groups come first, so that no process has to wait for another at the end. What takes hours waits for
    `--whole`, and so do the other cases of a test marked `one_in`, unless somebody asks for cases by name.
    """
    if not config.getoption("whole"):
        items[:] = [item for item in items if not item.get_closest_marker("hours")]
        items[:] = items if config.option.keyword else _thinned(items)
    items.sort(key=_minutes, reverse=True)
    for item in items:
        if not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(str(item.path)))


def _thinned(items):
    """Yield the items without the cases that `one_in` leaves out: others for each test, so that all exercises occur."""
    seen = Counter()
    for item in items:
        test, _, case = item.nodeid.partition("[")
        marker = item.get_closest_marker("one_in")
        seen[test] += 1
        if not marker or not case or (seen[test] + zlib.crc32(test.encode())) % marker.args[0] == 0:
            yield item


def _minutes(item):
    """Return about how long the group of a test takes; those without a long test come last."""
    marker = item.get_closest_marker("exhaustive")
    return marker.kwargs.get("minutes", 0.5) if marker else 0


@pytest.fixture
def frozen_course(monkeypatch):
    """The engine with a small course that never changes, in place of the installed one."""
    from autograder import registry
    from autograder.learner.hints import hints_of
    from tests.support.frozen_course import COURSE

    of_the_course = registry.units, registry.names, hints_of
    with monkeypatch.context() as patch:
        patch.setattr(registry, "course", lambda: COURSE)
        for cached in of_the_course:
            cached.cache_clear()
        yield COURSE
    for cached in of_the_course:
        cached.cache_clear()


@pytest.fixture(scope="session")
def backend():
    """The sandbox of this machine, for every test that grades."""
    from autograder.judge import sandbox  # works on Linux only

    try:
        return sandbox.choose()
    except sandbox.NoSandbox:
        pytest.skip(needs.SANDBOX)


@pytest.fixture(scope="module")
def worker(backend):
    """A worker in the sandbox."""
    from autograder.judge.pool import Worker

    with Worker(backend.launch) as worker:
        yield worker


def pytest_terminal_summary(terminalreporter):
    """Tell how many tests were skipped for want of what; pytest counts a file that is skipped as one."""
    skipped = terminalreporter.stats.get("skipped", ())
    counts = Counter((report.longrepr[2].removeprefix("Skipped: "), report.when == "collect") for report in skipped)
    for (reason, whole), count in counts.most_common():
        what = ("whole file" if whole else "test") + "s" * (count > 1)
        terminalreporter.write_line(f"{count} {what} skipped: {reason}")
