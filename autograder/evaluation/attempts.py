"""Try the claims of an exercise on a function, wherever it lives."""

import functools
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.evaluation import rounding
from autograder.evaluation.coarse import hidden_mistake
from autograder.evaluation.trials import Call, Failed, NotTried, Trial, WrongResult
from autograder.execution.handed import Undeclared
from autograder.execution.outcome import Outcome
from autograder.specification import Claim, Exercise


@dataclass(frozen=True)
class Attempt:
    """A claim that was tried: its calls, and why it does not hold, or None."""

    claim: Claim
    trials: tuple[Trial, ...]
    failure: Failed | None

    @property
    def is_judged(self) -> bool:
        """Whether the claim was tried; and one about something else than the numbers needs right numbers."""
        needs = (NotTried, WrongResult) if self.claim.side else NotTried
        return not isinstance(self.failure, needs)

    @property
    def has_failed(self) -> bool:
        return self.failure is not None and self.is_judged


def attempts(
    exercise: Exercise, run: Callable[..., Outcome], seed: int | Sequence[int], call: Callable[..., Call] = Call
) -> list[Attempt]:
    """Try all claims of an exercise.

    Parameters
    ----------
    exercise : Exercise
    run : callable
        ``run(args, kwargs, measure_memory=False)`` performs one call and returns an `Outcome`.
    seed : int or sequence of int
        Claim k draws its inputs from a generator of its own, so that claims do not depend on each other.
    call : callable, optional
        Makes what the claims call the function through.

    Returns
    -------
    list of Attempt

    Raises
    ------
    Undeclared
        If a claim hands over something that the exercise does not declare.
    """
    return [attempt_at(number, exercise, run, seed, call) for number in range(len(exercise.claims))]


def attempt_at(
    number: int,
    exercise: Exercise,
    run: Callable[..., Outcome],
    seed: int | Sequence[int],
    call: Callable[..., Call] = Call,
) -> Attempt:
    """Try the claim with this number; the rest is as in `attempts`."""
    claim, recorder = exercise.claims[number], call(exercise, run)
    make_rng = functools.partial(np.random.default_rng, [*np.atleast_1d(seed), number])
    failure = _failure(claim, recorder, make_rng)
    return Attempt(claim, tuple(recorder.trials), failure)


def visible_seed(exercise: Exercise) -> int:
    """Return the seed of the inputs that a learner's own checks use."""
    return zlib.crc32(exercise.name.encode())


def _failure(claim, call, make_rng):
    """Try a claim and return why it does not hold, or None."""
    try:
        claim.test(call, make_rng())
        if call.exercise.is_open:
            return None
        hidden = hidden_mistake(call.exercise, claim, call.trials, make_rng)
        return hidden or rounding.refusal(call.exercise, claim, call.run, call.trials, make_rng)
    except Failed as failed:
        return failed
    except Undeclared:
        raise
    except Exception as error:  # a result that breaks whoever looks at it
        return Failed(f"what came back cannot be examined: that raises {type(error).__name__}.")
