"""Unit 01: sinusoidal positional encoding (Vaswani et al. 2017, section 3.5)."""

import numpy as np

from transformer_kit.reference.floats import as_float


def angular_frequencies(d_model, base=10000.0):
    """Return the angular frequency of every (sine, cosine) pair of columns, fastest first.

    Parameters
    ----------
    d_model : int
        Width of the encoding; even, since columns come in pairs.
    base : float
        The ratio between the fastest and the (never quite reached) slowest frequency.

    Returns
    -------
    ndarray of shape (d_model / 2,)
        Radians per position; the first is 1.

    Raises
    ------
    ValueError
        If `d_model` is odd.

    Notes
    -----
    Vaswani et al. 2017, section 3.5: the factor of `pos` inside the sine and the cosine.
    """
    if d_model % 2 != 0:
        raise ValueError(f"d_model must be even, because columns come in (sine, cosine) pairs; got {d_model}")
    first_column = np.arange(0, d_model, 2)  # of each pair
    return base ** (-first_column / d_model)


def positional_encoding(seq_len, d_model, base=10000.0):
    """Return the table of position vectors: sines in the even columns, cosines in the odd ones.

    Parameters
    ----------
    seq_len : int
        Number of positions, counted from 0.
    d_model : int
        Width of a position vector; even.
    base : float
        See `angular_frequencies`.

    Returns
    -------
    ndarray of shape (seq_len, d_model)

    Raises
    ------
    ValueError
        If `d_model` is odd.

    Notes
    -----
    Vaswani et al. 2017, section 3.5.
    """
    positions = np.arange(seq_len)
    angles = positions[:, None] * angular_frequencies(d_model, base)  # (seq_len, d_model / 2)
    P = np.empty((seq_len, d_model))
    P[:, 0::2] = np.sin(angles)
    P[:, 1::2] = np.cos(angles)
    return P


def add_positions(X, P):
    """Add the position vectors 0, 1, ..., n - 1 to the token vectors of every sequence.

    Parameters
    ----------
    X : ndarray of shape (..., n, d_model)
        Token vectors.
    P : ndarray of shape (n_max, d_model)
        Position vectors; only the first n rows are used.

    Returns
    -------
    ndarray of shape (..., n, d_model)

    Raises
    ------
    ValueError
        If the sequences are longer than the table (n > n_max).
    """
    X, P = as_float(X), as_float(P)
    n, n_max = X.shape[-2], P.shape[0]
    if n > n_max:
        raise ValueError(f"the sequence has {n} tokens, but the table has only {n_max} positions")
    return X + P[:n]


def position_similarity(P):
    """Return the dot product of every pair of position vectors.

    Parameters
    ----------
    P : ndarray of shape (n, d_model)

    Returns
    -------
    ndarray of shape (n, n)
    """
    P = as_float(P)
    return P @ P.T


def own_positions(n):
    """Return positions of length 1 in 8 columns, such that neighbours are the most alike.

    Parameters
    ----------
    n : int
        Number of words, at most 300.

    Returns
    -------
    ndarray of shape (n, 8)
        The dot product of two rows depends only on their distance. For neighbours it is below 0.95, and larger than for
        any other two by at least 0.1.

    Notes
    -----
    One right answer of many. With the paper's base of 10000, three of the four waves hardly move within 6 words, while
    the first comes round. The base here, 300, is the number of words in the longest text.
    """
    return positional_encoding(n, 8, base=300.0) / 2


def shift_matrix(offset, d_model, base=10000.0):
    """Return the rotation R that moves every position vector by `offset` positions.

    Parameters
    ----------
    offset : int
        Number of positions; may be negative.
    d_model : int
        Width of a position vector; even.
    base : float
        See `angular_frequencies`.

    Returns
    -------
    ndarray of shape (d_model, d_model)
        R with P[p + offset] = P[p] @ R.T for every position p.

    Raises
    ------
    ValueError
        If `d_model` is odd.

    Notes
    -----
    Vaswani et al. 2017, section 3.5, state that such a matrix exists; each (sine, cosine) pair turns by
    its own angle, offset times frequency.
    """
    angles = offset * angular_frequencies(d_model, base)
    sines, cosines = np.arange(0, d_model, 2), np.arange(1, d_model, 2)
    R = np.zeros((d_model, d_model))
    R[sines, sines] = R[cosines, cosines] = np.cos(angles)
    R[sines, cosines] = np.sin(angles)
    R[cosines, sines] = -np.sin(angles)
    return R
