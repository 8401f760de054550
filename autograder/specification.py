"""The data types of a specification: an exercise is a list of claims about a function, a unit a list of exercises."""

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from autograder.questions import Question
from autograder.times import in_words, total

DIGITS = 9  # behind the point, so that shares of points add up
COUNTS = {2: "two", 3: "three", 4: "four"}
_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Claim:
    """One thing that must be true of the learner's function, and what it is worth.

    `test(call, rng)` makes inputs from the random generator `rng` and calls the function through
    `call` (see `autograder.evaluation.trials.Call`), never directly: it does not know where the function lives.
    `example` allows a report to show a small call with the right result; a claim that has only a few short calls
    to choose from forbids it, because the results could be collected. `side` marks a claim that is about something
    else than the numbers, such as inputs that are left alone: where the function has no result or a wrong one, such a
    claim is not judged, neither held nor broken.
    """

    name: str
    points: float
    test: Callable
    example: bool = True
    side: bool = False


@dataclass(frozen=True)
class Mistake:
    """A wrong implementation that learners really write, with the words that help.

    `name` says what the function does wrong, `why` gives the reason, and `where` is a heading of the
    unit's notebook, word for word; if empty, it becomes that of the exercise. `unless_called` are functions of earlier
    exercises that the text says are missing: code that calls one of them has another mistake.
    """

    id: str
    name: str
    function: Callable
    why: str
    where: str
    unless_called: frozenset[str] = frozenset()


class KnownMistakes(list[Mistake]):
    """The known mistakes of an exercise, in the order in which they are tried; `add` fills the list."""

    def add(
        self, where: str, id: str | None = None, unless_called: Iterable[str] = ()
    ) -> Callable[[_Function], _Function]:
        """Return a decorator that adds a wrong implementation and hands it back as it is.

        The first line of its docstring says what it does wrong, the rest why that is wrong.

        Parameters
        ----------
        where : str
            A heading of the unit's notebook, word for word; that of the exercise if empty.
        id : str, optional
            If left out, the function's name with hyphens.
        unless_called : iterable of str
            Functions of earlier exercises; code that calls one of them is not said to have this mistake.

        Raises
        ------
        ValueError
            If the docstring lacks one of the two parts, or the list has the id already.
        """

        def add_to_list(function):
            own_id = id or function.__name__.replace("_", "-")
            name, _, why = (inspect.getdoc(function) or "").partition("\n")
            if not why:
                raise ValueError(
                    f"the mistake {own_id!r} needs a docstring of two parts: what the function does wrong in the "
                    "first line, and why that is wrong in those that follow."
                )
            if any(mistake.id == own_id for mistake in self):
                raise ValueError(f"there are two mistakes with the id {own_id!r}.")
            words = _on_one_line(name).removesuffix("."), function, _on_one_line(why), where
            self.append(Mistake(own_id, *words, frozenset(unless_called)))
            return function

        return add_to_list


@dataclass(frozen=True)
class Output:
    """Name and symbolic shape of one result, e.g. ``Output("weights", "(..., n_queries, n_keys)")``.

    `may_be_none`: None is a legal answer, so that one which is wrong does not point to a missing `return`.
    """

    name: str
    shape: str = ""
    may_be_none: bool = False


@dataclass(frozen=True)
class Lookalike:
    """A known mistake that goes unnoticed at first: in an ordinary call it gives what the right function gives.

    Whoever has passed is asked for an input on which the two differ. `mistake` is its id, `call` an ordinary call as
    code, and `question` points to where the two part, for those who look in vain.
    """

    mistake: str
    call: str
    question: str


