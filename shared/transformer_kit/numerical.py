"""Derivatives by central differences: slow, simple, and independent of any formula."""

import numpy as np


def numerical_gradient(function, x, step=1e-6):
    """Estimate the derivative of a function at `x` by moving one entry of `x` at a time.

    Parameters
    ----------
    function : callable
        From an array of the shape of `x` to a number or an array.
    x : ndarray of any shape
        Where to differentiate; it is left as it is.
    step : float
        How far an entry is moved to either side.

    Returns
    -------
    ndarray of shape (*shape of the result, *shape of x)
        For a function that returns a number: the gradient, in the shape of `x`. For one that maps a vector
        to a vector: the Jacobian, with entry (i, j) the derivative of result i with respect to x[j].

    Notes
    -----
    (f(x + h) - f(x - h)) / 2h. Expect about nine right digits with the step given, in float64 and for
    numbers of order 1.
    """
    x = np.array(x, dtype=float)
    slopes = []
    for index in np.ndindex(x.shape):
        there, back = x.copy(), x.copy()
        there[index] += step
        back[index] -= step
        slopes.append((np.asarray(function(there)) - np.asarray(function(back))) / (2 * step))
    return np.stack(slopes, axis=-1).reshape((*np.shape(slopes[0]), *x.shape))
