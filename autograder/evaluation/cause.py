"""Name the cause of all that does not hold: the known mistake that comes to the same, or two that do so together."""

import itertools
import time
from dataclasses import dataclass, replace

import numpy as np

from autograder.evaluation.attempts import visible_seed
from autograder.evaluation.outcomes import Known, helpers, known
from autograder.evaluation.probes import already_made, deviation, has_value, is_open, is_same, probes, that_count
from autograder.execution.compare import alike
from autograder.execution.outcome import NOT_TRIED
from autograder.execution.substitution import names_called
from autograder.registry import reference
from autograder.specification import Mistake

LIKELY, IN_SPITE_OF = 0.7, 0.9  # share to explain of the wrong calls; where others that should be wrong are right
MIN_EXPLAINED, MIN_FOR_TWO = 2, 3  # calls, where some are left unexplained; and where there are two mistakes
# For calls beyond those that the claims have made. At home somebody waits: seconds of the processor, so that a busy
# machine names the same mistakes. In a class all have to be made, and each goes to another process and back.
PROCESSOR_SECONDS_AT_HOME, SECONDS = 1.5, 10.0


@dataclass(frozen=True)
class Cause:
    """One known mistake, or two.

    `kind` is "certain" where the mistake explains all that was seen, "likely" where it explains nearly all, or all but
    what a second mistake hides, and "two" where each of two mistakes explains a part, and both together all. `inside`
    has, for each, the name of the exercise whose mistake it is where that is another one: the learner's function does
    its work, and does not call it. `apart` are the numbers of claims that do not hold for another reason: with these
    mistakes alone they would.
    """

    mistakes: tuple[Mistake, ...]
    kind: str = "certain"
    inside: tuple[str, ...] = ("",)
    apart: frozenset = frozenset()

    @property
    def pairs(self):
        """Each mistake with its entry of `inside`."""
        return list(zip(self.mistakes, self.inside, strict=True))

    @property
    def own(self):
        """Those of the mistakes that are the exercise's own."""
        return [mistake for mistake, inside in self.pairs if not inside]


@dataclass(frozen=True)
class _Seen:
    """What a learner's function comes to: claims that fail, deviations by call, and the calls that were made."""

    fails: frozenset
    deviations: dict
    made: frozenset


@dataclass(frozen=True)
class _Match:
    """A candidate beside what was seen: the calls in which it is wrong, and in which of them alike.

    `open` are calls that both end with an error, each with one of its own, or of which one was stopped: they speak
    neither for nor against it.
    """

    candidate: Known
    wrong: frozenset
    same: frozenset
    open: frozenset
    seen: _Seen

    @property
    def same_claims(self):
        return self.candidate.fails == self.seen.fails

    @property
    def share(self):
        """How much of all that is wrong the candidate explains: 1 for all, 0 where too little is alike to tell."""
        deviations = self.seen.deviations
        if not deviations and not self.wrong:
            return float(self.same_claims)
        if self.candidate.inside and not any(has_value(deviations[k]) for k in self.same):
            return 0.0  # an error may come from anywhere in a function that calls others
        count = len((deviations.keys() | self.wrong) - self.open)
        few = len(self.same) < (MIN_EXPLAINED if self.open or len(self.same) < count else 1)
        return 0.0 if few else len(self.same) / count

    @property
    def rank(self):
        """The larger, the better it fits."""
        return self.share, self.same_claims

    @property
    def is_likely(self):
        """Whether the candidate may be named although it does not explain everything.

        It has to come to one of the wrong results: many a mistake ends in the same error of NumPy.
        """
        if not any(has_value(self.seen.deviations[k]) for k in self.same):
            return False
        if self.candidate.inside and not self.same_claims:
            return False
        return self.share >= (IN_SPITE_OF if self.wrong - self.seen.deviations.keys() else LIKELY)


def is_unstable(run, attempts):
    """Return whether a call that went wrong comes to something else when it is made once more."""
    trial = next(attempt.trials[-1] for attempt in attempts if attempt.failure)
    if trial.outcome.status not in ("returned", "raised"):
        return False
    again = run(trial.args, trial.kwargs)
    if again.status != trial.outcome.status:
        return again.status != "timeout"
    return again.status == "returned" and not alike(again.value, trial.outcome.value)


