"""The self-test: starts a process the way a worker is started, and finds out what it can and cannot do."""

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import autograder
import transformer_kit
from autograder.file_errors import is_full
from autograder.judge import scratch
from autograder.judge.sandbox import cgroup
from autograder.judge.sandbox.backend import Backend
from autograder.judge.sandbox.probe import NAMESPACES, PASSED

HERE = Path(__file__).parent
START = "import sys; sys.path += sys.argv[2:]; import probe; probe.main()"
FOLDERS = ("/", "/dev", "/dev/shm", "/home", "/proc", "/run", "/tmp", "/usr", "/var/tmp")
NOT_REQUIRED = {"working folder capped", "worker capped as a whole"}
SECONDS, SECONDS_TO_DIE = 30, 10
MAX_SOCKET_PATH = 107  # bytes; the system takes no more


def self_test(backend: Backend) -> dict[str, str]:
    """Try out a backend; its `layers` and `report` tell the result, which is the same each time on one machine.

    Parameters
    ----------
    backend : Backend

    Returns
    -------
    dict
        The report: the name of each probe, and "passed" or what happened.
    """
    with contextlib.ExitStack() as stack:
        root = stack.enter_context(scratch.folder())
        try:
            results = _probe(backend, root, stack)
        except (OSError, ValueError) as error:
            if is_full(str(error)):  # of which no sandbox is the cause
                raise
            errors_text = (root / "errors").read_text(errors="replace").strip() if (root / "errors").exists() else ""
            results = {"layers": (), "start": errors_text[-500:] or str(error)}
    layers = results.pop("layers", ())
    backend.layers = tuple(layers)
    backend.report = {"start": PASSED} | results
    return backend.report


def failures(report: Mapping[str, str]) -> list[str]:
    """Return the required probes of a report that did not pass, as sentences."""
    return [f"{name}: {text}" for name, text in report.items() if text != PASSED and name not in NOT_REQUIRED]


def inner_view(folder: Path) -> Path:
    """Copy `confine` into a folder from which a process can import it; return the folder."""
    package = Path(folder, "autograder", "judge", "sandbox")
    shutil.copytree(HERE / "confine", package / "confine", ignore=shutil.ignore_patterns("__pycache__"))
    for parent in (package, package.parent, package.parent.parent):
        (parent / "__init__.py").touch()
    return Path(folder)


def _probe(backend, root, stack):
    """Start the probe process, tell it the targets, and return what it and the test found."""
    view = inner_view(root / "view")
    work = root / "work"
    outside = root / "outside"
    shutil.copy(HERE / "probe.py", view)
    for folder in (work, outside):
        folder.mkdir()
    for folder, mode in ((root, 0o755), (outside, 0o777)):
        folder.chmod(mode)
    listeners, targets = _targets(outside, stack)
    (ours, control), (alive, theirs) = socket.socketpair(), socket.socketpair()
    for each in (ours, control, alive, theirs):
        stack.callback(each.close)
    ours.settimeout(SECONDS)  # not the other ends: a process that inherits one shares its mode
    alive.settimeout(SECONDS)
    packages = [folder for folder in sys.path if folder.endswith("-packages")]
    numbers = (control.fileno(), theirs.fileno())
    argv = [sys.executable, "-I", "-S", "-B", "-c", START, ",".join(map(str, numbers)), str(view), *packages]
    env = {"HOME": str(work), "LANG": "C.UTF-8", "PATH": os.defpath}
    with open(root / "errors", "w") as errors:
        process = stack.enter_context(_ended(backend.launch(argv, numbers, env, view, work, errors)))
    control.close()
    theirs.close()
    ours.sendall(json.dumps(targets | {"work": str(work)}).encode() + b"\n")
    with ours.makefile("r") as lines:
        results = json.loads(lines.readline() or "null")
    if results is None:
        raise ConnectionError("the process ended before it answered")
    if cgroup.limited(process.pid):
        results |= {"worker capped as a whole": PASSED, "layers": [*results.get("layers", ()), "cgroup"]}
    results |= {f"{name} blocked": "something arrived" for name, listener in listeners.items() if _arrived(listener)}
    return results | {"orphans die": _orphan(process, alive)}


def _targets(outside, stack):
    """Make what the probes must not reach; return the listeners by name, and the targets."""
    door = outside / "socket"
    if len(bytes(door)) > MAX_SOCKET_PATH:
        door = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/tmp"))) / "socket"
        door.parent.chmod(0o711)
    kinds = {
        "TCP": (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
        "UDP": (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
        "file": (socket.AF_UNIX, socket.SOCK_STREAM, str(door)),
        "abstract": (socket.AF_UNIX, socket.SOCK_STREAM, "\0" + secrets.token_hex(16)),
    }
    listeners = {}
    for name, (family, kind, address) in kinds.items():
        listeners[name] = stack.enter_context(socket.socket(family, kind))
        listeners[name].bind(address)
        listeners[name].setblocking(False)
        if kind == socket.SOCK_STREAM:
            listeners[name].listen()
    door.chmod(0o777)
    (outside / "secret").write_text("secret")
    (outside / "secret").chmod(0o644)
    targets = {
        "tcp": listeners["TCP"].getsockname()[1],
        "udp": listeners["UDP"].getsockname()[1],
        "socket": str(door),
        "abstract": kinds["abstract"][2][1:],
        "secret": str(outside / "secret"),
        "outside": str(outside),
        "folders": FOLDERS,
        "course": [os.path.realpath(module.__file__) for module in (autograder, transformer_kit)],
        "process": os.getpid(),
        "namespaces": {name: os.readlink(f"/proc/self/ns/{name}") for name in NAMESPACES},
    }
    return {name: listeners[name] for name in ("TCP", "UDP")}, targets


def _arrived(listener):
    """Return whether anything reached a listener."""
    with contextlib.suppress(BlockingIOError):
        if listener.type == socket.SOCK_STREAM:
            connection, _ = listener.accept()
            connection.close()
        else:
            listener.recv(1)
        return True
    return False


def _orphan(process, alive):
    """Kill a process and tell whether the child that it left, which holds the other end of a socket, dies, too."""
    if alive.recv(1) != b".":
        return "the child did not start"
    process.kill()
    alive.settimeout(SECONDS_TO_DIE)
    try:
        return PASSED if alive.recv(1) == b"" else "the child answered"
    except TimeoutError:
        return "a child lived on"


@contextlib.contextmanager
def _ended(process):
    """Kill a process in the end."""
    try:
        yield process
    finally:
        process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(SECONDS_TO_DIE)
