"""A small slip keeps the points of the claims that it does not touch, in the notebook and in a class alike."""

import pytest

from autograder.evaluation.attempts import visible_seed
from autograder.evaluation.evaluate import NOT_JUDGED, SET_RIGHT
from autograder.registry import find, units
from tools import proof

SLIPS = [
    pytest.param(exercise, mistake, id=f"{exercise.name}-{mistake.id}", marks=pytest.mark.xdist_group(exercise.name))
    for unit in units()
    for exercise in unit.exercises
    for mistake in exercise.mistakes
    if mistake.costs
]
FAST = {"softmax": "always-first-axis", "layer_norm": "sample-variance", "context_vector": "no-root"}


def assert_small(exercise, mistake, *seeds):
    """Require a cause of its own, the loss of a claim that it costs, and points for others, the same with all seeds."""
    verdicts = [proof.verdict(exercise, mistake.function, seed) for seed in seeds]
    for verdict in verdicts:
        assert (verdict.cause.kind, verdict.mistake.id) == ("certain", mistake.id)
        failed = [result for result in verdict.results if not result.passed]
        assert any(result.claim.test in mistake.costs for result in failed)
        kept = [result.claim for result in verdict.results if result.status == SET_RIGHT]
        assert kept
        assert not mistake.costs & {claim.test for claim in kept}
        assert sum(result.points for result in verdict.results if result.status != NOT_JUDGED) == verdict.points > 0
    assert len({verdict.points for verdict in verdicts}) == 1


@pytest.mark.parametrize(("name", "id"), FAST.items())
def test_some_slips_cost_their_own_claims_only(name, id):
    exercise = find(name)
    (mistake,) = (mistake for mistake in exercise.mistakes if mistake.id == id)
    assert_small(exercise, mistake, visible_seed(exercise), proof.FIRST_SEED)


@pytest.mark.exhaustive
@pytest.mark.one_in(3)
@pytest.mark.parametrize(("exercise", "mistake"), SLIPS)
def test_every_slip_costs_its_own_claims_only(exercise, mistake):
    assert_small(exercise, mistake, visible_seed(exercise), proof.FIRST_SEED)


def test_slips_of_the_course_are_many():
    assert len(SLIPS) > 90
