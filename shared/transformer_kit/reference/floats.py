"""The precision rule of the course: floats keep their precision, integer values become float64."""

import numpy as np


def as_float(x):
    """Return `x` as a floating-point array without changing the precision it already has.

    Parameters
    ----------
    x : array_like of any shape

    Returns
    -------
    ndarray of the same shape
        The dtype of `x` where it is a floating-point one, float64 otherwise.
    """
    x = np.asarray(x)
    return x if x.dtype.kind == "f" else x.astype(np.float64)
