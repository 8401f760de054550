"""Open tasks: many answers are right, what is wrong is said by what it comes to, and no report compares two answers."""

import numpy as np
import pytest

from autograder.evaluation.attempts import visible_seed
from autograder.evaluation.probes import probes
from autograder.execution.compare import alike
from autograder.execution.nested import mapped
from autograder.learner.local import whereabouts
from autograder.registry import units
from tools import proof
from tools.bank import right_styles, specimens

OPEN = [
    pytest.param(exercise, id=exercise.name, marks=pytest.mark.xdist_group(exercise.name))
    for unit in units()
    for exercise in unit.exercises
    if exercise.is_open
]
FOR_ALL = {"losing_beam"}  # one table may do for several widths, and is then right for them
MAX_LENGTH = 260  # characters of what is said


def verdict(exercise, function):
    return proof.verdict(exercise, function, visible_seed(exercise))


def said(exercise, function):
    return [result.message for result in verdict(exercise, function).results if not result.passed]


@pytest.mark.parametrize("exercise", OPEN)
def test_right_answers_are_not_those_of_the_reference(exercise):
    calls = [(probe.trial.args, probe.trial.kwargs) for probe in probes(exercise)]

    def differs(style):
        return any(not alike(style(*args, **kwargs), exercise.reference(*args, **kwargs)) for args, kwargs in calls)

    assert sum(map(differs, right_styles(exercise.name))) >= 3


@pytest.mark.parametrize("exercise", OPEN)
def test_what_goes_wrong_is_said_in_numbers(exercise):
    wrong = [mistake.function for mistake in exercise.mistakes] + [one.function for one in specimens(exercise.name)]
    messages = [message for function in wrong for message in said(exercise, function)]
    assert len(messages) >= 12
    for message in messages:
        in_words = "are the same" in message or "is no longer what it was" in message
        assert any(letter.isdigit() for letter in message) or in_words, message
        assert len(message) <= MAX_LENGTH, message


@pytest.mark.parametrize("exercise", OPEN)
def test_no_report_compares_with_the_reference(exercise):
    """A small call with one right answer of many would be taken for the only one, and so would a line of code."""
    for specimen in specimens(exercise.name):
        found = verdict(exercise, specimen.function)
        assert found.points < exercise.points
        assert found.example is None
        assert whereabouts(specimen.function, found) == ""
        assert not any("expected" in result.structure for result in found.results)


@pytest.mark.parametrize("exercise", [entry for entry in OPEN if entry.id not in FOR_ALL])
def test_one_answer_for_all_calls_is_worth_little(exercise):
    for probe in probes(exercise)[::3]:
        answer = probe.trial.outcome.value
        assert verdict(exercise, lambda *args, answer=answer, **kwargs: answer).points <= exercise.points / 4


@pytest.mark.parametrize("exercise", OPEN)
def test_what_is_not_finite_is_named(exercise):
    for bad in (np.nan, np.inf):

        def filled(*args, bad=bad, **kwargs):
            right = exercise.reference(*args, **kwargs)
            return mapped(lambda leaf: np.full_like(leaf, bad) if isinstance(leaf, np.ndarray) else leaf, right)

        messages = said(exercise, filled)
        assert len(messages) == len(exercise.claims)
        assert all("entries are NaN or infinite" in message for message in messages)
