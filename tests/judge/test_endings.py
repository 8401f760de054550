"""How a child ends: described in a word, and at the cost of one exercise only; nothing is left behind by anybody."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from autograder.evaluation.evaluate import evaluate
from autograder.judge import scratch
from autograder.judge.pool import Worker
from autograder.judge.server import BOOT, WorkerError, ending_of
from autograder.judge.worker.serve import ALIVE
from tests.support import needs
from tests.support.claimed import claim_of
from tests.support.judging import cells, exercise, unit, verdict

pytestmark = needs.linux
SECOND = unit(2)
SOFTMAX, BACKWARD = (exercise(SECOND, name) for name in ("softmax", "softmax_backward"))
RIGHT = cells(SECOND)


ENDINGS = {
    "an exit status": ("os._exit(3)", "killed", "ended with exit status 3"),
    "a signal": ("ctypes.string_at(0)", "killed", "was ended by SIGSEGV"),
    "a loop": ("endless()", "timeout", "a call took too long"),
    "a loop in compiled code": ("max(range(10 ** 12))", "timeout", "it took too long"),
    "a closed connection": ("[os.close(3), time.sleep(9)]", "killed", "closed its connection"),
    "a forged frame": ("os.write(3, bytes(99))", "forged", "no frame"),
    "no memory": ("np.ones((10 ** 6, 10 ** 6))", "", ""),
}
ENDS = """
import ctypes, os, time
import numpy as np
def endless():
    while True: pass
def softmax(x, axis=-1):
    return {}
"""


def soon(cases, *later):
    """Return cases as parameters; those of the later ones are tried by `make test-all` only."""
    marks = {name: pytest.mark.exhaustive if name in later else () for name in cases}
    return [pytest.param(case, id=name, marks=marks[name]) for name, case in cases.items()]


@pytest.mark.parametrize("ending", soon(ENDINGS, "a loop in compiled code", "a closed connection"))
def test_how_a_child_ended_is_told(worker, ending, monkeypatch):
    """In one word for the record and in a sentence; it costs the exercise, and the next one nothing."""
    code, ended, note = ending
    monkeypatch.setattr("autograder.judge.remote.GRACE", 0.5)
    with worker.child(SECOND, SOFTMAX, [ENDS.format(code)]) as runner:
        result = evaluate(SOFTMAX, runner)
    assert (result.points, runner.ended) == (0, ended)
    assert note in runner.note
    assert verdict(worker, SECOND, SOFTMAX, RIGHT).points == SOFTMAX.points


def test_a_loop_in_one_case_costs_its_claim(worker):
    """As in a notebook."""
    source = "import numpy as np\ndef softmax(x, axis=-1):\n    while axis != -1: pass\n"
    source += "    e = np.exp(x - x.max(-1, keepdims=True))\n    return e / e.sum(-1, keepdims=True)"
    with worker.child(SECOND, SOFTMAX, [source]) as runner:
        result = evaluate(SOFTMAX, runner)
    assert 0 < result.points < SOFTMAX.points
    assert runner.ended == "timeout"


@pytest.mark.exhaustive
def test_an_alarm_that_cells_took_is_restored(worker):
    """Their calls are stopped all the same."""
    source = "import signal\nsignal.signal(signal.SIGALRM, lambda *_: None)\nsignal.alarm(1)"
    loop = "import numpy as np\ndef softmax(x, axis=-1):\n    while axis != -1: pass\n"
    loop += "    e = np.exp(x - x.max(-1, keepdims=True))\n    return e / e.sum(-1, keepdims=True)"
    with worker.child(SECOND, SOFTMAX, [source, loop]) as runner:
        result = evaluate(SOFTMAX, runner)
    assert 0 < result.points < SOFTMAX.points
    assert "a call took too long" in runner.note  # otherwise it ends the child


def test_memory_of_the_engine_is_not_the_learners(worker):
    """A MemoryError of the function is an exception; one where its result is sent is the end of the child."""
    source = "import numpy as np\ndef softmax(x, axis=-1):\n    raise MemoryError('mine')"
    assert "mine" in verdict(worker, SECOND, SOFTMAX, [source]).results[0].message
    short = """if True:
        import resource
        import numpy as np
        held = []
        def softmax(x, axis=-1):
            resource.setrlimit(resource.RLIMIT_AS, (1, 1))
            try:
                while True:
                    held.append(bytearray(1 << 16))  # what the process has already and would use again
            except MemoryError:
                return np.broadcast_to(1.0, (500, 500))
    """
    with worker.child(SECOND, SOFTMAX, [short]) as runner:
        assert evaluate(SOFTMAX, runner).points == 0
    assert runner.ended == "memory"


@pytest.mark.parametrize(
    ("status", "peak", "kind"),
    [(9, 1 << 30, "memory"), (9, 0, "killed"), (11, 1 << 30, "killed"), (77 << 8, 0, "memory"), (ALIVE, 1 << 30, "")],
)
def test_kernel_kills_are_recognised_by_the_memory(status, peak, kind):
    assert ending_of(status, peak).kind == kind


def test_a_server_that_died_meanwhile_is_started_again(worker):
    verdict(worker, SECOND, SOFTMAX, RIGHT)
    worker.servers[SECOND.id].process.kill()
    worker.servers[SECOND.id].process.wait()
    assert verdict(worker, SECOND, SOFTMAX, RIGHT).points == SOFTMAX.points


def instead(code):
    """Return what starts some other program in the place of a worker."""

    def launch(argv, pass_fds, env, view, work, errors):
        return subprocess.Popen(
            [sys.executable, "-c", code, *argv[argv.index(BOOT) + 1 :]], pass_fds=pass_fds, stderr=errors
        )

    return launch


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("raise SystemExit('no numpy here')", "no numpy here"),
        ("import os, sys; os.write(int(sys.argv[1]), b'R')", "does not stay alive"),
        ("import os, sys; os.write(int(sys.argv[1]), b'X')", "does not start"),
    ],
)
def test_a_worker_that_cannot_start_says_why(code, message):
    """This is not the submission's fault, so there is no verdict."""
    with Worker(instead(code)) as worker, pytest.raises(WorkerError, match=message):
        verdict(worker, SECOND, SOFTMAX, RIGHT)


