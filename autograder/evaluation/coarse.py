"""Results of lower precision than the arguments may hide a mistake that full precision shows; then they count as it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from autograder.evaluation.smaller import size_of
from autograder.evaluation.trials import Call, Imprecise, Trial
from autograder.execution.call import run
from autograder.execution.compare import alike
from autograder.execution.precision import SINGLE, in_bytes, itemsize, rounded_like, tolerance_in_single
from autograder.specification import Claim, Exercise

TEXT = "the result has too low a precision to tell it from a known mistake: {}. Return it in that of the arguments."


def hidden_mistake(
    exercise: Exercise, claim: Claim, trials: Sequence[Trial], make_rng: Callable[[], np.random.Generator]
) -> Imprecise | None:
    """Return why a claim does not hold although its test passed, or None; call it after every test that passed.

    It does not hold where a known mistake fails the test in full precision, passes it in that of the learner's results,
    and is then at least as close to these as the right results are. What is right to the last digit is never in doubt.

    Parameters
    ----------
    exercise : Exercise
    claim : Claim
    trials : sequence of Trial
        The calls of the learner's function that the test has made.
    make_rng : callable
        Returns the random generator of the claim's inputs, anew with every call.

    Returns
    -------
    Imprecise or None
    """
    size = min((itemsize(trial.outcome.value) for trial in trials if _is_coarse(trial)), default=None)
    reference = _performer(exercise, exercise.reference)
    if not size or not _gap(trials, reference, rounding=False):
        return None
    size = max(size, SINGLE)  # what was rounded to less has failed, and what is exact hides nothing
    trials = sorted(trials, key=lambda trial: size_of((trial.args, trial.kwargs)))  # the quickest decide most
    right = _gap(trials, reference)
    for mistake in exercise.mistakes:
        in_full, rounded = (_performer(exercise, mistake.function, to) for to in (None, size))
        likely = _gap(trials, in_full, most=right) <= right
        if likely and _passes(exercise, claim, rounded, make_rng()) > _passes(exercise, claim, in_full, make_rng()):
            return Imprecise(TEXT.format(mistake.name))
    return None


def _is_coarse(trial):
    return itemsize(trial.outcome.value) < itemsize((*trial.args, *trial.kwargs.values()))


def _performer(exercise, function, size=None):
    """Return what performs calls of a trusted function; nothing of their outcomes but results and errors is kept."""
    signature = exercise.signature

    def perform(args, kwargs, measure_memory=False):
        outcome = run(function, args, kwargs, signature, seconds=None)
        value = in_bytes(outcome.value, size) if size else outcome.value
        return replace(outcome, value=value, changed=(), shares=(), earlier=(), warnings=(), peak_bytes=0)

    return perform


def _passes(exercise, claim, perform, rng):
    """Return whether a claim holds, judged by digits that single precision has."""
    call = Call(exercise, perform)
    call.tolerance_for = tolerance_in_single
    try:
        claim.test(call, rng)
    except Exception:  # a Failed, or a result that breaks whoever looks at it
        return False
    return True


def _gap(trials, perform, rounding=True, most=math.inf):
    """Return how far results are from those of another function; with `rounding`, in the precision that they have.

    Where that is more than `most`, it is inf.
    """
    gap = 0
    for trial in trials:
        other = perform(trial.args, trial.kwargs)
        same = trial.outcome.status == other.status
        gap += _distance(trial.outcome.value, other.value, rounding) if same else math.inf
        if gap > most:
            return math.inf
    return gap


def _distance(got, other, rounding):
    """Return the sum of the differences of two results, number by number; inf where they are not of one form."""
    if isinstance(got, tuple | list) and isinstance(other, tuple | list):
        same = len(got) == len(other)
        return sum(_distance(*pair, rounding) for pair in zip(got, other, strict=True)) if same else math.inf
    if not all(isinstance(value, np.ndarray | np.generic | int | float) for value in (got, other)):
        return 0 if alike(got, other) else math.inf
    got, other = np.asarray(got), np.asarray(other)
    if got.shape != other.shape or not {got.dtype.kind, other.dtype.kind} <= set("biuf"):
        return math.inf
    got, other = got.astype(float), (rounded_like(other, got) if rounding else other).astype(float)
    unlike = (got != other) & ~(np.isnan(got) & np.isnan(other))
    return float(np.nan_to_num(np.abs(got[unlike] - other[unlike]), nan=math.inf).sum())
