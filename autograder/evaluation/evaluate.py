"""Run an exercise's claims on a function, wherever it lives, and name the mistake."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.evaluation import cause, counterexample, patterns, remarks
from autograder.evaluation.attempts import attempts
from autograder.evaluation.cause import Cause
from autograder.evaluation.example import Example
from autograder.evaluation.set_right import held_with_slip_set_right
from autograder.evaluation.trials import Imprecise, InputsTouched, Trial, call_text
from autograder.execution.outcome import Outcome
from autograder.specification import DIGITS, Claim, Exercise, Mistake

PASSED, FAILED, NOT_JUDGED, SET_RIGHT = "passed", "failed", "not judged", "set right"


@dataclass(frozen=True)
class ClaimResult:
    """Verdict on one claim: the words, and the failing call.

    `status` is "passed", "failed", "not judged" (the claim was not tried, or it is about something else than the
    numbers, and these are not right yet) or "set right" (it holds once a small slip is set right). `ended` is how the
    failing call ended: the status of its `Outcome`.
    """

    claim: Claim
    status: str
    message: str = ""
    called: str = ""
    structure: str = ""
    ended: str = ""

    @property
    def name(self) -> str:
        return self.claim.name

    @property
    def passed(self) -> bool:
        return self.status in (PASSED, SET_RIGHT)

    @property
    def points(self) -> float:
        return self.claim.points if self.passed else 0


@dataclass(frozen=True)
class Verdict:
    """Everything that was found out about one function.

    `status` is "passed", "open" (some claim does not hold) or "not written"; `cause` is a `Cause` or None, and one for
    all that does not hold; `is_unstable`: the same call gives other results each time. `example` is a small call that
    shows what is wrong, or None; `failing` are the calls of the claims that do not hold.
    """

    exercise: Exercise
    status: str
    results: tuple[ClaimResult, ...]
    cause: Cause | None = None
    remarks: tuple[str, ...] = ()
    is_unstable: bool = False
    example: Example | None = None
    failing: tuple[Trial, ...] = ()

    @property
    def points(self) -> float:
        return round(sum(result.points for result in self.results), DIGITS)

    @property
    def mistake(self) -> Mistake | None:
        """The known mistake, or the first of those that together are the cause."""
        return self.cause.mistakes[0] if self.cause else None


def evaluate(exercise: Exercise, run: Callable[..., Outcome], seed: int | Sequence[int] = 0) -> Verdict:
    """Evaluate a function against every claim of an exercise.

    Parameters
    ----------
    exercise : Exercise
    run : callable
        ``run(args, kwargs, measure_memory=False)`` performs one call and returns an `Outcome`.
    seed : int or sequence of int
        Seed of the inputs; claim k draws from a generator of its own, so that claims do not depend on
        each other.

    Returns
    -------
    Verdict

    Raises
    ------
    Undeclared
        If a claim hands over something that the exercise does not declare.
    """
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # from the arithmetic on what came back
        return _verdict(exercise, run, attempts(exercise, run, seed), seed)


def _verdict(exercise, run, tried, seed):
    trials = [trial for attempt in tried for trial in attempt.trials]
    if trials and all(trial.outcome.status == "not written" for trial in trials):
        return _not_written(exercise)
    results = tuple(_result(exercise, attempt) for attempt in tried)
    reported = any(isinstance(attempt.failure, InputsTouched) for attempt in tried)
    remarked = _diagnosed((), remarks.remarks, exercise, trials, not reported)
    if all(result.passed for result in results):
        return Verdict(exercise, "passed", results, remarks=remarked)
    if _diagnosed(False, cause.is_unstable, run, tried):
        return Verdict(exercise, "open", results, remarks=remarked, is_unstable=True)
    explanation = _diagnosed(None, cause.find, exercise, run, tried, seed)
    held = _diagnosed((), held_with_slip_set_right, exercise, run, seed, tried, explanation)
    results = tuple(ClaimResult(r.claim, SET_RIGHT) if k in held else r for k, r in enumerate(results))
    likely = explanation.own[0].function if explanation and explanation.kind == "likely" and explanation.own else None
    example = _diagnosed(None, counterexample.find, exercise, run, tried, mistake=likely)
    failing = tuple(trial for attempt in tried if attempt.has_failed for trial in attempt.trials)
    return Verdict(exercise, "open", results, explanation, remarked, example=example, failing=failing)


def _result(exercise, attempt):
    claim, failure = attempt.claim, attempt.failure
    if failure is None:
        return ClaimResult(claim, PASSED)
    last = attempt.trials[-1]
    called = "" if isinstance(failure, Imprecise) else call_text(exercise, last)
    ended = last.outcome.status
    if not attempt.is_judged:
        return ClaimResult(claim, NOT_JUDGED, failure.text, called, ended=ended)
    structure = _diagnosed("", patterns.structure, exercise, failure.difference, attempt.trials)
    return ClaimResult(claim, FAILED, failure.text, called, structure, ended=ended)


def _diagnosed(otherwise, diagnosis, *args, **kwargs):
    """Return a diagnosis, or `otherwise` where it fails: what came back may be anything."""
    try:
        return diagnosis(*args, **kwargs)
    except Exception:
        return otherwise


def _not_written(exercise):
    message = "not written yet"
    return Verdict(exercise, "not written", tuple(ClaimResult(c, FAILED, message) for c in exercise.claims))
