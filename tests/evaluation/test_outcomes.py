"""What known mistakes come to is measured when it is first needed, kept, and measured again after a change."""

import functools
import json
import os
import types
from pathlib import Path

import pytest
from filelock import FileLock

from autograder.evaluation import ahead, outcome_files, outcomes, reach
from autograder.evaluation.deviations import is_same
from autograder.evaluation.outcomes import helpers_of, is_kept, known_outcomes, measure
from autograder.evaluation.probes import probes
from autograder.registry import find, units

SLOW = ("beam_search", "decoder_layer", "decode_target", "encode_source", "translate", "cached_decode_step")
EXERCISES = [
    pytest.param(exercise, id=exercise.name, marks=pytest.mark.exhaustive if exercise.name in SLOW or number else ())
    for unit in units()
    for number, exercise in enumerate(unit.exercises)
]


def forget():
    for function in (outcomes._known, outcomes.measured):
        function.cache_clear()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache; returns its folder."""
    monkeypatch.setenv(outcome_files.VARIABLE, str(tmp_path))
    forget()
    yield tmp_path / "outcomes"
    forget()


@pytest.fixture
def counted(monkeypatch):
    """Return the ids of all mistakes that are measured from now on."""
    ids = []

    @functools.wraps(measure)  # so that the key stays
    def counting(exercise, mistake, *others):
        ids.append(mistake.id)
        return measure(exercise, mistake, *others)

    monkeypatch.setattr(outcomes, "measure", counting)
    return ids


def again(exercise, helper=""):
    """Return what is known in a process that has not asked before."""
    forget()
    return known_outcomes(exercise, helper)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_file_holds_what_is_measured(exercise, cache):
    measured, kept = known_outcomes(exercise), again(exercise)
    assert [one.mistake for one in kept] == exercise.mistakes
    for one, other in zip(measured, kept, strict=True):
        assert one.fails == other.fails
        for number, probe in enumerate(probes(exercise)):
            pair = one.deviations.get(number), other.deviations.get(number)
            assert is_same(*pair, probe), (one.mistake.id, number)


def test_what_is_kept_is_not_measured_again(cache, counted):
    exercise = find("masked_softmax")
    assert not is_kept(exercise)
    first = known_outcomes(exercise)
    assert counted == [mistake.id for mistake in exercise.mistakes]
    assert is_kept(exercise)
    assert again(exercise) == first
    assert len(counted) == len(exercise.mistakes)


def test_mistakes_of_a_called_function_are_kept_apart(cache):
    exercise = find("masked_attention")
    assert helpers_of(exercise) == ("attention_scores", "masked_softmax")
    within = known_outcomes(exercise, "masked_softmax")
    assert {one.helper for one in within} == {"masked_softmax"}
    assert all(one.fails for one in within)
    assert again(exercise, "masked_softmax") == within
    assert {path.name.partition("-")[0] for path in cache.iterdir()} == {
        "masked_attention",
        "masked_attention.masked_softmax",
    }


def test_callees_of_a_slow_exercise_are_not_examined():
    assert helpers_of(find("translate")) == ()
    assert helpers_of(find("decoder_layer")) != ()


@pytest.mark.parametrize("damage", ["", "{", '{"calls": 1}', "[]", "null", "[" * 100_000])
def test_a_damaged_file_is_measured_again_and_replaced(cache, counted, damage):
    exercise = find("relu")
    first = known_outcomes(exercise)
    (path,) = cache.iterdir()
    path.write_text(damage, encoding="utf-8")
    assert again(exercise) == first
    assert len(counted) == 2 * len(exercise.mistakes)
    assert again(exercise) == first
    assert len(counted) == 2 * len(exercise.mistakes)


@pytest.mark.parametrize(("part", "other"), [("id", "another"), ("deviations", []), ("fails", None)])
def test_a_file_for_other_mistakes_is_not_believed(cache, counted, part, other):
    exercise = find("relu")
    first = known_outcomes(exercise)
    (path,) = cache.iterdir()
    data = json.loads(path.read_text(encoding="utf-8"))
    data["known"][0][part] = other
    path.write_text(json.dumps(data), encoding="utf-8")
    assert again(exercise) == first
    assert len(counted) == 2 * len(exercise.mistakes)


def test_a_cache_that_cannot_be_written_is_harmless(tmp_path, monkeypatch, cache):
    (tmp_path / "file").touch()
    monkeypatch.setenv(outcome_files.VARIABLE, str(tmp_path / "file"))
    assert again(find("relu"))
    assert not is_kept(find("relu"))


def test_of_each_name_the_latest_files_stay(cache):
    for number in range(outcome_files.KEPT + 3):
        outcome_files.keep("relu", str(number), "text")
        os.utime(cache / f"relu-{number}.json", (number, number))
        outcome_files.keep("gelu", str(number), "text")
    assert sorted(path.name for path in cache.glob("relu*")) == [f"relu-{number}.json" for number in range(3, 7)]


def test_an_edition_brings_its_files(tmp_path, monkeypatch, cache, counted):
    exercise = find("masked_attention")
    monkeypatch.setattr(ahead, "units", lambda: [types.SimpleNamespace(exercises=[exercise])])
    monkeypatch.setattr(ahead, "measure_ahead", lambda exercises: None)
    files = dict(ahead.texts())
    assert files.keys() == {f"masked_attention{helper}.json" for helper in ("", ".attention_scores", ".masked_softmax")}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(outcome_files, "SHIPPED", tmp_path)
    monkeypatch.setenv(outcome_files.VARIABLE, str(tmp_path / "empty"))
    counted.clear()
    assert is_kept(exercise)
    assert again(exercise)
    assert again(exercise, "masked_softmax")
    assert counted == []


def test_measurements_run_in_processes_of_their_own(cache, counted):
    said, exercise = [], find("collapse_linear")
    ahead.measure_ahead([exercise], said.append, jobs=1)
    assert len(said) == 1
    assert all(is_kept(one, helper) for one, helper in ahead.parts_of([exercise]))
    ahead.measure_ahead([exercise], said.append, jobs=1)
    assert len(said) == 1
    known_outcomes(exercise)
    assert counted == []


def test_without_a_folder_nothing_is_measured_ahead(monkeypatch):
    measured = []
    monkeypatch.setattr(ahead, "cache_folder", lambda: None)
    monkeypatch.setattr(ahead, "_measure_in_order", lambda: measured.append(1))
    monkeypatch.setattr(ahead.os, "nice", lambda value: None)
    ahead.main()
    assert measured == []


def test_of_several_processes_one_measures_ahead(cache, monkeypatch):
    measured = []
    monkeypatch.setattr(ahead, "_measure_in_order", lambda: measured.append(1))
    monkeypatch.setattr(ahead.os, "nice", lambda value: None)
    ahead.main()
    with FileLock(cache / ".lock"):
        ahead.main()
    assert measured == [1]


# ---- the key

SOURCE = """
import numpy as np
from autograder.execution import compare

