"""Name the cause of all that does not hold: the known mistake that comes to the same, or two that do so together.

An example: somebody's softmax ends in ``e / e.sum()``, and so divides by the sum of all entries. The claims of the
exercise make 20 calls. In 9 of them the function is right: there all entries lie along the axis, or nothing but what
becomes of earlier results counts. For the other 11, its *deviation* is kept: in what it differs from the right result,
and a weighted sum of the differences. The same 20 calls were made of each known mistake (`outcomes`), and each is
compared with what was observed:

* "certain": `over-everything` is wrong in the same 11 calls, and its deviations agree in all of them. It explains 11 of
  11, and fails the same four claims.
* "likely": a function that also gives zeros for every vector is wrong in 14 calls. The mistake explains 11 of these,
  a share of 0.79, and is wrong in no other, so it is named, but with less certainty. The claim whose first call is such
  a vector goes wrong in another way: it stands `apart`.
* none: one that gives zeros for all but arrays of three axes has a share below 0.7. That it is wrong nearly everywhere
  is no evidence: what counts is whether it is wrong *in the same way*.
* "two": a function subtracts the maximum in place and always takes the last axis. Calls 5 to 8, along other axes,
  agree with `always-last-axis`; call 13, which looks at the argument, with `shifts-the-input`. Each is right where the
  other is wrong, and together they explain all 5 calls and both claims.
"""

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from autograder.evaluation.attempts import Attempt, visible_seed
from autograder.evaluation.deviations import deviation, that_count
from autograder.evaluation.matches import Observed, match_of
from autograder.evaluation.outcomes import helpers, known
from autograder.evaluation.probes import already_made, probes
from autograder.execution.compare import alike
from autograder.execution.outcome import NOT_TRIED
from autograder.execution.substitution import names_called
from autograder.registry import reference
from autograder.specification import Exercise, Mistake

MIN_CALLS_FOR_TWO = 3  # as evidence, where two mistakes act together
# For calls beyond those that the claims have made. At home somebody waits: seconds of the processor, so that a busy
# machine names the same mistakes. In a class all have to be made, and each goes to another process and back.
PROCESSOR_SECONDS_AT_HOME = 1.5
MAX_SECONDS = 10.0


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
    apart: frozenset[int] = frozenset()

    @property
    def pairs(self) -> list[tuple[Mistake, str]]:
        """Each mistake with its entry of `inside`."""
        return list(zip(self.mistakes, self.inside, strict=True))

    @property
    def own(self) -> list[Mistake]:
        """Those of the mistakes that are the exercise's own."""
        return [mistake for mistake, inside in self.pairs if not inside]


def is_unstable(run: Callable, attempts: Sequence[Attempt]) -> bool:
    """Return whether a call that went wrong comes to something else when it is made once more: then name no cause."""
    trial = next(attempt.trials[-1] for attempt in attempts if attempt.failure)
    if trial.outcome.status not in ("returned", "raised"):
        return False
    again = run(trial.args, trial.kwargs)
    if again.status != trial.outcome.status:
        return again.status != "timeout"
    return again.status == "returned" and not alike(again.value, trial.outcome.value)


def find(exercise: Exercise, run: Callable, attempts: Sequence[Attempt], seed: int | Sequence[int]) -> Cause | None:
    """Find the known mistake that explains why claims failed; call it when at least one has.

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
    failed_claims = frozenset(number for number, attempt in enumerate(attempts) if attempt.has_failed)
    is_own = seed == visible_seed(exercise)
    processor_seconds = PROCESSOR_SECONDS_AT_HOME if is_own else np.inf
    deviations, calls = _deviations(exercise, run, attempts if is_own else (), processor_seconds)
    observed = Observed(failed_claims, that_count(deviations, exercise, failed_claims), calls)
    matches = _all_matches(exercise, observed, getattr(run, "called", ()))
    if matches and matches[0].share == 1 and (matches[0].fails_same_claims or not is_own):
        return _cause("certain", failed_claims, matches[0].candidate)
    if pair := _pair(matches, observed):
        return _cause("two", failed_claims, *pair)
    likely = next((match for match in matches if match.is_likely), None) or _beneath(matches, observed)
    return likely and _cause("likely", failed_claims, likely.candidate, others=_begun_otherwise(exercise, likely))


def _all_matches(exercise, observed, called):
    """Return the matches of the exercise's own mistakes; unless one explains all, also of those of its helpers."""
    matches = _matches(exercise, observed, known(exercise))
    if matches and matches[0].rank == (1, True):
        return matches
    not_within = _with_all_that_they_call(called)
    within = [name for name in helpers(exercise) if name not in not_within]
    matches += _matches(exercise, observed, [candidate for name in within for candidate in known(exercise, name)])
    return sorted(matches, key=lambda match: match.rank, reverse=True)


