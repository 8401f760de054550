"""Specification of `quantised`, an open task: what counts is how close the restored numbers come."""

import numpy as np

from autograder.evaluation.trials import WrongResult
from autograder.execution.describe import describe, is_plain_array
from autograder.exercises.wrong import WrongAnswers
from autograder.specification import Exercise, Output
from transformer_kit import reference

MOST, LESS = 0.085, 0.0755  # of the standard deviation: what a ruler comes to, and what takes a better idea
KINDS = {"scales": np.float16, "smallest": np.float16, "packed": np.uint8}

EXERCISE = Exercise(
    reference=reference.quantised,
    asks="scales, lowest levels and bytes from which `dequantised` restores the numbers as closely as possible.",
    returns=(Output("scales", "(n_blocks,)"), Output("smallest", "(n_blocks,)"), Output("packed", "(n_blocks, 16)")),
    is_open=True,
)


def _restored(call, numbers):
    """Call the function, require the three arrays of the format, and return what is restored from them."""
    shapes = {name: (len(numbers), 16) if name == "packed" else (len(numbers),) for name in KINDS}
    parts = dict(zip(KINDS, call.results(numbers), strict=True))
    for name, part in parts.items():
        if not is_plain_array(part) or part.shape != shapes[name] or part.dtype != KINDS[name]:
            wanted = f"an array of shape {shapes[name]} and dtype {np.dtype(KINDS[name])}"
            raise WrongResult(f"{name}: expected {wanted}, got {describe(part)}.")
        if not np.isfinite(part).all():
            raise WrongResult(f"{name}: {int((~np.isfinite(part)).sum())} of {part.size} entries are NaN or infinite.")
    return reference.dequantised(*parts.values())


def _come_back(call, numbers, most):
    """Require the error, as a share of the numbers' standard deviation, to be at most this large."""
    restored = _restored(call, numbers)
    gaps = np.abs(restored - numbers.astype(float))
    error = np.sqrt((gaps**2).mean()) / numbers.std()
    if error > most:
        block, number = np.unravel_index(gaps.argmax(), gaps.shape)
        asked = f"at most {100 * most:.3g} % is allowed"
        off = f"{gaps.max() / numbers.std():.3g} standard deviations"
        what = f"At worst, number {number} of block {block} is off by {off}."
        if most == LESS and error < MOST:
            what = "A ruler from the smallest to the largest number does as well. How many numbers are near its ends?"
        elif _stand_elsewhere(restored, numbers):
            what = "The levels are right, but they stand in other places: which numbers share a byte?"
        raise WrongResult(f"the error is {100 * error:.3g} % of the standard deviation; {asked}. {what}")


def _stand_elsewhere(restored, numbers):
    """Return whether the halves of the bytes are exchanged, or hold neighbours."""
    orders = (np.roll(np.arange(32), 16), np.arange(32).reshape(16, 2).T.ravel())
    errors = [np.sqrt(((restored - numbers[:, order].astype(float)) ** 2).mean()) for order in orders]
    return min(errors) < 0.2 * numbers.std()


def _blocks(rng, n_blocks, size=1.0, middle=0.0):
    """Draw blocks of 32 numbers, each with its own spread."""
    spread = size * rng.uniform(0.8, 1.25, (n_blocks, 1))
    return (middle + spread * rng.standard_normal((n_blocks, 32))).astype(np.float32)


@EXERCISE.claim(1)
def as_with_a_ruler(call, rng):
    """the error is at most 8.5 % of the standard deviation, for numbers around 0 and elsewhere"""
    _come_back(call, _blocks(rng, 1), 2 * MOST)
    _come_back(call, _blocks(rng, 150, size=0.05), MOST)
    _come_back(call, _blocks(rng, 150, size=30.0, middle=float(rng.choice([-40, 40]))), MOST)


@EXERCISE.claim(0.5)
def odd_blocks(call, rng):
    """blocks of equal numbers and of very large ones come back, too; the numbers stay as they are"""
    values = np.append(rng.standard_normal(5), 0)
    for numbers in (np.repeat(values[:, None], 32, axis=1), rng.uniform(-60000, 60000, (7, 32))):
        most = 0.002 if np.ptp(numbers[0]) == 0 else 0.1
        _come_back(call, numbers.astype(np.float32), most)
    for trial in call.trials:
        call.is_left_alone(trial)


