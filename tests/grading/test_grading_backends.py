"""The same verdicts wherever tasks are performed: in one process, in two, and in a Dask cluster."""

import os
import re
import subprocess
import sys
import time

import pytest

from autograder.grading.executors import NoCluster, cluster, local, perform_all
from autograder.grading.intake.submission import Submission
from autograder.grading.verdicts.task import perform, task_of
from autograder.registry import units
from tests.support.course_folder import Course
from tools.browser.lab import stop
from tools.synthetic_class import hand_in, students, submission

pytestmark = [pytest.mark.exhaustive, pytest.mark.filterwarnings("ignore")]

SECRET = bytes(range(32))


@pytest.fixture(scope="module")
def tasks(backend):
    made = []
    for unit in units()[2:4]:
        for student in students(2):
            cells = [cell.source for cell in submission(unit, student).cells if cell.cell_type == "code"]
            given = Submission(student, unit.id, "made for a test", b"", None, tuple(cells))
            made.append(task_of(given, SECRET, backend.name))
    return made


def verdicts(tasks, open_executor):
    """Perform tasks; return the records by student and unit."""
    done = {}
    for task, records, error in perform_all(perform, tasks, open_executor):
        assert error is None
        done[task["student"], task["unit"]] = records
    return done


@pytest.fixture(scope="module")
def here(tasks):
    return {(task["student"], task["unit"]): perform(task) for task in tasks}


def test_a_pool_of_processes_says_the_same(tasks, here):
    assert {record["status"] for records in here.values() for record in records} > {"correct"}
    assert not any(record["status"] == "internal error" for records in here.values() for record in records)
    assert verdicts(tasks, lambda: local(2)) == here


@pytest.fixture(scope="module")
def scheduler():
    """Start a Dask scheduler and two worker processes on loopback; give its address when both are there."""
    from distributed import Client

    on_loopback = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    process = subprocess.Popen([*on_loopback, "--no-dashboard"], stderr=subprocess.PIPE, text=True)
    address = next(found[0] for line in process.stderr if (found := re.search(r"tcp://127\.0\.0\.1:\d+", line)))
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"]
    workers = [subprocess.Popen([*worker, "--no-nanny"], stderr=subprocess.DEVNULL) for _ in range(2)]
    with Client(address) as client:
        client.wait_for_workers(2, timeout=60)
    yield address
    for one in (*workers, process):
        stop(one)
    process.stderr.close()


def test_a_cluster_says_the_same(tasks, here, scheduler):
    assert verdicts(tasks, lambda: cluster(scheduler)) == here


def test_both_workers_of_a_cluster_are_busy(scheduler):
    def process_of(pause):
        time.sleep(pause)
        return os.getpid()

    done = [process for _, process, _ in perform_all(process_of, [0.2] * 8, lambda: cluster(scheduler))]
    assert len(done) == 8
    assert len({*done}) == 2
    assert os.getpid() not in done


def test_the_command_says_the_same_on_a_cluster(backend, scheduler, tmp_path):
    classes = [Course(tmp_path / name) for name in ("here", "there")]
    for made, options in zip(classes, ([], ["--dask", scheduler]), strict=True):
        hand_in(made.room / "submitted", units()[2:3], 3)
        (made.room / "secret").write_text(SECRET.hex())
        assert made.grade(*options)["with_verdict"] == 3
    assert classes[0].everything() == classes[1].everything()


def test_a_cluster_without_workers_is_told():
    from distributed import LocalCluster

    with (
        LocalCluster(n_workers=0, processes=False, dashboard_address=None) as empty,
        pytest.raises(NoCluster, match="dask worker"),
        cluster(empty.scheduler_address),
    ):
        pass
