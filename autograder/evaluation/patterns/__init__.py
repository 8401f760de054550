"""What can be said of a wrong result when no known mistake fits: how it differs from the right one."""

from collections.abc import Sequence

from autograder.evaluation.patterns import (
    arguments,
    arithmetic,
    arrangement,
    digits,
    errors,
    outputs,
    regions,
    sequences,
)
from autograder.evaluation.patterns.case import ENOUGH, Case, named_arguments
from autograder.evaluation.trials import Trial
from autograder.execution.compare import Difference
from autograder.specification import Exercise

MAX_CALLS = 8  # the last ones of a claim, that a pattern has to hold in
PATTERNS = (
    *digits.PRECISION,
    *arrangement.WHOLE,
    *arithmetic.KINDS,
    *arguments.ARGUMENTS,
    *regions.NAMED,
    *arrangement.PLACES,
    *arithmetic.NUMBERS,
    *regions.COUNTED,
    *sequences.SEQUENCES,
    *arrangement.SHAPES,
)


def structure(exercise: Exercise, difference: Difference | None, trials: Sequence[Trial]) -> str:
    """Describe how a wrong result differs from the right one.

    A pattern is told only if it holds in every failing call of the claim, and in one of them on enough entries to be
    no coincidence.

    Parameters
    ----------
    exercise : Exercise
    difference : Difference or None
        Why the claim does not hold.
    trials : sequence of Trial
        The claim's calls.

    Returns
    -------
    str
        At most two sentences, empty where nothing simple holds.
    """
    last = trials[-1].outcome
    if last.status == "raised" and last.error:
        sentence = errors.sentence(last.error, exercise.reference.__module__)
        return sentence if sentence and outputs.results_of(exercise, trials[-1]) else ""
    if exercise.is_open:
        return ""
    shown = _origin(difference, trials)
    results = [outputs.results_of(exercise, trial) for trial in trials[-MAX_CALLS:] if trial is not shown]
    results.append(outputs.results_of(exercise, shown, difference))
    wrong = [result for result in results if result and result.is_wrong]
    if whole := outputs.sentence(wrong):
        return whole
    if not difference or not wrong:
        return ""
    sentence = _pattern(_cases(exercise, difference, shown, wrong))
    if sentence and (len(outputs.not_right(wrong)) > 1 or "." in difference.result):
        sentence = f"`{difference.result}`: {sentence[0].lower()}{sentence[1:]}"
    return " ".join(filter(None, (outputs.aside(wrong), sentence)))


def _origin(difference, trials):
    """Return the call whose result, or one of whose results, differs: the last one if that cannot be seen."""
    for trial in reversed(trials):
        value = trial.outcome.value
        parts = (value, *value) if isinstance(value, tuple | list) else (value,)
        if difference and any(part is difference.got for part in parts):
            return trial
    return trials[-1]


def _cases(exercise, difference, shown, wrong):
    """Return the failing call that the claim names, then the others in which the same result is wrong."""
    parts = ((result.trial, result.part(difference.result)) for result in wrong if result.trial is not shown)
    shape = next((returned.shape for returned in exercise.returns if returned.name == difference.result), "")
    others = [_case(exercise, shape, trial, *part) for trial, part in parts if part]
    return [_case(exercise, shape, shown, difference.got, difference.expected), *others]


def _case(exercise, shape, trial, got, expected):
    bound = exercise.signature.bind(*trial.args, **trial.kwargs).arguments
    return Case(got, expected, named_arguments(bound), shape)


def _pattern(cases):
    """Return the sentence of the first pattern that holds in all cases."""
    return next(filter(None, (_sentence(pattern, cases) for pattern in PATTERNS)), "")


def _sentence(pattern, cases):
    by_case = [{reading.key: reading for reading in reversed(list(pattern(case)))} for case in cases]
    for key, reading in reversed(by_case[0].items()):
        readings = [of_case.get(key) for of_case in by_case]
        if all(readings) and max(r.entries for r in readings) >= ENOUGH:
            return reading.text
    return ""
