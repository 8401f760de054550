"""The words and the order of a report, for mistakes of different kinds."""

import numpy as np
import pytest

from autograder import check
from autograder.call import Call, Failed
from autograder.evaluate import evaluate
from autograder.exercise import Claim, Exercise, Mistake, Returned
from autograder.feedback import as_text
from autograder.outcome import Outcome
from autograder.run import run


def double(x):
    return 2.0 * x


def report(function, *claims):
    """Return the report of a function on an exercise that asks for the double, with two known mistakes."""
    mistakes = (
        Mistake("triples", "It triples", lambda x: 3.0 * x, "Two is asked for.", "Twice"),
        Mistake("signless", "It forgets the sign", lambda x: 2.0 * np.abs(x), "Signs count.", "Signs"),
    )
    asked = (
        Claim("positive numbers", 1, lambda call, rng: call.agrees(np.array([1.0, 4.0]))),
        Claim("negative numbers", 1, lambda call, rng: call.agrees(np.array([-1.0, 4.0]))),
    )
    exercise = Exercise(double, "double x.", (Returned("y"),), (*asked, *claims), mistakes, "Doubling")
    return as_text(evaluate(exercise, lambda args, kwargs, measure_memory=False: run(function, args, kwargs)))


def test_one_cause_of_everything_is_told_once_at_the_end():
    """A mistake behind all failures is named once, with its section."""
    text = report(lambda x: 3.0 * x)
    assert text.count("Likely cause: It triples. Two is asked for.") == 1
    assert text.index("Likely cause") > text.rindex("Came back")
    assert "the section “Twice”" in text


def test_different_causes_are_told_where_they_belong():
    """Two mistakes in one function are named at their claims, and the exercise's own section closes the report."""
    text = report(lambda x: 2.0 * np.abs(x) if (x < 0).any() else 3.0 * x)
    lines = text.splitlines()
    causes = [line.strip() for line in lines if "Likely cause" in line]
    assert causes[0].endswith("Two is asked for. See the section “Twice”.")
    assert causes[1].endswith("Signs count. See the section “Signs”.")
    assert "the section “Doubling”" in lines[-1]


def test_the_same_message_is_not_told_twice():
    """An error that stops every call is written out once."""
    text = report(lambda x: x + None)
    assert text.count("the call raised TypeError") == 1
    assert "Came back: the same as above." in text


def test_a_quiet_claim_counts_floating_point_warnings_only():
    """A RuntimeWarning fails a claim that must pass quietly; a warning of the learner's own does not."""
    noisy = Claim("quietly", 1, lambda call, rng: call.agrees_quietly(np.array([0.0, 2.0])))
    assert "NumPy warned on the way: RuntimeWarning" in report(lambda x: (np.log(x), 2.0 * x)[1], noisy)
    assert "visible checks passed" in report(
        lambda x: (__import__("warnings").warn("mine", stacklevel=1), 2.0 * x)[1], noisy
    )


def test_precision_is_a_remark():
    """float64 for float32 is told and costs nothing; what float32 gives is not remarked on."""
    halves = Claim("float32", 1, lambda call, rng: call.agrees(np.array([0.5, 1.5], dtype=np.float32)))
    text = report(lambda x: np.float64(2) * x, halves)
    assert "visible checks passed" in text
    assert "Given float32 your function returns float64" in text
    assert "float64" not in report(double, halves)


def view_call(allowed):
    """Make a call whose function returns its argument."""
    exercise = Exercise(double, "", (Returned("y"),), (), (), "", may_be_view=allowed)
    return Call(exercise, lambda args, kwargs: Outcome("returned", args[0], shares=("x",)))


def test_views_are_refused_unless_allowed():
    """A result that shares memory with an argument fails the claim, but for a pure rearrangement."""
    view_call(allowed=True).leaves_inputs_alone(np.ones(2))
    with pytest.raises(Failed, match="share memory"):
        view_call(allowed=False).leaves_inputs_alone(np.ones(2))


def test_report_of_an_untouched_exercise_is_two_lines_long():
    """Nothing but the task and what to do next."""

    def softmax(x, axis=-1):
        raise NotImplementedError

    assert [line.split(":")[0].strip() for line in check(softmax).report.splitlines()] == ["softmax", "Asked", "Next"]
