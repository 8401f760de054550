"""What the claims of several units share: inputs, and what they ask of results before or beside the right numbers."""

import numpy as np

from transformer_kit.numerical import numerical_gradient


def random_mask(rng, *shape):
    """Return a mask with at least two visible and at least one hidden entry along its last axis (3 or longer)."""
    n = shape[-1]
    order = rng.permuted(np.broadcast_to(np.arange(n), shape), axis=-1)
    return order < rng.integers(2, n, size=(*shape[:-1], 1))


def in_float32(params):
    """Return the same parameters of a layer in single precision."""
    return type(params)(*(array.astype(np.float32) for array in params))


def table_of(call, shape, *args):
    """Call the function and return its result; require real numbers of this shape, not all the same."""
    result = call.array(shape, *args)
    call.holds(bool(np.ptp(result) > 0), f"every entry of the result is the same, {result.flat[0]}.")
    return result


def require_slopes(call, gradients, loss, arrays):
    """Require every gradient to be the central difference of ``loss(*arrays)`` in the array of the same place."""
    for place, (gradient, returned) in enumerate(zip(gradients, call.exercise.returns, strict=True)):

        def of_one(array, place=place):
            return loss(*arrays[:place], array, *arrays[place + 1 :])

        gap = np.abs(gradient - numerical_gradient(of_one, arrays[place])).max()
        call.holds(gap < 1e-6, f"{returned.name} differs from the central difference by up to {gap:.3g}.")
