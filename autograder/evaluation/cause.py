"""Name the cause of failed claims: the known mistake that fails in the same way, or two that do so together.

A worked example. A learner's softmax ends in ``e / e.sum()``: it divides by the sum over all entries, not over one
axis. The claims of `softmax` make 20 calls, numbered from 0, and each one is compared with the right result:

    call 0    a vector: all entries lie along the one axis, so the function is right
    call 1    a (2, 3, 5) array: wrong; in its *deviation*, a weighted sum of all differences comes to -5.175
    call 2    a (2, 3) array: wrong; the sum is -0.939

In all, 11 calls are wrong, and four claims fail. `known_outcomes` has, for each known mistake of the exercise, its
deviations in the same 20 calls. Those of `over-everything` are wrong in the same 11 calls, with the same sums; those of
`always-first-axis` are wrong in 11 calls as well, nearly the same ones, but no sum agrees. The share of the wrong
calls that a mistake explains decides:

* "certain": `over-everything` explains 11 of 11 wrong calls, and the same four claims fail.
* "likely": if the function also returned zeros for every vector, 14 calls would be wrong. `over-everything` explains 11
  of these, a share of 0.79, and is wrong in no other. So it is named, but the first claim, whose first wrong call is a
  vector, is among the `unexplained_claims`.
* none: if it returned zeros for all but arrays of three axes, `over-everything` would explain 4 of 14 wrong calls. That
  both are wrong in seven more is no evidence: what counts is whether they are wrong *in the same way*.
* "two": another softmax subtracts the maximum in place, and always takes the last axis. Calls 5 to 8, along other
  axes, agree with `always-last-axis`; call 13, which looks at the argument afterwards, agrees with `shifts-the-input`.
  Each mistake is right where the other is wrong, and together they explain all 5 wrong calls and both failed claims.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from autograder.evaluation.attempts import Attempt, visible_seed
from autograder.evaluation.deviations import deviation, without_accepted_errors
from autograder.evaluation.matches import Observed, match_of
from autograder.evaluation.outcomes import helpers_of, known_outcomes
from autograder.evaluation.probes import probes, probes_with_outcomes
from autograder.evaluation.trials import Imprecise
from autograder.evaluation.two_mistakes import dominant_match, explained_by_two
from autograder.execution.compare import alike
from autograder.execution.nested import leaves
from autograder.execution.outcome import NOT_TRIED
from autograder.execution.substitution import names_called
from autograder.registry import reference
from autograder.specification import Exercise, Mistake

# For calls beyond those that the claims have made. In a notebook somebody waits: processor time is limited, so that a
# busy machine names the same mistakes. For a class all are made, and each goes to another process and back.
NOTEBOOK_CPU_SECONDS = 1.5
MAX_SECONDS = 10.0


@dataclass(frozen=True)
class Cause:
    """One known mistake, or two.

    Attributes
    ----------
    mistakes : tuple of Mistake
    kind : str
        "certain" where the mistake explains all that was seen, "likely" where it explains nearly all, or all but what a
        second mistake hides, "two" where each of two mistakes explains a part, and both together all.
    helpers : tuple of str
        For each mistake, the exercise that it is known of, where that is one whose function this exercise's may call:
        the learner's function does the work of that one itself. Empty for a mistake of the exercise's own.
    unexplained_claims : frozenset of int
        Numbers of the failed claims that would hold if these mistakes were the only ones.
    """

    mistakes: tuple[Mistake, ...]
    kind: str = "certain"
    helpers: tuple[str, ...] = ("",)
    unexplained_claims: frozenset[int] = frozenset()

    @property
    def pairs(self) -> list[tuple[Mistake, str]]:
        """Each mistake with its entry of `helpers`."""
        return list(zip(self.mistakes, self.helpers, strict=True))

    @property
    def own(self) -> list[Mistake]:
        """Those of the mistakes that are the exercise's own."""
        return [mistake for mistake, helper in self.pairs if not helper]


