"""Finds the layers that this machine has, runs small pieces of harmless code in them, and Python as another user."""

import contextlib
import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.judge import scratch
from autograder.judge.sandbox import backend as backends
from autograder.judge.sandbox.bubblewrap import Bubblewrap, BundledBubblewrap
from autograder.judge.sandbox.confine import landlock
from autograder.judge.sandbox.selftest import inner_view
from tests.support import needs
from tools.course import ROOT

NOBODY = 65534
NAMESPACES = ("--unshare-net", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc")
# What a process needs that runs Python or the tests.
PLACES = sorted({Path(sys.base_prefix), Path(os.path.realpath(sys.base_prefix)), Path(sys.prefix), ROOT})
SERVER = """\
import json, os, socket, sys
sys.path += sys.argv[2:]
from autograder.judge.sandbox.confine import confine, shield
{warm}
shield()
answer = socket.socket(fileno=int(sys.argv[1]))
work = os.path.join(os.getcwd(), "child")
os.mkdir(work)
if not (pid := os.fork()):
    try:
        os.setsid()
        layers = confine(work)
        exec({code!r})
        answer.sendall(json.dumps(result).encode())
    except BaseException as error:
        answer.sendall(json.dumps(f"{{type(error).__name__}}: {{error}}").encode())
    os._exit(0)
answer.sendall(b"\\n%d" % os.waitpid(pid, 0)[1])
"""


def inside(backend, code, warm="", packages=()):
    """Run code in a confined child of a process that a backend starts.

    Parameters
    ----------
    backend : Backend
    code : str
        Sets `result`, something that JSON can hold. It sees `work` and `layers`.
    warm : str
        Imports to make before the fork.
    packages : sequence of path
        Folders to import from.

    Returns
    -------
    result : object
        Or the text of an exception; None when the child was ended.
    status : int
        What `waitpid` said of it.
    """
    with contextlib.ExitStack() as stack:
        root = stack.enter_context(scratch.folder())
        view, work = inner_view(root / "view"), root / "work"
        work.mkdir()
        ours, theirs = (stack.enter_context(end) for end in socket.socketpair())
        argv = [sys.executable, "-I", "-S", "-B", "-c", SERVER.format(warm=warm, code=code), str(theirs.fileno())]
        env = {"HOME": str(work), "MPLCONFIGDIR": str(work), "MPLBACKEND": "Agg", "OPENBLAS_NUM_THREADS": "1"}
        with open(root / "errors", "w") as errors:
            process = backend.launch([*argv, str(view), *packages], (theirs.fileno(),), env, view, work, errors)
        theirs.close()
        ours.settimeout(60)
        with ours.makefile() as lines:
            said = lines.read()
        process.wait(10)
        if "\n" not in said:
            raise OSError((root / "errors").read_text())
        result, status = said.rsplit("\n", 1)
        return json.loads(result or "null"), int(status)


def bubblewraps():
    """Return the kinds of bubblewrap that can make namespaces for this user on this machine."""
    programs = {kind: kind().program() for kind in (Bubblewrap, BundledBubblewrap)}
    commands = {kind: [program, *NAMESPACES, "true"] for kind, program in programs.items() if program}
    return [kind for kind in commands if subprocess.run(commands[kind], capture_output=True).returncode == 0]


def bubblewrap():
    """Return the first backend of these; skip the test where there is none."""
    kinds = bubblewraps()
    return kinds[0]() if kinds else pytest.skip(needs.NAMESPACES)


def reachable():
    """Return whether any user may enter all folders above the interpreter."""
    return _closed(Path(os.path.realpath(sys.executable))) is None


def as_ordinary_user(code):
    """Run Python code as a user who is not root; return what it printed."""
    command = [sys.executable, "-B", "-c", code]
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip(needs.MOUNT)
        user = [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--inh-caps=-all"]
        command = [*opened(), "setpriv", *user, *command]
    environment = {"HOME": "/", "PATH": os.defpath}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextlib.contextmanager
def landlock_alone():
    """Yield the backend Landlock. Started by root, its workers run where every user can reach Python."""
    if not landlock.version():
        pytest.skip(needs.LANDLOCK)
    where, start = opened(), backends.start
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backends, "start", lambda command, *rest: start([*where, *command], *rest))
        yield backends.Landlock()


def opened():
    """Return the start of a command of root's that runs where every user may enter the folders above `PLACES`.

    In place of each closed folder there is, for this command only, an open one in which nothing lies but the places.
    """
    closed = {folder for place in PLACES if (folder := _closed(place))}
    if not closed or os.geteuid():
        return []
    if not shutil.which("unshare") or subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        pytest.skip(needs.MOUNT)
    steps = ["umask 022"]
    for folder in sorted(closed):
        steps += ["mount -t tmpfs -o mode=755 none /mnt"]
        for place in [place for place in PLACES if folder in place.parents]:
            source, target = shlex.quote(str(place)), shlex.quote(str("/mnt" / place.relative_to(folder)))
            steps += [f"mkdir -p {target}", f"mount --bind {source} {target}"]
        steps += [f"mount --move /mnt {shlex.quote(str(folder))}"]
    return ["unshare", "--mount", "sh", "-ec", f'({"; ".join(steps)}); exec "$@"', "sh"]


def _closed(path):
    """Return the uppermost folder above a path that not every user may enter, or None."""
    return next((folder for folder in reversed(path.parents) if not folder.stat().st_mode & 0o001), None)
