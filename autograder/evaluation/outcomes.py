"""The outcomes of an exercise's known mistakes in every call of its claims; they do not depend on the learner.

They are measured when they are first needed and kept in a cache, since some take seconds.
"""

import functools
import json
import sys
import types
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from autograder.evaluation import outcome_files
from autograder.evaluation.attempts import attempts, visible_seed
from autograder.evaluation.deviations import Deviation, can_warn, deviation, without_accepted_errors, without_warnings
from autograder.evaluation.probes import probes, probes_with_outcomes
from autograder.evaluation.reach import digest
from autograder.execution.call import LocalRunner
from autograder.registry import find, names
from autograder.specification import Exercise, Mistake

DIGITS = 9  # of the numbers in a file
VERSIONS = ".".join(map(str, sys.version_info[:2])), ".".join(np.__version__.split(".")[:2])  # errors' words depend on


@dataclass(frozen=True)
class MistakeOutcomes:
    """In which calls a wrong function is wrong, and how.

    Attributes
    ----------
    mistake : Mistake
    helper : str
        The exercise that the mistake is known of, where this exercise's function calls that one's; empty otherwise.
    fails : frozenset of int
        Numbers of the claims that do not hold.
    deviations : dict
        By the number of the call; a right one has none.
    is_from_here : bool
        Whether Python and NumPy had the same versions, so that errors have the same words.
    """

    mistake: Mistake
    helper: str
    fails: frozenset
    deviations: dict
    is_from_here: bool = True

    def deviation_here(self, exercise: Exercise, number: int) -> Deviation | None:
        """Return the deviation in a call, with the words that errors have in this process.

        Parameters
        ----------
        exercise : Exercise
        number : int
            That of the call.
        """
        if self.is_from_here or self.helper:
            return self.deviations[number]
        runner = LocalRunner(self.mistake.function, exercise.signature)
        probe = probes(exercise)[number]
        return deviation(runner(probe.trial.args, probe.trial.kwargs), probe)


def known_outcomes(exercise: Exercise, helper: str = "") -> tuple[MistakeOutcomes, ...]:
    """Return the outcomes of an exercise's known mistakes, with which a learner's function is compared.

    Parameters
    ----------
    exercise : Exercise
    helper : str
        One of `helpers_of(exercise)`, for right functions in which it is replaced by one of its known mistakes; the
        exercise's own mistakes when left out. Of the former those are left out that give the same as others.
    """
    return _known(exercise, helper)


@functools.cache
def _known(exercise, helper):
    entries = measured(exercise, helper)
    if helper:
        entries = _distinct(entries, measured(exercise, ""))
    return entries if can_warn() else tuple(_quiet(exercise, entry) for entry in entries)


@functools.cache
def measured(exercise: Exercise, helper: str) -> tuple[MistakeOutcomes, ...]:
    """Return the outcomes of all known mistakes of an exercise, from a file where there is one."""
    wrong = dict(_wrong_functions(exercise, helper))
    name = file_name(exercise, helper)
    entries = _entries(outcome_files.shipped(name), exercise, wrong, helper)
    if not entries:
        key = _key(exercise, helper)
        entries = _entries(outcome_files.cached(name, key), exercise, wrong, helper)
    if not entries:
        entries = tuple(measure(exercise, mistake, function, helper) for mistake, function in wrong.items())
        outcome_files.keep(name, key, as_json(exercise, entries))
    return entries


def is_kept(exercise: Exercise, helper: str = "") -> bool:
    """Return whether `known_outcomes` finds a file, and measures nothing."""
    name = file_name(exercise, helper)
    return bool(outcome_files.shipped(name) or outcome_files.cached(name, _key(exercise, helper)))


def file_name(exercise: Exercise, helper: str) -> str:
    """Return the name under which outcomes are kept."""
    return f"{exercise.name}.{helper}" if helper else exercise.name


@functools.cache
def _key(exercise, helper):
    wrong = [function for _, function in _wrong_functions(exercise, helper)]
    claims = [claim.test for claim in exercise.claims]
    return digest([measure, exercise.reference, exercise.returns, exercise.hands, claims, wrong, VERSIONS])