def _matches(exercise, observed, candidates):
    """Return a match for each candidate, those that fit best first."""
    matches = []
    for candidate in candidates:
        deviations = that_count(candidate.deviations, exercise, observed.failed_claims)
        matches.append(match_of(exercise, observed, replace(candidate, deviations=deviations)))
    return sorted(matches, key=lambda match: match.rank, reverse=True)


def _with_all_that_they_call(names):
    """Return names, and those of all functions that the course's own functions of these names call in their turn."""
    course_functions = vars(reference())
    reached = set()
    waiting = [*names]
    while waiting:
        name = waiting.pop()
        if name not in reached and name in course_functions:
            reached.add(name)
            waiting += names_called(course_functions[name])
    return reached


def _deviations(exercise, run, attempts, processor_seconds):
    """Return what the learner's function comes to in every call, and the numbers of the calls that were made."""
    deviations = {}
    made = set()
    end = time.monotonic() + MAX_SECONDS
    processor_end = time.process_time() + processor_seconds
    for number, (probe, outcome) in enumerate(already_made(exercise, attempts)):
        if outcome is None:
            if time.monotonic() > end or time.process_time() > processor_end or probe.is_large:
                continue
            outcome = run(probe.trial.args, probe.trial.kwargs)
            if outcome.status == "timeout":
                end = 0
        if outcome.status == NOT_TRIED:
            break
        made.add(number)
        difference = deviation(outcome, probe)
        if difference is not None:
            deviations[number] = difference
    return deviations, frozenset(made)


def _pair(matches, observed):
    """Return two candidates each of which explains calls that the other leaves right, and that together fail all."""
    if len(observed.deviations) < MIN_CALLS_FOR_TWO:
        return None
    for first, second in itertools.combinations([match for match in matches if match.agreeing_calls], 2):
        only_one_fails = first.candidate_fails ^ second.candidate_fails
        if (
            first.agreeing_calls - second.candidate_fails
            and second.agreeing_calls - first.candidate_fails
            and only_one_fails <= first.agreeing_calls | second.agreeing_calls
            and first.candidate_fails | second.candidate_fails == observed.deviations.keys()
            and first.candidate.fails | second.candidate.fails == observed.failed_claims
        ):
            return first.candidate, second.candidate
    return None


def _beneath(matches, observed):
    """Return the match of a candidate that explains every call except those in which another is wrong as well.

    There both have a part in what comes out, and it is like neither. Only numbers are evidence enough.
    """
    wrong = observed.deviations.keys()
    own = [match for match in matches if match.candidate_fails <= wrong and not match.candidate.inside]
    for upper, hidden in itertools.permutations(own, 2):
        numbers = [k for k in upper.agreeing_calls if observed.deviations[k][0].endswith("=")]
        explains_the_rest = upper.agreeing_calls == wrong - hidden.candidate_fails
        if len(numbers) >= MIN_CALLS_FOR_TWO and explains_the_rest and hidden.candidate_fails <= upper.candidate_fails:
            return upper
    return None


def _begun_otherwise(exercise, likely):
    """Return the numbers of the claims whose first wrong call comes to something else than the candidate."""
    claims = [probe.claim for probe in probes(exercise)]
    first = {claims[k]: k for k in sorted(likely.observed.deviations, reverse=True)}
    explained = likely.agreeing_calls | likely.inconclusive_calls
    return frozenset(claim for claim, k in first.items() if k not in explained)


def _cause(kind, failed_claims, *candidates, others=frozenset()):
    """Put a cause together; `others` are claims that begin to go wrong in another way."""
    apart = frozenset()
    if kind != "certain":
        apart = failed_claims.difference(*(candidate.fails for candidate in candidates)) | failed_claims & others
    mistakes = tuple(candidate.mistake for candidate in candidates)
    return Cause(mistakes, kind, tuple(candidate.inside for candidate in candidates), apart)
