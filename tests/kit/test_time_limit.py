"""Code is stopped when its time is over, by a timer signal or from a thread, and nothing of the limit is left then."""

import _thread
import contextlib
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from transformer_kit.time_limit import (
    Alarm,
    TimeLimit,
    Watch,
    call_patiently,
    call_within,
    call_within_processor_time,
    is_supported,
)

needs_alarm = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timer signals")
WAYS = [pytest.param("alarm", marks=needs_alarm), "watch", "another thread"]


@pytest.fixture(params=WAYS)
def limited(request, monkeypatch):
    """`call_within`, in each of its ways; after a test nothing may be on its way."""
    if request.param == "another thread":
        with ThreadPoolExecutor(1) as thread:
            yield lambda *args, **kwargs: thread.submit(call_within, *args, **kwargs).result()
            thread.submit(spin, 0.15).result()
        return
    if request.param == "watch":
        monkeypatch.setattr(Alarm, "is_free", lambda: False)
    assert Alarm.is_free() is (request.param == "alarm")
    yield call_within
    spin(0.15)  # three strikes


def spin(seconds):
    """Keep busy, so that whatever is on its way arrives."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass
    return "done"


def endless():
    """Take so long that a test that waits for the end fails."""
    spin(20)
    raise AssertionError("nothing stopped this")


def swallow(times):
    """Return how often a loop was struck that swallows everything."""
    struck = 0
    for _ in range(times):
        try:
            spin(2)
        except BaseException:
            struck += 1
    return struck


def interrupted():
    """Meet the learner's own interrupt."""
    _thread.interrupt_main()
    endless()


def test_a_limited_call_passes_arguments_and_value(limited):
    """Also when its parameters have the names of those of `call_within`."""
    assert limited(5, dict, [("key", 1)], seconds=2, function=3) == {"key": 1, "seconds": 2, "function": 3}
    assert limited(None, spin, 0.01) == "done"


def test_no_thread_is_left(limited):
    before, until = threading.active_count(), time.monotonic() + 10
    for _ in range(5):
        limited(60, int)
    while threading.active_count() > before + 1 and time.monotonic() < until:  # the one in which `limited` calls
        time.sleep(0.01)
    assert threading.active_count() <= before + 1


def test_an_error_passes_through(limited):
    with pytest.raises(ZeroDivisionError):
        limited(5, lambda: 1 / 0)


def test_a_call_that_takes_too_long_is_stopped(limited):
    start = time.perf_counter()
    with pytest.raises(TimeLimit):
        limited(0.05, endless)
    assert time.perf_counter() - start < 10


def test_a_compiled_call_is_stopped_on_return(limited):
    went_on = []
    with pytest.raises(TimeLimit):
        limited(0.01, lambda: (max(range(5_000_000)), spin(5), went_on.append(True)))
    assert not went_on


def test_a_limit_strikes_until_it_is_heard(limited):
    assert limited(0.05, swallow, 4) == 4
    with pytest.raises(TimeLimit):
        limited(0.05, lambda: (swallow(4), endless()))


@pytest.mark.parametrize("seconds", [0.0095, 0.01, 0.0105])
def test_nothing_is_left_of_calls_near_the_limit(limited, seconds):
    for _ in range(20):
        with contextlib.suppress(TimeLimit):
            limited(seconds, spin, 0.01)


@pytest.mark.parametrize("kind", [pytest.param(Alarm, marks=needs_alarm), Watch])
def test_a_strike_during_removal_is_the_last(kind, monkeypatch):
    """That strike is the last one."""
    stop, late = kind.stop, [True]

    def stop_late(limit):
        if late:
            late.clear()
            spin(0.5)
        stop(limit)

    monkeypatch.setattr(kind, "stop", stop_late)
    monkeypatch.setattr(Alarm, "is_free", lambda: kind is Alarm)
    with pytest.raises(TimeLimit):
        call_within(0.05, int)
    spin(0.3)


@needs_alarm
def test_a_leftover_alarm_goes_off_no_more(monkeypatch):
    """On a busy machine strikes can keep both attempts to lift it from their end."""
    stop, attempts = Alarm.stop, []

    def struck(limit):
        attempts.append(True)
        spin(5 if len(attempts) <= 2 else 0)
        stop(limit)

    monkeypatch.setattr(Alarm, "stop", struck)
    with pytest.raises(TimeLimit):
        call_within(0.05, int)
    spin(0.3)
    assert len(attempts) == 3
    assert Alarm.is_free()


