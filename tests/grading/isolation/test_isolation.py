"""Work in forks of a clean process: whatever becomes of one piece of work, the next one finds nothing of it."""

import json
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from autograder.grading.isolation import client
from autograder.grading.isolation.client import ForkServer, NoAnswer
from tools.course import ROOT

LARGE = "é" * 3_000_000  # more than any buffer between two processes holds


@pytest.fixture(scope="module")
def server():
    """A server for odd work; `server.odd(value, seconds)` asks it."""
    server = ForkServer("tests.support.odd_work")
    server.odd = lambda *value, seconds=20, name="odd": server.ask(
        json.dumps([name, [], seconds]).encode(), json.dumps(value).encode()
    )
    yield server
    server.close()


def test_nothing_survives_from_one_submission_to_another(server):
    for number in range(3):
        assert server.odd("plain", number, LARGE) == {"before": [], "closed": 0, "rest": [number, LARGE]}


def test_nothing_is_imported_from_the_current_folder(tmp_path, monkeypatch):
    """Submissions may lie there, and beside them files that are called like modules."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "socket.py").write_text("raise SystemExit('imported from here')")
    (tmp_path / "numpy.py").write_text("raise SystemExit('imported from here')")
    server = ForkServer("tests.support.odd_work")
    answer = server.ask(json.dumps(["odd", [], 20]).encode(), json.dumps(["plain"]).encode())
    server.close()
    assert answer["closed"] == 0


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (["spin"], "it took too long"),
        (["hoard"], "it needed too much memory"),
        (["exit", 0], "it ended without an answer"),
        (["exit", 7], "it failed"),
        (["die"], f"signal {signal.SIGKILL:d}"),
    ],
)
def test_a_fork_that_ends_costs_its_work_only(server, what, why):
    first = server.odd("plain")
    pid = server.process.pid
    with pytest.raises(NoAnswer, match=why):
        server.odd(*what, seconds=1)
    assert server.odd("plain") == first | {"closed": first["closed"] + (what != ["exit", 0])}
    assert server.process.pid == pid


def test_a_spoilt_inheritance_is_replaced(server):
    before = server.odd("spoil")["closed"]
    assert server.odd("plain")["closed"] == before + 1


def test_work_without_a_fork_has_the_same_limits(server):
    first, second = (server.odd("plain", number, name="here") for number in range(2))
    assert second["before"] == [*first["before"], ["plain", 0]]
    with pytest.raises(NoAnswer, match="too much memory"):
        server.odd("hoard", name="here")
    pid = server.process.pid
    with pytest.raises(NoAnswer, match="it took too long"):
        server.odd("spin", seconds=1, name="here")
    assert server.odd("plain", name="here")["before"] == []
    assert server.process.pid != pid


def test_a_clean_process_that_dies_is_restarted(server, tmp_path):
    assert server.odd("orphan", str(tmp_path / "was here"))["before"] == []
    with pytest.raises(NoAnswer, match="it was ended by signal 9"):
        server.odd("orphan always")


def test_work_ended_to_make_room_is_repeated(server, tmp_path, monkeypatch):
    monkeypatch.setattr(client, "_servers", [server])
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(server.odd, "linger", str(tmp_path / "was here"))
        while not (tmp_path / "was here").exists():
            time.sleep(0.01)
        before = server.process.pid
        client.restart()
        assert asked.result(timeout=60)["before"] == []
    assert server.process.pid != before


def test_all_end_with_the_one_who_asks():
    program = (
        "import time\nfrom autograder.grading.isolation.client import ForkServer\n"
        "server = ForkServer()\nserver._start()\nprint(server.process.pid, flush=True)\ntime.sleep(60)\n"
    )
    asking = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    clean = int(asking.stdout.readline())
    asking.kill()
    asking.wait()
    asking.stdout.close()
    for _ in range(200):
        if not psutil.pid_exists(clean) or psutil.Process(clean).status() == psutil.STATUS_ZOMBIE:
            return
        time.sleep(0.05)
    pytest.fail("the clean process lives on")


@pytest.mark.exhaustive
def test_a_clean_judge_has_loaded_what_all_share():
    """Otherwise each fork would read, import and compute it again."""
    program = (
        "import sys\n"
        "from autograder.evaluation import outcomes, probes\n"
        "from autograder.registry import units\n"
        "from autograder.execution.call import LocalRunner\n"
        "from autograder.grading.verdicts import judging\n"
        "unit = units()[2]\n"
        "judging.prepare('none', unit.id)\n"
        "before = set(sys.modules), outcomes._known.cache_info().misses, probes.probes.cache_info().misses\n"
        "for exercise in unit.exercises:\n"
        "    judging.evaluate(exercise, LocalRunner(exercise.mistakes[-1].function, exercise.signature))\n"
        "after = set(sys.modules), outcomes._known.cache_info().misses, probes.probes.cache_info().misses\n"
        "judging.close()\n"
        "assert before[1] >= len(unit.exercises)\n"
        "assert after == before, (after[0] - before[0], after[1:], before[1:])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
