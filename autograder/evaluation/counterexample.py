"""The smallest call that shows why a claim fails: a few short numbers, which can be copied."""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.evaluation import conduct
from autograder.evaluation.attempts import Attempt
from autograder.evaluation.example import Example, make_example
from autograder.evaluation.trials import Trial
from autograder.execution.compare import Difference, compare
from autograder.execution.handed import handed_over
from autograder.execution.nested import leaves
from autograder.execution.outcome import Outcome
from autograder.execution.precision import Tolerance, tolerance_for
from autograder.specification import Exercise

MAX_SIZE = 16  # numbers among the arguments of an example, and among its results
ROUNDING = 1e-9  # of the largest number among the arguments
MAX_CALLS = 12  # on the way to a smaller example
MAX_AXIS_LENGTH = 3  # of an array that was cut
CAME_BACK = ("returned", "raised", "not written")
MAX_DIGITS = 6  # characters of a number among the arguments


@dataclass(frozen=True)
class Wrong:
    """A call, and how its result differs from the reference's."""

    trial: Trial
    difference: Difference
    tolerance: Tolerance

    @property
    def given(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return self.trial.args, self.trial.kwargs

    @property
    def results(self) -> tuple[object, object]:
        return self.difference.got, self.difference.expected


def find(
    exercise: Exercise, run: Callable[..., Outcome], attempts: Sequence[Attempt], calls: int = MAX_CALLS
) -> Example | None:
    """Look for a small call whose result is not the reference's, for the first failing claim that has one.

    The claim's own calls come first. Where all of them are large, their arrays are cut and their numbers rounded until
    the function fails in the same way on less; axes of equal length stay equal. Then come the calls that the exercise
    has for this, and those in which something else than the result is wrong.

    Parameters
    ----------
    exercise : Exercise
    run : callable
        ``run(args, kwargs)`` performs one call and returns an `Outcome`.
    attempts : sequence of Attempt
    calls : int
        How many calls may be added altogether.

    Returns
    -------
    Example or None
    """
    if any(trial.outcome.status not in CAME_BACK for attempt in attempts for trial in attempt.trials):
        return None  # a function that hangs is not called again
    broken = [attempt for attempt in attempts if attempt.failure]
    failing = [attempt.trials for attempt in broken if attempt.claim.example]
    why = " ".join(attempt.failure.text for attempt in attempts if attempt.failure)
    examples = itertools.chain(
        _of_claims(exercise, run, failing, itertools.repeat(True, calls)),
        _of_exercise(exercise, run, why) if calls else (),
        (conduct.example_of(exercise, trial, why=why) for trials in failing for trial in trials if _is_told(trial)),
    )
    return next((example for example in examples if example and example.shows_something), None)


def _of_claims(exercise, run, failing, budget):
    """Yield examples from the calls of claims; `budget` has an entry for every call that may be added."""
    for trials in failing:
        for wrong in _small(exercise, run, trials, budget):
            yield make_example(exercise, wrong.trial, wrong.difference, wrong.tolerance)


def _of_exercise(exercise, run, why):
    """Yield examples from the calls that an exercise has for them: wrong numbers, wrong conduct, then wrong forms."""
    conducts, forms = [], []
    for code in exercise.calls:
        trial = tried(exercise, run, code)
        if trial.outcome.status not in CAME_BACK:
            break
        wrong = _wrong(exercise, trial, is_written=True)
        if wrong and max(map(_size, wrong.results)) <= MAX_SIZE:
            yield make_example(exercise, trial, wrong.difference, wrong.tolerance, code)
        conducts.append(conduct.example_of(exercise, trial, code, why))
        forms.append(wrong and conduct.of_forms(trial, wrong.difference, code))
    yield from conducts
    yield from forms


def tried(exercise: Exercise, run: Callable[..., Outcome], code: str) -> Trial:
    """Make a call that is given as code, below as many lines as it needs.

    Parameters
    ----------
    exercise : Exercise
    run : callable
        ``run(args, kwargs)`` performs one call and returns an `Outcome`.
    code : str

    Returns
    -------
    Trial
    """
    given = []
    exec(code, {"np": np, exercise.name: lambda *args, **kwargs: given.append((args, kwargs))})
    args, kwargs = handed_over(*given[-1], exercise.signature.parameters, exercise.hands)
    return Trial(args, kwargs, run(args, kwargs))


def _is_told(trial):
    """Return whether the arguments of a call can be written down in short."""
    given = trial.args, trial.kwargs
    return _is_short(given) and not any(map(callable, leaves(given)))


def _small(exercise, run, trials, budget):
    """Yield wrong calls with short results, the best first; `budget` has an entry for every call that may be added."""
    wrong = list(filter(None, (_wrong(exercise, trial) for trial in trials)))
    short = sorted((call for call in wrong if _is_short(call.given)), key=lambda call: _size(call.given))
    cut = itertools.chain.from_iterable(_cut(exercise, run, call, budget) for call in wrong)
    yield from (call for call in itertools.chain(short, cut) if max(map(_size, call.results)) <= MAX_SIZE)


def _wrong(exercise, trial, is_written=False):
    """Return a wrong call, or None where it is right, and where it has no result or no text."""
    expected = _expected(exercise, trial.args, trial.kwargs)
    if expected is None or (not is_written and any(map(callable, leaves((trial.args, trial.kwargs))))):
        return None
    tolerance = tolerance_for(*trial.args, *trial.kwargs.values())
    if trial.outcome.error:
        if not trial.outcome.error.line_number:
            return None  # not an error of the learner's own code, which may not even have been reached
        return Wrong(trial, Difference(trial.outcome.error.type, "", expected=expected[0]), tolerance)
    value = trial.outcome.value
    difference = compare(value, expected[0], exercise.returns, tolerance)
    if difference and difference.expected is None:  # not the results that the exercise asks for
        difference = Difference(difference.rung, "", got=value, expected=expected[0])
    if not difference or (not is_written and _is_rounding(difference, trial)):
        return None
    return Wrong(trial, difference, tolerance)


def _is_rounding(difference, trial):
    """Return whether a difference, or the right result, is no more than cancellation leaves of large numbers."""
    pair = difference.got, difference.expected
    if difference.rung != "values" or not all(isinstance(value, np.ndarray) and value.dtype == float for value in pair):
        return False
    least = ROUNDING * _largest((trial.args, trial.kwargs))
    return np.abs(pair[0] - pair[1]).max(initial=0) < least or 0 < _largest(pair[1]) < least


def _largest(value):
    """Return the size of the largest finite number in the arrays of a value."""
    arrays = [leaf for leaf in leaves(value) if isinstance(leaf, np.ndarray) and leaf.dtype == float]
    return max((np.abs(array[np.isfinite(array)]).max(initial=0) for array in arrays), default=0)


def _expected(exercise, args, kwargs):
    """Return the reference's result, alone in a tuple, or None where it raises an error or contains NaN."""
    try:
        expected = exercise.reference(*args, **kwargs)
    except Exception:
        return None
    numbers = (leaf for leaf in leaves(expected) if isinstance(leaf, float | np.ndarray))
    return None if any(np.isnan(number).any() for number in numbers) else (expected,)


def _cut(exercise, run, wrong, budget):
    """Yield smaller versions of a wrong call that fail in the same way, the smallest first."""
    for lengths in _lengths(wrong.given):
        args, kwargs = _with_less(wrong.given, lengths)
        if _expected(exercise, args, kwargs) is None:
            continue
        may_call = next(budget, False)
        if not may_call:
            return
        trial = Trial(args, kwargs, run(args, kwargs))
        if trial.outcome.status not in CAME_BACK:
            list(budget)  # used up: nothing is called any more
            return
        smaller = _wrong(exercise, trial)
        if smaller and smaller.difference.rung == wrong.difference.rung:
            yield smaller


def _lengths(given):
    """Return what the lengths of axes may become: few numbers first, but lengths of 1, which show little, last."""
    shapes = [leaf.shape for leaf in leaves(given) if isinstance(leaf, np.ndarray)]
    others = _size(given) - sum(map(math.prod, shapes))
    if others + len(shapes) > MAX_SIZE:  # as in a whole model: however short its arrays, they are too many
        return []
    old = sorted({length for shape in shapes for length in shape if length > 1})
    choices = []
    for new in itertools.product(*(range(1, min(length, MAX_AXIS_LENGTH) + 1) for length in old)):
        lengths = dict(zip(old, new, strict=True))
        size = others + sum(math.prod(lengths.get(length, length) for length in shape) for shape in shapes)
        if size <= MAX_SIZE:
            choices.append((new.count(1), size, new, lengths))
    return [lengths for *_, lengths in sorted(choices, key=lambda choice: choice[:3])]


def _with_less(value, lengths):
    """Return a value with all its arrays cut to new lengths and rounded."""
    if isinstance(value, np.ndarray):
        return _less(value, value[tuple(slice(lengths.get(length, length)) for length in value.shape)])
    if isinstance(value, dict):
        return {key: _with_less(entry, lengths) for key, entry in value.items()}
    if isinstance(value, tuple | list):
        entries = (_with_less(entry, lengths) for entry in value)
        return type(value)(*entries) if hasattr(value, "_fields") else type(value)(entries)
    return value


def _less(array, part):
    """Return a part of an array with two decimals, or three digits; what sums to 1 along an axis still does so."""
    if array.dtype.kind != "f" or not part.size or (part.shape == array.shape and _is_short(part)):
        return part
    finite = part[np.isfinite(part)]
    spread = np.ptp(finite) if finite.size else 0
    digits = 2 - int(math.log10(spread)) if spread >= 1000 else 2
    part = np.asarray(np.round(np.floor(part * 10.0**digits) / 10.0**digits, 2), dtype=array.dtype)
    for axis in range(array.ndim):
        if np.allclose(array.sum(axis), 1):
            first = np.moveaxis(part, axis, 0)
            first[-1] = np.round(1 - first[:-1].sum(0), 2)
    return part


def _size(value):
    """Count the numbers in a value."""
    return sum(leaf.size if isinstance(leaf, np.ndarray) else 1 for leaf in leaves(value))


def _is_short(value):
    """Return whether there are few numbers in a value, and in its arrays no long ones."""
    arrays = (leaf for leaf in leaves(value) if isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f")
    numbers = (str(number) for array in arrays for number in array.flat)
    return _size(value) <= MAX_SIZE and all(len(number) <= MAX_DIGITS for number in numbers)
