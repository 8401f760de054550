"""One submission cannot fill the disk, also where its folder has no limit of its own: the child is ended in words."""

import mmap
import os

import pytest

from autograder.evaluation.evaluate import evaluate
from autograder.judge.pool import Worker
from autograder.judge.worker import space
from tests.support import needs
from tests.support.judging import cells, exercise, unit, verdict
from tests.support.sandboxed import landlock_alone

pytestmark = needs.linux
MOST = 1 << 20  # bytes
SECOND = unit(2)
SOFTMAX = exercise(SECOND, "softmax")


def write(path, size):
    path.write_bytes(b"x" * size)


def many_files(folder, hold):
    for number in range(7):
        write(folder / f"{number}.npy", MOST // 6)


def far_down(folder, hold):
    here = os.open(folder, os.O_RDONLY)
    for _ in range(30):
        os.mkdir("d" * 200, dir_fd=here)
        here, above = os.open("d" * 200, os.O_RDONLY, dir_fd=here), here
        os.close(above)
    with open(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=here), "wb") as file:
        file.write(b"x" * 2 * MOST)
    os.close(here)


def removed_and_open(folder, hold):
    write(folder / "file", 2 * MOST)
    hold.append((folder / "file").open("rb"))
    (folder / "file").unlink()


def removed_and_mapped(folder, hold):
    write(folder / "file", 2 * MOST)
    with open(folder / "file", "rb") as file:
        hold.append(mmap.mmap(file.fileno(), mmap.PAGESIZE, prot=mmap.PROT_READ))
    (folder / "file").unlink()


def more_files_than_anybody_needs(folder, hold):
    for number in range(space.MAX_FILES + 1):
        (folder / f"{number}").touch()


def little(folder, hold):
    write(folder / "file", MOST // 2)
    os.symlink("/", folder / "root")
    (folder / "folder").mkdir()


def a_large_hole(folder, hold):
    with open(folder / "file", "wb") as file:
        file.truncate(1 << 30)


TOO_MUCH = (many_files, far_down, removed_and_open, removed_and_mapped, more_files_than_anybody_needs)


@pytest.mark.parametrize("fill", [*TOO_MUCH, little, a_large_hole], ids=lambda fill: fill.__name__)
def test_all_that_takes_room_is_counted(fill, tmp_path, monkeypatch):
    monkeypatch.setattr(space, "FOLDER", MOST)
    monkeypatch.setattr(space, "MAX_FILES", 2500)
    assert not space.is_too_much(os.getpid(), str(tmp_path))
    hold = []
    try:
        fill(tmp_path, hold)
        assert space.is_too_much(os.getpid(), str(tmp_path)) == (fill in TOO_MUCH)
    finally:
        for one in hold:
            one.close()


@pytest.fixture(scope="module")
def worker():
    with landlock_alone() as backend, Worker(backend.launch) as worker:
        yield worker


FILL = """
import os, time
import numpy as np
def fill(remove=False):
    for number in range(60):
        with open(f"large-{number}", "wb") as file:
            file.write(bytes(10**7))
            if remove:
                os.unlink(file.name)
                kept.append(os.dup(file.fileno()))
    time.sleep(1)
kept = []
"""
INSIDE = FILL + "def softmax(x, axis=-1):\n    fill(REMOVE)\n"


@pytest.mark.exhaustive(minutes=0.5)
@pytest.mark.parametrize("remove", [False, True])
def test_a_function_that_fills_the_disk_is_ended(worker, remove):
    with worker.child(SECOND, SOFTMAX, [f"REMOVE = {remove}", INSIDE]) as runner:
        result = evaluate(SOFTMAX, runner)
    assert (result.points, runner.ended) == (0, "disk")
    assert "wrote more than its folder may hold (64 MiB in 20,000 files)" in runner.note
    assert verdict(worker, SECOND, SOFTMAX, cells(SECOND)).points == SOFTMAX.points


@pytest.mark.exhaustive(minutes=0.5)
def test_an_unneeded_cell_may_fill_the_disk(worker):
    with worker.child(SECOND, SOFTMAX, [FILL + "fill()\n", *cells(SECOND)]) as runner:
        result = evaluate(SOFTMAX, runner)
    assert (result.points, runner.ended) == (SOFTMAX.points, "")
    assert "wrote more than its folder may hold" in runner.note
