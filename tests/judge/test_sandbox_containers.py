"""Containers, without an engine: the command, the hand-over of descriptors, and a stand-in for the engine."""

import os
import socket
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path

import pytest

from autograder.judge.sandbox import containers, identity
from autograder.judge.sandbox.backend import BOOT
from autograder.judge.sandbox.containers import DOOR, IMAGE, Docker, Podman, empty_image, hand_over
from autograder.judge.sandbox.selftest import failures, self_test
from tests.support import needs
from tests.support.sandboxed import bubblewrap

pytestmark = needs.linux
# Understands the options that containers.py uses, and does with bubblewrap what an engine would do.
ENGINE = """\
#!{python}
import os, sys
if sys.argv[1] != "run":
    sys.exit(sys.argv[1] == "image")  # there is no image yet; "import" and "kill" succeed
given, options, command = sys.argv[2:], {{}}, []
while (option := given.pop(0)) != "{image}":
    option, equals, value = option.partition("=")
    if option not in ("--rm", "--read-only"):
        options.setdefault(option, []).append(value if equals else given.pop(0))
for mount in options["--mount"]:
    mount = dict(part.partition("=")[::2] for part in mount.split(","))
    command += ["--ro-bind", mount["source"], mount["target"]]
for variable in options["--env"]:
    command += ["--setenv", *variable.split("=", 1)]
(work,), ((tmpfs, _, _),) = options["--workdir"], (text.partition(":") for text in options["--tmpfs"])
command += ["--tmpfs", tmpfs, "--remount-ro", "/", "--chdir", work, "--cap-drop", *options["--cap-drop"]]
run = ["{bwrap}", "--unshare-user", "--uid", "1234", "--gid", "1234", "--unshare-net", "--unshare-pid", "--unshare-ipc"]
run += ["--die-with-parent", "--proc", "/proc", "--dev", "/dev"]
os.execv("{bwrap}", [*run, *command, "--", *given])
"""


@pytest.fixture
def engine(tmp_path, monkeypatch):
    """Podman, played by a script."""
    script = tmp_path / "podman"
    script.write_text(ENGINE.format(python=sys.executable, image=IMAGE, bwrap=bubblewrap().program()))
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return Podman()


def test_a_worker_in_a_container_passes(engine):
    assert engine.missing() == ""
    assert failures(self_test(engine)) == []
    assert engine.layers[0].startswith("own namespaces")
    assert {"seccomp", "limits", "unprivileged user"} <= set(engine.layers)


def test_an_engine_that_cannot_start_says_so(engine, tmp_path):
    (tmp_path / "podman").write_text("#!/bin/sh\necho no permission to use the engine >&2\nexit 125\n")
    assert engine.missing() == "no permission to use the engine"
    assert failures(self_test(engine)) == ["start: no permission to use the engine"]


def command(engine, tmp_path, **changes):
    told = {"name": "worker-1", "read": [Path("/usr/lib"), tmp_path], "hidden": [], "env": {"HOME": "/x"}}
    told |= {"work": tmp_path / "work", "door": "/door-here"} | changes
    return engine.command(*told.values())


@pytest.mark.parametrize("engine", [Podman(), Docker()])
def test_a_container_has_limits_and_no_network(engine, tmp_path):
    made = command(engine, tmp_path)
    text = " ".join(made)
    assert made[:3] == [engine.name, "run", "--rm"]
    assert made[-1] == IMAGE
    for part in (
        "--network none",
        "--read-only",
        "--cap-drop ALL",
        "--security-opt no-new-privileges",
        "--pull never",
        f"--pids-limit {identity.PROCESSES}",
        f"--memory {3 << 30} --memory-swap {3 << 30}",
        f"--mount=type=bind,source={tmp_path},target={tmp_path},readonly",
        f"--mount=type=bind,source=/door-here,target={DOOR},readonly",
        f"--tmpfs {tmp_path / 'work'}:rw,nosuid,nodev,noexec,mode=1777,size={64 << 20}",
        "--env=HOME=/x",
    ):
        assert part in text
    user, _, group = made[made.index("--user") + 1].partition(":")
    assert user == group
    assert int(user) > 1000
    assert not [part for part in made if part.startswith("--mount=type=bind") and "readonly" not in part]


def test_a_bound_folder_masks_the_course(tmp_path):
    made = command(Docker(), tmp_path, hidden=[tmp_path / "course", Path("/elsewhere/course")])
    masks = [part for part in made if "type=tmpfs" in part]
    assert masks == [f"--mount=type=tmpfs,destination={tmp_path / 'course'},tmpfs-size=4096"]
    assert made.index(masks[0]) > made.index(f"--mount=type=bind,source={tmp_path},target={tmp_path},readonly")


def test_the_image_is_empty():
    with tarfile.open(fileobj=BytesIO(empty_image())) as image:
        assert image.getnames() == []


def test_descriptors_keep_the_requested_numbers(tmp_path):
    ours, theirs = zip(*(socket.socketpair() for _ in range(2)), strict=True)
    path = str(tmp_path / "door")
    code = BOOT.read_text().removesuffix("main()\n")
    code += f"fetch({path!r}, [4, 3]); os.write(4, b'four'); os.write(3, b'three')"
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(path)
        door.listen()
        with subprocess.Popen([sys.executable, "-c", code]) as process:
            hand_over(door, process, [end.fileno() for end in theirs])
    for end in theirs:
        end.close()
    assert [end.recv(9) for end in ours] == [b"four", b"three"]
    for end in ours:
        end.close()


def test_a_failing_or_silent_engine_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(containers, "SECONDS_TO_START", 0.3)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(tmp_path / "door"))
        door.listen()
        with subprocess.Popen(["false"]) as process, pytest.raises(OSError, match="ended with status 1"):
            hand_over(door, process, [0])
        with subprocess.Popen(["sleep", "9"]) as process:
            with pytest.raises(OSError, match="does not answer within"):
                hand_over(door, process, [0])
            process.kill()
