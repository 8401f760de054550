"""What several claims of this unit ask of a result before they look at its numbers."""

import numpy as np


def require_distributions(call, weights, axis=-1):
    """Require that all numbers are at least 0 and sum to 1 along an axis."""
    lowest = weights.min()
    call.holds(lowest >= 0, f"a weight is never negative; the smallest one here is {lowest:.6g}.")
    sums = weights.sum(axis=axis)
    call.holds(np.allclose(sums, 1), f"the weights of a query sum to 1; here the first sums are {sums.flat[:3]}.")
