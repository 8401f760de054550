"""Tasks in processes of this machine: all are performed, and a process that dies costs nobody else's task."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor

import pytest

from autograder.grading.executors import NoCluster, cluster, local, perform_all
from tests.course import ROOT

pytestmark = pytest.mark.slow


def work(task):
    """Square a number; 7 cannot be, and under 11 and 19 the process dies, under 19 only the first time."""
    number, folder = task
    if number == 7:
        raise ValueError("seven")
    if number == 11 or (number == 19 and not os.path.exists(f"{folder}/19")):
        open(f"{folder}/{number}", "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return number**2


def test_every_task_has_its_outcome_also_when_processes_die(tmp_path):
    tasks = [(number, str(tmp_path)) for number in range(23)]
    outcomes = {task[0]: (result, error) for task, result, error in perform_all(work, tasks, lambda: local(1))}
    assert sorted(outcomes) == list(range(23))
    assert outcomes.pop(7)[1].args == ("seven",)
    assert isinstance(outcomes.pop(11)[1], BrokenExecutor)
    assert outcomes == {number: (number**2, None) for number in outcomes}


def test_tasks_are_taken_as_they_are_needed(tmp_path):
    taken = []

    def tasks():
        for number in range(40, 70):
            taken.append(number)
            yield number, str(tmp_path)

    outcomes = perform_all(work, tasks(), lambda: local(1))
    next(outcomes)
    assert len(taken) <= 3
    outcomes.close()


def test_the_processes_end_with_the_one_that_started_them():
    program = (
        "import time\nfrom autograder.grading.executors import local\nfrom os import getpid\n"
        "if __name__ == '__main__':\n"
        "    with local(1) as (executor, _):\n"
        "        print(executor.submit(getpid).result(), flush=True)\n        time.sleep(60)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    child = int(process.stdout.readline())
    process.kill()
    process.wait()
    process.stdout.close()
    for _ in range(100):
        if not os.path.exists(f"/proc/{child}") if sys.platform == "linux" else not _alive(child):
            return
        time.sleep(0.05)
    pytest.fail("the process of the pool lives on")


def _alive(pid):
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def test_a_cluster_that_does_not_answer_is_told():
    with pytest.raises(NoCluster, match=r"tcp://127\.0\.0\.1:9"), cluster("tcp://127.0.0.1:9"):
        pass
