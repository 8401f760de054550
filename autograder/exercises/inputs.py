"""What the claims of several units share: inputs, and what they ask of results before or beside the right numbers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from autograder.evaluation.trials import Call, Failed, WrongResult
from autograder.execution.compare import compare
from autograder.execution.describe import number_text
from autograder.execution.precision import bound_for, tolerance_for
from autograder.specification import Exercise
from transformer_kit.numerical import numerical_gradient


def random_mask(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Return a mask with at least two visible and at least one hidden entry along its last axis (3 or longer)."""
    n = shape[-1]
    order = rng.permuted(np.broadcast_to(np.arange(n), shape), axis=-1)
    return order < rng.integers(2, n, size=(*shape[:-1], 1))


def in_float32(params: Any) -> Any:
    """Return the same parameters of a layer in single precision."""
    return type(params)(*(array.astype(np.float32) for array in params))


def table_of(call: Call, shape: tuple[int, ...], *args: Any) -> np.ndarray:
    """Call the function and return its result; require real numbers of this shape, not all the same."""
    result = call.array(shape, *args)
    if not np.ptp(result) > 0:
        raise WrongResult(f"every entry of the result is the same, {result.flat[0]}.")
    return result


def finite_array(call: Call, value: Any, shape: tuple[int, ...], name: str) -> np.ndarray:
    """Require a part of an open task's answer to be real numbers of this shape, all of them finite, and return it."""
    array = call.is_array(value, shape, name=name)
    if not np.isfinite(array).all():
        raise WrongResult(f"{name}: {int((~np.isfinite(array)).sum())} of {array.size} entries are NaN or infinite.")
    return array


def require_size(arrays: Iterable[np.ndarray], most: int) -> None:
    """Require all numbers of an open task's answer to be at most this large, with either sign."""
    largest = max(float(np.abs(array).max()) for array in arrays)
    if largest > most:
        size = number_text(largest, 3)
        raise WrongResult(f"numbers from -{most:,} to {most:,} are allowed, and one has the size {size}.")


@contextmanager
def presupposed() -> Iterator[None]:
    """Let a side claim stand as not judged where what is required in here does not hold."""
    try:
        yield
    except Failed as failed:
        raise WrongResult(failed.text, failed.difference) from None


@contextmanager
def judged() -> Iterator[None]:
    """Let a side claim be broken by what does not hold in here, because that is what it is about."""
    try:
        yield
    except WrongResult as wrong:
        raise Failed(wrong.text, wrong.difference) from None


def agrees_here(call: Call, *args: Any, **kwargs: Any) -> Any:
    """Require the reference's result where it is what a side claim is about: a wrong one breaks the claim itself."""
    with judged():
        return call.agrees(*args, **kwargs)


def require_slopes(
    call: Call, gradients: Iterable[np.ndarray], loss: Callable[..., float], arrays: Sequence[np.ndarray]
) -> None:
    """Require every gradient to be the central difference of ``loss(*arrays)`` in the array of the same place."""
    for place, (gradient, returned) in enumerate(zip(gradients, call.exercise.returns, strict=True)):

        def of_one(array, place=place):
            return loss(*arrays[:place], array, *arrays[place + 1 :])

        gap = np.abs(gradient - numerical_gradient(of_one, arrays[place])).max()
        same = gap < bound_for(1e-6, gradient)
        call.holds(same, f"{returned.name} differs from the central difference by up to {gap:.3g}.")


def judged_only_if(condition: object, text: str) -> None:
    """Require of a result what a side claim cannot do without; it is not judged otherwise, see `Claim.side`."""
    if not condition:
        raise WrongResult(text)


def telling(exercise: Exercise, draw: Callable[[], tuple], *mistakes: str, alike: Iterable[str] = ()) -> tuple:
    """Draw arguments until known mistakes show in the result: whether a claim fails for one is then no matter of luck.

    Parameters
    ----------
    exercise : Exercise
    draw : callable
        Returns arguments of the exercise's function, others with every call.
    *mistakes : str
        Ids of the mistakes that have another result than the reference, or none.
    alike : iterable of str
        Ids of mistakes whose result is the reference's.

    Returns
    -------
    tuple
        The first arguments for which all of this holds.
    """
    wrong = {mistake.id: mistake.function for mistake in exercise.mistakes}
    while True:
        args = draw()
        shown = all(_shows(exercise, wrong[name], args) for name in mistakes)
        if shown and not any(_shows(exercise, wrong[name], args) for name in alike):
            return args


def _shows(exercise, function, args):
    try:
        result = function(*args)
    except Exception:
        return True
    return compare(result, exercise.reference(*args), exercise.returns, tolerance_for(*args)) is not None