def test_no_code_runs_in_an_unconfined_child(backend, tmp_path):
    """The settings of the sandbox are missing."""

    def unsettled(argv, pass_fds, env, view, work, errors):
        path = str(view / "autograder" / "judge" / "sandbox" / "confine" / "__init__.py")
        with open(path, "a") as file:
            file.write("def confine(work):\n    raise OSError('no such layer')\n")
        return backend.launch(argv, pass_fds, env, view, work, errors)

    with Worker(unsettled) as worker, pytest.raises(WorkerError, match="cannot be confined: OSError: no such layer"):
        verdict(worker, SECOND, SOFTMAX, RIGHT)


def test_a_worker_lost_midway_is_no_zero(worker):
    """A machine fault while a claim is being tried is raised to the caller, and is not scored as zero."""

    def lost(*args):
        raise WorkerError("out of processes")

    child = worker.child(SECOND, BACKWARD, RIGHT)
    runner = child.__enter__()
    runner.fork = lost
    evaluate(BACKWARD, runner)
    with pytest.raises(WorkerError, match="out of processes"):
        child.__exit__(None, None, None)


def test_nothing_passes_from_one_child_to_the_next(worker):
    """Every child has an empty folder of its own, and cannot see what another one left."""
    leave = "import os\nopen('left', 'w').write('x')\nos.makedirs('deep/er')\nopen('deep/er/x', 'w')\n"
    check = "assert not os.listdir('.') and os.listdir('..') == [os.path.basename(os.getcwd())]\n"
    source = f"import os\ntry:\n    {check}except PermissionError:\n    pass\n{leave}{RIGHT[1]}"
    for _ in range(3):
        with worker.child(SECOND, SOFTMAX, [RIGHT[0], source]) as runner:
            assert evaluate(SOFTMAX, runner).points == SOFTMAX.points


@pytest.mark.exhaustive
def test_at_most_two_servers_are_kept(backend):
    """Those of the two units used last."""
    with Worker(backend.launch) as worker:
        for number in (2, 3, 2, 4):
            found = unit(number)
            verdict(worker, found, found.exercises[0], cells(found))
        assert list(worker.servers) == [unit(2).id, unit(4).id]
        roots = [server.root for server in worker.servers.values()]
        pids = [server.process.pid for server in worker.servers.values()]
        assert all(root.is_dir() for root in roots)
    assert not any(root.exists() for root in roots)
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


JACOBIAN = """
import numpy as np
def softmax_backward(p, d_p, axis=-1):
    p, d_p = np.moveaxis(p, axis, -1), np.moveaxis(d_p, axis, -1)
    jacobian = p[..., :, None] * np.eye(p.shape[-1], dtype=p.dtype) - p[..., :, None] * p[..., None, :]
    answer = np.moveaxis((jacobian @ d_p[..., None])[..., 0], -1, axis)
    del jacobian
    forget()
    return answer
def forget(): pass
"""
HIDING = {
    "nothing": "",
    "tracemalloc": "import tracemalloc\ntracemalloc.get_traced_memory = lambda: (0, 0)",
    "a peak before": "before = np.ones(50_000_000)\ndel before\nsoftmax_backward.x = 'before'",
    "the kernel's account": """
def forget():
    try:
        open("/proc/self/clear_refs", "w").write("5")
    except OSError:
        pass
""",
    "memory kept": """
kept = np.ones((4096, 4096))
def softmax_backward(p, d_p, axis=-1):
    if p.ndim > 1:
        return p * (d_p - (p * d_p).sum(axis, keepdims=True))
    jacobian = np.multiply(p[:, None], p[None, :], out=kept[: len(p), : len(p)])
    return p * d_p - jacobian @ d_p
""",
}


