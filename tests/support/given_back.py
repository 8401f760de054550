"""What goes into the page that a learner gets back: submissions and records of one student."""

import html
import re
from inspect import signature

from nbformat.v4 import new_code_cell, new_notebook

from autograder.evaluation.evaluate import evaluate
from autograder.evaluation.example import as_plain
from autograder.execution.call import LocalRunner
from autograder.grading.intake.submission import Submission
from autograder.grading.verdicts.record import Record, cause_of, claims_of
from autograder.registry import unit_of, units

SECRET = "canary-of-the-instructor"


def submission(unit=None, **fields):
    """Return a submission of ann, of the first unit if none is given; what is for the instructor holds a canary."""
    book = new_notebook(cells=[new_code_cell(f"# {SECRET}")])
    given = {"timestamp": "2026-11-21T14:05:00+01:00", "code": (f"# {SECRET}",)} | fields
    unit = unit or units()[0]
    return Submission(given.pop("student", "ann"), unit.id, SECRET, SECRET.encode(), book, **given)


def record(exercise, function, status="", **fields):
    """Return the record of a function that is called in this process."""
    verdict = evaluate(exercise, LocalRunner(function, signature(exercise.reference)), seed=[1, 2])
    words = {"passed": "correct", "not written": "not written"}
    judged = {
        "points": verdict.points,
        "claims": claims_of(verdict),
        "mistake": verdict.mistake and verdict.mistake.id,
        "cause": cause_of(verdict),
        "is_unstable": verdict.is_unstable,
        "example": as_plain(verdict.example),
        "remarks": list(verdict.remarks),
    }
    status = status or words.get(verdict.status) or ("diagnosed" if verdict.mistake else "wrong")
    given = judged | {"key": SECRET, "student": "ann", "sandbox": {SECRET: SECRET}, "engine": {SECRET: SECRET}} | fields
    return Record(unit=unit_of(exercise).id, exercise=exercise.name, max_points=exercise.points, status=status, **given)


def words(text):
    """Return what a page says, without its tags."""
    body = re.sub(r"<style>.*?</style>|<wbr>|</?code>", "", text[text.index("<body>") :], flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", body)))
