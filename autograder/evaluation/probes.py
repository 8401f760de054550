"""All calls that the claims of an exercise make of a right function, and in what a function differs in one of them."""

import functools
import re
import warnings
import zlib
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np

from autograder.evaluation.attempts import Attempt, attempts, visible_seed
from autograder.evaluation.trials import Call, Trial
from autograder.execution.call import LocalRunner
from autograder.execution.compare import alike, describe
from autograder.execution.nested import leaves
from autograder.execution.outcome import Outcome
from autograder.execution.precision import DOUBLE, itemsize, tolerance_for
from autograder.specification import Exercise

REFUSED, WARNS, TIMEOUT = "refused", "warns; ", "timeout"
TEXTS = re.compile(r"of shape (\([\d, ]*\)) and dtype \W?([SU])\d+$")  # an array of texts, described
QUOTED = re.compile("'[^']*'")  # in messages: the type of a function that is handed over depends on the process
MAX_LENGTH = 20  # characters of a form or a message; a longer one is kept as a checksum
# How far two results may be apart that come from one mistake: of their distance from the right result, and of its size.
SHARE = 1e-5
ROUNDING = 1e-11
SINGLE_ROUNDING = 1e-5
# Whoever takes every number of such an array with every other asks for 0.8 GB or more.
LARGE = 10_000


# What a call comes to that is not right, a weighted sum of its numbers, and the sum of their sizes.
Deviation = tuple[str, float, float]


@dataclass(frozen=True)
class Probe:
    """One call: the number of its claim, its arguments with the right outcome, and what else the claim judges in it.

    `is_again` is a call like the one before it, made to see what becomes of earlier results; nothing else counts in it.
    """

    claim: int
    trial: Trial
    warnings_count: bool
    inputs_count: bool
    is_again: bool = False

    @functools.cached_property
    def size(self) -> float | None:
        """The sum of the sizes of the numbers of the right result, or None where that is an error."""
        right = self.trial.outcome
        return _sums(right.value)[1] if right.status == "returned" else None

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
    """Remembers of which calls a claim judges the warnings, and of which what becomes of the inputs."""

    def __init__(self, exercise, run):
        super().__init__(exercise, run)
        self.quiet = set()
        self.inputs = set()
        self.again = set()

    def is_quiet(self, trials):
        self.quiet |= {id(trial) for trial in trials}

    def leaves_inputs_alone(self, *args, **kwargs):
        before = len(self.trials)
        super().leaves_inputs_alone(*args, **kwargs)
        self.inputs.add(id(self.trials[before]))
        self.again |= {id(trial) for trial in self.trials[before + 1 :]}


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
        Probe(number, trial, id(trial) in call.quiet, id(trial) in call.inputs, id(trial) in call.again)
        for number, call in enumerate(calls)
        for trial in call.trials
    )


def already_made(exercise: Exercise, attempts: Sequence[Attempt]) -> Iterator[tuple[Probe, Outcome | None]]:
    """Yield all probes of an exercise, each with the outcome of a claim's own call in some attempts, or None.

    Parameters
    ----------
    exercise : Exercise
    attempts : sequence of Attempt
        One for each claim, made with the learner's seed; or none.
    """
    numbers = dict.fromkeys(range(len(exercise.claims)), 0)
    for probe in probes(exercise):
        yield probe, _already(probe, attempts, numbers[probe.claim])
        numbers[probe.claim] += 1


def _already(probe, attempts, number):
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


def deviation(outcome: Outcome, probe: Probe) -> Deviation | None:
    """Return in what an outcome differs from the right one, in a form that is short and can be compared.

    Errors of NumPy and Python count with their text, those that a function raises itself by their type alone; warnings,
    and what becomes of the arguments, count only where they are judged.

    Parameters
    ----------
    outcome : Outcome
    probe : Probe

    Returns
    -------
    tuple of (str, float, float) or None
        What it is, a weighted sum of its numbers and the sum of their sizes; None for a right outcome.
    """
    right = probe.trial.outcome
    if probe.is_again:
        return ("hands out or changes an earlier result", 0.0, 0.0) if outcome.earlier else None
    if outcome.status != "returned":
        return _ending(outcome, right)
    aside = _aside(outcome, probe)
    if right.status != "returned":
        return aside + _short(_form(outcome.value)), *_sums(outcome.value)
    tolerance = tolerance_for(*probe.trial.args, *probe.trial.kwargs.values())
    if alike(outcome.value, right.value, tolerance):
        return (aside, 0.0, 0.0) if aside else None
    form = _form(outcome.value)
    if form != _form(right.value):
        return aside + _short(form), *_sums(outcome.value)
    return aside + "=", *_sums(outcome.value, right.value)


def is_same(one: Deviation | None, other: Deviation | None, probe: Probe) -> bool:
    """Return whether two deviations from one right outcome are the same."""
    if one is None or other is None or one[0] != other[0]:
        return one is other
    size = max(one[2], other[2])
    right = size if probe.size is None else probe.size
    return abs(one[1] - other[1]) <= SHARE * size + probe.rounding * (size + right)


