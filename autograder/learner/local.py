"""Judge a function that lives in this process, as `check` does."""

from collections.abc import Callable
from typing import Any

from autograder.evaluation.attempts import visible_seed
from autograder.evaluation.evaluate import Verdict, evaluate
from autograder.execution.call import LocalRunner
from autograder.execution.outcome import NOT_TRIED
from autograder.execution.substitution import substituted
from autograder.feedback.finding import sentences
from autograder.learner.locating.locate import locate
from autograder.registry import find, names_before
from autograder.specification import Exercise


def evaluate_locally(exercise: Exercise, function: Callable[..., Any]) -> tuple[Verdict, tuple[str, ...]]:
    """Evaluate a function, with the course's own functions in place of those of earlier exercises.

    Parameters
    ----------
    exercise : Exercise
    function : callable

    Returns
    -------
    verdict : Verdict
    substituted : tuple of str
        Names of the functions in whose place the course's own were called.
    """
    runner = LocalRunner(function, exercise.signature)
    with substituted(function, helpers(exercise)) as used:
        return evaluate(exercise, runner, visible_seed(exercise)), used


def whereabouts(function: Callable[..., Any], verdict: Verdict) -> str:
    """Say where a function leaves the right path, if that is sure and nothing says more; otherwise return "".

    Parameters
    ----------
    function : callable
    verdict : Verdict
        On that function.
    """
    is_over = any(result.ended == NOT_TRIED for result in verdict.results)
    if verdict.exercise.is_open or verdict.status != "open" or verdict.cause or verdict.is_unstable or is_over:
        return ""
    with substituted(function, helpers(verdict.exercise)):
        return locate(verdict.exercise, function, verdict.failing)


def helpers(exercise: Exercise) -> dict[str, Callable[..., Any]]:
    """Return the course's own functions of the exercises that come before one, by their names."""
    return {name: find(name).reference for name in names_before(exercise)}


def fault(verdict: Verdict) -> str:
    """Say in a sentence why a function does not pass: its mistake where that is known, or the first failing claim."""
    if verdict.status == "not written":
        return "It is not written yet."
    if verdict.cause:
        return sentences(verdict.cause)
    return f"This does not hold: {next(result.name for result in verdict.results if not result.passed)}."
