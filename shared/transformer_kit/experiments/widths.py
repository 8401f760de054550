"""What the scale of the scores is for: random queries and keys of growing width."""

import numpy as np

WIDTHS = 4 ** np.arange(6)
N_KEYS, N_DRAWS, AT_ONCE = 16, 3000, 300


def weights_at_width(d_k, attention_scores, softmax):
    """Return the weights of one random query over eight keys, with three divisors.

    Parameters
    ----------
    d_k : int
        How many of their 1,024 coordinates are used.
    attention_scores, softmax : callable

    Returns
    -------
    dict from str to ndarray of shape (8,)
        By the name of the divisor.
    """
    rng = np.random.default_rng(5)
    query, keys = rng.standard_normal((1, 1024)), rng.standard_normal((8, 1024))
    scores = attention_scores(query[:, :d_k], keys[:, :d_k])[0]
    factors = {"no scale": np.sqrt(d_k), "by √d_k": 1.0, "by √512": np.sqrt(d_k / 512)}
    return {name: softmax(factor * scores) for name, factor in factors.items()}


def jacobians(softmax_jacobian):
    """Return the Jacobian of one draw of scores for each of three lengths, without the scale and with it.

    Parameters
    ----------
    softmax_jacobian : callable

    Returns
    -------
    list of (ndarray of shape (n, n), ndarray of shape (n, n))
        The scores have the variance n, and the scale is the square root of n.
    """
    draws = [np.sqrt(n) * np.random.default_rng(0).standard_normal(n) for n in (4, 8, 16)]
    return [(softmax_jacobian(s), softmax_jacobian(s, np.sqrt(len(s)))) for s in draws]


def gradient_sizes(attention_scores, softmax_jacobian):
    """Return the size of the derivative of the weights with respect to the query, for each width.

    Parameters
    ----------
    attention_scores, softmax_jacobian : callable

    Returns
    -------
    dict from str to ndarray of shape (n_widths,)
        Mean and median over random rows, without the scale and with it.
    """
    unscaled, scaled = np.transpose(
        [_sizes_at(d_k, attention_scores, softmax_jacobian) for d_k in WIDTHS.tolist()], (1, 0, 2)
    )
    return {
        "unscaled, mean": unscaled.mean(axis=1),
        "unscaled, median": np.median(unscaled, axis=1),
        "scaled, mean": scaled.mean(axis=1),
        "scaled, median": np.median(scaled, axis=1),
    }


def _sizes_at(d_k, attention_scores, softmax_jacobian):
    """Return the sizes at one width, of shape (2, N_DRAWS): without the scale and with it."""
    rng, found = np.random.default_rng(2017), []
    for _ in range(N_DRAWS // AT_ONCE):
        queries, keys = (rng.standard_normal((AT_ONCE, n, d_k)) for n in (1, N_KEYS))
        products = np.sqrt(d_k) * attention_scores(queries, keys)[:, 0]
        J = np.array([[softmax_jacobian(s, C) for s in products] for C in (1.0, np.sqrt(d_k))])
        squares = (J @ (keys @ keys.swapaxes(-1, -2)) * J).sum(axis=(-2, -1))  # of the entries of J @ keys
        found.append(np.sqrt(squares))
    return np.concatenate(found, axis=1)
