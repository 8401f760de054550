"""What a learner calls in a notebook: `check(softmax)` and `predict("question", answer)`."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, Self

from autograder.decisions.here import decided_here
from autograder.evaluation.evaluate import Verdict
from autograder.feedback.html import GREY, as_html, box, escaped, reply_as_html
from autograder.feedback.make_report import make_report
from autograder.feedback.report import Line
from autograder.feedback.text import as_text, reply_as_text
from autograder.learner.bookkeeping import after_answer, after_check
from autograder.learner.cells import asked_as, broken, explain_missing_names
from autograder.learner.defaults import other_defaults
from autograder.learner.in_class import in_class, in_exam, notes_of_class
from autograder.learner.local import evaluate_locally, whereabouts
from autograder.learner.tell_apart import EXECUTION, invitation
from autograder.questions import Reply
from autograder.registry import find, find_question, names, unit_of
from autograder.specification import Exercise
from transformer_kit import time_limit

GIVE_A_NAME = "In a notebook, give it that of the exercise, as in `softmax = ...`, and check `softmax`."
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
    substituted : tuple of str
        Names of the functions in whose place the course's own were called.
    """

    def __new__(cls, verdict: Verdict, substituted: Sequence[str] = (), notes: Sequence[Line] = ()) -> Self:
        return super().__new__(cls, verdict.points)

    def __init__(self, verdict: Verdict, substituted: Sequence[str] = (), notes: Sequence[Line] = ()) -> None:
        self.verdict = verdict
        self.substituted = substituted
        self.notes = notes
        self._report = make_report(verdict, substituted, notes)
        self.points = float(self)
        self.max_points = float(verdict.exercise.points)
        self.claims = verdict.results
        self.mistake = verdict.mistake.id if verdict.mistake else None

    @property
    def report(self) -> str:
        return as_text(self._report)

    def _repr_html_(self):
        return as_html(self._report, linked=True)


class NotChecked(float):
    """No points: the reason why a function was not judged, as text and as HTML.

    It has what a `Score` has, so that `check(softmax).report` works in every case.
    """

    word = "NOT CHECKED."
    claims = ()
    mistake = None
    substituted = ()

    def __new__(cls, exercise: Exercise, reason: str) -> Self:
        return super().__new__(cls, 0)

    def __init__(self, exercise: Exercise, reason: str) -> None:
        self.reason = reason
        self.points, self.max_points = 0.0, float(exercise.points)

    def __repr__(self):
        return self.report

    def _repr_pretty_(self, printer, cycle):
        printer.text(super().__repr__())  # a number, since nbgrader gives full points to anything else

    @property
    def report(self) -> str:
        return f"{self.word} {self.reason}"

    def _repr_html_(self):
        return box(GREY, f"<strong>{self.word}</strong> {escaped(self.reason)}")


class InExam(NotChecked):
    """No points yet: in an exam a check says whether a function can be called, and nothing else."""

    word = "EXAM."


class Answer:
    """The reply to a question, as text and as HTML."""

    def __init__(self, reply: Reply, notes: Sequence[Line] = ()) -> None:
        self.reply = reply
        self.notes = notes

    def __repr__(self):
        return reply_as_text(self.reply, self.notes)

    def _repr_html_(self):
        return reply_as_html(self.reply, self.notes)


def check(function: Callable[..., Any]) -> Score | NotChecked:
    """Check a function that you wrote against everything its exercise claims.

    Parameters
    ----------
    function : callable
        The function itself; the name that the notebook has for it says which exercise it answers.

    Returns
    -------
    Score or NotChecked
        The points, as a number that displays the report; a reason if the newest cell that defines the function did not,
        and in an exam whether the function can be called.

    Raises
    ------
    TypeError
        If `function` is not a function, or has no name.
    LookupError
        If no exercise asks for a function of this name.
    """
    if not callable(function):
        kind = type(function).__name__
        raise TypeError(f"check takes the function itself, as in check(softmax), without calling it; got {kind}")
    exercise = _asked(function, asked_as(function, sys._getframe(1)))
    if reason := broken(function, exercise.name):
        return NotChecked(exercise, reason)
    verdict, substituted = evaluate_locally(exercise, function)
    if decided_here().of(unit_of(exercise).id).exam and os.environ.get(EXECUTION) != "autograde":
        return InExam(exercise, in_exam(verdict))
    unlimited = () if verdict.status == "passed" or time_limit.is_supported() else (NO_LIMIT,)
    location = whereabouts(function, verdict)
    where = [Line("Where", location)] if location else []
    kept = after_check(function, verdict, location)
    remarks = other_defaults(function, verdict)
    notes = *unlimited, *where, *remarks, *notes_of_class(verdict), *kept, *invitation(function, verdict)
    return Score(in_class(verdict), substituted, notes)


def _asked(function, name):
    """Return the exercise of a function; where its name is nobody's choice, say so instead of guessing."""
    if not isinstance(name, str):
        raise TypeError(
            f"check finds the exercise by the function's name, and a {type(function).__name__} has none. {GIVE_A_NAME}"
        )
    is_inner = getattr(function, "__qualname__", "").endswith(f"<locals>.{name}")
    if name == "<lambda>" or (is_inner and name not in names()):
        how = "." if name == "<lambda>" else ": a decorator without functools.wraps?"
        raise LookupError(f"No exercise is named like this function: its name is {name}{how} {GIVE_A_NAME}")
    return find(name)


def predict(question: str, answer: Any) -> Answer:
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


explain_missing_names()
