"""The line that a notebook shows while one waits."""

import io

import pytest

from transformer_kit.progress import QUIET, waited_for


class Told(io.StringIO):
    """Stands in for the standard output of a notebook's kernel."""


Told.__module__ = "ipykernel.iostream"


@pytest.fixture
def told(monkeypatch):
    for name in QUIET:
        monkeypatch.delenv(name, raising=False)
    return Told()


def clock(*seconds):
    times = iter(seconds)
    return lambda: next(times)


def test_a_line_is_shown_and_removed(told):
    steps = waited_for("abcde", "step", told, clock(0, 0.5, 1.25, 1.375, 2, 3))
    assert list(steps) == list("abcde")
    assert told.getvalue() == "\rstep 2 ...\rstep 4 ...\rstep 5 ...\r          \r"


def test_what_is_soon_done_says_nothing(told):
    assert list(waited_for([1, 2], "step", told, clock(0, 0.1, 0.9))) == [1, 2]
    assert told.getvalue() == ""


def test_the_line_goes_when_the_loop_ends_early(told):
    for step in waited_for(range(5), "step", told, clock(0, 2, 3)):
        if step == 1:
            break
    del step
    assert told.getvalue().endswith("\r          \r")


@pytest.mark.parametrize("name", QUIET)
def test_nobody_is_told_while_nobody_waits(told, monkeypatch, name):
    monkeypatch.setenv(name, "1")
    assert list(waited_for([1], "step", told, clock(0, 5))) == [1]
    assert told.getvalue() == ""


def test_a_terminal_shows_no_line(told):
    stream = io.StringIO()
    assert list(waited_for([1], "step", stream, clock(0, 5))) == [1]
    assert stream.getvalue() == ""
