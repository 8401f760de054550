"""The lookalikes of the exercises: at first they agree with the right function, and the claims tell them from it."""

import ast
import io
import tokenize

import numpy as np
import pytest

from autograder import sources
from autograder.evaluation.evaluate import ClaimResult, Verdict
from autograder.evaluation.probes import probes
from autograder.feedback.html import as_html
from autograder.feedback.make_report import make_report
from autograder.feedback.report import Line
from autograder.feedback.shortened import MAX_SHOWN
from autograder.learner import tell_apart
from autograder.learner.apart import NotCompared, difference
from autograder.registry import reference, units
from tests.support.by_exercise import by_exercise
from tools.words import words_of

EXERCISES = [exercise for unit in units() for exercise in unit.exercises]
LOOKALIKES = [exercise for exercise in EXERCISES if exercise.lookalike]
WITHOUT = {
    *("telling_sums", "own_positions", "one_word_back", "show_leak", "before_minus_after"),  # open tasks
    *("misleading_weights", "counting_network", "fold_norm", "losing_beam", "quantised"),
    "additive_mask",  # whatever is wrong shows in every hidden entry
    "without_heads",  # there are several right ways to silence a head
}
by_lookalike = pytest.mark.parametrize("exercise", LOOKALIKES, ids=lambda exercise: exercise.name)


def shown_call(exercise):
    """Return the arguments of the call that is shown to learners."""
    given = []
    exec(exercise.lookalike.call, {"np": np, exercise.name: lambda *args, **kwargs: given.append((args, kwargs))})
    (arguments,) = given
    return arguments


def told(exercise, args, kwargs):
    """Return how the lookalike differs from the course's own function, or "" where there is nothing to tell."""
    try:
        return difference(exercise, exercise.reference, args, kwargs)
    except NotCompared:
        return ""


def shown_function(exercise):
    """Return the function that the source which learners see defines."""
    names = {"np": np} | {name: getattr(reference(), name) for name in reference().__all__}
    exec(sources.lookalike_of(exercise.name), names)
    return names[exercise.name]


def test_which_exercises_have_a_lookalike():
    assert {exercise.name for exercise in EXERCISES if not exercise.lookalike} == WITHOUT


def test_no_two_ask_the_same():
    """Each has a call and a question of its own, and no mistake comes up again and again."""
    for parts in zip(*((each.lookalike.call, each.lookalike.question) for each in LOOKALIKES), strict=True):
        assert len(set(parts)) == len(LOOKALIKES)
    assert all(exercise.lookalike.question.count("?") for exercise in LOOKALIKES)


@by_lookalike
def test_it_agrees_in_the_call_shown(exercise):
    args, kwargs = shown_call(exercise)
    assert difference(exercise, exercise.reference, args, kwargs) == ""


@by_lookalike
def test_its_source_is_written_out(exercise):
    """The source works by itself and asks no right function for the answer."""
    source = sources.lookalike_of(exercise.name)
    assert source.count(f"{exercise.name}(") == 1
    (function,) = (node for node in ast.parse(source).body if getattr(node, "name", "") == exercise.name)
    assert ast.get_docstring(function) is None  # it says what is wrong
    kinds = {token.type for token in tokenize.generate_tokens(io.StringIO(source).readline)}
    assert tokenize.COMMENT not in kinds
    assert exercise.wrong_version.name.split(".")[0] not in source
    args, kwargs = shown_call(exercise)
    assert difference(exercise, shown_function(exercise), args, kwargs) == ""


@by_lookalike
def test_the_invitation_is_short(exercise):
    """With what is said of a function that is kept, it leaves a report within its length."""
    passed = Verdict(exercise, "passed", tuple(ClaimResult(claim, "passed") for claim in exercise.claims))
    kept = Line("Kept", "in my_transformer/unit_02_scaled_dot_product_attention.py, where later notebooks find it.")
    (invitation,) = tell_apart.invitation(shown_function(exercise), passed)
    page = as_html(make_report(passed, notes=(kept, invitation)))
    assert len(words_of(page)[1]) <= MAX_SHOWN


@pytest.mark.exhaustive(minutes=1)
@pytest.mark.one_in(3)
@by_exercise
def test_a_claim_tells_it_apart(exercise):
    """Some call of a claim shows the difference, in words that fit into a report; the source does the same there."""
    if not exercise.lookalike:
        return
    calls = ((probe.trial.args, probe.trial.kwargs) for probe in probes(exercise))
    args, kwargs = next(call for call in calls if told(exercise, *call))
    words = told(exercise, args, kwargs)
    assert len(words.split()) <= 60
    with pytest.raises(NotCompared, match="your own"):
        difference(exercise, shown_function(exercise), args, kwargs)
    mistake = exercise.wrong_version
    assert len(f"{words} {mistake.name} {mistake.why}".split()) <= MAX_SHOWN
