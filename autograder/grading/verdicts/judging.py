"""Grades a submission, in a fork of a clean process: the code goes in, the fields of records come out.

The clean process keeps warm workers, and never sees a submission. A fork uses them, one at a time.
"""

import contextlib
import functools
import traceback
from collections.abc import Mapping
from typing import Any

from autograder.evaluation.ahead import parts_of
from autograder.evaluation.evaluate import evaluate
from autograder.evaluation.example import as_plain
from autograder.evaluation.outcomes import known_outcomes
from autograder.execution.call import LocalRunner
from autograder.grading.verdicts import fingerprint
from autograder.grading.verdicts.record import MAX_TEXT, cause_of, claims_of, without_verdict
from autograder.judge import sandbox, scratch, view
from autograder.judge.pool import Worker
from autograder.registry import find_unit

FORKS = True
NOT_THAT_CLASS = (
    "what the class has added to the course in its folder own is not the same where this was judged. On a cluster, "
    "start the workers in copies of the class's folder."
)
_workers: dict[str, tuple[Worker, dict[str, Any]]] = {}  # by the name of the sandbox


def prepare(backend: str, unit: str) -> None:
    """Start a worker for a unit, if none is warm, and learn what is the same for every submission."""
    with contextlib.suppress(Exception):  # it fails in the fork again, and there it is told
        _learn(unit)
        _worker(backend)[0].warm(find_unit(unit))


@functools.cache
def _learn(id):
    """Compute and import, once for a unit, what each fork would otherwise compute and import for itself."""
    unit = find_unit(id)
    for exercise in unit.exercises:
        view.substitutes(unit, exercise)
    for exercise, helper in parts_of(unit.exercises):
        known_outcomes(exercise, helper)
    first = unit.exercises[0]
    evaluate(first, LocalRunner(first.mistakes[0].function, first.signature))


def perform(task: Mapping[str, Any]) -> tuple[list[dict[str, Any]], bool]:
    """Grade what a task asks for.

    Parameters
    ----------
    task : dict
        See `autograder.grading.verdicts.task.task_of`.

    Returns
    -------
    records : list of dict
        The fields of one Record for each exercise, in the task's order.
    clean : bool
        Whether the workers that were inherited can be used again.
    """
    unit = find_unit(task["unit"])
    exercises = {exercise.name: exercise for exercise in unit.exercises}
    inherited = [server for worker, _ in _workers.values() for server in worker.servers.values()]
    records = [vars(_record(task, unit, exercises[name], seed, key)) for name, seed, key in task["exercises"]]
    close()  # those that were started here
    return records, not any(server.broken for server in inherited)


def close() -> None:
    """Stop the workers of this process."""
    while _workers:
        _, (worker, _) = _workers.popitem()
        worker.close()


def _record(task, unit, exercise, seed, key):
    record = without_verdict(task, exercise, key)
    if task["added"] != fingerprint.added():
        return record(points=None, status="internal error", note=NOT_THAT_CLASS)
    try:
        worker, used = _worker(task["backend"])
        record = functools.partial(record, sandbox=used)
        if task["unreadable"]:
            return record(points=0, status="unreadable", note=task["unreadable"])
        with worker.child(unit, exercise, task["runs"], _written(task)) as runner:
            verdict = evaluate(exercise, runner, seed)
        return record(
            points=verdict.points,
            status=_status(verdict, runner),
            claims=claims_of(verdict),
            mistake=verdict.mistake and verdict.mistake.id,
            cause=cause_of(verdict),
            is_unstable=verdict.is_unstable,
            example=as_plain(verdict.example),
            remarks=list(verdict.remarks),
            substituted=sorted(runner.substituted),
            note=runner.missing or runner.note,
        )
    except Exception:  # whatever it is, it is not the learner's fault, and the rest of the class must be graded
        note = traceback.format_exc()
        note = "\n".join(filter(None, (note[-MAX_TEXT:], scratch.why_full(note))))
        return record(points=None, status="internal error", note=note)


def _written(task):
    """Return for each line of what runs the number and the text of the one that was written there."""
    rows = [[line.strip() for line in source.split("\n")] for source in task["code"]]
    return [[(n, "".join(own[n - 1 : n])) for n in lines] for own, lines in zip(rows, task["lines"], strict=False)]


def _status(verdict, runner):
    """Return the word for a verdict: the worst that happened."""
    if verdict.status == "passed":
        return "correct"
    if runner.ended:
        return runner.ended if runner.ended in ("timeout", "memory", "disk") else "killed"
    if runner.missing:
        return "not defined"
    if verdict.status == "not written":
        return "not written"
    if verdict.mistake:
        return "diagnosed"
    endings = {result.ended for result in verdict.results if not result.passed}
    return "timeout" if "timeout" in endings else "exception" if "raised" in endings else "wrong"


def _worker(backend):
    """Return this process's worker and what is known of its sandbox."""
    if backend not in _workers:
        chosen = sandbox.without_sandbox() if backend == "none" else sandbox.choose(backend)
        known = {"backend": chosen.name, "layers": list(chosen.layers), "self_test": chosen.report}
        _workers[backend] = Worker(launch=chosen.launch), known
    return _workers[backend]