@EXERCISE.claim(0.5)
def closer(call, rng):
    """the error is at most 7.55 %, which takes more than a ruler from the smallest to the largest number"""
    _come_back(call, _blocks(rng, 300), LESS)


def _ruled(numbers, low, high, levels=15, rounded=np.rint):
    """Return what a ruler from `low` to `high` comes to."""
    low, high = (np.broadcast_to(end, len(numbers))[:, None] for end in (low, high))
    scales = np.maximum((high - low) / levels, 1e-6)
    steps = np.clip(rounded((numbers - low) / scales), 0, 15).astype(np.uint8)
    return scales[:, 0].astype(np.float16), low[:, 0].astype(np.float16), steps[:, :16] | steps[:, 16:] << 4


def _shrunk(numbers, share):
    """Return what a ruler comes to that misses both ends."""
    low, high = numbers.min(axis=1), numbers.max(axis=1)
    cut = (1 - share) / 2 * (high - low)
    return _ruled(numbers, low + cut, high - cut)


wrong = WrongAnswers(EXERCISE, globals())

wrong("much-too-short", "_shrunk(numbers, 0.7)", """
    The ruler is much too short.
    What lies outside is cut off, and that costs more than the finer steps gain.""")

wrong("rounded-down", "_ruled(numbers, numbers.min(axis=1), numbers.max(axis=1), rounded=np.floor)", """
    Levels are rounded down.
    Then the error is up to a whole step, instead of half a step. Conversion to whole numbers cuts off the fraction.""")

wrong("sixteen-steps", "_ruled(numbers, numbers.min(axis=1), numbers.max(axis=1), levels=16)", """
    The distance from the smallest number to the largest is divided by 16.
    Sixteen levels have fifteen steps between them.""")

wrong("one-ruler", "_ruled(numbers, numbers.min(), numbers.max())", """
    All blocks share one step and one lowest level.
    Each block should have its own, since some blocks are narrower than others.""")

wrong("from-zero", "_ruled(numbers, 0.0, numbers.max(axis=1))", """
    The lowest level is 0 in every block.
    Numbers can be negative, or lie far from 0.""")

wrong("halves-exchanged", {"levels[:, :16] | levels[:, 16:] << 4": "levels[:, 16:] | levels[:, :16] << 4"}, """
    The halves of the bytes are exchanged.
    The low halves are the levels of numbers 0 to 15.""")

wrong("neighbours", {"levels[:, :16] | levels[:, 16:] << 4": "levels[:, ::2] | levels[:, 1::2] << 4"}, """
    Neighbouring numbers share a byte.
    Number 0 should share its byte with number 16, not with number 1.""")

wrong("second-half-lost", {"levels[:, :16] | levels[:, 16:] << 4": "levels[:, :16]"}, """
    The numbers from 16 on are lost.
    Their levels belong in the high halves of the bytes.""")

wrong("not-cut-off", {"np.clip(np.rint((numbers - smallest) / scales), 0, 15)":
                      "np.rint((numbers - smallest) / scales) % 16"}, """
    Levels beyond 15 start again at 0.
    Four bits hold no more. What lies beyond the ruler has to get the level at its end.""")

wrong("single-precision", {
    "scales[:, 0].astype(np.float16), smallest[:, 0].astype(np.float16)":
        "scales[:, 0].astype(np.float32), smallest[:, 0].astype(np.float32)",
}, """
    Steps and lowest levels are in single precision.
    The format has two bytes for each of them.""")

wrong("one-number-a-byte", {"levels[:, :16] | levels[:, 16:] << 4": "levels"}, """
    Every level has a byte of its own.
    Two fit into one. That is the point of four bits.""")


@wrong.function
def no_step_for_equal_ones(numbers):
    """The step of a block of equal numbers is NaN.
    From the smallest to the largest number the distance is 0, and it is divided by. Any step will do there."""
    scales, smallest, packed = reference.quantised(numbers)
    scales[np.ptp(numbers, axis=1) == 0] = np.nan
    return scales, smallest, packed


@wrong.function
def in_place(numbers):
    """The caller's numbers are overwritten.
    They may still be needed. Make a new array."""
    stored = reference.quantised(numbers)
    numbers -= numbers.min(axis=1, keepdims=True)
    return stored
