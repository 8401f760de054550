"""In what a function differs from the right one in a call, in a form that is short and can be compared."""

import functools
import re
import warnings
import zlib
from collections.abc import Mapping, Set

import numpy as np

from autograder.evaluation.mentions import why_not_mentioned
from autograder.evaluation.probes import Probe, probes
from autograder.evaluation.sums import sums
from autograder.execution.compare import alike
from autograder.execution.describe import describe
from autograder.execution.outcome import Outcome
from autograder.execution.precision import tolerance_for
from autograder.specification import Exercise

REFUSED, WARNS, TIMEOUT = "refused", "warns; ", "timeout"
TEXTS = re.compile(r"of shape (\([\d, ]*\)) and dtype \W?([SU])\d+$")  # an array of texts, described
QUOTED = re.compile("'[^']*'")  # in messages: the type of a function that is handed over depends on the process
MAX_LENGTH = 20  # characters of a form or a message; a longer one is kept as a checksum
SHARE = 1e-5  # of their distance from the right result, by which two results of one mistake may be apart

# In what the result of a call is wrong, a weighted sum of the differences, and the sum of their sizes.
Deviation = tuple[str, float, float]


def deviation(outcome: Outcome, probe: Probe) -> Deviation | None:
    """Return in what an outcome differs from the right one, in a form that is short and can be compared.

    Errors of NumPy and Python count with their text, those that a function raises itself by their type alone; warnings,
    and what becomes of the arguments, count only where they are judged.

    Parameters
    ----------
    outcome : Outcome
    probe : Probe

    Returns
    -------
    tuple of (str, float, float) or None
        What it is, a weighted sum of its numbers and the sum of their sizes; None for a right outcome.
    """
    right = probe.trial.outcome
    if probe.is_again:
        return ("hands out or changes an earlier result", 0.0, 0.0) if outcome.earlier else None
    if outcome.status != "returned":
        return _ending(outcome, probe)
    aside = _aside(outcome, probe)
    if right.status != "returned":
        return aside + _short(_form(outcome.value)), *sums(outcome.value)
    tolerance = tolerance_for(*probe.trial.args, *probe.trial.kwargs.values())
    if alike(outcome.value, right.value, tolerance):
        return (aside, 0.0, 0.0) if aside else None
    form = _form(outcome.value)
    if form != _form(right.value):
        return aside + _short(form), *sums(outcome.value)
    return aside + "=", *sums(outcome.value, right.value)


def is_same(one: Deviation | None, other: Deviation | None, probe: Probe) -> bool:
    """Return whether two deviations from one right outcome are the same."""
    if one is None or other is None or one[0] != other[0]:
        return one is other
    size = max(one[2], other[2])
    right = size if probe.size is None else probe.size
    return abs(one[1] - other[1]) <= SHARE * size + probe.rounding * (size + right)


def _ending(outcome, probe):
    """Describe an error or a timeout; None where the right function raises an error of this kind, too.

    The text of a `REFUSED` call is NumPy's or Python's, for which it is for the claim to say whether it will do, or it
    does not mention what it has to.
    """
    right = probe.trial.outcome
    if outcome.status != "raised":
        return (outcome.status, 0.0, 0.0)
    own = outcome.error.line.startswith("raise")
    text = QUOTED.sub("'...'", outcome.error.message)
    if right.status == "raised" and outcome.error.is_a(right.error.type):
        if own:
            return (f"{REFUSED}: says too little", 0.0, 0.0) if _lacks(outcome, probe) else None
        return None if outcome.error.message == right.error.message else (f"{REFUSED}: {_short(text)}", 0.0, 0.0)
    return (f"raised {outcome.error.type}" + ("" if own else f": {_short(text)}"), 0.0, 0.0)


def _lacks(outcome, probe):
    return bool(probe.mentions and why_not_mentioned(outcome.error.message, probe.mentions))


def without_accepted_errors(
    deviations: Mapping[int, Deviation], exercise: Exercise, failed_claims: Set[int]
) -> dict[int, Deviation]:
    """Return deviations without errors of another text than the right function's, where their claims accept these.

    Parameters
    ----------
    deviations : dict
        By the number of the call.
    exercise : Exercise
    failed_claims : set of int
        Their numbers.
    """
    claims = [probe.claim for probe in probes(exercise)]
    return {
        number: difference
        for number, difference in deviations.items()
        if claims[number] in failed_claims or not difference[0].startswith(REFUSED)
    }


def is_inconclusive(one: Deviation, other: Deviation) -> bool:
    """Return whether two different deviations may be of one mistake: two errors, or a call that was stopped."""
    return all(what.startswith("raised") for what, *_ in (one, other)) or TIMEOUT in (one[0], other[0])


@functools.cache
def can_warn() -> bool:
    """Return whether NumPy can tell of an overflow or a division by zero; in a browser it cannot."""
    with warnings.catch_warnings(record=True) as caught, np.errstate(all="warn"):
        warnings.simplefilter("always")
        np.ones(1) / np.zeros(1)
    return bool(caught)


def without_warnings(deviations: Mapping[int, Deviation]) -> dict[int, Deviation]:
    """Return deviations as they are where there are no warnings; what consists of nothing else is none."""
    stripped = {k: (what.replace(WARNS, ""), total, size) for k, (what, total, size) in deviations.items()}
    return {k: one for k, one in stripped.items() if one[0]}


def has_value(one: Deviation) -> bool:
    """Return whether a deviation is that of a result, and not an error or a timeout."""
    return not one[0].startswith(("raised", REFUSED, TIMEOUT))


def _aside(outcome, probe):
    """Name what else counts: arguments that were changed, memory that is shared, warnings."""
    touched = [f"changed {name}" for name in outcome.changed] + [f"shares {name}" for name in outcome.shares]
    aside = "".join(f"{what}; " for what in touched) if probe.inputs_count else ""
    warned = probe.warnings_count and any(text.startswith("RuntimeWarning") for text in outcome.warnings)
    return aside + WARNS if warned else aside


def _form(value):
    """Describe a result by all that is not a finite number: nesting, shapes, kinds, texts, places of NaN."""
    if isinstance(value, tuple | list):
        return f"({','.join(map(_form, value))})"
    if isinstance(value, dict):
        return "{" + _form(list(value.items())) + "}"
    if isinstance(value, np.ndarray | np.generic | bool | int | float):
        array = np.asarray(value)
        kind = {"u": "i"}.get(array.dtype.kind, array.dtype.kind)
        if kind in "SU":  # how wide texts are that were made of numbers depends on the machine
            return f"{kind}{array.shape}"
        return f"{kind}{array.shape}{_not_finite(array)}" if kind in "bifc" else describe(value)
    if isinstance(value, str):
        return f"'{zlib.crc32(value.encode(errors='replace')):x}'"
    if hasattr(type(value), "stands_for") and value.is_array:  # of a worker, whose array was not sent
        texts = TEXTS.search(describe(value))
        return f"{texts[2]}{texts[1]}" if texts else describe(value)
    return "None" if value is None else "something else"


def _short(text):
    return text if len(text) <= MAX_LENGTH else f"{text[:8]}...{zlib.crc32(text.encode(errors='replace')):x}"


def _not_finite(array):
    """Return a mark for where an array is infinite or NaN; empty where it is nowhere."""
    if array.dtype.kind not in "fc" or np.isfinite(array).all():
        return ""
    codes = np.isnan(array) + 2 * np.isposinf(array.real) + 3 * np.isneginf(array.real)
    return f"!{zlib.crc32(codes.astype(np.uint8).tobytes()):x}"
