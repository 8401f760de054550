"""All calls that the claims of an exercise make of a right function."""

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.evaluation.attempts import Attempt, attempts, visible_seed
from autograder.evaluation.sums import sums
from autograder.evaluation.trials import Call, Trial
from autograder.execution.call import LocalRunner
from autograder.execution.outcome import Outcome
from autograder.execution.precision import DOUBLE, itemsize
from autograder.specification import Exercise

# How far apart two results may be that come from one mistake, as a part of the size of the right one
ROUNDING = 1e-11
SINGLE_ROUNDING = 1e-5
# Whoever takes every number of such an array with every other asks for 0.8 GB or more.
LARGE = 10_000


@dataclass(frozen=True)
class Probe:
    """One call: the number of its claim, its arguments with the right outcome, and what else the claim judges in it.

    `is_again` is a call like the one before it, made to see what becomes of earlier results; nothing else counts in it.
    `mentions` is what the message of a required error has to mention.
    """

    claim: int
    trial: Trial
    warnings_count: bool
    inputs_count: bool
    is_again: bool = False
    mentions: tuple = ()

    @functools.cached_property
    def size(self) -> float | None:
        """The sum of the sizes of the numbers of the right result, or None where that is an error."""
        right = self.trial.outcome
        return sums(right.value)[1] if right.status == "returned" else None

    @functools.cached_property
    def is_large(self) -> bool:
        """Whether an array that is handed over is so large that a wrong function may take all memory for it."""
        arguments = (*self.trial.args, *self.trial.kwargs.values())
        return any(isinstance(argument, np.ndarray) and argument.size > LARGE for argument in arguments)

    @functools.cached_property
    def rounding(self) -> float:
        """How far apart two results may be that are the same but for rounding: a part of their size."""
        arguments = (*self.trial.args, *self.trial.kwargs.values())
        return SINGLE_ROUNDING if itemsize(arguments) < DOUBLE else ROUNDING


class _Recording(Call):
    """Remembers of which calls a claim judges the warnings, what becomes of the inputs, or the error's message."""

    def __init__(self, exercise, run):
        super().__init__(exercise, run)
        self.quiet = set()
        self.inputs = set()
        self.again = set()
        self.mentions = {}

    def is_quiet(self, trials):
        self.quiet |= {id(trial) for trial in trials}

    def leaves_inputs_alone(self, *args, **kwargs):
        before = len(self.trials)
        super().leaves_inputs_alone(*args, **kwargs)
        self.inputs.add(id(self.trials[before]))
        self.again |= {id(trial) for trial in self.trials[before + 1 :]}

    def refuses(self, *args: Any, mentions: Iterable[object], **kwargs: Any) -> None:
        words = tuple(mentions)
        before = len(self.trials)
        super().refuses(*args, mentions=words, **kwargs)
        self.mentions[id(self.trials[before])] = words


@functools.cache
def probes(exercise: Exercise) -> tuple[Probe, ...]:
    """Return all calls that the claims make in a learner's check, in their order.

    Parameters
    ----------
    exercise : Exercise

    Returns
    -------
    tuple of Probe
    """
    calls = []

    def recording(exercise, run):
        calls.append(_Recording(exercise, run))
        return calls[-1]

    runner = LocalRunner(exercise.reference, exercise.signature)
    runner.seconds = None
    attempts(exercise, runner, visible_seed(exercise), recording)
    return tuple(
        Probe(
            number,
            trial,
            warnings_count=id(trial) in call.quiet,
            inputs_count=id(trial) in call.inputs,
            is_again=id(trial) in call.again,
            mentions=call.mentions.get(id(trial), ()),
        )
        for number, call in enumerate(calls)
        for trial in call.trials
    )


def probes_with_outcomes(exercise: Exercise, attempts: Sequence[Attempt]) -> Iterator[tuple[Probe, Outcome | None]]:
    """Yield all probes of an exercise, each with the outcome of a claim's own call in some attempts, or None.

    Parameters
    ----------
    exercise : Exercise
    attempts : sequence of Attempt
        One for each claim, made with the learner's seed; or none.
    """
    numbers = dict.fromkeys(range(len(exercise.claims)), 0)
    for probe in probes(exercise):
        yield probe, _outcome_of(probe, attempts, numbers[probe.claim])
        numbers[probe.claim] += 1


def _outcome_of(probe, attempts, number):
    if not attempts or number >= len(attempts[probe.claim].trials):
        return None
    trial = attempts[probe.claim].trials[number]
    same = _same_arguments(trial.args, probe.trial.args) and _same_arguments(
        list(trial.kwargs.items()), list(probe.trial.kwargs.items())
    )
    return trial.outcome if same else None


def _same_arguments(first, second):
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return first.dtype == second.dtype and np.array_equal(first, second, equal_nan=first.dtype.kind == "f")
    if isinstance(first, tuple | list) and isinstance(second, tuple | list):
        return len(first) == len(second) and all(map(_same_arguments, first, second))
    return (callable(first) and callable(second)) or first == second
