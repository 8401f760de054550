"""What every backend of the sandbox can do, and the two that need no other program."""

import json
import os
import subprocess
import sys
from pathlib import Path

from autograder.judge.sandbox import cgroup, identity, paths
from autograder.judge.sandbox.confine import SETTINGS

MEMORY = 3 << 30  # bytes of all workers of a process together, where a cgroup or a container counts them
MANY = 256  # processes and threads, likewise
BOOT = Path(__file__).with_name("boot.py")
UNPROTECTED = json.dumps({"list": [], "read": [], "inner": False, "processes": None})


class Backend:
    """A way to start a worker in a sandbox.

    Attributes
    ----------
    name : str
    layers : tuple of str
        What was found to be in force, from inside.
    report : dict
        The name of each probe of the self-test, and "passed" or what happened.
    """

    name = ""

    def __init__(self):
        self.layers = ()
        self.report = {}

    def __repr__(self):
        return f"<{type(self).__name__} {', '.join(self.layers) or 'not tested'}>"

    def __str__(self):
        return self.name

    def missing(self):
        """Return what the machine lacks for this backend, or "" when all is ready."""
        return "" if sys.platform == "linux" else f"works on Linux only, and this is {sys.platform}"

    def launch(self, argv, pass_fds, env, view, work, errors):
        """Start a worker.

        It ends when the thread that calls this function ends.

        Parameters
        ----------
        argv : list of str
            Python with its options, the descriptor of the control socket, and the folders to import from.
        pass_fds : tuple of int
        env : dict
            The whole environment.
        view : Path
            What the worker may read of the course, beside Python and the installed packages.
        work : Path
            Its empty working folder, the only one that it may write to.
        errors : file
            Takes what it says on stderr before it is ready.

        Returns
        -------
        subprocess.Popen
        """
        raise NotImplementedError

    @staticmethod
    def settings(listed, read, processes):
        """Return the environment variable that tells `confine` in a child what to allow."""
        allowed = {"list": listed, "read": [*map(str, read), *paths.DEVICES], "inner": True}
        return {SETTINGS: json.dumps(allowed | {"processes": processes})}


def boot(argv, **settings):
    """Return the command that gives up privileges and then becomes another command."""
    return [argv[0], "-I", "-S", "-B", "-c", BOOT.read_text(encoding="utf-8"), json.dumps(settings), *argv]


def start(command, pass_fds, env, work, errors, kind=subprocess.Popen):
    """Start a command with its own session, no input and no output but to `errors`."""
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": errors}
    return kind(command, pass_fds=pass_fds, env=env, cwd=work, start_new_session=True, **quiet)


class Landlock(Backend):
    """The inner layers alone: Landlock, seccomp and limits in every child. No other program is needed."""

    name = "landlock"

    def launch(self, argv, pass_fds, env, view, work, errors):
        user = identity.unprivileged()
        identity.admit(user, work, view)
        listed, read = paths.split(paths.readable(argv), paths.hidden())
        env = env | self.settings(listed, read, identity.processes(alone=user is not None))
        command = [*cgroup.join(MEMORY, MANY), *boot(argv, user=user, parent=os.getpid())]
        return start(command, pass_fds, env, work, errors)


class Unprotected(Backend):
    """No sandbox: a process of its own with limits, and nothing else. Only `without_sandbox` gives it."""

    name = "none"

    def __init__(self):
        super().__init__()
        self.report = {"sandbox": "none: the code of a submission can read, write and send what this user can"}

    def missing(self):
        return ""

    def launch(self, argv, pass_fds, env, view, work, errors):
        if sys.platform == "linux":
            user = identity.unprivileged()
            identity.admit(user, work, view)
            argv = boot(argv, user=user, parent=os.getpid())
        elif os.geteuid() == 0:
            raise OSError("a worker must not run as root")
        return start(argv, pass_fds, env | {SETTINGS: UNPROTECTED}, work, errors)
