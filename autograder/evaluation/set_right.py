"""A small slip costs the claims that are about it: the others are judged with the slip set right.

Whoever divides by `d - 1` in a layer norm gets wrong numbers in every call, and would lose every claim for one slip.
Where this slip explains all that is wrong, gamma, beta and leading axes are judged by the numbers that a function with
the slip has to return.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace

from autograder.evaluation.attempts import Attempt, attempt_at
from autograder.evaluation.cause import Cause
from autograder.evaluation.trials import NotTried
from autograder.execution.outcome import Outcome
from autograder.specification import Exercise, KnownMistakes, Mistake


def held_with_slip_set_right(
    exercise: Exercise,
    run: Callable[..., Outcome],
    seed: int | Sequence[int],
    tried: Sequence[Attempt],
    cause: Cause | None,
) -> frozenset[int]:
    """Return the numbers of claims that fail, and would hold if the numbers of a small slip were the right ones.

    Parameters
    ----------
    exercise : Exercise
    run : callable
        ``run(args, kwargs, measure_memory=False)`` performs one call and returns an `Outcome`.
    seed : int or sequence of int
        With which the claims were tried.
    tried : sequence of Attempt
    cause : Cause or None
        Only one that is certain, and is a slip with `costs`, sets anything right.

    Returns
    -------
    frozenset of int
    """
    slip = cause.own[0] if cause and cause.kind == "certain" and cause.own else None
    if not slip or not any(attempt.has_failed and attempt.claim.test in slip.costs for attempt in tried):
        return frozenset()
    judged_by_slip = replace(exercise, reference=_in_place_of_the_reference(exercise, slip), mistakes=KnownMistakes())
    others = [
        number
        for number, attempt in enumerate(tried)
        if attempt.failure and not isinstance(attempt.failure, NotTried) and attempt.claim.test not in slip.costs
    ]
    return frozenset(k for k in others if attempt_at(k, judged_by_slip, run, seed).failure is None)


def _in_place_of_the_reference(exercise: Exercise, slip: Mistake) -> Callable:
    @functools.wraps(exercise.reference)  # name and signature stay those of the exercise
    def reference(*args, **kwargs):
        return slip.function(*args, **kwargs)

    return reference
