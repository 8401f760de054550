"""The data types of a specification: an exercise is a list of claims about a function."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Claim:
    """One thing that must be true of the learner's function, and what it is worth.

    `test(call, rng)` makes inputs from the random generator `rng` and calls the function through
    `call` (see `autograder.call.Call`), never directly: it does not know where the function lives.
    `example` allows a report to show a small call with the right result; a claim that has only a few short calls
    to choose from forbids it, because the results could be collected.
    """

    name: str
    points: float
    test: Callable
    example: bool = True


@dataclass(frozen=True)
class Mistake:
    """A wrong implementation that learners really write, with the words that help.

    `name` says what the function does wrong, `why` gives the reason, and `where` is a heading of the
    unit's notebook, word for word.
    """

    id: str
    name: str
    function: Callable
    why: str
    where: str


@dataclass(frozen=True)
class Returned:
    """Name and symbolic shape of one result, e.g. ``Returned("weights", "(..., n_queries, n_keys)")``."""

    name: str
    shape: str = ""


@dataclass(frozen=True)
class Exercise:
    """Everything that the course knows about one exercise.

    `asks` is the task in one line; `returns` has one entry per result; `where` is the heading of the
    notebook's section to read when no known mistake fits; `may_be_view` allows a result that shares
    memory with an input (a pure rearrangement).
    """

    reference: Callable
    asks: str
    returns: tuple[Returned, ...]
    claims: tuple[Claim, ...]
    mistakes: tuple[Mistake, ...]
    where: str
    may_be_view: bool = False

    @property
    def name(self):
        return self.reference.__name__

    @property
    def points(self):
        total = sum(claim.points for claim in self.claims)
        return int(total) if total == int(total) else total


@dataclass(frozen=True)
class Unit:
    """One notebook of the course: its exercises and its questions, in their order."""

    id: str
    title: str
    minutes: int
    exercises: tuple[Exercise, ...]
    questions: tuple = field(default=())

    @property
    def points(self):
        return sum(exercise.points for exercise in self.exercises)