FACTOR = {factor}
TABLE = np.array([1.0, {entry}])

class Scale:
    def by(self, x):
        return {scale} * x

def helper(x):
    '''{docstring}'''
    return x + {added}  # {comment}

def unused(x):
    return {unused}

def function(x, default={default}):
    inner = lambda y: y in {{"a", "b", {member!r}}}
    return [helper(x) * FACTOR + TABLE, Scale().by(x), inner, compare.alike(x, x)]
"""
FIRST = {
    **{"factor": 2, "entry": 3.0, "scale": 5, "docstring": "One.", "added": 7, "comment": "so", "unused": 1},
    **{"default": 11, "member": "c"},
}


def key_of(**changes):
    space = {"__name__": "autograder.planted"}
    exec(SOURCE.format(**FIRST | changes), space)
    return reach.digest([space["function"]])


@pytest.mark.parametrize(
    ("part", "other"), [("factor", 3), ("entry", 4.0), ("scale", 6), ("added", 8), ("default", 12), ("member", "d")]
)
def test_the_key_follows_what_a_function_reaches(part, other):
    assert key_of(**{part: other}) != key_of()


@pytest.mark.parametrize(("part", "other"), [("docstring", "Two."), ("comment", "or so"), ("unused", 2)])
def test_the_key_depends_on_behaviour_only(part, other):
    assert key_of(**{part: other}) == key_of()


def test_the_key_follows_files(tmp_path):
    def reading():
        return folder

    reading.__module__, folder = "autograder.planted", Path(tmp_path)
    (tmp_path / "weights").write_bytes(b"1")
    first = reach.digest([reading])
    assert reach.digest([reading]) == first
    (tmp_path / "weights").write_bytes(b"2")
    assert reach.digest([reading]) != first


def test_the_key_reaches_the_engine(monkeypatch):
    """A change of how results are compared makes every file stale."""
    before = reach.digest([measure])
    monkeypatch.setattr("autograder.evaluation.deviations.SHARE", 1e-4)
    assert reach.digest([measure]) == before  # with which nothing is measured
    monkeypatch.setattr("autograder.evaluation.deviations.MAX_LENGTH", 21)
    assert reach.digest([measure]) != before
