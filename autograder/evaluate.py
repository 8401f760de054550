"""Run an exercise's claims on a function, wherever it lives, and name the mistake."""

import warnings
from dataclasses import dataclass, replace

import numpy as np

from autograder import diagnose, example
from autograder.call import Call, Failed, InputsTouched, call_text
from autograder.exercise import Claim, Exercise, Mistake


@dataclass(frozen=True)
class ClaimResult:
    """Verdict on one claim: the words, the failing call and the cause as far as it is known.

    `ended` is how the failing call ended: the status of its `Outcome`.
    """

    claim: Claim
    passed: bool
    message: str = ""
    called: str = ""
    mistake: Mistake | None = None
    structure: str = ""
    example: str = ""
    ended: str = ""

    @property
    def name(self):
        return self.claim.name

    @property
    def points(self):
        return self.claim.points if self.passed else 0


@dataclass(frozen=True)
class Verdict:
    """Everything that was found out about one function.

    `status` is "passed", "open" (some claim fails) or "not written".
    """

    exercise: Exercise
    status: str
    results: tuple[ClaimResult, ...]
    mistake: Mistake | None = None
    remarks: tuple[str, ...] = ()

    @property
    def points(self):
        return sum(result.points for result in self.results)


def evaluate(exercise, run, seed=0):
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
    """
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # of the claims' own arithmetic on what came back
        attempts = []
        for number, claim in enumerate(exercise.claims):
            call = Call(exercise, run)
            failure = _failure(claim, call, np.random.default_rng([*np.atleast_1d(seed), number]))
            attempts.append((claim, call.trials, failure))
        return _verdict(exercise, run, attempts)


def _failure(claim, call, rng):
    """Try a claim and return why it does not hold, or None."""
    try:
        claim.test(call, rng)
    except Failed as failed:
        return failed
    except Exception as error:  # a result that breaks whoever looks at it
        return Failed(f"what came back cannot be examined: that raises {type(error).__name__}.")
    return None


def _verdict(exercise, run, attempts):
    everything = [trial for _, trials, _ in attempts for trial in trials]
    if everything and all(trial.outcome.status == "not written" for trial in everything):
        return _not_written(exercise)
    failed = [trials for _, trials, failure in attempts if failure]
    memory = {}
    telling_first = sorted(attempts, key=lambda attempt: attempt[2] is None)
    calls = [trial for _, trials, _ in telling_first for trial in reversed(trials)]
    overall = _diagnosed(None, diagnose.known_mistake, exercise, calls, memory) if failed else None
    results = tuple(_result(exercise, *attempt, overall, memory) for attempt in attempts)
    examples = _diagnosed({}, example.find, exercise, run, attempts) if failed else {}
    results = tuple(replace(result, example=examples.get(result.name, "")) for result in results)
    mistake = overall or next((r.mistake for r in results if r.mistake), None)
    status = "open" if failed else "passed"
    told = any(isinstance(failure, InputsTouched) for _, _, failure in attempts)
    remarks = _diagnosed((), diagnose.remarks, exercise, everything, not told)
    return Verdict(exercise, status, results, mistake, remarks)


def _result(exercise, claim, trials, failure, overall, memory):
    if failure is None:
        return ClaimResult(claim, passed=True)
    mistake = overall or _diagnosed(None, diagnose.known_mistake, exercise, trials[::-1], memory)
    structure = "" if mistake else _diagnosed("", diagnose.structure, exercise, failure.difference, trials[-1])
    called, ended = call_text(exercise, trials[-1]), trials[-1].outcome.status
    return ClaimResult(claim, False, failure.text, called, mistake, structure, ended=ended)


def _diagnosed(otherwise, diagnosis, *args):
    """Return a diagnosis; what came back may be anything, so one that cannot be made is left out."""
    try:
        return diagnosis(*args)
    except Exception:
        return otherwise


def _not_written(exercise):
    message = "not written yet"
    return Verdict(exercise, "not written", tuple(ClaimResult(c, False, message) for c in exercise.claims))
