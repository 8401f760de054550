"""The warm server: it has imported NumPy and the kit, and forks one child per exercise.

Over its control socket it takes orders from the judge: fork a child that talks over the socket sent along, and end a
child with all its descendants. It holds no secret, and the learner's code never runs in it. Each exercise gets a new
child, so nothing that the code does to Python lasts; it works in a folder of its own, which is removed afterwards.
"""

import contextlib
import ctypes
import gc
import importlib
import os
import pkgutil
import resource
import select
import shutil
import signal
import socket
import struct
import sys
import time
from dataclasses import dataclass

import transformer_kit
from autograder.judge.sandbox.confine import confine, expose, shield
from autograder.judge.worker import space
from autograder.judge.worker.child import Child

ORDER = struct.Struct("!cII")  # what to do, with which child, and which modules to import before it (one bit each)
REPLY = struct.Struct("!iq")  # the wait status of a child, and the peak of its memory in bytes beyond the server's
START, STOP, AWAIT, READY = b"+", b"-", b"?", b"R"
ALIVE = -1  # instead of a wait status: the child did not end by itself
# Imported when the code at hand mentions them: a process of half the size forks in half the time.
ON_DEMAND = ("scipy.special", "scipy.linalg", "scipy.stats", "scipy.optimize", "matplotlib.pyplot", "IPython.display")
SECONDS_TO_END = 0.5  # for a child that has closed its connection
OUT_OF_MEMORY, OUT_OF_SPACE = 77, 78  # exit statuses; the second one is also told of a child that was ended for it
SECONDS_BETWEEN_LOOKS = 0.02  # at what children write
SET_DEATH_SIGNAL, SET_CHILD_SUBREAPER, DISABLE_HUGE_PAGES = 1, 36, 41  # of prctl

LIBC = ctypes.CDLL(None)


@dataclass
class Running:
    """A child: its process, its folder, the server's memory when it was forked, whether it has written too much."""

    pid: int
    work: str
    before: int
    is_full: bool = False


def main() -> None:
    """Serve on the control socket whose descriptor is the first argument."""
    shield()
    prctl(SET_CHILD_SUBREAPER, 1)
    prctl(DISABLE_HUGE_PAGES, 1)  # a child would be charged for a whole one after writing a few bytes
    _import(list(_modules(transformer_kit)))
    control = socket.socket(fileno=int(sys.argv[1]))
    children: dict[int, Running] = {}
    control.sendall(READY)
    with contextlib.suppress(ConnectionError):
        while True:
            _watch_until_asked(control, [] if space.is_limited() else children.values())
            order, sent, *_ = socket.recv_fds(control, ORDER.size, 1)
            if len(order) < ORDER.size:  # the judge is gone
                break
            what, number, modules = ORDER.unpack(order)
            if what == START:
                _import(name for bit, name in enumerate(ON_DEMAND) if modules >> bit & 1)
                children[number] = _fork(sent[0], os.path.abspath(str(number)))
            else:
                child = children.pop(number)
                ending = _end(child, what == AWAIT, alone=not children)
                control.sendall(REPLY.pack(*ending))
    for child in children.values():
        _end(child)


def _watch_until_asked(control, children):
    """Wait for an order; meanwhile end every child that has written more than its folder may hold."""
    while not select.select([control], [], [], SECONDS_BETWEEN_LOOKS if children else None)[0]:
        for child in children:
            if not child.is_full and space.is_too_much(child.pid, child.work) and not _has_ended(child.pid):
                child.is_full = True
                _kill(child.pid)


def _modules(package):
    """Yield the names of the modules of a package, however deep."""
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        yield module.name
        if module.ispkg:
            yield from _modules(importlib.import_module(module.name))


def _import(names):
    """Import what is not imported yet, and keep the garbage collector from touching it in the children."""
    missing = [name for name in names if name not in sys.modules]
    for name in missing:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    if missing:
        gc.collect()
        gc.freeze()


def prctl(option: int, value: int) -> None:
    """Call prctl where the system has it."""
    with contextlib.suppress(AttributeError):
        LIBC.prctl(option, value, 0, 0, 0)


def resident() -> int:
    """Return the memory of this process, in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def _fork(descriptor, work):
    """Fork a child that serves on a descriptor."""
    os.mkdir(work, 0o700)
    before = resident()
    pid = os.fork()
    if pid == 0:
        _serve(descriptor, work)
    os.close(descriptor)
    return Running(pid, work, before)


def _serve(descriptor, work):
    """Become a child, and never return."""
    status = 1
    try:
        expose()
        prctl(SET_DEATH_SIGNAL, signal.SIGKILL)
        os.setsid()
        os.dup2(descriptor, 3)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for standard in range(3):
            os.dup2(nowhere, standard)
        os.closerange(4, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        os.environ.update(HOME=work, TMPDIR=work, MPLCONFIGDIR=work)
        child = Child(socket.socket(fileno=3))
        try:
            confine(work)
        except BaseException as error:
            child.peer.channel.send("failed", 0, f"{type(error).__name__}: {error}")
            raise
        child.peer.channel.send("ready", 0, None)
        child.peer.serve()
    except MemoryError:
        status = OUT_OF_MEMORY
    finally:
        os._exit(status)


def _end(child, patiently=False, alone=False):
    """End a child with its process group and remove its folder; with `alone`, end every orphan that it left as well.

    Returns
    -------
    status : int
        How it ended by itself, else ALIVE.
    peak : int
        The most memory that it ever had, beyond the server's, as the kernel counts it: not even `exec` hides it.
    """
    until = time.monotonic() + SECONDS_TO_END * patiently
    while not (ended := _has_ended(child.pid)) and time.monotonic() < until:
        time.sleep(0.001)
    _kill(child.pid)
    _, status, usage = os.wait4(child.pid, 0)
    if alone:
        _end_orphans()
    _remove(child.work)
    status = OUT_OF_SPACE << 8 if child.is_full else status if ended else ALIVE
    return status, 1024 * usage.ru_maxrss - child.before


def _kill(pid):
    """Kill a child with its process group."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _has_ended(pid):
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _end_orphans():
    with contextlib.suppress(ChildProcessError):  # nobody is left
        for _ in range(1000):
            os.waitpid(-1, os.WNOHANG)
            for name in filter(str.isdigit, os.listdir("/proc")):
                with contextlib.suppress(OSError), open(f"/proc/{name}/stat") as file:
                    if int(file.read().rpartition(")")[2].split()[1]) == os.getpid():
                        os.kill(int(name), signal.SIGKILL)


def _remove(folder):
    """Remove a folder; a server that cannot do this ends, so that the next child does not find it."""
    try:
        os.rmdir(folder)
    except OSError:
        shutil.rmtree(folder)
