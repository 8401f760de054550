"""Several results, and results in a container that they should not be in: which of them are right."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np

from autograder.evaluation.patterns.case import ENOUGH
from autograder.evaluation.trials import Trial
from autograder.execution.compare import Difference, compare_one
from autograder.execution.precision import tolerance_for
from autograder.specification import Exercise, Output

MAX_RESULTS = 4  # whose orders are tried


@dataclass(frozen=True)
class Results:
    """What a call returned, and what it should have; `returns` has an `Output` for each result."""

    trial: Trial
    got: Any
    expected: tuple[Any, ...]
    returns: tuple[Output, ...]

    @property
    def are_complete(self) -> bool:
        return isinstance(self.got, tuple | list) and len(self.got) == len(self.returns)

    @property
    def is_wrong(self) -> bool:
        returned = self.trial.outcome.status == "returned"
        return returned and not (self.are_complete and len(self.right) == len(self.returns))

    @property
    def right(self) -> list[str]:
        """The names of the results that are right."""
        pairs = zip(self.got, range(len(self.returns)), strict=True) if self.are_complete else ()
        return [self.returns[number].name for got, number in pairs if self.fits(got, number)]

    def fits(self, got: Any, number: int) -> bool:
        """Return whether something is the result with this number."""
        tolerance = tolerance_for(*self.trial.args, *self.trial.kwargs.values())
        return compare_one(got, self.expected[number], self.returns[number], tolerance) is None

    def part(self, name: str) -> tuple[Any, Any] | None:
        """Return a result, or a field of it, beside the right one; None where it is right or missing."""
        if not self.are_complete:
            return None
        for got, expected, returned in zip(self.got, self.expected, self.returns, strict=True):
            tolerance = tolerance_for(*self.trial.args, *self.trial.kwargs.values())
            difference = compare_one(got, expected, replace(returned, shape=""), tolerance)
            if difference and difference.result == name:
                return difference.got, difference.expected
        return None


def results_of(exercise: Exercise, trial: Trial, difference: Difference | None = None) -> Results | None:
    """Return the results of a call, or None where the right function has none.

    `difference`, if it is known, spares the call of the reference where there is one result only.
    """
    returns = exercise.returns
    if len(returns) == 1 and difference and difference.result == returns[0].name:
        return Results(trial, (trial.outcome.value,), (difference.expected,), returns)
    try:
        expected = exercise.reference(*trial.args, **trial.kwargs)
    except Exception:
        return None
    if len(returns) == 1:
        return Results(trial, (trial.outcome.value,), (expected,), returns)
    return Results(trial, trial.outcome.value, expected, returns)


def sentence(wrong: Sequence[Results]) -> str:
    """Say that results are exchanged or missing, or that the right one is in a container; empty where it is not so."""
    for pattern in (_order, _alone, _contained):
        texts = {pattern(result) for result in wrong}
        if len(texts) == 1 and "" not in texts:
            return next(iter(texts))
    return ""


def _order(result):
    count = len(result.returns)
    if not result.are_complete or not 2 <= count <= MAX_RESULTS or len(result.right) == count:
        return ""
    for order in permutations(range(count)):
        if all(result.fits(got, number) for got, number in zip(result.got, order, strict=True)):
            names = [result.returns[number].name for number in order]
            if count == 2:
                return f"The two results are exchanged: `{names[0]}` comes first."
            return f"All results are right, but they come in the order {', '.join(f'`{name}`' for name in names)}."
    return ""


def _alone(result):
    """Look for right results of which others are missing."""
    names = [returned.name for returned in result.returns]
    if result.are_complete or len(names) == 1:
        return ""
    parts = result.got if isinstance(result.got, tuple | list) else (result.got,)
    fitting = [[names[n] for n in range(len(names)) if result.fits(part, n)] for part in parts]
    there = [fits[0] for fits in fitting if fits]
    if not there or len(there) < len(parts) or len(set(there)) < len(there) or len(there) >= len(names):
        return ""
    missing = [name for name in names if name not in there]
    return f"What comes back is the right {_listed(there)}; {_listed(missing)} {_verb(missing)} missing."


def _contained(result):
    """Look for the only result inside of a tuple or list, or for its numbers in something else than an array."""
    expected = result.expected[0]
    if len(result.returns) > 1 or not isinstance(expected, np.ndarray) or expected.size < ENOUGH:
        return ""
    (got,) = result.got
    if isinstance(got, tuple | list) and got and result.fits(got[0], 0):
        how = "with something else after it." if len(got) > 1 else "of one entry."
        return f"The right result is there, but in a {type(got).__name__} {how}"
    if isinstance(got, list | np.matrix | np.ma.MaskedArray) and result.fits(np.asarray(got), 0):
        return f"The numbers are right, but in a {type(got).__name__}: `np.array` makes an array of it."
    return ""


def aside(wrong: Sequence[Results]) -> str:
    """Say which of several results are right in all of these calls, and which are not."""
    others = not_right(wrong)
    right = [returned.name for returned in wrong[0].returns if returned.name not in others]
    if not right or not others:
        return ""
    if len(right) > len(others) == 1:
        return f"Of your results only {_listed(others)} {_verb(others)} wrong."
    return f"Your {_listed(right)} {_verb(right)} right; {_listed(others)} {_verb(others)} not."


def not_right(wrong: Sequence[Results]) -> list[str]:
    """Return the names of the results that are not right in all of these calls."""
    names = [returned.name for returned in wrong[0].returns]
    return [name for name in names if not all(name in result.right for result in wrong)]


def _listed(names):
    return " and ".join(f"`{name}`" for name in names)


def _verb(names):
    return "are" if len(names) > 1 or (names[0].endswith("s") and not names[0].endswith("ss")) else "is"
