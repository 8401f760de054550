"""Every row of bits there is, for networks that count the ones in a row."""

import numpy as np


def every_row(n_bits):
    """Return all rows of zeros and ones, those with few ones first.

    Parameters
    ----------
    n_bits : int

    Returns
    -------
    ndarray of shape (2**n_bits, n_bits)
    """
    rows = np.indices((2,) * n_bits).reshape(n_bits, -1).T
    return rows[np.argsort(rows.sum(axis=1), kind="stable")].astype(float)
