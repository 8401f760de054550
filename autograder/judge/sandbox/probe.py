"""What the self-test runs inside a sandbox: harmless attempts at what a learner's code must not be able to do.

A copy lies in the folder that the probe process sees. It is started like a worker and, like a worker, forks children
that confine themselves. It tells what happened over its control socket; the self-test (selftest.py) judges.
"""

import contextlib
import ctypes
import json
import mmap
import os
import socket
import sys
import threading
from collections.abc import Callable

from autograder.judge.sandbox.confine import confine, shield

PASSED = "passed"
MANY, HUGE, SMALL_DISK = 64, 16 << 30, 1 << 30
NAMESPACES = ("cgroup", "ipc", "mnt", "net", "pid", "user", "uts")
GET_SECCOMP, FILTERED, NEW_USER_NAMESPACE = 21, 2, 0x10000000
PROBES: dict[str, Callable] = {}


def main() -> None:
    """Take the targets from the control socket, run every probe in a child, answer, and wait for the end."""
    shield()
    control, alive = (socket.socket(fileno=int(number)) for number in sys.argv[1].split(","))
    with control.makefile("r") as lines:
        targets = json.loads(lines.readline())
        results = ask(targets, probes) or {"the probes": "their process was ended"}
        results |= ask(targets, user_namespace) or {"no namespaces of its own": PASSED}  # ended for trying
        child(lambda: rest(alive), targets["work"])
        alive.close()
        control.sendall(json.dumps(results).encode() + b"\n")
        lines.readline()


