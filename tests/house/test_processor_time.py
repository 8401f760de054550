"""The bound on processor time lets through what it should, and nothing else."""

import time

import pytest

from tests.support import processor_time
from tests.support.processor_time import within


def spin(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_work_and_sleep_within_the_bound_pass():
    with within(1):
        spin(0.05)
        time.sleep(0.1)


def test_more_work_fails(monkeypatch):
    monkeypatch.setattr(processor_time, "_slowness", lambda: 0.9)
    with pytest.raises(AssertionError, match=r"0\.1 s of processor time, 1\.0 times"), within(0.05):
        spin(0.1)


def test_more_work_that_raises_still_fails_for_time(monkeypatch):
    monkeypatch.setattr(processor_time, "_slowness", lambda: 0.9)

    def fail():
        spin(0.1)
        raise ValueError

    with pytest.raises(AssertionError, match="processor time"), within(0.05):
        fail()


def test_a_slow_machine_gets_more(monkeypatch):
    monkeypatch.setattr(processor_time, "_slowness", lambda: 4.0)
    with within(0.05):
        spin(0.1)
