"""Every named report shows a small call that is true, gives its reason in full, and is quick to make."""

import itertools

import numpy as np
import pytest

from autograder.evaluation import counterexample
from autograder.evaluation.attempts import attempts, visible_seed
from autograder.execution.nested import leaves
from autograder.feedback.make_report import make_report
from autograder.registry import find, units
from tests.support.by_exercise import by_exercise
from tests.support.small_calls import runner
from tools import proof

EXERCISES = [exercise for unit in units() for exercise in unit.exercises]
MAX_LINES, MAX_WIDTH = 12, 116
SAMPLE = 61  # every so many of the known mistakes are tried in the fast suite
WITHOUT = {
    ("embed", "width-from-ids"): "the error is raised by a function of the course",
    ("softmax", "nearly-zero"): "7e-10 in the place of 0 is within what rounding may do to any other number",
    ("softmax_backward", "builds-jacobian"): "only the memory is too much, and only for thousands of numbers",
    ("additive_mask", "low-precision"): "the numbers 0 and -inf are right, in any precision",
    ("without_heads", ""): "its result may be written in other ways than the course's, which a call cannot tell",
    ("translate", "unstable"): "logits far enough apart are too far for functions that are accepted, too",
    ("translate", "maximum-of-all-rows"): "logits far enough apart are too far for functions that are accepted, too",
    ("chat_prompt", "system-every-time"): "a text with two turns is longer than what a report shows of one",
    ("ablation_table", "pairs-twice"): "the table is right: too much is measured for it",
    ("ablation_table", "whole-again-and-again"): "the table is right: too much is measured for it",
    ("ablation_table", "all-twice"): "the table is right: too much is measured for it",
}


def assert_shown(exercise, mistake, example):
    if exercise.is_open or {(exercise.name, mistake.id), (exercise.name, "")} & WITHOUT.keys():
        return
    assert example, f"{exercise.name}, {mistake.id}: no small call"
    lines = example.call.splitlines()
    assert len(lines) <= MAX_LINES, example.call
    pairs = zip(example.yours, example.expected, strict=False)
    shown = example.error or any(one.entries != other.entries for one, other in pairs) or any(example.kinds)
    assert shown or len(example.yours) != len(example.expected), example


def test_the_exceptions_are_known_mistakes():
    for name, mistake in WITHOUT:
        assert mistake in {"", *(one.id for one in find(name).mistakes)}


def assert_told(exercise, mistake):
    """Require of the report on a known mistake what is promised; whatever else it may be, its cause is this one."""
    verdict = proof.verdict(exercise, mistake.function, visible_seed(exercise))
    assert verdict.mistake.why in make_report(verdict).finding.text, f"{exercise.name}, {mistake.id}: no reason"
    assert_shown(exercise, mistake, verdict.example)


def test_a_report_has_whole_reason_and_small_call():
    """A sample, without those exercises whose claims take seconds."""
    quick = [one for one in EXERCISES if one.name not in ("translate", "decode_target", "cached_decode_step")]
    known = [(exercise, mistake) for exercise in quick for mistake in exercise.mistakes]
    for exercise, mistake in itertools.islice(known, 0, None, SAMPLE):
        assert_told(exercise, mistake)


@pytest.mark.exhaustive
@pytest.mark.one_in(3)
@by_exercise
def test_all_reports_have_whole_reason_and_small_call(exercise):
    for mistake in exercise.mistakes:
        assert_told(exercise, mistake)


def test_an_error_in_a_diagnosis_is_seen(monkeypatch):
    """Meta-test: in a notebook a report does without what cannot be found out, and here the test fails."""
    monkeypatch.setattr(counterexample, "find", lambda *args, **kwargs: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        proof.verdict(find("relu"), np.abs, 3)


@by_exercise
def test_the_calls_of_an_exercise_can_be_copied(exercise):
    """Each gives a result or is refused by the exercise itself, within a fraction of a second."""
    for code in exercise.calls:
        assert len(code.splitlines()) <= MAX_LINES, code
        assert max(map(len, code.splitlines())) <= MAX_WIDTH, code
        trial = counterexample.tried(exercise, runner(exercise, exercise.reference), code)
        assert not trial.outcome.error or trial.outcome.error.type == "ValueError" or "101" in code or "100" in code
        names = {"np": np, exercise.name: exercise.reference}
        if not trial.outcome.error:
            exec(code, names)


@pytest.mark.exhaustive
@by_exercise
def test_no_claim_makes_the_calls_of_an_exercise(exercise):
    """Whoever collects the results that reports show finds none of them asked for; functions are always drawn."""
    if exercise.hands:
        return
    shown = {_written(exercise, *_given(exercise, code)) for code in exercise.calls}
    for seed in range(3):
        for attempt in attempts(exercise, runner(exercise, exercise.reference), seed):
            for trial in attempt.trials:
                assert _written(exercise, trial.args, trial.kwargs) not in shown


def test_only_calls_about_ties_rest_on_them():
    """Of two equal scores only the 17th digit could say which comes first; the calls about ties come last."""
    exercise = find("beam_search")
    about_ties = [one for one in exercise.mistakes if one.id in ("later-first", "ties-by-ids", "final-ties-by-ids")]
    have_ties = []
    for code in exercise.calls:
        right, *wrong = (
            counterexample.tried(exercise, runner(exercise, one), code).outcome.value
            for one in (exercise.reference, *(mistake.function for mistake in about_ties))
        )
        scores = np.array([score for score, _ in right])
        have_ties.append(bool(np.isclose(scores[1:], scores[:-1]).any()))
        assert have_ties[-1] == any(other != right for other in wrong), code
    assert len(about_ties) == 3
    assert have_ties == sorted(have_ties)


def _given(exercise, code):
    trial = counterexample.tried(exercise, runner(exercise, exercise.reference), code)
    return trial.args, trial.kwargs


def _written(exercise, args, kwargs):
    bound = exercise.signature.bind(*args, **kwargs)
    bound.apply_defaults()
    return repr(list(leaves(tuple(bound.arguments.values()))))
