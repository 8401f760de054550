"""The pictures of unit 01: frequencies along a line, and how alike two positions are."""

from transformer_kit import plots

N_POSITIONS = 60


def frequency_curve(frequencies):
    """Draw angular frequencies over their pairs, on a logarithmic axis.

    Parameters
    ----------
    frequencies : ndarray of shape (n_pairs,)
        In radians per position.

    Returns
    -------
    DescribedFigure
    """
    pairs, lines = range(len(frequencies)), {"frequency": frequencies}
    return plots.curves(pairs, lines, log_y=True, x_label="pair i", y_label="radians per position")


def similarities(position_similarity, positional_encoding):
    """Draw the similarity of all positions in 32 columns, and its first row in 32 and in 128.

    Parameters
    ----------
    position_similarity, positional_encoding : callable

    Returns
    -------
    DescribedFigure
    """
    narrow, wide = (position_similarity(positional_encoding(N_POSITIONS, width)) for width in (32, 128))
    shares = {"32 columns": narrow[0] / 16, "128 columns": wide[0] / 64}  # a row's product with itself is width / 2
    return plots.beside(
        plots.heatmap(narrow, x_label="position", y_label="position", title="32 columns"),
        plots.curves(range(N_POSITIONS), shares, x_label="distance", y_label="share of the diagonal"),
        alt="The similarity of every position with every other one, and its first row for two widths.",
    )
