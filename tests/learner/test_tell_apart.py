"""A colleague's wrong version: to whom it is offered, and what is said of an input."""

import numpy as np
import pytest

from autograder import solutions
from autograder.learner import apart, tell_apart
from autograder.registry import find
from autograder.specification import Lookalike
from tests.support.fake_notebook import OVERFLOWS, RIGHT, Cells, notes
from transformer_kit import workbench

pytestmark = pytest.mark.usefixtures("lookalike")
CALL = "softmax(np.array([0.2, 1.5, -1.0]))"
QUESTION = "How far can two rows of one array lie apart?"
AGREE, DIFFER = "np.array([1.0, 2.0])", "np.array([[0.0, 1.0], [2000.0, 2001.0]])"


@pytest.fixture
def lookalike(frozen_course, monkeypatch):
    """The frozen course, whose softmax has a lookalike, in a new session."""
    monkeypatch.setattr(find("softmax"), "lookalike", Lookalike("maximum-of-everything", CALL, QUESTION))
    new_session()


@pytest.fixture
def cells(tmp_path, monkeypatch):
    monkeypatch.setenv(workbench.VARIABLE, str(tmp_path / "my_transformer"))
    return notebook()


@pytest.fixture
def passed(cells):
    cells.check("softmax", RIGHT["softmax"])
    return cells


def new_session():
    tell_apart._passed.clear()
    tell_apart._in_vain.clear()
    tell_apart._told_apart.clear()


def notebook():
    cells = Cells()
    cells.run("from autograder import tell_apart")
    return cells


def told(cells, arguments):
    """Return what a cell with a call of `tell_apart` shows."""
    cells.run(f"told = tell_apart({arguments})")
    return repr(cells.names["told"])


# The invitation


def test_it_ends_the_report_on_all_points(cells):
    score = cells.check("softmax", RIGHT["softmax"])
    assert [note.label for note in score.notes] == ["Kept", "Tell apart"]
    (text,) = notes(score, "Tell apart")
    assert f"`{CALL}`" in text
    assert 'tell_apart("softmax", ...)' in text
    assert score.report.index(text) > score.report.index("Kept")
    assert notes(cells.check("attention_scores", RIGHT["attention_scores"]), "Tell apart") == []


def test_nothing_is_offered_before_all_points(cells):
    assert notes(cells.check("softmax", OVERFLOWS), "Tell apart") == []
    assert "First write `softmax` and pass its check" in told(cells, f'"softmax", {DIFFER}')


def test_a_long_call_is_left_out(cells, monkeypatch):
    monkeypatch.setattr(find("softmax"), "lookalike", Lookalike("maximum-of-everything", f"x = 1\n{CALL}", QUESTION))
    (text,) = notes(cells.check("softmax", RIGHT["softmax"]), "Tell apart")
    assert "on an ordinary input" in text
    assert CALL in told(cells, '"softmax"')


