"""A report on a known mistake is short, with all that it shows."""

import pytest

from autograder.execution.substitution import names_called
from autograder.feedback.html import as_html
from autograder.feedback.make_report import make_report
from autograder.feedback.shortened import MAX_FINDING, MAX_PLACE, MAX_SHOWN
from autograder.registry import names_before
from tests.support.by_exercise import FEW, by_exercise, by_exercise_soon
from tools import proof
from tools.words import words_of


def assert_short(exercise, mistake, seed):
    """Require that a report on a known mistake is as short as promised, with all that it shows."""
    verdict = proof.verdict(exercise, mistake.function, seed)
    substituted = tuple(name for name in names_before(exercise) if name in names_called(mistake.function))
    report = make_report(verdict, substituted)
    limit = MAX_FINDING if report.lists_claims else MAX_PLACE
    for page in (as_html(report, linked) for linked in (True, False)):
        shown = len(words_of(page)[1])
        assert shown <= MAX_SHOWN, f"{exercise.name}, {mistake.id}: {shown} words"
        above = len(words_of(page.split("<details open")[0])[1])
        assert above <= limit, f"{exercise.name}, {mistake.id}: {above} words above the claims"


@by_exercise_soon
def test_reports_are_short(exercise, part_of):
    """They are some of the reports on the verdicts that the proof asks for."""
    for mistake in part_of(exercise.mistakes, FEW):
        assert_short(exercise, mistake, proof.FIRST_SEED)


@pytest.mark.exhaustive
@pytest.mark.one_in(3)
@by_exercise
def test_all_reports_are_short(exercise):
    """At most 60 words above the claims, 90 where these are folded, and 120 not folded, for every known mistake.

    They are the reports on the verdicts that the proof with other inputs asks for.
    """
    for mistake in exercise.mistakes:
        assert_short(exercise, mistake, proof.OTHER_SEEDS[0])
