"""One warm worker process over a view of the course, and the children that it forks, as the judge sees them."""

import contextlib
import itertools
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from autograder.judge import scratch, view
from autograder.judge.sandbox.confine.limits import FOLDER
from autograder.judge.wire.protocol import Channel, ProtocolError
from autograder.judge.worker.serve import (
    ALIVE,
    AWAIT,
    ON_DEMAND,
    ORDER,
    OUT_OF_MEMORY,
    OUT_OF_SPACE,
    READY,
    REPLY,
    START,
    STOP,
)
from autograder.judge.worker.space import MAX_FILES
from autograder.specification import Unit

SECONDS_TO_START, SECONDS_TO_FORK, SECONDS_TO_STOP = 60, 10, 10
OPTIONS = ("-P", "-s", "-S", "-B")  # isolated except for the environment: a verdict may depend on the order of a set
BOOT = "import sys; sys.path += sys.argv[2:]; from autograder.judge.worker.serve import main; main()"
SINGLE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")}
MUCH_MEMORY = 256 << 20  # a process that had more and was killed was killed for that


class WorkerError(Exception):
    """No worker can be started: a fault of the installation, not of a submission."""


@dataclass(frozen=True)
class Ending:
    """How a child ended.

    Attributes
    ----------
    kind : str
        "" for one that was alive until it was ended, "memory", "disk" or "killed".
    words : str
    peak : int
        The most memory that it had, in bytes beyond that of the warm server.
    """

    kind: str
    words: str
    peak: int = 0


class Server:
    """One warm worker process and its folders.

    Parameters
    ----------
    unit : Unit
    build : callable
        Fills the folder that it sees; see `autograder.judge.view.build`.
    launch : callable
        Starts the process: ``launch(argv, pass_fds, env, view, work, errors) -> subprocess.Popen``; see
        `autograder.judge.sandbox`.
    """

    def __init__(
        self, unit: Unit, build: Callable[[Path, Unit], Path], launch: Callable[..., subprocess.Popen]
    ) -> None:
        self.root = scratch.make()
        self.control, theirs = socket.socketpair()
        self.process = None
        self.numbers = itertools.count()
        self.broken = False
        self.owner = os.getpid()
        try:
            with theirs, open(self.root / "errors", "w+") as errors:
                self.process = launch(*self._command(theirs.fileno(), build(self.root / "view", unit)), errors)
            if self._receive(len(READY), SECONDS_TO_START) != READY:
                raise ConnectionError("it ended")
        except OSError as error:
            output = self._output()
            self.stop()
            raise WorkerError(f"The worker does not start: {output or error}") from None
        except BaseException:
            self.stop()
            raise

    def _output(self):
        """Return the end of what the process has said."""
        with contextlib.suppress(OSError):  # where there was no room for it
            return (self.root / "errors").read_text(errors="replace").strip()[-2000:]
        return ""

    def _command(self, descriptor, folder):
        work = self.root / "work"
        work.mkdir()
        argv = [sys.executable, *OPTIONS, "-c", BOOT, str(descriptor), str(folder), *view.packages()]
        env = {"HOME": str(work), "TMPDIR": str(work), "MPLCONFIGDIR": str(work), "MPLBACKEND": "Agg"}
        env |= {"LANG": "C.UTF-8", "PATH": os.defpath, "PYTHONHASHSEED": "0"} | SINGLE_THREAD
        return argv, (descriptor,), env, folder, work

    def fork(self, modules: Collection[str] = ()) -> "Process":
        """Start a child once those `modules` are imported that are not yet; OSError when that fails."""
        number = next(self.numbers)
        ours, theirs = socket.socketpair()
        wanted = sum(1 << bit for bit, name in enumerate(ON_DEMAND) if name in modules)
        try:
            with theirs:
                socket.send_fds(self.control, [ORDER.pack(START, number, wanted)], [theirs.fileno()])
            return Process(self, number, Channel(ours))
        except BaseException:
            ours.close()
            raise

    def end(self, number: int, patiently: bool) -> Ending:
        """End a child with all its descendants; return how it ended."""
        try:
            self.control.sendall(ORDER.pack(AWAIT if patiently else STOP, number, 0))
            status, peak = REPLY.unpack(self._receive(REPLY.size, SECONDS_TO_STOP))
        except OSError:
            self.broken = True
            return Ending("killed", "ended together with the one that started it")
        return ending_of(status, peak)

    def _receive(self, size, seconds):
        self.control.settimeout(seconds)
        data = self.control.recv(size, socket.MSG_WAITALL)
        if len(data) < size:
            raise ConnectionError("it ended")
        return data

    def stop(self) -> None:
        """End the process and remove its folders; a fork that inherited it only lets go of it."""
        self.control.close()  # a healthy server now ends its children and itself
        if self.owner != os.getpid():
            return
        if self.process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=1)
            self.process.kill()
            self.process.wait()
        scratch.remove(self.root)


class Process:
    """One child: the channel to it, and how it ended."""

    def __init__(self, server: Server, number: int, channel: Channel) -> None:
        self.server = server
        self.number = number
        self.channel = channel
        self.ending: Ending | None = None
        channel.deadline = time.monotonic() + SECONDS_TO_FORK
        try:
            op, _, message, _ = channel.receive()  # sent before any learner's code is there
        except ProtocolError as error:
            raise ConnectionError(str(error)) from None
        if op != "ready":
            raise WorkerError(f"The worker cannot be confined: {message}")

    def end(self, patiently: bool = False) -> Ending:
        """End it, `patiently` if it seems to be ending by itself, and return its Ending."""
        if self.ending is None:
            self.ending = self.server.end(self.number, patiently)
            self.channel.socket.close()
        return self.ending


def ending_of(status: int, peak: int) -> Ending:
    """Read how a child ended, and its peak of memory, from the reply of the warm server."""
    if status == ALIVE:
        return Ending("", "closed its connection", peak)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        short = number == signal.SIGKILL and peak > MUCH_MEMORY
        return Ending("memory" if short else "killed", f"was ended by {signal.Signals(number).name}", peak)
    code = os.WEXITSTATUS(status)
    if code == OUT_OF_SPACE:
        most = f"{FOLDER >> 20} MiB in {MAX_FILES:,} files"
        return Ending("disk", f"was ended, since it wrote more than its folder may hold ({most})", peak)
    return Ending("memory" if code == OUT_OF_MEMORY else "killed", f"ended with exit status {code}", peak)
