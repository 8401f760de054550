"""The one pure step of grading: the code of a submission goes in, verdicts come out, and nothing else is touched.

A task and its result are plain values, so that any `concurrent.futures` executor can carry them, and a worker of a
cluster needs nothing but the installed package and a sandbox.
"""

import atexit
import functools
import hashlib
import json
import threading
import traceback
from dataclasses import asdict

from autograder.evaluate import evaluate
from autograder.exercises import units
from autograder.grading import fingerprint
from autograder.grading.record import SCHEMA, Record, claims_of
from autograder.judge import sandbox
from autograder.judge.remote import Worker
from autograder.judge.seeds import seed_of

ONE_AT_A_TIME = threading.Lock()  # a cluster may run several threads in one process


def unit_of(id):
    """Return the unit with this id."""
    return next(unit for unit in units() if unit.id == id)


def key_of(submission, exercise, seed, backend):
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
    specified = fingerprint.specification(unit_of(submission.unit), exercise)
    parts = [SCHEMA, submission.hash, exercise.name, seed, specified, fingerprint.engine(), backend == "none"]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def task_of(submission, secret, backend, only=None):
    """Return the task of grading a submission, or those of its exercises that are in `only`.

    Parameters
    ----------
    submission : Submission
    secret : bytes
        Of the course; only the seeds that are made of it travel.
    backend : str
        Name of the sandbox.
    only : container of str, optional
        Names of exercises.

    Returns
    -------
    dict
    """
    asked = [exercise for exercise in unit_of(submission.unit).exercises if only is None or exercise.name in only]
    seeds = {exercise.name: seed_of(secret, exercise.name, submission.hash) for exercise in asked}
    return {
        "student": submission.student,
        "unit": submission.unit,
        "code": submission.code,
        "unreadable": submission.unreadable,
        "exercises": [[e.name, seeds[e.name], key_of(submission, e, seeds[e.name], backend)] for e in asked],
        "backend": backend,
    }


def perform(task):
    """Grade what a task asks for.

    Returns
    -------
    list of dict
        The fields of one Record for each exercise, in the task's order.
    """
    unit = unit_of(task["unit"])
    exercises = {exercise.name: exercise for exercise in unit.exercises}
    with ONE_AT_A_TIME:
        return [asdict(_record(task, unit, exercises[name], seed, key)) for name, seed, key in task["exercises"]]


def failed(task, error):
    """Return the Records of a task that could not be performed at all."""
    exercises = {exercise.name: exercise for exercise in unit_of(task["unit"]).exercises}
    note = f"{type(error).__name__}: {error}"
    asked = ((exercises[name], key) for name, _, key in task["exercises"])
    return [_told(task, exercise, key)(points=None, status="internal error", note=note) for exercise, key in asked]


def _told(task, exercise, key):
    """Return a Record that lacks its verdict."""
    whose = {"key": key, "student": task["student"], "unit": task["unit"], "exercise": exercise.name}
    return functools.partial(Record, **whose, max_points=exercise.points, engine=fingerprint.versions())


def _record(task, unit, exercise, seed, key):
    told = _told(task, exercise, key)
    if task["unreadable"]:
        return told(points=0, status="unreadable", note=task["unreadable"])
    try:
        worker, used = _worker(task["backend"])
        told = functools.partial(told, sandbox=used)
        with worker.child(unit, exercise, task["code"]) as runner:
            verdict = evaluate(exercise, runner, seed)
        return told(
            points=verdict.points,
            status=_status(verdict, runner),
            claims=claims_of(verdict),
            mistake=verdict.mistake and verdict.mistake.id,
            remarks=list(verdict.remarks),
            lent=sorted(runner.lent),
            note=runner.missing or runner.note,
        )
    except Exception:  # whatever it is, it is not the learner's fault, and the others are to be graded
        return told(points=None, status="internal error", note=traceback.format_exc())


def _status(verdict, runner):
    """Return the one word for a verdict, the worst that happened."""
    if verdict.status == "passed":
        return "correct"
    if runner.ended:
        return runner.ended if runner.ended in ("timeout", "memory") else "killed"
    if runner.missing:
        return "not defined"
    if verdict.status == "not written":
        return "not written"
    if verdict.mistake:
        return "diagnosed"
    endings = {result.ended for result in verdict.results if not result.passed}
    return "timeout" if "timeout" in endings else "exception" if "raised" in endings else "wrong"


@functools.cache
def _worker(backend):
    """Return this process's worker and what is known of its sandbox."""
    chosen = sandbox.without_sandbox() if backend == "none" else sandbox.choose(backend)
    worker = Worker(launch=chosen.launch)
    atexit.register(worker.close)
    return worker, {"backend": chosen.name, "layers": list(chosen.layers), "self_test": chosen.report}
