"""A clean process whose forks do odd things: `python -m tests.support.odd_work`, as `ForkServer` starts it."""

import os
import signal
import sys
from types import SimpleNamespace

from autograder.grading.isolation import operations, server

SEEN, CLOSED = [], []


def perform(value):
    """Do what is asked; the answer tells what this process had seen before, and how often all was closed."""
    what, *rest = value
    before = list(SEEN)
    SEEN.append(value)
    if what == "spin":
        while True:
            pass
    if what == "hoard":
        return bytearray(server.MEMORY)
    if what == "exit":
        os._exit(rest[0])
    if what == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "linger" and not os.path.exists(rest[0]):
        open(rest[0], "w").close()
        signal.pause()
    if what == "orphan" and not os.path.exists(rest[0]):
        open(rest[0], "w").close()
        os.kill(os.getppid(), signal.SIGKILL)
    if what == "orphan always":
        os.kill(os.getppid(), signal.SIGKILL)
        signal.pause()
    return {"before": before, "closed": len(CLOSED), "rest": rest}, what != "spoil"


if __name__ == "__main__":
    odd = SimpleNamespace(FORKS=True, prepare=lambda: None, perform=perform, close=lambda: CLOSED.append(True))
    sys.modules["odd"], operations.OPERATIONS["odd"] = odd, "odd"
    sys.modules["here"], operations.OPERATIONS["here"] = SimpleNamespace(**vars(odd) | {"FORKS": False}), "here"
    sys.exit(server.main())
