"""A verdict as a file: what was decided on one function of one submission, and the key of all that decided it."""

from dataclasses import dataclass, field

from autograder.evaluate import ClaimResult, Verdict
from autograder.exercises import find

STATUSES = (
    "correct",
    "wrong",
    "diagnosed",
    "exception",
    "timeout",
    "memory",
    "killed",
    "not defined",
    "not written",
    "unreadable",
    "internal error",
)
SCHEMA = 1


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
        Name, points, max_points, passed, message, called, structure, example, and the id of a mistake, for each claim.
    mistake : str or None
        Id of the known mistake behind all of it.
    remarks, lent : list of str
        As `autograder.feedback` shows them.
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
    claims: list = field(default_factory=list)
    mistake: str | None = None
    remarks: list = field(default_factory=list)
    lent: list = field(default_factory=list)
    note: str = ""
    sandbox: dict = field(default_factory=dict)
    engine: dict = field(default_factory=dict)

    @property
    def verdict(self):
        """The verdict in the types of the engine, as `autograder.feedback` takes it."""
        exercise = find(self.exercise)
        mistakes = {mistake.id: mistake for mistake in exercise.mistakes}
        results = tuple(
            ClaimResult(
                claim,
                told["passed"],
                told["message"],
                told["called"],
                mistakes.get(told["mistake"]),
                told["structure"],
                told["example"],
            )
            for claim, told in zip(exercise.claims, self.claims, strict=bool(self.claims))
        )
        status = {"correct": "passed", "not written": "not written"}.get(self.status, "open")
        return Verdict(exercise, status, results, mistakes.get(self.mistake), tuple(self.remarks))


def claims_of(verdict):
    """Return what a verdict says of each claim, as a record holds it."""
    return [
        {
            "name": result.name,
            "points": result.points,
            "max_points": result.claim.points,
            "passed": result.passed,
            "message": result.message,
            "called": result.called,
            "structure": result.structure,
            "example": result.example,
            "mistake": result.mistake.id if result.mistake else None,
        }
        for result in verdict.results
    ]
