"""What the known mistakes of an exercise come to in every call of its claims; it does not depend on the learner.

`make build` keeps it in a file for each exercise, since some of it takes seconds.
"""

import functools
import json
import sys
import warnings
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from autograder.evaluation.attempts import attempts, visible_seed
from autograder.evaluation.probes import can_warn, deviation, probes, that_count, without_warnings
from autograder.execution.call import LocalRunner
from autograder.specification import Mistake

FOLDER = Path(__file__).parent.parent / "outcomes"
DIGITS = 9  # of the numbers in a file
VERSIONS = ".".join(map(str, sys.version_info[:2])), ".".join(np.__version__.split(".")[:2])  # errors' words depend on


@dataclass(frozen=True)
class Known:
    """What a wrong function comes to.

    Attributes
    ----------
    mistake : Mistake
    inside : str
        The exercise that the mistake is known of, where that is one whose function this one calls; empty otherwise.
    fails : frozenset of int
        Numbers of the claims that do not hold.
    deviations : dict
        By the number of the call; a right one has none.
    is_from_here : bool
        Whether Python and NumPy had the same versions, so that errors have the same words.
    """

    mistake: Mistake
    inside: str
    fails: frozenset
    deviations: dict
    is_from_here: bool = True

    def deviation_here(self, exercise, number):
        """Return what the wrong function comes to in a call, with the words that errors have in this process.

        Parameters
        ----------
        exercise : Exercise
        number : int
            That of the call.
        """
        if self.is_from_here or self.inside:
            return self.deviations[number]
        runner = LocalRunner(self.mistake.function, exercise.signature)
        probe = probes(exercise)[number]
        return deviation(runner(probe.trial.args, probe.trial.kwargs), probe)


@functools.cache
def known(exercise):
    """Return what is known of the wrong functions of an exercise: its file, or else its own mistakes, measured now.

    Parameters
    ----------
    exercise : Exercise

    Returns
    -------
    tuple of Known
    """
    found = _kept(exercise) or tuple(measure(exercise, mistake) for mistake in exercise.mistakes)
    return found if can_warn() else tuple(_quiet(exercise, one) for one in found)


def _quiet(exercise, one):
    """Return what a wrong function comes to where there are no warnings: claims that miss nothing else hold."""
    deviations = without_warnings(one.deviations)
    claims = [probe.claim for probe in probes(exercise)]
    warned = {claims[k] for k in one.deviations} - {claims[k] for k in deviations}
    return replace(one, fails=one.fails - warned, deviations=deviations)


def _kept(exercise):
    """Return what the file of an exercise holds, or nothing if there is none or it is that of another version."""
    path = FOLDER / f"{exercise.name}.json"
    if path.is_file():
        data = json.loads(path.read_text(encoding="utf-8"))
        stored = [entry["id"] for entry in data["known"] if not entry["inside"]]
        if data["calls"] == len(probes(exercise)) and stored == [mistake.id for mistake in exercise.mistakes]:
            is_from_here = data["versions"] == list(VERSIONS)
            return tuple(_from_json(exercise, entry, is_from_here) for entry in data["known"])
    return ()


def measure(exercise, mistake, function=None, inside=""):
    """Return what a wrong function comes to; it is trusted to end.

    Parameters
    ----------
    exercise : Exercise
    mistake : Mistake
    function : callable, optional
        The wrong function, where it is not that of the mistake.
    inside : str
        See `Known`.

    Returns
    -------
    Known
    """
    runner = LocalRunner(function or mistake.function, exercise.signature)
    runner.seconds = None
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        tried = attempts(exercise, runner, visible_seed(exercise))
        found = {k: deviation(runner(p.trial.args, p.trial.kwargs), p) for k, p in enumerate(probes(exercise))}
    fails = frozenset(number for number, attempt in enumerate(tried) if attempt.has_failed)
    wrong = {number: one for number, one in found.items() if one is not None}
    return Known(mistake, inside, fails, that_count(wrong, exercise, fails))


def as_json(exercise, entries, source):
    """Return the text of an exercise's file.

    Parameters
    ----------
    exercise : Exercise
    entries : sequence of Known
        Those of its own mistakes first.
    source : str
        A digest of what they were made from.
    """
    data = {
        "source": source,
        "versions": VERSIONS,
        "calls": len(probes(exercise)),
        "known": [_as_entry(entry) for entry in entries],
    }
    return json.dumps(data, separators=(",", ":")).replace('{"id"', '\n{"id"') + "\n"


def _as_entry(entry):
    rounded = {k: [what, *(float(f"{n:.{DIGITS}g}") for n in sums)] for k, (what, *sums) in entry.deviations.items()}
    mistake = entry.mistake
    words = {"name": mistake.name, "why": mistake.why, "where": mistake.where} if entry.inside else {}
    ids = {"id": mistake.id, "inside": entry.inside}
    return ids | words | {"fails": sorted(entry.fails), "deviations": rounded}


def _from_json(exercise, entry, is_from_here):
    deviations = {int(number): tuple(one) for number, one in entry["deviations"].items()}
    if entry["inside"]:
        mistake = Mistake(entry["id"], entry["name"], None, entry["why"], entry["where"])
    else:
        mistake = next(mistake for mistake in exercise.mistakes if mistake.id == entry["id"])
    return Known(mistake, entry["inside"], frozenset(entry["fails"]), deviations, is_from_here)
