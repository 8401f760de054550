"""What a claim calls the learner's function through: it compares, and remembers every call."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.evaluation.mentions import why_not_mentioned
from autograder.execution.compare import Difference, compare, compare_one
from autograder.execution.describe import describe, is_plain_array, shortened
from autograder.execution.earlier import CHANGED, SHARES
from autograder.execution.handed import handed_over
from autograder.execution.nested import leaves, mapped
from autograder.execution.outcome import NOT_TRIED, Outcome
from autograder.execution.precision import Tolerance, tolerance_for
from autograder.specification import Exercise, Output

MAX_TEXT_LENGTH = 60  # characters of an argument that is written out


@dataclass(frozen=True)
class Trial:
    """One call: its arguments and its outcome."""

    args: tuple
    kwargs: dict
    outcome: Outcome


class Failed(Exception):
    """A claim does not hold; `difference` is set where a result differs from the reference's."""

    def __init__(self, text: str, difference: Difference | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.difference = difference


class WrongResult(Failed):
    """A call has no result, or not the right one: what else a claim is about can then not be judged."""


class NotTried(Failed):
    """No call was made any more, since one before it came back far too late."""


class Imprecise(Failed):
    """No result of a call is wrong, but all together have fewer digits than those of a right function."""


class InputsTouched(Failed):
    """The function modified an argument or an earlier result, or returned one of them."""


class Call:
    """Calls the function under test for one claim.

    Parameters
    ----------
    exercise : Exercise
    run : callable
        ``run(args, kwargs, measure_memory=False)`` performs one call and returns an `Outcome`.
    """

    def __init__(self, exercise: Exercise, run: Callable[..., Outcome]) -> None:
        self.exercise = exercise
        self.run = run
        self.tolerance_for: Callable[..., Tolerance] = tolerance_for
        self.trials: list[Trial] = []

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return what the function returns; an error in it fails the claim."""
        return self._returned(self._try(args, kwargs))

    def agrees(self, *args: Any, **kwargs: Any) -> Any:
        """Require the reference's result, and return what the function returned."""
        return self._agree(self(*args, **kwargs), args, kwargs)

    def agrees_in(self, number: int, *args: Any, **kwargs: Any) -> None:
        """Require that one of several results is the reference's, whatever the others are."""
        value, expected = self.results(*args, **kwargs), self.exercise.reference(*args, **kwargs)
        returned = self.exercise.returns[number]
        self.equals(value[number], expected[number], returned, (*args, *kwargs.values()))

    def equals(self, got: Any, expected: Any, returned: Output, args: Iterable[Any]) -> None:
        """Require one result, or a part of it, to be the one expected; `args` set the tolerance."""
        _fail_on(compare_one(got, expected, returned, self.tolerance_for(*args)))

    def agrees_quietly(self, *args: Any, **kwargs: Any) -> None:
        """Require the reference's result and no floating-point warning on the way."""
        self.agrees(*args, **kwargs)
        self.is_quiet(self.trials[-1:])

    def is_quiet(self, trials: Iterable[Trial]) -> None:
        """Require that no floating-point warning came up in these calls; the learner's own warnings do not count."""
        texts = [text for trial in trials for text in trial.outcome.warnings if text.startswith("RuntimeWarning")]
        self.holds(not texts, f"NumPy warned on the way: {'; '.join(texts)}. This input must pass quietly.")

    def leaves_inputs_alone(self, *args: Any, **kwargs: Any) -> None:
        """Require that no argument is modified and that every call has a result of its own, in a new array.

        It is called six times, once with other numbers. So a buffer shows that is filled anew, one of two or more that
        take turns, and a result that is kept for whoever asks the same, at once or later. Where nobody may write into
        what is handed out, only the other numbers tell; so they come early, and all the calls after them are alike.
        """
        for given in (args, _turned(args), *[args] * 4):
            self(*given, **kwargs)
            self.is_left_alone(self.trials[-1])

    def is_left_alone(self, trial: Trial) -> None:
        """Require of a call that its arguments and the results of earlier calls are what they were."""
        outcome = trial.outcome
        changed = " and ".join(outcome.changed)
        if changed:
            what = f"argument {changed} is no longer what it was"
            if len(outcome.changed) > 1:
                what = f"arguments {changed} are no longer what they were"
            raise InputsTouched(f"after the call the {what} before.")
        shared = ", ".join(outcome.shares)
        if shared and not self.exercise.may_be_view:
            raise InputsTouched(f"the result and the argument {shared} share memory: changing one changes the other.")
        if outcome.earlier:
            raise InputsTouched(f"{_reused(outcome)} Make a new one in every call.")

    def refuses(self, *args: Any, mentions: Iterable[object], **kwargs: Any) -> None:
        """Require a ValueError whose message mentions every number and word in `mentions`, and few others."""
        outcome = self._try(args, kwargs).outcome
        if outcome.status == "timeout":
            raise Failed(_stopped(outcome))
        if outcome.status == "returned":
            raise Failed(f"expected a ValueError, but the call returned {describe(outcome.value)}.")
        if not outcome.error or not outcome.error.is_a("ValueError"):
            raise Failed(f"expected a ValueError, got {outcome.error}.")
        why = why_not_mentioned(outcome.error.message, mentions)
        self.holds(not why, f"there is a ValueError, but its message {why}: {outcome.error.message!r}.")

    def results(self, *args: Any, **kwargs: Any) -> Sequence[Any]:
        """Require as many results as the exercise has, and return them."""
        value = self(*args, **kwargs)
        names = [returned.name for returned in self.exercise.returns]
        if not isinstance(value, tuple | list) or len(value) != len(names):
            order = ", ".join(names)
            raise WrongResult(f"expected {len(names)} results in this order: {order}. Got {describe(value)}.")
        return value

    def array(self, shape: tuple[int, ...], *args: Any, kinds: str = "fiu", **kwargs: Any) -> np.ndarray:
        """Require the only result to be an array, as `is_array` does, and return it."""
        return self.is_array(self(*args, **kwargs), shape, kinds)

    def is_array(self, value: Any, shape: tuple[int, ...], kinds: str = "fiu", name: str = "") -> np.ndarray:
        """Require an array of this shape and one of these kinds of dtype, and return it; `name` is the result's."""
        fits = is_plain_array(value) and value.shape == shape and value.dtype.kind in kinds
        what = "booleans" if kinds == "b" else "an array of numbers"
        about = f"{name}: " if name else ""
        if not fits:
            raise WrongResult(f"{about}expected {what} of shape {shape}, got {describe(value)}.")
        return value

    def peak_bytes(self, *args: Any, **kwargs: Any) -> int | None:
        """Require the reference's result, and return the memory that the call needs at its peak, in bytes."""
        trial = self._try(args, kwargs, measure_memory=True)
        self._agree(self._returned(trial), args, kwargs)
        return trial.outcome.peak_bytes

    def holds(self, condition: object, text: str) -> None:
        """Require a condition; `text` says what was found instead."""
        if not condition:
            raise Failed(text)

    def _try(self, args, kwargs, **options):
        parameters = self.exercise.signature.parameters
        args, kwargs = handed_over(args, kwargs, parameters, self.exercise.hands)
        trial = Trial(args, kwargs, self.run(args, kwargs, **options))
        self.trials.append(trial)
        if trial.outcome.status == NOT_TRIED:
            raise NotTried("not tried: a call before it came back long after its time was over.")
        return trial

    def _agree(self, value, args, kwargs):
        expected = self.exercise.reference(*args, **kwargs)
        _fail_on(compare(value, expected, self.exercise.returns, self.tolerance_for(*args, *kwargs.values())))
        return value

    def _returned(self, trial):
        outcome = trial.outcome
        if outcome.status == "timeout":
            raise WrongResult(_stopped(outcome))
        if outcome.error:
            raise WrongResult(f"the call raised {outcome.error}.")
        return outcome.value


def _fail_on(difference):
    if difference:
        raise WrongResult(difference.text, difference)


def _turned(args):
    """Return arguments of the same shapes with other numbers: the last axis of the first array begins elsewhere.

    Where no array is among them, the last real number is another one; a whole one may be a size.
    """
    first = next((leaf for leaf in leaves(args) if is_plain_array(leaf) and leaf.ndim), None)
    if first is not None:
        return mapped(lambda leaf: np.roll(leaf, 1, axis=-1) if leaf is first else leaf, args)
    last = max((number for number, value in enumerate(args) if type(value) is float), default=None)
    return args if last is None else (*args[:last], args[last] + 1, *args[last + 1 :])


def _reused(outcome):
    """Say what a call has done to the result of an earlier one."""
    what = type(outcome.value).__name__ if isinstance(outcome.value, list | dict) else "array"
    if SHARES not in outcome.earlier:
        return f"the call changed the {what} that an earlier call had returned."
    if CHANGED not in outcome.earlier:
        return f"two calls returned the same {what}: changing one result changes the other."
    return f"two calls returned the same {what}: the second overwrites the first."


def _stopped(outcome):
    where = outcome.error.place if outcome.error else ""
    if outcome.late:
        work = "your function does far more work than it takes. Nothing was tried after that."
        return f"the call came back long after its time was over{where}: {work}"
    why = "Is there a loop that never ends, an enormous array, or far more work than it takes?"
    return f"the call did not come back in time and was stopped{where}. {why}"


def call_text(exercise: Exercise, trial: Trial) -> str:
    """Describe a call by its arguments: ``softmax(x: float64 (2, 3), axis=0)``."""
    bound = exercise.signature.bind(*trial.args, **trial.kwargs).arguments
    return f"{exercise.name}({', '.join(_argument_text(name, value) for name, value in bound.items())})"


def _argument_text(name, value):
    if isinstance(value, np.ndarray):
        return f"{name}: {value.dtype} {value.shape}"
    if callable(value):
        return f"{name}: a function"
    if hasattr(value, "_fields"):  # the parameters of a layer
        return f"{name}: {_structure_text(value)}"
    if isinstance(value, tuple) and value and hasattr(value[0], "_fields"):  # a cache: one entry per layer
        return f"{name}: {len(value)} x {_structure_text(value[0])}"
    if isinstance(value, tuple | list) and any(isinstance(v, np.ndarray) for v in value):
        shapes = (f"{v.dtype} {v.shape}" if isinstance(v, np.ndarray) else repr(v) for v in value)
        return f"{name}: " + ", ".join(shapes)
    if len(text := repr(value)) > MAX_TEXT_LENGTH and isinstance(value, dict | tuple):
        return f"{name}: {len(value)} entries"
    return f"{name}={shortened(text)}"


def _structure_text(structure):
    """Describe a named tuple by its fields; those with fields of their own, as layers of a model, by their kind."""
    return f"{type(structure).__name__}({', '.join(_field_text(*f) for f in structure._asdict().items())})"


def _field_text(name, value):
    if hasattr(value, "_fields"):
        return f"{name}: {type(value).__name__}"
    if isinstance(value, tuple) and value and hasattr(value[0], "_fields"):
        return f"{name}: {len(value)} {type(value[0]).__name__}"
    return _argument_text(name, value)
