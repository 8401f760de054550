"""The outcome of one call of the learner's function; the same whether it ran here or in a sandbox."""

from dataclasses import dataclass

from autograder.execution.compare import alike
from autograder.execution.precision import FLOAT64_TOLERANCE, Tolerance

NOT_TRIED = "not tried"


@dataclass(frozen=True)
class LearnerError:
    """An exception raised by the learner's function, with the learner's own line where it is known."""

    type: str
    message: str
    line_number: int | None = None
    line: str = ""
    bases: tuple[str, ...] = ()  # names of the classes that its type is derived from

    def is_a(self, name: str) -> bool:
        """Return whether it is an exception of the type of this name, or of one derived from it."""
        return name in (self.type, *self.bases)

    @property
    def place(self) -> str:
        """Where it was raised, in words that begin with a space; empty where that is not known."""
        text = f' at line {self.line_number} of your cell: "{self.line}"' if self.line_number else ""
        return text.replace("`", "'")  # a backtick begins code in a report

    def __str__(self):
        text = f"{self.type}: {self.message}" if self.message else self.type
        return text.replace("`", "'") + self.place


@dataclass(frozen=True)
class Outcome:
    """Result of one call.

    `status` is "returned", "raised", "not written", "timeout", or "not tried": after a call that came back so `late`,
    long after its limit, that no other should be waited for. `error` is that of a call that raised one, or was stopped
    by its own limit. `changed` names the arguments that the call modified, `shares` the arguments whose memory
    the result shares; `earlier` says what became of the results of earlier calls, as
    `autograder.execution.earlier.Earlier` does. `warnings` and `printed` are its output; `peak_bytes` is the memory it
    needed, where that was measured.
    """

    status: str
    value: object = None
    error: LearnerError | None = None
    changed: tuple[str, ...] = ()
    shares: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    printed: str = ""
    peak_bytes: int | None = None
    late: bool = False

    def same_as(self, other: "Outcome", tolerance: Tolerance = FLOAT64_TOLERANCE) -> bool:
        """Return whether two outcomes are indistinguishable: same values or same error, same side effects."""
        if (self.status, self.changed, self.shares) != (other.status, other.changed, other.shares):
            return False
        if self.status == "raised":
            return _said(self.error) == _said(other.error)
        return self.status != "returned" or alike(self.value, other.value, tolerance)


def _said(error):
    return error and (error.type, error.message)