def helpers_of(exercise: Exercise) -> tuple[str, ...]:
    """Return the names of other exercises whose functions the right function of an exercise calls."""
    called = exercise.reference.__code__.co_names if exercise.may_go_wrong_inside else ()
    return tuple(name for name in names() if name in called and name != exercise.name)


def _wrong_functions(exercise: Exercise, helper: str) -> Iterator[tuple[Mistake, Callable]]:
    """Yield mistakes, each with the wrong function."""
    if not helper:
        yield from ((mistake, mistake.function) for mistake in exercise.mistakes)
        return
    right = exercise.reference
    for mistake in find(helper).mistakes:
        wrong = types.FunctionType(right.__code__, right.__globals__ | {helper: mistake.function}, right.__name__)
        wrong.__defaults__, wrong.__kwdefaults__ = right.__defaults__, right.__kwdefaults__
        yield mistake, wrong


def _distinct(entries, own):
    """Return those that fail, and whose deviations no other has."""
    seen = [(entry.fails, entry.deviations) for entry in own]
    new = []
    for entry in entries:
        if entry.fails and (entry.fails, entry.deviations) not in seen:
            new.append(entry)
            seen.append((entry.fails, entry.deviations))
    return tuple(new)


def _quiet(exercise, entry):
    """Return an entry as it is where there are no warnings: claims that miss nothing else hold."""
    deviations = without_warnings(entry.deviations)
    claims = [probe.claim for probe in probes(exercise)]
    warned = {claims[k] for k in entry.deviations} - {claims[k] for k in deviations}
    return replace(entry, fails=entry.fails - warned, deviations=deviations)


def measure(
    exercise: Exercise, mistake: Mistake, function: Callable | None = None, helper: str = ""
) -> MistakeOutcomes:
    """Run a wrong function through all claims, and return its outcomes; it is trusted to end.

    Parameters
    ----------
    exercise : Exercise
    mistake : Mistake
    function : callable, optional
        The wrong function, where it is not that of the mistake.
    helper : str
        See `MistakeOutcomes`.

    Returns
    -------
    MistakeOutcomes
    """
    run = LocalRunner(function or mistake.function, exercise.signature)
    run.seconds = None
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        tried = attempts(exercise, run, visible_seed(exercise))
        wrong = {}
        for number, (probe, outcome) in enumerate(probes_with_outcomes(exercise, tried)):
            if outcome is None and probe.is_large:
                continue
            difference = deviation(outcome or run(probe.trial.args, probe.trial.kwargs), probe)
            if difference is not None:
                wrong[number] = difference
    fails = frozenset(number for number, attempt in enumerate(tried) if attempt.has_failed)
    return MistakeOutcomes(mistake, helper, fails, _rounded(without_accepted_errors(wrong, exercise, fails)))


def _rounded(deviations):
    return {k: (what, *(float(f"{n:.{DIGITS}g}") for n in sums)) for k, (what, *sums) in deviations.items()}


def as_json(exercise: Exercise, entries: Iterable[MistakeOutcomes]) -> str:
    """Return the text of a file."""
    known_ones = [
        {"id": entry.mistake.id, "fails": sorted(entry.fails), "deviations": entry.deviations} for entry in entries
    ]
    data = {"versions": VERSIONS, "calls": len(probes(exercise)), "known": known_ones}
    return json.dumps(data, separators=(",", ":")).replace('{"id"', '\n{"id"') + "\n"


def _entries(text, exercise, mistakes, helper):
    """Return what a file holds; nothing where there is none, or a damaged one, or one for other claims or mistakes."""
    if not text:
        return ()
    try:
        data = json.loads(text)
        is_from_here = data["versions"] == list(VERSIONS)
        ids = [entry["id"] for entry in data["known"]]
        if data["calls"] != len(probes(exercise)) or ids != [mistake.id for mistake in mistakes]:
            return ()
        return tuple(
            _from_json(entry, mistake, helper, is_from_here)
            for entry, mistake in zip(data["known"], mistakes, strict=True)
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ()


def _from_json(entry, mistake, helper, is_from_here):
    deviations = {int(number): tuple(values) for number, values in entry["deviations"].items()}
    return MistakeOutcomes(mistake, helper, frozenset(entry["fails"]), deviations, is_from_here)
