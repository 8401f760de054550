"""What the claims of this unit share."""

import numpy as np


def pair_of(call, shapes, *args, **kwargs):
    """Call the function and return its two results; require finite float arrays of these shapes, not all the same."""
    result = call.results(*args, **kwargs)
    for returned, array, shape in zip(call.exercise.returns, result, shapes, strict=True):
        name = returned.name
        call.is_array(array, shape, "f", name)
        call.holds(bool(np.isfinite(array).all()), f"{name}: not every entry is finite.")
        call.holds(bool(np.ptp(array) > 0), f"{name}: every entry is the same, {array.flat[0]}.")
    return tuple(result)


def mask_of(call, number, shape, *args):
    """Call the function and return one of its results; require a boolean array of this shape."""
    return call.is_array(call.results(*args)[number], shape, "b", call.exercise.returns[number].name)


def lengths_mask(lengths, n):
    """Return is_token, of shape (len(lengths), n), of sentences with these numbers of tokens."""
    return np.arange(n) < np.asarray(lengths)[:, None]
