"""The one pure step of grading: the code of a submission goes in, verdicts come out, and nothing else is touched.

A task and its result are plain values, so that any `concurrent.futures` executor can carry them, and a worker of a
cluster needs nothing but the installed package and a sandbox.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from autograder.grading.intake.submission import Submission
from autograder.grading.isolation import client
from autograder.grading.verdicts import fingerprint
from autograder.grading.verdicts.record import SCHEMA, Record, without_verdict
from autograder.judge.seeds import seed_of
from autograder.registry import find_unit
from autograder.specification import Exercise

SECONDS = 60  # of the judge's processor time for one submission; the learner's code has a budget of its own


def key_of(submission: Submission, exercise: Exercise, seed: Sequence[int], backend: str) -> str:
    """Return the hash of all that decides one verdict.

    Parameters
    ----------
    submission : Submission
    exercise : Exercise
    seed : list of int
    backend : str
        Name of the sandbox; verdicts without one are of another kind.

    Returns
    -------
    str
    """
    specified = fingerprint.specification(exercise)
    parts = [SCHEMA, submission.hash, exercise.name, seed, specified, fingerprint.engine(), backend == "none"]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def task_of(submission: Submission, secret: bytes, backend: str) -> dict[str, Any]:
    """Return the task of grading all exercises of a submission.

    Parameters
    ----------
    submission : Submission
    secret : bytes
        Of the course; only the seeds that are made of it travel.
    backend : str
        Name of the sandbox.

    Returns
    -------
    dict
    """
    exercises = find_unit(submission.unit).exercises
    seeds = {exercise.name: seed_of(secret, exercise.name, submission.drawn_from) for exercise in exercises}
    return {
        "student": submission.student,
        "unit": submission.unit,
        "together": submission.together,
        "code": submission.code,
        "runs": submission.runs or submission.code,
        "lines": submission.lines,
        "unreadable": submission.unreadable,
        "exercises": [[e.name, seeds[e.name], key_of(submission, e, seeds[e.name], backend)] for e in exercises],
        "backend": backend,
        "added": fingerprint.added(),
    }


def perform(task: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Grade what a task asks for, in a process that grades nothing else.

    Returns
    -------
    list of dict
        The fields of one Record for each exercise, in the task's order.

    Raises
    ------
    NoAnswer
        If that process ended before it was done.
    """
    return client.ask("judge", [task["backend"], task["unit"]], task, SECONDS)


def failed(task: Mapping[str, Any], error: BaseException) -> list[Record]:
    """Return the Records of a task that could not be performed at all."""
    exercises = {exercise.name: exercise for exercise in find_unit(task["unit"]).exercises}
    fields = {"points": None, "status": "internal error", "note": f"{type(error).__name__}: {error}"}
    return [without_verdict(task, exercises[name], key)(**fields) for name, _, key in task["exercises"]]
