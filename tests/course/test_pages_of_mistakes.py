"""The page that a learner gets back for a known mistake gives no answer away."""

import re

import pytest

from autograder.grading.pages.page import page
from autograder.registry import find, unit_of
from tests.support.given_back import record, submission, words

MORE = [pytest.param(name, marks=pytest.mark.exhaustive) for name in ("attention_backward", "softmax")]


@pytest.mark.parametrize("name", ["scaled_dot_product_attention", *MORE])
def test_no_reference_and_no_large_arrays(name):
    """Of the numbers behind a verdict a page shows a few at most, and of the reference's code nothing."""
    exercise = find(name)
    unit = unit_of(exercise)
    right = {other.name: record(other, other.reference) for other in unit.exercises}
    for mistake in exercise.mistakes:
        text = page(submission(unit), (right | {name: record(exercise, mistake.function)}).values())
        article = re.search(rf'<article aria-labelledby="{name}".*?</article>', text, re.DOTALL)[0]
        assert len(re.findall(r"-?\d+\.\d+", words("<body>" + article))) < 60
        assert "keepdims" not in article
