"""Warm servers, one for each of the units used last, which fork a child for every exercise that is to be run."""

import contextlib
import functools
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Self

from autograder.judge import view
from autograder.judge.remote import LEAN, WHOLE, RemoteRunner, Written
from autograder.judge.server import Server, WorkerError
from autograder.judge.worker.serve import ON_DEMAND
from autograder.specification import Exercise, Unit

MAX_SERVERS = 2  # that are kept warm


class Worker:
    """Runs the learners' functions, with a warm server for each of the units used last.

    Parameters
    ----------
    launch : callable
        Starts a process in a sandbox: the `launch` of a backend of `autograder.judge.sandbox`.
    build : callable
        Fills the folder that the process sees; see `autograder.judge.view.build`.
    """

    def __init__(
        self, launch: Callable[..., subprocess.Popen], build: Callable[[Path, Unit], Path] = view.build
    ) -> None:
        self.launch, self.build = launch, build
        self.servers: dict[str, Server] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def warm(self, unit: Unit) -> None:
        """Start a server for a unit, if there is none that works."""
        self._server(unit)

    def close(self) -> None:
        """Stop all processes; in a fork, those that it has started."""
        while self.servers:
            _, server = self.servers.popitem()
            server.stop()

    @contextlib.contextmanager
    def child(
        self, unit: Unit, exercise: Exercise, cells: Sequence[str], written: Written = ()
    ) -> Iterator[RemoteRunner]:
        """Run a learner's cells in a new child, and give the runner for calls of the exercise's function.

        Parameters
        ----------
        unit : Unit
        exercise : Exercise
        cells : sequence of str
            The imports and the solution cells, in their order.
        written : sequence, optional
            For each line of each cell, the number and the text of the line that the learner wrote there; the worker
            does not see it. As the cells have them, when left out.

        Yields
        ------
        RemoteRunner
            For `autograder.evaluation.evaluate.evaluate`.

        Raises
        ------
        WorkerError
            If no worker can be started, which is not the submission's fault.
        """
        earlier, sources = view.substitutes(unit, exercise)
        code = "\n".join((*cells, *sources))
        modules = [name for name in ON_DEMAND if all(part in code for part in name.split("."))]
        fork = functools.partial(self._fork, unit, modules)
        runner = RemoteRunner(fork, exercise, tuple(cells), earlier, sources, written)
        try:
            runner.begin(WHOLE, LEAN)
            yield runner
        finally:
            runner.end()
            if runner.suspicious and unit.id in self.servers:
                self.servers[unit.id].broken = True
        if runner.fault:
            raise runner.fault

    def _fork(self, unit, modules):
        for attempt in range(2):
            server = self._server(unit)
            try:
                return server.fork(modules)
            except OSError as error:  # it died since the last exercise
                server.broken = True
                if attempt:
                    raise WorkerError(f"The worker does not stay alive: {error}") from None

    def _server(self, unit):
        """Return a working server; the one used last is the last in the dictionary."""
        server = self.servers.pop(unit.id, None)
        if server and server.broken:
            server.stop()
            server = None
        while not server and len(self.servers) >= MAX_SERVERS:
            oldest = next(iter(self.servers))
            self.servers.pop(oldest).stop()
        self.servers[unit.id] = server or Server(unit, self.build, self.launch)
        return self.servers[unit.id]
