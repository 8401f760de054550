"""What the claims of this unit share."""

import numpy as np

from autograder.call import Failed
from autograder.compare import compare_one, describe, tolerance_for
from transformer_kit.parameters import AttentionParams


def pair_of(call, shapes, *args, **kwargs):
    """Call the function and return its two results; require finite float arrays of these shapes, not all the same."""
    result = call(*args, **kwargs)
    _require_all(call, result)
    for returned, array, shape in zip(call.exercise.returns, result, shapes, strict=True):
        name = returned.name
        fits = isinstance(array, np.ndarray) and array.shape == shape and array.dtype.kind == "f"
        call.holds(fits, f"{name}: expected an array of numbers of shape {shape}, got {describe(array)}.")
        call.holds(bool(np.isfinite(array).all()), f"{name}: not every entry is finite.")
        call.holds(bool(np.ptp(array) > 0), f"{name}: every entry is the same, {array.flat[0]}.")
    return tuple(result)


def agrees_in(call, number, *args):
    """Require that one of several results is the reference's, whatever the others are."""
    value, returns = call(*args), call.exercise.returns
    _require_all(call, value)
    expected = call.exercise.reference(*args)[number]
    difference = compare_one(value[number], expected, returns[number], tolerance_for(*args))
    if difference:
        raise Failed(difference.text, difference)


def mask_of(call, number, shape, *args):
    """Call the function and return one of its results; require a boolean array of this shape."""
    value, returns = call(*args), call.exercise.returns
    _require_all(call, value)
    mask = value[number]
    fits = isinstance(mask, np.ndarray) and mask.shape == shape and mask.dtype == bool
    call.holds(fits, f"{returns[number].name}: expected booleans of shape {shape}, got {describe(mask)}.")
    return mask


def _require_all(call, value):
    """Require as many results as the exercise asks for."""
    names = [returned.name for returned in call.exercise.returns]
    complete = isinstance(value, tuple | list) and len(value) == len(names)
    call.holds(complete, f"expected {len(names)} results in this order: {', '.join(names)}. Got {describe(value)}.")


def lengths_mask(lengths, n):
    """Return is_token, of shape (len(lengths), n), of sentences with these numbers of tokens."""
    return np.arange(n) < np.asarray(lengths)[:, None]


def converted(params, dtype):
    """Return attention parameters in another precision."""
    return AttentionParams(*(W.astype(dtype) for W in params))
