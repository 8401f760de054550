"""Asks clean processes for work that is done in forks of them, and survives whatever becomes of a fork."""

import atexit
import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
from collections import defaultdict
from typing import Any

from autograder.judge import scratch

STATUS = struct.Struct("!i")  # what a fork exits with, or minus the number of the signal that has ended it
# A fork takes no thread along, so there must be none.
SINGLE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")}
OUT_OF_MEMORY, SPOILT = 2, 3  # the latter: there is an answer, but what the fork inherited is not to be used again
SECONDS_IN_ALL = 900  # whatever the work waits for

_servers: list["ForkServer"] = []  # of this process
_idle: defaultdict[str, list["ForkServer"]] = defaultdict(list)  # those of them that wait for work, by operation


class NoAnswer(Exception):
    """A piece of work was not finished; the message says why."""


def ask(operation: str, terms: list[Any], value: Any, seconds: int) -> Any:
    """Have a piece of work done in a process of its own; several threads may ask at once.

    Parameters
    ----------
    operation : str
        A key of `autograder.grading.isolation.operations.OPERATIONS`.
    terms : list
        What the clean process may know of the work, and prepares for: plain values, nothing of a submission.
    value : object
        The work itself, as JSON can hold it; only the fork receives it.
    seconds : int
        Processor time after which the fork is ended.

    Returns
    -------
    object
        The answer, as JSON can hold it.

    Raises
    ------
    NoAnswer
        If the fork ended before it answered.
    """
    try:
        server = _idle[operation].pop()
    except IndexError:
        server = ForkServer()
        _servers.append(server)
    try:
        return server.ask(json.dumps([operation, terms, seconds]).encode(), json.dumps(value).encode())
    finally:
        _idle[operation].append(server)


@atexit.register
def close() -> None:
    """End all clean processes of this process, with whatever they are doing, and remove the folders they leave."""
    if not _servers:
        return
    while _servers:
        server = _servers.pop()
        server.close()
    _idle.clear()
    scratch.remove_left_over()


def restart() -> None:
    """End what all clean processes are doing, with the folders that it fills; whoever waits for it asks once more."""
    for server in _servers:
        server.interrupt()
    scratch.remove_left_over()


class ForkServer:
    """A clean process, which is started when it is first needed, and once more if it should die.

    It ends with this process and, on Linux, with the thread that started it.

    Parameters
    ----------
    module : str, optional
        What it runs.
    """

    def __init__(self, module: str = "autograder.grading.isolation.server") -> None:
        self.module = module
        self.process: subprocess.Popen[bytes] | None = None
        self.control: socket.socket | None = None
        self.closed = False

    def ask(self, order: bytes, work: bytes) -> Any:
        """Return the answer to an order with its work, both in JSON."""
        for last in (False, True):
            try:
                return self._answer(order, work)
            except OSError as error:  # not a fork has ended, but the clean process
                status = self._end()
                if status == -signal.SIGXCPU or last or self.closed:
                    raise NoAnswer(_why(status or 0, error)) from None

    def close(self) -> None:
        """End the process for good, even while another thread waits for it."""
        self.closed = True
        if self.process:
            self.process.kill()
        self._end()

    def interrupt(self) -> None:
        """End the process, even while another thread waits for it, which then starts a new one."""
        process = self.process
        if process:
            process.kill()
            process.wait()

    def _end(self):
        process, self.process = self.process, None
        if process is None:
            return None
        self.control.close()  # an idle process now ends by itself, and its workers with it
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=2)
        process.kill()
        return process.wait()

    def _answer(self, order, work):
        if not self.process:
            self._start()
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                socket.send_fds(self.control, [order], [theirs.fileno()])
            ours.settimeout(SECONDS_IN_ALL)
            answer = b""
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the fork has ended: its status tells why
                ours.sendall(work)
                ours.shutdown(socket.SHUT_WR)
                answer = _everything(ours)
        (status,) = STATUS.unpack(_exactly(self.control, STATUS.size))
        if status not in (0, SPOILT):
            raise NoAnswer(_why(status))
        if not answer:
            raise NoAnswer(_why(0))
        return json.loads(answer)

    def _start(self):
        self.control, theirs = socket.socketpair()
        self.control.settimeout(SECONDS_IN_ALL)
        command = [sys.executable, "-P", "-m", self.module, str(theirs.fileno())]
        with theirs:  # in a session of its own: Ctrl-C is for the one who asks
            self.process = subprocess.Popen(
                command, pass_fds=(theirs.fileno(),), env=os.environ | SINGLE_THREAD, start_new_session=True
            )


def _everything(connection):
    with connection.makefile("rb") as file:
        return file.read()


def _exactly(connection, size):
    data = connection.recv(size, socket.MSG_WAITALL)
    if len(data) < size:
        raise ConnectionError("it ended")
    return data


def _why(status, error="it ended without an answer"):
    words = {-signal.SIGXCPU: "it took too long", OUT_OF_MEMORY: "it needed too much memory"}
    by_signal = f"it was ended by signal {-status}" if status < 0 else None
    return words.get(status) or by_signal or f"it failed: {error}"
