"""No claim has the same right answers under every seed: what is seen in a notebook's check cannot be handed in."""

from inspect import signature

import numpy as np
import pytest

from autograder.evaluation.trials import Call
from autograder.execution.call import LocalRunner
from autograder.registry import find, units
from autograder.specification import Claim
from tests.support.by_exercise import LONG

SLOW = pytest.mark.exhaustive
CLAIMS = [
    pytest.param(exercise, number, id=f"{exercise.name}-{number}", marks=SLOW if exercise.name in LONG else ())
    for unit in units()
    for exercise in unit.exercises
    for number in range(len(exercise.claims))
]
SEEDS = (1, 23, 456)


def answers(exercise, claim, seed):
    """Return what the reference answers to all calls of a claim, in a form that can be compared."""
    run, given = LocalRunner(exercise.reference, signature(exercise.reference)), []

    def watched(*args, **options):
        outcome = run(*args, **options)
        given.append(plain(outcome.value) if outcome.status == "returned" else outcome.error.message)
        return outcome

    claim.test(Call(exercise, watched), np.random.default_rng(seed))
    return given


def plain(value):
    """Write a result, exactly."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    return tuple(map(plain, value)) if isinstance(value, tuple | list) else repr(value)


def varies(exercise, claim):
    """Return whether the answers depend on the seed."""
    first, *others = SEEDS
    given = answers(exercise, claim, [first, 7])
    return any(answers(exercise, claim, [seed, 7]) != given for seed in others)


@pytest.mark.parametrize(("exercise", "number"), CLAIMS)
def test_the_right_answers_depend_on_the_seed(exercise, number):
    assert varies(exercise, exercise.claims[number])


def test_fixed_inputs_are_found():
    fixed = Claim("by hand only", 1, lambda call, rng: call.agrees(np.array([[0.0, 1.0], [2.0, 5.0]])))
    assert not varies(find("softmax"), fixed)
