"""What a learner calls in a notebook: `check(softmax)` and `predict("question", answer)`."""

import zlib
from inspect import signature

from autograder import feedback
from autograder.evaluate import evaluate
from autograder.exercises import find, find_question, names_before
from autograder.lending import lent_functions
from autograder.run import LocalRunner
from transformer_kit import reference


class Score(float):
    """The points of one exercise: a number that shows its report.

    Attributes
    ----------
    points, max_points : float
    claims : tuple of ClaimResult
        Each with `name`, `points`, `passed` and `message`.
    mistake : str or None
        Id of the known mistake, where there is one.
    report : str
        The report as plain text.
    """

    def __new__(cls, verdict, lent=()):
        return super().__new__(cls, verdict.points)

    def __init__(self, verdict, lent=()):
        self.verdict = verdict
        self.lent = lent
        self.points = float(self)
        self.max_points = float(verdict.exercise.points)
        self.claims = verdict.results
        self.mistake = verdict.mistake.id if verdict.mistake else None

    @property
    def report(self):
        return feedback.as_text(self.verdict, self.lent)

    def _repr_html_(self):
        return feedback.as_html(self.verdict, self.lent)


class Answer:
    """The reply to a question, as text and as HTML."""

    def __init__(self, reply):
        self.right = reply.right
        self.text = reply.text

    def __repr__(self):
        return feedback.reply_as_text(self)

    def _repr_html_(self):
        return feedback.reply_as_html(self)


def check(function):
    """Check a function that you wrote against everything its exercise claims.

    Parameters
    ----------
    function : callable
        The function itself; its name says which exercise it answers.

    Returns
    -------
    Score
        The points, as a number that displays the report.

    Raises
    ------
    TypeError
        If `function` is not a function.
    LookupError
        If no exercise asks for a function of this name.
    """
    name = getattr(function, "__name__", None)
    if not callable(function):
        kind = type(function).__name__
        raise TypeError(f"check takes the function itself, as in check(softmax), without calling it; got {kind}")
    if not isinstance(name, str):
        raise TypeError(f"check finds the exercise by the function's name, and a {type(function).__name__} has none")
    return score(find(name), function)


def score(exercise, function):
    """Check a function against an exercise, whatever its name is.

    Parameters
    ----------
    exercise : Exercise
    function : callable

    Returns
    -------
    Score
    """
    runner = LocalRunner(function, signature(exercise.reference))
    helpers = {name: getattr(reference, name) for name in names_before(exercise)}
    with lent_functions(function, helpers) as lent:
        return Score(evaluate(exercise, runner, seed=zlib.crc32(exercise.name.encode())), lent)


def predict(question, answer):
    """Compare your answer with the right one and say why.

    Parameters
    ----------
    question : str
        Id of the question.
    answer : str, float, sequence of float or None
        Your answer; None while you have none.

    Returns
    -------
    Answer
    """
    return Answer(find_question(question).reply(answer))
