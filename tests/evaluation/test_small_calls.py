"""What a small call shows beside its result, and the reason that is given with it."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from autograder.evaluation import counterexample
from autograder.evaluation.attempts import attempts, visible_seed
from autograder.evaluation.cause import Cause
from autograder.evaluation.evaluate import evaluate
from autograder.feedback.make_report import make_report
from autograder.feedback.text import as_text
from autograder.learner.local import evaluate_locally
from autograder.registry import find
from tests.support.small_calls import runner


def example_of(exercise, mistake):
    """Return the example of a known mistake, or None."""
    run = runner(exercise, mistake.function)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return counterexample.find(exercise, run, attempts(exercise, run, visible_seed(exercise)))


def test_a_truncated_right_result_is_told_by_length():
    """Nothing in it differs from the right one as far as it goes."""
    exercise = find("greedy_decode")
    code = exercise.calls[0]
    right = counterexample.tried(exercise, runner(exercise, exercise.reference), code).outcome.value

    def greedy_decode(next_log_probs, bos_id, eos_id, max_len):
        return exercise.reference(next_log_probs, bos_id, eos_id, max_len)[:-1]

    verdict, _ = evaluate_locally(exercise, greedy_decode)
    assert f"{len(right) - 1} entries" in as_text(make_report(verdict))


def test_a_missing_refusal_is_shown_beside_the_result():
    def embed(token_ids, E):
        return E[token_ids]

    text = as_text(make_report(evaluate_locally(find("embed"), embed)[0]))
    assert "raises IndexError" in text
    assert "raises ValueError" in text


@pytest.mark.parametrize(
    ("name", "mistake", "words"),
    [
        ("softmax", "in-place", "changes x"),
        ("relu", "own-array", "shares its memory with x"),
        ("softmax_backward", "in-place", "leaves d_p as it was"),
        ("causal_mask", "never-refuses", "raises ValueError"),
        ("causal_mask", "numbers-not-mentioned", "says, for example: "),
    ],
)
def test_side_effects_of_a_call_are_shown(name, mistake, words):
    exercise = find(name)
    example = example_of(exercise, next(one for one in exercise.mistakes if one.id == mistake))
    shown = [entry for row in (*example.yours, *example.expected) for entry in row.entries]
    assert any(words in entry for entry in shown)


# The reason


def test_a_common_cause_of_unlisted_claims_is_told():
    exercise = find("attention_scores")
    mistake = max(exercise.mistakes, key=lambda one: len(one.why))
    verdict = evaluate(exercise, runner(exercise, mistake.function), visible_seed(exercise))
    claims = [replace(result.claim, name="a name of many words " * 20) for result in verdict.results]
    results = tuple(replace(result, claim=claim) for result, claim in zip(verdict.results, claims, strict=True))
    tree = make_report(replace(verdict, results=results, cause=Cause((mistake,))))
    assert not tree.lists_claims
    assert tree.tally.endswith("; what fails has the same cause")
    assert tree.finding.text == mistake.why
