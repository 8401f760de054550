"""Whether a known mistake fails a claim does not depend on the numbers drawn: at home and in a class it costs the same.

Only exercises are tried here whose inputs are so few or so small that chance could let a mistake through.
"""

import numpy as np
import pytest

from autograder.evaluation.attempts import attempts, visible_seed
from autograder.registry import find
from autograder.specification import Exercise, Output
from tests.support.small_calls import runner

OTHER_SEEDS = range(5)  # beside that of a learner's own check
EXERCISES = [
    pytest.param(name, marks=pytest.mark.xdist_group(name))
    for name in (
        "masked_attention",
        "first_leak",
        "split_heads",
        "alignment",
        "sequence_log_prob",
        "greedy_decode",
        "top_k_filter",
        "top_p_filter",
        "sample_token",
        "sample_decode",
        "beam_search",
        "noam_learning_rate",
        "adam_update",
        "train_step",
        "byte_pair_merge",
        "word_pieces",
        "write",
    )
]


def by_luck(exercise):
    """Return the pairs of a known mistake and a claim that it fails with some seeds and not with others."""
    pairs = []
    for mistake in exercise.mistakes:
        run = runner(exercise, mistake.function)
        seeds = (visible_seed(exercise), *OTHER_SEEDS)
        failed = np.array([[attempt.has_failed for attempt in attempts(exercise, run, seed)] for seed in seeds])
        sometimes = failed.any(axis=0) & ~failed.all(axis=0)
        pairs += [(mistake.id, exercise.claims[number].name) for number in np.flatnonzero(sometimes)]
    return pairs


@pytest.mark.exhaustive
@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", EXERCISES)
def test_a_mistake_fails_the_same_claims_every_time(name):
    assert by_luck(find(name)) == []


def test_a_claim_by_luck_is_noticed():
    """Meta-test: a single number that is drawn may have either sign, and of two drawn as a pair one is negative."""

    def size(x):
        return abs(x)

    exercise = Exercise(reference=size, asks="the size of a number.", returns=(Output("size"),))

    @exercise.claim(1)
    def any_number(call, rng):
        """any number"""
        call.agrees(float(rng.standard_normal()))

    @exercise.claim(1)
    def both_signs(call, rng):
        """both signs"""
        for sign in (1, -1):
            call.agrees(sign * float(rng.uniform(1, 2)))

    @exercise.mistakes.add("")
    def sign_kept(x):
        """The sign stays.
        A size has none."""
        return x

    assert by_luck(exercise) == [("sign-kept", "any number")]
