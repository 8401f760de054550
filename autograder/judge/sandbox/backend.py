"""What every backend of the sandbox can do, and the two that need no other program."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any

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

    def __init__(self) -> None:
        self.layers: tuple[str, ...] = ()
        self.report: dict[str, str] = {}

    def __repr__(self):
        return f"<{type(self).__name__} {', '.join(self.layers) or 'not tested'}>"

    def __str__(self):
        return self.name

    def missing(self) -> str:
        """Return what the machine lacks for this backend, or "" when all is ready."""
        return "" if sys.platform == "linux" else f"works on Linux only, and this is {sys.platform}"

    def launch(
        self, argv: list[str], pass_fds: tuple[int, ...], env: dict[str, str], view: Path, work: Path, errors: IO[str]
    ) -> subprocess.Popen:
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
    def settings(listed: Iterable[str], read: Iterable[str | Path], processes: int | None) -> dict[str, str]:
        """Return the environment variable that tells `confine` in a child what to allow."""
        allowed = {"list": listed, "read": [*map(str, read), *paths.DEVICES], "inner": True}
        return {SETTINGS: json.dumps(allowed | {"processes": processes})}


def boot(argv: list[str], **settings: Any) -> list[str]:
    """Return the command that gives up privileges and then becomes another command."""
    return [argv[0], "-I", "-S", "-B", "-c", BOOT.read_text(encoding="utf-8"), json.dumps(settings), *argv]


def start(
    command: list[str],
    pass_fds: tuple[int, ...],
    env: Mapping[str, str],
    work: Path | str,
    errors: IO[str],
    kind: type[subprocess.Popen] = subprocess.Popen,
) -> Any:
    """Start a command with its own session, no input and no output but to `errors`."""
    nowhere = subprocess.DEVNULL
    return kind(
        command,
        stdin=nowhere,
        stdout=nowhere,
        stderr=errors,
        pass_fds=pass_fds,
        env=env,
        cwd=work,
        start_new_session=True,
    )


class Landlock(Backend):
    """The inner layers alone: Landlock, seccomp and limits in every child. No other program is needed."""

    name = "landlock"

    def launch(
        self, argv: list[str], pass_fds: tuple[int, ...], env: dict[str, str], view: Path, work: Path, errors: IO[str]
    ) -> subprocess.Popen:
        user = identity.unprivileged()
        identity.admit(user, work, view)
        listed, read = paths.split(paths.readable(argv), paths.hidden())
        env = env | self.settings(listed, read, identity.processes(alone=user is not None))
        command = [*cgroup.join(MEMORY, MANY), *boot(argv, user=user, parent=os.getpid())]
        return start(command, pass_fds, env, work, errors)


class Unprotected(Backend):
    """No sandbox: a process of its own with limits, and nothing else. Only `without_sandbox` gives it."""

    name = "none"

    def __init__(self) -> None:
        super().__init__()
        self.report = {"sandbox": "none: the code of a submission can read, write and send what this user can"}

    def missing(self) -> str:
        return ""

    def launch(
        self, argv: list[str], pass_fds: tuple[int, ...], env: dict[str, str], view: Path, work: Path, errors: IO[str]
    ) -> subprocess.Popen:
        if sys.platform == "linux":
            user = identity.unprivileged()
            identity.admit(user, work, view)
            argv = boot(argv, user=user, parent=os.getpid())
        elif os.geteuid() == 0:
            raise OSError("a worker must not run as root")
        return start(argv, pass_fds, env | {SETTINGS: UNPROTECTED}, work, errors)