def _ending(outcome, right):
    """Describe an error or a timeout; None where the right function raises an error of this kind, too.

    The text of a `REFUSED` call is NumPy's or Python's: whether it will do is for the claim to say.
    """
    if outcome.status != "raised":
        return (outcome.status, 0.0, 0.0)
    own = outcome.error.line.startswith("raise")
    text = QUOTED.sub("'...'", outcome.error.message)
    if right.status == "raised" and right.error.type == outcome.error.type:
        return None if own or outcome.error.message == right.error.message else (f"{REFUSED}: {_short(text)}", 0.0, 0.0)
    return (f"raised {outcome.error.type}" + ("" if own else f": {_short(text)}"), 0.0, 0.0)


def that_count(deviations: Mapping[int, Deviation], exercise: Exercise, fails: Set[int]) -> dict[int, Deviation]:
    """Return deviations without those texts of errors with which their claims are content.

    Parameters
    ----------
    deviations : dict
        By the number of the call.
    exercise : Exercise
    fails : set of int
        Numbers of the claims that do not hold.
    """
    claims = [probe.claim for probe in probes(exercise)]
    return {
        number: difference
        for number, difference in deviations.items()
        if claims[number] in fails or not difference[0].startswith(REFUSED)
    }


def is_open(one: Deviation, other: Deviation) -> bool:
    """Return whether two deviations may be of one fault, though they differ: two errors, or a call that was stopped."""
    return all(what.startswith("raised") for what, *_ in (one, other)) or TIMEOUT in (one[0], other[0])


@functools.cache
def can_warn() -> bool:
    """Return whether NumPy can tell of an overflow or a division by zero; in a browser it cannot."""
    with warnings.catch_warnings(record=True) as caught, np.errstate(all="warn"):
        warnings.simplefilter("always")
        np.ones(1) / np.zeros(1)
    return bool(caught)


def without_warnings(deviations: Mapping[int, Deviation]) -> dict[int, Deviation]:
    """Return deviations as they are where there are no warnings; what consists of nothing else is none."""
    stripped = {k: (what.replace(WARNS, ""), total, size) for k, (what, total, size) in deviations.items()}
    return {k: one for k, one in stripped.items() if one[0]}


def has_value(one: Deviation) -> bool:
    """Return whether a deviation is that of a result, and not an error or a timeout."""
    return not one[0].startswith(("raised", REFUSED, TIMEOUT))


def _aside(outcome, probe):
    """Name what else counts: arguments that were changed, memory that is shared, warnings."""
    touched = [f"changed {name}" for name in outcome.changed] + [f"shares {name}" for name in outcome.shares]
    aside = "".join(f"{what}; " for what in touched) if probe.inputs_count else ""
    warned = probe.warnings_count and any(text.startswith("RuntimeWarning") for text in outcome.warnings)
    return aside + WARNS if warned else aside


def _form(value):
    """Describe a result by all that is not a finite number: nesting, shapes, kinds, texts, places of NaN."""
    if isinstance(value, tuple | list):
        return f"({','.join(map(_form, value))})"
    if isinstance(value, dict):
        return "{" + _form(list(value.items())) + "}"
    if isinstance(value, np.ndarray | np.generic | bool | int | float):
        array = np.asarray(value)
        kind = {"u": "i"}.get(array.dtype.kind, array.dtype.kind)
        if kind in "SU":  # how wide texts are that were made of numbers depends on the machine
            return f"{kind}{array.shape}"
        return f"{kind}{array.shape}{_not_finite(array)}" if kind in "bifc" else describe(value)
    if isinstance(value, str):
        return f"'{zlib.crc32(value.encode(errors='replace')):x}'"
    if hasattr(type(value), "stands_for") and value.is_array:  # of a worker, whose array was not sent
        texts = TEXTS.search(describe(value))
        return f"{texts[2]}{texts[1]}" if texts else describe(value)
    return "None" if value is None else "something else"


def _short(text):
    return text if len(text) <= MAX_LENGTH else f"{text[:8]}...{zlib.crc32(text.encode(errors='replace')):x}"


def _not_finite(array):
    """Return a mark for where an array is infinite or NaN; empty where it is nowhere."""
    if array.dtype.kind not in "fc" or np.isfinite(array).all():
        return ""
    codes = np.isnan(array) + 2 * np.isposinf(array.real) + 3 * np.isneginf(array.real)
    return f"!{zlib.crc32(codes.astype(np.uint8).tobytes()):x}"


def _sums(value, right=None):
    """Return a weighted sum of all finite numbers, less those of the right result, and the sum of their sizes.

    On a scale that is linear near 0 and logarithmic far from it: so the largest numbers do not hide the others.
    """
    numbers = _numbers(value) if right is None else _numbers(value) - _numbers(right)
    return float(numbers @ _weights(len(numbers))), float(np.abs(numbers).sum())


def _numbers(value):
    kinds = np.ndarray | np.generic | bool | int | float
    arrays = [np.asarray(leaf) for leaf in leaves(value) if isinstance(leaf, kinds)]
    flat = [array.ravel().real.astype(float) for array in arrays if array.dtype.kind in "biufc"]
    return np.arcsinh(np.nan_to_num(np.concatenate([np.zeros(0), *flat]), nan=0, posinf=0, neginf=0))


@functools.lru_cache(maxsize=64)
def _weights(size):
    return np.random.default_rng(size).uniform(0.5, 1.5, size)
