"""What is kept of the known mistakes is in step with the exercises, and the same on every machine."""

import pytest

from autograder.authoring import outcomes
from autograder.evaluation.outcomes import known, measure
from autograder.evaluation.probes import is_same, probes
from autograder.exercises import units
from tools.course import ROOT

SLOW = ("beam_search", "decoder_layer", "decode_target", "encode_source", "translate", "cached_decode_step")
EXERCISES = [
    pytest.param(exercise, id=exercise.name, marks=pytest.mark.exhaustive if exercise.name in SLOW or number else ())
    for unit in units()
    for number, exercise in enumerate(unit.exercises)
]


def test_every_file_is_in_step():
    assert outcomes.differences(ROOT, units()) == {}
    names = {f"{exercise.name}.json" for unit in units() for exercise in unit.exercises}
    assert {path.name for path in (ROOT / outcomes.FOLDER).iterdir()} == names


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_file_holds_what_is_measured(exercise):
    own = {one.mistake.id: one for one in known(exercise) if not one.inside}
    assert list(own) == [mistake.id for mistake in exercise.mistakes]
    for mistake in exercise.mistakes:
        measured, kept = measure(exercise, mistake), own[mistake.id]
        assert measured.fails == kept.fails, mistake.id
        for number, probe in enumerate(probes(exercise)):
            pair = measured.deviations.get(number), kept.deviations.get(number)
            assert is_same(*pair, probe), (mistake.id, number)


def test_a_changed_source_makes_a_file_stale(monkeypatch):
    monkeypatch.setattr(outcomes, "source_of", lambda exercise: "other")
    found = outcomes.differences(ROOT, units()[:1])
    assert set(found.values()) == {"stale"}
    assert len(found) == len(units()[0].exercises)
