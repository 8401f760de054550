"""Are results of fewer digits than their arguments those of a right function: rounded, or computed in these digits?"""

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from autograder.evaluation.trials import Call, Imprecise, Trial
from autograder.execution.call import run
from autograder.execution.nested import leaves, mapped
from autograder.execution.outcome import Outcome
from autograder.execution.precision import (
    SINGLE,
    SINGLE_EPS,
    Tolerance,
    in_bytes,
    itemsize,
    rounded_like,
    tolerance_in_single,
)
from autograder.specification import Claim, Exercise

TEXT = (
    "nearly right, but the numbers are not the right ones rounded to so few digits. Either something on the way is "
    "slightly off, or only a part of it is computed in float32 or float16. Compute in float64."
)
NUMBERS = 1000  # of results of a claim that are looked at
REPEATS = 32  # of a claim on other inputs, at most, until there are so many
SLACK = 1e-10  # by which formulas differ that are right in float64: as it stands, and relative to the largest number
DRAWS = 8  # of other inputs, so that no mistake is hidden where rounding happens to bring a number nearer
MAX_CALLS = 24  # of a claim that are made again
TRIES = 6  # of numbers nearby, for each of them
UNSEEN = 0.9 * SINGLE_EPS / 4  # relative to a number in float32: less than half of its last place
EXACTLY = Tolerance(0, 0)
TIMES = 4  # as large as those of the reference in float32 may errors be on average: other orders round otherwise


def refusal(
    exercise: Exercise,
    claim: Claim,
    perform: Callable[..., Outcome],
    trials: Sequence[Trial],
    make_rng: Callable[[], np.random.Generator],
) -> Imprecise | None:
    """Return why results of fewer digits than the arguments are not those of a right function, or None.

    A right function either computes in double precision and rounds what it returns, or it rounds its arguments first.
    Both can be told from outside. In the first case every number is the right one, rounded. In the second the result
    does not depend on what rounding takes from the arguments, and is not much farther off than the reference in single
    precision. A slight mistake in double precision shows in the first as soon as a number comes to lie on the other
    side of where it is rounded up, and in the second at once. What would hold of these numbers in float64 holds.

    Parameters
    ----------
    exercise : Exercise
    claim : Claim
    perform : callable
        Performs a call of the learner's function.
    trials : sequence of Trial
        The calls that the claim has made.
    make_rng : callable
        Returns the random generator of the claim's inputs, anew with every call.

    Returns
    -------
    Imprecise or None
    """
    coarse = list(filter(_is_coarse, trials))
    if not coarse:
        return None
    for rng in make_rng().spawn(REPEATS):
        if sum(np.size(leaf) for trial in coarse for leaf in leaves(trial.outcome.value)) < NUMBERS:
            coarse += filter(_is_coarse, _tried(exercise, claim, perform, rng))
    others = [trial for trial in coarse if not _is_rounded(exercise, trial)]
    others += [trial for trial in coarse if others and _has_data(trial, "f")]  # what rounds arguments always does
    if not others or _is_single(exercise, perform, others[:MAX_CALLS], make_rng()):
        return None
    inputs = (make_rng(), *make_rng().spawn(DRAWS))
    return None if all(_holds_in_double(exercise, claim, perform, rng) for rng in inputs) else Imprecise(TEXT)


def _is_coarse(trial):
    outcome = trial.outcome
    return outcome.status == "returned" and itemsize(outcome.value) < itemsize((*trial.args, *trial.kwargs.values()))


def _tried(exercise, claim, perform, rng):
    """Return the calls that a claim makes on other inputs, whatever comes of them."""
    call = Call(exercise, perform)
    with contextlib.suppress(Exception):
        claim.test(call, rng)
    return call.trials


def _right(exercise, args, kwargs):
    """Return the parts of the right result."""
    return [np.asarray(leaf) for leaf in leaves(run(exercise.reference, args, kwargs, seconds=None).value)]