def child(run: Callable[[], object], work: str | None) -> int:
    """Fork a child that confines itself and runs a function, as a worker does; return its process id."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        run() if work is None else (confine(work), run())
    finally:
        os._exit(0)


def ask(targets: dict, run: Callable[[dict, dict, tuple[str, ...]], dict]) -> dict:
    """Return what a function tells in a confined child; nothing when the child was ended."""
    reading, writing = os.pipe()
    before = {name: os.readlink(f"/proc/self/ns/{name}") for name in NAMESPACES}
    with open("/proc/self/status") as file:
        before |= dict(line.rstrip("\n").split(":\t", 1) for line in file if line.startswith("Cap"))
    with contextlib.suppress(OSError), open("/sys/fs/cgroup/memory.max") as file:  # a container's own
        before["memory.max"] = file.read().strip()

    def answer():
        os.close(reading)
        layers = confine(targets["work"])
        with open(writing, "w") as file:
            json.dump(run(targets, before, layers), file)

    pid = child(answer, None)
    os.close(writing)
    with open(reading) as file:
        text = file.read()
    os.waitpid(pid, 0)
    return json.loads(text) if text else {}


def probes(targets: dict, before: dict, layers: tuple[str, ...]) -> dict:
    """Return what each probe tells, and the layers that are in force."""
    results = {}
    for name, probe in PROBES.items():
        try:
            results[name] = probe(targets, before) or PASSED
        except (OSError, MemoryError, ValueError, RuntimeError) as error:
            results[name] = f"{type(error).__name__}: {error}"
    return results | {"layers": in_force(targets, before, layers)}


def in_force(targets: dict, before: dict, layers: tuple[str, ...]) -> list[str]:
    """Return the layers that can be seen to be in force."""
    apart = [name for name in NAMESPACES if before[name] != targets["namespaces"][name]]
    visible = []
    if apart:
        visible.append(f"own namespaces ({', '.join(apart)})")
    if os.statvfs("/").f_flag & os.ST_RDONLY and "mnt" in apart:
        visible.append("read-only root folder")
    if not unprivileged(targets, before):
        visible.append("unprivileged user")
    for layer in layers:
        is_shown = {
            "limits": lambda: not memory(targets, before),
            "seccomp": lambda: ctypes.CDLL(None).prctl(GET_SECCOMP, 0, 0, 0, 0) == FILTERED,
        }.get(layer, lambda: refused(os.listdir, "/"))
        if is_shown():
            visible.append(layer)
    return visible


def user_namespace(targets: dict, before: dict, layers: tuple[str, ...]) -> dict[str, str]:
    """Try to make a user namespace, which would give capabilities."""
    made = ctypes.CDLL(None).unshare(NEW_USER_NAMESPACE) == 0
    return {"no namespaces of its own": "a user namespace could be made" if made else PASSED}


def rest(alive: socket.socket) -> None:
    """Say that this child is there, and stay until it is killed or the other end closes."""
    alive.sendall(b".")
    alive.recv(1)


def refused(action: Callable, *arguments: object) -> bool:
    """Return whether an action is refused; undo it if not."""
    try:
        made = action(*arguments)
    except OSError:
        return True
    if hasattr(made, "close"):
        made.close()
    return False


def probe(name: str) -> Callable[[Callable], Callable]:
    """Return a decorator that adds a function to the probes; it returns what went wrong, or nothing."""

    def add(function):
        PROBES[name] = function
        return function

    return add


@probe("TCP blocked")
def tcp(targets: dict, before: dict) -> str | None:
    if not refused(socket.create_connection, ("127.0.0.1", targets["tcp"]), 0.5):
        return "a connection to this machine was made"


@probe("UDP blocked")
def udp(targets: dict, before: dict) -> None:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
        connection.sendto(b".", ("127.0.0.1", targets["udp"]))  # whether it arrives, the self-test sees


@probe("local sockets blocked")
def local_sockets(targets: dict, before: dict) -> str | None:
    for address in (targets["socket"], "\0" + targets["abstract"]):

        def connect(address=address):
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(address)

        if not refused(connect):
            return f"a process outside was reached by {'an abstract' if address[0] == chr(0) else 'a'} socket"


@probe("secret file unreadable")
def secret(targets: dict, before: dict) -> str | None:
    if not refused(open, targets["secret"]):
        return "a file outside was read"


@probe("course unreadable")
def course(targets: dict, before: dict) -> str | None:
    if not all(refused(open, path) for path in targets["course"]):
        return "a file of the course was read"


@probe("Python readable")
def python(targets: dict, before: dict) -> None:
    for folder in sys.path:
        if os.path.isdir(folder):
            os.listdir(folder)
    with open(os.__file__) as file:
        file.read(1)


@probe("writing outside refused")
def writing(targets: dict, before: dict) -> str | None:
    for folder in (targets["outside"], *targets["folders"]):  # the file has no name and is gone when it is closed
        with contextlib.suppress(OSError):
            os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o600))
            return f"a file could be made in {'a folder outside' if folder == targets['outside'] else folder}"


@probe("working folder writable")
def work(targets: dict, before: dict) -> None:
    with open(os.path.join(targets["work"], "probe"), "w") as file:
        file.write("probe")
    os.remove(file.name)


@probe("working folder capped")
def size(targets: dict, before: dict) -> str | None:
    about = os.statvfs(targets["work"])
    if about.f_blocks * about.f_frsize > SMALL_DISK:
        return "it has no limit of its own; each file has, and what the code writes is watched"


@probe("processes capped")
def processes(targets: dict, before: dict) -> str | None:
    pids: list[int] = []
    reading, writing = os.pipe()
    with contextlib.suppress(OSError):
        while len(pids) < MANY:
            pid = os.fork()
            if not pid:
                os.close(writing)
                os.read(reading, 1)  # until the parent has counted
                os._exit(0)
            pids.append(pid)
    os.close(writing)
    for pid in pids:
        os.waitpid(pid, 0)
    os.close(reading)
    if len(pids) == MANY:
        return f"{MANY} processes could be started"


@probe("threads allowed")
def threads(targets: dict, before: dict) -> None:
    done: list[int] = []
    started = [threading.Thread(target=done.append, args=(number,)) for number in range(4)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()


@probe("memory capped")
def memory(targets: dict, before: dict) -> str | None:
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0x4000)
    if not refused(lambda: mmap.mmap(-1, HUGE, flags=flags)):
        return f"{HUGE >> 30} GiB were available"


@probe("worker capped as a whole")
def whole(targets: dict, before: dict) -> str | None:
    if before.get("memory.max", "max") == "max":
        return "the memory of each process is limited, that of all together is not"


@probe("unprivileged user")
def unprivileged(targets: dict, before: dict) -> str | None:
    if 0 in os.getresuid():
        return "it is root"
    if any(int(mask, 16) for name, mask in before.items() if name in ("CapInh", "CapPrm", "CapEff", "CapAmb")):
        return "it has capabilities"


@probe("signals refused")
def signals(targets: dict, before: dict) -> str | None:
    if not refused(os.kill, targets["process"], 0):
        return "a process outside could be signalled"


@probe("/proc read-only")
def proc(targets: dict, before: dict) -> str | None:
    if not refused(open, "/proc/self/clear_refs", "w"):
        return "/proc/self/clear_refs could be opened for writing"


@probe("memory of others closed")
def memory_of_others(targets: dict, before: dict) -> str | None:
    with contextlib.suppress(OSError):
        os.close(os.open(f"/proc/{os.getppid()}/mem", os.O_RDWR))
        return "the memory of the process that all children come from could be opened"
