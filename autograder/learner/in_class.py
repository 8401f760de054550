"""A verdict as the learner's class counts it, and what a check says in an exam."""

from dataclasses import replace

from autograder.decisions.counted import exercise_of
from autograder.decisions.here import decided_here
from autograder.evaluation.evaluate import Verdict
from autograder.feedback.report import Line
from autograder.registry import unit_of

LEFT_OUT = Line("Class", "this exercise does not count in your class. You can do it all the same.")


def in_class(verdict: Verdict) -> Verdict:
    """Return a verdict with the points that its exercise has in the class."""
    own = verdict.exercise
    exercise = exercise_of(decided_here(), own.name, unit_of(own).id)
    if exercise is own:
        return verdict
    results = (replace(one, claim=claim) for one, claim in zip(verdict.results, exercise.claims, strict=False))
    return replace(verdict, exercise=exercise, results=tuple(results))


def notes_of_class(verdict: Verdict) -> tuple[Line, ...]:
    """Return what a report has to say of an exercise in this class."""
    without = decided_here().of(unit_of(verdict.exercise).id).without
    return (LEFT_OUT,) if verdict.exercise.name in without else ()


def in_exam(verdict: Verdict) -> str:
    """Say whether a function can be called, and nothing of whether it is right."""
    name = verdict.exercise.name
    if verdict.status == "not written":
        return f"`{name}` is not written yet."
    raised = next((result.message for result in verdict.results if result.ended == "raised"), "")
    if raised:
        return f"A call of `{name}` does not come to its end: {raised}"
    return f"`{name}` can be called. Whether it is right is told when it has been graded."
