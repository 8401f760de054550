"""Where tasks are performed: on this machine, or in a Dask cluster. Both are `concurrent.futures`."""

import contextlib
import itertools
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from typing import TypeVar

from autograder.grading.isolation import client

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")
OpenExecutor = Callable[[], AbstractContextManager[tuple[Executor, int]]]  # with its number of workers


class NoCluster(Exception):
    """The cluster cannot be reached, or the package that it needs is missing."""


@contextlib.contextmanager
def local(jobs: int) -> Iterator[tuple[Executor, int]]:
    """Open an executor of `jobs` threads, each for tasks that wait for a process; yields it and their number."""
    executor = ThreadPoolExecutor(jobs)
    try:
        yield executor, jobs
    finally:
        client.close()  # ends what is under way, or the executor would wait for it
        executor.shutdown(cancel_futures=True)


@contextlib.contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Open the executor of a Dask cluster; yields as `local` does.

    Raises
    ------
    NoCluster
        If nothing answers at the address, or Dask is not installed.
    """
    try:
        from distributed import Client
    except ImportError:
        raise NoCluster("--dask needs the package distributed: pip install 'distributed>=2025.1,<2028'") from None
    try:
        client = Client(address, timeout=5)
    except (OSError, TimeoutError, ValueError) as error:
        raise NoCluster(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        width = sum(client.nthreads().values())
        if not width:
            raise NoCluster(f"the Dask scheduler at {address} has no workers; start one with: dask worker {address}")
        yield client.get_executor(pure=False), width


def perform_all(
    function: Callable[[_Task], _Result], tasks: Iterable[_Task], open_executor: OpenExecutor
) -> Iterator[tuple[_Task, _Result | None, BaseException | None]]:
    """Perform tasks, in any order.

    Parameters
    ----------
    function : callable
        Of one task; picklable.
    tasks : iterable
        Taken as they are needed, so that only a few exist at a time.
    open_executor : callable
        Returns the context manager of an executor, such as ``lambda: local(2)``.

    Yields
    ------
    task : object
    result : object
        What the function returned, or None.
    error : BaseException or None
        What it raised.
    """
    tasks = iter(tasks)
    running: dict[Future[_Result], _Task] = {}
    with open_executor() as (executor, width):
        while True:
            for task in itertools.islice(tasks, 2 * width - len(running)):
                running[executor.submit(function, task)] = task
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                task = running.pop(future)
                error = future.exception()
                result = None if error else future.result()
                yield task, result, error