def test_nbgrader_sees_no_invitation(cells, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert notes(cells.check("softmax", RIGHT["softmax"]), "Tell apart") == []


def test_where_hints_are_closed_it_is_closed(passed, monkeypatch):
    monkeypatch.setattr(tell_apart, "why_no_hints", lambda unit: "In your class this unit has no hints.")
    assert notes(passed.check("softmax"), "Tell apart") == []
    assert told(passed, f'"softmax", {DIFFER}') == "In your class this unit has no hints."


# Looking for an input


def test_without_arguments_it_shows_where_they_agree(passed):
    text = told(passed, '"softmax"')
    assert f"```python\n{CALL}\n```" in text
    assert text == told(passed, "softmax")
    assert QUESTION not in text


def test_a_question_opens_after_two_tries_in_vain(passed):
    assert QUESTION not in told(passed, f'"softmax", {AGREE}')
    assert QUESTION in told(passed, f'"softmax", {AGREE}')
    told(passed, f'"softmax", {DIFFER}')
    assert QUESTION not in told(passed, f'"softmax", {AGREE}')


def test_where_they_differ_the_code_is_shown(passed):
    text = told(passed, f'"softmax", {DIFFER}')
    assert "In `weights` at index [0, 0] they first differ: yours is 0.268941, the colleague's nan." in text
    assert "def softmax(x, axis=-1):\n    exponentials = np.exp(x - x.max())" in text
    assert "**It subtracts one maximum for the whole array.** A row far below it" in text


def test_whoever_told_them_apart_is_not_asked_again(passed):
    assert len(notes(passed.check("softmax"), "Tell apart")) == 1
    told(passed, f'"softmax", {DIFFER}')
    assert notes(passed.check("softmax"), "Tell apart") == []


def test_a_distance_is_told(passed, monkeypatch):
    monkeypatch.setattr(find("softmax"), "lookalike", Lookalike("always-last-axis", CALL, QUESTION))
    text = told(passed, '"softmax", np.array([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]), axis=0')
    assert "at index [0, 0] they first differ: yours is 0.333333, the colleague's 0.5, a distance of 0.167." in text


def test_arguments_stay_as_they_are(passed):
    passed.run(f"x = {DIFFER}")
    told(passed, '"softmax", x')
    assert passed.names["x"].tolist() == [[0.0, 1.0], [2000.0, 2001.0]]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("x=1, y=2", "This is no call of `softmax(x, axis=-1)`: "),
        ("np.exp", "This is no call of `softmax(x, axis=-1)`: the argument x is a function"),
        ("[1.0, 2.0]", "has no answer for this input: the course's own ends in AttributeError"),
        ("np.ones(3), 2", "the course's own ends in AxisError"),
        ("np.array([1.0, np.nan])", "The right answer holds NaN here"),
        ("np.zeros((200, 51))", "an array of 10,200 numbers"),
        ("(number for number in [1])", "a part of this one cannot be copied"),
        ("None", "has no answer for this input"),
    ],
)
def test_an_input_that_tells_nothing_gets_a_sentence(passed, arguments, said):
    text = told(passed, f'"softmax", {arguments}')
    assert said in text
    assert "def softmax" not in text


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("'softmx'", "Did you mean softmax"),
        ("3", "There is no exercise named"),
        ("'causal_mask'", "no colleague's version"),
    ],
)
def test_a_name_without_a_version_gets_a_sentence(passed, name, said):
    assert said in told(passed, f"{name}, 3")


def test_a_slow_input_gets_a_sentence(passed):
    passed.run("def softmax(x, axis=-1):\n    while True:\n        pass\n")
    assert "Here `softmax` takes longer than" in told(passed, f'"softmax", {AGREE}')


def test_a_version_that_raises_differs(passed, monkeypatch):
    def stops(x, axis=-1):
        raise IndexError("too far")

    monkeypatch.setattr(apart, "_called", with_other(apart._called, find("softmax"), stops))
    text = apart.difference(find("softmax"), passed.names["softmax"], (np.ones(2),), {})
    assert text == "Yours has an answer, and the colleague's ends in IndexError: too far."


def with_other(called, exercise, other):
    """Return `_called` that calls another function in the place of the wrong version."""
    wrong = exercise.wrong_version.function
    return lambda function, *rest: called(other if function is wrong else function, *rest)


# Whose function it is


def test_a_later_session_knows_who_has_passed(passed):
    """The progress says so, and the library has the function."""
    new_session()
    assert "They differ" in told(notebook(), f'"softmax", {DIFFER}')


def test_a_function_gone_wrong_is_named(passed):
    passed.run(OVERFLOWS)
    text = told(passed, f'"softmax", {DIFFER}')
    assert "your own `softmax` does not give what the course's gives" in text
    assert "colleague" not in text


def test_a_function_that_is_gone_is_asked_for(passed, monkeypatch):
    new_session()
    monkeypatch.setattr(tell_apart.workbench, "own", lambda name: None)
    assert "Run the cell that defines it" in told(notebook(), f'"softmax", {DIFFER}')


def test_where_solutions_are_closed_the_code_is(passed, monkeypatch):
    def closed(name):
        raise solutions.NotShown

    monkeypatch.setattr(solutions, "lookalike_shown", closed)
    text = told(passed, f'"softmax", {DIFFER}')
    assert "def softmax" not in text
    assert "It subtracts one maximum for the whole array" in text
