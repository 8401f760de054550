"""Nothing that a worker can import does what an exercise asks, called as it is or in a chain of two.

What a worker sees of the kit is the same text as here, so its functions are tried in this process. They get the calls
that the claims make: as they are, with functions in addition, and before or behind the functions of earlier exercises.
To combine these with each other is what exercises ask for. Some of them alone are right for some calls of a later
exercise, as attention without a mask is; these stand behind nothing, since nothing would be added.
"""

import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FunctionType, SimpleNamespace

import numpy as np
import pytest

from autograder.evaluation.attempts import attempts
from autograder.execution.call import LocalRunner, copied
from autograder.execution.compare import compare
from autograder.execution.nested import leaves
from autograder.execution.precision import tolerance_for
from autograder.judge import kit
from autograder.registry import find, names_before, units
from transformer_kit import reference

EXERCISES = [pytest.param(unit, exercise, id=exercise.name) for unit in units() for exercise in unit.exercises]
ROOMS = ("autograder.execution", "autograder.judge.wire")
CLOCKS = "transformer_kit.time_limit"  # would interrupt the test
CALLS = 3


def modules_in(package):
    """Yield a package and all modules below it."""
    module = importlib.import_module(package)
    yield module
    for below in pkgutil.walk_packages(getattr(module, "__path__", ()), f"{package}."):
        yield importlib.import_module(below.name)


def functions_in(module, names=None):
    """Return the public functions that a module defines."""
    own = {n: f for n, f in vars(module).items() if isinstance(f, FunctionType) and f.__module__ == module.__name__}
    return {f"{module.__name__}.{n}": f for n, f in own.items() if n in (names or own) and not n.startswith("_")}


def there(unit):
    """Return the functions that the workers of a unit have beside those of earlier exercises."""
    whole, parts = kit.needs(unit)
    found = {}
    for module in (module for room in ROOMS for module in modules_in(room)):
        found |= functions_in(module)
    for module in sorted(whole):
        found |= {} if ".unit_" in module or module == CLOCKS else functions_in(importlib.import_module(module))
    for module, names in parts.items():
        found |= functions_in(importlib.import_module(module), {*names})
    return found


def last(value):
    """Return what is behind a value that comes in parts, one after the other."""
    return [*value][-1] if isinstance(value, Iterator) else value


def made(function, *args):
    """Return what a function makes of some arguments, in a tuple, or nothing if it refuses them."""
    try:
        return (last(function(*copied(args))),)
    except Exception:
        return ()


@dataclass(frozen=True)
class Way:
    """A function and what it is called with: the arguments, or what another makes of all of them, or of one."""

    outer: Callable
    inner: Callable | None = None
    place: int | None = None

    def given(self, *args):
        if not self.inner:
            return args
        if self.place is None:
            return (last(self.inner(*args)),)
        return (*args[: self.place], last(self.inner(args[self.place])), *args[self.place + 1 :])

    def __call__(self, *args):
        return last(self.outer(*self.given(*args)))


def is_new(value, args):
    """Return whether a value holds numbers or words, and is not one of the arguments again."""
    if isinstance(value, np.ndarray):
        return not any(isinstance(a, np.ndarray) and np.array_equal(a, value) for a in args)
    return isinstance(value, tuple | list | str) and not any(type(a) is type(value) for a in args)


def ways(unlike, earlier, alike, args):
    """Yield what can be called with these arguments, by name; `alike` are earlier functions that are right alone."""
    lent = SimpleNamespace(**earlier)
    for name, function in unlike.items():
        yield name, Way(function)
        yield f"{name}, with functions", Way(lambda *a, function=function: function(*a, lent))
        yield f"{name}, first argument only", Way(lambda a, *_, function=function: function(a))
    for name, function in unlike.items():
        for place in (None, *range(len(args))):
            given = args if place is None else (args[place],)
            if any(is_new(value, given) for value in made(function, *given)):
                for other, outer in (unlike | earlier).items():
                    yield f"{other} behind {name} {'' if place is None else place}", Way(outer, function, place)
        for other, inner in earlier.items() - alike:
            yield f"{name} behind {other}", Way(function, inner)


def calls_of(exercise):
    """Return the smallest calls of the claims that say something, one of each claim, and what is right."""
    found = []
    for attempt in attempts(exercise, LocalRunner(exercise.reference, exercise.signature), 5):
        for trial in attempt.trials:
            if not trial.kwargs and trial.outcome.status == "returned" and not is_plain(trial.outcome.value):
                found.append((trial.args, trial.outcome.value))
                break
    return sorted(found, key=lambda call: size(call[0]))[:CALLS]


def size(value):
    """Return how many numbers an argument holds."""
    return sum(map(np.size, leaves(value)))


def is_plain(value):
    """Return whether a result is one that many functions have: an array in which every entry is the same."""
    return isinstance(value, np.ndarray) and (value.size < 2 or not np.ptp(value.astype(float)))


def points_of(exercise, function):
    """Return the points of a function."""
    runner = LocalRunner(function, exercise.signature)
    return sum(attempt.claim.points for attempt in attempts(exercise, runner, 5) if attempt.failure is None)


def gains(exercise, unlike, earlier):
    """Return the points of all that has some."""
    found = {}
    calls = calls_of(exercise)

    @functools.cache  # one inner function stands behind a hundred others
    def given(inner, place, number):
        return made(Way(None, inner, place).given, *calls[number][0])

    def is_right(way):
        return any(
            fits(value, right, exercise, args)
            for number, (args, right) in enumerate(calls)
            for handed in given(way.inner, way.place, number)
            for value in made(way.outer, *handed)
        )

    alike = {(name, function) for name, function in earlier.items() if is_right(Way(function))}
    for name, way in ways(unlike, earlier, alike, calls[0][0]):
        if is_right(way):
            found[name] = points_of(exercise, way)
    return {name: points for name, points in found.items() if points}


def fits(value, right, exercise, args):
    """Return whether a value is the right one."""
    try:
        return compare(value, right, exercise.returns, tolerance_for(*args)) is None
    except Exception:
        return False


@pytest.mark.exhaustive(minutes=4)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("unit", "exercise"), EXERCISES)
def test_what_a_worker_can_import_is_no_answer(unit, exercise):
    earlier = {name: getattr(reference, name) for name in names_before(exercise)}
    assert gains(exercise, there(unit), earlier) == {}


def planted(Q, K, V, functions):
    """Do what unit 02 asks for, as a part of the kit might: on functions that are handed over, and step by step."""
    scores = functions.attention_scores(Q, K)
    yield scores
    weights = functions.softmax(scores)
    yield weights @ V, weights


@pytest.mark.filterwarnings("ignore")
def test_an_answer_under_another_name_would_be_found():
    exercise = find("scaled_dot_product_attention")
    earlier = {name: getattr(reference, name) for name in names_before(exercise)}
    found = gains(exercise, {"planted": planted}, earlier)
    assert found == {"planted, with functions": exercise.points}
    relu = find("relu")
    assert gains(relu, {"clipped": lambda x: np.clip(x, 0, None)}, {})["clipped"] > 0
    steps = {"mirrored": lambda x: -x, "clipped mirror": lambda x: np.clip(-x, 0, None)}
    assert gains(relu, steps, {})["clipped mirror behind mirrored "] > 0
