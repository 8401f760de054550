"""Whoever hands out a result again, or overwrites it in a later call, loses points in every exercise of the course."""

import itertools
import pickle

import numpy as np
import pytest

from autograder.evaluation.attempts import attempts, visible_seed
from autograder.execution.call import LocalRunner
from autograder.execution.nested import mapped
from autograder.registry import find, units

EXERCISES = [pytest.param(exercise, id=exercise.name) for unit in units() for exercise in unit.exercises]
NUMBERS_AND_TEXTS = {  # or tuples of them, which nobody can change
    "chat_prompt",
    "count_attention_parameters",
    "count_layer_parameters",
    "count_transformer_parameters",
    "cross_entropy",
    "first_leak",
    "greedy_decode",
    "noam_learning_rate",
    "sample_decode",
    "sample_token",
    "sequence_log_prob",
    "translate",
    "write",
}
OPEN = {exercise.name for unit in units() for exercise in unit.exercises if exercise.is_open}
ONLY_A_REMARK = {"beam_search", *OPEN}  # their claims are about what comes of a result, and none about arrays
KINDS = {"byte_pair_merge": "list", "word_pieces": "list"}
NOTHING_TO_OVERWRITE = {*NUMBERS_AND_TEXTS, *ONLY_A_REMARK, *KINDS, "causal_mask"}  # behind views of arrays


class Reusing:
    """A right function that hands out its results again: `turns` of each shape, or (None) one for each question.

    With 0 turns, it keeps the one for the last question only.
    """

    def __init__(self, function, turns):
        self.function, self.turns, self.count = function, turns, itertools.count()
        self.kept = {}

    def __call__(self, *args, **kwargs):
        result = self.function(*args, **kwargs)
        turn = next(self.count) % self.turns if self.turns else self._question(args, kwargs)
        if self.turns == 0 and turn not in [place[0] for place, _ in self.kept]:
            self.kept.clear()
        return self._stored(result, (turn,))

    @staticmethod
    def _question(args, kwargs):
        return repr([(None if callable(value) else pickle.dumps(value)) for value in (*args, *kwargs.values())])

    def _stored(self, value, place):
        if isinstance(value, tuple):
            items = [self._stored(item, (*place, number)) for number, item in enumerate(value)]
            return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
        if not isinstance(value, np.ndarray | list | dict):
            return value
        shape = (value.shape, value.dtype.str) if isinstance(value, np.ndarray) else type(value)
        kept = self.kept.setdefault((place, shape), value)
        if kept is not value and isinstance(value, np.ndarray):
            kept[...] = value
        elif kept is not value:
            kept.clear()
            kept.update(value) if isinstance(kept, dict) else kept.extend(value)
        return kept


@pytest.mark.exhaustive
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "turns", [1, 2, 3, None, 0], ids=["a buffer", "two that take turns", "three", "a cache", "a cache of one"]
)
@pytest.mark.parametrize("exercise", EXERCISES)
def test_whoever_hands_out_a_result_again_loses_points(exercise, turns):
    """The numbers of every call are right."""
    function = Reusing(exercise.reference, turns)
    runner = LocalRunner(function, exercise.signature)
    runner.seconds = None
    failures = [attempt.failure for attempt in attempts(exercise, runner, visible_seed(exercise)) if attempt.has_failed]
    if exercise.name in NUMBERS_AND_TEXTS:
        assert not function.kept
    elif exercise.name in ONLY_A_REMARK:
        assert function.kept
        assert exercise.is_open or not failures
    else:
        assert failures
        assert {failure.text.partition(": ")[0] for failure in failures} == {
            f"two calls returned the same {KINDS.get(exercise.name, 'array')}"
        }


def locked(value):
    """Return an array as a view that nobody may write into; anything else as it is."""
    if isinstance(value, np.ndarray):
        value = value[...]
        value.flags.writeable = False
    return value


def overwrites_with_impunity(exercise, turns):
    """Return whether a function keeps all its points whose results are read-only views of `turns` buffers."""
    reusing = Reusing(exercise.reference, turns)
    runner = LocalRunner(lambda *args, **kwargs: mapped(locked, reusing(*args, **kwargs)), exercise.signature)
    runner.seconds = None
    return not any(attempt.has_failed for attempt in attempts(exercise, runner, visible_seed(exercise)))


@pytest.mark.parametrize("turns", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["positional_encoding", "shift_matrix", "angular_frequencies", "collapse_linear"])
def test_a_buffer_shows_through_read_only_results(name, turns):
    assert not overwrites_with_impunity(find(name), turns)


@pytest.mark.exhaustive
@pytest.mark.one_in(3)
@pytest.mark.parametrize("exercise", [one for one in EXERCISES if one.id not in NOTHING_TO_OVERWRITE])
def test_no_buffer_hides_behind_read_only_results(exercise):
    assert not any(overwrites_with_impunity(exercise, turns) for turns in (1, 2, 3))