def is_unstable(run: Callable, attempts: Sequence[Attempt]) -> bool:
    """Return whether a wrong call gives another result when it is made once more: then name no cause."""
    trial = next(attempt.trials[-1] for attempt in attempts if attempt.failure)
    if trial.outcome.status not in ("returned", "raised"):
        return False
    again = run(trial.args, trial.kwargs)
    if again.status != trial.outcome.status:
        return again.status != "timeout"
    if again.status != "returned" or any(map(_is_like_nothing_else, leaves(again.value))):
        return False
    return not alike(again.value, trial.outcome.value)


def _is_like_nothing_else(value):
    """Return whether a value is equal to itself alone, as an exception and a generator are."""
    return type(value).__eq__ is object.__eq__


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
    uses_visible_seed = seed == visible_seed(exercise)
    processor_seconds = NOTEBOOK_CPU_SECONDS if uses_visible_seed else np.inf
    deviations, calls = _deviations(exercise, run, attempts if uses_visible_seed else (), processor_seconds)
    observed = Observed(failed_claims, without_accepted_errors(deviations, exercise, failed_claims), calls)
    matches = _all_matches(exercise, observed, getattr(run, "called", ()))
    if matches and matches[0].share == 1 and (matches[0].fails_same_claims or not uses_visible_seed):
        imprecise = frozenset(k for k, attempt in enumerate(attempts) if isinstance(attempt.failure, Imprecise))
        return _cause("certain", imprecise, matches[0].candidate)  # other inputs may fail other claims
    in_pair = explained_by_two(exercise, matches, observed)
    if len(in_pair) == 2:
        return _cause("two", failed_claims, *(match.candidate for match in in_pair))
    likely = next((match for match in in_pair or matches if in_pair or match.is_likely), None)
    likely = likely or dominant_match(matches, observed)
    if not likely:
        return None
    unexplained = _claims_first_failing_otherwise(exercise, likely)
    return _cause("likely", failed_claims, likely.candidate, unexplained=unexplained)


def _all_matches(exercise, observed, called):
    """Return the matches of the exercise's own mistakes; unless one explains all, also of those of its helpers."""
    matches = _matches(exercise, observed, _without_refuted(known_outcomes(exercise), called))
    if matches and matches[0].rank == (1, True):
        return matches
    not_within = _transitively_called(called)
    within = [name for name in helpers_of(exercise) if name not in not_within]
    candidates = [candidate for name in within for candidate in known_outcomes(exercise, name)]
    matches += _matches(exercise, observed, _without_refuted(candidates, called))
    return sorted(matches, key=lambda match: match.rank, reverse=True)


def _without_refuted(candidates, called):
    """Return candidates without those that say of a function that it is not called, where the code calls it."""
    return [candidate for candidate in candidates if candidate.mistake.unless_called.isdisjoint(called)]


def _matches(exercise, observed, candidates):
    """Return a match for each candidate, those that fit best first."""
    matches = []
    for candidate in candidates:
        deviations = without_accepted_errors(candidate.deviations, exercise, observed.failed_claims)
        matches.append(match_of(exercise, observed, replace(candidate, deviations=deviations)))
    return sorted(matches, key=lambda match: match.rank, reverse=True)


def _transitively_called(names):
    """Return names, and those of all functions that the course's functions of these names call in their turn."""
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
    """Return the deviations of the learner's function by call, and the numbers of the calls that were made."""
    deviations = {}
    made = set()
    end = time.monotonic() + MAX_SECONDS
    processor_end = time.process_time() + processor_seconds
    for number, (probe, outcome) in enumerate(probes_with_outcomes(exercise, attempts)):
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


def _claims_first_failing_otherwise(exercise, match):
    """Return the numbers of the claims whose first wrong call is not explained by the candidate."""
    claims = [probe.claim for probe in probes(exercise)]
    first_wrong = {claims[k]: k for k in sorted(match.observed.deviations, reverse=True)}
    explained = match.agreeing_calls | match.inconclusive_calls
    return frozenset(claim for claim, k in first_wrong.items() if k not in explained)


def _cause(kind, claims, *candidates, unexplained=frozenset()):
    """Return a Cause; of `claims`, those remain unexplained that no candidate fails, or that fail first otherwise."""
    explained = frozenset().union(*(candidate.fails for candidate in candidates)) - unexplained
    mistakes = tuple(candidate.mistake for candidate in candidates)
    return Cause(mistakes, kind, tuple(candidate.helper for candidate in candidates), claims - explained)
