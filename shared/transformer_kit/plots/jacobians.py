"""The grid of Jacobians: the same derivative with and without the scale, for several sizes."""

import numpy as np

from transformer_kit.plots.figure import DescribedFigure
from transformer_kit.plots.heatmaps import HeatMap
from transformer_kit.plots.words import number

WIDTH = 104  # CSS pixels of a map: five of them fill the column


def jacobian_grid(pairs, *, names=("unscaled", "scaled"), same_limits=True, title="", alt=""):
    """Show pairs of Jacobians, one column for each size, with mean, standard deviation and range in the titles.

    Colours are signed with zero in the middle. The two Jacobians of a column have the same colour scale, so that they
    can be compared; scales differ between columns.

    Parameters
    ----------
    pairs : sequence of (ndarray of shape (n, n), ndarray of shape (n, n))
        Jacobians of rising size, e.g. without and with the scale.
    names : tuple of str
        What the two of a pair are.
    same_limits : bool
        False gives each Jacobian a colour scale of its own, to see the pattern of one with small entries.
    title, alt : str
        As in :func:`heatmap`.

    Returns
    -------
    DescribedFigure
        Two rows of panels.
    """
    rows = []
    for k, label in enumerate(names):
        row = []
        for pair in pairs:
            matrix = np.asarray(pair[k])
            bound = max(float(np.abs(each).max()) for each in (pair if same_limits else [matrix])) or 1.0
            mean, spread, reach = _statistics(matrix)
            row.append(
                HeatMap(
                    title=f"n = {len(matrix)}, {label}\nmean {mean}\nSD {spread}\nrange {reach}",
                    width=WIDTH,
                    limits=(-bound, bound),
                    text=f"n = {len(matrix)}, {label}: mean {mean}, standard deviation {spread}, range {reach}; "
                    f"colours from {number(-bound)} to {number(bound)}.",
                    array=matrix,
                    signed=True,
                    annotate=False,
                    bar="below" if k == len(names) - 1 or not same_limits else "",
                )
            )
        rows.append(row)
    return DescribedFigure(rows, title, alt)


def _statistics(matrix):
    """Mean, standard deviation and range in words; a mean that is only rounding noise is 0."""
    mean = matrix.mean()
    noise = 1e-12 * max(np.abs(matrix).max(), 1e-300)
    return number(0 if abs(mean) < noise else mean), number(matrix.std()), number(np.ptp(matrix))
