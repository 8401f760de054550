"""What a learner calls in a notebook: `check(softmax)` and `predict("question", answer)`."""

from autograder import feedback
from autograder.bench.after import after_answer, after_check
from autograder.exercises import find, find_question
from autograder.feedback import Line
from autograder.verdict import verdict_on
from transformer_kit import time_limit

NO_LIMIT = Line("Remark", "a function that never ends cannot be stopped here: choose Kernel > Restart Kernel.")


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

    def __new__(cls, verdict, lent=(), notes=()):
        return super().__new__(cls, verdict.points)

    def __init__(self, verdict, lent=(), notes=()):
        self.verdict = verdict
        self.lent = lent
        self.notes = notes
        self.points = float(self)
        self.max_points = float(verdict.exercise.points)
        self.claims = verdict.results
        self.mistake = verdict.mistake.id if verdict.mistake else None

    @property
    def report(self):
        return feedback.as_text(self.verdict, self.lent, self.notes)

    def _repr_html_(self):
        return feedback.as_html(self.verdict, self.lent, self.notes)


class Answer:
    """The reply to a question, as text and as HTML."""

    def __init__(self, reply, notes=()):
        self.right = reply.right
        self.text = reply.text
        self.notes = notes

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
    verdict, lent = verdict_on(find(name), function)
    unlimited = () if verdict.status == "passed" or time_limit.can_be_had() else (NO_LIMIT,)
    return Score(verdict, lent, (*unlimited, *after_check(function, verdict)))


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
    asked = find_question(question)
    reply = asked.reply(answer)
    return Answer(reply, after_answer(asked, reply))
