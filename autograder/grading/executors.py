"""Where tasks are performed: in processes of this machine, or in a Dask cluster. Both are `concurrent.futures`."""

import contextlib
import itertools
import multiprocessing
import os
import threading
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, ProcessPoolExecutor, wait
from multiprocessing.connection import wait as wait_for


class NoCluster(Exception):
    """The cluster cannot be reached, or the package that it needs is missing."""


@contextlib.contextmanager
def local(jobs):
    """Open an executor of `jobs` processes; yields it and how many tasks it performs at a time."""
    executor = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_end_with_parent)
    try:
        yield executor, jobs
    finally:
        executor.shutdown(cancel_futures=True)


@contextlib.contextmanager
def cluster(address):
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


def _end_with_parent():
    """Let this process of a pool end when the one that started it is gone, be it killed."""

    def watch():
        wait_for([multiprocessing.parent_process().sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def perform_all(function, tasks, open_executor):
    """Perform tasks, in any order, and survive the processes that die under them.

    Parameters
    ----------
    function : callable
        Of one task; picklable.
    tasks : iterable
        Taken as they are needed, so that only a few exist at a time.
    open_executor : callable
        Gives the context manager of an executor, such as ``lambda: local(2)``.

    Yields
    ------
    task : object
    result : object
        What the function returned, or None.
    error : BaseException or None
        What it raised; `BrokenExecutor` where a process died under the task a second time, while it was alone.
    """
    tasks, suspects = iter(tasks), True
    while suspects:
        with open_executor() as (executor, width):
            suspects = yield from _until_broken(function, tasks, executor, 2 * width)
        for task in suspects:
            with open_executor() as (executor, _):
                yield task, *_outcome(executor.submit(function, task))


def _until_broken(function, tasks, executor, window):
    """Perform tasks; return those that were under way when a process died, none when all are done."""
    running = {}
    while True:
        for task in itertools.islice(tasks, window - len(running)):
            try:
                running[executor.submit(function, task)] = task
            except BrokenExecutor:
                return [*running.values(), task]
        if not running:
            return []
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            result, error = _outcome(future)
            if isinstance(error, BrokenExecutor):
                return list(running.values())
            yield running.pop(future), result, error


def _outcome(future):
    error = future.exception()
    return (None, error) if error else (future.result(), None)
