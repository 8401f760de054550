"""Runs small pieces of harmless code in a sandbox, and Python as another user."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from autograder.judge.sandbox.selftest import inner_view
from tests.course import ROOT

SYSTEM_PYTHON = "/usr/bin/python3"
NOBODY = 65534
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
        root = Path(tempfile.mkdtemp(prefix="judge-"))
        stack.callback(shutil.rmtree, root, ignore_errors=True)
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


def reachable(path=None):
    """Tell whether any user may enter all folders above a file: the interpreter, unless another is named."""
    path = Path(os.path.realpath(path or sys.executable))
    return all(folder.stat().st_mode & 0o001 for folder in path.parents)


def as_ordinary_user(code):
    """Run Python code as a user who is not root; return what it printed."""
    command = [sys.executable, "-B", "-c", code]
    options = {"capture_output": True, "text": True, "cwd": ROOT, "timeout": 120}
    if os.geteuid() == 0:
        options |= {"user": NOBODY, "group": NOBODY, "extra_groups": []} if reachable() else {}
        command = command if reachable() else [*_opened(), *command]
    done = subprocess.run(command, env={"HOME": "/", "PATH": os.defpath}, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _opened():
    """Return the start of a command that shows the interpreter's folder to an ordinary user, and becomes that user."""
    if not shutil.which("bwrap") or not shutil.which("setpriv"):
        pytest.skip("the Python of this environment lies where an ordinary user cannot enter")
    prefix = Path(sys.base_prefix)
    closed = next(folder for folder in reversed(prefix.parents) if not folder.stat().st_mode & 0o001)
    steps = ["--perms", "0755", "--tmpfs", str(closed)]
    for folder in sorted(prefix.parents):
        if closed in folder.parents:
            steps += ["--perms", "0755", "--dir", str(folder)]
    user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--inh-caps=-all"]
    return ["bwrap", "--dev-bind", "/", "/", *steps, "--ro-bind", str(prefix), str(prefix), "--", *user]
