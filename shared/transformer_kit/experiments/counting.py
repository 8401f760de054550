"""What a network that counts the ones in a row says to every row of bits there is."""

import numpy as np

from transformer_kit import plots


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


def answers_by_count(build, network, n_bits=6, counts=(2, 5)):
    """Draw the answers of the reader's network against the number of ones, beside those that are asked for.

    Parameters
    ----------
    build, network : callable
        The reader's `counting_network` and `position_wise_ffn`.
    n_bits : int
    counts : tuple of int

    Returns
    -------
    DescribedFigure
    """
    rows = every_row(n_bits)
    answers, ones = network(rows, build(n_bits, counts))[:, 0], rows.sum(axis=1)
    of_count = [answers[ones == count] for count in range(n_bits + 1)]
    lowest, highest = (np.array([end(said) for said in of_count]) for end in (np.min, np.max))
    yours = {"yours": lowest} if np.allclose(lowest, highest) else {"yours, lowest": lowest, "yours, highest": highest}
    lines = {"asked for": np.isin(range(n_bits + 1), counts), **yours}
    return plots.curves(
        range(n_bits + 1),
        lines,
        x_label="number of ones",
        y_label="answer",
        title=f"Is the number of ones among {', '.join(map(str, counts))}?",
        alt=f"The answers to all {len(rows)} rows of {n_bits} bits.",
    )
