"""Tries what a class has added: the right functions pass, no answer can be collected, and every mistake is named."""

import pickle
from collections.abc import Iterator

from autograder.evaluation.attempts import attempts, visible_seed
from autograder.evaluation.evaluate import evaluate
from autograder.execution.call import LocalRunner
from autograder.own import is_own, place_of
from autograder.registry import units
from autograder.specification import Claim, Exercise

SEEDS = (1, 2, 3)


def added() -> list[Exercise]:
    """Return the exercises that the class has added, and those of which it claims something privately."""
    return [exercise for unit in units() for exercise in unit.exercises if is_own(exercise) or own_claims(exercise)]


def own_claims(exercise: Exercise) -> list[Claim]:
    """Return the claims of an exercise that are the class's own."""
    return [claim for claim in exercise.claims if is_of_class(claim)]


def is_of_class(claim: Claim) -> bool:
    """Return whether a claim stands in a file of the class."""
    return claim.test.__module__.startswith("autograder.own.")


def faults(exercise: Exercise) -> Iterator[str]:
    """Yield what is wrong with an exercise to which the class has added something, each with its file and line."""
    right = LocalRunner(exercise.reference, exercise.signature)
    right.seconds = None  # it is trusted to end
    tried = [attempts(exercise, right, seed) for seed in SEEDS]
    for claim, *its in zip(exercise.claims, *tried, strict=True):
        if not is_of_class(claim):
            continue
        failure = next((one.failure for one in its if one.failure), None)
        if failure:
            yield f"{place_of(claim.test)}: the right function of {exercise.name} does not pass: {failure.text}"
        elif len({_answers(one) for one in its}) == 1:
            yield f"{place_of(claim.test)}: draw inputs from `rng`: the right answers are the same for every learner"
    if is_own(exercise):
        yield from _of_mistakes(exercise)


def _answers(attempt):
    return pickle.dumps([(trial.outcome.value, str(trial.outcome.error)) for trial in attempt.trials])


def _of_mistakes(exercise):
    where = place_of(exercise.reference).partition(",")[0]
    for mistake in exercise.mistakes:
        verdict = evaluate(exercise, LocalRunner(mistake.function, exercise.signature), visible_seed(exercise))
        if verdict.status == "passed":
            yield f"{where}: no claim of {exercise.name} fails for the mistake {mistake.id}"
        elif verdict.mistake is not mistake:
            named = verdict.mistake.id if verdict.mistake else "no mistake"
            yield f"{where}: a function with the mistake {mistake.id} of {exercise.name} is told {named}"
