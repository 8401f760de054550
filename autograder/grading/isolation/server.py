"""The clean process: it does each piece of work in a fork, and so learns nothing of a submission."""

import contextlib
import ctypes
import gc
import importlib
import json
import os
import resource
import signal
import socket
import sys
import time
import traceback

from autograder.grading.isolation.client import OUT_OF_MEMORY, SPOILT, STATUS
from autograder.grading.isolation.operations import OPERATIONS

MAX_ORDER, FAILED = 1 << 16, 1
MEMORY = 4 << 30  # bytes of data
SET_DEATH_SIGNAL = 1  # of prctl


def main() -> None:
    """Serve on the control socket whose descriptor is the first argument, until the other side closes it."""
    _end_with_parent()
    # As in `autograder.cli`: a second of start-up that nobody needs. The stubs of `sys` do not know None for a module
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    control = socket.socket(fileno=int(sys.argv[1]))
    while True:
        order, descriptors, *_ = socket.recv_fds(control, MAX_ORDER, 1)
        if not order:
            break
        name, terms, seconds = json.loads(order)
        operation = importlib.import_module(OPERATIONS[name])
        with socket.socket(fileno=descriptors[0]) as connection:
            operation.prepare(*terms)
            work = _in_a_fork if operation.FORKS else _done
            status = work(operation, connection, seconds)
        if status:
            operation.close()
        control.sendall(STATUS.pack(status))


def _in_a_fork(operation, connection, seconds):
    """Have a fork do the work, and return its exit status; minus the number of the signal that has ended it."""
    gc.freeze()  # or the first collection in the fork would copy all pages
    pid = os.fork()
    if not pid:
        status = FAILED
        try:
            _end_with_parent()
            status = _done(operation, connection, seconds)
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _done(operation, connection, seconds):
    """Do the work within limits of time and memory, and return what a fork that does it exits with."""
    _limit(resource.RLIMIT_CPU, int(time.process_time() + seconds) + 1)  # the kernel ends what listens to nobody
    _limit(resource.RLIMIT_DATA, MEMORY)
    try:
        with connection.makefile("rb") as file:
            value = json.load(file)
        answer, clean = operation.perform(value)
        connection.sendall(json.dumps(answer).encode())
    except MemoryError:
        return OUT_OF_MEMORY
    except Exception:
        traceback.print_exc()
        return FAILED
    return 0 if clean else SPOILT


def _limit(what, value):
    resource.setrlimit(what, (value, resource.getrlimit(what)[1]))


def _end_with_parent():
    with contextlib.suppress(AttributeError):  # where the system has no prctl, the control socket tells
        ctypes.CDLL(None).prctl(SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


if __name__ == "__main__":
    main()
