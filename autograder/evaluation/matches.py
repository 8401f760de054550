"""A known mistake beside what was observed of a learner's function: how much of all that is wrong does it explain?"""

from dataclasses import dataclass

from autograder.evaluation.deviations import has_value, is_inconclusive, is_same
from autograder.evaluation.outcomes import MistakeOutcomes
from autograder.evaluation.probes import probes
from autograder.specification import Exercise

LIKELY_SHARE = 0.7  # of the wrong calls, to be explained by a likely mistake
LIKELY_SHARE_DESPITE_RIGHT_CALLS = 0.9  # the same, where calls are right that the mistake makes wrong
MIN_AGREEING = 2  # calls, where others are unexplained


@dataclass(frozen=True)
class Observed:
    """How a learner's function fails; calls are known by their number among the probes."""

    failed_claims: frozenset[int]
    deviations: dict[int, tuple]  # of the calls that are wrong
    calls: frozenset[int]  # that were made, right or wrong


@dataclass(frozen=True)
class Match:
    """A candidate beside what was observed.

    Inconclusive are calls that both end with an error, each with one of its own, or of which one was stopped: they
    speak neither for nor against the candidate.
    """

    candidate: MistakeOutcomes
    candidate_fails: frozenset[int]  # calls in which the candidate is wrong, of those that were made
    agreeing_calls: frozenset[int]  # calls in which both are wrong in the same way
    inconclusive_calls: frozenset[int]
    observed: Observed

    @property
    def fails_same_claims(self) -> bool:
        return self.candidate.fails == self.observed.failed_claims

    @property
    def share(self) -> float:
        """How much of all that is wrong the candidate explains: 1 for all, 0 where too few calls agree to tell."""
        wrong_for_either = self.observed.deviations.keys() | self.candidate_fails
        if not wrong_for_either:
            return float(self.fails_same_claims)
        if self.candidate.helper and not self._agrees_in_a_result:
            return 0.0  # an error may come from anywhere in a function that calls others
        count = len(wrong_for_either - self.inconclusive_calls)
        agreeing = len(self.agreeing_calls)
        needed = MIN_AGREEING if self.inconclusive_calls or agreeing < count else 1
        if not self._agrees_in_a_result:  # small arrays give one error for many reasons
            needed = max(needed, len(self.inconclusive_calls))
        return agreeing / count if agreeing >= needed else 0.0

    @property
    def rank(self) -> tuple[float, bool]:
        """The larger, the better it fits."""
        return self.share, self.fails_same_claims

    @property
    def is_likely(self) -> bool:
        """Whether the candidate may be named although it does not explain everything.

        One of the wrong results has to agree: many a mistake ends in the same error of NumPy.
        """
        if not self._agrees_in_a_result or (self.candidate.helper and not self.fails_same_claims):
            return False
        are_right = self.candidate_fails - self.observed.deviations.keys()
        return self.share >= (LIKELY_SHARE_DESPITE_RIGHT_CALLS if are_right else LIKELY_SHARE)

    @property
    def _agrees_in_a_result(self):
        return any(has_value(self.observed.deviations[number]) for number in self.agreeing_calls)


def match_of(exercise: Exercise, observed: Observed, candidate: MistakeOutcomes) -> Match:
    """Compare the wrong calls of the learner's function with those of a candidate."""
    calls = probes(exercise)
    learners = observed.deviations
    candidate_fails = frozenset(candidate.deviations.keys() & observed.calls)
    both_wrong = candidate_fails & learners.keys()
    agreeing = {k for k in both_wrong if is_same(learners[k], candidate.deviations[k], calls[k])}
    inconclusive = {k for k in both_wrong - agreeing if is_inconclusive(learners[k], candidate.deviations[k])}
    agreeing |= {k for k in inconclusive if is_same(learners[k], candidate.deviation_here(exercise, k), calls[k])}
    return Match(candidate, candidate_fails, frozenset(agreeing), frozenset(inconclusive - agreeing), observed)
