"""The failing calls that are looked at: the smallest ones, of different shapes where there are such."""

import inspect
import itertools
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from autograder.evaluation.trials import Trial
from autograder.execution.compare import alike
from autograder.execution.outcome import LearnerError
from autograder.learner.locating.instrumented import Instrumented
from autograder.learner.locating.noter import Site
from autograder.learner.locating.right_path import RightPath, entries, leaves
from autograder.specification import Exercise

MAX_CASES = 3


class Case(NamedTuple):
    """A failing call: the right path, the results that came out right, and what the sites came to.

    `values` has them by number of site; `broken` is the site that the call did not come back from, with its `error`.
    """

    path: RightPath
    right: set[int | None]
    values: dict[int, list[Any]]
    broken: Site | None = None
    error: LearnerError | None = None

    def breaks(self, number: int) -> bool:
        """Return whether the error was raised at a site."""
        return self.broken is not None and self.broken.number == number


def cases_of(exercise: Exercise, copy: Instrumented, failing: Iterable[Trial]) -> list[Case]:
    """Return a Case for each of some failing calls, the smallest first.

    Parameters
    ----------
    exercise : Exercise
    copy : Instrumented
        Of the learner's function.
    failing : iterable of Trial
    """
    if not _has_the_defaults_of(exercise.reference, copy.original):
        return []
    return list(itertools.islice(filter(None, all_cases(exercise, copy, failing)), MAX_CASES))


def all_cases(exercise: Exercise, copy: Instrumented, failing: Iterable[Trial]) -> Iterator[Case | None]:
    """Yield a Case for each call with a wrong result, the smallest first, and None for one that shows no values.

    Parameters
    ----------
    exercise : Exercise
    copy : Instrumented
        Of the learner's function.
    failing : iterable of Trial
    """
    for trial in _in_order(failing):
        if trial.outcome.status not in ("returned", "raised"):
            yield None
            continue
        path = RightPath(exercise, trial)
        if path.status == "timeout":
            yield None
            return
        if path.status != "returned":
            if trial.outcome.status == "returned":
                yield None
            continue
        status, value, error = copy.run(path.call)
        if status != trial.outcome.status or not alike(value, trial.outcome.value, path.tolerance):
            yield None  # the source is not that of the function that was checked
            return
        right = path.right_results(value) if status == "returned" else set()
        if None not in right:
            yield Case(path, right, dict(copy.values), copy.interrupted() if error else None, error)


def _in_order(failing):
    """Return calls, the smallest first; those of which a smaller one has the same shapes come last."""
    shapes, new, others = [], [], []
    for trial in sorted(failing, key=_size):
        shape = [np.shape(leaf) for leaf in leaves(_given(trial))]
        (others if shape in shapes else new).append(trial)
        shapes.append(shape)
    return new + others


def _has_the_defaults_of(reference, function):
    """Return whether the numbers by default are the same: where one is not, what is right in the body looks wrong."""
    own = inspect.signature(function).parameters.values()
    right = inspect.signature(reference).parameters.values()
    defaults = ((parameter.default, other.default) for parameter, other in zip(own, right, strict=False))
    return all(default == other for default, other in defaults if isinstance(other, int | float))


def _given(trial):
    return entries((*trial.args, *trial.kwargs.values()))


def _size(trial):
    return sum(np.size(leaf) for leaf in leaves(_given(trial)))