def _is_rounded(exercise, trial):
    """Return whether the result of a call is the right one, rounded."""
    got = map(np.asarray, leaves(trial.outcome.value))
    return all(map(_is_right, got, _right(exercise, trial.args, trial.kwargs)))


def _is_right(got, expected):
    """Return whether a part of a result is the right one, rounded; one that is not coarse was judged by the claim."""
    rounded = rounded_like(expected, got)
    if rounded is expected or got.shape != expected.shape:
        return rounded is expected
    slack = SLACK * (1 + np.abs(expected[np.isfinite(expected)]).max(initial=0))
    gap = np.abs(got.astype(expected.dtype) - expected)
    return bool(((got == rounded) | (gap <= np.spacing(np.abs(rounded)) / 2 + slack)).all())


def _is_single(exercise, perform, trials, rng):
    """Return whether results are those of a right function that computes in single precision from the beginning."""
    errors = [_error(exercise, perform, trial, rng) for trial in trials]
    return None not in errors and bool(np.median(errors) <= TIMES)


def _holds_in_double(exercise, claim, perform, rng):
    """Return whether a claim holds of the numbers if they are judged as float64."""

    def in_double(*args, **options):
        outcome = perform(*args, **options)
        return replace(outcome, value=mapped(_double, outcome.value))

    call = Call(exercise, in_double)
    call.tolerance_for = tolerance_in_single
    try:
        claim.test(call, rng)
    except Exception:  # it fails, or numbers break whoever looks at them
        return False
    return True


def _double(leaf):
    return leaf.astype(np.float64) if isinstance(leaf, np.ndarray | np.floating) and leaf.dtype.kind == "f" else leaf


def _error(exercise, perform, trial, rng):
    """Return how large the error of a call is beside that which single precision explains.

    None if the result changes where its arguments differ by less than single precision sees, or where nothing was
    given that could be rounded: ids cannot, and whole numbers beside others may be ids.
    """
    has_ids = any("ids" in name for name in exercise.signature.parameters)
    kinds = "f" if has_ids or _has_data(trial, "f") else "iu"

    def each(change, call):
        return mapped(lambda leaf: change(leaf) if _is_data(leaf, kinds) else leaf, call)

    given = each(lambda array: in_bytes(array, SINGLE).astype(array.dtype), (trial.args, trial.kwargs))
    outcome = perform(*given)
    for _ in range(TRIES if _has_data(trial, kinds) else 0):
        beside = each(lambda array: array * (1 + UNSEEN * rng.choice((-1, 1), array.shape)), given)
        if not perform(*beside).same_as(outcome, EXACTLY):
            return None
    if outcome.status != "returned" or not _has_data(trial, kinds):
        return None
    got = map(np.asarray, leaves(outcome.value))
    single = each(lambda array: array.astype(np.float32), given)
    moved = each(lambda array: array * (1 + SINGLE_EPS / 2 * rng.uniform(-1, 1, array.shape)), given)
    return max(map(_share, got, *(_right(exercise, *call) for call in (given, single, moved))))


def _has_data(trial, kinds):
    return any(_is_data(leaf, kinds) for leaf in leaves((trial.args, trial.kwargs)))


def _is_data(value, kinds):
    return isinstance(value, np.ndarray | np.floating) and value.dtype.kind in kinds


def _share(got, expected, *others):
    """Return the size of an error beside the largest of what explains it: those of others, and the last place."""
    numbers = np.isfinite(expected)
    if expected.dtype.kind != "f" or got.shape != expected.shape or not numbers.any():
        return 0.0
    last_place = np.spacing(np.abs(expected[numbers]).astype(np.float32)).astype(float) / 3
    explained = [last_place, *(other[numbers] - expected[numbers] for other in others)]
    return float(_size(got[numbers] - expected[numbers]) / max(map(_size, explained)))


def _size(errors):
    return np.sqrt(np.mean(errors**2))
