"""Judge a function that lives in this process, as `check` does."""

import zlib
from inspect import signature

from autograder.evaluate import evaluate
from autograder.exercises import names_before
from autograder.lending import lent_functions
from autograder.run import LocalRunner
from transformer_kit import reference


def verdict_on(exercise, function):
    """Evaluate a function, with the course's own functions in place of those of earlier exercises.

    Parameters
    ----------
    exercise : Exercise
    function : callable

    Returns
    -------
    verdict : Verdict
    lent : tuple of str
        Names of the functions that were replaced.
    """
    runner = LocalRunner(function, signature(exercise.reference))
    helpers = {name: getattr(reference, name) for name in names_before(exercise)}
    with lent_functions(function, helpers) as lent:
        return evaluate(exercise, runner, seed=zlib.crc32(exercise.name.encode())), lent


def fault(verdict):
    """Say in a sentence why a function does not pass: its mistake where that is known, or the first failing claim."""
    if verdict.status == "not written":
        return "It is not written yet."
    if verdict.mistake:
        return f"{verdict.mistake.name}."
    return f"This does not hold: {next(result.name for result in verdict.results if not result.passed)}."