def find(exercise, run, attempts, seed):
    """Look for the cause among all that is known of an exercise.

    Parameters
    ----------
    exercise : Exercise
    run : callable
        ``run(args, kwargs)`` performs one call and returns an `Outcome`. `called`, if it has that, are the names of the
        functions that the learner's calls: these are the course's own, so no mistake is looked for within them.
    attempts : sequence of Attempt
    seed : int or sequence of int
        With which they were made.

    Returns
    -------
    Cause or None
    """
    fails = frozenset(number for number, attempt in enumerate(attempts) if attempt.has_failed)
    is_own = seed == visible_seed(exercise)
    processor_seconds = PROCESSOR_SECONDS_AT_HOME if is_own else np.inf
    deviations, made = _deviations(exercise, run, attempts if is_own else (), processor_seconds)
    seen = _Seen(fails, that_count(deviations, exercise, fails), made)
    matches = _matches(exercise, seen, known(exercise))
    if not matches or matches[0].rank < (1, True):
        called = _called(getattr(run, "called", ()))
        within = [name for name in helpers(exercise) if name not in called]
        matches += _matches(exercise, seen, [one for name in within for one in known(exercise, name)])
        matches.sort(key=lambda match: match.rank, reverse=True)
    if matches and matches[0].share == 1 and (matches[0].same_claims or not is_own):
        return _cause("certain", fails, matches[0].candidate)
    if pair := _pair(matches, seen):
        return _cause("two", fails, *pair)
    likely = next((match for match in matches if match.is_likely), None) or _beneath(matches, seen)
    return likely and _cause("likely", fails, likely.candidate, others=_begun_otherwise(exercise, likely))


def _matches(exercise, seen, candidates):
    """Return a match for each candidate, those that fit best first."""
    counting = [replace(one, deviations=that_count(one.deviations, exercise, seen.fails)) for one in candidates]
    found = [_match(exercise, seen, candidate) for candidate in counting]
    return sorted(found, key=lambda match: match.rank, reverse=True)


def _called(names):
    """Return names, and those of all functions that the course's own functions of these names call in their turn."""
    found, waiting, right = set(), [*names], vars(reference())
    while waiting:
        name = waiting.pop()
        if name not in found and name in right:
            found.add(name)
            waiting += names_called(right[name])
    return found


def _deviations(exercise, run, attempts, processor_seconds):
    """Return what the learner's function comes to in every call, and the numbers of the calls that were made."""
    found, made = {}, set()
    end, processor_end = time.monotonic() + SECONDS, time.process_time() + processor_seconds
    for k, (probe, outcome) in enumerate(already_made(exercise, attempts)):
        if outcome is None:
            if time.monotonic() > end or time.process_time() > processor_end:
                continue
            outcome = run(probe.trial.args, probe.trial.kwargs)
            if outcome.status == "timeout":
                end = 0
        if outcome.status == NOT_TRIED:
            break
        made.add(k)
        if (one := deviation(outcome, probe)) is not None:
            found[k] = one
    return found, frozenset(made)


def _match(exercise, seen, candidate):
    """Compare the wrong calls of the learner's function with those of a candidate."""
    both, here = probes(exercise), candidate.deviations.keys() & seen.made
    common = here & seen.deviations.keys()
    same = {k for k in common if is_same(seen.deviations[k], candidate.deviations[k], both[k])}
    open_ = {k for k in common - same if is_open(seen.deviations[k], candidate.deviations[k])}
    same |= {k for k in open_ if is_same(seen.deviations[k], candidate.deviation_here(exercise, k), both[k])}
    open_ -= same
    return _Match(candidate, here, frozenset(same), frozenset(open_), seen)


def _pair(matches, seen):
    """Return two candidates each of which explains calls that the other leaves right, and that together fail all."""
    if len(seen.deviations) < MIN_FOR_TWO:
        return None
    for one, other in itertools.combinations([match for match in matches if match.same], 2):
        alone = (one.wrong - other.wrong) | (other.wrong - one.wrong)
        if (
            one.same - other.wrong
            and other.same - one.wrong
            and alone <= one.same | other.same
            and one.wrong | other.wrong == seen.deviations.keys()
            and one.candidate.fails | other.candidate.fails == seen.fails
        ):
            return one.candidate, other.candidate
    return None


def _beneath(matches, seen):
    """Return a candidate that explains every call except those in which another one is wrong as well.

    There both have a part in what comes out, and it is like neither. Only numbers are evidence enough.
    """
    wrong = seen.deviations.keys()
    own = [match for match in matches if match.wrong <= wrong and not match.candidate.inside]
    for one, other in itertools.permutations(own, 2):
        numbers = [k for k in one.same if seen.deviations[k][0].endswith("=")]
        if len(numbers) >= MIN_FOR_TWO and one.same == wrong - other.wrong and other.wrong <= one.wrong:
            return one
    return None


def _begun_otherwise(exercise, match):
    """Return the numbers of the claims whose first wrong call comes to something else than the candidate."""
    claims = [probe.claim for probe in probes(exercise)]
    first = {claims[k]: k for k in sorted(match.seen.deviations, reverse=True)}
    return frozenset(claim for claim, k in first.items() if k not in match.same | match.open)


def _cause(kind, fails, *candidates, others=frozenset()):
    apart = frozenset() if kind == "certain" else fails.difference(*(one.fails for one in candidates)) | fails & others
    return Cause(tuple(one.mistake for one in candidates), kind, tuple(one.inside for one in candidates), apart)
