"""The outer layer made by Podman or Docker, for machines where bubblewrap may not make namespaces.

The container has no image of its own: into an empty one the same folders of this machine are bound that bubblewrap
shows. So a worker has the same Python and the same packages everywhere, and nothing is downloaded. A container inherits
no descriptors; its boot fetches them over a socket in a folder that is bound, too. So the engine has to run on this
kernel, not in a virtual machine.
"""

import contextlib
import io
import os
import secrets
import shutil
import socket
import subprocess
import tarfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO

from autograder.judge import scratch
from autograder.judge.sandbox import identity, paths
from autograder.judge.sandbox.backend import MEMORY, Backend, boot, start
from autograder.judge.sandbox.confine.limits import FOLDER

IMAGE = "localhost/transformer-course:1"
NOBODY = 65534
SECONDS_TO_START, SECONDS_TO_ASK = 30, 60
DOOR = "/door"  # where the folder with the socket is bound


class Container(Backend):
    """A container around the warm worker, and the inner layers in every child."""

    def missing(self) -> str:
        if lack := super().missing():
            return lack
        if not shutil.which(self.name):
            return f"the program {self.name} is not installed"
        if not self.run("image", "inspect", IMAGE):
            return ""
        return self.run("import", "-", IMAGE, given=empty_image())

    def run(self, *arguments: str, given: bytes = b"") -> str:
        """Run a command of the engine; return "" or what went wrong."""
        try:
            command = [self.name, *arguments]
            done = subprocess.run(command, input=given, capture_output=True, timeout=SECONDS_TO_ASK)
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        output = done.stderr.decode(errors="replace").strip()
        return "" if done.returncode == 0 else output or f"{self.name} ended with status {done.returncode}"

    def launch(
        self, argv: list[str], pass_fds: tuple[int, ...], env: dict[str, str], view: Path, work: Path, errors: IO[str]
    ) -> "Running":
        read, name = paths.readable(argv), f"transformer-course-{secrets.token_hex(8)}"
        env = env | self.settings([], read, processes=None)
        with scratch.folder() as folder, socket.socket(socket.AF_UNIX) as door:
            folder.chmod(0o711)
            door.bind(f"{folder}/socket")
            os.chmod(f"{folder}/socket", 0o666)
            door.listen(1)
            command = self.command(name, read, paths.hidden(), env, Path(work), folder)
            argv = boot(argv, user=None, connect=[f"{DOOR}/socket", list(pass_fds)])
            process = start([*command, *argv], (), os.environ, "/", errors, Running)
            process.end = lambda: self.run("kill", name)
            try:
                hand_over(door, process, pass_fds)
            except BaseException:
                process.kill()
                process.wait()
                raise
        return process

    def command(
        self, name: str, read: Sequence[Path], hidden: Iterable[Path], env: Mapping[str, str], work: Path, door: Path
    ) -> list[str]:
        """Return the call of the engine up to the command to run."""
        user = identity.unprivileged() or NOBODY
        limits = ["--pids-limit", str(identity.PROCESSES), "--memory", str(MEMORY), "--memory-swap", str(MEMORY)]
        options = [
            *("run", "--rm", "--name", name, "--pull", "never", "--log-driver", "none", "--network", "none"),
            *("--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"),
            *("--security-opt", "label=disable", "--user", f"{user}:{user}", "--hostname", "worker"),
            *("--workdir", str(work), "--tmpfs", f"{work}:rw,nosuid,nodev,noexec,mode=1777,size={FOLDER}"),
        ]
        masked = [folder for folder in hidden if any(path in folder.parents for path in read)]
        mounts = [f"type=bind,source={os.path.realpath(path)},target={path},readonly" for path in read]
        mounts += [f"type=bind,source={door},target={DOOR},readonly"]
        mounts += [f"type=tmpfs,destination={folder},tmpfs-size=4096" for folder in masked]
        given = [f"--env={name}={value}" for name, value in env.items()]
        return [self.name, *options, *limits, *(f"--mount={mount}" for mount in mounts), *given, IMAGE]


class Podman(Container):
    """Podman, which needs no daemon and no root."""

    name = "podman"


class Docker(Container):
    """Docker."""

    name = "docker"


class Running(subprocess.Popen):
    """The engine's client; the container that it started ends with it."""

    end: Callable[[], str]  # stops the container

    def kill(self) -> None:
        self.end()
        super().kill()


def empty_image() -> bytes:
    """Return an image with nothing in it."""
    buffer = io.BytesIO()
    tarfile.open(fileobj=buffer, mode="w").close()
    return buffer.getvalue()


def hand_over(door: socket.socket, process: subprocess.Popen, descriptors: Iterable[int]) -> None:
    """Send descriptors to the boot when it knocks; OSError when it does not."""
    door.settimeout(0.1)
    until = time.monotonic() + SECONDS_TO_START
    while True:
        with contextlib.suppress(TimeoutError):
            connection = door.accept()[0]
            break
        if process.poll() is not None:
            raise OSError(f"the container ended with status {process.returncode}")
        if time.monotonic() > until:
            raise OSError(f"the container does not answer within {SECONDS_TO_START} s")
    with connection:
        connection.settimeout(SECONDS_TO_START)
        socket.send_fds(connection, [b"."], list(descriptors))
        connection.recv(1)  # until it has taken them
