"""The smallest call that shows why a claim fails: a few short numbers, which can be copied."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import length_hint
from typing import Any

import numpy as np

from autograder.evaluation import conduct
from autograder.evaluation.attempts import Attempt
from autograder.evaluation.example import Example, make_example
from autograder.evaluation.smaller import MAX_SIZE, has_large, is_short, lengths_to_try, near_one, size_of, with_less
from autograder.evaluation.trials import Trial
from autograder.execution.call import LocalRunner
from autograder.execution.compare import Difference, alike, compare
from autograder.execution.handed import handed_over
from autograder.execution.nested import leaves
from autograder.execution.outcome import Outcome
from autograder.execution.precision import Tolerance, tolerance_for
from autograder.specification import Exercise

ROUNDING = 1e-9  # of the largest number among the arguments
MAX_CALLS = 12  # on the way to a smaller example
CAME_BACK = ("returned", "raised", "not written")


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
    exercise: Exercise,
    run: Callable[..., Outcome],
    attempts: Sequence[Attempt],
    calls: int = MAX_CALLS,
    mistake: Callable | None = None,
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
    mistake : callable, optional
        A wrong function that explains most of what is wrong, but not all: a call in which the learner's function gives
        what this one gives is preferred.

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
        ((one, conduct.example_of(exercise, one, why=why)) for trials in failing for one in trials if _is_told(one)),
    )
    shown = ((trial, example) for trial, example in examples if example and example.shows_something)
    trial, first = next(shown, (None, None))
    if not first or not mistake or _gives_the_same(exercise, mistake, trial):
        return first
    return next((example for trial, example in shown if _gives_the_same(exercise, mistake, trial)), first)


def _gives_the_same(exercise, mistake, trial):
    """Return whether a wrong function returns in a call what the learner's did, or raises such an error as well."""
    outcome = LocalRunner(mistake, exercise.signature)(trial.args, trial.kwargs)
    one, other = outcome.error, trial.outcome.error
    if one or other:
        return bool(one and other and one.type == other.type)
    return alike(trial.outcome.value, outcome.value, tolerance_for(*trial.args, *trial.kwargs.values()))


def _of_claims(exercise, run, failing, budget):
    """Yield calls of claims, each with its example; `budget` has an entry for every call that may be added."""
    for trials in failing:
        for wrong in _small(exercise, run, trials, budget):
            yield wrong.trial, make_example(exercise, wrong.trial, wrong.difference, wrong.tolerance)


def _of_exercise(exercise, run, why):
    """Yield the calls that an exercise has for examples: wrong numbers, wrong conduct, then wrong forms."""
    conducts, forms = [], []
    for code in exercise.calls:
        trial = tried(exercise, run, code)
        if trial.outcome.status not in CAME_BACK:
            break
        wrong = _wrong(exercise, trial, is_written=True)
        if wrong and max(map(size_of, wrong.results)) <= MAX_SIZE:
            yield trial, make_example(exercise, trial, wrong.difference, wrong.tolerance, code)
        conducts.append((trial, conduct.example_of(exercise, trial, code, why)))
        forms.append((trial, wrong and conduct.of_forms(trial, wrong.difference, code)))
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
    return is_short(given) and not any(map(callable, leaves(given)))


def _has_few_parts(trial):
    """Return whether the arguments of a call can become short; those of a whole model cannot, however it is cut."""
    parts = leaves((trial.args, trial.kwargs))
    return len(list(itertools.islice(parts, MAX_SIZE + 1))) <= MAX_SIZE


def _small(exercise, run, trials, budget):
    """Yield wrong calls with short results, the best first; `budget` has an entry for every call that may be added."""
    wrong = list(filter(None, (_wrong(exercise, trial) for trial in trials if _has_few_parts(trial))))
    short = sorted((call for call in wrong if is_short(call.given)), key=lambda call: size_of(call.given))
    cut = itertools.chain.from_iterable(_cut(exercise, run, call, budget) for call in wrong)
    plain = (_plainest(exercise, run, call, budget) for call in itertools.chain(short, cut))
    yield from (call for call in plain if max(map(size_of, call.results)) <= MAX_SIZE)


def _wrong(exercise, trial, is_written=False):
    """Return a wrong call, or None where it is right or may be so, and where it has no result or no text."""
    if exercise.is_open:
        return None
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
    for lengths in lengths_to_try(wrong.given):
        if not length_hint(budget):
            return
        smaller = _retried(exercise, run, wrong, with_less(wrong.given, lengths), budget)
        if smaller:
            yield smaller


def _plainest(exercise, run, wrong, budget):
    """Return a wrong call with numbers near 1, if it fails there in the same way, or else as it is."""
    if not has_large(wrong.given):
        return wrong
    return _retried(exercise, run, wrong, near_one(wrong.given), budget) or wrong


def _retried(exercise, run, wrong, given, budget):
    """Return a call with other arguments; None where it fails in another way or not at all, or no call is left."""
    args, kwargs = given
    if _expected(exercise, args, kwargs) is None or not next(budget, False):
        return None
    trial = Trial(args, kwargs, run(args, kwargs))
    if trial.outcome.status not in CAME_BACK:
        list(budget)  # used up: nothing is called any more
        return None
    other = _wrong(exercise, trial)
    return other if other and other.difference.rung == wrong.difference.rung else None
