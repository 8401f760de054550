"""A verdict as a file: what was decided on one function of one submission, and the key of all that decided it."""

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_type_hints

from autograder.decisions.counted import worth
from autograder.evaluation.cause import Cause
from autograder.evaluation.evaluate import ClaimResult, Verdict
from autograder.evaluation.example import from_plain
from autograder.execution.describe import shortened
from autograder.grading.verdicts import fingerprint
from autograder.registry import find, names
from autograder.specification import Exercise

STATUSES = (
    "correct",
    "wrong",
    "diagnosed",
    "exception",
    "timeout",
    "memory",
    "disk",
    "killed",
    "not defined",
    "not written",
    "unreadable",
    "internal error",
)
SCHEMA = 3
MAX_TEXT = 2000  # characters
OF_A_CLAIM = {"name", "points", "max_points", "status", "passed", "message", "called", "structure"}


@dataclass(frozen=True)
class Record:
    """One verdict, in plain values.

    Attributes
    ----------
    key : str
        Hash of the submission's code, the specification, the reference, the kit and the engine.
    points : float or None
        None after an internal error, which is never a zero.
    status : str
        One of `STATUSES`.
    claims : list of dict
        Name, points, max_points, status, passed, message, called and structure, for each claim.
    mistake : str or None
        Id of the known mistake behind all of it, or of the first of two.
    cause : dict or None
        The kind of the cause, and the ids of its mistakes.
    example : dict or None
        A small call that shows what is wrong; see `autograder.evaluation.example`.
    remarks : list of str
        As `autograder.feedback` shows them.
    substituted : list of str
        Names of the earlier exercises' functions that were called in the course's version.
    note : str
        For the instructor: why there is no function, what ended the process, what the internal error was.
    sandbox : dict
        Name and layers of the backend, and the results of its self-test.
    engine : dict
        Versions of what graded.
    """

    key: str
    student: str
    unit: str
    exercise: str
    points: float | None
    max_points: float
    status: str
    # here and below the bare types, which `record_of` finds with `isinstance`
    claims: list = field(default_factory=list)
    mistake: str | None = None
    cause: dict | None = None
    is_unstable: bool = False
    example: dict | None = None
    remarks: list = field(default_factory=list)
    substituted: list = field(default_factory=list)
    note: str = ""
    sandbox: dict = field(default_factory=dict)
    engine: dict = field(default_factory=dict)

    @property
    def verdict(self) -> Verdict:
        """The verdict in the types of the engine, as `autograder.feedback` takes it."""
        exercise = worth(find(self.exercise), self.max_points)
        results = tuple(
            ClaimResult(
                claim,
                fields["status"],
                fields["message"],
                fields["called"],
                fields["structure"],
            )
            for claim, fields in zip(exercise.claims, self.claims, strict=bool(self.claims))
        )
        status = {"correct": "passed", "not written": "not written"}.get(self.status, "open")
        remarks = tuple(self.remarks)
        example = from_plain(self.example)
        return Verdict(exercise, status, results, _cause(exercise, self.cause), remarks, self.is_unstable, example)

    @property
    def can_be_shown(self) -> bool:
        """Whether the exercise still has the claims and the mistakes that the verdict speaks of."""
        try:
            return bool(self.verdict)
        except (TypeError, ValueError, StopIteration):
            return False


def record_of(values: Any) -> Record | None:
    """Return the Record whose fields a file holds; None for anything else, such as a record of an older form."""
    try:
        record = Record(**values)
    except TypeError:
        return None
    kinds = get_type_hints(Record)
    plain = all(_is_a(kinds[name], value) for name, value in vars(record).items())
    return record if plain and _is_whole(record) else None


def _is_a(kind, value):
    return isinstance(value, kind) or (type(value) is int and isinstance(0.0, kind))


def _is_whole(record):
    """Return whether the parts of a record, too, have the form in which tables and pages read them."""
    cause = record.cause or {"inside": (), "mistakes": ()}
    return (
        record.exercise in names()
        and record.status in STATUSES
        and all(isinstance(claim, dict) and claim.keys() >= OF_A_CLAIM for claim in record.claims)
        and _adds_up(record)
        and cause.keys() >= {"inside", "mistakes"}
        and len(cause["inside"]) == len(cause["mistakes"])
    )


def _adds_up(record):
    """Return whether the points of a record are those of its claims; after an internal error there are none."""
    if record.points is None:
        return True
    pairs = [(claim["points"], claim["max_points"] if claim["passed"] else 0) for claim in record.claims]
    numbers = [number for pair in pairs for number in pair]
    if not all(type(number) in (int, float) for number in (*numbers, record.max_points)):
        return False
    total = math.fsum(own for own, _ in pairs)
    whole = math.isclose(total, record.points) and record.points <= record.max_points
    return whole and all(own == held for own, held in pairs)


def claims_of(verdict: Verdict) -> list[dict[str, Any]]:
    """Return the results of a verdict's claims as a record holds them: no text is long, whatever came back."""
    return [
        {
            "name": result.name,
            "points": result.points,
            "max_points": result.claim.points,
            "status": result.status,
            "passed": result.passed,
            "message": shortened(result.message, MAX_TEXT),
            "called": shortened(result.called, MAX_TEXT),
            "structure": shortened(result.structure, MAX_TEXT),
        }
        for result in verdict.results
    ]


def cause_of(verdict: Verdict) -> dict[str, Any] | None:
    """Return the cause that a verdict names as a record holds it, or None."""
    cause = verdict.cause
    if cause is None:
        return None
    ids = [mistake.id for mistake in cause.mistakes]
    claims = sorted(cause.unexplained_claims)
    return {"kind": cause.kind, "mistakes": ids, "inside": list(cause.helpers), "apart": claims}


def _cause(exercise, fields):
    """Return the cause that a record holds, in the type of the engine."""
    if not fields:
        return None
    pairs = zip(fields["inside"], fields["mistakes"], strict=True)
    found = [next(m for m in (find(name) if name else exercise).mistakes if m.id == id) for name, id in pairs]
    return Cause(tuple(found), fields["kind"], tuple(fields["inside"]), frozenset(fields.get("apart", ())))


def without_verdict(task: Mapping[str, Any], exercise: Exercise, key: str) -> Callable[..., Record]:
    """Return what makes a Record for an exercise of a task; the verdict is left to fill in."""
    ids = {"key": key, "student": task["student"], "unit": task["unit"], "exercise": exercise.name}
    return functools.partial(Record, **ids, max_points=exercise.points, engine=fingerprint.versions())
