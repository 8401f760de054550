"""A call of the learner's function runs on copies, quietly and within its time."""

import time
import tracemalloc
from inspect import signature

import numpy as np
import pytest

from autograder.execution.call import LocalRunner, run

X = np.arange(6.0).reshape(2, 3)


def outcome(function, *args, **kwargs):
    return run(function, args or (X,), {}, **kwargs)


def test_returned_value():
    """The value comes back as it is."""
    assert outcome(lambda x: x.sum()).value == 15
    assert outcome(lambda x: x.sum()).status == "returned"


def test_arguments_are_copies_and_changes_are_told():
    """The caller's arrays stay; the report names what the function changed, by the exercise's names."""

    def double(a):
        a *= 2
        return a + 1

    before = X.copy()
    result = run(double, (X,), {}, signature=signature(lambda scores: None))
    np.testing.assert_array_equal(X, before)
    assert result.changed == ("scores",)
    assert result.shares == ()


def test_containers_of_arrays_are_watched():
    """Arrays inside tuples count as arguments too."""

    def spoil(params):
        params[1][:] = 0
        return 1

    assert outcome(spoil, (X, X + 1)).changed == ("params",)


@pytest.mark.parametrize(
    ("argument", "spoil"),
    [
        ([[5, 8], [7]], lambda rows: rows[1].append(0)),
        ([[5, 8], [7]], lambda rows: rows.reverse()),
        ({"cats": 3}, lambda ids: ids.setdefault("dogs", 4)),
        ({"cats": 3}, lambda ids: ids.update(cats=4)),
        (X, lambda x: x.resize((3, 2), refcheck=False)),
    ],
)
def test_what_is_no_array_is_watched_as_well(argument, spoil):
    """Lists and dictionaries, what they hold, and the shape of an array."""
    assert outcome(lambda given: spoil(given), argument).changed == ("given",)
    assert outcome(lambda given: len(given), argument).changed == ()


def test_shared_memory_is_told():
    """A view of an argument is reported, a new array is not."""
    assert outcome(lambda x: x.T).shares == ("x",)
    assert outcome(lambda x: (x + 1, x[0])).shares == ("x",)
    assert outcome(lambda x: x.T.copy()).shares == ()


def test_prints_and_warnings_are_caught(capsys):
    """What the function says reaches the outcome and neither stdout nor stderr."""

    def noisy(x):
        print("hello")
        return np.log(x - 1)

    result = outcome(noisy)
    assert result.printed == "hello\n"
    assert any("invalid value" in text for text in result.warnings)
    assert capsys.readouterr() == ("", "")


def test_errors_carry_the_learners_own_line():
    """An exception is reported with the innermost line of the learner's code, not NumPy's."""

    def broken(x):
        return np.reshape(x, (4, 4))

    error = outcome(broken).error
    assert error.type == "ValueError"
    assert error.line == "return np.reshape(x, (4, 4))"
    assert f"line {error.line_number}" in str(error)


def test_stub_and_exit():
    """NotImplementedError means not written; SystemExit is an error like any other."""

    def stub(x):
        raise NotImplementedError

    assert outcome(stub).status == "not written"
    assert outcome(lambda x: stub(x)).status == "raised"
    assert outcome(lambda x: exit()).error.type == "SystemExit"


def test_interrupt_passes_through():
    """The learner's own interrupt is not swallowed."""

    def interrupted(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        outcome(interrupted)


@pytest.mark.parametrize("swallowed", [Exception, BaseException])
def test_endless_loops_are_stopped(swallowed):
    """A loop that never ends is stopped, even one that swallows what stops it a few times."""

    def loop(x):
        for _ in range(3):
            try:
                while True:
                    pass
            except swallowed:
                pass

    start = time.perf_counter()
    result = outcome(loop, seconds=0.1)
    assert time.perf_counter() - start < 10
    assert result.status == ("timeout" if swallowed is Exception else "returned")


def test_after_a_timeout_calls_get_less_time():
    """One endless function does not cost the full limit at every call."""

    def loop(x):
        while True:
            pass

    runner = LocalRunner(loop, signature(loop))
    runner.seconds = 0.05
    runner((X,), {})
    assert runner.seconds == 0.3


def test_after_a_very_late_call_none_follows():
    """Compiled code cannot be stopped; an endless loop of Python can, and others are tried after it."""
    calls = []

    def compiled(x):
        calls.append(x)
        return sum(range(10**7))

    def loop(x):
        while True:
            pass

    late, stopped = (LocalRunner(function, signature(function)) for function in (compiled, loop))
    late.seconds, stopped.seconds = 0.01, 0.2
    assert [(one.status, one.late) for one in (late((X,), {}), late((X,), {}))] == [
        ("timeout", True),
        ("not tried", False),
    ]
    assert len(calls) == 1
    assert [(one.status, one.late) for one in (stopped((X,), {}), stopped((X,), {}))] == [("timeout", False)] * 2


def test_memory_is_measured():
    """The peak counts what NumPy allocates for intermediate arrays."""
    small = outcome(lambda x: x + 1, measure_memory=True).peak_bytes
    large = outcome(lambda x: np.ones((1000, 1000)).sum() + x, measure_memory=True).peak_bytes
    assert small < 100_000 < 8_000_000 <= large
    assert outcome(lambda x: x).peak_bytes is None


def test_an_interrupted_measurement_does_not_go_on():
    """Tracing memory slows everything down, so it ends however the call ends."""

    def interrupted(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(interrupted, (X,), {}, measure_memory=True)
    assert not tracemalloc.is_tracing()
