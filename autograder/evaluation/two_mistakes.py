"""Two known mistakes in one function: each explains a part of what is wrong, or the visible one hides the other."""

import itertools
from collections.abc import Sequence

import numpy as np

from autograder.evaluation.matches import MIN_AGREEING, Match, Observed
from autograder.evaluation.probes import probes
from autograder.specification import Exercise

MIN_CALLS_FOR_PAIR = 3  # as evidence, where two mistakes act together


def explained_by_two(exercise: Exercise, matches: Sequence[Match], observed: Observed) -> list[Match]:
    """Return the two matches that explain all together; where several pairs do so equally well, those in all of them.

    Each explains calls that the other leaves right. The pair is best that fails in other ways least often.

    Parameters
    ----------
    exercise : Exercise
    matches : sequence of Match
        One for each known mistake.
    observed : Observed

    Returns
    -------
    list of Match
        Two, or one that is in every pair, or none.
    """
    if len(observed.deviations) < MIN_CALLS_FOR_PAIR:
        return []
    pairs = itertools.combinations([match for match in matches if match.agreeing_calls], 2)
    possible = [pair for pair in pairs if _explain_all(exercise, pair, observed)]
    fewest = min(map(_count_otherwise, possible), default=0)
    best = [pair for pair in possible if _count_otherwise(pair) == fewest]
    return [match for match in best[0] if all(match in pair for pair in best)] if best else []


def dominant_match(matches: Sequence[Match], observed: Observed) -> Match | None:
    """Return the match that explains every wrong call except those in which a second mistake acts as well.

    In these the result is that of both together, and like neither alone. Only numbers are evidence enough.

    Parameters
    ----------
    matches : sequence of Match
        One for each known mistake.
    observed : Observed

    Returns
    -------
    Match or None
    """
    wrong = observed.deviations.keys()
    possible = [match for match in matches if match.candidate_fails <= wrong and not match.candidate.helper]
    for dominant, second in itertools.permutations(possible, 2):
        numbers = [k for k in dominant.agreeing_calls if observed.deviations[k][0].endswith("=")]
        explains_the_rest = dominant.agreeing_calls == wrong - second.candidate_fails
        is_hidden = second.candidate_fails <= dominant.candidate_fails
        if len(numbers) >= MIN_CALLS_FOR_PAIR and explains_the_rest and is_hidden:
            return dominant
    return None


def _explain_all(exercise, pair, observed):
    """Return whether there is evidence for each of two candidates, and they fail just what fails."""
    first, second = pair
    only_one_fails = first.candidate_fails ^ second.candidate_fails
    return (
        _is_evidence(exercise, first.agreeing_calls - second.candidate_fails)
        and _is_evidence(exercise, second.agreeing_calls - first.candidate_fails)
        and only_one_fails <= first.agreeing_calls | second.agreeing_calls
        and first.candidate_fails | second.candidate_fails == observed.deviations.keys()
        and first.candidate.fails | second.candidate.fails == observed.failed_claims
    )


def _count_otherwise(pair):
    """Count the calls in which the candidates are wrong in another way than the learner's function."""
    return sum(len(match.candidate_fails - match.agreeing_calls) for match in pair)


def _is_evidence(exercise, numbers):
    """Return whether calls are evidence of a mistake: two are, or one that returns an array, which is no accident."""
    calls = [probes(exercise)[number] for number in numbers]
    return len(calls) >= MIN_AGREEING or any(isinstance(call.trial.outcome.value, np.ndarray) for call in calls)
