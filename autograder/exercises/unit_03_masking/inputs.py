"""What the claims of this unit share."""

import numpy as np

from autograder.compare import describe


def random_mask(rng, *shape):
    """Return a mask with at least two visible and at least one hidden entry along its last axis (3 or longer)."""
    n = shape[-1]
    order = rng.permuted(np.broadcast_to(np.arange(n), shape), axis=-1)
    return order < rng.integers(2, n, size=(*shape[:-1], 1))


def array_of(call, shape, kinds, *args, **kwargs):
    """Call the function and return its result; require an array of this shape and of one of these kinds of dtype."""
    return require_array(call, call(*args, **kwargs), shape, kinds)


def require_array(call, result, shape, kinds):
    """Return a result unchanged; require an array of this shape and of one of these kinds of dtype."""
    fits = isinstance(result, np.ndarray) and result.shape == shape and result.dtype.kind in kinds
    what = "booleans" if kinds == "b" else "numbers"
    call.holds(fits, f"expected an array of {what} of shape {shape}, got {describe(result)}.")
    return result