@dataclass(eq=False)
class Exercise:
    """Everything that the course knows about one exercise.

    `asks` is the task in one line; `returns` has one entry per result; `where` is the heading of the notebook's
    section to read when no known mistake fits, the exercise's own if left out; `may_be_view` allows a result that
    shares memory with an input (a pure rearrangement). `hands` says of every argument that is a function, by its
    name, what that function takes: one `autograder.execution.handed.Numbers` for each of its arguments. `calls` are
    small calls as code, for reports on functions whose claims only make calls that are too long to be shown. Where
    the claims take many seconds, `may_go_wrong_inside` is false: no mistake of a function that this one calls is
    looked for. An exercise `is_open` if the reference is one right answer of many: its claims judge what comes of a
    result, and nothing in a report compares one with the reference's. `lookalike` is left out where no known mistake
    goes unnoticed at first, or none is worth telling apart. `claim` and `mistakes.add` are decorators that fill the two
    lists.
    """

    reference: Callable
    asks: str
    returns: tuple[Output, ...]
    where: str = ""
    claims: list[Claim] = field(default_factory=list)
    mistakes: KnownMistakes = field(default_factory=KnownMistakes)
    may_be_view: bool = False
    hands: Mapping[str, tuple] = field(default_factory=dict)
    calls: tuple[str, ...] = ()
    may_go_wrong_inside: bool = True
    is_open: bool = False
    lookalike: Lookalike | None = None

    def __post_init__(self):
        self.claims, self.mistakes = list(self.claims), KnownMistakes(self.mistakes)  # lists of its own

    @property
    def name(self) -> str:
        return self.reference.__name__

    @functools.cached_property
    def signature(self) -> inspect.Signature:
        """The signature of the reference, whose names and defaults a learner's function is called with."""
        return inspect.signature(self.reference)

    @property
    def points(self) -> float:
        return _whole(sum(claim.points for claim in self.claims))

    @property
    def wrong_version(self) -> Mistake:
        """The mistake of its `lookalike`; LookupError where there is none."""
        wanted = self.lookalike and self.lookalike.mistake
        found = [mistake for mistake in self.mistakes if mistake.id == wanted]
        if not found:
            raise LookupError(f"{self.name} has no mistake {wanted!r} for a lookalike")
        return found[0]

    def claim(self, points: float, example: bool = True, side: bool = False) -> Callable[[_Function], _Function]:
        """Return a decorator that adds a test as the next claim and hands it back as it is; see `Claim`.

        The test's docstring is what it claims, word for word as a report shows it.

        Raises
        ------
        ValueError
            If there is no docstring, or the exercise claims that already.
        """

        return _adding_to(self.claims, self.name, points, example, side)

    def put_under(self, heading: str) -> None:
        """Take a heading as the section to read, for the exercise and each of its mistakes that names no other."""
        self.where = self.where or heading
        self.mistakes[:] = [replace(mistake, where=mistake.where or heading) for mistake in self.mistakes]


@dataclass(eq=False)
class PrivateClaims:
    """Claims on an exercise of the course that a class keeps to itself: they are tried when it is graded, not before.

    `exercise` is its name. Its points stay what they are: the private claims take theirs from the others, which share
    what is left. `claim` is a decorator that fills the list.
    """

    exercise: str
    claims: list[Claim] = field(default_factory=list)

    def claim(self, points: float, example: bool = False, side: bool = False) -> Callable[[_Function], _Function]:
        """Return a decorator as `Exercise.claim` does; here reports show a small call only where `example` says so."""
        return _adding_to(self.claims, self.exercise, points, example, side)


def _adding_to(claims, exercise, points, example, side):
    def add_to_claims(test):
        name = _on_one_line(inspect.getdoc(test) or "")
        if not name:
            raise ValueError(f"the claim {test.__name__!r} needs a docstring: what must be true of the function.")
        if any(claim.name == name for claim in claims):
            raise ValueError(f"{exercise} claims twice: {name}")
        claims.append(Claim(name, points, test, example, side))
        return test

    return add_to_claims


def _whole(points):
    """Return points as an int where they are a whole number."""
    points = round(points, DIGITS)
    return int(points) if points == int(points) else points


def _on_one_line(text):
    return " ".join(text.split())


@dataclass(frozen=True)
class Unit:
    """One notebook of the course: its exercises and its questions, in their order.

    `sittings` has the minutes of a quick and of a thorough reader for each sitting.
    """

    id: str
    title: str
    sittings: tuple[tuple[int, int], ...]
    exercises: tuple[Exercise, ...]
    questions: tuple[Question, ...] = ()

    def __post_init__(self):
        for exercise in self.exercises:
            exercise.put_under(f"Exercise {self.number_of(exercise)}: {exercise.name}")

    def number_of(self, exercise: Exercise) -> str:
        """Return the number of one of the unit's exercises as its heading has it, such as "2.1"."""
        return f"{int(self.id[:2])}.{self.exercises.index(exercise) + 1}"

    @property
    def points(self) -> float:
        return _whole(sum(exercise.points for exercise in self.exercises))

    @property
    def minutes(self) -> tuple[int, int]:
        return total(self.sittings)

    @property
    def time(self) -> str:
        """The time in words, sitting by sitting."""
        spans = [in_words(span) for span in self.sittings]
        if len(spans) == 1:
            return f"about {spans[0]}"
        return f"{COUNTS[len(spans)]} sittings of about {', '.join(spans[:-1])} and {spans[-1]}"