def test_limits_of_many_threads_at_once():
    """A strike may come anywhere; it must not keep a lock that a later step of the same limit needs."""

    def many():
        end = time.perf_counter() + 2
        while time.perf_counter() < end:
            with contextlib.suppress(TimeLimit):
                call_within(0.001, spin, 0.001)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=many, daemon=True) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
    finally:
        sys.setswitchinterval(interval)
    assert not any(thread.is_alive() for thread in threads)


@pytest.mark.parametrize("limited", WAYS[:2], indirect=True)
def test_an_interrupt_passes_through(limited):
    with pytest.raises(KeyboardInterrupt):
        limited(0.1, interrupted)


def test_an_inner_limit_that_is_shorter(limited):
    """The outer one goes on."""

    def outer():
        with pytest.raises(TimeLimit):
            call_within(0.05, endless)
        spin(0.1)
        struck.append(True)
        endless()

    struck = []
    with pytest.raises(TimeLimit):
        limited(1, outer)
    assert struck


def test_an_inner_limit_that_is_longer(limited):
    with pytest.raises(TimeLimit):
        limited(0.05, call_within, 5, endless)


@needs_alarm
@pytest.mark.parametrize("handler", [signal.SIG_DFL, signal.SIG_IGN])
@pytest.mark.parametrize("function", [int, endless, interrupted])
def test_the_alarm_is_left_as_it_was(handler, function):
    before = signal.signal(signal.SIGALRM, handler)
    try:
        assert Alarm.is_free()
        with contextlib.suppress(TimeLimit, KeyboardInterrupt):
            call_within(0.05, function)
        assert signal.getsignal(signal.SIGALRM) == handler
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    finally:
        signal.signal(signal.SIGALRM, before)


@needs_alarm
def test_somebody_elses_alarm_rings():
    """A limit that meets it strikes from a thread."""
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(True))
    try:
        assert not Alarm.is_free()
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(TimeLimit):
            call_within(0.05, endless)
        spin(0.4)
        assert rung == [True]
    finally:
        signal.signal(signal.SIGALRM, before)


@needs_alarm
def test_somebody_elses_timer_goes_on():
    signal.setitimer(signal.ITIMER_REAL, 1000)
    try:
        with pytest.raises(TimeLimit):
            call_within(0.05, endless)
        assert 990 < signal.getitimer(signal.ITIMER_REAL)[0] < 1000
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def test_without_signal_and_thread_there_is_no_limit(monkeypatch):
    """As in a browser."""

    def start(thread):
        raise RuntimeError("can't start new thread")

    found_out = is_supported.__wrapped__
    assert found_out()
    monkeypatch.delattr(signal, "setitimer", raising=False)
    assert found_out()
    monkeypatch.setattr(threading.Thread, "start", start)
    assert not found_out()
    assert call_within(0.01, spin, 0.1) == "done"


@needs_alarm
def test_computing_is_stopped_and_waiting_is_not():
    assert call_within_processor_time(0.1, lambda: time.sleep(0.3) or "waited") == "waited"
    start = time.process_time()
    with pytest.raises(TimeLimit):
        call_within_processor_time(0.1, endless)
    assert time.process_time() - start < 5
    spin(0.2)
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)
    assert signal.getsignal(signal.SIGPROF) == signal.SIG_DFL


@needs_alarm
def test_both_limits_at_once():
    """As a judge's worker has them: little computing, and not too long a wait."""
    assert call_within(5, call_within_processor_time, 5, dict, seconds=2) == {"seconds": 2}
    for function in (endless, lambda: time.sleep(20)):
        with pytest.raises(TimeLimit):
            call_within(0.4, call_within_processor_time, 0.1, function)
    spin(0.2)
    assert signal.getitimer(signal.ITIMER_PROF) == signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@needs_alarm
def test_a_busy_machine_stops_no_finite_call():
    """Somebody else may have the processor meanwhile, here for twice the limit; an endless loop and a wait do end."""
    assert call_patiently(0.2, lambda: time.sleep(0.4) or "done") == "done"
    assert call_patiently(None, int) == 0
    for function in (endless, lambda: time.sleep(20)):
        with pytest.raises(TimeLimit):
            call_patiently(0.1, function)
    spin(0.2)
    assert signal.getitimer(signal.ITIMER_PROF) == signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@needs_alarm
def test_the_wall_clock_replaces_a_taken_timer():
    before = signal.signal(signal.SIGPROF, lambda *_: None)
    try:
        with pytest.raises(TimeLimit):
            call_patiently(0.05, endless)
        assert signal.getsignal(signal.SIGPROF) is not signal.SIG_DFL
    finally:
        signal.signal(signal.SIGPROF, before)