@pytest.mark.parametrize("code", soon(HIDING, "tracemalloc", "a peak before"))
def test_a_jacobian_cannot_be_hidden(worker, code):
    """Its memory is counted by the kernel, whatever the process does and says."""
    result = verdict(worker, SECOND, BACKWARD, [JACOBIAN, code])
    assert [r.name for r in result.results if not r.passed] == [claim_of("softmax_backward", "memory").name]


def test_memory_of_unneeded_cells_is_not_counted(worker):
    """Someone tries the Jacobian beside the function."""
    beside = "J = np.ones((4096, 4096)) * 2\nprint(J.sum())"
    result = verdict(worker, SECOND, BACKWARD, [RIGHT[0], beside, *RIGHT[1:], beside])
    assert result.points == BACKWARD.points


@pytest.mark.exhaustive
def test_the_measured_memory_has_a_margin(worker):
    """Twenty times: next to nothing for the right function, nearly all of the Jacobian for the wrong one."""
    right, wrong = [], []
    for peaks, source in ((right, RIGHT), (wrong, [JACOBIAN])):
        for _ in range(20):
            with worker.child(SECOND, BACKWARD, source) as runner:

                def spy(args, kwargs, measure_memory=False, runner=runner, peaks=peaks):
                    outcome = runner(args, kwargs, measure_memory)
                    peaks.extend([outcome.peak_bytes] * measure_memory)
                    return outcome

                evaluate(BACKWARD, spy)
    assert right == [0] * 20
    assert min(wrong) > 100e6


@pytest.mark.exhaustive
def test_a_server_does_not_grow(backend):
    """Over 300 children: neither its memory, nor its descriptors, nor zombies, nor folders."""
    with Worker(backend.launch) as worker:
        for number in range(300):
            verdict(worker, SECOND, SOFTMAX, RIGHT)
            if number == 20:
                before = state(worker.servers[SECOND.id].process.pid)
        after = state(worker.servers[SECOND.id].process.pid)
    assert len(os.listdir("/proc/self/fd")) < 60
    assert after[1:] == before[1:]
    assert after[0] - before[0] < 2 << 20


def state(pid):
    """Return the resident bytes of a process and its descendants, how many they are, and their open descriptors."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents.setdefault(int(fields[1]), []).append((int(name), int(fields[21]) * os.sysconf("SC_PAGE_SIZE")))
    family, waiting = [], [(pid, 0)]
    while waiting:
        family.append(waiting.pop())
        waiting += parents.get(family[-1][0], [])
    return sum(size for _, size in family), len(family), sum(len(os.listdir(f"/proc/{one}/fd")) for one, _ in family)


def test_the_folder_of_a_killed_judge_is_removed(tmp_path, monkeypatch):
    """Of one that is alive it stays."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for name in (f"judge-{ended.pid}-abc", f"judge-{os.getpid()}-abc", "judge-of-a-contest"):
        (tmp_path / name / "work").mkdir(parents=True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    scratch.remove_left_over()
    assert {path.name for path in tmp_path.iterdir()} == {f"judge-{os.getpid()}-abc", "judge-of-a-contest"}


def test_the_folder_of_another_user_stays(tmp_path, monkeypatch):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    (tmp_path / f"judge-{ended.pid}-abc").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("os.geteuid", lambda: tmp_path.stat().st_uid + 1)
    scratch.remove_left_over()
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_that_cannot_be_removed_stops_nothing(tmp_path, monkeypatch):
    """Not even on a machine that has no program to remove it with."""
    (tmp_path / "kept").mkdir()
    monkeypatch.setattr("shutil.rmtree", lambda folder, ignore_errors: None)
    monkeypatch.setenv("PATH", str(tmp_path / "no programs"))
    scratch.remove(tmp_path / "kept")
    assert (tmp_path / "kept").exists()


SELF_TEST = """
import time
from autograder.judge.sandbox import selftest


class Stuck:
    def launch(self, *arguments):
        print("at work", flush=True)
        time.sleep(60)


selftest.self_test(Stuck())
"""


def test_the_folder_of_a_killed_test_is_removed(monkeypatch):
    argv = [sys.executable, "-c", SELF_TEST]
    with tempfile.TemporaryDirectory() as name:  # the path of a socket must be short
        with subprocess.Popen(argv, env=os.environ | {"TMPDIR": name}, stdout=subprocess.PIPE) as process:
            assert process.stdout.readline() == b"at work\n"
            process.kill()
        assert len(list(Path(name).glob("judge-*/view/probe.py"))) == 1
        monkeypatch.setattr("tempfile.tempdir", name)
        scratch.remove_left_over()
        assert list(Path(name).iterdir()) == []
